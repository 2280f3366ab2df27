//! The head of an input: what all of its batches share, and what its first records decide about all of them.

use std::any::Any;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use memchr::memrchr2;

use super::records::BatchRecords;
use crate::limits::Limits;
use crate::simd;
use crate::source::container::Container;
use crate::source::{Bytes, Decoder, Encoding, LineCounter, ReadProgress, TextForm, TextOffsets};
use crate::split::{Chunks, Record, Splitter};
use crate::value::ScoreOrder;
use crate::view::RecordView;

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

impl FirstRecords {
    /// Returns the first bytes of the input.
    pub(super) fn start(&self) -> &[u8] {
        match self {
            Self::Whole(bytes, _) => bytes,
            Self::Held { start, .. } => start,
        }
    }
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
        self.first.start()
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

    /// Returns the line counter at the start of the batch with this number; `None` if a batch before it was dropped unasked.
    pub(super) fn lines_at(&self, number: usize) -> Option<LineCounter> {
        self.lines.at(number, self.decoder())
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

/// The text of a batch and its records.
#[derive(Debug)]
pub(super) struct BatchText {
    pub(super) bytes: Bytes,
    /// The whole input and the number of this batch's chunk in it; `None` if `records` was set on creation.
    pub(super) chunk: Option<(Arc<WholeInput>, usize)>,
    pub(super) records: OnceLock<BatchRecords>,
}

impl BatchText {
    #[inline]
    pub(super) fn records(&self) -> &BatchRecords {
        self.records.get_or_init(|| self.find_records())
    }

    #[cold]
    fn find_records(&self) -> BatchRecords {
        self.chunk.as_ref().map_or_else(BatchRecords::default, |(whole, n)| whole.records(&self.bytes, *n))
    }

    /// Returns the record at `index`, from 0, as a view; `None` if there is no such record.
    #[inline]
    pub(super) fn record(&self, index: usize) -> Option<RecordView<'_>> {
        let records = self.records();
        let record = records.get(&self.bytes, index)?;
        simd::prefetch(&self.bytes, records.start + records.ends[index] as usize);
        Some(record.into())
    }

    /// Returns the bytes of all records.
    pub(super) fn record_bytes(&self) -> &[u8] {
        let records = self.records();
        let len = records.ends.last().map_or(0, |&end| end as usize);
        &self.bytes[records.start..records.start + len]
    }

    /// Returns the bytes of the input before the records; `None` if only those of the batch are in memory.
    pub(super) fn bytes_before(&self) -> Option<&[u8]> {
        self.chunk.as_ref().map(|_| &self.bytes[..self.records().start])
    }

    /// Moves a line counter over all records.
    pub(super) fn pass_lines(&self, lines: &mut LineCounter, decoder: &Decoder) {
        let bytes = self.record_bytes();
        let line_end = memrchr2(b'\n', b'\r', bytes).map_or(0, |end| end + 1);
        // A line end sets the column to 1 in every encoding.
        lines.pass(&bytes[..line_end], Encoding::UTF_8);
        // The column after the batch depends on the encodings of all records that have a part of its last line.
        let records = self.records();
        let first = records.ends.partition_point(|&end| end as usize <= line_end);
        for record in (first..records.ends.len()).map_while(|index| self.record(index)) {
            let start = (record.offset() - records.offset) as usize;
            let part = &record.raw()[line_end.saturating_sub(start)..];
            lines.pass(part, decoder.guess(record.raw()).encoding);
        }
    }
}

/// The line counters at the starts of the batches of one input.
///
/// Workers take batches in order but finish them in any order. The first that asks counts the lines of all batches up to its own,
/// in a fraction of the time that their rows take. So nobody waits for a batch that another one holds, or drops.
#[derive(Debug)]
pub(super) struct LineChain(Mutex<Lines>);

#[derive(Debug)]
struct Lines {
    /// The counters at the starts of batches, one more than batches were passed.
    starts: Vec<LineCounter>,
    /// The batches that were not passed, up to the first that was dropped.
    texts: VecDeque<Weak<BatchText>>,
    /// A batch was dropped before it was passed. No later one can be passed.
    is_broken: bool,
    /// Number of batches at which those that were dropped are looked for, and number of batches so far.
    scan_at: usize,
    added: usize,
}

impl Default for LineChain {
    fn default() -> Self {
        Self::starting_at(1)
    }
}

impl LineChain {
    /// The least number of batches among which those that were dropped are looked for.
    const MIN_SCAN: usize = 64;

    /// Creates the chain of an input whose first record begins at the start of `line`.
    pub(super) fn starting_at(line: u64) -> Self {
        Self(Mutex::new(Lines {
            starts: vec![LineCounter::at_line(line)],
            texts: VecDeque::new(),
            is_broken: false,
            scan_at: Self::MIN_SCAN,
            added: 0,
        }))
    }

    /// Adds the next batch and returns its number, from 0.
    pub(super) fn add(&self, text: &Arc<BatchText>) -> usize {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.texts.len() >= lines.scan_at {
            // Where nobody asks, the first is dropped soon. Otherwise there are no more than others hold.
            if let Some(dropped) = lines.texts.iter().position(|text| text.strong_count() == 0) {
                lines.texts.truncate(dropped);
                lines.is_broken = true;
            }
            lines.scan_at = Self::MIN_SCAN.max(2 * lines.texts.len());
        }
        if !lines.is_broken {
            lines.texts.push_back(Arc::downgrade(text));
        }
        lines.added += 1;
        lines.added - 1
    }

    /// Returns the counter at the start of the batch with this number, after passing it and those before it; `None` if one of
    /// those was dropped before it was passed.
    fn at(&self, number: usize, decoder: &Decoder) -> Option<LineCounter> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while lines.starts.len() <= number + 1 {
            let Some(text) = lines.texts.pop_front().and_then(|text| text.upgrade()) else {
                lines.texts.clear();
                lines.is_broken = true;
                break;
            };
            let mut next = *lines.starts.last()?;
            text.pass_lines(&mut next, decoder);
            lines.starts.push(next);
        }
        lines.starts.get(number).copied()
    }
}
