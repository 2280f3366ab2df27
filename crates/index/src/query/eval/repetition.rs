//! Counts how often each position of a game has stood in it.

// Twin: comparing each position with all before it, in tests/it/query_naive; test: any_query_matches_as_the_naive_evaluation.

use std::ops::RangeInclusive;

use foldhash::HashMap;

use super::position_batch::{BATCH_LEN, PositionBatch};
use super::position_set::PositionSet;
use pdn::board::Bits;
use pdn::value::Colour;

/// How often each position of a game has stood up to there. Reused for many games.
///
/// While a continuous game has had no king, and men only step forward, no position can come back. Only later positions are
/// therefore looked up, each once in a hash table.
#[derive(Debug)]
pub(super) struct Repetitions<B> {
    /// For each position of the game, the number of times that it has stood, this time included.
    times: Vec<u32>,
    /// How often each position has stood so far.
    seen: HashMap<PositionKey<B>, u32>,
    /// Whether positions without kings that were not looked up cannot come back.
    waits_for_king: bool,
}

/// A whole position without king counters: the pieces of both sides, the kings, and whether Black is to move.
type PositionKey<B> = ([B; 2], B, bool);

impl<B: Bits> Repetitions<B> {
    /// Creates the counts of a game without positions.
    pub(super) fn new() -> Self {
        Self { times: Vec::new(), seen: HashMap::default(), waits_for_king: false }
    }

    /// Removes all positions, to begin another game. `waits_for_king` says that no position of the game comes back as long as
    /// there was no king.
    pub(super) fn clear(&mut self, waits_for_king: bool) {
        self.times.clear();
        self.seen.clear();
        self.waits_for_king = waits_for_king;
    }

    /// Appends the first `count` positions of a batch.
    pub(super) fn push(&mut self, batch: &PositionBatch<B>, count: usize) {
        let mut first = 0;
        if self.waits_for_king {
            let kings = batch.with_kings() & (u64::MAX >> (BATCH_LEN - count));
            first = (kings.trailing_zeros() as usize).min(count);
            self.times.resize(self.times.len() + first, 1);
            self.waits_for_king = kings == 0;
        }
        let black_to_move = batch.turn(Colour::Black);
        for at in first..count {
            let (pieces, kings) = batch.pieces(at);
            let times = self.seen.entry((pieces, kings, black_to_move >> at & 1 != 0)).or_insert(0);
            *times += 1;
            self.times.push(*times);
        }
    }

    /// Appends to an empty set the positions that have stood such a number of times.
    pub(super) fn add_to(&self, set: &mut PositionSet, range: &RangeInclusive<u32>) {
        for times in self.times.chunks(BATCH_LEN) {
            let bits = times.iter().enumerate().map(|(at, times)| u64::from(range.contains(times)) << at);
            set.push(bits.fold(0, |word, bit| word | bit));
        }
    }
}
