//! Finds where records end, and counts records and lines up to there.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use super::Archive;
use super::batch::Batch;
use crate::error::Result;
use crate::pool;
use crate::source::{self, Encoding, LineCounter};

/// The end of a record after which a line begins.
#[derive(Clone, Copy)]
pub(super) struct Boundary {
    /// The offset in the file.
    pub(super) end: u64,
    /// The number of records before it.
    pub(super) first: u64,
    /// The line that begins there, from 1; in a batch, from the start of the batch.
    pub(super) line: u64,
}

/// What is known of a batch.
struct BatchBoundaries {
    wanted: Vec<Boundary>,
    /// The offset after the last record.
    end: u64,
    line_ends: u64,
    begins_with_lf: bool,
    /// `None` if the batch has no bytes.
    ends_with_cr: Option<bool>,
}

/// Calls `consume` for wanted ends of records in their order, until it breaks. Only ends after which a line begins count.
/// `is_wanted` is called on many threads, with such an end and the one before it, unless that is in an earlier batch.
/// Returns the offset after the last record that was passed.
///
/// # Errors
/// The first error of reading, or if the file is binary.
pub(super) fn pass_boundaries(
    archive: Archive,
    threads: NonZeroUsize,
    is_wanted: impl Fn(Option<u64>, u64) -> bool + Sync,
    mut consume: impl FnMut(Boundary) -> ControlFlow<()>,
) -> Result<u64> {
    let work = |(): &mut (), batch: Result<Batch>| -> Result<BatchBoundaries> {
        let batch = batch?;
        if batch.begins_input() {
            source::require_text(batch.bytes()).map_err(|error| error.at(batch.name()))?;
        }
        Ok(batch_boundaries(&batch, &is_wanted))
    };
    let (mut end, mut line_ends, mut after_cr) = (0, 0, false);
    pool::try_ordered(
        archive.batches(),
        threads,
        || (),
        work,
        |batch: BatchBoundaries| {
            // CR and LF in two batches are one line end.
            let before = line_ends - u64::from(after_cr && batch.begins_with_lf);
            let consumed = batch
                .wanted
                .into_iter()
                .try_for_each(|boundary| consume(Boundary { line: before + boundary.line, ..boundary }));
            end = batch.end;
            line_ends = before + batch.line_ends;
            after_cr = batch.ends_with_cr.unwrap_or(after_cr);
            consumed
        },
    )?;
    Ok(end)
}

/// Finds the wanted boundaries of a batch.
fn batch_boundaries(batch: &Batch, is_wanted: impl Fn(Option<u64>, u64) -> bool) -> BatchBoundaries {
    let (mut wanted, mut lines, mut before) = (Vec::new(), LineCounter::new(), None);
    for game in batch.games() {
        let raw = game.raw();
        lines.pass(raw, Encoding::UTF_8);
        if raw.last() != Some(&b'\n') {
            continue;
        }
        let end = game.offset() + raw.len() as u64;
        if is_wanted(before, end) {
            wanted.push(Boundary { end, first: game.number(), line: lines.position().line });
        }
        before = Some(end);
    }
    let bytes = batch.bytes();
    BatchBoundaries {
        wanted,
        end: batch.offset() + bytes.len() as u64,
        line_ends: lines.position().line - 1,
        begins_with_lf: bytes.first() == Some(&b'\n'),
        ends_with_cr: bytes.last().map(|&last| last == b'\r'),
    }
}
