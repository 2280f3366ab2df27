//! Exports the games of an index.

use std::io;

use pdn::export::{ColumnSelection, ExportOptions, IndexRows};
use pdn::index::Index;
use pdn::pool;

use super::Exported;
use super::sink::{Encoder, Sink};
use crate::args::ExportArgs;
use crate::output::Output;

/// Exports a table of the games of an index. The outer error is one of writing.
#[expect(clippy::too_many_arguments, reason = "the parts of one export, each used once")]
pub(super) fn export(
    args: &ExportArgs,
    index: &Index,
    numbers_games: bool,
    selection: &ColumnSelection,
    options: &ExportOptions,
    encoder: &Encoder,
    sink: &mut Sink,
    out: &mut Output,
) -> io::Result<pdn::Result<Exported>> {
    let threads = args.input.threads.unwrap_or_else(pool::default_threads);
    let rows = match IndexRows::new(index, selection, options, threads) {
        Ok(rows) => rows.encoding(args.input.encoding).numbered(numbers_games),
        Err(error) => return Ok(Err(error)),
    };
    let mut written = Ok(());
    let exported = rows.for_each(
        |batch| encoder.encode(batch),
        |encoded| match sink.write(encoded, encoder, out) {
            Ok(flow) => flow,
            Err(error) => {
                written = Err(error);
                std::ops::ControlFlow::Break(())
            }
        },
    );
    written?;
    Ok(exported.map(|incomplete| Exported { rows: sink.rows, incomplete, complete: true }))
}
