//! The archives that a question reads: each input is opened once, and its batches are worked on by many threads.

mod open_options;
mod hardly_pdn;
mod part;
mod batches;

#[cfg(feature = "index")]
pub(crate) use batches::note_carrier;
pub use batches::{BatchConsumer, BatchWork, process};
pub use open_options::open_options;
pub use part::{InputPart, PartNumber, Portion};

use std::num::NonZeroUsize;
use std::path::PathBuf;

use pdn::source::{Bytes, Encoding, OpenOptions};
use pdn::value::ScoreOrder;

/// Which archives are read, and how.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// Files, folders and `-` for standard input; or the folder of one index, for the archives that it was made of.
    pub paths: Vec<PathBuf>,
    /// The encoding; `None` to detect it.
    pub encoding: Option<Encoding>,
    /// The side that the first numbers of scores belong to; `None` for what the games show.
    pub scores: Option<ScoreOrder>,
    /// Whether files are mapped into memory, as [`open_options`] describes.
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
            encoding: None,
            scores: None,
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
        open_options(self.encoding, self.maps_files).scores(self.scores)
    }
}
