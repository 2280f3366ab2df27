//! Sixty-four positions of a game side by side: what is asked of one is asked of all at once.
//!
//! Every answer is a word with a bit a position. The loops have no branches, so that they are compiled into vectors of
//! whatever instruction set the processor has.

use std::ops::RangeInclusive;

use super::mask::{BoardTest, CountTest};
use crate::board::Bits;
use crate::pack::{RunningPieceCounts, ScannedPly};
use crate::position::State;
use crate::simd::{self, Isa, Task};
use crate::value::Colour;

/// Positions of a record.
pub(super) const LEN: usize = 64;

/// Consecutive positions of a game, and the plies from them. Meant to be used again and again.
#[derive(Debug)]
pub(super) struct PositionBatch<B> {
    pieces: [[B; LEN]; 2],
    kings: [B; LEN],
    /// How many pieces and kings; see [`RunningPieceCounts::halves`].
    strengths: [[u32; LEN]; 2],
    /// Where Black is to move.
    black: u64,
    from: [B; LEN],
    to: [B; LEN],
    captured: [B; LEN],
    /// How many there are after the ply.
    left: [[u32; LEN]; 2],
}

/// A test of the position with this number.
struct Each<F>(F);

impl<F: Fn(usize) -> bool> Task for Each<F> {
    type Output = u64;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, _: I) -> u64 {
        let mut word = 0;
        for at in 0..LEN {
            word |= if (self.0)(at) { 1 << at } else { 0 };
        }
        word
    }
}

impl<B: Bits> PositionBatch<B> {
    pub(super) fn new() -> Self {
        let none = [B::NONE; LEN];
        Self {
            pieces: [none; 2],
            kings: none,
            strengths: [[0; LEN]; 2],
            black: 0,
            from: none,
            to: none,
            captured: none,
            left: [[0; LEN]; 2],
        }
    }

    /// Makes room for other positions.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn clear(&mut self) {
        self.black = 0;
    }

    /// Writes down the position before a ply, and the ply if `MOVES`. `at` counts modulo [`LEN`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn set<const MOVES: bool>(&mut self, at: usize, ply: &ScannedPly<B>) {
        let at = at % LEN;
        self.position(at, &ply.before(), ply.counts_before());
        if MOVES {
            self.from[at] = ply.from();
            self.to[at] = ply.to();
            self.captured[at] = ply.captured();
            [self.left[0][at], self.left[1][at]] = ply.counts_after().halves();
        }
    }

    /// Writes down the last position of a game, after which nothing is played.
    pub(super) fn set_last(&mut self, at: usize, state: &State<B>) {
        let at = at % LEN;
        let strength = RunningPieceCounts::of(state);
        self.position(at, state, strength);
        (self.from[at], self.to[at], self.captured[at]) = (B::NONE, B::NONE, B::NONE);
        [self.left[0][at], self.left[1][at]] = strength.halves();
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn position(&mut self, at: usize, state: &State<B>, strength: RunningPieceCounts) {
        [self.pieces[0][at], self.pieces[1][at]] = state.pieces;
        self.kings[at] = state.kings;
        [self.strengths[0][at], self.strengths[1][at]] = strength.halves();
        self.black |= (state.turn as u64) << at;
    }

    /// The pieces of each side in the position with this number.
    pub(super) fn left(&self, at: usize) -> [u32; 2] {
        let both = self.strengths[0][at % LEN];
        [both & 0xffff, both >> 16]
    }

    /// White's pieces less Black's, of the first `len` positions.
    pub(super) fn balance(&self, len: usize) -> impl Iterator<Item = i16> {
        self.strengths[0][..len.min(LEN)]
            .iter()
            .map(|pieces| (pieces & 0xffff) as i16 - (pieces >> 16) as i16)
    }

    /// Where a side is to move.
    #[inline]
    pub(super) fn turn(&self, turn: Colour) -> u64 {
        if turn == Colour::Black { self.black } else { !self.black }
    }

    /// Which of these positions fit one of some masks.
    pub(super) fn masks(&self, masks: &[BoardTest<B>], among: u64) -> u64 {
        let mut found = 0;
        for mask in masks {
            let open = among & !found & mask.turn.map_or(u64::MAX, |turn| self.turn(turn));
            if open != 0 {
                found |=
                    open & simd::run(Each(|at: usize| !mask.wrong(self.sides(at), self.kings[at]).any()));
            }
        }
        found
    }

    /// Where a count is right.
    pub(super) fn count(&self, count: &CountTest) -> u64 {
        let [pieces, kings] = &self.strengths;
        simd::run(Each(|at: usize| count.fits_halves([pieces[at], kings[at]])))
    }

    /// Where the ply starts on one of these squares.
    pub(super) fn from(&self, squares: B) -> u64 {
        simd::run(Each(|at: usize| (self.from[at] & squares).any()))
    }

    /// Where it ends on one of these.
    pub(super) fn to(&self, squares: B) -> u64 {
        simd::run(Each(|at: usize| (self.to[at] & squares).any()))
    }

    /// Where it takes pieces from all of these.
    pub(super) fn over(&self, squares: B) -> u64 {
        simd::run(Each(|at: usize| !(squares & !self.captured[at]).any()))
    }

    /// Where it takes so many pieces.
    pub(super) fn takes(&self, range: &RangeInclusive<u32>) -> u64 {
        let (least, most) = (*range.start(), *range.end());
        simd::run(Each(|at: usize| {
            // Only one side loses any.
            let taken = self.strengths[0][at].wrapping_sub(self.left[0][at]);
            let taken = (taken & 0xffff) | (taken >> 16);
            (least <= taken) & (taken <= most)
        }))
    }

    /// Where a king makes it.
    pub(super) fn by_king(&self) -> u64 {
        simd::run(Each(|at: usize| (self.from[at] & self.kings[at]).any()))
    }

    /// Where a man becomes a king.
    pub(super) fn promotes(&self) -> u64 {
        simd::run(Each(|at: usize| {
            // No ply makes kings of the other side.
            let (had, left) = (self.strengths[1][at], self.left[1][at]);
            ((left & 0xffff) > (had & 0xffff)) | ((left >> 16) > (had >> 16))
        }))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sides(&self, at: usize) -> [B; 2] {
        [self.pieces[0][at], self.pieces[1][at]]
    }
}
