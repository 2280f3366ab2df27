//! Options, progress and result of an import.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::key_build::{KeyTableOptions, KeyTablesBuilt};
use crate::open::Index;
use crate::writer::SegmentOptions;
use pdn::error::{Error, Result};
use pdn::internal::source::Carrier;
use pdn::replay;
use pdn::replay::GameStatus;
use pdn::source::OpenOptions;

/// Options of [`import`](super::import).
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
/// use pdn_index::{ImportOptions, import};
///
/// let options = ImportOptions::new().append(true);
/// let first = "[White \"Ames\"]\n1. 32-28 19-23 1-1\n";
/// std::fs::write(&archive, first)?;
/// assert_eq!(import([&archive], &path, &options)?.games, 1);
///
/// // The archive has grown by a game. Only that game is read.
/// std::fs::write(&archive, format!("{first}\n[White \"Bell\"]\n1. 34-30 20-25 0-2\n"))?;
/// let summary = import([&archive], &path, &options)?;
/// assert_eq!((summary.games, summary.index_games), (1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ImportOptions {
    /// Number of worker threads. The index does not depend on it.
    pub threads: NonZeroUsize,
    /// Options for opening files.
    pub open: OpenOptions,
    /// Options for replaying games. [`ReplayOptions::prior`](replay::ReplayOptions::prior) is not used: the import
    /// determines it for each input.
    pub replay: replay::ReplayOptions,
    /// Size and contents of segments.
    #[doc(hidden)]
    pub segments: SegmentOptions,
    /// Append to the present index, if there is one. Unchanged files that it contains are skipped, and of files that have
    /// grown only the new games are read. The games of other changed files retire, and the files are read again.
    ///
    /// A file with the size and the modification time of the last import counts as unchanged, if it is at least two
    /// seconds older than that import; of other files a sample is compared.
    pub append: bool,
    /// When appending, retire the games of files that no longer exist.
    pub prune: bool,
    /// When appending, the folder that has the archives of the index now, if they were moved.
    pub root: Option<PathBuf>,
    /// Which key tables, books and openings are built after the games.
    #[doc(hidden)]
    pub key_tables: KeyTables,
    /// Least number of games with which a position is in a book; see `KeyTableOptions::book_games`. `None` for that of the present
    /// index when appending, else the default.
    pub book_games: Option<u64>,
}

/// The key tables, books and openings that an import builds after the games; see `build_key_tables`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum KeyTables {
    /// None: new segments have none.
    None,
    /// Those that are missing, if the index that is appended to has any.
    #[default]
    Keep,
    /// Those of all segments that have none.
    All,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self {
            threads: pdn::default_threads(),
            open: OpenOptions::default(),
            replay: replay::ReplayOptions::default(),
            segments: SegmentOptions::default(),
            append: false,
            prune: false,
            root: None,
            key_tables: KeyTables::Keep,
            book_games: None,
        }
    }
}

impl ImportOptions {
    /// Creates the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the number of worker threads.
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// Sets the options for opening files.
    #[must_use]
    pub fn open(mut self, open: OpenOptions) -> Self {
        self.open = open;
        self
    }

    /// Sets the options for replaying games.
    #[must_use]
    pub fn replay(mut self, replay: replay::ReplayOptions) -> Self {
        self.replay = replay;
        self
    }

    /// Sets the size and contents of segments.
    #[doc(hidden)]
    #[must_use]
    pub fn segments(mut self, segments: SegmentOptions) -> Self {
        self.segments = segments;
        self
    }

    /// Sets whether the index stores the text of its games, compressed. Without it, the text is read from the archive, and games of
    /// streams, of packed files and of files in UTF-16 have none. Needs the feature `compression`.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
    /// use pdn_index::{ImportOptions, Index, import};
    ///
    /// // In UTF-16.
    /// let text: Vec<u8> = "1. 32-28 {why} *".encode_utf16().flat_map(u16::to_le_bytes).collect();
    /// std::fs::write(&archive, text)?;
    /// import([&archive], &path, &ImportOptions::new().embed(true))?;
    /// let text = Index::open(&path)?.game(0).expect("a game").text()?;
    /// assert_eq!(text, b"1. 32-28 {why} *");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn embed(mut self, embed: bool) -> Self {
        self.segments.embed = embed;
        self
    }

    /// Sets whether to append to the present index.
    #[must_use]
    pub fn append(mut self, append: bool) -> Self {
        self.append = append;
        self
    }

    /// Sets whether to retire the games of files that no longer exist.
    #[must_use]
    pub fn prune(mut self, prune: bool) -> Self {
        self.prune = prune;
        self
    }

    /// Sets the folder that has the archives of the index now.
    #[must_use]
    pub fn root(mut self, root: Option<PathBuf>) -> Self {
        self.root = root;
        self
    }

    /// Sets which key tables, books and openings are built after the games.
    #[doc(hidden)]
    #[must_use]
    pub fn key_tables(mut self, tables: KeyTables) -> Self {
        self.key_tables = tables;
        self
    }

    /// Sets the least number of games with which a position is in a book.
    #[must_use]
    pub fn book_games(mut self, games: Option<u64>) -> Self {
        self.book_games = games;
        self
    }

    /// Returns how the key tables of the index in `dir` are built after the games; `None` if they are not. To be asked before the
    /// index is changed.
    pub(super) fn key_table_options(&self, dir: &Path) -> Option<KeyTableOptions> {
        let present = if self.append { Index::open(dir).ok() } else { None };
        let kept = present.as_ref().and_then(KeyTableOptions::of_index);
        let book = present.as_ref().and_then(Index::book_games);
        let options = match self.key_tables {
            KeyTables::None => None,
            KeyTables::Keep => kept,
            KeyTables::All => {
                let options = KeyTableOptions::new();
                Some(book.filter(|&games| games > 0).map_or(options, |games| options.book_games(games)))
            }
        };
        let options = options?.threads(self.threads);
        Some(self.book_games.map_or(options, |games| options.book_games(games)))
    }
}

