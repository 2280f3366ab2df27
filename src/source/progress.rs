//! Counts the bytes that have been read.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A counter of the bytes read from a file, before unpacking and transcoding. Clones share the count, so a progress bar can
/// watch it from another thread.
#[derive(Clone, Debug, Default)]
pub struct ReadProgress {
    read: Arc<AtomicU64>,
    total: Option<u64>,
}

impl ReadProgress {
    /// Creates a counter at 0. `total` is the length of the file in bytes, if known.
    pub fn new(total: Option<u64>) -> Self {
        Self { read: Arc::default(), total }
    }

    /// Returns the number of bytes read so far.
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Returns the length of the file in bytes, if it is known. The entries of a zip share the length and the count of the
    /// zip.
    pub fn total(&self) -> Option<u64> {
        self.total
    }

    /// Adds `bytes` to the count.
    pub fn add(&self, bytes: u64) {
        self.read.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Sets the count to `bytes`.
    pub fn set(&self, bytes: u64) {
        self.read.store(bytes, Ordering::Relaxed);
    }
}
