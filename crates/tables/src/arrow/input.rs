//! Archives that can be opened again, and the batches of several of them.

use std::fmt;
use std::io::{self, Read};
use std::iter::FusedIterator;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pdn::archive::{Archive, Batch, Batches};
use pdn::internal::archive::RecordRange;
use pdn::internal::replay::ArchiveHead;
use pdn::source::{Bytes, OpenOptions};
use pdn::{Error, Result};

/// A file that is not in the file system; the caller knows how to open it.
pub trait RemoteFile: fmt::Debug + Send + Sync {
    /// Returns the name that messages and the column `file` have for it.
    fn name(&self) -> &PathBuf;

    /// Opens the file from this offset on. Called on any thread, for each pass.
    ///
    /// # Errors
    /// If the file cannot be opened, or is not the one whose parts were found.
    fn open(&self, start: u64) -> io::Result<Box<dyn Read + Send>>;
}

/// An archive that games are read from, as often as wanted.
#[derive(Clone, Debug)]
pub enum ArchiveInput {
    /// A file; every pass opens it again.
    File(PathBuf),
    /// Bytes in memory, and the name that messages and the column `file` have for them.
    Memory(PathBuf, Bytes),
    /// A part of a file.
    Part(PathBuf, RecordRange, ArchiveHead),
    /// A file in other storage, which is read as a stream.
    Remote(Arc<dyn RemoteFile>),
    /// A part of such a file; only its bytes are read.
    RemotePart(Arc<dyn RemoteFile>, RecordRange, ArchiveHead),
}

impl ArchiveInput {
    /// Returns the path, or the name of the bytes.
    pub fn name(&self) -> &PathBuf {
        match self {
            Self::File(path) | Self::Memory(path, _) | Self::Part(path, ..) => path,
            Self::Remote(file) | Self::RemotePart(file, ..) => file.name(),
        }
    }

    /// Opens the archive.
    ///
    /// # Errors
    /// As [`Archive::open`].
    pub fn open(&self, options: &OpenOptions) -> Result<Archive> {
        match self {
            Self::File(path) => Archive::open_with(path, options),
            Self::Memory(name, bytes) => Archive::from_bytes(bytes.clone(), name, options),
            Self::Part(path, range, head) => head.open_part(path, range, options),
            Self::Remote(file) => Archive::from_reader(open_remote(&**file, 0)?, file.name(), options),
            Self::RemotePart(file, range, head) => {
                head.part_from_reader(open_remote(&**file, range.start)?, file.name(), range, options)
            }
        }
    }

    /// Returns `true` for a part of a file.
    pub(crate) fn is_part(&self) -> bool {
        matches!(self, Self::Part(..) | Self::RemotePart(..))
    }
}

/// An archive of a table, and what happens if it cannot be read.
#[derive(Clone, Debug)]
pub struct TableArchive {
    /// The archive.
    pub input: ArchiveInput,
    /// `true` if an error leaves out the rest of the archive and is listed in [`SkippedArchives`], as for a file that was found in a
    /// folder; `false` if it ends the rows.
    pub skips: bool,
}

impl TableArchive {
    /// Creates an archive of a table.
    pub fn new(input: ArchiveInput, skips: bool) -> Self {
        Self { input, skips }
    }
}

impl From<ArchiveInput> for TableArchive {
    fn from(input: ArchiveInput) -> Self {
        Self::new(input, false)
    }
}

/// The errors of archives that were left out, or not read to their end, because they [may be](TableArchive::skips). Clones share one list.
#[derive(Clone, Debug, Default)]
pub struct SkippedArchives(Arc<Mutex<Vec<Arc<Error>>>>);

impl SkippedArchives {
    /// Adds an error, unless the list has it from an earlier pass.
    pub fn push(&self, error: impl Into<Arc<Error>>) {
        let (error, mut list) = (error.into(), self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let text = error.to_string();
        if list.iter().all(|known| known.to_string() != text) {
            list.push(error);
        }
    }

    /// Returns the errors so far, in the order in which they were met.
    pub fn errors(&self) -> Vec<Arc<Error>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Opens a remote file; the error has its name.
fn open_remote(file: &dyn RemoteFile, start: u64) -> Result<Box<dyn Read + Send>> {
    file.open(start).map_err(|error| Error::from(error).at(file.name()))
}

/// Iterator over the batches of archives in their order.
///
/// An error concerns one input; the batches of the next inputs follow it. A binary file is an error. Errors of archives that
/// [may be skipped](TableArchive::skips) are listed instead of returned.
#[derive(Debug)]
pub struct ArchiveBatches {
    archives: std::vec::IntoIter<TableArchive>,
    options: OpenOptions,
    batch_bytes: usize,
    skipped: SkippedArchives,
    opened: Option<OpenedArchive>,
    /// The number of batches so far.
    count: u32,
}

/// The size of the first batches of streams. Who asks for a few rows should not wait for, and hold, the work of many.
const FIRST_BATCH_BYTES: usize = 128 << 10;
/// The number of batches of one size, before the next ones are twice as large.
const BATCHES_OF_A_SIZE: u32 = 4;

#[derive(Debug)]
struct OpenedArchive {
    batches: Batches,
    skips: bool,
}

impl ArchiveBatches {
    /// Creates an iterator over the batches of `archives`, each of about `batch_bytes` bytes. What is skipped is added to `skipped`.
    pub fn new(
        archives: Vec<TableArchive>,
        options: OpenOptions,
        batch_bytes: usize,
        skipped: SkippedArchives,
    ) -> Self {
        Self { archives: archives.into_iter(), options, batch_bytes, skipped, opened: None, count: 0 }
    }

    /// Returns the size of the next batch in bytes: small at first, then doubled until it is the one asked for.
    fn next_bytes(&mut self) -> usize {
        let doublings = (self.count / BATCHES_OF_A_SIZE).min(16);
        self.count = self.count.saturating_add(1);
        self.batch_bytes.min(FIRST_BATCH_BYTES << doublings)
    }

    /// Returns an error of an archive, unless it is listed instead.
    fn failed<T>(&self, error: Error, skips: bool) -> Option<Result<T>> {
        if skips {
            self.skipped.push(error);
            return None;
        }
        Some(Err(error))
    }
}

impl Iterator for ArchiveBatches {
    type Item = Result<Batch>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let next_bytes = self.next_bytes();
            if let Some(opened) = &mut self.opened {
                opened.batches.set_batch_bytes(next_bytes);
            }
            if let Some(OpenedArchive { batches, skips }) = &mut self.opened
                && let Some(batch) = batches.next()
            {
                let skips = *skips;
                match batch {
                    Ok(batch) => return Some(Ok(batch)),
                    Err(error) => match self.failed(error, skips) {
                        Some(failed) => return Some(failed),
                        None => continue,
                    },
                }
            }
            let TableArchive { input, skips } = self.archives.next()?;
            match input.open(&self.options) {
                Ok(opened) => {
                    let batches = opened.batch_bytes(self.batch_bytes).batches();
                    self.opened = Some(OpenedArchive { batches, skips });
                }
                Err(error) => {
                    self.opened = None;
                    if let Some(failed) = self.failed(error, skips) {
                        return Some(failed);
                    }
                }
            }
        }
    }
}

impl FusedIterator for ArchiveBatches {}
