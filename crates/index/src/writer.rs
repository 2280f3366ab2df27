//! Writes an index or appends to one, atomically: after a crash the old index is complete or the new one is.
//!
//! Segments are written under temporary names, synced and renamed. They have no effect until the manifest, which is
//! renamed last, lists them. A writer that was killed leaves files that no manifest lists; the next writer removes
//! them. A lock, which the system releases when a process ends, keeps two writers apart.
//!
//! [`merge`] merges many small segments into few large ones on request; [`IndexWriter::commit`] merges some by itself.
//! Games keep their order and their numbers; only the borders between segments change, so every query has the same result
//! as before. Which segments are merged depends on their sizes alone. A merge needs neither the archives nor more memory
//! than writing a segment, costs about a microsecond per game, and is committed by replacing the manifest.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::book::table as book_table;
use super::folder::{
    KEPT_REJECTS, NEXT_REJECTS, REJECTS, RejectsWriter, finish_rename, keep_lines, lock_for_writing,
    rejects_path,
};
use super::format::columns::{Section, TextColumn};
use super::format::section::{Checksum, read_chunks};
use super::manifest::{self, Manifest, SegmentEntry};
use super::merge_plan::{self, MergeInput};
use super::open::Index;
use super::row::input::{Fingerprint, IndexedInput, relocate};
use super::row::row_batch::RowBatch;
use super::segment::reader::Segment;
use super::segment::writer::{IdMap, RemainingGames, SegmentWriter};
use super::segment::{SegmentLimits, copy};
use super::{extract, folder, keys as key_table, openings as opening_table, retire};
use pdn::error::{Error, ErrorKind, Result};
use pdn::internal::storage::{Disk, MemoryDisk, Output, Storage, TemporaryFile, create_folder, unconfirmed};
use pdn::source::Decoder;
use pdn::stop::Stop;

/// Maximum memory of the dictionaries, variations and notes of a segment while it is written, in bytes.
const MAX_NAME_MEMORY: usize = 64 << 20;

/// How an index is divided into segments, and what they contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SegmentOptions {
    /// Maximum number of games of a segment, at least 1. Writing needs about 50 bytes of memory per game of a
    /// segment.
    pub segment_games: u32,
    /// Whether records are embedded, compressed. Needs the feature `compression`.
    pub embed: bool,
}

impl Default for SegmentOptions {
    fn default() -> Self {
        Self { segment_games: 1 << 20, embed: false }
    }
}

impl SegmentOptions {
    /// Creates the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the maximum number of games of a segment.
    #[must_use]
    pub fn segment_games(mut self, segment_games: u32) -> Self {
        self.segment_games = segment_games;
        self
    }
}

/// What a writer does with a present index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WriterMode {
    /// Replaces it.
    Create,
    /// Appends to it; it must be present.
    Append,
    /// Appends to it, or starts a new one.
    AppendOrCreate,
}

/// An index that is being written.
///
/// Dropping it without [`commit`](Self::commit) leaves the old index unchanged.
pub struct IndexWriter {
    dir: PathBuf,
    storage: Arc<dyn Storage>,
    options: SegmentOptions,
    /// Number of threads that encode the sections of a segment.
    threads: NonZeroUsize,
    /// The committed manifest when the writer started.
    old: Manifest,
    /// The manifest that [`commit`](Self::commit) will write.
    new: Manifest,
    /// Number of the next segment file.
    next_number: u64,
    /// The segment that receives games.
    segment: Option<SegmentWriter>,
    ids: IdMap,
    rejects: Option<RejectsWriter>,
    /// Keeps the index locked until the writer is dropped; `None` if it is in memory, where nobody else sees it.
    lock: Option<File>,
    /// `true` if inputs of the old index have been retired.
    retires: bool,
    /// `true` after the commit.
    committed: bool,
}

