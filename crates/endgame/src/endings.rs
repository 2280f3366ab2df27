//! A folder of endings: builds it slice by slice, and looks positions up.

use std::collections::HashMap;
use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use pdn_rules::Position;
use pdn_rules::rules::GameRules;

use super::error::EndgameError;
use super::numbers::PositionNumbers;
use super::slice::{MAX_PIECES, Slice};
use super::solve::{Solved, solve};
use super::source::{EndingSource, Place};
use super::table::{self, SliceSummary, TableFile, Value};

/// The endings of a game, in a folder.
///
/// A folder holds the endings of one game: a file for each slice, named after it as in `m1k1-m2k0.ending`, and a file `lock`, which keeps a
/// second process from building at the same time. Files can be copied and removed while nobody builds.
///
/// ```no_run
/// use std::num::NonZeroUsize;
/// use std::ops::ControlFlow;
/// use pdn_endgame::Endings;
/// use pdn_rules::Variant;
///
/// let endings = Endings::open("endings/italian", Variant::Italian)?;
/// let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
/// endings.build(4, threads, |slice| {
///     println!("{}: {} of {} positions won", slice.slice, slice.won, slice.positions);
///     ControlFlow::Continue(())
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Endings {
    place: Place,
    game: GameRules,
    /// The tables that were looked for; `None` for one that was not there.
    tables: RwLock<HashMap<Slice, Option<Arc<Table>>>>,
}

#[derive(Debug)]
struct Table {
    numbers: PositionNumbers,
    file: TableFile,
}

/// What a build has done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Built {
    /// The number of slices that were solved.
    pub solved: usize,
    /// The number of slices that were there before.
    pub present: usize,
    /// The slices that have no values under the rules of the game; see [`Slice::needs_streaks`].
    pub refused: Vec<Slice>,
    /// `true` if the caller ended the build.
    pub stopped: bool,
}

impl fmt::Debug for Endings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endings").field("place", &self.place).finish_non_exhaustive()
    }
}

