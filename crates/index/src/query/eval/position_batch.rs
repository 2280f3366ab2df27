//! A batch of 64 consecutive positions of a game in column form, so that a test runs on all of them at once.
//!
//! Every result is a word with a bit per position. The loops have no branches, so that they are compiled into vector
//! instructions of whichever instruction set the processor has.

use std::ops::RangeInclusive;

use super::board_test::{BoardTest, CountTest};
use super::fact_need::MaterialBounds;
use crate::pack::{RunningPieceCounts, ScannedPly};
use pdn::internal::simd;
use pdn::internal::simd::{Isa, Task};
use pdn::value::Colour;
use pdn_rules::internal::board::{Bits, Geometry};
use pdn_rules::internal::position::State;

// Twin: naive evaluation in tests/it/query_naive; test: any_query_matches_as_the_naive_evaluation.

/// The number of positions in a batch.
pub(in crate::query) const BATCH_LEN: usize = 64;

/// Up to 64 consecutive positions of a game, and the plies played from them. Reused for many games.
#[derive(Debug)]
pub(super) struct PositionBatch<B> {
    pieces: [[B; BATCH_LEN]; 2],
    kings: [B; BATCH_LEN],
    /// The counts of pieces and of kings; see [`RunningPieceCounts::halves`].
    counts: [[u32; BATCH_LEN]; 2],
    /// The positions with Black to move, a bit each.
    black_to_move: u64,
    from: [B; BATCH_LEN],
    to: [B; BATCH_LEN],
    captured: [B; BATCH_LEN],
    /// The counts of pieces and of kings after the ply.
    counts_after: [[u32; BATCH_LEN]; 2],
    /// The ply before the first position of the batch.
    before: PreviousPly<B>,
}

/// What a ply has left: the square on which the piece stands that it moved, and the pieces of both sides.
#[derive(Clone, Copy, Debug)]
struct PreviousPly<B> {
    to: B,
    pieces: [B; 2],
}

/// Runs a test on the number of each position of a batch.
struct Each<F>(F);

impl<F: Fn(usize) -> bool> Task for Each<F> {
    type Output = u64;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, _: I) -> u64 {
        let mut word = 0;
        for at in 0..BATCH_LEN {
            word |= if (self.0)(at) { 1 << at } else { 0 };
        }
        word
    }
}

/// Adds a number of each position of a batch, times a factor, to its sum.
struct AddEach<'a, F> {
    factor: i32,
    number: F,
    sums: &'a mut [i32; BATCH_LEN],
}

impl<F: Fn(usize) -> i32> Task for AddEach<'_, F> {
    type Output = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, _: I) {
        for (at, sum) in self.sums.iter_mut().enumerate() {
            *sum += self.factor * (self.number)(at);
        }
    }
}

/// Adds a number of each position of a batch, times a factor, to its sum.
pub(super) fn add_each(factor: i32, sums: &mut [i32; BATCH_LEN], number: impl Fn(usize) -> i32) {
    simd::run(AddEach { factor, number, sums });
}

/// Returns the positions whose sum lies between `min` and `max`, both included.
pub(super) fn sums_in(sums: &[i32; BATCH_LEN], min: i32, max: i32) -> u64 {
    simd::run(Each(|at: usize| (min <= sums[at]) & (sums[at] <= max)))
}

impl<B: Bits> PositionBatch<B> {
    /// Creates an empty batch.
    pub(super) fn new() -> Self {
        let none = [B::NONE; BATCH_LEN];
        Self {
            pieces: [none; 2],
            kings: none,
            counts: [[0; BATCH_LEN]; 2],
            black_to_move: 0,
            from: none,
            to: none,
            captured: none,
            counts_after: [[0; BATCH_LEN]; 2],
            before: PreviousPly { to: B::NONE, pieces: [B::NONE; 2] },
        }
    }

