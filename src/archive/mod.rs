//! A whole archive: one file, stream or zip, game by game, alone or on many threads.
//!
//! Records travel in [`Batch`]es of about half a megabyte that share the mapped file or own what was read, so that memory
//! stays flat however long the input is. Where the whole input is there, as in a mapped file, the records of a batch
//! are found by whoever asks for them first, several batches [at once](crate::split::Chunks); those of a stream are found
//! while it is read. Mapped and streamed inputs give the same games; so does any number of threads.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::Read;
use std::iter::FusedIterator;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::pool;
use crate::source::encoding::SAMPLE;
use crate::source::{
    self, Bytes, Decoder, Encoding, Input, InputBytes, Inputs, OpenOptions, ReadProgress, Stream,
};
use crate::split::{Chunks, Record, RecordEnd, Splitter};
use crate::view;

/// An archive that has been opened and not yet read.
///
/// ```no_run
/// # fn main() -> pdn::Result<()> {
/// use pdn::archive::Archive;
///
/// for game in Archive::open("games.pdn")?.games() {
///     let game = game?;
///     println!("{:?} plays {} moves", game.view().tag("White"), game.view().moves().count());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Archive {
    inputs: Inputs,
    forced: Option<Encoding>,
    limits: Limits,
    batch_bytes: usize,
    /// Whether pages of a mapped file are let go behind the reader.
    release: bool,
}

impl Archive {
    /// Opens `path`, `-` being standard input, with the default options.
    ///
    /// # Errors
    ///
    /// As [`source::open`]: the path cannot be opened, is a folder, or is a container that cannot be read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, &OpenOptions::new())
    }

    /// As [`Archive::open`], with options: maps, encodings, bounds for containers.
    ///
    /// # Errors
    ///
    /// As [`Archive::open`].
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Self> {
        Ok(Self::new(source::open(path, options)?, options))
    }

    /// An archive that comes from `reader`, called `name` in messages.
    ///
    /// # Errors
    ///
    /// As [`source::from_reader`].
    pub fn from_reader(
        reader: impl Read + Send + 'static,
        name: impl Into<PathBuf>,
        options: &OpenOptions,
    ) -> Result<Self> {
        Ok(Self::new(source::from_reader(reader, name, options)?, options))
    }

    /// An archive that is in memory already, or mapped by [`source::open`] for more than one reader, called `name` in
    /// messages.
    ///
    /// ```
    /// # fn main() -> pdn::Result<()> {
    /// use pdn::archive::Archive;
    /// use pdn::source::{Bytes, OpenOptions};
    ///
    /// let bytes = Bytes::from(b"1. 32-28 19-23 *\n1. 33-29 *\n".to_vec());
    /// for _ in 0..2 {
    ///     let archive = Archive::from_bytes(bytes.clone(), "two games", &OpenOptions::new())?;
    ///     assert_eq!(archive.games().count(), 2);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`source::from_bytes`].
    pub fn from_bytes(bytes: Bytes, name: impl Into<PathBuf>, options: &OpenOptions) -> Result<Self> {
        let archive = Self::new(source::from_bytes(bytes, name, options)?, options);
        Ok(Self { release: false, ..archive })
    }

    fn new(inputs: Inputs, options: &OpenOptions) -> Self {
        let (limits, batch_bytes) = (Limits::DEFAULT, Stream::CHUNK);
        Self { inputs, forced: options.encoding, limits, batch_bytes, release: true }
    }

    /// Sets the bounds on games.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets how many bytes a batch has, about: a record belongs to the batch that it starts in; 1 GiB at most. No result
    /// depends on it.
    #[must_use]
    pub fn batch_bytes(mut self, bytes: usize) -> Self {
        self.batch_bytes = bytes.clamp(1, 1 << 30);
        self
    }

    /// The games, in order.
    ///
    /// An error concerns one input: the games before it have been given, those of further inputs follow.
    pub fn games(self) -> ArchiveGames {
        ArchiveGames { batches: self.batches(), batch: None, next: 0 }
    }

    /// The records in batches, in order: the form for programs that count every nanosecond. Where in a mapped file
    /// records start is found when a batch is asked for them, so hand batches to the threads that work on them first.
    pub fn batches(self) -> Batches {
        Batches {
            splitter: Splitter::new(self.limits),
            limits: self.limits,
            inputs: self.inputs,
            forced: self.forced,
            batch_bytes: self.batch_bytes,
            release: self.release,
            feed: None,
            errors: VecDeque::new(),
        }
    }

    /// What `work` makes of each game, in the order of the archive, on `threads` workers. `scratch` makes the
    /// memory that a worker keeps from game to game.
    ///
    /// ```
    /// # fn main() -> pdn::Result<()> {
    /// use pdn::archive::Archive;
    /// use pdn::ast::TreeBuilder;
    /// use pdn::source::OpenOptions;
    ///
    /// let text = &b"1. 32-28 19-23 *\n1. 33-29 *\n"[..];
    /// let archive = Archive::from_reader(text, "two games", &OpenOptions::new())?;
    /// let scratch = || (TreeBuilder::new(), bumpalo::Bump::new());
    /// let plies = archive.par_games(pdn::pool::default_threads(), scratch, |(builder, arena), game| {
    ///     arena.reset();
    ///     builder.build(game.raw(), arena).moves().count()
    /// });
    /// assert_eq!(plies.collect::<pdn::Result<Vec<_>>>()?, [2, 1]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn par_games<S, T: Send + 'static>(
        self,
        threads: NonZeroUsize,
        scratch: impl Fn() -> S + Send + Sync + 'static,
        work: impl Fn(&mut S, view::GameView<'_>) -> T + Send + Sync + 'static,
    ) -> impl FusedIterator<Item = Result<T>> {
        let results = pool::map(self.batches(), threads, scratch, move |scratch, batch| {
            batch.map(|batch| batch.games().map(|game| work(scratch, game)).collect::<Vec<T>>())
        });
        results
            .flat_map(|batch| match batch {
                Ok(results) => Either::Many(results.into_iter()),
                Err(error) => Either::One(Some(error)),
            })
            .fuse()
    }
}

