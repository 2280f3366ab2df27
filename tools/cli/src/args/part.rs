//! Options that choose a part of a file.

use std::num::NonZeroUsize;
use std::str::FromStr;

use clap::Args;

/// The part of a file that is read.
#[derive(Args, Debug)]
pub(crate) struct PartArgs {
    /// Read part I of N, of about equal length; all parts join to the whole file
    #[arg(long, value_name = "I/N", help_heading = "Part of a file")]
    pub(crate) part: Option<PartNumber>,

    /// Read the records from byte START to byte END, as `pdn split-points` prints them
    #[arg(long, value_name = "START:END", conflicts_with = "part", help_heading = "Part of a file")]
    pub(crate) range: Option<ByteRange>,
}

impl PartArgs {
    /// Returns `true` if a part is chosen.
    pub(crate) fn is_given(&self) -> bool {
        self.part.is_some() || self.range.is_some()
    }
}

/// The number of a part, from 1, and the number of parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PartNumber {
    pub(crate) number: NonZeroUsize,
    pub(crate) of: NonZeroUsize,
}

impl FromStr for PartNumber {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let part = numbers.map(|(number, of)| Self { number, of });
        part.filter(|part| part.number <= part.of)
            .ok_or("expected the number of a part and of all parts, such as 1/8")
    }
}

/// Offsets in a file: of the first byte of a part, and after its last one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ByteRange {
    pub(crate) start: u64,
    /// `None` for the end of the file.
    pub(crate) end: Option<u64>,
}

impl FromStr for ByteRange {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected =
            "expected two offsets in bytes, such as 0:65536; without the second, to the end of the file";
        let (start, end) = text.split_once(':').ok_or(expected)?;
        let end = if end.is_empty() { None } else { Some(end.parse().map_err(|_| expected)?) };
        Ok(Self { start: start.parse().map_err(|_| expected)?, end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_ranges_are_parsed() {
        let one = NonZeroUsize::MIN;
        assert_eq!("1/1".parse(), Ok(PartNumber { number: one, of: one }));
        for wrong in ["0/1", "2/1", "1", "1/", "/1", "1/0", "a/b", "-1/2"] {
            assert!(wrong.parse::<PartNumber>().is_err(), "{wrong}");
        }
        assert_eq!("5:70".parse(), Ok(ByteRange { start: 5, end: Some(70) }));
        assert_eq!("0:".parse(), Ok(ByteRange { start: 0, end: None }));
        for wrong in ["", "5", ":5", "5-7", "a:b", "5:7:9", "-1:4"] {
            assert!(wrong.parse::<ByteRange>().is_err(), "{wrong}");
        }
    }
}
