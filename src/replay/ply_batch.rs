//! Consecutive legal plies that a sink receives in one call.

use crate::board::Bits;
use crate::movegen::batch::SpeculativeBatch;
use crate::position::{Move, State};

/// Consecutive legal plies, at most a few dozen; see [`PlySink::plies`](super::PlySink::plies).
#[derive(Clone, Copy, Debug)]
pub struct PlyBatch<'a, B> {
    batch: &'a SpeculativeBatch,
    start: &'a State<B>,
    moves: &'a [[u8; 2]],
}

impl<'a, B: Bits> PlyBatch<'a, B> {
    /// Creates a view of the proved plies of `batch`, which began in `start` with `moves` to play.
    ///
    /// Each of `moves` holds the two square numbers, from and to, as bit indices.
    pub fn new(batch: &'a SpeculativeBatch, start: &'a State<B>, moves: &'a [[u8; 2]]) -> Self {
        Self { batch, start, moves }
    }

    /// Returns the number of plies.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn len(&self) -> usize {
        self.batch.proved()
    }

    /// Returns `true` if the batch contains no ply.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Iterates over the plies in the order of play, each with the position before it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn iter(&self) -> impl Iterator<Item = (State<B>, Move<B>)> {
        self.batch.plies(self.start)
    }

    /// Returns the underlying batch, its start position, and the moves that it was given to play.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn parts(&self) -> (&'a SpeculativeBatch, &'a State<B>, &'a [[u8; 2]]) {
        (self.batch, self.start, self.moves)
    }
}
