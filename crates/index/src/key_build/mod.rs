//! Builds key tables from packed moves, and books and openings along with them.

mod builder;

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use self::builder::{KeyTableBuilder, MAX_ENTRIES};
use super::book::table::BookTable;
use super::book_build::{self, BookRequest, ComparingOutput, MAX_POSITIONS};
use super::folder::lock_for_writing;
use super::format::columns::Section;
use super::keys::KeyTable;
use super::open::Index;
use super::opening_build::{MAX_OPENINGS, OpeningRequest};
use super::openings::OpeningTable;
use super::segment::reader::Segment;
use pdn::error::{Error, ErrorKind, Result};
use pdn::internal::storage::{Disk, Output, Storage, TemporaryFile};

#[cfg(test)]
mod tests;

/// Options of [`build_key_tables`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct KeyTableOptions {
    /// Number of worker threads. The tables do not depend on it.
    pub threads: NonZeroUsize,
    /// Least number of games with which a position gets an entry in a book, so that its opening tree is looked up instead of
    /// counted, and with which openings are followed; 1000 by default, 0 for neither. A segment with a share of the games
    /// takes that share of the number, but at least 50.
    pub book_games: u64,
}

impl Default for KeyTableOptions {
    fn default() -> Self {
        Self { threads: pdn::default_threads(), book_games: 1000 }
    }
}

impl KeyTableOptions {
    /// Creates the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the options that keep the tables of an index up to date: the books have positions of as many games as now. `None` if
    /// no segment has a key table.
    pub fn of_index(index: &Index) -> Option<Self> {
        // A damaged table counts: it is built again.
        let has_keys = (0..index.segments().len()).any(|segment| !matches!(index.keys(segment), Ok(None)));
        has_keys.then(|| Self::new().book_games(index.book_games().unwrap_or(0)))
    }

    /// Sets the number of worker threads.
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// Sets the least number of games with which a position gets an entry in a book and openings are followed, 0 for neither.
    #[must_use]
    pub fn book_games(mut self, games: u64) -> Self {
        self.book_games = games;
        self
    }
}

/// The result of [`build_key_tables`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct KeyTablesBuilt {
    /// Number of tables that were built; valid ones are kept.
    pub tables: u64,
    /// Number of entries of all tables: distinct positions per game.
    pub entries: u64,
    /// Length of all tables together, in bytes.
    pub bytes: u64,
    /// Number of books that were built; valid ones are kept.
    pub books: u64,
    /// Number of positions in all books.
    pub book_positions: u64,
    /// Length of all books together, in bytes.
    pub book_bytes: u64,
    /// Number of segments whose openings were found; valid ones are kept.
    pub openings: u64,
    /// Length of all openings together, in bytes.
    pub opening_bytes: u64,
}

