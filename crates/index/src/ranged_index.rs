//! An index whose files are read by ranges.

use std::fmt;
use std::result::Result;
use std::sync::{Arc, Mutex, PoisonError};

use super::files::IndexFiles;
use super::files::ranged::{RangeSource, RangedFiles};
use super::open::Index;
use pdn::error::Error;

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
    pub fn open(source: impl RangeSource + 'static) -> pdn::Result<Self> {
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
    ) -> pdn::Result<Self> {
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
    pub fn ask<A, E: From<Error>>(&self, question: impl FnOnce(&T) -> Result<A, E>) -> Result<A, E> {
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
