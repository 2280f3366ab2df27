//! The line in which each batch of an input begins, known without reading the input twice.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError};

use crate::archive::Batch;
use crate::source::{Encoding, LineCounter};

/// The line counters at the starts of the batches of one input.
///
/// Workers take batches in order but finish them in any order. Each counts the lines of its batch first, in a fraction of
/// the time that its rows take, so the wait for the batch before is short. Every batch of the input has to be passed.
///
/// ```
/// use pdn::archive::Archive;
/// use pdn::export::LineChain;
/// use pdn::source::OpenOptions;
///
/// let text = &b"1. 32-28 *\n\n1. 33-29 *\n"[..];
/// let archive = Archive::from_reader(text, "games.pdn", &OpenOptions::new())?.batch_bytes(1);
/// let chain = LineChain::new();
/// let mut lines = Vec::new();
/// for batch in archive.batches() {
///     lines.push(chain.pass(&batch?).position().line);
/// }
/// assert_eq!(lines, [1, 3]);
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct LineChain {
    /// The counters of batches that were not passed yet, by the offset of the batch.
    starts: Mutex<BTreeMap<u64, LineCounter>>,
    added: Condvar,
}

impl LineChain {
    /// Creates the chain of an input of which no batch was passed.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates the chain of a part of an input, whose first record begins at `offset` and at the start of `line`.
    pub fn starting_at(offset: u64, line: u64) -> Self {
        let starts = BTreeMap::from([(offset, LineCounter::at_line(line))]);
        Self { starts: Mutex::new(starts), added: Condvar::new() }
    }

    /// Returns the line counter at the start of a batch, after waiting for the batches before it, and passes the batch.
    pub fn pass(&self, batch: &Batch) -> LineCounter {
        let (offset, bytes) = (batch.offset(), batch.bytes());
        if bytes.is_empty() {
            return LineCounter::new();
        }
        // Columns after the last line end depend on the encoding of the last record.
        let last = batch.len().checked_sub(1).and_then(|last| batch.get(last));
        let encoding = last.map_or(Encoding::UTF_8, |game| game.encoding().encoding);
        let mut starts = self.starts.lock().unwrap_or_else(PoisonError::into_inner);
        let start = loop {
            match starts.remove(&offset) {
                Some(start) => break start,
                None if offset == 0 => break LineCounter::new(),
                None => starts = self.added.wait(starts).unwrap_or_else(PoisonError::into_inner),
            }
        };
        let mut end = start;
        end.pass(bytes, encoding);
        starts.insert(offset + bytes.len() as u64, end);
        self.added.notify_all();
        start
    }
}
