//! The trait that all stages between a file and its text implement.

use std::io::{self, Read};

use crate::error::Result;

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
