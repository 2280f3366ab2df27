//! Plays a batch of plies as they are written and proves them legal afterwards, all at once.
//!
//! What a step or a single jump changes follows from its two squares, whether or not it is legal. So all moves of a
//! batch are first read by their squares. Then they are played on trust, which is an exclusive or for each side.
//! Then their plies are proved by the functions of `fast_legality`. Reading and proving
//! have no branches, so the compiler makes vectors of them, with eight plies in one if the processor has such
//! vectors. Moves that are neither steps nor jumps are searched while playing, and flying kings look at the board.
//!
//! Up to the first ply that is not proved, the plies are those that [`advance`](super::advance) plays.
//!
//! Only pdn uses this module; it may change at any time.
// Twin: `advance`, one by one; test: `batches_equal_single_moves`.

mod lanes;

use core::ops::Range;

pub use self::lanes::PLIES_PER_SIDE;
use self::lanes::SideLanes;
use super::side::{Axes, Black, White};
use crate::board::{Bits, Geometry, Square};
use crate::position::{Move, State};
use crate::rules::{BitsOf, Ruleset};
use crate::value::Colour;

/// The largest number of plies in a batch.
pub const BATCH_PLIES: usize = 2 * PLIES_PER_SIDE;
/// The panic message for slicing `moves`, which holds one round more than a side has plies.
const ENOUGH_ROUNDS: &str = "there is one more round than a side has plies";

/// A batch of plies; reused for batch after batch.
#[derive(Debug)]
pub struct SpeculativeBatch {
    /// The moves by rounds, one of each side, each as its first and last square. One more round has arbitrary
    /// values.
    moves: [[u8; 4]; PLIES_PER_SIDE + 1],
    /// The plies of White and of Black. White's first ply is left out if Black begins.
    lanes: [SideLanes; 2],
    /// The place of the first ply, and the place after the last proved ply. White's places are even, Black's odd.
    first: usize,
    end: usize,
    /// `true` if the batch ended because it was full or with the first king.
    full: bool,
    /// White's pieces, Black's pieces and the kings after the last proved ply.
    last: [u64; 3],
}

/// The squares of a ply, without its position.
#[derive(Clone, Copy, Debug)]
pub struct PlySquares {
    /// The bit of its first square.
    pub from: u8,
    /// The bit of its last square.
    pub to: u8,
    /// `true` if the ply captures. Unless the ply was searched, the only captured piece is a man on the square
    /// halfway.
    pub captures: bool,
}

impl Default for SpeculativeBatch {
    fn default() -> Self {
        let lanes = [SideLanes::default(), SideLanes::default()];
        Self { moves: [[0; 4]; PLIES_PER_SIDE + 1], lanes, first: 0, end: 0, full: false, last: [0; 3] }
    }
}

