//! Makes the rows of the records of files, folders and streams.

use std::io;
use std::ops::ControlFlow;

use pdn::archive::Batch;
use pdn::export::{ColumnSelection, ExportOptions, RowMaker, TableBatch};

use super::PassResult;
use crate::args::InputArgs;
use crate::output::{CommandError, CommandResult, Output};
use pdn_app::Context;
use pdn_app::inputs::{self, BatchConsumer, BatchWork, InputPart};

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
    let mut messages = out.messages();
    let mut consumer = TableConsumer { consume, out, incomplete: 0 };
    let processed = inputs::process(&input.read(), part, &work, &mut consumer, &mut messages.context());
    let complete = processed.map_err(|error| match error {
        CommandError::Output(error) => error,
        CommandError::App(_) => io::ErrorKind::Interrupted.into(),
    })?;
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
    out: &'a mut Output,
    incomplete: u64,
}

impl<T> BatchConsumer<BatchRows<T>> for TableConsumer<'_, T> {
    type Error = CommandError;

    fn batch(
        &mut self,
        _: &Batch,
        BatchRows(rows, incomplete): BatchRows<T>,
        _: &mut Context<'_>,
    ) -> CommandResult<ControlFlow<()>> {
        self.incomplete += incomplete;
        Ok((self.consume)(rows, self.out)?)
    }
}