/// Builds the key tables of all segments of an index that have none or a damaged one, their books, and their openings.
///
/// A book that is damaged, counts games that are retired by now, or was made for another number of games is built again, and
/// so are openings that are damaged or were made for another number of games.
/// Each file appears in one step. If the process is killed, the index remains valid and query results are the same.
/// `progress` receives the number of plies that were played and of those to be played, and may break off.
///
/// # Errors
/// Fails if there is no index, another process is writing it, a segment is damaged, or the disk does not accept a
/// table; with [`io::ErrorKind::Interrupted`](std::io::ErrorKind::Interrupted) if `progress` breaks off.
pub fn build_key_tables(
    dir: impl AsRef<Path>,
    options: &KeyTableOptions,
    progress: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<KeyTablesBuilt> {
    build_on(&(Arc::new(Disk) as Arc<dyn Storage>), dir.as_ref(), options, progress)
}

/// Builds key tables as [`build_key_tables`] does, on any storage.
fn build_on(
    storage: &Arc<dyn Storage>,
    dir: &Path,
    options: &KeyTableOptions,
    mut progress: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<KeyTablesBuilt> {
    if !dir.is_dir() {
        return Err(Error::new(ErrorKind::NotAnIndex).at(dir));
    }
    let _lock = lock_for_writing(dir)?;
    let index = Index::open(dir)?;
    let mut built = KeyTablesBuilt::default();
    let missing: Vec<&Segment> = index
        .segments()
        .iter()
        .filter(|segment| {
            let table = KeyTable::open(segment).ok().flatten().filter(|keys| keys.check_pages().is_ok());
            if let Some(keys) = &table {
                built.entries += keys.len();
                built.bytes += keys.file_len();
            }
            table.is_none()
        })
        .collect();
    let plies = |segment: &&Segment| -> Result<u64> { Ok(segment.column(Section::Plies)?.values().sum()) };
    let total: u64 = missing.iter().map(plies).sum::<Result<u64>>()?;
    let mut plies_before = 0;
    for segment in missing {
        let path = KeyTable::path_of(segment);
        let segment_plies = plies(&segment)?;
        let (bytes, entries) = write_derived(storage, &path, |out| {
            let mut builder = KeyTableBuilder::new(segment, options.threads, MAX_ENTRIES)?;
            let report =
                &mut |share: f64| progress(plies_before + (share * segment_plies as f64) as u64, total);
            builder.write(out, report)
        })?;
        plies_before += segment_plies;
        built.tables += 1;
        built.entries += entries;
        built.bytes += bytes;
    }
    let mut report = || progress(total, total);
    for segment in 0..index.segments().len() {
        build_book(storage, &index, segment, options, &mut report, &mut built)?;
        build_openings(storage, &index, segment, options, &mut report, &mut built)?;
    }
    Ok(built)
}

/// Writes a file that is made from a segment: under a temporary name first, so that it appears in one step. Returns what
/// `write` returns.
fn write_derived<T>(
    storage: &Arc<dyn Storage>,
    path: &Path,
    write: impl FnOnce(&mut dyn Output) -> Result<T>,
) -> Result<T> {
    let mut tmp = path.as_os_str().to_owned();
    tmp.push(".tmp");
    let build = || -> Result<T> {
        let mut file = TemporaryFile::at(storage, tmp.into())?;
        let written = write(&mut file)?;
        file.rename(path)?;
        storage.sync_dir(path.parent().unwrap_or(Path::new(".")))?;
        Ok(written)
    };
    build().map_err(|error| error.at(path))
}

/// Removes a file that is made from a segment, if there is one.
fn remove_derived(storage: &dyn Storage, path: &Path) -> Result<()> {
    match storage.remove(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::from(error).at(path)),
        _ => Ok(()),
    }
}

/// Builds the book of a segment, unless it is valid, or removes it if no books are wanted.
fn build_book(
    storage: &Arc<dyn Storage>,
    index: &Index,
    number: usize,
    options: &KeyTableOptions,
    report: &mut dyn FnMut() -> ControlFlow<()>,
    built: &mut KeyTablesBuilt,
) -> Result<()> {
    let Some(segment) = index.segments().get(number) else { return Ok(()) };
    let path = BookTable::path_of(segment);
    if options.book_games == 0 {
        return remove_derived(&**storage, &path);
    }
    let basis = index.book_basis(number)?;
    let asked_games = options.book_games.min(u32::MAX.into());
    let is_valid = |book: &BookTable| {
        u64::from(book.footer.asked_games) == asked_games
            && book.footer.basis == basis
            && book.check_blocks().is_ok()
    };
    if let Some(book) = BookTable::open(segment).ok().flatten().filter(is_valid) {
        built.book_positions += book.len();
        built.book_bytes += book.file_len();
        return Ok(());
    }
    // Opened again: the table may have been built just now.
    let Some(keys) = KeyTable::open(segment)? else { return Ok(()) };
    let request = BookRequest {
        segment,
        keys: &keys,
        first_game: index.first_game(number).unwrap_or(0),
        live: &index.live_games(number),
        basis,
        asked_games,
        asked_here: book_build::asked_here(asked_games, segment.len() as u64, index.len()),
        max_positions: MAX_POSITIONS,
        threads: options.threads,
    };
    let (bytes, positions) = write_derived(storage, &path, |out| request.write(out, report))?;
    built.books += 1;
    built.book_positions += positions;
    built.book_bytes += bytes;
    Ok(())
}

/// Finds the openings of a segment, unless those that are there are valid, or removes them if no books are wanted.
fn build_openings(
    storage: &Arc<dyn Storage>,
    index: &Index,
    number: usize,
    options: &KeyTableOptions,
    report: &mut dyn FnMut() -> ControlFlow<()>,
    built: &mut KeyTablesBuilt,
) -> Result<()> {
    let Some(segment) = index.segments().get(number) else { return Ok(()) };
    let path = OpeningTable::path_of(segment);
    if options.book_games == 0 {
        return remove_derived(&**storage, &path);
    }
    let asked_games = options.book_games.min(u32::MAX.into());
    let is_valid = |openings: &OpeningTable| u64::from(openings.footer().asked_games) == asked_games;
    if let Some(openings) = OpeningTable::open(segment).ok().flatten().filter(is_valid) {
        built.opening_bytes += openings.file_len();
        return Ok(());
    }
    let request = OpeningRequest {
        segment,
        asked_games,
        asked_here: book_build::asked_here(asked_games, segment.len() as u64, index.len()),
        max_openings: MAX_OPENINGS,
        threads: options.threads,
    };
    let (bytes, _) = write_derived(storage, &path, |out| request.write(out, report))?;
    built.openings += 1;
    built.opening_bytes += bytes;
    Ok(())
}

/// Compares the key table of a segment with a new one made from the games on `threads` threads. `progress` receives the
/// finished share of the work, 0 to 1, and may break off.
///
/// # Errors
/// Fails with [`ErrorKind::IndexDamaged`] if they differ or the segment is damaged, and if `progress` breaks off.
pub(super) fn check(
    segment: &Segment,
    table: &KeyTable,
    threads: NonZeroUsize,
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<()> {
    table.check_pages()?;
    let mut output = ComparingOutput { rest: table.bytes(), is_equal: true };
    let mut builder = KeyTableBuilder::new(segment, threads, MAX_ENTRIES)?;
    builder.write(&mut output, progress)?;
    if output.is_equal && output.rest.is_empty() {
        return Ok(());
    }
    let problem = "its entries are not those of the games";
    Err(ErrorKind::IndexDamaged { section: "positions", problem }.into())
}
