//! Opens an index: its segments in order, as one table of games.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::book::parts::TreeParts;
use super::book::table::{self as book_table, BookTable, EntryContext};
use super::earlier::EarlierGames;
use super::extract::{self as extract_table, Extract};
use super::files::IndexFiles;
use super::format::columns::{Section, TextColumn};
use super::game_set::GameSet;
use super::keys::{self as key_table, KeyTable};
use super::manifest::{self, Manifest};
use super::openings::{self as opening_table, OpeningTable};
use super::row::game_row::{GameKind, GameRow};
use super::row::input::{IndexedInput, relocate};
use super::segment::reader::{RecordLocation, Segment};
use super::{folder, retire};
use crate::pack::{UnpackedPly, unpack, unpack_position};
use pdn::error::{Error, ErrorKind, Result};
use pdn::position::Position;
use pdn::replay::GameStatus;
use pdn::source::{Bytes, Decoder};

/// An index that has been opened for reading.
///
/// Opening costs a few system calls per segment. Sections are read when they are first used.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
/// use pdn_index::{ImportOptions, Index, import};
///
/// std::fs::write(&archive, "[White \"Ames\"]\n1. 32-28 19-23 1-1\n\n[White \"Bell\"]\n1. 34-30 20-25 0-2\n")?;
/// import([&archive], &path, &ImportOptions::new())?;
/// let index = Index::open(&path)?;
/// let mut names = Vec::new();
/// for game in index.games() {
///     names.push(game.row()?.white);
/// }
/// assert_eq!((index.game_count(), names), (2, vec!["Ames", "Bell"]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Index {
    dir: PathBuf,
    files: IndexFiles,
    manifest: Manifest,
    segments: Vec<Segment>,
    /// Number of the first game of each segment, and last the number of games.
    starts: Vec<u64>,
    /// Key table of each segment, opened at its first use.
    keys: Vec<OnceLock<Option<KeyTable>>>,
    /// Book of each segment, opened at its first use.
    books: Vec<OnceLock<Option<BookTable>>>,
    /// Openings of each segment, opened at their first use.
    openings: Vec<OnceLock<Option<OpeningTable>>>,
    /// Extract of each segment, opened at its first use.
    extracts: Vec<OnceLock<Option<Extract>>>,
    /// Tables that were found to be damaged, or of another version.
    unusable: Mutex<BTreeSet<PathBuf>>,
    /// Retired games of each segment; empty if there are none at all.
    retired: Vec<GameSet>,
    /// Decoder of each input, made at its first use.
    pub(super) decoders: Vec<OnceLock<Decoder>>,
    /// See [`earlier_games`](Self::earlier_games).
    earlier: Mutex<Option<Arc<EarlierGames>>>,
}

impl Index {
    /// Opens the index in a folder, which only this library may write to while the index is open. O(1) for each segment.
    ///
    /// The files are mapped into memory. The library replaces them and never changes them in place; if another program overwrites or
    /// shortens one of them, no result of this process can be relied on, or the system ends it. [`read`](Self::read) maps nothing.
    ///
    /// ```no_run
    /// # fn main() -> pdn::Result<()> {
    /// let index = pdn_index::Index::open("games.idx")?;
    /// println!("{} games", index.len());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if there is no index, it has a newer version, or a part is missing, truncated, or not the one that the
    /// manifest lists.
    pub fn open(dir: impl Into<PathBuf>) -> Result<Self> {
        Self::open_from(&IndexFiles::Disk, dir.into())
    }

