//! The public splitter: regular records by blocks, all others byte by byte.

use std::ops::ControlFlow;

use super::regular_records::RegularRecords;
use super::scanner::{RecordEnd, Scanner};
use crate::limits::Limits;
use crate::simd::{self, Isa, Task};

/// Finds the ends of records. It holds scratch memory only: no result depends on earlier calls.
#[derive(Debug, Default)]
pub struct Splitter {
    scanner: Scanner,
}

impl Splitter {
    /// Creates a splitter with the given limits.
    pub fn new(limits: Limits) -> Self {
        Self { scanner: Scanner::new(limits) }
    }

    /// Returns the end of the record that starts at offset `from`, which must be less than the length of `bytes`.
    ///
    /// Returns `None` if the end depends on bytes that follow the input. It never does if the input is `complete`. Call
    /// [`Splitter::moved`] before the same offsets refer to other bytes.
    pub fn next(&mut self, bytes: &[u8], from: usize, complete: bool) -> Option<RecordEnd> {
        let mut first = None;
        self.each(bytes, from, complete, |record| {
            first = Some(record);
            ControlFlow::Break(())
        });
        first
    }

    /// Passes the ends of the records to `consume` in order, the first record starting at offset `from`. Faster than
    /// one call of [`next`](Self::next) per record.
    ///
    /// Stops when `consume` breaks off, when the input is exhausted, or when an end depends on bytes that follow it.
    #[inline]
    pub fn each(
        &mut self,
        bytes: &[u8],
        from: usize,
        complete: bool,
        mut consume: impl FnMut(RecordEnd) -> ControlFlow<()>,
    ) {
        self.split(bytes, from, complete, &mut consume);
    }

    /// Splits as [`each`](Self::each) does. Compiled once, not in each crate that uses it.
    #[inline(never)]
    fn split(
        &mut self,
        bytes: &[u8],
        from: usize,
        complete: bool,
        consume: &mut dyn FnMut(RecordEnd) -> ControlFlow<()>,
    ) {
        simd::run(SplitAll { splitter: self, bytes, from, complete, consume });
    }

    /// Replaces the limits.
    pub(super) fn set_limits(&mut self, limits: Limits) {
        self.scanner.set_limits(limits);
    }

    /// Forgets what is remembered of the input. Must be called before the same offsets refer to other bytes.
    pub fn moved(&mut self) {
        self.scanner.forget_input();
    }
}

/// The search for the ends of records, run with the instruction set of this processor.
struct SplitAll<'s, 'a> {
    splitter: &'s mut Splitter,
    bytes: &'a [u8],
    from: usize,
    complete: bool,
    /// Called once per record. Behind a pointer, so that the search is compiled once, not for each caller.
    consume: &'s mut dyn FnMut(RecordEnd) -> ControlFlow<()>,
}

impl Task for SplitAll<'_, '_> {
    type Output = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) {
        let scanner = &mut self.splitter.scanner;
        let regular = RegularRecords { bytes: self.bytes, complete: self.complete, limits: scanner.limits() };
        let mut from = self.from;
        while from < self.bytes.len() {
            let exit = regular.split(isa, from, &mut *self.consume);
            if exit.stopped {
                return;
            }
            from = exit.from;
            let Some(record) = scanner.record_end(isa, self.bytes, from, exit.moves, self.complete) else {
                return;
            };
            if (self.consume)(record).is_break() {
                return;
            }
            from = record.end;
        }
    }
}
