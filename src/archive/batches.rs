//! Reads the inputs of an archive and divides them into batches.

use std::collections::VecDeque;
use std::iter::FusedIterator;
use std::sync::{Arc, OnceLock};

use super::batch::Batch;
use super::head::{BatchText, FirstRecords, InputHead, LineChain, Note, WholeInput};
use super::records::BatchRecords;
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::source::{
    BufferPool, Bytes, Decoder, Encoding, Input, InputBytes, Inputs, PooledBuffer, Stream, require_text,
};
use crate::split::{Chunks, Splitter};
use crate::value::ScoreOrder;

/// Iterator over the batches of an archive; see [`Archive::batches`](super::Archive::batches).
///
/// [`Batch`] has an example.
#[derive(Debug)]
pub struct Batches {
    splitter: Splitter,
    limits: Limits,
    inputs: Inputs,
    forced: Option<Encoding>,
    scores: Option<ScoreOrder>,
    /// Read binary inputs as if they were text.
    binary: bool,
    /// Target size of a batch in bytes.
    batch_bytes: usize,
    /// Buffers of streamed inputs.
    buffers: BufferPool,
    /// Release the pages of mapped files once they are read.
    release_pages: bool,
    current: Option<CurrentInput>,
    /// Errors of the current input; returned after its batches.
    errors: VecDeque<Error>,
    /// The part of the only input that is read; `None` for whole inputs.
    part: Option<Part>,
    /// What is known of the head of the only input, of which a part is read; `None` to find it in the first records of each.
    given: Option<GivenHead>,
}

/// The part of an input that is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Offset of the first record.
    pub(super) start: u64,
    /// Offset at which the last record ends.
    pub(super) end: u64,
    /// Number of records before the first one.
    pub(super) first: u64,
    /// The line in which the part begins.
    pub(super) line: u64,
}

/// What the first records of an input decide, where only later ones are read.
#[derive(Debug)]
pub struct GivenHead {
    pub(crate) decoder: Decoder,
    /// What another module knows about the input.
    pub(crate) note: Note,
}

/// Bytes of a mapped file that stay in memory before the current batch. Pages are released in steps of this size, so up to
/// twice as many are in memory.
const RETAINED_BYTES: usize = 64 << 20;

/// Bytes that are read after a part at first. They decide in most cases where its last record ends.
const AFTER_PART: usize = 64 << 10;

/// The least number of bytes that are read to find where the last record of a batch of a stream ends. They are enough in most cases.
const AFTER_BATCH: usize = 16 << 10;

/// The input that is being read.
#[derive(Debug)]
struct CurrentInput {
    head: Arc<InputHead>,
    text: InputText,
    /// Batches of a stream that were read for its head and have not been returned.
    held: VecDeque<(Bytes, BatchRecords)>,
}

#[derive(Debug)]
enum InputText {
    Whole {
        bytes: Bytes,
        whole: Arc<WholeInput>,
        /// Number of the next chunk.
        next: usize,
        /// Offset up to which pages have been released; `None` if they are never released.
        released: Option<usize>,
    },
    Stream(Box<StreamText>),
}

/// A stream that is being divided into batches.
#[derive(Debug)]
struct StreamText {
    stream: Stream,
    buffers: BufferPool,
    /// Bytes that have been read and belong to no batch yet.
    tail: PooledBuffer,
    /// The stream has ended.
    complete: bool,
    /// Offset of the next record in the input.
    offset: u64,
    /// Number of records before the next one.
    first: u64,
    /// Offset of the first record that is not read; `None` to read all.
    end: Option<u64>,
}

impl Batches {
    pub(super) fn new(
        inputs: Inputs,
        forced: Option<Encoding>,
        limits: Limits,
        batch_bytes: usize,
        release_pages: bool,
    ) -> Self {
        Self {
            splitter: Splitter::new(limits),
            limits,
            inputs,
            forced,
            scores: None,
            binary: false,
            batch_bytes,
            buffers: BufferPool::new(4 * batch_bytes.max(Stream::CHUNK)),
            release_pages,
            current: None,
            errors: VecDeque::new(),
            part: None,
            given: None,
        }
    }

    /// Reads only this part of the input if there is one. The input must be the only one, opened from the start of the part on.
    pub(super) fn part(mut self, part: Option<Part>) -> Self {
        self.part = part;
        self
    }

