//! The tables behind the codes of a board.

use std::fmt;
use std::marker::PhantomData;

use crate::board::{Bits, Geometry};

/// A form of several bytes.
pub(super) const CHAIN: u8 = 253;
pub(super) const LINE: u8 = 254;
pub(super) const OTHER: u8 = 255;

/// What follows [`OTHER`].
pub(super) const NULL: u8 = 0;
pub(super) const SETUP: u8 = 1;
pub(super) const EXPLICIT: u8 = 2;

/// No code: below [`CHAIN`] and on no board in use.
const NONE: u8 = OTHER;

/// Packs and unpacks the games of one board. Made in about a microsecond; meant to be kept for many games.
pub struct Codec<G: Geometry> {
    /// What a pair means, and for other codes nothing.
    pub(super) steps: Box<[Step<G::Bits>; 256]>,
    /// The pair of a square and a main direction.
    pub(super) pairs: [[u8; 4]; 128],
    /// The main direction of a step or jump, by the difference of the bits plus 128.
    pub(super) ways: [u8; 256],
    pub(super) groups: Groups,
    board: PhantomData<fn() -> G>,
}

/// A square, its neighbour in some direction, and the one behind that; the square itself if there is none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<B> {
    pub(super) from: B,
    pub(super) next: B,
    pub(super) behind: B,
}

/// Where the groups of codes begin; `None` where they do not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Groups {
    pub(super) pairs: u8,
    pub(super) chain2: u8,
    pub(super) slide: Option<u8>,
    /// The longest way along a main direction.
    pub(super) longest: u8,
    pub(super) side: Option<u8>,
    pub(super) chain3: Option<u8>,
}

/// The number of the first main direction; the others follow.
pub(super) const fn main_direction<G: Geometry>() -> usize {
    if G::LAYOUT.full { 4 } else { 0 }
}

impl<G: Geometry> Default for Codec<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Geometry> fmt::Debug for Codec<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Codec")
            .field("board", &G::BOARD)
            .field("groups", &self.groups)
            .finish_non_exhaustive()
    }
}

impl<G: Geometry> Codec<G> {
    /// The tables of this board.
    pub fn new() -> Self {
        let empty = Step { from: G::Bits::NONE, next: G::Bits::NONE, behind: G::Bits::NONE };
        let mut steps = Box::new([empty; 256]);
        let mut pairs = [[NONE; 4]; 128];
        let mut code = 0;
        for at in G::VALID.squares() {
            let from = G::Bits::one(at);
            for (way, pair) in pairs[usize::from(at) & 127].iter_mut().enumerate() {
                let direction = main_direction::<G>() + way;
                let next = G::step(from, direction) & G::VALID;
                if !next.any() {
                    continue;
                }
                let behind = G::step(next, direction) & G::VALID;
                steps[usize::from(code)] =
                    Step { from, next, behind: if behind.any() { behind } else { from } };
                *pair = code;
                code += 1;
            }
        }
        let mut ways = [0; 256];
        for way in 0..4 {
            let shift = G::LAYOUT.shift(main_direction::<G>() + usize::from(way));
            ways[(128 + shift) as usize & 255] = way;
            ways[(128 + 2 * shift) as usize & 255] = way;
        }
        Self { steps, pairs, ways, groups: Groups::new::<G>(code), board: PhantomData }
    }
}

impl Groups {
    fn new<G: Geometry>(pairs: u8) -> Self {
        let longest = G::LAYOUT.width.min(G::LAYOUT.height) - 1;
        let chain2 = pairs;
        let mut next = u16::from(chain2) + 4;
        let mut group = |wanted: bool, size: u8| {
            let fits = wanted && next + u16::from(size) <= u16::from(CHAIN);
            let start = fits.then_some(next as u8);
            next += if fits { u16::from(size) } else { 0 };
            start
        };
        let slide = group(true, 4 * (longest - 1));
        let side = group(!G::LAYOUT.full, 4);
        let chain3 = group(true, 16);
        Self { pairs, chain2, slide, longest, side, chain3 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Eight, EightFull, Ten, TenByEight, Twelve};

    /// The table in the documentation of the module.
    #[test]
    fn codes_stay_where_the_format_puts_them() {
        fn check<G: Geometry>(pairs: u8, slide: Option<u8>, side: Option<u8>, chain3: Option<u8>) {
            let groups = Codec::<G>::new().groups;
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