impl SpeculativeBatch {
    /// Returns `true` if games under these rules can be played in batches: boards of one word, steps that never
    /// wrap, and no king counters.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn supports<R: Ruleset>(rules: R) -> bool {
        let movement = rules.movement();
        let Axes { man_steps, man_captures, .. } = Axes::of::<R, White>(rules);
        let used = |d: usize| {
            [man_steps, man_captures, movement.king_moves, movement.king_captures]
                .iter()
                .any(|set| set.has_number(d) || set.turned().has_number(d))
        };
        let wraps = (0..8).any(|d| used(d) && R::Geometry::WRAPS[d].any());
        R::FIXED && BitsOf::<R>::SIZE == u64::BITS && !wraps && movement.king_streak == 0
    }

    /// Returns the moves to be played by rounds, one of each side, for the caller to fill in. Each is the bits of its first and
    /// last square; a value above 127 ends the batch. If [Black begins](Self::begins_with_black), the first one is skipped.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn rounds_mut(&mut self) -> &mut [[u8; 4]; PLIES_PER_SIDE] {
        self.moves.first_chunk_mut().expect(ENOUGH_ROUNDS)
    }

    /// Plays the first `count` moves of the [rounds](Self::rounds_mut) from `state` on while they are legal and there is room. A
    /// move at which the batch ends may still be legal. The rules must be [supported](Self::supports).
    ///
    /// The caller compiles this function for the instruction set that it wants.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn play<R: Ruleset>(&mut self, rules: R, state: &State<BitsOf<R>>, count: usize) {
        let play = Play { rules, batch: self, state, count };
        if state.kings.any() { play.play::<true>() } else { play.play::<false>() }
    }

    /// Returns `true` if Black begins, so that White's first place stays empty.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn begins_with_black<B>(state: &State<B>) -> bool {
        matches!(state.turn, Colour::Black)
    }

    /// Returns the moves that were to be played. Values after the last move are arbitrary.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn moves(&self) -> &[[u8; 2]; BATCH_PLIES] {
        let moves: &[[u8; 2]] = self.moves.as_flattened().as_chunks().0;
        moves[self.first..].first_chunk().expect(ENOUGH_ROUNDS)
    }

    /// Returns the number of proved plies.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn proved(&self) -> usize {
        self.end - self.first
    }

    /// Returns `true` if all plies are proved and the batch ended because it was full or with the first king.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Iterates over the proved plies and the positions before them. `start` is the position before the batch.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn plies<B: Bits>(&self, start: &State<B>) -> impl Iterator<Item = (State<B>, Move<B>)> {
        self.places().map(|place| self.at(start, place))
    }

    /// Returns the places of the proved plies. White's are even, Black's odd.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn places(&self) -> Range<usize> {
        self.first..self.end
    }

    /// Returns the places of proved plies that were searched, one bit per place. They are neither steps nor slides
    /// nor jumps over a neighbour.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn searched(&self) -> u64 {
        let [white, black] = &self.lanes;
        let all = places(white.searched, black.searched);
        all & u64::MAX.checked_shl(self.first as u32).unwrap_or(0)
            & !u64::MAX.checked_shl(self.end as u32).unwrap_or(0)
    }

    /// Returns the proved plies, one bit for each round: White's in the low half, Black's in the high half.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn proved_by_side(&self) -> u64 {
        let below = |rounds: usize| !(u64::MAX << rounds) & u64::from(u32::MAX);
        (below(self.end.div_ceil(2)) & !(self.first as u64)) | below(self.end / 2) << 32
    }

    /// Returns the plies that promote, one bit for each round: White's in the low half, Black's in the high half. Only those of
    /// proved plies count.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn promotions_by_side(&self) -> u64 {
        u64::from(self.lanes[0].promotions) | u64::from(self.lanes[1].promotions) << 32
    }

    /// Returns the places of plies given by sides: White's in the low half, Black's in the high half. One bit for each place.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn places_of(by_side: u64) -> u64 {
        places(by_side as u32, (by_side >> 32) as u32)
    }

    /// Returns the squares that each ply of a side captures. Those of plies that are not proved are arbitrary.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn captured(&self, side: Colour) -> &[u64; PLIES_PER_SIDE] {
        &self.lanes[side as usize].captured
    }

    /// Returns White's and Black's pieces before each ply of a side. Those of plies that are not proved are arbitrary.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn pieces_before(&self, side: Colour) -> [&[u64; PLIES_PER_SIDE]; 2] {
        let SideLanes { own, opp, .. } = &self.lanes[side as usize];
        match side {
            Colour::White => [own, opp],
            Colour::Black => [opp, own],
        }
    }

    /// Returns the square of the king that makes each ply of a side, 0 if a man makes it. Those of plies that are not
    /// proved are arbitrary.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn moved_kings(&self, side: Colour) -> [u64; PLIES_PER_SIDE] {
        let rounds: &[[u8; 4]; PLIES_PER_SIDE] = self.moves.first_chunk().expect(ENOUGH_ROUNDS);
        let mut kings = self.lanes[side as usize].kings;
        for (kings, round) in kings.iter_mut().zip(rounds) {
            let from = u32::from_le_bytes(*round) >> (16 * side as u32) & 63;
            *kings &= 1 << from;
        }
        kings
    }

    /// Returns the squares of the ply at a place.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn ends(&self, place: usize) -> PlySquares {
        let (side, at) = (&self.lanes[place % 2], place / 2 % PLIES_PER_SIDE);
        let [from, to] = squares(&self.moves, place);
        PlySquares { from, to, captures: side.captured[at] != 0 }
    }

    /// Returns the ply at a place and the position before it. `start` is the position before the batch.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn at<B: Bits>(&self, start: &State<B>, place: usize) -> (State<B>, Move<B>) {
        (self.before(start, place), self.ply(place))
    }

    /// Returns the last proved ply.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn last_ply<B: Bits>(&self) -> Option<Move<B>> {
        (self.end > self.first).then(|| self.ply(self.end - 1))
    }

    /// Returns the position after the last proved ply.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn after<B: Bits>(&self, start: &State<B>) -> State<B> {
        let [white, black, kings] = self.last.map(|set| B::narrow(set.into()));
        State { pieces: [white, black], kings, turn: turn(self.end), ..*start }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn before<B: Bits>(&self, start: &State<B>, place: usize) -> State<B> {
        let (side, at) = (&self.lanes[place % 2], place / 2 % PLIES_PER_SIDE);
        let [own, opp, kings] = [side.own[at], side.opp[at], side.kings[at]].map(|set| B::narrow(set.into()));
        let turn = turn(place);
        let pieces = if turn == Colour::White { [own, opp] } else { [opp, own] };
        State { pieces, kings, turn, ..*start }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ply<B: Bits>(&self, place: usize) -> Move<B> {
        let (side, at) = (&self.lanes[place % 2], place / 2 % PLIES_PER_SIDE);
        let [from, to] = squares(&self.moves, place).map(Square);
        Move {
            captured: B::narrow(side.captured[at].into()),
            from,
            to,
            promotes: side.promotions >> at & 1 != 0,
        }
    }
}