/// The results of a batch, or the error in its place.
enum Either<T> {
    Many(std::vec::IntoIter<T>),
    One(Option<Error>),
}

impl<T> Iterator for Either<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        match self {
            Self::Many(results) => results.next().map(Ok),
            Self::One(error) => error.take().map(Err),
        }
    }
}

/// What all batches of an input share.
#[derive(Debug)]
struct Shared {
    name: PathBuf,
    progress: ReadProgress,
    offsets: Option<source::Utf16Offsets>,
    forced: Option<Encoding>,
    /// The beginning of the file, to guess its encoding by when somebody asks.
    head: Bytes,
    decoder: OnceLock<Decoder>,
}

/// Some whole records that follow each other in one input.
#[derive(Clone, Debug)]
pub struct Batch {
    shared: Arc<Shared>,
    bytes: Bytes,
    /// Where its records are found, unless they were when it was made: the pieces of the input, and which one this is.
    piece: Option<(Arc<Whole>, usize)>,
    records: OnceLock<BatchRecords>,
    /// Whether it is the first of its input.
    begins: bool,
}

/// An input that is there as a whole.
#[derive(Debug)]
struct Whole {
    pieces: Chunks,
    /// Splitters that nobody uses at the moment.
    idle: Mutex<Vec<Splitter>>,
}

/// Where the records of a batch are.
#[derive(Clone, Debug, Default)]
struct BatchRecords {
    /// Where in the bytes the first record starts.
    start: usize,
    /// Offset of the first record in the input.
    offset: u64,
    /// Number of the first record in the input, from 0.
    first: u64,
    /// Where the records end, counted from `start`.
    ends: Vec<u32>,
    /// The records that were longer than allowed.
    cut: Vec<u32>,
}

impl Batch {
    #[inline]
    fn records(&self) -> &BatchRecords {
        self.records.get_or_init(|| self.find())
    }

    /// Finds the records of a piece.
    #[cold]
    fn find(&self) -> BatchRecords {
        let Some((whole, n)) = &self.piece else { return BatchRecords::default() };
        let idle = || whole.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let mut splitter = idle().pop().unwrap_or_default();
        let piece = whole.pieces.records(&self.bytes, *n, &mut splitter);
        idle().push(splitter);
        let start = piece.start;
        let mut records =
            BatchRecords { start, offset: start as u64, first: piece.first, ..BatchRecords::default() };
        records.ends.reserve_exact(piece.ends.len());
        for record in piece.ends {
            records.push(record);
        }
        records
    }

    /// Number of records.
    pub fn len(&self) -> usize {
        self.records().ends.len()
    }

    /// Whether no record starts here: another one, that started before, is longer than a batch.
    pub fn is_empty(&self) -> bool {
        self.records().ends.is_empty()
    }

    /// Whether it is the first batch of its input. Known without looking for records.
    pub fn begins_input(&self) -> bool {
        self.begins
    }

