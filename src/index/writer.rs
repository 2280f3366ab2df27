//! Builds an index or adds to one, so that whatever happens the old index is whole or the new one is.
//!
//! Segments are written under temporary names, synced and renamed; they count for nothing until the manifest, the last
//! to be renamed, lists them. A writer that was killed leaves files that no manifest lists; the next one removes
//! them. A lock that the system takes back from a dead process keeps two writers apart.

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::format::checksum::{Checksum, read_chunks};
use super::format::section::Section;
use super::keys::table as key_table;
use super::lock::lock_for_writing;
use super::manifest::{self, Manifest, SegmentEntry};
use super::merge_plan::{self, MergeInput};
use super::rejects::{NEXT_REJECTS, REJECTS, RejectsWriter, finish_rename};
use super::row::input::{Fingerprint, IndexedInput};
use super::row::row_batch::RowBatch;
use super::segment::copy;
use super::segment::limits::SegmentLimits;
use super::segment::reader::Segment;
use super::segment::writer::{IdMap, PushedBatch, SegmentWriter};
use crate::error::{Error, ErrorKind, Result};
use crate::storage::{Disk, Storage};

/// Text of names that a segment may have.
const MAX_NAME_MEMORY: usize = 64 << 20;

/// How an index is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SegmentOptions {
    /// The most games in a segment: bounds the memory of building to about 100 bytes a game.
    pub segment_games: u32,
    /// Keep the text of the games, compressed.
    pub embed: bool,
}

impl Default for SegmentOptions {
    fn default() -> Self {
        Self { segment_games: 1 << 20, embed: false }
    }
}

/// An index being written.
///
/// Dropped without [`commit`](Self::commit), nothing has happened.
pub struct IndexWriter {
    dir: PathBuf,
    storage: Arc<dyn Storage>,
    layout: SegmentOptions,
    /// Threads that finish a segment.
    threads: NonZeroUsize,
    /// What the index is so far.
    old: Manifest,
    /// What it will be.
    new: Manifest,
    next_number: u64,
    segment: Option<SegmentWriter>,
    ids: IdMap,
    rejects: Option<RejectsWriter>,
    /// Held as long as this lives.
    _lock: File,
    done: bool,
}

impl fmt::Debug for IndexWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("dir", &self.dir)
            .field("layout", &self.layout)
            .finish_non_exhaustive()
    }
}

impl IndexWriter {
    /// A new index in this folder, which is made if need be. An index that is there stays until
    /// [`commit`](Self::commit) replaces it; no other file is touched.
    ///
    /// # Errors
    /// When the folder cannot be written, or another process is writing it.
    pub fn create(dir: impl Into<PathBuf>, layout: SegmentOptions) -> Result<Self> {
        Self::open(dir.into(), layout, Arc::new(Disk), false)
    }

    /// Goes on with the index in this folder.
    ///
    /// # Errors
    /// As [`create`](Self::create), and when there is no index or it cannot be read.
    pub fn append(dir: impl Into<PathBuf>, layout: SegmentOptions) -> Result<Self> {
        Self::open(dir.into(), layout, Arc::new(Disk), true)
    }

    pub(super) fn open(
        dir: PathBuf,
        layout: SegmentOptions,
        storage: Arc<dyn Storage>,
        append: bool,
    ) -> Result<Self> {
        if append && !dir.is_dir() {
            return Err(Error::new(ErrorKind::NotAnIndex).at(dir));
        }
        fs::create_dir_all(&dir).map_err(|error| Error::from(error).at(&dir))?;
        let lock = lock_for_writing(&dir)?;
        let old = match Manifest::read(&dir) {
            Ok(Some(manifest)) => manifest,
            Ok(None) if append => return Err(Error::new(ErrorKind::NotAnIndex).at(dir)),
            Ok(None) => Manifest::default(),
            Err(error) if append => return Err(error),
            // A damaged index, or one of another version, may be replaced. Its files go when the new one is there.
            Err(_) => Manifest::default(),
        };
        let numbers = old.segments.iter().map(|segment| segment.number);
        let next_number = numbers.chain(segment_numbers_in(&dir)).max().map_or(1, |last| last + 1);
        let mut new = Manifest { generation: old.generation + 1, ..Manifest::default() };
        finish_rename(&*storage, &dir, &old).map_err(|error| Error::from(error).at(&dir))?;
        if append {
            new.inputs.clone_from(&old.inputs);
            new.segments.clone_from(&old.segments);
        }
        let builder = Self {
            dir,
            storage,
            layout: SegmentOptions { segment_games: layout.segment_games.max(1), ..layout },
            threads: NonZeroUsize::MIN,
            old,
            new,
            next_number,
            segment: None,
            ids: IdMap::default(),
            rejects: None,
            _lock: lock,
            done: false,
        };
        if append || builder.old != Manifest::default() || !builder.dir.join(manifest::NAME).exists() {
            builder.remove_unlisted(&builder.old);
        }
        let mut builder = builder;
        let rejects = builder.begin_rejects(append);
        builder.rejects =
            Some(rejects.map_err(|error| Error::from(error).at(builder.dir.join(NEXT_REJECTS)))?);
        Ok(builder)
    }