impl Endings {
    /// Opens the folder of the endings of a game. It is created if there is none.
    ///
    /// Files that are asked are mapped, so no program may change or shorten one in place; removing and replacing them is safe.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn open(folder: impl AsRef<Path>, game: impl Into<GameRules>) -> Result<Self, EndgameError> {
        let folder = folder.as_ref().to_owned();
        create_folder(&folder).map_err(EndgameError::at(&folder))?;
        Ok(Self::at(Place::Folder(folder), game.into()))
    }

    /// Reads the endings of a game from a source. They can be asked; building is an error.
    ///
    /// A probe reads the beginning of one file, once, and some 250 bytes of it; a file of at most 64 KiB is read at once. Nothing else is
    /// kept, so a source that is far away should keep what was read.
    ///
    /// ```
    /// use pdn_endgame::{EndingSource, Endings, Value};
    /// use pdn_rules::{Position, Variant};
    /// # use std::{io, num::NonZeroUsize, ops::ControlFlow, path::PathBuf};
    ///
    /// /// Files in memory, for instance those that a program contains.
    /// #[derive(Debug)]
    /// struct Files(Vec<(String, Vec<u8>)>);
    ///
    /// impl EndingSource for Files {
    ///     fn len(&self, file: &str) -> io::Result<Option<u64>> {
    ///         Ok(self.0.iter().find(|(name, _)| name == file).map(|(_, bytes)| bytes.len() as u64))
    ///     }
    ///     fn read(&self, file: &str, offset: u64, into: &mut [u8]) -> io::Result<()> {
    ///         let file = self.0.iter().find(|(name, _)| name == file);
    ///         let (_, bytes) = file.ok_or(io::ErrorKind::NotFound)?;
    ///         into.copy_from_slice(&bytes[offset as usize..][..into.len()]);
    ///         Ok(())
    ///     }
    /// }
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # Endings::open(&folder, Variant::English)?.build(2, NonZeroUsize::MIN, |_| ControlFlow::Continue(()))?;
    /// # let name = "m0k1-m0k1.ending";
    /// # let files = Files(vec![(name.to_owned(), std::fs::read(folder.path().join(name))?)]);
    /// let endings = Endings::from_source(files, Variant::English);
    /// let position = Position::parse_fen(Variant::English, "W:WK7:BK12")?;
    /// assert_eq!(endings.probe(&position)?, Some(Value::Win { plies: 3 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_source(source: impl EndingSource + 'static, game: impl Into<GameRules>) -> Self {
        Self::at(Place::Source(Arc::new(source)), game.into())
    }

    fn at(place: Place, game: GameRules) -> Self {
        Self { place, game, tables: RwLock::default() }
    }

    /// Returns the slices with at most `pieces` pieces that have values under the rules of the game, in the order in which they are solved.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// let endings = pdn_endgame::Endings::open(folder.path(), pdn_rules::Variant::English)?;
    /// assert_eq!(endings.slices(3).len(), 16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slices(&self, pieces: u8) -> Vec<Slice> {
        let rules = &self.game.rules;
        let all = (2..=pieces.min(MAX_PIECES)).flat_map(Slice::all);
        all.filter(|slice| !slice.is_over(rules.ending) && !slice.has_streaks(rules)).collect()
    }

    /// Builds the tables that the folder lacks, of all endings with at most `pieces` pieces, on `threads` threads. Calls `solved` for each
    /// slice when its file is complete. `solved` may end the build after that slice, or after the one with the sides exchanged; the next
    /// build continues there.
    ///
    /// Takes three bytes of memory for each position of a slice and of the one with the sides exchanged, and two for each position of the
    /// slices that they lead to.
    ///
    /// # Errors
    /// If a file cannot be read or written, is damaged or of other rules; if another process builds in the folder, or there is none; for
    /// more than [`MAX_PIECES`]; if there is too little memory.
    pub fn build(
        &self,
        pieces: u8,
        threads: NonZeroUsize,
        mut solved: impl FnMut(&SliceSummary) -> ControlFlow<()>,
    ) -> Result<Built, EndgameError> {
        if pieces > MAX_PIECES {
            return Err(EndgameError::TooManyPieces);
        }
        let Place::Folder(folder) = &self.place else {
            return Err(EndgameError::at(Path::new("endings"))(io::ErrorKind::Unsupported.into()));
        };
        let _lock = lock(folder)?;
        let rules = &self.game.rules;
        let mut built = Built::default();
        let is_solvable = |slice: &Slice| !slice.is_over(rules.ending);
        for slice in (2..=pieces).flat_map(Slice::all).filter(is_solvable) {
            if slice.has_streaks(rules) {
                built.refused.push(slice);
                continue;
            }
            let exchanged = slice.exchanged();
            if exchanged < slice {
                // It was solved with that one.
                continue;
            }
            let is_pair = exchanged != slice;
            if self.table(slice)?.is_some() && (!is_pair || self.table(exchanged)?.is_some()) {
                built.present += 1 + usize::from(is_pair);
                continue;
            }
            let mut lower = [slice.leads_to(), exchanged.leads_to()].concat();
            lower.retain(is_solvable);
            lower.sort_unstable();
            lower.dedup();
            let lower = lower.into_iter().filter_map(|slice| self.read(slice).transpose());
            let lower = lower.collect::<Result<Vec<_>, _>>()?;
            for (slice, plies) in solve(&self.game, slice, &lower, threads)? {
                let summary = table::write(&self.place.path(slice), rules, slice, plies)?;
                self.tables.write().unwrap_or_else(PoisonError::into_inner).remove(&slice);
                built.solved += 1;
                built.stopped |= solved(&summary).is_break();
            }
            // Not between two slices that are solved together: the next build would solve both again.
            if built.stopped {
                break;
            }
        }
        Ok(built)
    }

    /// Returns the slices that are built, those with the fewest pieces first.
    ///
    /// ```
    /// use pdn_endgame::Endings;
    /// use pdn_rules::Variant;
    ///
    /// let folder = tempfile::tempdir()?;
    /// assert_eq!(Endings::open(folder.path(), Variant::English)?.built(), []);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn built(&self) -> Vec<Slice> {
        self.slices(MAX_PIECES).into_iter().filter(|slice| self.place.has(*slice)).collect()
    }

    /// Returns the value of a position for the side to move; `None` if the game goes on and its slice is not built, if a man stands on its
    /// last row, or if the position is of another board. Draws that depend on the moves before are not known.
    ///
    /// The position is taken to be one of the game of these endings. Costs generating its moves and reading half a block of 512 positions,
    /// about two microseconds. Several threads may ask at the same time.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged or of other rules.
    pub fn probe(&self, position: &Position) -> Result<Option<Value>, EndgameError> {
        let slice = Slice::of(position);
        let ending = self.game.rules.ending;
        if position.board() != self.game.rules.board || slice.pieces() > u32::from(MAX_PIECES) {
            return Ok(None);
        }
        if let Some(end) = position.end() {
            let is_won = end.winner == position.turn();
            return Ok(Some(if is_won { Value::Win { plies: 0 } } else { Value::Loss { plies: 0 } }));
        }
        if slice.exchanged().is_over(ending) {
            // Any move leaves the other side without a piece.
            return Ok(Some(table::value(ending, 1)));
        }
        let Some(table) = self.kept_table(slice)? else { return Ok(None) };
        let Table { numbers, file } = &*table;
        let Some(number) = numbers.number(position) else { return Ok(None) };
        Ok(Some(table::value(ending, file.plies(number)?)))
    }

    /// Returns the numbers of won, drawn and lost positions of a slice; `None` if it is not built.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged or of other rules.
    pub fn summary(&self, slice: Slice) -> Result<Option<SliceSummary>, EndgameError> {
        Ok(self.table(slice)?.map(|table| table.file.summary))
    }

    /// Reads the file of a slice to its end, and compares its values with its checksums and counts; `None` if it is not built.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged or of other rules; if there is too little memory.
    pub fn verify(&self, slice: Slice) -> Result<Option<SliceSummary>, EndgameError> {
        let Some(Table { file, .. }) = self.table(slice)? else { return Ok(None) };
        let summary = file.summary;
        if table::summary(&self.game.rules, slice, &file.read()?) != summary {
            let path = self.place.path(slice);
            return Err(EndgameError::Damaged { path, what: "its values do not fit its counts" });
        }
        Ok(Some(summary))
    }

    fn table(&self, slice: Slice) -> Result<Option<Table>, EndgameError> {
        let Some(numbers) = PositionNumbers::new(self.game, slice) else { return Ok(None) };
        let path = self.place.path(slice);
        let Some(bytes) = self.place.open(slice).map_err(EndgameError::at(&path))? else { return Ok(None) };
        let file = TableFile::open(&path, bytes, &self.game.rules, slice, numbers.count())?;
        Ok(Some(Table { numbers, file }))
    }

    fn read(&self, slice: Slice) -> Result<Option<Solved>, EndgameError> {
        let Some(Table { numbers, file }) = self.table(slice)? else { return Ok(None) };
        Ok(Some(Solved { numbers, plies: file.read()? }))
    }

    /// Returns the table of a slice, which is opened once.
    fn kept_table(&self, slice: Slice) -> Result<Option<Arc<Table>>, EndgameError> {
        if let Some(table) = self.tables.read().unwrap_or_else(PoisonError::into_inner).get(&slice) {
            return Ok(table.clone());
        }
        let table = self.table(slice)?.map(Arc::new);
        self.tables.write().unwrap_or_else(PoisonError::into_inner).insert(slice, table.clone());
        Ok(table)
    }
}

/// Keeps other processes from building in a folder until the file is dropped.
fn lock(folder: &Path) -> Result<File, EndgameError> {
    let path = folder.join("lock");
    let file = File::create(&path).map_err(EndgameError::at(&path))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(EndgameError::Busy { path: folder.to_owned() }),
        // Some file systems have no locks.
        _ => Ok(file),
    }
}

/// Creates a folder, and those that it stands in, so that they outlast a power cut.
fn create_folder(folder: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = folder.ancestors().take_while(|path| !path.exists()).collect();
    fs::create_dir_all(folder)?;
    // Elsewhere a folder cannot be synced.
    #[cfg(unix)]
    for path in missing.into_iter().filter(|path| !path.as_os_str().is_empty()) {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        File::open(parent.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    #[cfg(not(unix))]
    drop(missing);
    Ok(())
}
