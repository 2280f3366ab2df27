//! The archives that a question reads: each input is opened once, and its batches are worked on by many threads.

mod open_options;
mod hardly_pdn;
mod part;
mod batches;

#[cfg(feature = "index")]
pub(crate) use batches::note_carrier;
pub use batches::{BatchConsumer, BatchWork, process};
pub use part::{InputPart, PartNumber, Portion};

use std::num::NonZeroUsize;
use std::path::PathBuf;

use pdn::internal::replay::CandidateGame;
use pdn::source::{Bytes, Encoding, OpenOptions};
use pdn::value::ScoreOrder;

use crate::ask::options::options;

options! {
    /// How the games of archives are read.
    #[derive(Copy, Eq)]
    pub struct ReadOptions in "General options" {
        /// Variant of games that no tag names: a name such as russian or checkers, a GameType number or a GameType value [default:
        /// inferred]
        variant: Option<CandidateGame>, value "VARIANT", flag "untagged";
        /// Encoding of the text, such as cp1251 or latin1 [default: detected for each game]
        encoding: Option<Encoding>, value "NAME";
        /// Side that the first number of a score belongs to [default: first, unless games that end on the board show the other]
        scores: Option<ScoreOrder>, value "SIDE";
    }
}

options! {
    /// On how many threads a question is answered.
    #[derive(Copy, Eq)]
    pub struct Threads in "General options" {
        /// Number of worker threads [default: number of processors]
        threads: Option<usize>, value "N", range (1, 1024);
    }
}

impl Threads {
    /// Returns the number: that of the processors unless another is given.
    pub fn number(self) -> NonZeroUsize {
        self.threads.and_then(NonZeroUsize::new).unwrap_or_else(pdn::default_threads)
    }
}

/// Which archives are read, and how.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// Files, folders and `-` for standard input; or the folder of one index, for the archives that it was made of.
    pub paths: Vec<PathBuf>,
    /// How their games are read.
    pub read: ReadOptions,
    /// Whether files are mapped into memory, as [`ReadOptions::open`] describes.
    pub maps_files: bool,
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// Whether the files of searched folders that are not read are named, and not only counted.
    pub lists_skipped: bool,
    /// The text that `-` stands for; `None` for standard input.
    pub text: Option<Bytes>,
}

impl Inputs {
    /// Chooses all records of these paths, whose encodings are detected, on all threads of the machine.
    pub fn new(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let paths = paths.into_iter().collect();
        let threads = pdn::default_threads();
        Self {
            paths,
            read: ReadOptions::default(),
            maps_files: false,
            threads,
            lists_skipped: false,
            text: None,
        }
    }

    /// Chooses all records of a text in memory, whose encoding is detected, on one thread.
    pub fn of_text(text: Bytes) -> Self {
        Self { threads: NonZeroUsize::MIN, text: Some(text), ..Self::new([PathBuf::from("-")]) }
    }

    /// Returns how a file is opened.
    pub fn open_options(&self) -> OpenOptions {
        self.read.open(self.maps_files)
    }
}
