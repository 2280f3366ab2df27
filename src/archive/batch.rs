//! Batches: consecutive records that are handed to one thread together.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::records::BatchRecords;
use crate::simd;
use crate::source::{Bytes, Decoder, Encoding, ReadProgress, Utf16Offsets};
use crate::split::{Chunks, Record, Splitter};
use crate::view::GameView;

/// What all batches of one input share.
#[derive(Debug)]
pub(super) struct InputContext {
    pub(super) name: PathBuf,
    pub(super) progress: ReadProgress,
    pub(super) offsets: Option<Utf16Offsets>,
    pub(super) forced: Option<Encoding>,
    /// The first bytes of the input, from which the decoder is made on first use.
    pub(super) head: Bytes,
    pub(super) decoder: OnceLock<Decoder>,
}

/// Consecutive whole records of one input, about half a megabyte.
///
/// The records of a mapped input are found by the first method that needs them, so that several threads can search
/// several batches at once. [`len`](Self::len), [`get`](Self::get), [`games`](Self::games), [`bytes`](Self::bytes),
/// [`offset`](Self::offset) and [`first`](Self::first) need them; the other methods do not.
#[derive(Clone, Debug)]
pub struct Batch {
    pub(super) input: Arc<InputContext>,
    pub(super) bytes: Bytes,
    /// The whole input and the number of this batch's chunk in it; `None` if `records` was set on creation.
    pub(super) chunk: Option<(Arc<WholeInput>, usize)>,
    pub(super) records: OnceLock<BatchRecords>,
    /// The batch is the first of its input.
    pub(super) begins: bool,
}

/// An input that is in memory as a whole, divided into chunks.
#[derive(Debug)]
pub(super) struct WholeInput {
    pub(super) chunks: Chunks,
    /// Splitters that no thread uses now. Kept because a splitter remembers what it has searched.
    pub(super) idle: Mutex<Vec<Splitter>>,
}

impl Batch {
    #[inline]
    fn records(&self) -> &BatchRecords {
        self.records.get_or_init(|| self.find_records())
    }

    /// Finds the records of a chunk of a whole input.
    // Twin: a streamed input, split in order on one thread; tests: `mapped_games_equal_split_games_for_any_batch`,
    // `streamed_games_equal_split_games_for_any_chunk_and_batch`.
    #[cold]
    fn find_records(&self) -> BatchRecords {
        let Some((whole, n)) = &self.chunk else { return BatchRecords::default() };
        let idle = || whole.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let mut splitter = idle().pop().unwrap_or_default();
        let chunk = whole.chunks.records(&self.bytes, *n, &mut splitter);
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

    /// Returns the number of records that start in the batch.
    pub fn len(&self) -> usize {
        self.records().ends.len()
    }

    /// Returns `true` if no record starts in the batch: a record of an earlier batch extends over all of it.
    pub fn is_empty(&self) -> bool {
        self.records().ends.is_empty()
    }

    /// Returns `true` if the batch is the first of its input. Does not search for records.
    pub fn begins_input(&self) -> bool {
        self.begins
    }

    /// Returns the record at `index`, from 0, as a view; `None` if the batch has no such record.
    #[inline]
    pub(super) fn record(&self, index: usize) -> Option<GameView<'_>> {
        let records = self.records();
        let end = *records.ends.get(index)? as usize;
        let from = index.checked_sub(1).map_or(0, |before| records.ends[before] as usize);
        let cut = !records.cut.is_empty() && records.cut.contains(&(index as u32));
        simd::prefetch(&self.bytes, records.start + end);
        let bytes = &self.bytes[records.start + from..records.start + end];
        Some(Record { bytes, offset: records.offset + from as u64, cut }.into())
    }

    /// Returns the bytes of all records of the batch.
    pub fn bytes(&self) -> &[u8] {
        let records = self.records();
        let len = records.ends.last().map_or(0, |&end| end as usize);
        &self.bytes[records.start..records.start + len]
    }

    /// Returns the byte offset of the first record in the input, from 0.
    pub fn offset(&self) -> u64 {
        self.records().offset
    }

    /// Returns the number of records in the input before the first one of the batch.
    pub fn first(&self) -> u64 {
        self.records().first
    }

    /// Returns the name of the input: a path, `-` for standard input, or `archive.zip/entry.pdn`.
    pub fn name(&self) -> &Path {
        &self.input.name
    }

    /// Returns the counter of bytes read from the input's file.
    pub fn progress(&self) -> &ReadProgress {
        &self.input.progress
    }

    /// Returns the map from offsets in the text to offsets in the UTF-16 input; `None` if the input is not UTF-16.
    pub fn offsets(&self) -> Option<&Utf16Offsets> {
        self.input.offsets.as_ref()
    }

    /// Returns the decoder that turns the bytes of the input into text.
    pub fn decoder(&self) -> &Decoder {
        self.input.decoder.get_or_init(|| Decoder::new(self.input.forced, &self.input.head))
    }
}