    /// Removes all positions, to begin another game. Only the bits of the side to move are added up; everything else is
    /// overwritten.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn clear(&mut self) {
        self.black_to_move = 0;
        self.before.to = B::NONE;
    }

    /// Removes all positions, to go on with the same game after a full batch. `has_moves` says whether it has the
    /// plies.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn go_on(&mut self, has_moves: bool) {
        if has_moves {
            self.before = self.after(BATCH_LEN - 1);
        }
        self.black_to_move = 0;
    }

    /// Returns what the ply from a position of the batch has left.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn after(&self, at: usize) -> PreviousPly<B> {
        let (from, to, captured) = (self.from[at], self.to[at], self.captured[at]);
        let is_black = B::all_if(self.black_to_move >> at & 1 != 0);
        // A king may end where it started.
        let moved = |pieces: B| (pieces & !from) | to;
        let [white, black] = self.sides(at).map(|pieces| pieces & !captured);
        let pieces = [
            (moved(white) & !is_black) | (white & is_black),
            (moved(black) & is_black) | (black & !is_black),
        ];
        PreviousPly { to, pieces }
    }

    /// Stores the position before a ply, and the ply itself if `MOVES`. `at` is the number of the position in the game,
    /// taken modulo [`BATCH_LEN`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn set<const MOVES: bool>(&mut self, at: usize, ply: &ScannedPly<B>) {
        let at = at % BATCH_LEN;
        self.set_position(at, &ply.before(), ply.counts_before());
        if MOVES {
            self.from[at] = ply.from();
            self.to[at] = ply.to();
            self.captured[at] = ply.captured();
            [self.counts_after[0][at], self.counts_after[1][at]] = ply.counts_after().halves();
        }
    }

    /// Stores the last position of a game, from which no ply is played.
    pub(super) fn set_last(&mut self, at: usize, state: &State<B>) {
        let at = at % BATCH_LEN;
        let counts = RunningPieceCounts::of(state);
        self.set_position(at, state, counts);
        (self.from[at], self.to[at], self.captured[at]) = (B::NONE, B::NONE, B::NONE);
        [self.counts_after[0][at], self.counts_after[1][at]] = counts.halves();
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn set_position(&mut self, at: usize, state: &State<B>, counts: RunningPieceCounts) {
        [self.pieces[0][at], self.pieces[1][at]] = state.pieces;
        self.kings[at] = state.kings;
        [self.counts[0][at], self.counts[1][at]] = counts.halves();
        self.black_to_move |= (state.turn as u64) << at;
    }

    /// Returns the number of pieces of White and of Black in a position of the batch.
    pub(super) fn piece_counts(&self, at: usize) -> [u32; 2] {
        let both = self.counts[0][at % BATCH_LEN];
        [both & 0xffff, both >> 16]
    }

    /// Iterates over the number of white pieces less black pieces, in the first `len` positions.
    pub(super) fn balances(&self, len: usize) -> impl Iterator<Item = i16> {
        self.counts[0][..len.min(BATCH_LEN)]
            .iter()
            .map(|pieces| (pieces & 0xffff) as i16 - (pieces >> 16) as i16)
    }

    /// Returns the positions with this side to move.
    #[inline]
    pub(super) fn turn(&self, turn: Colour) -> u64 {
        if turn == Colour::Black { self.black_to_move } else { !self.black_to_move }
    }

    /// Returns the pieces of both sides in a position of the batch, and which of them are kings.
    pub(super) fn pieces(&self, at: usize) -> ([B; 2], B) {
        (self.sides(at % BATCH_LEN), self.kings[at % BATCH_LEN])
    }

    /// Returns the positions that have kings.
    pub(super) fn with_kings(&self) -> u64 {
        simd::run(Each(|at: usize| self.kings[at].any()))
    }

    /// Returns the positions of `among` that pass one of the tests.
    pub(super) fn passing(&self, tests: &[BoardTest<B>], among: u64) -> u64 {
        let mut found = 0;
        for test in tests {
            let open = among & !found & test.turn.map_or(u64::MAX, |turn| self.turn(turn));
            if open != 0 {
                found |= open
                    & simd::run(Each(|at: usize| !test.violations(self.sides(at), self.kings[at]).any()));
            }
        }
        found
    }

    /// Returns the positions of `among` that are in a list.
    pub(super) fn listed(&self, list: &PositionList<B>, among: u64) -> u64 {
        (0..BATCH_LEN)
            .filter(|&at| among >> at & 1 != 0 && list.contains(&self.state(at)))
            .fold(0, |found, at| found | 1 << at)
    }

    /// Returns the positions that pass a test of piece counts.
    pub(super) fn counts_in(&self, test: &CountTest) -> u64 {
        let [pieces, kings] = &self.counts;
        simd::run(Each(|at: usize| test.matches_halves([pieces[at], kings[at]])))
    }

    /// Returns the positions whose next move starts on one of these squares.
    pub(super) fn starting_on(&self, squares: B) -> u64 {
        simd::run(Each(|at: usize| (self.from[at] & squares).any()))
    }

    /// Returns the positions whose next move ends on one of these squares.
    pub(super) fn ending_on(&self, squares: B) -> u64 {
        simd::run(Each(|at: usize| (self.to[at] & squares).any()))
    }

    /// Returns the positions whose next move captures the pieces on all of these squares.
    pub(super) fn capturing(&self, squares: B) -> u64 {
        simd::run(Each(|at: usize| !(squares & !self.captured[at]).any()))
    }

    /// Returns the positions whose next move captures a number of pieces in `range`.
    pub(super) fn captures_in(&self, range: &RangeInclusive<u32>) -> u64 {
        let (min, max) = (*range.start(), *range.end());
        simd::run(Each(|at: usize| {
            // A move captures pieces of one side only, so that one half of the difference is 0.
            let captured = self.counts[0][at].wrapping_sub(self.counts_after[0][at]);
            let captured = (captured & 0xffff) | (captured >> 16);
            (min <= captured) & (captured <= max)
        }))
    }

    /// Returns the positions whose next move is known and no null move, and those among them whose next move captures.
    pub(super) fn moves_and_captures(&self) -> (u64, u64) {
        let captures = simd::run(Each(|at: usize| self.captured[at].any()));
        (simd::run(Each(|at: usize| self.from[at].any())), captures)
    }

    /// Returns the positions in which the side to move has a king.
    pub(super) fn kings_to_move(&self) -> u64 {
        let kings_of =
            |side: usize| simd::run(Each(|at: usize| (self.pieces[side][at] & self.kings[at]).any()));
        (kings_of(0) & !self.black_to_move) | (kings_of(1) & self.black_to_move)
    }

    /// Returns a position of the batch.
    pub(super) fn state(&self, at: usize) -> State<B> {
        let turn =
            if self.black_to_move >> (at % BATCH_LEN) & 1 != 0 { Colour::Black } else { Colour::White };
        let (pieces, kings) = (self.sides(at % BATCH_LEN), self.kings[at % BATCH_LEN]);
        State { pieces, kings, ..State::empty(turn) }
    }

    /// Adds the numbers of pieces on squares, times a factor, to the sums. `squares` are those for white men, white
    /// kings, black men and black kings.
    pub(super) fn add_pieces(&self, factor: i32, squares: &[B; 4], sums: &mut [i32; BATCH_LEN]) {
        let [white_men, white_kings, black_men, black_kings] = *squares;
        add_each(factor, sums, |at| {
            let ([white, black], kings) = (self.sides(at), self.kings[at]);
            let white = white & ((kings & white_kings) | (!kings & white_men));
            let black = black & ((kings & black_kings) | (!kings & black_men));
            (white | black).count() as i32
        });
    }

    /// Adds the numbers of squares with other contents, times a factor, to the sums. `pieces` are the white men,
    /// white kings, black men and black kings to compare with.
    pub(super) fn add_differences(&self, factor: i32, pieces: &[B; 4], sums: &mut [i32; BATCH_LEN]) {
        let [white_men, white_kings, black_men, black_kings] = *pieces;
        add_each(factor, sums, |at| {
            let ([white, black], kings) = (self.sides(at), self.kings[at]);
            let men = ((white & !kings) ^ white_men) | ((black & !kings) ^ black_men);
            let kings = ((white & kings) ^ white_kings) | ((black & kings) ^ black_kings);
            (men | kings).count() as i32
        });
    }

    /// Adds the numbers of captured pieces of the next moves, times a factor, to the sums.
    pub(super) fn add_takes(&self, factor: i32, sums: &mut [i32; BATCH_LEN]) {
        add_each(factor, sums, |at| self.captured[at].count() as i32);
    }

    /// Adds the numbers of steps of men of the side to move, times a factor, to the sums. `steps` are, for White and
    /// for Black, the squares from which a man can step in a direction, and the number of bits to rotate by.
    pub(super) fn add_man_steps(
        &self,
        factor: i32,
        valid: B,
        steps: [(B, u32); 2],
        sums: &mut [i32; BATCH_LEN],
    ) {
        let [(white_inner, white_by), (black_inner, black_by)] = steps;
        let black_to_move = self.black_to_move;
        add_each(factor, sums, |at| {
            let ([white, black], kings) = (self.sides(at), self.kings[at]);
            let empty = valid & !(white | black);
            let of_white = (white & !kings & white_inner).rotated(white_by) & empty;
            let of_black = (black & !kings & black_inner).rotated(black_by) & empty;
            let is_black = B::all_if(black_to_move >> at & 1 != 0);
            ((of_black & is_black) | (of_white & !is_black)).count() as i32
        });
    }

    /// Returns the positions whose next move captures the piece that the move before it has moved. A setup between the two
    /// replaces that piece.
    pub(super) fn retakes(&self) -> u64 {
        let retakes = |before: PreviousPly<B>, at: usize| {
            (self.captured[at] & before.to).any() & (self.sides(at) == before.pieces)
        };
        let later = simd::run(Each(|at: usize| at > 0 && retakes(self.after(at - 1), at)));
        later | u64::from(retakes(self.before, 0))
    }

    /// Returns the positions whose next move is made by a king.
    pub(super) fn king_moves(&self) -> u64 {
        simd::run(Each(|at: usize| (self.from[at] & self.kings[at]).any()))
    }

    /// Returns the positions whose next move promotes a man.
    pub(super) fn promotions(&self) -> u64 {
        simd::run(Each(|at: usize| {
            // A move never adds a king to the other side, so that either half may be compared.
            let (before, after) = (self.counts[1][at], self.counts_after[1][at]);
            ((after & 0xffff) > (before & 0xffff)) | ((after >> 16) > (before >> 16))
        }))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sides(&self, at: usize) -> [B; 2] {
        [self.pieces[0][at], self.pieces[1][at]]
    }
}

/// The test that a position is one of a list. Most positions are decided by one bit of a filter.
// Twin: naive evaluation in tests/it/query_naive; test: positions_of_games_are_found_as_naively.
#[derive(Debug)]
pub(in crate::query) struct PositionList<B> {
    /// The pieces of White and of Black, the kings, and whether Black is to move, in order.
    positions: Vec<([B; 2], B, bool)>,
    /// The bits of the hashes of all positions.
    filter: Box<[u64; FILTER_WORDS]>,
    bounds: MaterialBounds,
}

const FILTER_WORDS: usize = 64;

impl<B: Bits> PositionList<B> {
    /// Creates the test of a list.
    pub(super) fn new<G: Geometry<Bits = B>>(states: &[State<B>]) -> Self {
        let mut filter = Box::new([0; FILTER_WORDS]);
        let mut bounds = MaterialBounds::NEVER;
        for state in states {
            let hash = hash(state);
            filter[hash / 64] |= 1 << (hash % 64);
            bounds = bounds.or(MaterialBounds::of_board::<G>(&BoardTest::exact::<G>(state)));
        }
        let mut positions: Vec<_> = states.iter().map(entry).collect();
        positions.sort_unstable();
        Self { positions, filter, bounds }
    }

    /// Returns `true` if the position is in the list.
    pub(super) fn contains(&self, state: &State<B>) -> bool {
        let hash = hash(state);
        self.filter[hash / 64] >> (hash % 64) & 1 != 0 && self.positions.binary_search(&entry(state)).is_ok()
    }

    /// Returns bounds that every position of the list meets.
    pub(super) fn material_bounds(&self) -> MaterialBounds {
        self.bounds
    }

    /// Returns the positions of the list.
    pub(in crate::query) fn states(&self) -> impl Iterator<Item = State<B>> + '_ {
        self.positions.iter().map(|&(pieces, kings, is_black)| {
            let turn = if is_black { Colour::Black } else { Colour::White };
            State { pieces, kings, ..State::empty(turn) }
        })
    }
}

fn entry<B: Bits>(state: &State<B>) -> ([B; 2], B, bool) {
    (state.pieces, state.kings, state.turn == Colour::Black)
}

/// Returns a number below 64 times the words of the filter.
fn hash<B: Bits>(state: &State<B>) -> usize {
    let folded = |set: B| {
        let wide = set.widen();
        (wide as u64) ^ ((wide >> 64) as u64)
    };
    let mut hash = folded(state.pieces[0]).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash = (hash ^ folded(state.pieces[1]) ^ folded(state.kings).rotate_left(31))
        .wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (hash >> (64 - 12)) as usize
}
