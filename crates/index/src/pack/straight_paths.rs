//! The straight path between any two squares of a board, with the codes of the moves along it.

use super::groups::{Groups, NO_CODE, main_direction};
use pdn::board::Bits;
use pdn_rules::internal::board::Geometry;

/// The pair of each square in each main direction; [`NO_CODE`] where the board has no neighbour.
pub(super) type Pairs = [[u8; 4]; 128];

/// The straight paths of a board, by the first and the last square.
pub(super) type StraightPaths = [[StraightPath; 128]; 128];

/// The straight path from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StraightPath {
    /// The first byte of a quiet move; [`NO_CODE`] if it takes three bytes or there is no straight path.
    pub(super) quiet: u8,
    /// The pair of a jump over one neighbour in a main direction; [`NO_CODE`] for all other paths.
    pub(super) jump: u8,
    /// The direction in the low 3 bits and the distance in squares above them; 0 without a straight path.
    line: u8,
}

impl StraightPath {
    const NOT_STRAIGHT: Self = Self { quiet: NO_CODE, jump: NO_CODE, line: 0 };

    /// Returns the direction, 0 to 7, and the distance in squares; `None` without a straight path.
    pub(super) fn line(self) -> Option<(usize, u8)> {
        (self.line != 0).then_some((usize::from(self.line & 7), self.line >> 3))
    }
}

/// Returns the straight paths between all squares of a board.
pub(super) fn straight_paths<G: Geometry>(pairs: &Pairs, groups: &Groups) -> Box<StraightPaths> {
    let mut paths = Box::new([[StraightPath::NOT_STRAIGHT; 128]; 128]);
    for from in G::VALID.squares() {
        for direction in 0..8usize {
            let way = direction.wrapping_sub(main_direction::<G>());
            let pair = pairs[usize::from(from) & 127].get(way).copied().unwrap_or(NO_CODE);
            let mut to = G::Bits::one(from);
            for distance in 1u8.. {
                to = G::step(to, direction) & G::VALID;
                if !to.any() {
                    break;
                }
                let quiet = match distance {
                    1 => pair,
                    _ if way < 4 => groups.slide(way as u8, distance).unwrap_or(NO_CODE),
                    _ => NO_CODE,
                };
                let jump = if distance == 2 { pair } else { NO_CODE };
                paths[usize::from(from) & 127][usize::from(to.lowest()) & 127] =
                    StraightPath { quiet, jump, line: direction as u8 | distance << 3 };
            }
        }
    }
    paths
}