    /// Sets whether binary inputs are read as if they were text.
    pub(super) fn binary(mut self, yes: bool) -> Self {
        self.binary = yes;
        self
    }

    /// Sets the side that the first numbers of scores belong to; `None` to infer it.
    pub(super) fn scores(mut self, scores: Option<ScoreOrder>) -> Self {
        self.scores = scores;
        self
    }

    /// Takes what is given as the head of the only input, if it is given.
    pub(super) fn given(mut self, given: Option<GivenHead>) -> Self {
        self.given = given;
        self
    }

    /// Sets the target size of the next batches of streams, in bytes. Inputs that are in memory as a whole keep the size with which their
    /// reading began.
    #[doc(hidden)]
    pub fn set_batch_bytes(&mut self, bytes: usize) {
        self.batch_bytes = bytes.max(1);
    }

    /// Makes `input` the current one.
    fn begin(&mut self, input: Input) {
        let form = input.source.form().zip(input.source.offsets());
        let part = self.part;
        let mut held = VecDeque::new();
        let (first, text) = match input.source {
            InputBytes::Whole(bytes) => {
                let (len, mut range, mut first) = (bytes.len(), 0..bytes.len(), 0);
                if let Some(part) = part {
                    let offset = |offset: u64| usize::try_from(offset).map_or(len, |offset| offset.min(len));
                    (range, first) = (offset(part.start)..offset(part.end), part.first);
                }
                let released = self.release_pages.then_some(range.start);
                let chunks = Chunks::of_range(len, range, first, self.batch_bytes, self.limits);
                let whole = Arc::new(WholeInput::new(chunks));
                let first = FirstRecords::Whole(bytes.clone(), Arc::clone(&whole));
                (first, InputText::Whole { bytes, whole, next: 0, released })
            }
            InputBytes::Stream(stream) => {
                let mut text = self.begin_stream(stream);
                // The sample of a mapped file has the same bytes, so both get the same encoding.
                let sample = text.tail.as_slice();
                let start: Bytes = sample[..sample.len().min(Decoder::SAMPLE)].to_vec().into();
                if self.given.is_none() && part.is_none() {
                    held = text.first_batches(&mut self.splitter, self.batch_bytes, &mut self.errors);
                }
                let batches = held.iter().cloned().collect();
                (FirstRecords::Held { start, batches }, InputText::Stream(Box::new(text)))
            }
        };
        // The file of a part was judged by its first bytes when its parts were found.
        if part.is_none()
            && !self.binary
            && let Err(error) = require_text(first.start())
        {
            self.errors.push_front(error.at(&input.name));
            return;
        }
        let (mut decoder, mut note) = (OnceLock::new(), OnceLock::new());
        if let Some(given) = self.given.take() {
            (decoder, note) = (given.decoder.into(), given.note.into());
        }
        let head = InputHead {
            name: input.name,
            progress: input.progress,
            form,
            container: input.kind,
            limits: self.limits,
            forced: self.forced,
            scores: self.scores,
            decoder,
            first,
            lines: part.map_or_else(LineChain::default, |part| LineChain::starting_at(part.line)),
            note,
        };
        self.current = Some(CurrentInput { head: Arc::new(head), text, held });
    }

    /// Reads the first bytes of a stream.
    fn begin_stream(&mut self, mut stream: Stream) -> StreamText {
        let buffers = self.buffers.clone();
        let mut tail = buffers.take();
        let mut wanted = self.batch_bytes.max(Decoder::SAMPLE);
        let part = self.part;
        if let Some(part) = part {
            // Storage may be slow, and others read what follows the part.
            let len = usize::try_from(part.end - part.start).unwrap_or(usize::MAX);
            wanted = wanted.min(len.saturating_add(AFTER_PART));
        }
        let complete = match stream.fill_pooled(&mut tail, wanted) {
            Ok(read) => read == 0,
            Err(error) => {
                self.errors.push_back(error);
                true
            }
        };
        let (offset, first) = part.map_or((0, 0), |part| (part.start, part.first));
        let end = part.map(|part| part.end);
        StreamText { stream, buffers, tail, complete, offset, first, end }
    }
}

impl Iterator for Batches {
    type Item = Result<Batch>;