impl fmt::Debug for IndexWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexWriter")
            .field("dir", &self.dir)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl IndexWriter {
    /// Starts a new index in a folder, which is created if it does not exist. A present index remains until
    /// [`commit`](Self::commit) replaces it; files that do not belong to an index are not touched.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::FolderInUse`] if the folder is neither empty nor has an index, if it cannot be written, and with [`ErrorKind::IndexLocked`] if another process is writing it.
    pub fn create(dir: impl Into<PathBuf>, options: &SegmentOptions) -> Result<Self> {
        Self::open(dir.into(), *options, Arc::new(Disk), WriterMode::Create)
    }

    /// Starts appending to the index in a folder.
    ///
    /// # Errors
    /// Fails as [`create`](Self::create) does, and if there is no index or it cannot be read.
    pub fn append(dir: impl Into<PathBuf>, options: &SegmentOptions) -> Result<Self> {
        Self::open(dir.into(), *options, Arc::new(Disk), WriterMode::Append)
    }

    /// Starts appending to the index in a folder, or a new index if there is none.
    ///
    /// # Errors
    /// Fails as [`create`](Self::create) does, and if an index is present and cannot be read.
    pub fn append_or_create(dir: impl Into<PathBuf>, options: &SegmentOptions) -> Result<Self> {
        Self::open(dir.into(), *options, Arc::new(Disk), WriterMode::AppendOrCreate)
    }

    /// Starts a new index, or appends to the present one, on any storage.
    pub(super) fn open(
        dir: PathBuf,
        options: SegmentOptions,
        storage: Arc<dyn Storage>,
        mode: WriterMode,
    ) -> Result<Self> {
        if mode == WriterMode::Append {
            // Nothing is written to a folder that is no index, not even the lock.
            if matches!(Manifest::read(&dir), Ok(None)) {
                return Err(Error::new(ErrorKind::NotAnIndex).at(dir));
            }
        } else {
            folder::check_usable(&dir)?;
        }
        create_folder(&dir).map_err(|error| Error::from(error).at(&dir))?;
        let lock = lock_for_writing(&dir)?;
        let read = Manifest::read(&dir);
        let append = match mode {
            WriterMode::Create => false,
            WriterMode::Append => true,
            WriterMode::AppendOrCreate => !matches!(read, Ok(None)),
        };
        let old = match read {
            Ok(Some(manifest)) => manifest,
            Ok(None) if append => return Err(Error::new(ErrorKind::NotAnIndex).at(dir)),
            Ok(None) => Manifest::default(),
            Err(error) if append => return Err(error),
            // A damaged index, or one of another version, may be replaced. Its files are removed after the commit.
            Err(_) => Manifest::default(),
        };
        let numbers = old.segments.iter().map(|segment| segment.number);
        let next_number = numbers.chain(segment_numbers_in(&dir)).max().map_or(1, |last| last + 1);
        finish_rename(&*storage, &dir, &old).map_err(|error| Error::from(error).at(&dir))?;
        let mut writer = Self::new(dir, options, storage, old, next_number);
        writer.lock = Some(lock);
        if append {
            writer.new.inputs.clone_from(&writer.old.inputs);
            writer.new.segments.clone_from(&writer.old.segments);
            writer.new.retired = writer.old.retired;
        }
        if append || writer.old != Manifest::default() || !writer.dir.join(manifest::FILE_NAME).exists() {
            writer.remove_unlisted(&writer.old);
        }
        let rejects = writer.begin_rejects(append);
        writer.rejects = Some(rejects.map_err(|error| Error::from(error).at(writer.dir.join(NEXT_REJECTS)))?);
        Ok(writer)
    }

    /// Starts a new index in memory. Records are not embedded.
    pub(super) fn in_memory(disk: &MemoryDisk, options: &SegmentOptions) -> Result<Self> {
        let options = SegmentOptions { embed: false, ..*options };
        let mut writer = Self::new(PathBuf::new(), options, Arc::new(disk.clone()), Manifest::default(), 1);
        writer.rejects = Some(writer.begin_rejects(false)?);
        Ok(writer)
    }

    /// Creates a writer of the next generation of an index, without games.
    fn new(
        dir: PathBuf,
        options: SegmentOptions,
        storage: Arc<dyn Storage>,
        old: Manifest,
        next_number: u64,
    ) -> Self {
        Self {
            dir,
            storage,
            options: SegmentOptions { segment_games: options.segment_games.max(1), ..options },
            threads: NonZeroUsize::MIN,
            new: Manifest { generation: old.generation + 1, ..Manifest::default() },
            old,
            next_number,
            segment: None,
            ids: IdMap::default(),
            rejects: None,
            lock: None,
            retires: false,
            committed: false,
        }
    }

    /// Sets how many threads encode a segment when it is finished, about a twentieth of the work of an import; 1 by
    /// default. The bytes do not depend on it.
    #[must_use]
    pub fn with_threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// Returns the folder of the index.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns the inputs so far; those of the index that is appended to come first.
    pub fn inputs(&self) -> &[IndexedInput] {
        &self.new.inputs
    }

    /// Registers an input and returns its number.
    ///
    /// `name` is the name in messages, `file` the file on the disk if there is one, with the fingerprint that it had before it was read,
    /// so that a change while it is read is detected later. `has_file_offsets` states that offsets in the text are offsets in the file.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::IndexFull`] if there are 2^32 - 1 inputs.
    pub fn add_input(
        &mut self,
        name: &Path,
        file: Option<(&Path, Fingerprint)>,
        has_file_offsets: bool,
    ) -> Result<u32> {
        let (path, fingerprint) = file.unzip();
        let number = u32::try_from(self.new.inputs.len()).ok().filter(|&number| number < u32::MAX);
        let number = number.ok_or_else(|| Error::new(ErrorKind::IndexFull("too many inputs")))?;
        // Absolute, so that the index can be used from any working directory.
        let path = path.map(|path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
        let name = name.to_owned();
        self.new.inputs.push(IndexedInput {
            name,
            path,
            has_file_offsets,
            fingerprint,
            text_len: 0,
            games: 0,
            decoder: None,
            is_retired: false,
            is_incomplete: false,
            columns: TextColumn::INPUT_FLAGS,
        });
        Ok(number)
    }

    /// Retires an input of the index that is appended to: its games stay in their segments and keep their numbers, but
    /// no longer count. Returns the number of its games.
    pub fn retire_input(&mut self, number: u32) -> u64 {
        match self.new.inputs.get_mut(number as usize) {
            Some(input) if !input.is_retired => {
                input.is_retired = true;
                self.retires = true;
                input.games
            }
            _ => 0,
        }
    }

    /// Replaces the beginning of the paths of all inputs by `root`, for archives that were moved; see
    /// [`Index::relocate`](super::Index::relocate).
    ///
    /// # Errors
    /// Fails with [`ErrorKind::NoArchiveHere`] if none of the archives is found below `root`.
    pub fn relocate(&mut self, root: &Path) -> Result<()> {
        let is_empty = self.new.inputs.iter().all(|input| input.is_retired || input.path.is_none());
        if is_empty || relocate(&mut self.new.inputs, root) {
            Ok(())
        } else {
            Err(Error::new(ErrorKind::NoArchiveHere).at(root))
        }
    }

    /// Returns the number of games in finished segments, retired ones included.
    pub(super) fn game_count(&self) -> u64 {
        self.new.segments.iter().map(|entry| u64::from(entry.info.games)).sum()
    }

    /// Returns `true` if the present index has games.
    pub(super) fn had_games(&self) -> bool {
        has_games(&self.old)
    }

    /// Returns `true` if the new index has games so far.
    pub(super) fn has_games(&self) -> bool {
        has_games(&self.new)
    }

    /// Returns the time of the last commit in nanoseconds since 1970, by the clock of the file system; `None` if it is
    /// unknown.
    pub(super) fn committed_at(&self) -> Option<i64> {
        let file = fs::metadata(self.dir.join(manifest::FILE_NAME)).ok()?;
        let since = file.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        i64::try_from(since.as_nanos()).ok()
    }

    /// Stores what decodes the text of an input.
    pub(super) fn set_decoder(&mut self, number: u32, decoder: Decoder) {
        if let Some(input) = self.new.inputs.get_mut(number as usize) {
            input.decoder = Some(decoder);
        }
    }

    /// Notes that a part of a file could not be read, in all inputs of it.
    pub(super) fn set_incomplete(&mut self, path: &Path) {
        let of_file = |input: &&mut IndexedInput| !input.is_retired && input.path.as_deref() == Some(path);
        self.new.inputs.iter_mut().filter(of_file).for_each(|input| input.is_incomplete = true);
    }

    /// Continues a registered input: the next games were added to the end of its file, which has a new fingerprint.
    pub fn resume_input(&mut self, number: u32, fingerprint: Fingerprint) {
        if let Some(input) = self.new.inputs.get_mut(number as usize) {
            input.fingerprint = Some(fingerprint);
        }
    }

    /// Appends games that follow each other in an input, from byte `offset` of it on. `text` are their concatenated
    /// records; it is used only if records are embedded.
    ///
    /// The index depends on the order of the games, not on how they are divided into batches.
    ///
    /// # Errors
    /// Fails if the disk does not accept the games, or the input is not registered. The writer must then be dropped.
    pub fn push(&mut self, input: u32, offset: u64, rows: &RowBatch, text: &[u8]) -> Result<()> {
        if input as usize >= self.new.inputs.len() {
            return Err(ErrorKind::IndexFull("games of an unregistered input").into());
        }
        self.ids.reset(rows);
        if let Some(segment) = &self.segment {
            segment.look_up(rows, &mut self.ids);
        }
        let mut games = RemainingGames::all(rows, input, offset, text);
        while !games.is_empty() {
            if self.segment.is_none() {
                self.segment = Some(self.new_segment(self.options.embed)?);
            }
            let limits = self.limits();
            let Some(segment) = &mut self.segment else { continue };
            let count = segment.push(&mut games, limits, &mut self.ids);
            if count.map_err(|error| Error::from(error).at(segment.path()))? == 0 {
                self.end_segment()?;
                self.ids.reset(rows);
            }
        }
        let target = &mut self.new.inputs[input as usize];
        target.games += rows.len() as u64;
        target.text_len = target.text_len.max(games.offset);
        Ok(())
    }

    /// Appends whole lines to `rejects.jsonl`.
    ///
    /// # Errors
    /// Fails if the disk does not accept them.
    pub fn add_rejected(&mut self, lines: &[u8]) -> Result<()> {
        let Some(rejects) = &mut self.rejects else { return Ok(()) };
        rejects.write(lines).map_err(|error| Error::from(error).at(self.dir.join(NEXT_REJECTS)))
    }

    /// Starts a new list of rejected records. With `append` it begins with the present one.
    fn begin_rejects(&self, append: bool) -> io::Result<RejectsWriter> {
        let mut rejects = RejectsWriter {
            out: self.storage.create(&self.dir.join(NEXT_REJECTS))?,
            len: 0,
            checksum: Checksum::default(),
        };
        if append && self.old.rejects.0 > 0 {
            read_chunks(&self.dir.join(REJECTS), |chunk| rejects.write(chunk))?;
        }
        Ok(rejects)
    }

    /// Finishes the current segment, if there is one, and adds it to the new manifest.
    fn end_segment(&mut self) -> Result<()> {
        if let Some(segment) = self.segment.take() {
            let entry = self.publish(segment)?;
            self.new.segments.push(entry);
        }
        Ok(())
    }

    /// Creates the next segment. With `embed` it will contain the records.
    fn new_segment(&self, embed: bool) -> Result<SegmentWriter> {
        let path = self.dir.join(manifest::file_name(self.next_number)).with_extension("pdns.tmp");
        SegmentWriter::create(&self.storage, &path, embed).map_err(|error| Error::from(error).at(path))
    }

    /// Finishes a segment and renames it to its final name.
    fn publish(&mut self, segment: SegmentWriter) -> Result<SegmentEntry> {
        let tmp = segment.path().to_owned();
        let finished = segment.finish(self.threads).map_err(|error| Error::from(error).at(tmp))?;
        let (info, mut file) = finished;
        let entry = SegmentEntry { number: self.next_number, info };
        let path = self.dir.join(entry.file());
        file.rename(&path).map_err(|error| Error::from(error).at(path))?;
        self.next_number += 1;
        Ok(entry)
    }

    /// Returns the number of segments so far.
    pub(super) fn segments(&self) -> usize {
        self.new.segments.len()
    }

    /// Merges all segments that the limits allow, and returns `true` if there were any.
    pub(super) fn merge_all(&mut self, stop: &Stop) -> Result<bool> {
        let groups = merge_plan::merge_groups(&self.merge_inputs()?, self.limits());
        // In reverse order, so that the indices of earlier groups stay valid.
        for group in groups.iter().rev() {
            self.merge(group.clone(), stop)?;
        }
        stop.check()?;
        Ok(!groups.is_empty())
    }

    /// Returns the limits of a segment.
    fn limits(&self) -> SegmentLimits {
        SegmentLimits { games: self.options.segment_games, name_memory: MAX_NAME_MEMORY }
    }

    /// Reads the properties of all segments that decide about merging.
    fn merge_inputs(&self) -> Result<Vec<MergeInput>> {
        let open = |entry: &SegmentEntry| Ok(MergeInput::of(&Segment::open(self.dir.join(entry.file()))?));
        self.new.segments.iter().map(open).collect()
    }

    /// Replaces consecutive segments by one.
    fn merge(&mut self, range: Range<usize>, stop: &Stop) -> Result<()> {
        let mut merged: Option<SegmentWriter> = None;
        for entry in &self.new.segments[range.clone()] {
            stop.check()?;
            let segment = Segment::open(self.dir.join(entry.file()))?;
            let to = match &mut merged {
                Some(merged) => merged,
                empty => empty.insert(self.new_segment(segment.has(Section::Text))?),
            };
            let path = to.path().to_owned();
            copy::copy(&segment, to).map_err(|error| error.at(path))?;
        }
        if let Some(merged) = merged {
            let entry = self.publish(merged)?;
            self.new.segments.splice(range, [entry]);
        }
        Ok(())
    }

    /// Commits: replaces the index that readers see by the new one, in one step. When appending, small segments are
    /// merged first.
    ///
    /// # Errors
    /// Fails if the disk does not accept the data, or a segment that is to be merged is damaged. The old index then
    /// remains. Only if the disk does not confirm that the new index has its name, or the list of rejected records cannot get its own, which
    /// are the last steps, the new index is there.
    pub fn commit(mut self) -> Result<()> {
        self.end_segment()?;
        if self.retires {
            self.finish_retiring()?;
        }
        if !self.old.segments.is_empty() {
            while let Some(range) = merge_plan::due_merge(&self.merge_inputs()?, self.limits()) {
                self.merge(range, &Stop::new())?;
            }
        }
        self.replace_manifest().map_err(|error| Error::from(error).at(&self.dir))?;
        self.committed = true;
        if self.lock.is_none() {
            // Only this writer has written to the memory.
            return Ok(self.storage.rename(&self.dir.join(NEXT_REJECTS), &self.dir.join(REJECTS))?);
        }
        // The new index is committed. The next writer repeats what fails from here on.
        let renamed = finish_rename(&*self.storage, &self.dir, &self.new);
        self.remove_unlisted(&self.new);
        renamed.map_err(|error| {
            let message = format!(
                "the index is written, but its list is called {NEXT_REJECTS} until the next run: {error}"
            );
            Error::from(io::Error::new(error.kind(), message)).at(self.dir.join(REJECTS))
        })
    }

    /// Adds up the retired games, and removes them from the list of rejected records.
    fn finish_retiring(&mut self) -> Result<()> {
        let open = |entry: &SegmentEntry| Segment::open(self.dir.join(entry.file()));
        let segments: Vec<Segment> = self.old.segments.iter().map(open).collect::<Result<_>>()?;
        self.new.retired = retire::retired_sums(&segments, &self.new.inputs)?;
        let kept = retire::kept_rejects(&segments, &self.old, &self.new.inputs)?;
        if kept.contains(&false) {
            let list = keep_lines(&*self.storage, &self.dir, &kept);
            self.rejects = Some(list.map_err(|error| Error::from(error).at(self.dir.join(NEXT_REJECTS)))?);
        }
        Ok(())
    }

    /// Writes and renames the manifest: the commit itself.
    fn replace_manifest(&mut self) -> io::Result<()> {
        if let Some(mut rejects) = self.rejects.take() {
            rejects.out.sync()?;
            self.new.rejects = (rejects.len, rejects.checksum.digest());
        }
        let mut file = TemporaryFile::at(&self.storage, self.dir.join(manifest::TEMPORARY_NAME))?;
        file.write_all(&self.new.to_bytes())?;
        file.sync()?;
        // The files that the manifest lists must be on the disk before the manifest is.
        self.storage.sync_dir(&self.dir)?;
        file.rename(&self.dir.join(manifest::FILE_NAME))?;
        self.storage.sync_dir(&self.dir).map_err(|error| unconfirmed(&error))
    }

    /// Removes files of an index that `current` does not list. Files with other names are kept, and so is the list of rejected records if
    /// it could not get its name yet.
    fn remove_unlisted(&self, current: &Manifest) {
        let rejects = rejects_path(&self.dir, current);
        let Ok(files) = fs::read_dir(&self.dir) else { return };
        for file in files.flatten() {
            let name = file.file_name();
            let Some(name) = name.to_str() else { continue };
            let is_listed = |number| {
                current.segments.iter().any(|entry| {
                    let files = [
                        entry.file(),
                        key_table::FORMAT.file_name(number),
                        book_table::FORMAT.file_name(number),
                        opening_table::FORMAT.file_name(number),
                        extract::FORMAT.file_name(number),
                    ];
                    entry.number == number && files.iter().any(|file| file == name)
                })
            };
            let is_unlisted = manifest::number_of(name).is_some_and(|number| !is_listed(number));
            let is_unfinished = [manifest::TEMPORARY_NAME, NEXT_REJECTS, KEPT_REJECTS].contains(&name);
            if is_unlisted || is_unfinished && !rejects.ends_with(name) {
                // On some systems an open file cannot be removed; the next writer tries again.
                let _ = self.storage.remove(&file.path());
            }
        }
    }
}

impl Drop for IndexWriter {
    fn drop(&mut self) {
        if !self.committed && self.lock.is_some() {
            self.segment = None;
            // The manifest may have been replaced even though the last sync failed.
            if let Ok(Some(current)) = Manifest::read(&self.dir) {
                // Its list of rejected records has no name yet then. The next writer repeats what fails here.
                let _ = finish_rename(&*self.storage, &self.dir, &current);
                self.remove_unlisted(&current);
            } else if self.old == Manifest::default() {
                self.remove_unlisted(&self.old);
            }
        }
    }
}

/// Returns `true` if an index has games that have not retired.
fn has_games(manifest: &Manifest) -> bool {
    manifest.inputs.iter().any(|input| !input.is_retired && input.games > 0)
}

/// Returns the numbers of all segment files in a folder, finished or temporary.
fn segment_numbers_in(dir: &Path) -> Vec<u64> {
    let files = fs::read_dir(dir).into_iter().flatten().flatten();
    files.filter_map(|file| manifest::number_of(file.file_name().to_str()?)).collect()
}

/// The result of [`merge`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct MergeReport {
    /// Number of segments before.
    pub before: usize,
    /// Number of segments after.
    pub after: usize,
    /// Number of games of the index.
    pub games: u64,
    /// Length of all segment files together, in bytes.
    pub bytes: u64,
}

/// Merges the segments of the index in a folder into as few as `options` allows; only
/// [`SegmentOptions::segment_games`] is used. If the process is killed at any moment, the index consists of the old
/// segments or of the new ones.
///
/// # Errors
/// Fails if there is no index, another process is writing it, a segment is damaged, or the disk is full. The index is
/// then unchanged.
pub fn merge(dir: impl AsRef<Path>, options: &SegmentOptions) -> Result<MergeReport> {
    merge_until(dir, options, &Stop::new())
}

/// Does the same as [`merge`], unless it is stopped before. The index is then unchanged.
///
/// # Errors
/// As [`merge`], and with [`ErrorKind::Stopped`](pdn::error::ErrorKind::Stopped) if a stop was requested.
pub fn merge_until(dir: impl AsRef<Path>, options: &SegmentOptions, stop: &Stop) -> Result<MergeReport> {
    let dir = dir.as_ref();
    let mut writer = IndexWriter::append(dir, options)?;
    let before = writer.segments();
    if writer.merge_all(stop)? {
        writer.commit()?;
    }
    let index = Index::open(dir)?;
    Ok(MergeReport {
        before,
        after: index.segments().len(),
        games: index.game_count(),
        bytes: index.file_bytes(),
    })
}
