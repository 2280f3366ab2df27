//! Reads a whole archive, a file, stream or zip, game by game, on one thread or on many.
//!
//! Records travel in [`Batch`]es of about half a megabyte. A batch shares the mapped file or owns the bytes that were read,
//! so memory stays flat for inputs of any length. In an input that is in memory as a whole, such as a mapped file, the
//! records of a batch are found by the thread that works on it, several batches at once. The
//! records of a stream are found while it is read. Mapped and streamed inputs give the same games, on any number of threads.
//!
//! | you want | see |
//! |---|---|
//! | the games of many files or folders | [`Archive::open_all`] |
//! | one game after another | [`Archive::games`] |
//! | a result per game from many threads, as an iterator | [`Archive::par_games`] |
//! | the same with borrowed data, in a closure | [`Archive::par_each`] |
//! | the records of half a megabyte together | [`Archive::batches`] |
//!
//! In the hidden module `internal`, `ranges` and `ArchiveHead::open_part` read parts of one file on several machines.
//!
//! # Line and column of a diagnostic
//!
//! [`InputLines`] gives them, if it is passed every record in order.
//!
//! The byte offset of a diagnostic in its file is `game.offset() + u64::from(diagnostic.span.start)`. A UTF-16 file
//! is read as UTF-8, so there it is the offset in that text.
//!
//! # Example
//!
//! ```
//! use pdn::archive::Archive;
//! use pdn::source::OpenOptions;
//! use pdn::value::TagName;
//!
//! let text = &b"[Wit \"Wiersma\"]\n1. 32-28 19-23 *\n\n[White \"Sijbrands\"]\n1. 33-29 *\n"[..];
//! let mut found = Vec::new();
//! for game in Archive::from_reader(text, "games.pdn", &OpenOptions::new())? {
//!     let game = game?;
//!     let white = game.text(TagName::White).unwrap_or_default();
//!     found.push(format!("{} {}: {white}", game.name().display(), game.number()));
//! }
//! assert_eq!(found, ["games.pdn 1: Wiersma", "games.pdn 2: Sijbrands"]);
//! # Ok::<(), pdn::Error>(())
//! ```

use std::fs::File;
use std::io::Read;
use std::iter::FusedIterator;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::pool;
use crate::source::{self, Bytes, Encoding, Inputs, OpenOptions, Stream};
use crate::value::ScoreOrder;

mod records;
mod head;
mod batch;
mod batches;
mod input_record;
mod game;
mod input_lines;
pub(crate) mod ranges;

pub use batch::Batch;
pub use batches::Batches;
pub(crate) use batches::GivenHead;
pub use game::{ArchiveGame, ArchiveGames, GameRef};
pub(crate) use head::{InputHead, Note};
pub use input_lines::{InputLines, RecordLines};
pub use input_record::InputRecord;
pub(crate) use ranges::RecordRange;

/// An archive that has been opened and not yet read.
///
/// ```no_run
/// # fn main() -> pdn::Result<()> {
/// use pdn::archive::Archive;
/// use pdn::value::TagName;
///
/// for game in Archive::open("games.pdn")?.games() {
///     let game = game?;
///     println!("{:?} plays {} moves", game.text(TagName::White), game.view().moves().count());
/// }
/// # Ok(())
/// # }
/// ```
#[doc(alias = "pgn", alias = "reader")]
#[derive(Debug)]
pub struct Archive {
    inputs: Inputs,
    forced: Option<Encoding>,
    scores: Option<ScoreOrder>,
    limits: Limits,
    /// Read binary inputs as if they were text.
    binary: bool,
    batch_bytes: usize,
    /// Release the pages of a mapped file once they are read.
    release_pages: bool,
    /// The part of the only input that is read; `None` for all.
    part: Option<batches::Part>,
    /// The head of the only input, if later records decide nothing about it.
    given: Option<GivenHead>,
}