/// Returns the places of plies of White and of Black, which are one bit for each round.
#[cfg_attr(not(debug_assertions), inline(always))]
fn places(white: u32, black: u32) -> u64 {
    every_other(white) | every_other(black) << 1
}

/// Spreads the bits to the even places, with a zero after each.
#[cfg_attr(not(debug_assertions), inline(always))]
fn every_other(bits: u32) -> u64 {
    let mut bits = u64::from(bits);
    bits = (bits | bits << 16) & 0x0000_ffff_0000_ffff;
    bits = (bits | bits << 8) & 0x00ff_00ff_00ff_00ff;
    bits = (bits | bits << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    bits = (bits | bits << 2) & 0x3333_3333_3333_3333;
    (bits | bits << 1) & 0x5555_5555_5555_5555
}

/// Returns the squares of the move at a place.
#[cfg_attr(not(debug_assertions), inline(always))]
fn squares(moves: &[[u8; 4]; PLIES_PER_SIDE + 1], place: usize) -> [u8; 2] {
    let [a, b, c, d] = moves[place / 2 % PLIES_PER_SIDE];
    match turn(place) {
        Colour::White => [a, b],
        Colour::Black => [c, d],
    }
}

/// Returns the side that makes the ply at a place.
#[cfg_attr(not(debug_assertions), inline(always))]
fn turn(place: usize) -> Colour {
    Colour::ALL[place % 2]
}

/// A batch being played.
struct Play<'s, R: Ruleset> {
    rules: R,
    batch: &'s mut SpeculativeBatch,
    state: &'s State<BitsOf<R>>,
    count: usize,
}