    /// Sets how many threads finish a segment, which is a tenth of the work of an index; one if this is not called.
    /// No byte depends on it.
    #[must_use]
    pub fn with_threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Where the games come from, those of the index that is gone on with first.
    pub fn inputs(&self) -> &[IndexedInput] {
        &self.new.inputs
    }

    /// Announces where the next games come from and answers with its number. A fingerprint is taken now, so that
    /// a change while it is being read shows later.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn add_input(&mut self, name: &Path, path: Option<&Path>, plain: bool) -> Result<u32> {
        let fingerprint = path.map(Fingerprint::of).transpose()?;
        let number = u32::try_from(self.new.inputs.len()).ok().filter(|&number| number < u32::MAX);
        let number = number.ok_or_else(|| Error::new(ErrorKind::IndexFull("so many files")))?;
        // Absolute, so that the index can be used from elsewhere.
        let path = path.map(|path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
        let name = name.to_owned();
        self.new.inputs.push(IndexedInput {
            name,
            path,
            has_file_offsets: plain,
            fingerprint,
            text_len: 0,
            games: 0,
        });
        Ok(number)
    }

    /// Announces that games follow that were added to the end of a known origin's file. Its fingerprint is taken
    /// anew.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn resume_input(&mut self, number: u32) -> Result<()> {
        if let Some(origin) = self.new.inputs.get_mut(number as usize) {
            origin.fingerprint = origin.path.as_deref().map(Fingerprint::of).transpose()?;
        }
        Ok(())
    }

    /// Adds games that follow each other in an origin from `offset` on. `text` are their records in a row; it is
    /// used only where the text is embedded.
    ///
    /// The index depends on the order of the games, not on how they are cut into batches.
    ///
    /// # Errors
    /// When the disk does not take them; nothing but dropping the builder makes sense then.
    pub fn push(&mut self, origin: u32, mut offset: u64, rows: &RowBatch, text: &[u8]) -> Result<()> {
        let Some(known) = self.new.inputs.get_mut(origin as usize) else {
            return Err(ErrorKind::IndexFull("games of an origin that was not announced").into());
        };
        known.games += rows.len() as u64;
        known.text_len =
            known.text_len.max(offset + rows.games.iter().map(|game| u64::from(game.text_len)).sum::<u64>());
        self.ids.reset(rows);
        if let Some(segment) = &self.segment {
            segment.look_up(rows, &mut self.ids);
        }
        let (mut moves, mut text) = (&rows.moves[..], text);
        let mut first = 0;
        while first < rows.len() {
            if self.segment.is_none() {
                self.segment = Some(self.new_segment(self.layout.embed)?);
            }
            let most = self.limits();
            let Some(segment) = &mut self.segment else { continue };
            let found = PushedBatch { moves, input: origin, offset, text };
            let pushed = segment.push(rows, first, most, &mut self.ids, &found);
            let pushed = pushed.map_err(|error| Error::from(error).at(segment.path()))?;
            if pushed == 0 {
                self.end_segment()?;
                self.ids.reset(rows);
            }
            for game in &rows.games[first..first + pushed] {
                offset += u64::from(game.text_len);
                moves = &moves[game.moves_len as usize..];
                text = text.get(game.text_len as usize..).unwrap_or_default();
            }
            first += pushed;
        }
        Ok(())
    }

    /// Adds to `rejects.jsonl`: whole lines.
    ///
    /// # Errors
    /// When the disk does not take them.
    pub fn add_rejected(&mut self, lines: &[u8]) -> Result<()> {
        let Some(rejects) = &mut self.rejects else { return Ok(()) };
        rejects.write(lines).map_err(|error| Error::from(error).at(self.dir.join(NEXT_REJECTS)))
    }

    /// A new list of rejects; it begins with the old one if that is gone on with.
    fn begin_rejects(&self, append: bool) -> io::Result<RejectsWriter> {
        let mut rejects = RejectsWriter {
            out: self.storage.create(&self.dir.join(NEXT_REJECTS))?,
            len: 0,
            sum: Checksum::default(),
        };
        if append && self.old.rejects.0 > 0 {
            read_chunks(&self.dir.join(REJECTS), |piece| rejects.write(piece))?;
        }
        Ok(rejects)
    }

    fn end_segment(&mut self) -> Result<()> {
        if let Some(segment) = self.segment.take() {
            let listed = self.publish(segment)?;
            self.new.segments.push(listed);
        }
        Ok(())
    }

    /// A segment to write games to.
    fn new_segment(&self, embed: bool) -> Result<SegmentWriter> {
        let path = self.dir.join(manifest::file_name(self.next_number)).with_extension("pdns.tmp");
        SegmentWriter::create(&self.storage, &path, embed).map_err(|error| Error::from(error).at(path))
    }

    /// Finishes a segment and gives it its name.
    fn publish(&mut self, segment: SegmentWriter) -> Result<SegmentEntry> {
        let tmp = segment.path().to_owned();
        let written = segment.finish(self.threads).map_err(|error| Error::from(error).at(&tmp))?;
        let listed = SegmentEntry { number: self.next_number, info: written };
        let path = self.dir.join(listed.file());
        self.storage.rename(&tmp, &path).map_err(|error| Error::from(error).at(path))?;
        self.next_number += 1;
        Ok(listed)
    }

    /// How many segments there are so far.
    pub(super) fn segments(&self) -> usize {
        self.new.segments.len()
    }

    /// Merges as many segments as the layout allows; whether there were any to merge.
    pub(super) fn merge_all(&mut self) -> Result<bool> {
        let packs = merge_plan::merge_groups(&self.merge_inputs()?, self.limits());
        // From the back, so that the places of those before stay.
        for pack in packs.iter().rev() {
            self.merge(pack.clone())?;
        }
        Ok(!packs.is_empty())
    }

    fn limits(&self) -> SegmentLimits {
        SegmentLimits { games: self.layout.segment_games, name_memory: MAX_NAME_MEMORY }
    }

    fn merge_inputs(&self) -> Result<Vec<MergeInput>> {
        let open = |listed: &SegmentEntry| Ok(MergeInput::of(&Segment::open(self.dir.join(listed.file()))?));
        self.new.segments.iter().map(open).collect()
    }

    /// Puts one segment in the place of some that follow each other.
    fn merge(&mut self, range: Range<usize>) -> Result<()> {
        let mut merged: Option<SegmentWriter> = None;
        for listed in &self.new.segments[range.clone()] {
            let segment = Segment::open(self.dir.join(listed.file()))?;
            let to = match &mut merged {
                Some(merged) => merged,
                empty => empty.insert(self.new_segment(segment.has(Section::Text))?),
            };
            let path = to.path().to_owned();
            copy::copy(&segment, to).map_err(|error| error.at(path))?;
        }
        if let Some(merged) = merged {
            let listed = self.publish(merged)?;
            self.new.segments.splice(range, [listed]);
        }
        Ok(())
    }

    /// Makes the new index the one that readers see, in one step. Small segments are merged before.
    ///
    /// # Errors
    /// When the disk does not take it, or a segment that is to be merged is damaged; then the old index stays.
    pub fn commit(mut self) -> Result<()> {
        self.end_segment()?;
        if !self.old.segments.is_empty() {
            while let Some(range) = merge_plan::due_merge(&self.merge_inputs()?, self.limits()) {
                self.merge(range)?;
            }
        }
        self.replace_manifest().map_err(|error| Error::from(error).at(&self.dir))?;
        self.done = true;
        // From here on the new index is there; what fails now is put right by the next writer.
        let _ = finish_rename(&*self.storage, &self.dir, &self.new);
        self.remove_unlisted(&self.new);
        Ok(())
    }

    fn replace_manifest(&mut self) -> io::Result<()> {
        if let Some(mut rejects) = self.rejects.take() {
            rejects.out.sync()?;
            self.new.rejects = (rejects.len, rejects.sum.digest());
        }
        let tmp = self.dir.join("manifest.tmp");
        self.write(&tmp, &self.new.to_bytes())?;
        // What the manifest lists has to be on the disk before the manifest is.
        self.storage.sync_dir(&self.dir)?;
        self.storage.rename(&tmp, &self.dir.join(manifest::NAME))?;
        self.storage.sync_dir(&self.dir)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut out = self.storage.create(path)?;
        out.write_all(bytes)?;
        out.sync()
    }

    /// Removes what belongs to an index and not to this one.
    fn remove_unlisted(&self, current: &Manifest) {
        let Ok(files) = fs::read_dir(&self.dir) else { return };
        for file in files.flatten() {
            let name = file.file_name();
            let Some(name) = name.to_str() else { continue };
            let listed = |number| {
                current.segments.iter().any(|one| {
                    one.number == number && (one.file() == name || key_table::file_name(number) == name)
                })
            };
            let ours = manifest::number_of(name).is_some_and(|number| !listed(number));
            if ours || name == "manifest.tmp" || name == NEXT_REJECTS {
                // A reader on a system that protects open files may hold it; the next writer tries again.
                let _ = self.storage.remove(&file.path());
            }
        }
    }
}

impl Drop for IndexWriter {
    fn drop(&mut self) {
        if !self.done {
            self.segment = None;
            // Unless the manifest was replaced and only the last sync failed.
            if let Ok(Some(current)) = Manifest::read(&self.dir) {
                self.remove_unlisted(&current);
            } else if self.old == Manifest::default() {
                self.remove_unlisted(&self.old);
            }
        }
    }
}

/// The numbers that files of segments in a folder have.
fn segment_numbers_in(dir: &Path) -> Vec<u64> {
    let files = fs::read_dir(dir).into_iter().flatten().flatten();
    files.filter_map(|file| manifest::number_of(file.file_name().to_str()?)).collect()
}