impl Archive {
    /// Opens the file `path` with the default options. It is read, not mapped, so another program that changes it meanwhile can cause
    /// an error, and nothing worse.
    ///
    /// # Errors
    ///
    /// The path cannot be opened, is a folder, or is a container that cannot be read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, &OpenOptions::new())
    }

    /// Opens `path` with options for encodings, containers and the mapping of files.
    ///
    /// # Errors
    ///
    /// As [`Archive::open`].
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Self> {
        Ok(Self::new(source::open(path, options)?, options))
    }

    /// Opens a file that is open already, from its first byte on, so that it can be asked for more than its games and is the same file
    /// each time. Its position is shared: nothing else may read it until the archive was read. Messages call it `path`.
    ///
    /// # Errors
    ///
    /// As [`Archive::open`].
    #[doc(hidden)]
    pub fn from_file(file: File, path: impl AsRef<Path>, options: &OpenOptions) -> Result<Self> {
        Ok(Self::new(source::open_file(file, path.as_ref(), options)?, options))
    }

    /// Returns `true` if offsets in the text are offsets in its file, which is neither packed nor changed while it is read. Reads nothing.
    #[doc(hidden)]
    pub fn has_file_offsets(&self) -> bool {
        self.inputs.has_file_offsets()
    }

    /// Opens files and folders as one archive: the games of the first file, then those of the second, and so on, worked on by the same
    /// threads. Folders become the PDN files in and below them; see [`walk`](source::walk).
    ///
    /// A file is opened when the games before it have been read. That a file cannot be opened or read to its end is an error in the
    /// sequence; the other files follow.
    ///
    /// ```no_run
    /// use pdn::archive::Archive;
    /// use pdn::source::OpenOptions;
    ///
    /// let archive = Archive::open_all(["club", "world-cup.pdn.gz"], &OpenOptions::new());
    /// for game in archive.games() {
    ///     match game {
    ///         Ok(game) => println!("{}: game {}", game.name().display(), game.number()),
    ///         Err(error) => eprintln!("{error}"),
    ///     }
    /// }
    /// ```
    pub fn open_all<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>, options: &OpenOptions) -> Self {
        Self::new(source::open_files(source::walk(paths), options), options)
    }

    /// Opens an archive that is read from `reader`. Messages call it `name`.
    ///
    /// # Errors
    ///
    /// As [`Archive::open`]. A zip is read to its end first, so it must not exceed
    /// [`SourceLimits::zip_spool`](crate::source::SourceLimits::zip_spool).
    pub fn from_reader(
        reader: impl Read + Send + 'static,
        name: impl Into<PathBuf>,
        options: &OpenOptions,
    ) -> Result<Self> {
        Ok(Self::new(source::from_reader(reader, name, options)?, options))
    }

    /// Opens an archive that is in memory as a whole and may be shared. Messages call it `name`.
    ///
    /// ```
    /// # fn main() -> pdn::Result<()> {
    /// use pdn::archive::Archive;
    /// use pdn::source::{Bytes, OpenOptions};
    ///
    /// let bytes = Bytes::from(b"1. 32-28 19-23 *\n1. 33-29 *\n".to_vec());
    /// for _ in 0..2 {
    ///     let archive = Archive::from_bytes(bytes.clone(), "two games", &OpenOptions::new())?;
    ///     assert_eq!(archive.games().count(), 2);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Archive::open`].
    pub fn from_bytes(bytes: Bytes, name: impl Into<PathBuf>, options: &OpenOptions) -> Result<Self> {
        let archive = Self::new(source::from_bytes(bytes, name, options)?, options);
        // Other readers may share the mapping and still need its pages.
        Ok(Self { release_pages: false, ..archive })
    }

    /// Opens a part of `path`. `head` is that of the whole file, if it decides about the range.
    pub(crate) fn part(
        path: &Path,
        range: &RecordRange,
        head: GivenHead,
        options: &OpenOptions,
    ) -> Result<Self> {
        let Some(end) = range.end else {
            source::unchanged_file(path, range.file_len).map_err(|error| error.at(path))?;
            return Self::open_with(path, options);
        };
        let inputs = source::open_from(path, range.start, range.file_len, options)?;
        Ok(Self { part: Some(range.part(end)), ..Self::new(inputs, options) }.with_head(head))
    }

    /// Opens a part of a file that is read from `reader`, from the start of the part on; see [`part`](Self::part).
    pub(crate) fn part_from_reader(
        reader: impl Read + Send + 'static,
        name: PathBuf,
        range: &RecordRange,
        head: GivenHead,
        options: &OpenOptions,
    ) -> Result<Self> {
        let Some(end) = range.end else { return Self::from_reader(reader, name, options) };
        let inputs = source::rest_from_reader(Box::new(reader), &name, range.start, range.file_len);
        Ok(Self { part: Some(range.part(end)), ..Self::new(inputs, options) }.with_head(head))
    }

    fn new(inputs: Inputs, options: &OpenOptions) -> Self {
        let (limits, batch_bytes) = (Limits::DEFAULT, Stream::CHUNK);
        Self {
            inputs,
            forced: options.encoding,
            scores: options.scores,
            limits,
            binary: options.binary,
            batch_bytes,
            release_pages: true,
            part: None,
            given: None,
        }
    }

    /// Takes `head` as that of the only input, and not what its first records decide.
    #[doc(hidden)]
    pub fn with_head(mut self, head: GivenHead) -> Self {
        self.given = Some(head);
        self
    }

    /// Sets the limits for records. They also hold for the replayers, checkers and writers of the games, unless their own options
    /// set others.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the approximate size of a batch in bytes, 1 byte to 1 GiB; other values are clamped.
    ///
    /// A record belongs to the batch that it starts in. No result depends on this size.
    #[must_use]
    pub fn batch_bytes(mut self, bytes: usize) -> Self {
        self.batch_bytes = bytes.clamp(1, 1 << 30);
        self
    }

    /// Iterates over the games in the order of the archive.
    ///
    /// An error concerns one input. It follows the games that were read from this input, and the games of the next inputs
    /// follow it.
    pub fn games(self) -> ArchiveGames {
        ArchiveGames::new(self.batches())
    }

    /// Iterates over the games in batches, in the order of the archive. Errors are as in [`Archive::games`].
    ///
    /// This is the form with the least overhead. The records of a mapped file are found on the first access to their batch,
    /// so send batches to worker threads before looking into them.
    pub fn batches(self) -> Batches {
        let batches =
            Batches::new(self.inputs, self.forced, self.limits, self.batch_bytes, self.release_pages);
        batches.binary(self.binary).scores(self.scores).part(self.part).given(self.given)
    }

    /// Iterates over the results of `work` for each game, in the order of the archive, computed on `threads` worker threads.
    ///
    /// `scratch` creates the working memory that a worker keeps from game to game. Closures that borrow from the caller are
    /// possible with [`Archive::par_each`]. Errors are as in [`Archive::games`].
    ///
    /// ```
    /// # fn main() -> pdn::Result<()> {
    /// use pdn::archive::Archive;
    /// use pdn::ast::{Arena, TreeBuilder};
    /// use pdn::source::OpenOptions;
    ///
    /// let text = &b"1. 32-28 19-23 *\n1. 33-29 *\n"[..];
    /// let archive = Archive::from_reader(text, "two games", &OpenOptions::new())?;
    /// let scratch = || (TreeBuilder::new(), Arena::new());
    /// let plies = archive.par_games(pdn::default_threads(), scratch, |(builder, arena), game| {
    ///     arena.reset();
    ///     builder.build(game.raw(), arena).moves().count()
    /// });
    /// assert_eq!(plies.collect::<pdn::Result<Vec<_>>>()?, [2, 1]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Panics
    ///
    /// A panic of `scratch` or `work` on a worker thread is resumed by the iterator's `next`, after the results of earlier
    /// batches.
    pub fn par_games<S, T: Send + 'static>(
        self,
        threads: NonZeroUsize,
        scratch: impl Fn() -> S + Send + Sync + 'static,
        work: impl Fn(&mut S, GameRef<'_>) -> T + Send + Sync + 'static,
    ) -> impl FusedIterator<Item = Result<T>> {
        let results = pool::map(self.batches(), threads, scratch, move |scratch, batch| {
            batch.map(|batch| batch.games().map(|game| work(scratch, game)).collect::<Vec<T>>())
        });
        results
            .flat_map(|batch| match batch {
                Ok(results) => BatchResults::Done(results.into_iter()),
                Err(error) => BatchResults::Failed(Some(error)),
            })
            .fuse()
    }

    /// Calls `work` for each game on `threads` threads, and `consume` with the results in the order of the archive.
    ///
    /// As [`Archive::par_games`], but the closures may borrow from the caller, because the threads end before this method
    /// returns. `consume` runs on the caller's thread and stops the reading with [`ControlFlow::Break`].
    ///
    /// ```
    /// # fn main() -> pdn::Result<()> {
    /// use std::ops::ControlFlow;
    /// use pdn::archive::Archive;
    /// use pdn::source::OpenOptions;
    /// use pdn::value::TagName;
    ///
    /// let text = &b"[White \"Wiersma\"] 1. 32-28 *\n[White \"Sijbrands\"] 1. 33-29 *\n"[..];
    /// let archive = Archive::from_reader(text, "two games", &OpenOptions::new())?;
    /// let player = String::from("Sijbrands");
    /// let mut numbers = Vec::new();
    /// archive.par_each(
    ///     pdn::default_threads(),
    ///     || (),
    ///     |(), game| game.text(TagName::White).filter(|name| *name == player).map(|_| game.number()),
    ///     |number| {
    ///         numbers.extend(number);
    ///         ControlFlow::Continue(())
    ///     },
    /// )?;
    /// assert_eq!(numbers, [2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The first error in the order of the archive; the results before it have been consumed, and no further input is read.
    ///
    /// # Panics
    ///
    /// If `scratch`, `work` or `consume` panics.
    pub fn par_each<S, T: Send>(
        self,
        threads: NonZeroUsize,
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, GameRef<'_>) -> T + Sync,
        mut consume: impl FnMut(T) -> ControlFlow<()>,
    ) -> Result<()> {
        let work_batch = |scratch: &mut S, batch: Result<Batch>| {
            batch.map(|batch| batch.games().map(|game| work(scratch, game)).collect::<Vec<T>>())
        };
        pool::try_ordered(self.batches(), threads, scratch, work_batch, |results| {
            results.into_iter().try_for_each(&mut consume)
        })
    }
}

impl IntoIterator for Archive {
    type Item = Result<ArchiveGame>;
    type IntoIter = ArchiveGames;

    /// As [`Archive::games`].
    fn into_iter(self) -> ArchiveGames {
        self.games()
    }
}

/// The results of one batch, or the error that was read in its place.
enum BatchResults<T> {
    Done(std::vec::IntoIter<T>),
    Failed(Option<Error>),
}

impl<T> Iterator for BatchResults<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        match self {
            Self::Done(results) => results.next().map(Ok),
            Self::Failed(error) => error.take().map(Err),
        }
    }
}

#[cfg(test)]
mod tests;
