//! Divides packed files that consist of independent pieces: entries of a zip, or frames of zstd.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::Path;

use super::Archive;
use super::boundaries::{Boundary, pass_boundaries};
use super::record_range::{RangePacking, RecordRange};
use crate::error::Result;
use crate::source::{self, FrameStart, FramedText, Inputs, OpenOptions};

/// A packed file that may be divided.
pub(super) struct PackedFile<'a> {
    pub(super) path: &'a Path,
    /// Its length in bytes.
    pub(super) len: u64,
    pub(super) options: &'a OpenOptions,
    pub(super) threads: NonZeroUsize,
}

/// The number of equal pieces of a file of `len` bytes that end before offset `at`, if there are `n`.
fn pieces_before(at: u64, n: NonZeroUsize, len: u64) -> u128 {
    u128::from(at) * n.get() as u128 / u128::from(len.max(1))
}

impl PackedFile<'_> {
    /// Divides the file, whose inputs are `inputs`, into at most `n` ranges; `None` if it cannot be divided.
    pub(super) fn ranges(&self, inputs: &Inputs, n: NonZeroUsize) -> Option<Vec<RecordRange>> {
        if n == NonZeroUsize::MIN {
            return None;
        }
        match inputs.entry_spans() {
            Some(spans) => Some(self.zip_ranges(&spans, n)),
            // A damaged file is read as a whole, which reports the damage.
            None => self.zstd_ranges(source::framed_text(self.path, self.options).ok()??, n).ok(),
        }
    }

    /// Creates a range of entries of a zip.
    fn zip_range(&self, start: u64, end: u64) -> RecordRange {
        RecordRange::new(start, Some(end), 0, 1, self.len).packed(Some(RangePacking::Zip))
    }

    /// Divides a zip whose entries are at `spans`.
    fn zip_ranges(&self, spans: &[Range<u64>], n: NonZeroUsize) -> Vec<RecordRange> {
        // The directory after the entries has no games.
        let len = spans.last().map_or(0, |last| last.end);
        let mut begins = vec![0];
        let mut reached = spans.first().map_or(0, |first| pieces_before(first.start, n, len));
        for span in spans.iter().skip(1) {
            let target = pieces_before(span.start, n, len);
            if target > reached {
                reached = target;
                begins.push(span.start);
            }
        }
        let ends = begins.iter().skip(1).copied().chain([self.len]);
        begins.iter().zip(ends).map(|(start, end)| self.zip_range(*start, end)).collect()
    }

    /// Divides a text of several frames.
    fn zstd_ranges(&self, text: FramedText, n: NonZeroUsize) -> Result<Vec<RecordRange>> {
        let mut begins = vec![(Boundary::START, FrameStart::default())];
        let mut reached = 0;
        let len = self.pass_frames(text, |boundary, frame| {
            let target = pieces_before(frame.at, n, self.len);
            if target > reached {
                reached = target;
                begins.push((boundary, frame));
            }
            ControlFlow::Continue(())
        })?;
        begins.retain(|(boundary, _)| boundary.end < len);
        let ends: Vec<_> = begins.iter().skip(1).map(|(boundary, _)| boundary.end).chain([len]).collect();
        Ok(begins.iter().zip(ends).map(|(&(begin, frame), end)| self.zstd_range(begin, frame, end)).collect())
    }

    /// Creates a range that begins at a boundary and is unpacked from a frame on.
    fn zstd_range(&self, begin: Boundary, frame: FrameStart, end: u64) -> RecordRange {
        let packing = RangePacking::Zstd { frame: frame.at, offset: frame.offset };
        RecordRange::new(begin.end, Some(end), begin.first, begin.line, self.len).packed(Some(packing))
    }

    /// Calls `consume` for each end of a record after which a line begins, with the last known frame that begins there or
    /// before, until it breaks. Returns the offset after the last record that was passed.
    fn pass_frames(
        &self,
        text: FramedText,
        mut consume: impl FnMut(Boundary, FrameStart) -> ControlFlow<()>,
    ) -> Result<u64> {
        let FramedText { inputs, frames } = text;
        let (mut frame, mut next) = (FrameStart::default(), 0);
        let mut consume = |boundary: Boundary| {
            while let Some(later) = frames.get(next).filter(|later| later.offset <= boundary.end) {
                (frame, next) = (later, next + 1);
            }
            consume(boundary, frame)
        };
        // All frames before a boundary are known once another one is found. So the result depends on no timing.
        let mut last: Option<Boundary> = None;
        let mut stopped = false;
        let archive = Archive::new(inputs, self.options);
        let len = pass_boundaries(
            archive,
            self.threads,
            |_, _| true,
            |boundary| {
                let consumed = last.replace(boundary).map_or(ControlFlow::Continue(()), &mut consume);
                stopped = consumed.is_break();
                consumed
            },
        )?;
        if let Some(last) = last.filter(|_| !stopped) {
            let _ = consume(last);
        }
        Ok(len)
    }
}
