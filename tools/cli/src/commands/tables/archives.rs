//! Makes the rows of the records of files, folders and streams.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use pdn::archive::Batch;
use pdn::export::{ColumnSelection, ExportOptions, RowMaker, TableBatch};

use super::PassResult;
use crate::args::InputArgs;
use crate::input::files::{self, BatchConsumer, BatchWork};
use crate::input::part::InputPart;
use crate::output::Output;

/// Makes all rows of a table; see [`Source::pass`](super::Source::pass).
pub(super) fn pass<T: Send>(
    input: &InputArgs,
    part: Option<&InputPart>,
    selection: &ColumnSelection,
    options: &ExportOptions,
    encode: &(impl Fn(TableBatch) -> T + Sync),
    consume: &mut dyn FnMut(T, &mut Output) -> io::Result<ControlFlow<()>>,
    out: &mut Output,
) -> io::Result<PassResult> {
    let work = TableWork { selection, options, encode };
    let mut consumer = TableConsumer { consume, incomplete: 0, has_enough: false };
    let processed = files::process_part(input, part, &work, &mut consumer, out);
    let complete = match processed {
        Ok(complete) => complete,
        // The error only ended the reading.
        Err(_) if consumer.has_enough => true,
        Err(error) => return Err(error),
    };
    Ok(PassResult { incomplete: consumer.incomplete, complete })
}

/// Makes and encodes the rows of a batch, on many threads.
struct TableWork<'a, E> {
    selection: &'a ColumnSelection,
    options: &'a ExportOptions,
    encode: &'a E,
}

/// The encoded rows of a batch, and the number of records whose rows are incomplete.
struct BatchRows<T>(T, u64);

impl<T: Send, E: Fn(TableBatch) -> T + Sync> BatchWork for TableWork<'_, E> {
    type Scratch = RowMaker;
    type Product = BatchRows<T>;

    fn scratch(&self) -> RowMaker {
        RowMaker::new(self.selection, self.options)
    }

    fn work(&self, maker: &mut RowMaker, batch: &Batch) -> BatchRows<T> {
        let before = maker.incomplete();
        let rows = maker.rows(batch);
        BatchRows((self.encode)(rows), maker.incomplete() - before)
    }
}

/// Passes the rows on in the order of the archives.
struct TableConsumer<'a, T> {
    consume: &'a mut dyn FnMut(T, &mut Output) -> io::Result<ControlFlow<()>>,
    incomplete: u64,
    /// No more rows are wanted.
    has_enough: bool,
}

impl<T> BatchConsumer<BatchRows<T>> for TableConsumer<'_, T> {
    fn begin_input(&mut self, _: &Path, _: &mut Output) -> io::Result<()> {
        Ok(())
    }

    fn batch(
        &mut self,
        _: &Batch,
        BatchRows(rows, incomplete): BatchRows<T>,
        out: &mut Output,
    ) -> io::Result<()> {
        self.incomplete += incomplete;
        if (self.consume)(rows, out)?.is_break() {
            self.has_enough = true;
            return Err(io::Error::other("no more rows are wanted"));
        }
        Ok(())
    }

    fn end_input(&mut self, _: &Path, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
}