    /// The record with this number in the batch, from 0.
    #[inline]
    pub fn get(&self, index: usize) -> Option<view::GameView<'_>> {
        let records = self.records();
        let end = *records.ends.get(index)? as usize;
        let from = index.checked_sub(1).map_or(0, |before| records.ends[before] as usize);
        let cut = !records.cut.is_empty() && records.cut.contains(&(index as u32));
        let bytes = &self.bytes[records.start + from..records.start + end];
        Some(Record { bytes, offset: records.offset + from as u64, cut }.into())
    }

    /// The records, in order.
    #[inline]
    pub fn games(&self) -> impl ExactSizeIterator<Item = view::GameView<'_>> {
        (0..self.len()).map(|index| self.get(index).expect("below the length"))
    }

    /// The bytes of all its records.
    pub fn bytes(&self) -> &[u8] {
        let records = self.records();
        let len = records.ends.last().map_or(0, |&end| end as usize);
        &self.bytes[records.start..records.start + len]
    }

    /// Offset of its first byte in the input.
    pub fn offset(&self) -> u64 {
        self.records().offset
    }

    /// Number of its first record in the input, from 0.
    pub fn first(&self) -> u64 {
        self.records().first
    }

    /// The input's name: a path, `-`, or `archive.zip/entry.pdn`.
    pub fn name(&self) -> &Path {
        &self.shared.name
    }

    /// How much of the input has been read.
    pub fn progress(&self) -> &ReadProgress {
        &self.shared.progress
    }

    /// The way from offsets in the text to those in a UTF-16 file.
    pub fn offsets(&self) -> Option<&source::Utf16Offsets> {
        self.shared.offsets.as_ref()
    }

    /// What turns the bytes of this input into text.
    pub fn decoder(&self) -> &Decoder {
        self.shared.decoder.get_or_init(|| Decoder::new(self.shared.forced, &self.shared.head))
    }
}

/// Iterator over the batches of an archive.
#[derive(Debug)]
pub struct Batches {
    splitter: Splitter,
    limits: Limits,
    inputs: Inputs,
    forced: Option<Encoding>,
    batch_bytes: usize,
    release: bool,
    feed: Option<Feed>,
    /// Errors to be given once the games before them have been.
    errors: VecDeque<Error>,
}

/// So many bytes of a mapped file stay in memory behind the reader, up to twice as many before they are let go.
const KEEP: usize = 64 << 20;

/// The input that is being read.
#[derive(Debug)]
struct Feed {
    shared: Arc<Shared>,
    bytes: Text,
    /// No batch has been made yet.
    begins: bool,
}

#[derive(Debug)]
enum Text {
    Whole {
        bytes: Bytes,
        whole: Arc<Whole>,
        next: usize,
        /// Where the pages begin that have not been let go; `None` if they never are.
        held: Option<usize>,
    },
    Stream {
        stream: Stream,
        tail: Vec<u8>,
        complete: bool,
        /// Offset of the next record in the input, and its number.
        offset: u64,
        first: u64,
    },
}

impl Batches {
    /// Prepares the next input.
    fn begin(&mut self, input: Input) {
        let offsets = input.source.offsets();
        let (head, bytes) = match input.source {
            InputBytes::Whole(bytes) => {
                let pieces = Chunks::new(bytes.len(), self.batch_bytes, self.limits);
                let whole = Arc::new(Whole { pieces, idle: Mutex::default() });
                (bytes.clone(), Text::Whole { bytes, whole, next: 0, held: self.release.then_some(0) })
            }
            InputBytes::Stream(mut stream) => {
                let mut tail = Vec::new();
                let complete = match stream.fill(&mut tail, self.batch_bytes.max(SAMPLE)) {
                    Ok(read) => read == 0,
                    Err(error) => {
                        self.errors.push_back(error);
                        true
                    }
                };
                // The same bytes that a mapped file would be judged by.
                let head = tail[..tail.len().min(SAMPLE)].to_vec().into();
                (head, Text::Stream { stream, tail, complete, offset: 0, first: 0 })
            }
        };
        let (forced, decoder) = (self.forced, OnceLock::new());
        let shared = Shared { name: input.name, progress: input.progress, offsets, forced, head, decoder };
        self.feed = Some(Feed { shared: Arc::new(shared), bytes, begins: true });
    }
}

impl Iterator for Batches {
    type Item = Result<Batch>;

