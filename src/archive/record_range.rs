//! Ranges of the records of a file, as plain data.

use std::fmt;
use std::path::Path;

use super::batches::Part;
use crate::error::{Error, ErrorKind};

/// Consecutive records of a file that can be read without the rest of it; see
/// `ArchiveHead::open_part`.
///
/// A range begins where a record begins at the start of a line. It is plain data, to be sent to
/// where it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RecordRange {
    /// The offset of the first byte.
    pub start: u64,
    /// The offset after the last byte. `None` for the whole of a file that cannot be divided: a
    /// packed one, one in UTF-16, or a list of positions.
    pub end: Option<u64>,
    /// The number of records in the file before the first one of the range.
    pub first: u64,
    /// The line in which the range begins, from 1.
    pub line: u64,
    /// The length of the file in bytes when the range was found. A file of another length is not read.
    pub file_len: u64,
}

/// Writes `START:END`, or `0:` for a file that cannot be divided.
impl fmt::Display for RecordRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.start)?;
        self.end.map_or(Ok(()), |end| write!(f, "{end}"))
    }
}

impl RecordRange {
    /// Creates a range from its fields, which [`ranges`](super::ranges) returned.
    pub const fn new(start: u64, end: Option<u64>, first: u64, line: u64, file_len: u64) -> Self {
        Self { start, end, first, line, file_len }
    }

    /// Returns the part of an input that ends at `end`.
    pub(super) const fn part(&self, end: u64) -> Part {
        Part { start: self.start, end, first: self.first, line: self.line }
    }

    /// Creates the range of a whole file that cannot be divided.
    pub(super) const fn undivided(file_len: u64) -> Self {
        Self::new(0, None, 0, 1, file_len)
    }
}

/// Creates the error of a range of `path`.
pub(super) fn part_error(path: &Path, problem: String) -> Error {
    Error::new(ErrorKind::Part(problem)).at(path)
}
