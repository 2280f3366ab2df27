//! Batches: consecutive records that are handed to one thread together.

use std::path::Path;
use std::sync::Arc;

use super::head::{BatchText, InputHead};
use crate::error::{Error, ErrorKind, Result};
use crate::source::container::Container;
use crate::source::excerpt_stage::Carrier;
use crate::source::{Decoder, LineCounter, ReadProgress, TextForm, TextOffsets};
use crate::view::RecordView;

/// Consecutive whole records of one input, about half a megabyte.
///
/// The records of a mapped input are found by the first method that needs them, so that several threads can search
/// several batches at once. [`len`](Self::len), [`get`](Self::get), [`games`](Self::games), [`bytes`](Self::bytes),
/// [`offset`](Self::offset) and [`first`](Self::first) need them; the other methods do not.
///
/// ```
/// use pdn::archive::Archive;
/// use pdn::source::OpenOptions;
///
/// let text = &b"1. 32-28 19-23 *\n\n1. 33-29 *\n"[..];
/// let archive = Archive::from_reader(text, "games.pdn", &OpenOptions::new())?;
/// let batch = archive.batches().next().expect("one batch")?;
/// assert_eq!((batch.len(), batch.offset(), batch.bytes()), (2, 0, text));
///
/// let second = batch.get(1).unwrap();
/// assert_eq!((second.number(), second.offset()), (2, 18));
/// assert_eq!(second.raw(), b"1. 33-29 *\n");
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch {
    pub(super) input: Arc<InputHead>,
    pub(super) text: Arc<BatchText>,
    /// The number of the batch in its input, from 0.
    pub(super) number: usize,
}

impl Batch {
    /// Returns the number of records that start in the batch.
    pub fn len(&self) -> usize {
        self.text.records().ends.len()
    }

    /// Returns `true` if no record starts in the batch: a record of an earlier batch extends over all of it.
    pub fn is_empty(&self) -> bool {
        self.text.records().ends.is_empty()
    }

    /// Returns `true` if the batch is the first of its input. Does not search for records.
    pub fn begins_input(&self) -> bool {
        self.number == 0
    }

    /// Returns the record at `index`, from 0, as a view; `None` if the batch has no such record.
    #[inline]
    pub(super) fn record(&self, index: usize) -> Option<RecordView<'_>> {
        self.text.record(index)
    }

    /// Returns the bytes of all records of the batch.
    pub fn bytes(&self) -> &[u8] {
        self.text.record_bytes()
    }

    /// Returns the bytes of the input before the first record of the batch; `None` if they are not in memory, as those of a stream.
    #[doc(hidden)]
    pub fn bytes_before(&self) -> Option<&[u8]> {
        self.text.bytes_before()
    }

    /// Returns the byte offset of the first record in the input, from 0.
    pub fn offset(&self) -> u64 {
        self.text.records().offset
    }

    /// Returns the number of records in the input before the first one of the batch.
    pub fn first(&self) -> u64 {
        self.text.records().first
    }

    /// Returns the name of the input: a path, `-` for standard input, or `archive.zip/entry.pdn`.
    pub fn name(&self) -> &Path {
        &self.input.name
    }

    /// Returns the counter of bytes read from the input's file.
    #[doc(hidden)]
    pub fn progress(&self) -> &ReadProgress {
        &self.input.progress
    }

    /// Returns the map from offsets in the text to offsets in the input; `None` if they are the same, as for any input but UTF-16, lists
    /// of positions and carriers of games such as JSON.
    #[doc(hidden)]
    pub fn offsets(&self) -> Option<&TextOffsets> {
        self.input.form.as_ref().map(|(_, offsets)| offsets)
    }

    /// Returns the form that the input had before it was changed while it was read; `None` if it is read as it is.
    #[doc(hidden)]
    pub fn form(&self) -> Option<TextForm> {
        self.input.form.as_ref().map(|(form, _)| *form)
    }

    /// Returns the container that the input is in.
    #[doc(hidden)]
    pub fn container(&self) -> Container {
        self.input.container
    }

    /// Returns what kind of text the games of the input are taken out of, with the map of its offsets; `None` for PDN.
    #[doc(hidden)]
    pub fn carrier(&self) -> Option<(Carrier, &TextOffsets)> {
        match self.input.form.as_ref()? {
            (TextForm::Carrier(carrier), offsets) => Some((*carrier, offsets)),
            _ => None,
        }
    }

    /// Returns the decoder that turns the bytes of the input into text.
    pub fn decoder(&self) -> &Decoder {
        self.input.decoder()
    }

    /// Returns the head of the input.
    pub(crate) const fn head(&self) -> &Arc<InputHead> {
        &self.input
    }

    /// Returns the first bytes of the input, 64 KiB or more unless the input is shorter.
    pub fn start_of_input(&self) -> &[u8] {
        self.input.start()
    }

    /// Returns the line counter at the start of the batch, as `lines` does.
    ///
    /// # Errors
    /// Those of `lines`.
    #[doc(hidden)]
    pub fn line_counter(&self) -> Result<LineCounter> {
        self.input.lines_at(self.number).ok_or_else(|| Error::new(ErrorKind::SkippedBatch).at(self.name()))
    }
}