/// The state of an import.
///
/// [`import_with`](crate::import_with) passes it, and has an example.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ImportProgress<'a> {
    /// Name of the input that is being read.
    pub name: &'a Path,
    /// Bytes read of the file, before decompression.
    pub read: u64,
    /// Length of the file in bytes, if known.
    pub total: Option<u64>,
    /// Games so far, of all inputs.
    pub games: u64,
    /// Legal plies so far, of all inputs.
    pub plies: u64,
    /// Bytes of text so far, of all inputs.
    pub bytes: u64,
    /// The plies that were played for key tables, and those to be played; `None` while games are imported. Both are 0 at first.
    pub key_tables: Option<(u64, u64)>,
}

/// A file, or the rest of one, that could not be read.
///
/// [`ImportSummary::failures`] lists them. Its source is the error, so that a program prints the whole chain.
#[derive(Debug)]
#[non_exhaustive]
pub struct ImportFailure {
    /// Name of the file or input.
    pub name: PathBuf,
    /// The reason.
    pub error: Error,
}

impl fmt::Display for ImportFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.error.path() {
            Some(path) if path == self.name => self.error.fmt(f),
            _ => write!(f, "{}: {}", self.name.display(), self.error),
        }
    }
}

impl std::error::Error for ImportFailure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // The error itself is part of the message.
        std::error::Error::source(&self.error)
    }
}

/// The result of an import. Every byte of text belongs to a game, and every game has a status.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
/// use pdn_index::{ImportOptions, import};
/// use pdn::replay::GameStatus;
///
/// // In the second game, White has to capture. The other file does not exist.
/// std::fs::write(&archive, "1. 32-28 19-23 1-1\n\n1. 32-28 19-23 2. 37-32 *\n")?;
/// let missing = folder.path().join("missing.pdn");
/// let summary = import([&archive, &missing], &path, &ImportOptions::new())?;
/// assert_eq!((summary.games, summary.with_status(GameStatus::Legal)), (2, 1));
/// assert_eq!(summary.rejects.into_iter().collect::<Vec<_>>(), [("R003", 1)]);
/// assert_eq!(summary.failures[0].name, missing);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct ImportSummary {
    /// Inputs read: files (empty ones included), streams, zip entries.
    pub files: u64,
    /// Files that were skipped because the index contains them unchanged.
    pub unchanged: u64,
    /// Files that had changed in another way than by growing, so that their games were replaced.
    pub replaced: u64,
    /// Those of them that have lost more than a tenth of their games.
    #[doc(hidden)]
    pub shrunk: Vec<ShrunkFile>,
    /// Files of the index that no longer exist, in the order of the index.
    pub missing: Vec<PathBuf>,
    /// Games that were retired, because their files were replaced or, with [`ImportOptions::prune`], no longer exist.
    pub retired: u64,
    /// Inputs that could not be read, or are not text ([`ErrorKind::Binary`](pdn::error::ErrorKind::Binary)).
    pub failures: Vec<ImportFailure>,
    /// Inputs whose games were taken out of another kind of text, such as JSON, in order.
    #[doc(hidden)]
    pub carriers: Vec<CarriedInput>,
    /// Games added.
    pub games: u64,
    /// Legal plies added.
    pub plies: u64,
    /// Bytes of text added.
    pub bytes: u64,
    /// Games added, by [`GameStatus`].
    #[doc(hidden)]
    pub statuses: [u64; GameStatus::ALL.len()],
    /// The time in which one thread wrote what the others had replayed, and completed the index: it does not shrink with the number of
    /// threads.
    #[doc(hidden)]
    pub one_thread: Duration,
    /// Rejected records added, by diagnostic code.
    pub rejects: BTreeMap<&'static str, u64>,
    /// Length of all files of the index, in bytes; see [`Index::disk_bytes`].
    pub index_bytes: u64,
    /// Number of games of the whole index.
    pub index_games: u64,
    /// What was built besides the games, or why it was not; `None` if [`ImportOptions::key_tables`] wants nothing. The games are in
    /// the index in any case, and every answer is the same without key tables.
    #[doc(hidden)]
    pub key_tables: Option<Result<KeyTablesBuilt>>,
}

/// An input whose games were taken out of another kind of text.
///
/// [`ImportSummary::carriers`] has it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CarriedInput {
    /// Name of the input.
    pub name: PathBuf,
    /// What it is.
    pub carrier: Carrier,
    /// Number of bytes around the games, which were left out.
    pub left_out: u64,
}

/// A changed file that has much fewer games than the index had of it.
///
/// [`ImportSummary::shrunk`] has it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ShrunkFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Number of games that the index had of it.
    pub games_before: u64,
    /// Number of games that it has now.
    pub games: u64,
}

impl ImportSummary {
    /// Returns the number of games added with a status.
    pub fn with_status(&self, status: GameStatus) -> u64 {
        self.statuses[status as usize]
    }
}
