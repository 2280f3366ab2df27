//! Ranges of the records of a file, as plain data.

use std::fmt;
use std::fs;
use std::path::Path;
use std::str::FromStr;

use super::batches::Part;
use crate::error::{Error, ErrorKind, Result, UnknownName};

/// Consecutive records of a file that can be read without the rest of it; see
/// [`ArchiveHead::open_part`](crate::replay::ArchiveHead::open_part).
///
/// A range begins where a record begins at the start of a line; in a zip, where an entry begins. It is plain data, to be sent to
/// where it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RecordRange {
    /// The offset of the first byte, in the unpacked text; in a zip, the offset in the zip.
    pub start: u64,
    /// The offset after the last byte, in the unpacked text; in a zip, the offset in the zip. `None` for the whole of a file
    /// that cannot be divided: one in UTF-16, or packed otherwise than in several entries of a zip or frames of zstd.
    pub end: Option<u64>,
    /// The number of records in the file before the first one of the range. 0 in a zip, where each entry has numbers of its own.
    pub first: u64,
    /// The line in which the range begins, from 1. 1 in a zip, where each entry has lines of its own.
    pub line: u64,
    /// The length of the file in bytes when the range was found. A file of another length is not read.
    pub file_len: u64,
    /// How the records are packed; `None` for a plain file, and for one that cannot be divided.
    pub packing: Option<RangePacking>,
}

/// How the records of a range are packed, in a file that can be divided nevertheless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RangePacking {
    /// The range has the entries of a zip whose packed data begins in it.
    Zip,
    /// The text is in several frames of zstd.
    Zstd {
        /// The offset in the file of the frame from which on the text has to be unpacked.
        frame: u64,
        /// The offset of this frame in the unpacked text; the range begins there or after it.
        offset: u64,
    },
}

/// Writes `zip`, or `zstd`, the offset of the frame and that of its text.
impl fmt::Display for RangePacking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zip => f.write_str("zip"),
            Self::Zstd { frame, offset } => write!(f, "zstd {frame} {offset}"),
        }
    }
}

impl FromStr for RangePacking {
    type Err = UnknownName;

    /// Parses what [`Display`](fmt::Display) writes.
    ///
    /// # Errors
    /// If the text is not of that form.
    fn from_str(text: &str) -> std::result::Result<Self, UnknownName> {
        let unknown = UnknownName { expected: "`zip`, or `zstd` and two offsets" };
        if text == "zip" {
            return Ok(Self::Zip);
        }
        let offsets = text.strip_prefix("zstd ").and_then(|rest| rest.split_once(' ')).ok_or(unknown)?;
        match (offsets.0.parse(), offsets.1.parse()) {
            (Ok(frame), Ok(offset)) => Ok(Self::Zstd { frame, offset }),
            _ => Err(unknown),
        }
    }
}

/// Writes `START:END`, or `0:` for a file that cannot be divided.
impl fmt::Display for RecordRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.start)?;
        self.end.map_or(Ok(()), |end| write!(f, "{end}"))
    }
}

impl RecordRange {
    /// Creates a range of a plain file from its fields, which [`ranges`](super::ranges) returned.
    pub const fn new(start: u64, end: Option<u64>, first: u64, line: u64, file_len: u64) -> Self {
        Self { start, end, first, line, file_len, packing: None }
    }

    /// Returns the range with this packing.
    #[must_use]
    pub const fn packed(self, packing: Option<RangePacking>) -> Self {
        Self { packing, ..self }
    }

    /// Returns `true` if an [`ArchiveHead`](crate::replay::ArchiveHead) of the file decides about the records of the range;
    /// `false` if the range has whole inputs, which have heads of their own: a file that cannot be divided, or entries of a zip.
    pub const fn takes_head(&self) -> bool {
        self.end.is_some() && !matches!(self.packing, Some(RangePacking::Zip))
    }

    /// Returns the part of an input that ends at `end`.
    pub(super) const fn part(&self, end: u64) -> Part {
        Part { start: self.start, end, first: self.first, line: self.line }
    }

    /// Creates the range of a whole file that cannot be divided.
    pub(super) const fn undivided(file_len: u64) -> Self {
        Self::new(0, None, 0, 1, file_len)
    }

    /// Returns an error if the length of the file is another one now.
    pub(super) fn require_same_file(&self, path: &Path) -> Result<()> {
        if fs::metadata(path).map_err(|error| Error::from(error).at(path))?.len() == self.file_len {
            return Ok(());
        }
        let problem = "the file has changed since its parts were found; find them again";
        Err(part_error(path, problem.to_owned()))
    }
}

/// Creates the error of a range of `path`.
pub(super) fn part_error(path: &Path, problem: String) -> Error {
    Error::new(ErrorKind::Part(problem)).at(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packings_are_parsed_as_they_are_written() {
        for packing in [RangePacking::Zip, RangePacking::Zstd { frame: 17, offset: u64::MAX }] {
            assert_eq!(packing.to_string().parse(), Ok(packing));
        }
        for wrong in ["", "gzip", "zstd", "zstd 1", "zstd 1 x", "zstd 1 2 3", "zip "] {
            assert!(wrong.parse::<RangePacking>().is_err(), "{wrong}");
        }
    }
}
