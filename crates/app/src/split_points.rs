//! Where a file can be divided into parts that are read alone.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use pdn::internal::archive::RecordRange;
use pdn::internal::source::path_text;
use pdn::source::OpenOptions;
use serde::Serialize;

use crate::error::Result;

/// Asks where a file can be divided.
#[derive(Clone, Debug)]
pub struct SplitPointsRequest {
    /// The file.
    pub path: PathBuf,
    /// Number of parts, of about equal length.
    pub number: NonZeroUsize,
    /// How the file is opened.
    pub open: OpenOptions,
    /// Number of threads.
    pub threads: NonZeroUsize,
}

/// A part of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FilePart {
    /// The file.
    pub file: String,
    /// The offset of its first byte.
    pub start: u64,
    /// The offset after its last byte; null if the file cannot be divided.
    pub end: Option<u64>,
    /// The number of its first record in the file, from 1.
    pub record: u64,
    /// The line in which it begins, from 1.
    pub line: u64,
    /// The part as the library reads it.
    #[serde(skip)]
    pub range: RecordRange,
}

impl SplitPointsRequest {
    /// Returns the parts in their order; fewer if there are fewer places to divide the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn run(&self) -> Result<Vec<FilePart>> {
        let ranges = pdn::internal::archive::ranges(&self.path, self.number, &self.open, self.threads)?;
        let part = |range: RecordRange| FilePart {
            file: path_text(&self.path).into_owned(),
            start: range.start,
            end: range.end,
            record: range.first + 1,
            line: range.line,
            range,
        };
        Ok(ranges.into_iter().map(part).collect())
    }
}
