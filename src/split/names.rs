//! The names of the tags of a record.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

/// The tag names of a record.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) spans: Vec<(usize, usize)>,
    /// Hashes of all names once there are many, so that a thousand tags stay linear.
    hashes: HashSet<u64>,
    state: RandomState,
}

impl Names {
    /// So many names are compared one by one.
    pub(super) const FEW: usize = 32;
    /// Room for more hashes than these is given back.
    const MANY: usize = 1024;

    #[inline]
    pub(super) fn clear(&mut self) {
        self.spans.clear();
        if self.hashes.capacity() > Self::MANY {
            // Clearing costs what it can hold.
            self.hashes = HashSet::new();
        } else if !self.hashes.is_empty() {
            self.hashes.clear();
        }
    }

    #[inline]
    pub(super) fn push(&mut self, bytes: &[u8], name: (usize, usize)) {
        self.spans.push(name);
        if self.spans.len() > Self::FEW {
            self.hash_all(bytes);
        }
    }

    #[cold]
    fn hash_all(&mut self, bytes: &[u8]) {
        let new = if self.hashes.is_empty() { 0 } else { self.spans.len() - 1 };
        for &(start, end) in &self.spans[new..] {
            self.hashes.insert(self.state.hash_one(&bytes[start..end]));
        }
    }

    #[cold]
    pub(super) fn contains(&self, bytes: &[u8], name: (usize, usize)) -> bool {
        let text = &bytes[name.0..name.1];
        if self.spans.len() > Self::FEW && !self.hashes.contains(&self.state.hash_one(text)) {
            return false;
        }
        self.spans.iter().any(|&(start, end)| &bytes[start..end] == text)
    }
}
