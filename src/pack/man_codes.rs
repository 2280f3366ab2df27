//! The codes of what men do, many at once.
//!
//! A step or a jump over one man is told by its two squares: the square that it comes from has a pair for each main
//! direction, and which direction it is follows from their difference. Where bytes can be looked up by vectors, that is
//! done for a whole series without a branch; elsewhere each ply takes one look-up.

use super::codes::{NONE, StraightPath, main_direction};
use crate::board::{Bits, Geometry};
use crate::simd::{BLOCK, Isa};

/// The tables, for boards of one word.
pub(super) struct ManCodeTable {
    /// The codes of steps and of jumps over the one man halfway, by [`index`] of the squares; [`NONE`] for all other ways.
    codes: Box<[u8; CODES]>,
    /// Which main direction a piece went, by the low bits of the difference of its squares.
    ways: [u8; BLOCK],
    /// By main direction the pairs of all squares; [`NONE`] where there is no neighbour.
    pairs: [[u8; BLOCK]; 4],
}

/// Codes for all pairs of one of 64 squares to come from and one to go to, the latter in the upper byte.
const CODES: usize = 64 << 8;

/// No main direction.
const NO_WAY: u8 = 4;

/// Where the code of a step or a jump stands.
#[cfg_attr(not(debug_assertions), inline(always))]
fn index(ends: [u8; 2]) -> usize {
    usize::from(u16::from_le_bytes(ends)) & (CODES - 1)
}

impl ManCodeTable {
    pub(super) fn new<G: Geometry>(pairs: &[[u8; 4]; 128], roads: &[[StraightPath; 128]; 128]) -> Self {
        let mut codes = Box::new([NONE; CODES]);
        for (from, ways) in (0..64).zip(roads) {
            for (to, road) in (0..64).zip(ways) {
                let step = road.line().is_some_and(|(_, distance)| distance == 1);
                codes[index([from, to])] = if step { road.quiet } else { road.jump };
            }
        }
        let mut ways = [NO_WAY; BLOCK];
        for way in (0..4).filter(|_| G::Bits::SIZE == u64::BITS) {
            let shift = G::LAYOUT.shift(main_direction::<G>() + usize::from(way));
            for steps in [1, 2] {
                ways[(steps * shift) as usize % BLOCK] = way;
            }
        }
        Self { codes, ways, pairs: std::array::from_fn(|way| std::array::from_fn(|at| pairs[at][way])) }
    }

    /// The code of a step or of a jump over one man, by its two squares.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn code(&self, ends: [u8; 2]) -> u8 {
        self.codes[index(ends)]
    }

    /// As [`code`](Self::code), of many. Of squares between which no legal ply of a man leads some other code.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn codes<I: Isa>(&self, isa: I, moves: &[[u8; 2]; BLOCK]) -> [u8; BLOCK] {
        if !I::LOOKS_UP {
            return std::array::from_fn(|ply| self.code(moves[ply]));
        }
        // Loops that a compiler makes vectors of.
        let (mut from, mut change) = ([0; BLOCK], [0; BLOCK]);
        for ((from, change), &ends) in from.iter_mut().zip(&mut change).zip(moves) {
            let ends = u16::from_le_bytes(ends);
            *from = ends as u8;
            *change = ((ends >> 8) as u8).wrapping_sub(ends as u8);
        }
        let ways = isa.look_up(&self.ways, &change);
        let mut codes = ways.map(|way| if way == NO_WAY { NONE } else { 0 });
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
    use crate::board::{Eight, EightFull, Ten, TenByEight};
    use crate::pack::MoveCodec;
    use crate::simd::{Task, run_on_all};

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
    fn codes_of_many_are_those_of_each() {
        fn check<G: Geometry>() {
            let men = MoveCodec::<G>::new().men;
            let mut known = 0;
            for from in G::VALID.squares() {
                let moves = std::array::from_fn(|to| [from, to as u8]);
                for codes in run_on_all(Codes(&men, moves)) {
                    for to in G::VALID.squares() {
                        let (own, code) = (men.code([from, to]), codes[usize::from(to)]);
                        // Around the end of a word, and the edge of a board without ghosts, a jump may seem to lead.
                        let near = from.abs_diff(to) < 32 && !G::LAYOUT.full;
                        let fits = code == own || own == NONE && !near;
                        assert!(fits, "{:?} {from}-{to}", G::BOARD);
                        known += usize::from(own != NONE);
                    }
                }
            }
            assert!(known > 0, "{:?}", G::BOARD);
        }
        check::<Eight>();
        check::<TenByEight>();
        check::<Ten>();
        check::<EightFull>();
    }
}
