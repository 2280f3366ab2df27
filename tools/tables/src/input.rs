//! Archives that can be opened again, and the batches of several of them.

use std::fmt;
use std::io::{self, Read};
use std::iter::FusedIterator;
use std::path::PathBuf;
use std::sync::Arc;

use pdn::archive::{Archive, Batch, Batches, RecordRange};
use pdn::replay::ArchiveHead;
use pdn::source::{self, Bytes, OpenOptions};
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

/// Opens a remote file; the error has its name.
fn open_remote(file: &dyn RemoteFile, start: u64) -> Result<Box<dyn Read + Send>> {
    file.open(start).map_err(|error| Error::from(error).at(file.name()))
}

/// Iterator over the batches of archives in their order.
///
/// An error concerns one input; the batches of the next inputs follow it. A binary file is an error.
#[derive(Debug)]
pub struct ArchiveBatches {
    archives: std::vec::IntoIter<ArchiveInput>,
    options: OpenOptions,
    batch_bytes: usize,
    /// The batches of the opened archive, and whether it is a part of a file.
    opened: Option<(Batches, bool)>,
}

impl ArchiveBatches {
    /// Creates an iterator over the batches of `archives`, each of about `batch_bytes` bytes.
    pub fn new(archives: Vec<ArchiveInput>, options: OpenOptions, batch_bytes: usize) -> Self {
        Self { archives: archives.into_iter(), options, batch_bytes, opened: None }
    }
}

impl Iterator for ArchiveBatches {
    type Item = Result<Batch>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((batches, is_part)) = &mut self.opened
                && let Some(batch) = batches.next()
            {
                // The file of a part was judged by its first bytes when its parts were found.
                if let Ok(batch) = &batch
                    && batch.begins_input()
                    && !*is_part
                    && let Err(error) = source::require_text(batch.bytes())
                {
                    // A binary file has no games; its other batches are not read.
                    self.opened = None;
                    return Some(Err(error.at(batch.name())));
                }
                return Some(batch);
            }
            let archive = self.archives.next()?;
            match archive.open(&self.options) {
                Ok(opened) => {
                    self.opened = Some((opened.batch_bytes(self.batch_bytes).batches(), archive.is_part()));
                }
                Err(error) => {
                    self.opened = None;
                    return Some(Err(error));
                }
            }
        }
    }
}

impl FusedIterator for ArchiveBatches {}
