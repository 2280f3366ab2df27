//! Approximate sets of positions, in tables of bits: a position that was added is always found, and one that was not is sometimes found,
//! because it has the same bits as another.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// The greatest number of entries of a table: 256 MiB.
const MAX_ENTRIES: u64 = 1 << 30;

/// Entries for each position, so that few positions share one by chance.
const ENTRIES_PER_POSITION: u64 = 4;

/// Entries of two bits in a word.
const PER_WORD: u64 = 32;

/// Two bits for each key, by the lower bits of the key.
struct PairsOfBits {
    words: Vec<AtomicU64>,
    mask: u64,
}

impl PairsOfBits {
    /// Creates an empty table for this number of positions.
    fn with_room_for(positions: u64) -> Self {
        let entries = positions.saturating_mul(ENTRIES_PER_POSITION).clamp(PER_WORD, MAX_ENTRIES);
        let entries = entries.next_power_of_two();
        let mut words = Vec::new();
        words.resize_with((entries / PER_WORD) as usize, AtomicU64::default);
        Self { words, mask: entries - 1 }
    }

    /// Returns the word of a key, and the lower bit of its pair.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pair(&self, key: u64) -> (&AtomicU64, u64) {
        let entry = key & self.mask;
        (&self.words[(entry / PER_WORD) as usize], 1 << (entry % PER_WORD * 2))
    }

    /// Loads the words of keys. These loads do not wait for each other, as changes of the words do.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fetch(&self, keys: &[u64]) {
        std::hint::black_box(keys.iter().fold(0, |all, &key| all ^ self.pair(key).0.load(Ordering::Relaxed)));
    }
}

/// The positions that more than one game may have. A position that was marked twice is always one of them; one that was marked once
/// is one of them if another position has the same bits.
pub(in crate::query) struct SharedPositions(PairsOfBits);

impl SharedPositions {
    /// Creates an empty table for this number of positions.
    pub(in crate::query) fn with_room_for(positions: u64) -> Self {
        Self(PairsOfBits::with_room_for(positions))
    }

    /// Marks the positions with these keys. Several threads may do so at once.
    pub(in crate::query) fn mark(&self, keys: &[u64]) {
        self.0.fetch(keys);
        for &key in keys {
            let (word, first) = self.0.pair(key);
            let second = first << 1;
            if word.load(Ordering::Relaxed) & second == 0
                && word.fetch_or(first, Ordering::Relaxed) & first != 0
            {
                word.fetch_or(second, Ordering::Relaxed);
            }
        }
    }

    /// Returns `true` if more than one game may have the position.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::query) fn contains(&self, key: u64) -> bool {
        let (word, first) = self.0.pair(key);
        word.load(Ordering::Relaxed) & first << 1 != 0
    }
}

/// An approximate set of positions: a Bloom filter with two bits for each position.
pub(in crate::query) struct ListedPositions(PairsOfBits);

impl ListedPositions {
    /// Creates an empty table for this number of positions.
    pub(in crate::query) fn with_room_for(positions: u64) -> Self {
        Self(PairsOfBits::with_room_for(positions))
    }

    /// Returns the word of a key, and its bits: two of all 64, which the key chooses.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bits(&self, key: u64) -> (&AtomicU64, u64) {
        // The upper bits choose a bucket of positions.
        (self.0.pair(key).0, 1 << (key >> 50 & 63) | 1 << (key >> 44 & 63))
    }

    /// Adds the positions with these keys. Several threads may add positions at once.
    pub(in crate::query) fn insert(&self, keys: &[u64]) {
        self.0.fetch(keys);
        for &key in keys {
            let (word, bits) = self.bits(key);
            if word.load(Ordering::Relaxed) & bits != bits {
                word.fetch_or(bits, Ordering::Relaxed);
            }
        }
    }

    /// Loads what [`contains`](Self::contains) reads for these keys, all at once.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::query) fn fetch(&self, keys: &[u64]) {
        self.0.fetch(keys);
    }

    /// Returns `true` if the position may be in the table.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::query) fn contains(&self, key: u64) -> bool {
        let (word, bits) = self.bits(key);
        word.load(Ordering::Relaxed) & bits == bits
    }
}

impl fmt::Debug for ListedPositions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ListedPositions").field("words", &self.0.words.len()).finish_non_exhaustive()
    }
}
