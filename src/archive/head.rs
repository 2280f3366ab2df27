//! The head of an input: what all of its batches share, and what its first records decide about all of them.

use std::any::Any;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};

use super::records::BatchRecords;
use crate::limits::Limits;
use crate::source::container::Container;
use crate::source::{Bytes, Decoder, Encoding, LineCounter, ReadProgress, TextForm, TextOffsets};
use crate::split::{Chunks, Record, Splitter};
use crate::value::ScoreOrder;

/// What all batches of one input share. Nothing of it is computed before it is asked for.
#[derive(Debug)]
pub(crate) struct InputHead {
    pub(super) name: PathBuf,
    pub(super) progress: ReadProgress,
    pub(super) form: Option<(TextForm, TextOffsets)>,
    /// The container of the text.
    pub(super) container: Container,
    pub(super) limits: Limits,
    pub(super) forced: Option<Encoding>,
    pub(super) scores: Option<ScoreOrder>,
    pub(super) decoder: OnceLock<Decoder>,
    pub(super) first: FirstRecords,
    pub(super) lines: LineChain,
    pub(super) note: OnceLock<Note>,
}

/// What another module has found out about an input; this module does not know the type.
pub(crate) type Note = Box<dyn Any + Send + Sync>;

/// Where the first records of an input are read again.
#[derive(Debug)]
pub(super) enum FirstRecords {
    /// The whole input is in memory.
    Whole(Bytes, Arc<WholeInput>),
    /// The first bytes of a stream, and its first batches with their records.
    Held { start: Bytes, batches: Vec<(Bytes, BatchRecords)> },
}

impl InputHead {
    /// Number of first records that are kept of a stream.
    pub(crate) const RECORDS: usize = 256;
    /// Length in bytes of the first records after which no further ones are kept of a stream.
    ///
    /// Without this limit, very long records would fill the memory.
    pub(crate) const BYTES: usize = 4 << 20;

    /// Returns the decoder that turns the bytes of the input into text.
    pub(super) fn decoder(&self) -> &Decoder {
        self.decoder.get_or_init(|| Decoder::new(self.forced, self.start()))
    }

    /// Returns the limits that the records of the input were read with.
    pub(crate) const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the first bytes of the input.
    pub(super) fn start(&self) -> &[u8] {
        match &self.first {
            FirstRecords::Whole(bytes, _) => bytes,
            FirstRecords::Held { start, .. } => start,
        }
    }

    /// Returns the note of the input. The first call makes it, while calls on other threads wait; a part of an input may have
    /// been given one. All calls have to name the same type.
    pub(crate) fn note<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> &T {
        let note = self.note.get_or_init(|| Box::new(make()));
        note.downcast_ref().expect("all calls name the same type")
    }

    /// Converts an offset in the text to an offset in the input.
    pub(crate) fn original_offset(&self, offset: u64) -> u64 {
        self.form.as_ref().map_or(offset, |(_, offsets)| offsets.original_offset(offset))
    }

    /// Calls `each` with the first records of the input in their order, until it breaks: at least [`Self::RECORDS`] records or
    /// [`Self::BYTES`] bytes, unless the input is shorter.
    pub(crate) fn each_first_record(&self, mut each: impl FnMut(Record<'_>) -> ControlFlow<()>) {
        let mut each_of = |bytes: &[u8], records: &BatchRecords| {
            let mut all = (0..).map_while(|index| records.get(bytes, index));
            all.try_for_each(&mut each)
        };
        // Both loops end early only because the caller has seen enough.
        let _ = match &self.first {
            FirstRecords::Whole(bytes, whole) => {
                (0..whole.chunks.len()).try_for_each(|n| each_of(bytes, &whole.records(bytes, n)))
            }
            FirstRecords::Held { batches, .. } => {
                batches.iter().try_for_each(|(bytes, records)| each_of(bytes, records))
            }
        };
    }
}

/// An input that is in memory as a whole, divided into chunks.
#[derive(Debug)]
pub(super) struct WholeInput {
    pub(super) chunks: Chunks,
    /// Splitters that no thread uses now. Kept because a splitter remembers what it has searched.
    idle: Mutex<Vec<Splitter>>,
}

impl WholeInput {
    pub(super) fn new(chunks: Chunks) -> Self {
        Self { chunks, idle: Mutex::default() }
    }

    /// Finds the records of chunk `n`. `bytes` are those of the input.
    // Twin: a streamed input, split in order on one thread; tests: `mapped_games_equal_split_games_for_any_batch`,
    // `streamed_games_equal_split_games_for_any_chunk_and_batch`.
    pub(super) fn records(&self, bytes: &Bytes, n: usize) -> BatchRecords {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let mut splitter = idle().pop().unwrap_or_default();
        let chunk = self.chunks.records(bytes, n, &mut splitter);
        idle().push(splitter);
        let start = chunk.start;
        let mut records =
            BatchRecords { start, offset: start as u64, first: chunk.first, ..BatchRecords::default() };
        records.ends.reserve_exact(chunk.ends.len());
        for record in chunk.ends {
            records.push(record);
        }
        records
    }
}

/// The line counters at the starts of the batches of one input.
///
/// Workers take batches in order but finish them in any order. Each counts the lines of its batch first, in a fraction of
/// the time that its rows take, so the wait for the batch before is short. Every batch of the input has to be passed.
#[derive(Debug, Default)]
pub(super) struct LineChain {
    /// The counters at the starts of batches, by the offset of the batch.
    starts: Mutex<BTreeMap<u64, LineCounter>>,
    added: Condvar,
}

impl LineChain {
    /// Creates the chain of a part of an input, whose first record begins at `offset` and at the start of `line`.
    pub(super) fn starting_at(offset: u64, line: u64) -> Self {
        let starts = BTreeMap::from([(offset, LineCounter::at_line(line))]);
        Self { starts: Mutex::new(starts), added: Condvar::new() }
    }

    /// Returns the line counter at the start of a batch, after waiting for the batches before it, and passes the batch, which begins
    /// at `offset` with `whole_lines`. Then follow the parts of its last line, each with the encoding of its record, on which
    /// columns depend.
    pub(super) fn pass(
        &self,
        offset: u64,
        whole_lines: &[u8],
        last_line: &[(&[u8], Encoding)],
    ) -> LineCounter {
        let mut starts = self.starts.lock().unwrap_or_else(PoisonError::into_inner);
        let start = loop {
            match starts.get(&offset) {
                Some(start) => break *start,
                None if offset == 0 => break LineCounter::new(),
                None => starts = self.added.wait(starts).unwrap_or_else(PoisonError::into_inner),
            }
        };
        let mut end = start;
        // A line end sets the column to 1 in every encoding.
        end.pass(whole_lines, Encoding::UTF_8);
        let mut end_offset = offset + whole_lines.len() as u64;
        for (part, encoding) in last_line {
            end.pass(part, *encoding);
            end_offset += part.len() as u64;
        }
        starts.insert(end_offset, end);
        self.added.notify_all();
        start
    }
}
