//! An output that compares what a builder writes with a file that is there.

use std::io::{self, Write};

use crate::storage::Output;

/// An output that compares what is written with expected bytes.
pub(super) struct ComparingOutput<'a> {
    /// Expected bytes that have not been compared yet.
    pub(super) rest: &'a [u8],
    /// `true` as long as all bytes were equal.
    pub(super) is_equal: bool,
}

impl Write for ComparingOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.rest.strip_prefix(bytes) {
            Some(rest) => self.rest = rest,
            None => self.is_equal = false,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Output for ComparingOutput<'_> {
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}
