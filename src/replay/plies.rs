//! Plies that follow each other, handed over at once.

use crate::board::Bits;
use crate::movegen::SpeculativeBatch;
use crate::position::{Move, State};

/// Legal plies that follow each other, at most a few dozen; see [`Sink::plies`](super::PlySink::plies).
#[derive(Clone, Copy, Debug)]
pub struct PlyBatch<'a, B> {
    series: &'a SpeculativeBatch,
    start: &'a State<B>,
    moves: &'a [[u8; 2]],
}

impl<'a, B: Bits> PlyBatch<'a, B> {
    /// The proved plies of a series that began in `start` and was to play `moves`.
    pub(crate) fn new(series: &'a SpeculativeBatch, start: &'a State<B>, moves: &'a [[u8; 2]]) -> Self {
        Self { series, start, moves }
    }

    /// How many there are.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn len(&self) -> usize {
        self.series.len()
    }

    /// Whether there is none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The plies in the order of play, each with the position before it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn iter(&self) -> impl Iterator<Item = (State<B>, Move<B>)> {
        self.series.plies(self.start)
    }

    /// The series, where it began, and the moves that it was to play.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn parts(&self) -> (&'a SpeculativeBatch, &'a State<B>, &'a [[u8; 2]]) {
        (self.series, self.start, self.moves)
    }
}
