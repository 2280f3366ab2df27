//! The line in which each batch of an input begins, known without reading the input twice.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError};

use crate::source::{Encoding, LineCounter};

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
