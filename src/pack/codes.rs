//! The tables behind the codes of a board.

use std::fmt;
use std::marker::PhantomData;

use super::man_codes::ManCodeTable;
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
pub(super) const NONE: u8 = OTHER;

/// Packs and unpacks the games of one board. Made in a few microseconds; meant to be kept for many games.
pub struct MoveCodec<G: Geometry> {
    /// What a pair means, and for other codes nothing.
    pub(super) steps: Box<[Step<G::Bits>; 256]>,
    /// The pair of a square and a main direction.
    pub(super) pairs: [[u8; 4]; 128],
    /// How to go from a square to another.
    pub(super) roads: Box<[[StraightPath; 128]; 128]>,
    /// The first byte of a quiet move, and of a jump over the one man halfway, by the two squares; [`NONE`] where it takes
    /// more than two bytes. Only for boards of one word.
    pub(super) near: Box<[[[u8; 64]; 64]; 2]>,
    pub(super) men: ManCodeTable,
    pub(super) groups: Groups,
    /// What the codes of two bytes mean.
    pub(super) legs: [TwoByteOp; 256],
    /// By direction, what it takes to go a step.
    pub(super) turns: [DirectionStep<G::Bits>; 8],
    board: PhantomData<fn() -> G>,
}

/// A straight way from a square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StraightPath {
    /// The first byte of a quiet move; [`NONE`] where it takes three.
    pub(super) quiet: u8,
    /// The pair of a jump over one neighbour in a main direction; [`NONE`] for all other ways.
    pub(super) jump: u8,
    /// The direction, and eight times how many squares it goes; 0 where there is no straight way.
    line: u8,
}

impl StraightPath {
    const NOWHERE: Self = Self { quiet: NONE, jump: NONE, line: 0 };

    /// The direction and how many squares it goes.
    pub(super) fn line(self) -> Option<(usize, u8)> {
        (self.line != 0).then_some((usize::from(self.line & 7), self.line >> 3))
    }
}

/// A form of two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TwoByteOp {
    /// None of these.
    Other,
    /// A pair follows, and after that jump come so many others in these directions.
    Jumps(u8, [u8; 2]),
    /// A square follows, from which a piece goes so many squares in a direction.
    Slide(u8, u8),
    /// A square follows, from which a piece jumps in a direction.
    Side(u8),
}

/// One step in a direction that is known at run time: a mask and a rotation.
#[derive(Clone, Copy, Debug)]
pub(super) struct DirectionStep<B> {
    /// The squares that have a neighbour there.
    inner: B,
    pub(super) by: u32,
}

impl<B: Bits> DirectionStep<B> {
    /// As [`Geometry::step`], but without ghosts.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn step(&self, set: B) -> B {
        (set & self.inner).rotated(self.by)
    }
}

/// A square, its neighbour in some direction, and what a move that way changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<B> {
    pub(super) from: B,
    pub(super) next: B,
    /// The squares that a step changes: this one and the neighbour.
    pub(super) quiet: B,
    /// The difference to what a jump changes: this square and the one behind the neighbour, or nothing if there is
    /// no such.
    pub(super) other: B,
}

impl<B: Bits> Step<B> {
    /// The square behind the neighbour; the square itself if there is none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn behind(&self) -> B {
        self.quiet ^ self.other ^ self.from
    }
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

impl<G: Geometry> Default for MoveCodec<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Geometry> fmt::Debug for MoveCodec<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Codec")
            .field("board", &G::BOARD)
            .field("groups", &self.groups)
            .finish_non_exhaustive()
    }
}

