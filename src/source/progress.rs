//! How far the reading has come.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A counter of bytes on the side of the file, before decompression and transcoding. Clones share it, so a
/// progress bar can watch from another thread.
#[derive(Clone, Debug, Default)]
pub struct ReadProgress {
    read: Arc<AtomicU64>,
    total: Option<u64>,
}

impl ReadProgress {
    /// Nothing read yet of `total` bytes.
    pub fn new(total: Option<u64>) -> Self {
        Self { read: Arc::default(), total }
    }

    /// Bytes of the file read so far.
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Length of the file, where it is known. The entries of a zip share the length and the count of the zip.
    pub fn total(&self) -> Option<u64> {
        self.total
    }

    /// Counts `bytes` more.
    pub fn add(&self, bytes: u64) {
        self.read.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Says that `bytes` have been read in all.
    pub fn set(&self, bytes: u64) {
        self.read.store(bytes, Ordering::Relaxed);
    }
}
