//! A part of a file that is read alone.

use std::path::Path;

use pdn::archive::{self, Archive, RecordRange};
use pdn::pool;
use pdn::replay::{ArchiveHead, ReplayOptions};
use pdn::source::OpenOptions;

use crate::args::{InputArgs, PartArgs};
use crate::output::exit::{fail, print_error};
use crate::output::{Exit, sanitize};

/// Consecutive records of a file, and what the first records of the whole file decide about them.
#[derive(Clone, Debug)]
pub(crate) struct InputPart {
    range: RecordRange,
    head: ArchiveHead,
}

/// What is read of the inputs.
pub(crate) enum Portion {
    /// All records.
    All,
    /// A part of the only file.
    Part(InputPart),
    /// No record: the file has fewer parts.
    Nothing,
}

impl Portion {
    /// Finds the part that the options name. Reports errors.
    pub(crate) fn find(args: &PartArgs, input: &InputArgs, replay: &ReplayOptions) -> Result<Self, Exit> {
        let option = match (args.part, args.range) {
            (None, None) => return Ok(Self::All),
            (Some(_), _) => "--part",
            (None, Some(_)) => "--range",
        };
        let [path] = input.paths.as_slice() else {
            print_error(&format!("{option}: takes a single file"));
            return Err(Exit::Failure);
        };
        if path == Path::new("-") || path.is_dir() {
            print_error(&format!("{option}: takes a file, not {}", sanitize::path(path)));
            return Err(Exit::Failure);
        }
        let threads = input.threads.unwrap_or_else(pool::default_threads);
        let options = OpenOptions::new().map(input.mmap.into()).encoding(input.encoding);
        let range = match (args.part, args.range) {
            (Some(part), _) => archive::ranges(path, part.of, &options, threads)
                .map(|ranges| ranges.get(part.number.get() - 1).copied()),
            (None, Some(range)) => {
                archive::range_at(path, range.start, range.end, &options, threads).map(Some)
            }
            (None, None) => Ok(None),
        };
        let Some(range) = range.map_err(|error| fail(&error))? else { return Ok(Self::Nothing) };
        if range.end.is_none() {
            // The only part of a file that cannot be divided.
            return Ok(Self::All);
        }
        let head = match range.takes_head() {
            true => ArchiveHead::read(path, &options, replay).map_err(|error| fail(&error))?,
            false => ArchiveHead::default(),
        };
        Ok(Self::Part(InputPart { range, head }))
    }

    /// Returns `true` if the first record of the input is in it.
    pub(crate) fn begins_input(&self) -> bool {
        match self {
            Self::All => true,
            Self::Part(part) => part.range.start == 0,
            Self::Nothing => false,
        }
    }
}

impl InputPart {
    /// Opens the part of the file.
    pub(crate) fn open(&self, path: &Path, options: &OpenOptions) -> pdn::Result<Archive> {
        self.head.open_part(path, &self.range, options)
    }
}