impl<R: Ruleset> Play<'_, R> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn play<const KINGS: bool>(self) {
        let Self { rules, batch, state, count, .. } = self;
        let first = usize::from(SpeculativeBatch::begins_with_black(state));
        let mut end = count + first;
        let rounds: &[[u8; 4]; PLIES_PER_SIDE] = batch.moves.first_chunk().expect(ENOUGH_ROUNDS);
        let rounds = rounds.map(u32::from_le_bytes);
        let SpeculativeBatch { lanes: [white_lanes, black_lanes], moves, .. } = &mut *batch;
        let white_reading = white_lanes.read_squares::<R, White, KINGS>(rules, &rounds, end.div_ceil(2));
        let black_reading = black_lanes.read_squares::<R, Black, KINGS>(rules, &rounds, end / 2);
        white_lanes.searched |= first as u32;
        // The places of moves that are neither steps nor jumps.
        let unexplained = places(white_reading.unexplained, black_reading.unexplained);
        // On a board without kings, the first promotion ends the batch.
        let promotions = places(white_reading.promotions, black_reading.promotions);
        let promotions = if KINGS { 0 } else { promotions & u64::MAX << first };
        end = end.min(promotions.trailing_zeros() as usize + 1);
        let flying = KINGS && rules.movement().flying;
        let [mut white, mut black] = state.pieces;
        let mut kings = state.kings;
        let mut place = first;
        let full = loop {
            let regular_end = if flying {
                end
            } else {
                end.min((unexplained & u64::MAX << (place & 63)).trailing_zeros() as usize)
            };
            // The side that begins makes a difference in the first round only.
            while place < regular_end {
                if turn(place) == Colour::White {
                    let unexplained = unexplained >> (place & 63) & 1 != 0;
                    let (at, pieces) = (place / 2, (&mut white, &mut black, &mut kings));
                    let squares = squares(moves, place);
                    if !white_lanes.play_on_trust::<R, White, KINGS>(rules, at, squares, unexplained, pieces)
                    {
                        break;
                    }
                    place += 1;
                    if place >= regular_end {
                        break;
                    }
                }
                let unexplained = unexplained >> (place & 63) & 1 != 0;
                let (at, pieces) = (place / 2, (&mut black, &mut white, &mut kings));
                let squares = squares(moves, place);
                if !black_lanes.play_on_trust::<R, Black, KINGS>(rules, at, squares, unexplained, pieces) {
                    break;
                }
                place += 1;
            }
            if place >= end {
                if place > first && promotions >> ((place - 1) & 63) & 1 != 0 {
                    kings |= Bits::one(squares(moves, place - 1)[1]);
                }
                break true;
            }
            let squares = squares(moves, place);
            let found = if turn(place) == Colour::White {
                white_lanes.play_by_search::<R, White>(
                    rules,
                    place / 2,
                    squares,
                    &mut white,
                    &mut black,
                    &mut kings,
                )
            } else {
                black_lanes.play_by_search::<R, Black>(
                    rules,
                    place / 2,
                    squares,
                    &mut black,
                    &mut white,
                    &mut kings,
                )
            };
            if !found {
                break false;
            }
            place += 1;
            if !KINGS && kings.any() {
                break true;
            }
        };
        let white_unproved = white_lanes.unproved::<R, White, KINGS>(rules, &rounds, place.div_ceil(2));
        let black_unproved = black_lanes.unproved::<R, Black, KINGS>(rules, &rounds, place / 2);
        let proved =
            (2 * white_unproved.trailing_zeros()).min(2 * black_unproved.trailing_zeros() + 1) as usize;
        (batch.first, batch.end) = (first, proved.min(place));
        batch.full = full && proved >= place;
        batch.last = [white, black, kings].map(|set| set.widen() as u64);
        if proved < place {
            let State { pieces: [white, black], kings, .. } = batch.before(state, proved);
            batch.last = [white, black, kings].map(|set: BitsOf<R>| set.widen() as u64);
        }
    }
}
