//! A part of a file that is read alone.

use std::num::NonZeroUsize;
use std::path::Path;
use std::str::FromStr;

use pdn::archive::Archive;
use pdn::internal::archive::RecordRange;
use pdn::internal::replay::ArchiveHead;
use pdn::replay::ReplayOptions;
use pdn::source::OpenOptions;

use super::Inputs;
use crate::ask::error::{AppError, ErrorCode, Result};

/// The number of a part, from 1, and the number of parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartNumber {
    /// The number of the part.
    pub number: NonZeroUsize,
    /// The number of all parts.
    pub of: NonZeroUsize,
}

impl FromStr for PartNumber {
    type Err = &'static str;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        let numbers =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let part = numbers.map(|(number, of)| Self { number, of });
        part.filter(|part| part.number <= part.of)
            .ok_or("expected the number of a part and of all parts, such as 1/8")
    }
}

/// Consecutive records of a file, and what the first records of the whole file decide about them.
#[derive(Clone, Debug)]
pub struct InputPart {
    range: RecordRange,
    head: ArchiveHead,
}

/// What is read of the inputs.
#[derive(Debug)]
pub enum Portion {
    /// All records.
    All,
    /// A part of the only file.
    Part(InputPart),
    /// No record: the file has fewer parts.
    Nothing,
}

impl Portion {
    /// Finds the part of the only file that is asked for; all records if none is.
    ///
    /// # Errors
    ///
    /// If the input is not a single file, or cannot be read.
    pub fn find(part: Option<PartNumber>, inputs: &Inputs, replay: &ReplayOptions) -> Result<Self> {
        let Some(part) = part else { return Ok(Self::All) };
        let [path] = inputs.paths.as_slice() else {
            return Err(AppError::plain(ErrorCode::InvalidValue, "takes a single file").in_field("part"));
        };
        if path == Path::new("-") || path.is_dir() {
            let message = format!("takes a file, not {}", path.display());
            return Err(AppError::plain(ErrorCode::InvalidValue, message).in_field("part"));
        }
        let options = inputs.open_options();
        let ranges = pdn::internal::archive::ranges(path, part.of, &options, inputs.threads)?;
        let range = ranges.get(part.number.get() - 1).copied();
        let Some(range) = range else { return Ok(Self::Nothing) };
        if range.end.is_none() {
            // The only part of a file that cannot be divided.
            return Ok(Self::All);
        }
        let head = ArchiveHead::read(path, &options, replay)?;
        Ok(Self::Part(InputPart { range, head }))
    }

    /// Returns `true` if the first record of the input is in it.
    pub fn begins_input(&self) -> bool {
        match self {
            Self::All => true,
            Self::Part(part) => part.range.start == 0,
            Self::Nothing => false,
        }
    }
}

impl InputPart {
    /// Opens the part of the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn open(&self, path: &Path, options: &OpenOptions) -> pdn::Result<Archive> {
        self.head.open_part(path, &self.range, options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn part_numbers_are_parsed() {
        let one = NonZeroUsize::MIN;
        assert_eq!("1/1".parse(), Ok(PartNumber { number: one, of: one }));
        for wrong in ["0/1", "2/1", "1", "1/", "/1", "1/0", "a/b", "-1/2"] {
            assert!(wrong.parse::<PartNumber>().is_err(), "{wrong}");
        }
    }
}