    /// Reads the index in a folder into memory, for a folder that other programs may write to: a file that they damage or shorten is an
    /// error, whenever it happens. O(bytes of the segments); tables of keys and openings are read at their first use.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn read(dir: impl Into<PathBuf>) -> Result<Self> {
        Self::open_from(&IndexFiles::Read, dir.into())
    }

    /// Opens the index again if games were added, retired or merged since it was opened, perhaps by another process; `None` if not, for
    /// the price of reading the manifest. This index stays what it is, for answers that are still to be read.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let [first, second, path] = ["a.pdn", "b.pdn", "games.idx"].map(|name| folder.path().join(name));
    /// # std::fs::write(&first, "[White \"Ames\"]\n1. 32-28 19-23 1-1\n")?;
    /// # std::fs::write(&second, "[White \"Bell\"]\n1. 32-28 19-23 1-1\n")?;
    /// use pdn_index::{ImportOptions, Index, import};
    ///
    /// import([&first], &path, &ImportOptions::new())?;
    /// let mut index = Index::open(&path)?;
    /// import([&second], &path, &ImportOptions::new().append(true))?;
    /// assert_eq!(index.len(), 1);
    /// if let Some(newer) = index.newer()? {
    ///     index = newer;
    /// }
    /// assert_eq!(index.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn newer(&self) -> Result<Option<Self>> {
        if !matches!(self.files, IndexFiles::Disk | IndexFiles::Read) {
            return Ok(None);
        }
        let manifest = Manifest::read_in(&self.files, &self.dir)?;
        if manifest.is_some_and(|manifest| manifest.digest() == self.digest()) {
            return Ok(None);
        }
        Self::open_from(&self.files, self.dir.clone()).map(Some)
    }

    fn open_from(files: &IndexFiles, dir: PathBuf) -> Result<Self> {
        let mut before = None;
        let none = || Error::new(ErrorKind::NotAnIndex).at(&dir);
        if dir.is_file() {
            return Err(none());
        }
        loop {
            let manifest = Manifest::read_in(files, &dir)?.ok_or_else(none)?;
            match Self::open_listed(files, &dir, &manifest) {
                Ok(index) => return Ok(index),
                // A writer may have replaced the index between the two steps. Then the manifest has changed, and
                // opening starts over.
                Err(_) if before.as_ref() != Some(&manifest) => before = Some(manifest),
                Err(error) => return Err(error),
            }
        }
    }

    /// Opens an index whose files are in no folder. Nothing is read of archives.
    pub(super) fn open_in(files: &IndexFiles) -> Result<Self> {
        let dir = Path::new("");
        let mut manifest = Manifest::read_in(files, dir)?
            .ok_or_else(|| Error::new(ErrorKind::NotAnIndex).at(manifest::FILE_NAME))?;
        // The paths are those of another system.
        manifest.inputs.iter_mut().for_each(|input| input.path = None);
        Self::open_listed(files, dir, &manifest)
    }

    /// Opens an index whose files are in memory, with their names: `manifest`, and those that it lists. Key tables, books and openings
    /// may be missing.
    ///
    /// The index has no texts of games but those that are embedded.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
    /// # std::fs::write(&archive, "[White \"Ames\"]\n1. 32-28 19-23 1-1\n")?;
    /// # pdn_index::import([&archive], &path, &Default::default())?;
    /// use pdn_index::Index;
    /// use pdn::source::Bytes;
    ///
    /// let files = ["manifest", "segment-00000001.pdns"];
    /// let files = files.map(|name| Ok((name.to_owned(), Bytes::from(std::fs::read(path.join(name))?))));
    /// let index = Index::from_files(files.into_iter().collect::<std::io::Result<_>>()?)?;
    /// assert_eq!(index.game(0).expect("one game").row()?.white, "Ames");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`open`](Self::open).
    #[doc(hidden)]
    pub fn from_files(files: BTreeMap<String, Bytes>) -> Result<Self> {
        Self::open_in(&IndexFiles::Memory(Arc::new(files)))
    }

    /// Opens the segments of a manifest.
    fn open_listed(files: &IndexFiles, dir: &Path, manifest: &Manifest) -> Result<Self> {
        let mut segments = Vec::with_capacity(manifest.segments.len());
        let mut starts = vec![0];
        for entry in &manifest.segments {
            let path = dir.join(entry.file());
            let segment = Segment::open_in(files, path.clone()).map_err(|error| match error.kind() {
                ErrorKind::Io(cause) if cause.kind() == io::ErrorKind::NotFound => {
                    let problem = "a file that it lists is missing";
                    Error::new(ErrorKind::IndexDamaged { section: "manifest", problem }).at(&path)
                }
                _ => error,
            })?;
            let written = &entry.info;
            let is_same = segment.file_len() == written.len && segment.checksum() == written.checksum;
            if !is_same || segment.len() != written.games as usize {
                let problem = "it is not the segment that the manifest lists";
                return Err(Error::new(ErrorKind::IndexDamaged { section: "footer", problem }).at(path));
            }
            starts.push(starts.last().unwrap_or(&0) + segment.len() as u64);
            segments.push(segment);
        }
        let keys = segments.iter().map(|_| OnceLock::new()).collect();
        let books = segments.iter().map(|_| OnceLock::new()).collect();
        let openings = segments.iter().map(|_| OnceLock::new()).collect();
        let extracts = segments.iter().map(|_| OnceLock::new()).collect();
        let mut retired = Vec::new();
        if manifest.inputs.iter().any(|input| input.is_retired) {
            let of_segment = |segment| retire::retired_games(segment, &manifest.inputs);
            retired = segments.iter().map(of_segment).collect::<Result<_>>()?;
        }
        let decoders = manifest.inputs.iter().map(|_| OnceLock::new()).collect();
        Ok(Self {
            dir: dir.to_owned(),
            files: files.clone(),
            manifest: manifest.clone(),
            segments,
            starts,
            keys,
            books,
            openings,
            extracts,
            unusable: Mutex::default(),
            retired,
            decoders,
            earlier: Mutex::default(),
        })
    }

    /// Returns a hash of the checksums and lengths of the segments and, for each input, of the length of its text and whether
    /// it is retired. It changes when games are added, retired or merged, and serves as a key of caches.
    pub fn digest(&self) -> u64 {
        self.manifest.digest()
    }

    /// Returns the earlier games with each position, which `find` finds once; they are kept as long as the index is open. Calls at the
    /// same time wait for each other.
    ///
    /// # Errors
    /// Those of `find`, which the next call repeats.
    pub(crate) fn earlier_games(
        &self,
        find: impl FnOnce() -> Result<EarlierGames>,
    ) -> Result<Arc<EarlierGames>> {
        let mut kept = self.earlier.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*kept {
            return Ok(Arc::clone(known));
        }
        Ok(Arc::clone(kept.insert(Arc::new(find()?))))
    }

    /// Returns the earlier games with each position if they have been found.
    pub(crate) fn known_earlier_games(&self) -> Option<Arc<EarlierGames>> {
        self.earlier.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns what the manifest lists.
    pub(super) fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the folder of the index.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns the number of games that have numbers, retired ones included: all numbers are below it. See
    /// [`game_count`](Self::game_count).
    pub fn len(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Returns the number of games without retired ones.
    pub fn game_count(&self) -> u64 {
        self.len() - self.retired.iter().map(GameSet::len).sum::<u64>()
    }

    /// Returns the games of a segment that are not retired. Games retire when their file is replaced or removed.
    #[doc(hidden)]
    pub fn live_games(&self, segment: usize) -> GameSet {
        let all = GameSet::first(self.segments.get(segment).map_or(0, Segment::len) as u32);
        self.retired.get(segment).map_or_else(|| all.clone(), |retired| &all - retired)
    }

    /// Returns the retired games of a segment; `None` if the whole index has none.
    #[doc(hidden)]
    pub fn retired_games(&self, segment: usize) -> Option<&GameSet> {
        self.retired.get(segment)
    }

    /// Reads archives below `root` from now on, for archives that were moved: the beginning that their paths have in
    /// common, or part of it, is replaced by `root`. The index on the disk does not change.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::NoArchiveHere`] if none of the archives is found below `root`.
    #[doc(hidden)]
    pub fn relocate(&mut self, root: &Path) -> Result<()> {
        if relocate(&mut self.manifest.inputs, root) {
            Ok(())
        } else {
            Err(Error::new(ErrorKind::NoArchiveHere).at(root))
        }
    }

    /// Removes the folders from the names of all inputs, so that answers of a server do not reveal them. Archives are still found.
    #[doc(hidden)]
    pub fn hide_folders(&mut self) {
        for input in &mut self.manifest.inputs {
            if let Some(name) = input.name.file_name() {
                input.name = name.into();
            }
        }
    }

    /// Returns `true` if the index has never contained a game.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns `true` if files are read by ranges, so that what is not read costs nothing.
    pub(crate) fn is_ranged(&self) -> bool {
        self.files.is_ranged()
    }

    /// Returns the segments, in the order of their games.
    #[doc(hidden)]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Returns the key table of a segment, opened when it is first asked for; `None` if there is none.
    ///
    /// # Errors
    /// If the table is damaged or belongs to another segment.
    #[doc(hidden)]
    pub fn keys(&self, segment: usize) -> Result<Option<&KeyTable>> {
        let (Some(slot), Some(data)) = (self.keys.get(segment), self.segments.get(segment)) else {
            return Ok(None);
        };
        if let Some(opened) = slot.get() {
            return Ok(opened.as_ref());
        }
        let keys = KeyTable::open(data)?;
        Ok(slot.get_or_init(|| keys).as_ref())
    }

    /// Returns the key table of a segment as [`keys`](Self::keys) does; `None` also if it cannot be used.
    ///
    /// # Errors
    /// If the index itself is damaged.
    #[doc(hidden)]
    pub fn readable_keys(&self, segment: usize) -> Result<Option<&KeyTable>> {
        self.or_without_table(self.keys(segment))
    }

    /// Returns what a key table, a book or openings say; `None` if the system cannot open or map the file, if it is damaged, and if it has
    /// another version. Every search finds the same without it. The two last are remembered for
    /// [`unusable_tables`](Self::unusable_tables).
    ///
    /// # Errors
    /// If the index itself is damaged.
    pub(crate) fn or_without_table<T>(&self, found: Result<Option<T>>) -> Result<Option<T>> {
        found.or_else(|error| {
            let is_table = |path: &&Path| {
                path.extension().is_some_and(|found| {
                    [key_table::FORMAT, book_table::FORMAT, opening_table::FORMAT, extract_table::FORMAT]
                        .iter()
                        .any(|own| found == own.extension)
                })
            };
            match (error.kind(), error.path().filter(is_table)) {
                // The question is asked again when parts of the file are there.
                (ErrorKind::Io(cause), _) if cause.kind() != io::ErrorKind::WouldBlock => Ok(None),
                (ErrorKind::IndexDamaged { .. } | ErrorKind::IndexVersion { .. }, Some(path)) => {
                    let mut unusable = self.unusable.lock().unwrap_or_else(PoisonError::into_inner);
                    unusable.insert(path.to_owned());
                    Ok(None)
                }
                _ => Err(error),
            }
        })
    }

    /// Returns the files of key tables, books and openings that were found to be damaged, or of another version, so far. Searches go on
    /// without them; the next import builds them again.
    #[doc(hidden)]
    pub fn unusable_tables(&self) -> Vec<PathBuf> {
        self.unusable.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Returns the book of a segment, opened when it is first asked for; `None` if there is none, it counts games that are
    /// retired by now, or it has no key table. Trees are the same without a book.
    ///
    /// # Errors
    /// If the book is damaged or belongs to another segment.
    pub(super) fn book(&self, segment: usize) -> Result<Option<&BookTable>> {
        let (Some(slot), Some(data)) = (self.books.get(segment), self.segments.get(segment)) else {
            return Ok(None);
        };
        if let Some(opened) = slot.get() {
            return Ok(opened.as_ref());
        }
        let mut book = BookTable::open(data)?;
        if let Some(opened) = &book
            && (opened.footer.basis != self.book_basis(segment)? || self.readable_keys(segment)?.is_none())
        {
            book = None;
        }
        Ok(slot.get_or_init(|| book).as_ref())
    }

    /// Returns what a book of a segment has to depend on.
    ///
    /// # Errors
    /// Fails if a section is damaged.
    pub(super) fn book_basis(&self, segment: usize) -> Result<u64> {
        let Some(data) = self.segments.get(segment) else { return Ok(0) };
        let retired = retire::retired_runs(data, &self.manifest.inputs)?;
        Ok(book_table::basis(&data.kinds()?, &retired))
    }

    /// Returns the tree of a position in the games of a segment, with up to [`BOOK_EXAMPLES`](book_table::BOOK_EXAMPLES) examples of each move, if the
    /// book has it; `None` if few games have the position, or there is no book that can be used.
    ///
    /// # Errors
    /// If the index itself is damaged.
    pub(crate) fn tree_in_book(&self, segment: usize, position: &Position) -> Result<Option<TreeParts>> {
        let book = self.or_without_table(self.book(segment))?;
        let (Some(book), Some(data)) = (book, self.segments.get(segment)) else { return Ok(None) };
        let kinds = data.kinds()?;
        let has_rules = |kind: &GameKind| kind.variant.rules() == *position.rules();
        // No game of the segment has these rules.
        let Some(kind) = kinds.iter().position(has_rules) else { return Ok(Some(TreeParts::default())) };
        let context = EntryContext {
            board: position.board(),
            games: data.len() as u32,
            first_game: self.starts.get(segment).copied().unwrap_or(0),
        };
        self.or_without_table(book.find(position.key().0, (kind as u32, position.state()), &context))
    }

    /// Returns the openings of a segment, opened when they are first asked for; `None` if there are none, or they cannot be used. Trees are
    /// the same without openings.
    ///
    /// # Errors
    /// If the index itself is damaged.
    pub(crate) fn openings(&self, segment: usize) -> Result<Option<&OpeningTable>> {
        let (Some(slot), Some(data)) = (self.openings.get(segment), self.segments.get(segment)) else {
            return Ok(None);
        };
        if let Some(opened) = slot.get() {
            return Ok(opened.as_ref());
        }
        let openings = OpeningTable::open(data).map(|openings| slot.get_or_init(|| openings).as_ref());
        self.or_without_table(openings)
    }

    /// Returns the extract of a segment, opened when it is first asked for; `None` if there is none, or it cannot be used, and for an index that
    /// is not read by ranges, which answers faster without it. Answers are the same without extracts.
    ///
    /// # Errors
    /// If the index itself is damaged, or the question has to be asked again.
    pub(crate) fn extract(&self, segment: usize) -> Result<Option<&Extract>> {
        let (Some(slot), Some(data)) = (self.extracts.get(segment), self.segments.get(segment)) else {
            return Ok(None);
        };
        if !self.is_ranged() {
            return Ok(None);
        }
        if let Some(opened) = slot.get() {
            return Ok(opened.as_ref());
        }
        let extract = self.or_without_table(Extract::open(data))?;
        Ok(slot.get_or_init(|| extract).as_ref())
    }

    /// Returns the least number of games with which a position is in the books of the index; `None` if no segment has a book.
    /// See `KeyTableOptions::book_games`.
    #[doc(hidden)]
    pub fn book_games(&self) -> Option<u64> {
        let of_segment = |segment| BookTable::open(segment).ok().flatten();
        self.segments.iter().find_map(of_segment).map(|book| book.footer.asked_games.into())
    }

    /// Returns the number that the first game of a segment has in the index, from 0; `None` if there is no such
    /// segment.
    #[doc(hidden)]
    pub fn first_game(&self, segment: usize) -> Option<u64> {
        self.starts.get(segment).copied()
    }

    /// Returns the inputs of the games. [`RecordLocation::input`] is an index into them.
    #[doc(hidden)]
    pub fn inputs(&self) -> &[IndexedInput] {
        &self.manifest.inputs
    }

    /// Returns `true` if a text of the games is in their rows where they have it. `false` if earlier versions, which did not store
    /// it, have written some of the games; then only their records say whether they have it.
    #[doc(hidden)]
    pub fn stores(&self, column: TextColumn) -> bool {
        let counts = |input: &&IndexedInput| input.games > 0 && !input.is_retired;
        self.inputs().iter().filter(counts).all(|input| input.stores(column))
    }

    /// Returns the number of legal plies of all main lines, without those of retired games.
    #[doc(hidden)]
    pub fn plies(&self) -> u64 {
        let all: u64 = self.manifest.segments.iter().map(|entry| entry.info.plies).sum();
        all.saturating_sub(self.manifest.retired.plies)
    }

    /// Returns the number of bytes of text that were indexed, without that of retired games.
    pub fn text_bytes(&self) -> u64 {
        let all: u64 = self.manifest.segments.iter().map(|entry| entry.info.text_len).sum();
        all.saturating_sub(self.manifest.retired.text_len)
    }

    /// Returns the number of games with a status, without retired ones.
    pub fn with_status(&self, status: GameStatus) -> u64 {
        let all: u64 = self.manifest.segments.iter().map(|entry| entry.info.statuses[status as usize]).sum();
        all.saturating_sub(self.manifest.retired.statuses[status as usize])
    }

    /// Returns the length of all segment files together, in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.segments.iter().map(Segment::file_len).sum()
    }

    /// Returns the length of all files of the index together, in bytes: segments, key tables, books, openings, extracts, the
    /// manifest and the list of rejected records.
    pub fn disk_bytes(&self) -> u64 {
        let keys = (0..self.segments.len()).filter_map(|segment| self.keys(segment).ok()?);
        let books = self.segments.iter().filter_map(|segment| BookTable::open(segment).ok()?);
        let books: u64 = books.map(|book| book.file_len()).sum();
        let len_of = |path: PathBuf| self.files.len_of(&path);
        let of_segment = |segment| len_of(OpeningTable::path_of(segment)) + len_of(Extract::path_of(segment));
        let openings_and_extracts: u64 = self.segments.iter().map(of_segment).sum();
        let manifest = len_of(self.dir.join(manifest::FILE_NAME));
        self.file_bytes()
            + keys.map(KeyTable::file_len).sum::<u64>()
            + books
            + openings_and_extracts
            + manifest
            + self.manifest.rejects.0
    }

    /// Returns the path of `rejects.jsonl`, the list of rejected records.
    #[doc(hidden)]
    pub fn rejects_path(&self) -> PathBuf {
        folder::rejects_path(&self.dir, &self.manifest)
    }

    /// Returns the segment of a game, and the number of the game in it. Costs O(log segments).
    #[doc(hidden)]
    pub fn locate(&self, game: u64) -> Option<(&Segment, usize)> {
        let (segment, local) = self.locate_number(game)?;
        Some((&self.segments[segment], local))
    }

    /// Returns the number of the segment of a game, and the number of the game in it, both from 0.
    pub(super) fn locate_number(&self, game: u64) -> Option<(usize, usize)> {
        let segment = self.starts.partition_point(|&start| start <= game).checked_sub(1)?;
        (segment < self.segments.len()).then_some(())?;
        Some((segment, usize::try_from(game - self.starts[segment]).ok()?))
    }

    /// Returns a game, retired or not; `None` for a number that is not below [`len`](Self::len).
    pub fn game(&self, number: u64) -> Option<IndexedGame<'_>> {
        let (segment, local) = self.locate(number)?;
        Some(IndexedGame { index: self, segment, number, local })
    }

    /// Iterates over all games in order, without retired ones.
    pub fn games(&self) -> impl Iterator<Item = IndexedGame<'_>> + Clone {
        IndexedGames { index: self, next: 0 }
    }
}