    fn next(&mut self) -> Option<Result<Batch>> {
        loop {
            if let Some(current) = &mut self.current {
                let batch = current.next(&mut self.splitter, self.batch_bytes, &mut self.errors);
                if let Some(batch) = batch {
                    return Some(Ok(batch));
                }
                self.current = None;
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

impl CurrentInput {
    /// Returns the next batch of the input, of `min_bytes` or more unless it is the last; `None` at the end. Appends
    /// errors of reading to `errors`.
    fn next(
        &mut self,
        splitter: &mut Splitter,
        min_bytes: usize,
        errors: &mut VecDeque<Error>,
    ) -> Option<Batch> {
        let text = match &mut self.text {
            InputText::Whole { bytes, whole, next, released } => {
                let n = *next;
                if n == whole.chunks.len() {
                    return None;
                }
                *next += 1;
                let end = whole.chunks.end(n);
                // Pages this far before the current batch are most likely done with. If not, the system reads them again.
                let done = end.saturating_sub(RETAINED_BYTES);
                if let Some(released) = released.as_mut().filter(|from| done >= **from + RETAINED_BYTES) {
                    bytes.release(*released, done);
                    *released = done;
                }
                self.head.progress.set(end as u64);
                let chunk = Some((Arc::clone(whole), n));
                BatchText { bytes: bytes.clone(), chunk, records: OnceLock::new() }
            }
            InputText::Stream(text) => {
                let next = self.held.pop_front().or_else(|| text.next(splitter, min_bytes, errors));
                let (bytes, records) = next?;
                BatchText { bytes, chunk: None, records: OnceLock::from(records) }
            }
        };
        let (input, text) = (Arc::clone(&self.head), Arc::new(text));
        let number = input.lines.add(&text);
        Some(Batch { input, text, number })
    }
}

impl StreamText {
    /// Reads the batches that have the first records of the stream; see [`InputHead::each_first_record`].
    fn first_batches(
        &mut self,
        splitter: &mut Splitter,
        min_bytes: usize,
        errors: &mut VecDeque<Error>,
    ) -> VecDeque<(Bytes, BatchRecords)> {
        let mut batches = VecDeque::new();
        while self.first < InputHead::RECORDS as u64 && self.offset < InputHead::BYTES as u64 {
            match self.next(splitter, min_bytes, errors) {
                Some(batch) => batches.push_back(batch),
                None => break,
            }
        }
        batches
    }

    /// Reads the next batch, of `min_bytes` or more unless it is the last; `None` at the end. Appends errors of reading to
    /// `errors`.
    fn next(
        &mut self,
        splitter: &mut Splitter,
        min_bytes: usize,
        errors: &mut VecDeque<Error>,
    ) -> Option<(Bytes, BatchRecords)> {
        let Self { stream, buffers, tail, complete, offset, first, end } = self;
        let remaining = end.map_or(u64::MAX, |end| end.saturating_sub(*offset));
        if remaining == 0 {
            return None;
        }
        // The last record of a part ends just at its end.
        let min_bytes = min_bytes.max(1).min(usize::try_from(remaining).unwrap_or(usize::MAX));
        let mut records = BatchRecords { offset: *offset, first: *first, ..BatchRecords::default() };
        let mut len = 0;
        loop {
            splitter.moved();
            len = records.find(splitter, tail.as_slice(), len, *complete, min_bytes);
            if len >= min_bytes || *complete {
                break;
            }
            // A batch ends where it would if the stream gave its bytes one by one, so that it does not depend on how many it gives at
            // once. A record that is longer than what was read is searched from its start each time; doubling keeps that linear.
            let read = tail.as_slice().len();
            let wanted = min_bytes.min(AFTER_BATCH).max(min_bytes.saturating_sub(read)).max(read - len);
            match stream.fill_pooled(tail, wanted) {
                Ok(0) => *complete = true,
                Ok(_) => {}
                Err(error) => {
                    errors.push_back(error);
                    *complete = true;
                }
            }
        }
        let mut rest = buffers.take();
        rest.extend(&tail.as_slice()[len..]);
        tail.truncate(len);
        splitter.moved();
        let bytes = std::mem::replace(tail, rest).into();
        if len == 0 {
            return None;
        }
        *offset += len as u64;
        *first += records.ends.len() as u64;
        Some((bytes, records))
    }
}
