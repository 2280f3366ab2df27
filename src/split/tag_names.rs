//! Finds repeated tag names in a record.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

/// The tag names of a record.
#[derive(Debug, Default)]
pub(super) struct TagNames {
    /// The start of each name in the input and the offset just after it.
    spans: Vec<(usize, usize)>,
    /// The hashes of all names once they exceed [`MAX_COMPARED`](Self::MAX_COMPARED), so that a thousand tags cost
    /// linear time.
    hashes: HashSet<u64>,
    state: RandomState,
}

impl TagNames {
    /// The greatest number of names that are compared one by one.
    const MAX_COMPARED: usize = 32;
    /// The greatest capacity for hashes that is kept from record to record.
    const MAX_KEPT_CAPACITY: usize = 1024;

    /// Reserves room for the names of a common record.
    pub(super) fn reserve(&mut self) {
        self.spans.reserve(Self::MAX_COMPARED);
    }

    /// Removes all names.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.spans.clear();
        if self.hashes.capacity() > Self::MAX_KEPT_CAPACITY {
            // Clearing a set costs time in proportion to its capacity.
            self.hashes = HashSet::new();
        } else if !self.hashes.is_empty() {
            self.hashes.clear();
        }
    }

    /// Adds the name at the offsets `name` of `bytes`.
    #[inline]
    pub(super) fn push(&mut self, bytes: &[u8], name: (usize, usize)) {
        self.spans.push(name);
        if self.spans.len() > Self::MAX_COMPARED {
            self.hash_new(bytes);
        }
    }

    /// Hashes the names that have not been hashed yet: all of them the first time, then the last one.
    #[cold]
    fn hash_new(&mut self, bytes: &[u8]) {
        let new = if self.hashes.is_empty() { 0 } else { self.spans.len() - 1 };
        for &(start, end) in &self.spans[new..] {
            self.hashes.insert(self.state.hash_one(&bytes[start..end]));
        }
    }

    /// Returns `true` if the name at the offsets `name` of `bytes` equals one that was added, capitals included.
    #[cold]
    pub(super) fn contains(&self, bytes: &[u8], name: (usize, usize)) -> bool {
        let text = &bytes[name.0..name.1];
        if self.spans.len() > Self::MAX_COMPARED && !self.hashes.contains(&self.state.hash_one(text)) {
            return false;
        }
        self.spans.iter().any(|&(start, end)| &bytes[start..end] == text)
    }
}
