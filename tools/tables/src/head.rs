//! Reads the batches of several archives, each with the first records of its input, which decide how games without a
//! GameType tag are replayed.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Read};
use std::iter::FusedIterator;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use pdn::archive::{Archive, Batch, Batches, RecordRange};
use pdn::export::LineChain;
use pdn::replay::{ArchiveHead, FilePrior, FilePriorPoll, ReplayOptions};
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
            Self::Part(path, range, head) => {
                Archive::part(path, range, head.decoder(options.encoding), options)
            }
            Self::Remote(file) => Archive::from_reader(open_remote(&**file, 0)?, file.name(), options),
            Self::RemotePart(file, range, head) => {
                let (reader, decoder) = (open_remote(&**file, range.start)?, head.decoder(options.encoding));
                Archive::part_from_reader(reader, file.name(), range, decoder, options)
            }
        }
    }

    /// Returns `true` for a part of a file.
    pub(crate) fn is_part(&self) -> bool {
        matches!(self, Self::Part(..) | Self::RemotePart(..))
    }

    /// Returns the head of a part, which its own records do not give; `None` for whole inputs.
    fn part_head(&self) -> Option<InputHead> {
        match self {
            Self::Part(_, range, head) | Self::RemotePart(_, range, head) if range.takes_head() => {
                Some(InputHead {
                    first: Vec::new(),
                    prior: OnceLock::new(),
                    given: Some(head.prior.clone()),
                    lines: LineChain::starting_at(range.start, range.line),
                })
            }
            _ => None,
        }
    }
}

/// Opens a remote file; the error has its name.
fn open_remote(file: &dyn RemoteFile, start: u64) -> Result<Box<dyn Read + Send>> {
    file.open(start).map_err(|error| Error::from(error).at(file.name()))
}

/// What all batches of one input share: its first records and the lines in which its batches begin.
#[derive(Debug, Default)]
pub struct InputHead {
    first: Vec<Batch>,
    prior: OnceLock<FilePrior>,
    /// The prior of a part, which does not follow from `first`.
    given: Option<FilePrior>,
    lines: LineChain,
}

impl InputHead {
    /// Returns the lines in which the batches of the input begin.
    pub fn lines(&self) -> &LineChain {
        &self.lines
    }

    /// Returns the file prior. The first call computes it, which takes some milliseconds; calls on other threads wait.
    /// All calls must pass the same options.
    pub fn prior(&self, options: &ReplayOptions) -> &FilePrior {
        self.prior.get_or_init(|| {
            if options.variant.is_some() {
                return FilePrior::default();
            }
            if let Some(given) = &self.given {
                return given.clone();
            }
            FilePrior::of(self.first.iter().flat_map(Batch::games).map(|game| game.raw()), options)
        })
    }
}

/// Iterator over the batches of archives in their order, each with the head of its input.
///
/// An error concerns one input; the batches of the next inputs follow it.
#[derive(Debug)]
pub struct BatchesWithHead {
    archives: std::vec::IntoIter<ArchiveInput>,
    options: OpenOptions,
    batch_bytes: usize,
    batches: Option<Batches>,
    /// The head of the opened archive if it is a part of a file.
    part_head: Option<InputHead>,
    head: Arc<InputHead>,
    /// Batches that were read to find the head and have not been returned.
    ready: VecDeque<Batch>,
    /// The item read after those of `ready`.
    lookahead: Option<Result<Batch>>,
}

impl BatchesWithHead {
    /// Creates an iterator over the batches of `archives`, each of about `batch_bytes` bytes.
    pub fn new(archives: Vec<ArchiveInput>, options: OpenOptions, batch_bytes: usize) -> Self {
        Self {
            archives: archives.into_iter(),
            options,
            batch_bytes,
            batches: None,
            part_head: None,
            head: Arc::default(),
            ready: VecDeque::new(),
            lookahead: None,
        }
    }

    /// Returns the next batch of the archives, without its head.
    fn next_batch(&mut self) -> Option<Result<Batch>> {
        loop {
            if let Some(batch) = self.batches.as_mut().and_then(Iterator::next) {
                return Some(batch);
            }
            self.batches = None;
            let archive = self.archives.next()?;
            match archive.open(&self.options) {
                Ok(opened) => {
                    self.part_head = archive.part_head();
                    self.batches = Some(opened.batch_bytes(self.batch_bytes).batches());
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }

    /// Collects the first records of the input that begins with `batch`.
    ///
    /// # Errors
    /// If the input is binary.
    fn begin_input(&mut self, batch: Batch) -> Result<()> {
        if let Some(head) = self.part_head.take() {
            self.head = Arc::new(head);
            self.ready.push_back(batch);
            return Ok(());
        }
        source::require_text(batch.bytes()).map_err(|error: Error| error.at(batch.name()))?;
        let (mut records, mut bytes) = (batch.len(), batch.bytes().len());
        let mut first = vec![batch];
        while records < FilePriorPoll::GAMES as usize && bytes < FilePriorPoll::BYTES {
            match self.next_batch() {
                Some(Ok(batch)) if !batch.begins_input() => {
                    records += batch.len();
                    bytes += batch.bytes().len();
                    first.push(batch);
                }
                other => {
                    self.lookahead = other;
                    break;
                }
            }
        }
        self.ready.extend(first.iter().cloned());
        self.head = Arc::new(InputHead { first, ..InputHead::default() });
        Ok(())
    }
}

impl Iterator for BatchesWithHead {
    type Item = Result<(Batch, Arc<InputHead>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.is_empty() {
            match self.lookahead.take().or_else(|| self.next_batch())? {
                Ok(batch) if batch.begins_input() => {
                    if let Err(error) = self.begin_input(batch) {
                        // A binary file has no games; its other batches are not read.
                        self.batches = None;
                        return Some(Err(error));
                    }
                }
                Ok(batch) => self.ready.push_back(batch),
                Err(error) => return Some(Err(error)),
            }
        }
        let batch = self.ready.pop_front()?;
        Some(Ok((batch, Arc::clone(&self.head))))
    }
}

impl FusedIterator for BatchesWithHead {}
