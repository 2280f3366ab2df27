//! Exports the records of files, folders and streams.

use std::io;
use std::path::Path;
use std::sync::Arc;

use pdn::archive::Batch;
use pdn::export::{ColumnSelection, ExportOptions, RowMaker};
use pdn::source::LineCounter;

use super::Exported;
use super::sink::{EncodedRows, Encoder, Sink};
use crate::args::ExportArgs;
use crate::input::files::{self, BatchConsumer, BatchWork};
use crate::input::head::InputHead;
use crate::output::Output;

/// Exports a table of all inputs. The outer error is one of writing.
pub(super) fn export(
    args: &ExportArgs,
    selection: &ColumnSelection,
    options: &ExportOptions,
    encoder: &Encoder,
    sink: &mut Sink,
    out: &mut Output,
) -> io::Result<pdn::Result<Exported>> {
    let work = ExportWork { selection, options, encoder };
    let mut consumer = ExportConsumer { encoder, sink, incomplete: 0, has_enough: false };
    let processed = files::process(&args.input, &work, &mut consumer, out);
    let (incomplete, has_enough) = (consumer.incomplete, consumer.has_enough);
    let complete = match processed {
        Ok(complete) => complete,
        // The error only ended the reading.
        Err(_) if has_enough => true,
        Err(error) => return Err(error),
    };
    Ok(Ok(Exported { rows: sink.rows, incomplete, complete }))
}

/// Makes and encodes the rows of a batch, on many threads.
struct ExportWork<'a> {
    selection: &'a ColumnSelection,
    options: &'a ExportOptions,
    encoder: &'a Encoder,
}

/// The state of a thread.
struct ExportScratch {
    maker: RowMaker,
    /// The head whose prior the maker uses.
    head: Option<Arc<InputHead>>,
}

/// The rows of a batch, and the number of records whose rows are incomplete.
struct BatchRows(EncodedRows, u64);

impl BatchWork for ExportWork<'_> {
    type Scratch = ExportScratch;
    type Product = BatchRows;

    fn scratch(&self) -> ExportScratch {
        ExportScratch { maker: RowMaker::new(self.selection, self.options), head: None }
    }

    fn work(&self, scratch: &mut ExportScratch, batch: &Batch, head: &Arc<InputHead>) -> BatchRows {
        // First, because the thread with the next batch waits for it.
        let lines = if self.selection.needs_lines() { head.lines().pass(batch) } else { LineCounter::new() };
        let is_current = scratch.head.as_ref().is_some_and(|current| Arc::ptr_eq(current, head));
        if !is_current && scratch.maker.needs_replay() {
            let prior = head.prior(scratch.maker.replay_options()).clone();
            scratch.maker.set_prior(prior);
            scratch.head = Some(Arc::clone(head));
        }
        let before = scratch.maker.incomplete();
        let rows = scratch.maker.rows(batch, lines);
        BatchRows(self.encoder.encode(rows), scratch.maker.incomplete() - before)
    }
}

/// Writes the rows in the order of the archives.
struct ExportConsumer<'a> {
    encoder: &'a Encoder,
    sink: &'a mut Sink,
    incomplete: u64,
    /// The limit is reached.
    has_enough: bool,
}

impl BatchConsumer<BatchRows> for ExportConsumer<'_> {
    fn begin_input(&mut self, _: &Path, _: &mut Output) -> io::Result<()> {
        Ok(())
    }

    fn batch(&mut self, _: &Batch, BatchRows(rows, incomplete): BatchRows, out: &mut Output) -> io::Result<()> {
        self.incomplete += incomplete;
        if self.sink.write(rows, self.encoder, out)?.is_break() {
            self.has_enough = true;
            return Err(io::Error::other("the limit is reached"));
        }
        Ok(())
    }

    fn end_input(&mut self, _: &Path, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
}
