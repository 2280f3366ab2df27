//! The tables behind the codes of a board: where the groups of first bytes begin, the codes along the straight path between two
//! squares, and those of moves by men, many at once.
//!
//! The two squares of a step, or of a jump over one man, determine its code. The first square has a pair for each main
//! direction, and the difference of the squares gives the direction. On processors with vector look-ups of bytes, a
//! whole batch is coded without a branch; on others, each ply takes one look-up.

use std::fmt;
use std::marker::PhantomData;

use pdn::internal::simd::{BLOCK, Isa};
use pdn_rules::internal::board::{Bits, BoardFamily, Geometry, PerBoard};

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

/// The codecs of all boards, each built when it is first needed.
#[derive(Debug, Default)]
pub struct Codecs(PerBoard<LazyCodecs>);

/// The family of the codecs that are built when they are needed.
#[derive(Debug)]
struct LazyCodecs;

impl BoardFamily for LazyCodecs {
    type Of<G: Geometry> = Option<MoveCodec<G>>;
}

impl Codecs {
    /// Returns the codec of the board `G`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn on<G: Geometry>(&mut self) -> &MoveCodec<G> {
        G::entry_mut(&mut self.0).get_or_insert_with(MoveCodec::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::MoveCodec;
    use pdn::internal::simd::{Task, run_on_all};
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
