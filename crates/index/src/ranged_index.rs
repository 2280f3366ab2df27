//! An index whose files are read by ranges, and how much of it is read for a question.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::extract::Extract;
use super::files::ranged::{RangeSource, RangedFiles};
use super::files::{FilePart, IndexFiles};
use super::format::column::Column;
use super::format::columns::{Section, TextColumn};
use super::open::Index;
use pdn::error::{Error, Result};

/// An index of which only the parts are read that questions need, from a [`RangeSource`]: files on a web server, for instance.
///
/// Every question has the answer that it has with the index in a folder, or is an error. What is read stays in memory, in pages of
/// a KiB, so that the next question reads less.
///
/// Not all of it is verified. The footers of files, the packed moves of games, key tables, books and openings are, and so are the
/// columns that a search looks through. Single values of columns, single names, and the places and checksums of packed moves are
/// not: a changed bit of these may change a row, as it would in a text. The index has no texts of games but those that are embedded.
///
/// ```
/// use pdn_index::internal::{RangeSource, RangedIndex};
/// use std::io::{Read, Seek, SeekFrom};
///
/// #[derive(Debug)]
/// struct Folder(std::path::PathBuf);
///
/// impl RangeSource for Folder {
///     fn len(&self, file: &str) -> std::io::Result<Option<u64>> {
///         Ok(std::fs::metadata(self.0.join(file)).ok().map(|file| file.len()))
///     }
///     fn read(&self, file: &str, offset: u64, into: &mut [u8]) -> std::io::Result<()> {
///         let mut file = std::fs::File::open(self.0.join(file))?;
///         file.seek(SeekFrom::Start(offset))?;
///         file.read_exact(into)
///     }
/// }
///
/// # let folder = tempfile::tempdir()?;
/// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
/// # std::fs::write(&archive, "[White \"Ames\"]\n1. 32-28 19-23 1-1\n")?;
/// # pdn_index::import([&archive], &path, &Default::default())?;
/// let index = RangedIndex::open(Folder(path))?;
/// let white = index.ask(|index| index.game(0).expect("one game").row().map(|row| row.white.to_owned()))?;
/// assert_eq!(white, "Ames");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RangedIndex<T = Index> {
    files: Arc<RangedFiles>,
    make: Box<dyn Fn(Index) -> T + Send + Sync>,
    /// What answers; `None` after a failure: what it has taken over from a part that could not be read is not known.
    opened: Mutex<Option<T>>,
}

impl<T> fmt::Debug for RangedIndex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RangedIndex").field("files", &self.files).finish_non_exhaustive()
    }
}

impl RangedIndex {
    /// Opens the index that has the file `manifest` of a source. Reads some pages of each segment.
    ///
    /// # Errors
    /// As [`Index::open`], and if the source cannot be read.
    pub fn open(source: impl RangeSource + 'static) -> Result<Self> {
        Self::open_as(source, |index| index)
    }
}

impl<T> RangedIndex<T> {
    /// Opens an index as [`open`](RangedIndex::open) does, for questions to what `make` makes of it: something that keeps results, for
    /// instance.
    ///
    /// # Errors
    /// As [`open`](RangedIndex::open).
    pub fn open_as(
        source: impl RangeSource + 'static,
        make: impl Fn(Index) -> T + Send + Sync + 'static,
    ) -> Result<Self> {
        let files = Arc::new(RangedFiles::new(Box::new(source)));
        let index = Self { files, make: Box::new(make), opened: Mutex::default() };
        index.ask(|_| Ok::<_, Error>(()))?;
        Ok(index)
    }

    /// Answers a question about the index. Questions of several threads are answered one after the other.
    ///
    /// After a failure of the source, the next question opens the index again, and reads again what it needs.
    ///
    /// # Errors
    /// That of the question, or that of the source: an answer counts only if all its parts could be read.
    pub fn ask<A, E: From<Error>>(
        &self,
        question: impl FnOnce(&T) -> std::result::Result<A, E>,
    ) -> std::result::Result<A, E> {
        let mut slot = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let opened = match slot.take() {
            Some(opened) => Ok(opened),
            None => Index::open_in(&IndexFiles::Ranged(Arc::clone(&self.files))).map(&self.make),
        };
        let answer = opened.map(|opened| {
            let answer = question(&opened);
            *slot = Some(opened);
            answer
        });
        if let Some(failure) = self.files.take_failure() {
            *slot = None;
            return Err(Error::from(failure).into());
        }
        answer?
    }
}

/// The greatest number of games of an index read by ranges whose moves and values are fetched one by one: they have some megabytes. More lie so
/// close that they are read in order.
const MAX_FETCHED_GAMES: u64 = 2_000;

/// How a question reads the values of some games of an index. If its files are read by ranges and the games are few, it reads what each game
/// needs, and all of it together before it begins; otherwise whole columns. Who asks for values need not know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading<'a> {
    index: &'a Index,
    is_single: bool,
}

impl Index {
    /// Returns the way to read the values of games for a question that concerns this number of them.
    pub(crate) fn reading(&self, games: u64) -> Reading<'_> {
        Reading { index: self, is_single: self.is_ranged() && games <= MAX_FETCHED_GAMES }
    }
}

impl<'a> Reading<'a> {
    /// Returns the extract of a segment if there is one and the values of single games are read.
    ///
    /// # Errors
    /// If the index is damaged, or the question has to be asked again.
    pub(crate) fn extract(self, segment: usize) -> Result<Option<&'a Extract>> {
        if self.is_single { self.index.extract(segment) } else { Ok(None) }
    }

    /// Returns a column of a segment: from the extract if that has it.
    ///
    /// # Errors
    /// If a section is damaged, or the question has to be asked again.
    pub(crate) fn column(self, segment: usize, section: Section) -> Result<Column<'a>> {
        match self.extract(segment)?.and_then(|extract| extract.column(section)) {
            Some(column) => Ok(column),
            None => self.index.segments()[segment].column(section),
        }
    }

    /// Returns a column that saves work and decides nothing; `None` if reading it takes longer than what it saves.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    pub(crate) fn saving_column(self, segment: usize, section: Section) -> Result<Option<Column<'a>>> {
        if self.is_single { Ok(None) } else { self.index.segments()[segment].column(section).map(Some) }
    }

    /// Reads columns of texts and their dictionaries as a whole if they are read by ranges, unless single values are read.
    ///
    /// # Errors
    /// If one of them is missing or damaged.
    pub(crate) fn read_texts(self, segment: usize, texts: &[TextColumn]) -> Result<()> {
        if self.is_single { Ok(()) } else { self.index.segments()[segment].read_whole(texts, &[]) }
    }

    /// Does what reads the values of all games together before they are asked for, unless whole columns are read.
    ///
    /// # Errors
    /// Those of `read`.
    pub(crate) fn prefetch(self, read: impl FnOnce() -> Result<()>) -> Result<()> {
        if self.is_single { read() } else { Ok(()) }
    }

    /// Reads what `expect` lists of a segment together before it is asked for, unless whole columns are read.
    ///
    /// # Errors
    /// If it cannot be read, or the question has to be asked again.
    pub(crate) fn prefetch_parts(
        self,
        segment: usize,
        expect: impl FnOnce(&mut Vec<FilePart<'a>>),
    ) -> Result<()> {
        self.prefetch(|| {
            let mut parts = Vec::new();
            expect(&mut parts);
            self.index.segments()[segment].fetch(&parts)
        })
    }
}
