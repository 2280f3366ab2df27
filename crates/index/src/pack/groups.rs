//! The meaning of first bytes: where the groups of codes of a board begin.

use pdn_rules::internal::board::Geometry;

/// The first byte of a chain of jumps in any directions.
pub(super) const CHAIN: u8 = 253;
/// The first byte of a move along a line, given by its two squares.
pub(super) const LINE: u8 = 254;
/// The first byte of all other ops; the second byte is one of the three below.
pub(super) const OTHER: u8 = 255;

/// The second byte of a null move.
pub(super) const NULL: u8 = 0;
/// The second byte of a setup.
pub(super) const SETUP: u8 = 1;
/// The second byte of a move that lists its captured squares.
pub(super) const EXPLICIT: u8 = 2;

/// The absence of a code. No move has [`OTHER`] as a code of its own.
pub(super) const NO_CODE: u8 = OTHER;

/// Returns the number of the first main direction; the other three follow.
pub(super) const fn main_direction<G: Geometry>() -> usize {
    if G::LAYOUT.full { 4 } else { 0 }
}

/// The first code of each group; `None` if the group does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Groups {
    /// The number of pairs, which begin at 0.
    pub(super) pairs: u8,
    pub(super) chain2: u8,
    pub(super) slide: Option<u8>,
    /// The longest distance in squares along a main direction.
    pub(super) longest: u8,
    pub(super) side: Option<u8>,
    pub(super) chain3: Option<u8>,
}

/// The meaning of a code that takes two bytes. Directions are numbers from 0 to 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TwoByteOp {
    /// The code does not take two bytes.
    None,
    /// A pair follows; after its jump come this number of further jumps in these directions.
    Jumps(u8, [u8; 2]),
    /// A square follows, from which a piece moves in this direction by this number of squares.
    Slide(u8, u8),
    /// A square follows, from which a piece jumps once in this direction.
    Side(u8),
}

impl Groups {
    /// Lays out the groups of a board with this number of pairs.
    pub(super) fn new<G: Geometry>(pairs: u8) -> Self {
        let longest = G::LAYOUT.width.min(G::LAYOUT.height) - 1;
        let chain2 = pairs;
        let mut next = u16::from(chain2) + 4;
        let mut group = |exists: bool, size: u8| {
            let fits = exists && next + u16::from(size) <= u16::from(CHAIN);
            let start = fits.then_some(next as u8);
            next += if fits { u16::from(size) } else { 0 };
            start
        };
        let slide = group(true, 4 * (longest - 1));
        let side = group(!G::LAYOUT.full, 4);
        let chain3 = group(true, 16);
        Self { pairs, chain2, slide, longest, side, chain3 }
    }

    /// Returns the code of a path of `distance` squares, at least 2, in the main direction `way` (0 to 3); `None` if
    /// the board has no such codes.
    pub(super) fn slide(&self, way: u8, distance: u8) -> Option<u8> {
        self.slide.map(|slide| slide + (distance - 2) + way * (self.longest - 1))
    }

    /// Returns the meaning of every code that takes two bytes. `main` is the number of the first main direction.
    pub(super) fn two_byte_ops(&self, main: u8) -> [TwoByteOp; 256] {
        std::array::from_fn(|code| {
            let index_in = |group: Option<u8>, size: u8| {
                group.and_then(|start| (code as u8).checked_sub(start)).filter(|&i| i < size)
            };
            let distances = self.longest - 1;
            if let Some(d) = index_in(Some(self.chain2), 4) {
                TwoByteOp::Jumps(1, [main + d, 0])
            } else if let Some(i) = index_in(self.slide, 4 * distances) {
                TwoByteOp::Slide(main + i / distances, i % distances + 2)
            } else if let Some(d) = index_in(self.side, 4) {
                TwoByteOp::Side(4 + d)
            } else if let Some(i) = index_in(self.chain3, 16) {
                TwoByteOp::Jumps(2, [main + i / 4, main + i % 4])
            } else {
                TwoByteOp::None
            }
        })
    }
}
