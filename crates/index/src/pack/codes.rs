//! The tables behind the codes of a board.

use std::fmt;
use std::marker::PhantomData;

use super::groups::{Groups, NO_CODE, TwoByteOp, main_direction};
use super::man_codes::ManCodeTable;
use super::straight_paths::{Pairs, StraightPaths, straight_paths};
use pdn::board::Bits;
use pdn_rules::internal::board::Geometry;

/// Packs and unpacks the games of one board.
///
/// Built in a few microseconds; keep one for many games.
pub struct MoveCodec<G: Geometry> {
    /// The meaning of each pair; empty bitboards for other codes.
    pub(super) steps: Box<[Step<G::Bits>; 256]>,
    pub(super) pairs: Pairs,
    pub(super) paths: Box<StraightPaths>,
    /// The first byte of a quiet move (index 0) and of a jump over the one piece halfway (index 1), by the first and
    /// the last square; [`NO_CODE`] if the move takes more than two bytes. Only for boards of one word.
    pub(super) codes_by_squares: Box<[[[u8; 64]; 64]; 2]>,
    pub(super) man_codes: ManCodeTable,
    pub(super) groups: Groups,
    pub(super) two_byte_ops: [TwoByteOp; 256],
    /// By direction, how to go one square.
    pub(super) directions: [DirectionStep<G::Bits>; 8],
    board: PhantomData<fn() -> G>,
}

/// One step in a direction that is known at run time: a mask and a rotation.
#[derive(Clone, Copy, Debug)]
pub(super) struct DirectionStep<B> {
    /// The squares that have a neighbour in this direction.
    inner: B,
    /// The number of bits to rotate by.
    pub(super) by: u32,
}

impl<B: Bits> DirectionStep<B> {
    /// Returns the neighbours of a set of squares, as [`Geometry::step`] does, but never bits off the board.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn step(&self, set: B) -> B {
        (set & self.inner).rotated(self.by)
    }
}

/// A square, its neighbour in one direction, and the squares that a move in this direction changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<B> {
    pub(super) from: B,
    pub(super) neighbour: B,
    /// The squares that a quiet move changes: `from` and `neighbour`.
    pub(super) quiet_change: B,
    /// `quiet_change` XOR the squares that a jump changes: `from` and the square after the neighbour, or none if the
    /// board ends there.
    pub(super) jump_difference: B,
}

impl<B: Bits> Step<B> {
    /// Returns the square after the neighbour, where a jump lands; `from` if the board ends there.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn landing(&self) -> B {
        self.quiet_change ^ self.jump_difference ^ self.from
    }
}

impl<G: Geometry> Default for MoveCodec<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Geometry> fmt::Debug for MoveCodec<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MoveCodec")
            .field("board", &G::BOARD)
            .field("groups", &self.groups)
            .finish_non_exhaustive()
    }
}

impl<G: Geometry> MoveCodec<G> {
    /// Builds the tables of this board.
    pub fn new() -> Self {
        let none = G::Bits::NONE;
        let empty = Step { from: none, neighbour: none, quiet_change: none, jump_difference: none };
        let mut steps = Box::new([empty; 256]);
        let mut pairs = [[NO_CODE; 4]; 128];
        let mut code = 0;
        for square in G::VALID.squares() {
            let from = G::Bits::one(square);
            for (way, pair) in pairs[usize::from(square) & 127].iter_mut().enumerate() {
                let direction = main_direction::<G>() + way;
                let neighbour = G::step(from, direction) & G::VALID;
                if !neighbour.any() {
                    continue;
                }
                let landing = G::step(neighbour, direction) & G::VALID;
                let jump_change = if landing.any() { from | landing } else { none };
                let quiet_change = from | neighbour;
                steps[usize::from(code)] =
                    Step { from, neighbour, quiet_change, jump_difference: quiet_change ^ jump_change };
                *pair = code;
                code += 1;
            }
        }
        let groups = Groups::new::<G>(code);
        let directions = std::array::from_fn(|direction| DirectionStep {
            inner: G::step(G::VALID, direction ^ 1) & G::VALID,
            by: G::LAYOUT.shift(direction).rem_euclid(G::Bits::SIZE as i32) as u32,
        });
        let paths = straight_paths::<G>(&pairs, &groups);
        Self {
            steps,
            codes_by_squares: codes_by_squares(&paths),
            man_codes: ManCodeTable::new::<G>(&pairs, &paths),
            paths,
            pairs,
            two_byte_ops: groups.two_byte_ops(main_direction::<G>() as u8),
            directions,
            groups,
            board: PhantomData,
        }
    }

    /// Returns the squares, from and to, of a quiet move by one square in a main direction; `None` if the code is not
    /// a pair.
    pub(crate) fn step_of(&self, code: u8) -> Option<(G::Bits, G::Bits)> {
        let step = self.steps[usize::from(code)];
        (code < self.groups.pairs).then_some((step.from, step.neighbour))
    }
}

/// Returns the codes of the paths between the first 64 squares: of quiet moves, then of jumps.
fn codes_by_squares(paths: &StraightPaths) -> Box<[[[u8; 64]; 64]; 2]> {
    let mut codes = Box::new([[[NO_CODE; 64]; 64]; 2]);
    for (from, paths) in paths.iter().take(64).enumerate() {
        for (to, path) in paths.iter().take(64).enumerate() {
            (codes[0][from][to], codes[1][from][to]) = (path.quiet, path.jump);
        }
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn_rules::internal::board::{Eight, EightFull, Ten, TenByEight, Twelve};

    /// The expected values are those of the table in the documentation of [`pack`](crate::pack), which is the format.
    #[test]
    fn groups_begin_where_the_format_puts_them() {
        fn check<G: Geometry>(pairs: u8, slide: Option<u8>, side: Option<u8>, chain3: Option<u8>) {
            let groups = MoveCodec::<G>::new().groups;
            let longest = groups.longest;
            assert_eq!(
                groups,
                Groups { pairs, chain2: pairs, slide, longest, side, chain3 },
                "{:?}",
                G::BOARD
            );
        }
        check::<Eight>(98, Some(102), Some(126), Some(130));
        check::<TenByEight>(126, Some(130), Some(154), Some(158));
        check::<Ten>(162, Some(166), Some(198), Some(202));
        check::<Twelve>(242, None, Some(246), None);
        check::<EightFull>(224, Some(228), None, None);
    }
}