impl<G: Geometry> MoveCodec<G> {
    /// The tables of this board.
    pub fn new() -> Self {
        let empty =
            Step { from: G::Bits::NONE, next: G::Bits::NONE, quiet: G::Bits::NONE, other: G::Bits::NONE };
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
                let jump = if behind.any() { from | behind } else { G::Bits::NONE };
                steps[usize::from(code)] =
                    Step { from, next, quiet: from | next, other: (from | next) ^ jump };
                *pair = code;
                code += 1;
            }
        }
        let groups = Groups::new::<G>(code);
        let turns = std::array::from_fn(|direction| DirectionStep {
            inner: G::step(G::VALID, direction ^ 1) & G::VALID,
            by: G::LAYOUT.shift(direction).rem_euclid(G::Bits::SIZE as i32) as u32,
        });
        let roads = roads::<G>(&pairs, &groups);
        Self {
            steps,
            near: near(&roads),
            men: ManCodeTable::new::<G>(&pairs, &roads),
            roads,
            pairs,
            legs: groups.legs(main_direction::<G>() as u8),
            turns,
            groups,
            board: PhantomData,
        }
    }
}

/// The straight ways between all squares.
fn roads<G: Geometry>(pairs: &[[u8; 4]; 128], groups: &Groups) -> Box<[[StraightPath; 128]; 128]> {
    let mut roads = Box::new([[StraightPath::NOWHERE; 128]; 128]);
    for at in G::VALID.squares() {
        for direction in 0..8usize {
            let way = direction.wrapping_sub(main_direction::<G>());
            let pair = pairs[usize::from(at) & 127].get(way).copied().unwrap_or(NONE);
            let mut to = G::Bits::one(at);
            for distance in 1u8.. {
                to = G::step(to, direction) & G::VALID;
                if !to.any() {
                    break;
                }
                let quiet = match distance {
                    1 => pair,
                    _ if way < 4 => groups.slide(way as u8, distance).unwrap_or(NONE),
                    _ => NONE,
                };
                let jump = if distance == 2 { pair } else { NONE };
                roads[usize::from(at) & 127][usize::from(to.lowest()) & 127] =
                    StraightPath { quiet, jump, line: direction as u8 | distance << 3 };
            }
        }
    }
    roads
}

/// The codes of the ways between the first 64 squares.
fn near(roads: &[[StraightPath; 128]; 128]) -> Box<[[[u8; 64]; 64]; 2]> {
    let mut near = Box::new([[[NONE; 64]; 64]; 2]);
    for (from, ways) in roads.iter().take(64).enumerate() {
        for (to, road) in ways.iter().take(64).enumerate() {
            (near[0][from][to], near[1][from][to]) = (road.quiet, road.jump);
        }
    }
    near
}

impl<G: Geometry> MoveCodec<G> {
    /// The squares of a step in a main direction, from and to; `None` for a code that is none.
    pub(crate) fn step_of(&self, code: u8) -> Option<(G::Bits, G::Bits)> {
        let step = self.steps[usize::from(code)];
        (code < self.groups.pairs).then_some((step.from, step.next))
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

impl Groups {
    /// The code of a way of two squares or more in a main direction.
    pub(super) fn slide(&self, way: u8, distance: u8) -> Option<u8> {
        self.slide.map(|slide| slide + (distance - 2) + way * (self.longest - 1))
    }

    /// What the codes of two bytes mean; `main` is the first main direction.
    fn legs(&self, main: u8) -> [TwoByteOp; 256] {
        std::array::from_fn(|code| {
            let within = |group: Option<u8>, size: u8| {
                group.and_then(|start| (code as u8).checked_sub(start)).filter(|&i| i < size)
            };
            let far = self.longest - 1;
            if let Some(d) = within(Some(self.chain2), 4) {
                TwoByteOp::Jumps(1, [main + d, 0])
            } else if let Some(i) = within(self.slide, 4 * far) {
                TwoByteOp::Slide(main + i / far, i % far + 2)
            } else if let Some(d) = within(self.side, 4) {
                TwoByteOp::Side(4 + d)
            } else if let Some(i) = within(self.chain3, 16) {
                TwoByteOp::Jumps(2, [main + i / 4, main + i % 4])
            } else {
                TwoByteOp::Other
            }
        })
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
