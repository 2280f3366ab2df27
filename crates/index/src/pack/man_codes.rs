//! The codes of moves by men, many at once.
//!
//! The two squares of a step, or of a jump over one man, determine its code. The first square has a pair for each main
//! direction, and the difference of the squares gives the direction. On processors with vector look-ups of bytes, a
//! whole batch is coded without a branch; on others, each ply takes one look-up.

use super::groups::{NO_CODE, main_direction};
use super::straight_paths::{Pairs, StraightPaths};
use pdn::board::Bits;
use pdn::internal::simd::{BLOCK, Isa};
use pdn_rules::internal::board::Geometry;

/// The codes of steps and single jumps, for boards of one word.
pub(super) struct ManCodeTable {
    /// The codes of steps and of jumps over the one piece halfway, by [`index`] of the squares; [`NO_CODE`] for other
    /// pairs of squares.
    codes: Box<[u8; CODE_COUNT]>,
    /// The main direction, 0 to 3, by the low bits of the difference of the squares; [`NO_WAY`] for other differences.
    ways: [u8; BLOCK],
    /// By main direction, the pair of each square; [`NO_CODE`] where the board has no neighbour.
    pairs: [[u8; BLOCK]; 4],
}

/// The size of the table: 64 first squares in the lower byte, 256 values of the last square in the upper byte.
const CODE_COUNT: usize = 64 << 8;

/// A value that is not a main direction.
const NO_WAY: u8 = 4;

/// Returns the index of the code of a move between these squares, first and last.
#[cfg_attr(not(debug_assertions), inline(always))]
fn index(ends: [u8; 2]) -> usize {
    usize::from(u16::from_le_bytes(ends)) & (CODE_COUNT - 1)
}

impl ManCodeTable {
    pub(super) fn new<G: Geometry>(pairs: &Pairs, paths: &StraightPaths) -> Self {
        let mut codes = Box::new([NO_CODE; CODE_COUNT]);
        for (from, paths) in (0..64).zip(paths) {
            for (to, path) in (0..64).zip(paths) {
                let is_step = path.line().is_some_and(|(_, distance)| distance == 1);
                codes[index([from, to])] = if is_step { path.quiet } else { path.jump };
            }
        }
        let mut ways = [NO_WAY; BLOCK];
        for way in (0..4).filter(|_| G::Bits::SIZE == u64::BITS) {
            let shift = G::LAYOUT.shift(main_direction::<G>() + usize::from(way));
            for distance in [1, 2] {
                ways[(distance * shift) as usize % BLOCK] = way;
            }
        }
        Self { codes, ways, pairs: std::array::from_fn(|way| std::array::from_fn(|at| pairs[at][way])) }
    }

    /// Returns the code of a step, or of a jump over one piece, between these squares; [`NO_CODE`] for others.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn code(&self, ends: [u8; 2]) -> u8 {
        self.codes[index(ends)]
    }

    /// Returns the [`code`](Self::code) of many moves. Squares between which no man can move get an arbitrary code.
    // Twin: code; test: many_codes_equal_single_codes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn codes<I: Isa>(&self, isa: I, moves: &[[u8; 2]; BLOCK]) -> [u8; BLOCK] {
        if !I::HAS_FAST_LOOK_UP {
            return std::array::from_fn(|ply| self.code(moves[ply]));
        }
        // The compiler vectorises these loops.
        let (mut from, mut change) = ([0; BLOCK], [0; BLOCK]);
        for ((from, change), &ends) in from.iter_mut().zip(&mut change).zip(moves) {
            let ends = u16::from_le_bytes(ends);
            *from = ends as u8;
            *change = ((ends >> 8) as u8).wrapping_sub(ends as u8);
        }
        let ways = isa.look_up(&self.ways, &change);
        let mut codes = ways.map(|way| if way == NO_WAY { NO_CODE } else { 0 });
        for (own, pairs) in (0..).zip(&self.pairs) {
            let pairs = isa.look_up(pairs, &from);
            for ((code, &pair), &way) in codes.iter_mut().zip(&pairs).zip(&ways) {
                *code |= if way == own { pair } else { 0 };
            }
        }
        codes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::MoveCodec;
    use pdn::internal::simd::{Task, run_on_all};
    use pdn_rules::internal::board::{Eight, EightFull, Ten, TenByEight};

    #[derive(Clone)]
    struct Codes<'a>(&'a ManCodeTable, [[u8; 2]; BLOCK]);

    impl Task for Codes<'_> {
        type Output = [u8; BLOCK];

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn run<I: Isa>(self, isa: I) -> [u8; BLOCK] {
            self.0.codes(isa, &self.1)
        }
    }

    #[test]
    fn many_codes_equal_single_codes() {
        fn check<G: Geometry>() {
            let table = MoveCodec::<G>::new().man_codes;
            let mut compared = 0;
            for from in G::VALID.squares() {
                let moves = std::array::from_fn(|to| [from, to as u8]);
                for codes in run_on_all(Codes(&table, moves)) {
                    for to in G::VALID.squares() {
                        let (single, code) = (table.code([from, to]), codes[usize::from(to)]);
                        // Differences are taken modulo 64, and a board without unused bits has no gap at its edge.
                        // There, squares far apart may get the code of a jump; no man moves between them.
                        let is_near = from.abs_diff(to) < 32 && !G::LAYOUT.full;
                        let agrees = code == single || single == NO_CODE && !is_near;
                        assert!(agrees, "{:?} {from}-{to}", G::BOARD);
                        compared += usize::from(single != NO_CODE);
                    }
                }
            }
            assert!(compared > 0, "{:?}", G::BOARD);
        }
        check::<Eight>();
        check::<TenByEight>();
        check::<Ten>();
        check::<EightFull>();
    }
}
