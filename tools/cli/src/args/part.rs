//! Options that choose a part of a file.

use clap::Args;
use pdn_app::inputs::{ByteRange, PartChoice, PartNumber};

/// The part of a file that is read.
#[derive(Args, Debug)]
pub(crate) struct PartArgs {
    /// Read part I of N, of about equal length; all parts join to the whole file
    #[arg(long, value_name = "I/N", help_heading = "Part of a file")]
    part: Option<PartNumber>,

    /// Read the records from byte START to byte END, as `pdn split-points` prints them
    #[arg(long, value_name = "START:END", conflicts_with = "part", help_heading = "Part of a file")]
    range: Option<ByteRange>,
}

impl PartArgs {
    /// Returns the part that is chosen.
    pub(crate) fn read(&self) -> Option<PartChoice> {
        self.part.map(PartChoice::Part).or(self.range.map(PartChoice::Range))
    }
}
