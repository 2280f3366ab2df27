//! Finds the hashes that occur more than once, in a few bits for each game.

use std::sync::atomic::{AtomicU64, Ordering};

/// Slots for each game; the more there are, the fewer games share one by chance.
const SLOTS_PER_GAME: u64 = 16;
/// Slots of a word: two bits each.
const SLOTS_PER_WORD: u64 = 32;

/// Which hashes were added once, and which more than once. Hashes that share a slot are one: a hash may be called repeated although
/// it is not, but never the reverse.
///
/// The order in which hashes are added makes no difference, so that several threads may add them.
// Twin: all pairs; test: fast_way_equals_all_pairs.
#[derive(Debug)]
pub(super) struct UnitFilter {
    /// The low bit of a slot is set by the first hash, the high one by the second.
    words: Vec<AtomicU64>,
}

impl UnitFilter {
    /// Creates a filter for this number of games that takes `memory` bytes at most.
    pub(super) fn new(games: u64, memory: usize) -> Self {
        let words = (games.saturating_mul(SLOTS_PER_GAME) / SLOTS_PER_WORD).min(memory as u64 / 8);
        Self { words: (0..words.max(1)).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Returns the word of a hash and the low bit of its slot there.
    fn slot(&self, hash: u64) -> (&AtomicU64, u64) {
        let slots = self.words.len() as u128 * u128::from(SLOTS_PER_WORD);
        let slot = ((u128::from(hash) * slots) >> 64) as u64;
        (&self.words[(slot / SLOTS_PER_WORD) as usize], 1 << (2 * (slot % SLOTS_PER_WORD)))
    }

    /// Adds a hash.
    pub(super) fn add(&self, hash: u64) {
        let (word, once) = self.slot(hash);
        if word.fetch_or(once, Ordering::Relaxed) & once != 0 {
            word.fetch_or(once << 1, Ordering::Relaxed);
        }
    }

    /// Adds a hash if it was added before. Returns `true` if it was.
    pub(super) fn add_known(&self, hash: u64) -> bool {
        let (word, once) = self.slot(hash);
        let is_known = word.load(Ordering::Relaxed) & once != 0;
        if is_known {
            word.fetch_or(once << 1, Ordering::Relaxed);
        }
        is_known
    }

    /// Returns `true` if a hash was added more than once, and rarely if it was not.
    pub(super) fn is_repeated(&self, hash: u64) -> bool {
        let (word, once) = self.slot(hash);
        word.load(Ordering::Relaxed) & (once << 1) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filter_finds_all_repeated_hashes_and_few_others() {
        let mut rng = fastrand::Rng::with_seed(3);
        let hashes: Vec<u64> = (0..10_000).map(|_| rng.u64(..)).collect();
        for memory in [usize::MAX, 4096, 1] {
            let filter = UnitFilter::new(hashes.len() as u64, memory);
            hashes.iter().for_each(|&hash| filter.add(hash));
            let (again, once) = hashes.split_at(1000);
            again[..500].iter().for_each(|&hash| filter.add(hash));
            assert!(again[500..].iter().all(|&hash| filter.add_known(hash)));
            assert!(again.iter().all(|&hash| filter.is_repeated(hash)));
            let mistaken = once.iter().filter(|&&hash| filter.is_repeated(hash)).count();
            assert!(memory < usize::MAX || mistaken < once.len() / 8, "{mistaken}");
            let other = (0..1000).filter(|_| filter.add_known(rng.u64(..))).count();
            assert!(memory < usize::MAX || other < 150, "{other}");
        }
    }
}
