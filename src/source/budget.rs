//! How many bytes an input may give.

#[cfg(feature = "compression")]
use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(feature = "compression")]
use super::options::SourceLimits;
use super::pull::Pull;
use crate::error::{Error, ErrorKind, Result};

/// The limits on the unpacked bytes of a container, and the bytes so far.
#[cfg(feature = "compression")]
pub(super) struct Budget {
    unpacked: AtomicU64,
    limits: SourceLimits,
    /// What is unpacked, in messages.
    is_zip: bool,
}

#[cfg(feature = "compression")]
impl Budget {
    /// Bytes that may be unpacked at any ratio: a bomb of this size is harmless.
    const FREE_BYTES: u64 = 16 << 20;

    /// Creates the budget of all entries of a zip, or else of another container.
    pub(super) const fn new(limits: &SourceLimits, is_zip: bool) -> Self {
        Self { unpacked: AtomicU64::new(0), limits: *limits, is_zip }
    }

    /// Returns the number of bytes so far.
    pub(super) fn unpacked(&self) -> u64 {
        self.unpacked.load(Ordering::Relaxed)
    }

    /// Counts `bytes` more, which come from at most `packed` bytes together with all before them.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::TooLarge`] if the total exceeds a limit.
    pub(super) fn spend(&self, bytes: u64, packed: u64) -> Result<()> {
        let unpacked = self.unpacked.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let SourceLimits { unpacked_bytes, ratio, .. } = self.limits;
        if unpacked > unpacked_bytes {
            let what = match self.is_zip {
                true => "the unpacked size of this zip, in bytes,",
                false => "the unpacked size of this file, in bytes,",
            };
            return Err(ErrorKind::TooLarge { what, limit: unpacked_bytes }.into());
        }
        if unpacked > packed.saturating_mul(ratio).saturating_add(Self::FREE_BYTES) {
            let what = match self.is_zip {
                true => "the ratio of unpacked to packed bytes in this zip",
                false => "the ratio of unpacked to packed bytes in this file",
            };
            return Err(ErrorKind::TooLarge { what, limit: ratio }.into());
        }
        Ok(())
    }
}

/// Creates the error of a text that is longer than `limit` bytes.
fn too_long(limit: u64) -> Error {
    ErrorKind::TooLarge { what: "the length of this text, in bytes,", limit }.into()
}

/// Returns an error if a text of `len` bytes is longer than `limit` allows.
///
/// # Errors
///
/// [`ErrorKind::TooLarge`].
pub(super) fn require_len(len: u64, limit: u64) -> Result<()> {
    if len > limit { Err(too_long(limit)) } else { Ok(()) }
}

/// Ends a text with an error after `limit` bytes; [`u64::MAX`] is no limit.
pub(super) fn limited(pull: Box<dyn Pull>, limit: u64) -> Box<dyn Pull> {
    if limit == u64::MAX { pull } else { Box::new(Limited { pull, limit, left: limit, has_failed: false }) }
}

/// The stage that ends a long text.
struct Limited {
    pull: Box<dyn Pull>,
    limit: u64,
    left: u64,
    has_failed: bool,
}

impl Pull for Limited {
    fn pull(&mut self, out: &mut [u8]) -> Result<usize> {
        if self.has_failed {
            return Ok(0);
        }
        if self.left == 0 {
            // A text of just this length is not too long.
            let more = self.pull.pull(&mut [0])?;
            self.has_failed = more > 0;
            return if self.has_failed { Err(too_long(self.limit)) } else { Ok(0) };
        }
        let len = usize::try_from(self.left).map_or(out.len(), |left| left.min(out.len()));
        let more = self.pull.pull(&mut out[..len])?;
        self.left -= more as u64;
        Ok(more)
    }
}