/// Iterator over the games of an index; see [`Index::games`].
#[derive(Clone, Debug)]
struct IndexedGames<'a> {
    index: &'a Index,
    /// Number of the next game.
    next: u64,
}

impl<'a> Iterator for IndexedGames<'a> {
    type Item = IndexedGame<'a>;

    fn next(&mut self) -> Option<IndexedGame<'a>> {
        loop {
            let game = self.index.game(self.next)?;
            self.next += 1;
            if !game.is_retired() {
                return Some(game);
            }
        }
    }

    fn nth(&mut self, n: usize) -> Option<IndexedGame<'a>> {
        if self.index.retired.is_empty() {
            self.next = self.next.saturating_add(n as u64);
        } else if let Some(before) = n.checked_sub(1) {
            self.nth(before)?;
        }
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let remaining = usize::try_from(self.index.len().saturating_sub(self.next));
        let is_exact = self.index.retired.is_empty();
        (if is_exact { remaining.unwrap_or(usize::MAX) } else { 0 }, remaining.ok())
    }
}

/// A game of an index: a handle from which nothing has been read yet.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
/// # use pdn_index::{ImportOptions, import};
/// use pdn_index::Index;
///
/// std::fs::write(&archive, "[White \"Ames\"]\n1. 32-28 19-23 {sharp} 2. 28x19 14x23 1-1\n")?;
/// # import([&archive], &path, &ImportOptions::new())?;
/// let index = Index::open(&path)?;
/// let game = index.game(0).expect("it has one game");
/// // The index has the moves, so a position needs no text. Comments are in the record, which is read from the archive.
/// assert_eq!(game.position(3)?.counts().men, [20, 19]);
/// assert!(game.text()?.windows(7).any(|text| text == b"{sharp}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct IndexedGame<'a> {
    index: &'a Index,
    segment: &'a Segment,
    number: u64,
    local: usize,
}

