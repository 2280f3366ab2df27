//! The trait that all stages between a file and its text implement, and the counter of the bytes that they have read.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, Result};

/// A stage between a file and its text: reads, unpacks, checks or transcodes bytes.
pub(super) trait Pull: Send {
    /// Writes bytes to the front of `out`, which must not be empty, and returns their number; 0 at the end.
    ///
    /// # Errors
    ///
    /// An error is returned only after all bytes before it have been.
    fn pull(&mut self, out: &mut [u8]) -> Result<usize>;
}

impl Pull for io::Empty {
    fn pull(&mut self, _: &mut [u8]) -> Result<usize> {
        Ok(0)
    }
}

/// Reads once; repeats the read if a signal interrupts it.
pub(super) fn read(reader: &mut (impl Read + ?Sized), out: &mut [u8]) -> Result<usize> {
    loop {
        match reader.read(out) {
            // A broken reader may claim more bytes than there is room for; indexing with that would panic.
            Ok(more) => return Ok(more.min(out.len())),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Bytes that a stage has pulled and not used yet.
pub(super) struct PullBuffer {
    pull: Box<dyn Pull>,
    bytes: Box<[u8]>,
    /// The unused bytes are those from `taken` to `filled`.
    taken: usize,
    filled: usize,
    /// There is nothing more to pull.
    has_ended: bool,
}

impl PullBuffer {
    pub(super) fn new(pull: Box<dyn Pull>, size: usize) -> Self {
        Self { pull, bytes: vec![0; size].into(), taken: 0, filled: 0, has_ended: false }
    }

    /// Moves the unused bytes, which are few, to the front and pulls more behind them. Returns the number of new bytes. An error ends
    /// the input; it is left in `failed`, since the bytes before it are still to be used.
    pub(super) fn refill(&mut self, failed: &mut Option<Error>) -> usize {
        self.bytes.copy_within(self.taken..self.filled, 0);
        self.filled -= self.taken;
        self.taken = 0;
        let more = self.pull.pull(&mut self.bytes[self.filled..]).unwrap_or_else(|error| {
            *failed = Some(error);
            0
        });
        self.filled += more;
        self.has_ended = more == 0;
        more
    }

    /// Returns the unused bytes.
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.taken..self.filled]
    }

    /// Marks the first `len` of the unused bytes as used.
    pub(super) fn take(&mut self, len: usize) {
        self.taken += len;
    }

    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }
}

/// Copies what fits of a text that a stage has made, from `taken` on, and advances `taken`. After the last byte it returns the error that
/// ended the input.
pub(super) fn hand_out(
    out: &mut [u8],
    text: &[u8],
    taken: &mut usize,
    failed: &mut Option<Error>,
) -> Result<usize> {
    let text = &text[*taken..];
    let len = out.len().min(text.len());
    out[..len].copy_from_slice(&text[..len]);
    *taken += len;
    match failed.take_if(|_| len == 0) {
        Some(error) => Err(error),
        None => Ok(len),
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn error_comes_after_the_last_byte() {
        let mut failed = Some(Error::from(ErrorKind::Stopped));
        let (mut out, mut taken) = ([0; 2], 0);
        let mut read = Vec::new();
        loop {
            match hand_out(&mut out, b"abc", &mut taken, &mut failed) {
                Ok(len) => read.extend_from_slice(&out[..len]),
                Err(error) => break assert!(matches!(error.kind(), ErrorKind::Stopped)),
            }
            assert!(read.len() <= 3);
        }
        assert_eq!((&read[..], taken, failed.is_none()), (&b"abc"[..], 3, true));
    }
}
