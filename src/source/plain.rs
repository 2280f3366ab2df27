//! The first stage between a file and its text.

use std::io::{self, Read};

use super::pull::{self, Pull, ReadProgress};
use super::stream::Stream;
use crate::error::{Error, Result};

/// The first stage: reads bytes, counts them, and can look ahead.
pub(super) struct Plain {
    reader: Box<dyn Read + Send>,
    progress: ReadProgress,
    /// Bytes that have been read ahead.
    head: Vec<u8>,
    /// Number of bytes of `head` that have been returned.
    taken: usize,
    /// The reader has ended.
    ended: bool,
    /// An error after `head`.
    failed: Option<Error>,
}

impl Plain {
    pub(super) fn new(reader: Box<dyn Read + Send>, progress: ReadProgress) -> Self {
        Self { reader, progress, head: Vec::new(), taken: 0, ended: false, failed: None }
    }

    pub(super) fn progress(&self) -> &ReadProgress {
        &self.progress
    }

    /// Returns the first `len` bytes, fewer only at the end. Must be called before the first `pull`.
    ///
    /// An error after the first byte is kept for later, so that the bytes before it are not lost.
    pub(super) fn peek(&mut self, len: usize) -> Result<&[u8]> {
        let mut filled = self.head.len();
        while filled < len && !self.ended && self.failed.is_none() {
            if filled == self.head.len() {
                // In steps, so that a large `len` allocates nothing before there are bytes.
                self.head.resize(len.min(filled + Stream::CHUNK), 0);
            }
            match pull::read(&mut self.reader, &mut self.head[filled..]) {
                Ok(0) => {
                    self.ended = true;
                    self.failed = self.early_end();
                }
                Ok(more) => {
                    self.progress.add(more as u64);
                    filled += more;
                }
                Err(error) => self.failed = Some(error),
            }
        }
        self.head.truncate(filled);
        if filled == 0 {
            self.failure()?;
        }
        Ok(&self.head[..len.min(filled)])
    }

    /// Returns the error that was kept for later, if any.
    pub(super) fn failure(&mut self) -> Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Returns `true` if an error is kept for later.
    pub(super) fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    /// Returns an error if the bytes end before the length that the file had when it was opened.
    fn early_end(&self) -> Option<Error> {
        let (read, total) = (self.progress.read(), self.progress.total()?);
        (read < total).then(|| shortened(read, total))
    }

    /// Returns all bytes that have been read ahead.
    pub(super) fn into_head(self) -> Vec<u8> {
        self.head
    }
}

/// Returns the error of a file that had `total` bytes when it was opened, of which only `read` are left.
pub fn shortened(read: u64, total: u64) -> Error {
    let message =
        format!("ends after {read} of {total} bytes: another program shortened this file while it was read");
    io::Error::new(io::ErrorKind::UnexpectedEof, message).into()
}

impl Pull for Plain {
    fn pull(&mut self, out: &mut [u8]) -> Result<usize> {
        if self.taken < self.head.len() {
            let len = out.len().min(self.head.len() - self.taken);
            out[..len].copy_from_slice(&self.head[self.taken..self.taken + len]);
            self.taken += len;
            return Ok(len);
        }
        self.failure()?;
        if self.ended {
            return Ok(0);
        }
        self.head = Vec::new();
        self.taken = 0;
        let more = pull::read(&mut self.reader, out)?;
        if more == 0 {
            self.ended = true;
            return self.early_end().map_or(Ok(0), Err);
        }
        self.progress.add(more as u64);
        Ok(more)
    }
}