impl<'a> IndexedGame<'a> {
    /// Returns the index of the game.
    pub fn index(&self) -> &'a Index {
        self.index
    }

    /// Returns the number of the game in the index, from 0.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns `true` if the game is no longer part of the index, because its file was replaced or removed.
    pub fn is_retired(&self) -> bool {
        let Some((segment, local)) = self.index.locate_number(self.number) else { return false };
        self.index.retired.get(segment).is_some_and(|retired| retired.contains(local as u32))
    }

    /// Returns the segment of the game and its number there, from 0.
    #[doc(hidden)]
    pub fn local(&self) -> (&'a Segment, usize) {
        (self.segment, self.local)
    }

    /// Returns the row of the game.
    ///
    /// # Errors
    /// Fails if a section is damaged.
    pub fn row(&self) -> Result<GameRow<'a>> {
        self.segment
            .row(self.local)?
            .ok_or_else(|| self.segment.damaged(Section::Summary, "a game is missing"))
    }

    /// Returns the kind of the game. Opens no dictionary, unlike [`row`](Self::row).
    ///
    /// # Errors
    /// Fails if a section is damaged.
    #[doc(hidden)]
    pub fn kind(&self) -> Result<super::GameKind> {
        let number = self.segment.column(Section::Kind)?.get(self.local);
        let kinds = self.segment.kinds()?;
        let kind = number.and_then(|number| kinds.get(number as usize));
        kind.copied().ok_or_else(|| self.segment.damaged(Section::Kind, "a game is missing"))
    }

    /// Returns the packed moves of the game; see `pack`.
    ///
    /// # Errors
    /// Fails if a section is damaged.
    #[doc(hidden)]
    pub fn moves(&self) -> Result<&'a [u8]> {
        let moves = self.segment.moves()?.get(self.local)?;
        moves.ok_or_else(|| self.segment.damaged(Section::Moves, "a game is missing"))
    }

    /// Unpacks the moves: all plies with the positions before them, and the last position.
    ///
    /// # Errors
    /// Fails if a section is damaged.
    #[doc(hidden)]
    pub fn plies(&self) -> Result<(Vec<UnpackedPly>, Position)> {
        let start = Position::start(self.kind()?.game());
        let unpacked = unpack(&start, self.moves()?);
        unpacked.map_err(|_| self.segment.damaged(Section::Moves, "the moves of a game are invalid"))
    }

    /// Unpacks the position after the first `ply` plies, or the last one of a shorter game. Takes less time than
    /// [`plies`](Self::plies).
    ///
    /// # Errors
    /// Fails if a section is damaged.
    pub fn position(&self, ply: u32) -> Result<Position> {
        let start = Position::start(self.kind()?.game());
        let unpacked = unpack_position(&start, self.moves()?, ply);
        unpacked.map_err(|_| self.segment.damaged(Section::Moves, "the moves of a game are invalid"))
    }

    /// Unpacks the position after `ply` plies in a line, counted from the beginning of the game; the first or last one of a line that
    /// does not have it. Line 0 is the main line, 1, 2 and so on are the variations in the order in which their brackets open. Plays
    /// the lines in which the line begins, up to it.
    ///
    /// # Errors
    /// Fails if there is no such line, an earlier version has written the index, or a section is damaged.
    pub fn position_in(&self, line: u32, ply: u32) -> Result<Position> {
        let not_stored = || Error::new(ErrorKind::NotStored("variations"));
        let lines = match line {
            0 => Vec::new(),
            _ => self.segment.variations()?.ok_or_else(not_stored)?.lines(self.local)?,
        };
        let invalid = || self.segment.damaged(Section::Variations, "the variations of a game are invalid");
        // The line and those in which it begins, the innermost first, each with the ply up to which it is played.
        let mut played = vec![(line as usize, ply)];
        while let Some((line, _)) = played.last().copied().filter(|&(line, _)| line > 0) {
            let line = lines.get(line - 1).ok_or_else(invalid)?;
            played.push((line.parent, line.first_ply));
        }
        let mut position = Position::start(self.kind()?.game());
        for &(line, ply) in played.iter().rev() {
            let (first, moves) = match line.checked_sub(1) {
                None => (0, self.moves()?),
                Some(above) => (lines[above].first_ply, lines[above].moves),
            };
            position = unpack_position(&position, moves, ply.saturating_sub(first)).map_err(|_| invalid())?;
        }
        Ok(position)
    }

    /// Returns the position of the record in its input.
    ///
    /// # Errors
    /// Fails if a section is damaged.
    #[doc(hidden)]
    pub fn location(&self) -> Result<RecordLocation> {
        let location = self.segment.location(self.local)?;
        location.ok_or_else(|| self.segment.damaged(Section::TextEnds, "a game is missing"))
    }

    /// Returns the input of the game.
    ///
    /// # Errors
    /// Fails if a section is damaged.
    #[doc(hidden)]
    pub fn input(&self) -> Result<&'a IndexedInput> {
        let number = self.location()?.input;
        let input = self.index.inputs().get(number as usize);
        input.ok_or_else(|| self.segment.damaged(Section::Runs, "an input is not in the manifest"))
    }
}