    fn next(&mut self) -> Option<Result<Batch>> {
        loop {
            if let Some(feed) = &mut self.feed {
                if let Some(batch) = feed.next(&mut self.splitter, self.batch_bytes, &mut self.errors) {
                    return Some(Ok(batch));
                }
                self.feed = None;
            }
            if let Some(error) = self.errors.pop_front() {
                return Some(Err(error));
            }
            match self.inputs.next()? {
                Ok(input) => self.begin(input),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl FusedIterator for Batches {}

impl Feed {
    /// The next batch of this input; `None` at its end. What goes wrong in reading is added to `errors`.
    fn next(&mut self, splitter: &mut Splitter, least: usize, errors: &mut VecDeque<Error>) -> Option<Batch> {
        let begins = std::mem::take(&mut self.begins);
        let shared = Arc::clone(&self.shared);
        match &mut self.bytes {
            Text::Whole { bytes, whole, next, held } => {
                let n = *next;
                if n == whole.pieces.len() {
                    return None;
                }
                *next += 1;
                let end = whole.pieces.end(n);
                // What lies far behind is most likely done with; where it is not, it is read again.
                let behind = end.saturating_sub(KEEP);
                if let Some(held) = held.as_mut().filter(|held| behind >= **held + KEEP) {
                    bytes.release(*held, behind);
                    *held = behind;
                }
                self.shared.progress.set(end as u64);
                let piece = Some((Arc::clone(whole), n));
                Some(Batch { shared, bytes: bytes.clone(), piece, records: OnceLock::new(), begins })
            }
            Text::Stream { stream, tail, complete, offset, first } => {
                let mut records = BatchRecords { offset: *offset, first: *first, ..BatchRecords::default() };
                let mut more = least;
                let len = loop {
                    splitter.moved();
                    let len = records.find(splitter, tail, *complete, least);
                    if len > 0 || *complete {
                        break len;
                    }
                    match stream.fill(tail, more) {
                        Ok(0) => *complete = true,
                        Ok(_) => {}
                        Err(error) => {
                            errors.push_back(error);
                            *complete = true;
                        }
                    }
                    // A record longer than a batch: ask for more each time, so that searching it stays linear.
                    more = tail.len().max(least);
                };
                let rest = tail[len..].to_vec();
                tail.truncate(len);
                tail.shrink_to(len + 4 * least);
                splitter.moved();
                let bytes = std::mem::replace(tail, rest).into();
                if len == 0 {
                    return None;
                }
                *offset += len as u64;
                *first += records.ends.len() as u64;
                Some(Batch { shared, bytes, piece: None, records: OnceLock::from(records), begins })
            }
        }
    }
}

impl BatchRecords {
    /// Finds records of a stream, until they have at least `least` bytes or no more is certain, and answers with their
    /// length.
    fn find(&mut self, splitter: &mut Splitter, bytes: &[u8], complete: bool, least: usize) -> usize {
        let mut at = 0;
        splitter.each(bytes, 0, complete, |record| {
            at = record.end;
            self.push(record);
            if at < least { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        at
    }

    #[inline]
    fn push(&mut self, record: RecordEnd) {
        if record.cut {
            self.cut.push(self.ends.len() as u32);
        }
        self.ends.push((record.end - self.start) as u32);
    }
}

/// Iterator over the games of an archive.
#[derive(Debug)]
pub struct ArchiveGames {
    batches: Batches,
    batch: Option<Arc<Batch>>,
    next: usize,
}

impl Iterator for ArchiveGames {
    type Item = Result<ArchiveGame>;

    #[inline]
    fn next(&mut self) -> Option<Result<ArchiveGame>> {
        loop {
            if let Some(batch) = &self.batch {
                if self.next < batch.len() {
                    let game = ArchiveGame { batch: Arc::clone(batch), index: self.next };
                    self.next += 1;
                    return Some(Ok(game));
                }
                self.batch = None;
            }
            match self.batches.next()? {
                Ok(batch) => {
                    self.batch = Some(Arc::new(batch));
                    self.next = 0;
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl FusedIterator for ArchiveGames {}

/// A game that can be kept: it holds on to its batch.
#[derive(Clone, Debug)]
pub struct ArchiveGame {
    batch: Arc<Batch>,
    index: usize,
}

impl ArchiveGame {
    /// The game itself.
    #[inline]
    pub fn view(&self) -> view::GameView<'_> {
        self.batch.get(self.index).expect("made for a record of this batch")
    }

    /// The bytes of the game.
    pub fn raw(&self) -> &[u8] {
        self.view().raw()
    }

    /// Its number in the input, from 1.
    pub fn number(&self) -> u64 {
        self.batch.first() + self.index as u64 + 1
    }

    /// The input that it stands in.
    pub fn name(&self) -> &Path {
        self.batch.name()
    }

    /// The text of a tag, decoded and without escapes.
    pub fn text(&self, tag: &str) -> Option<String> {
        let value = self.view().tag(tag)?;
        let plain = crate::parse::unescape(value);
        Some(self.decode(&plain).into_owned())
    }

    /// The text that `part`, some bytes of this game, means in the encoding of the game.
    pub fn decode<'p>(&self, part: &'p [u8]) -> Cow<'p, str> {
        self.batch.decoder().text(self.raw(), part)
    }
}

#[cfg(test)]
mod tests;
