//! Pairs of items worth comparing: those that share a key.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::steps;

/// Maximum number of items of a block that are compared with each item. Work stays linear in blocks that are larger.
const MAX_NEIGHBOURS: usize = 256;

/// Collects the keys of items.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    keys: Vec<(u64, u32)>,
}

impl Blocks {
    /// Adds a key of an item.
    pub(super) fn add(&mut self, key: impl Hash, item: usize) {
        steps::add(1);
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        self.keys.push((hasher.finish(), item as u32));
    }

    /// Returns the pairs of items that share a key, each once with the smaller item first, in order, and the number of pairs
    /// that were left out.
    pub(super) fn pairs(mut self) -> (Vec<(usize, usize)>, u64) {
        self.keys.sort_unstable();
        self.keys.dedup();
        let (mut pairs, mut left_out) = (Vec::new(), 0);
        for block in self.keys.chunk_by(|a, b| a.0 == b.0) {
            for (at, (_, first)) in block.iter().enumerate() {
                let others = &block[at + 1..];
                let compared = others.len().min(MAX_NEIGHBOURS);
                left_out += (others.len() - compared) as u64;
                pairs
                    .extend(others[..compared].iter().map(|(_, second)| (*first as usize, *second as usize)));
            }
        }
        steps::add(pairs.len());
        pairs.sort_unstable();
        pairs.dedup();
        (pairs, left_out)
    }
}
