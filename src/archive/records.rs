//! The positions of the records in a batch.

use std::ops::ControlFlow;

use crate::split::{Record, RecordEnd, Splitter};

/// The positions of the records in the bytes of a batch. The records are adjacent, so their ends are enough.
#[derive(Clone, Debug, Default)]
pub(super) struct BatchRecords {
    /// Offset of the first record in the bytes of the batch.
    pub(super) start: usize,
    /// Offset of the first record in the input.
    pub(super) offset: u64,
    /// Number of records in the input before the first one.
    pub(super) first: u64,
    /// End offsets of the records, relative to `start`.
    pub(super) ends: Vec<u32>,
    /// Indices of the records that were cut at the size limit, in ascending order.
    pub(super) cut: Vec<u32>,
}

impl BatchRecords {
    /// Finds the records of `bytes`, part of a stream, the first of which starts at `from`. Returns the end of the last one, or `from`
    /// if there is none.
    ///
    /// Stops at the first record that ends at `min_bytes` or later, or where the end of a record is not yet certain.
    pub(super) fn find(
        &mut self,
        splitter: &mut Splitter,
        bytes: &[u8],
        from: usize,
        complete: bool,
        min_bytes: usize,
    ) -> usize {
        let mut end = from;
        splitter.each(bytes, from, complete, |record| {
            end = record.end;
            self.push(record);
            if end < min_bytes { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        end
    }

    /// Adds the next record; its end counts from the front of the bytes of the batch.
    #[inline]
    pub(super) fn push(&mut self, record: RecordEnd) {
        if record.cut {
            self.cut.push(self.ends.len() as u32);
        }
        self.ends.push((record.end - self.start) as u32);
    }

    /// Returns the record at `index`, from 0; `None` if there is none. `bytes` are those of the batch.
    #[inline]
    pub(super) fn get<'b>(&self, bytes: &'b [u8], index: usize) -> Option<Record<'b>> {
        let end = *self.ends.get(index)? as usize;
        let from = index.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        let cut = !self.cut.is_empty() && self.cut.contains(&(index as u32));
        Some(Record {
            bytes: &bytes[self.start + from..self.start + end],
            offset: self.offset + from as u64,
            cut,
        })
    }
}
