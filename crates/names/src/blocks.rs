//! Pairs of items worth comparing: those that share a key.

use std::hash::{Hash, Hasher};

use pdn_rules::internal::steps;

/// Maximum number of items of a block that are compared with each item. Work stays linear in blocks that are larger.
const MAX_NEIGHBOURS: usize = 256;
/// Maximum number of pairs of an item with later ones in all its blocks, before equal pairs are made one.
const MAX_PAIRS: usize = 512;

/// Collects the keys of items.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    keys: Vec<(u64, u32)>,
}

impl Blocks {
    /// Adds a key of an item.
    pub(super) fn add(&mut self, key: impl Hash, item: usize) {
        steps::add(1);
        let mut hasher = KeyHasher(0x243f_6a88_85a3_08d3);
        key.hash(&mut hasher);
        self.keys.push((hasher.finish(), item as u32));
    }

    /// Returns the pairs of items that share a key, each once with the smaller item first, in order, and the number of pairs
    /// that were left out.
    pub(super) fn pairs(mut self) -> (Vec<(u32, u32)>, u64) {
        self.keys.sort_unstable();
        self.keys.dedup();
        let (mut pairs, mut left_out) = (Vec::new(), 0);
        // The number of pairs of each item so far.
        let last = self.keys.iter().map(|(_, item)| *item).max();
        let mut counts = vec![0; last.map_or(0, |last| last as usize + 1)];
        // Most pairs share several keys. They are made unique from time to time, for less memory.
        let mut most = self.keys.len().max(1 << 16);
        for block in self.keys.chunk_by(|a, b| a.0 == b.0) {
            for (at, (_, first)) in block.iter().enumerate() {
                let others = &block[at + 1..];
                let count = &mut counts[*first as usize];
                let compared = others.len().min(MAX_NEIGHBOURS).min(MAX_PAIRS - *count);
                *count += compared;
                left_out += (others.len() - compared) as u64;
                pairs.extend(others[..compared].iter().map(|(_, second)| (*first, *second)));
            }
            if pairs.len() > most {
                steps::add(pairs.len());
                pairs.sort_unstable();
                pairs.dedup();
                most = most.max(2 * pairs.len());
            }
        }
        steps::add(pairs.len());
        pairs.sort_unstable();
        pairs.dedup();
        (pairs, left_out)
    }
}

/// A hasher for many short keys. Two keys with one hash cost a comparison of names and change nothing.
struct KeyHasher(u64);

impl KeyHasher {
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0x9e37_79b9_7f4a_7c15_u128;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }
}

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.mix(u64::from_le_bytes(*word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.mix(u64::from_le_bytes(last) ^ (bytes.len() as u64) << 56);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
