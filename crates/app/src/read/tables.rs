//! Where games and the rows of tables come from: archives, or an index, which may be made for one question only.

use std::io;
use std::ops::ControlFlow;

use pdn::archive::Batch;
use pdn::error::ErrorKind;
use pdn_index::ImportOptions;
use pdn_index::query::Query;
use pdn_tables::{ColumnSelection, ExportOptions, IndexRows, RowMaker, TableBatch, is_game_query};

use crate::ask::context::Context;
use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::filter::Filter;
use crate::read::inputs::{self, BatchConsumer, BatchWork, InputPart, Inputs};
use crate::read::paths::is_index;
use crate::read::searched::{SearchedIndex, index_archives};

/// Where games come from.
#[derive(Debug)]
pub enum Source {
    /// Files, folders and streams; or a part of a file.
    Archives(Option<Box<InputPart>>),
    /// An index.
    Index {
        /// The index.
        index: Box<SearchedIndex>,
        /// It was made for a filter of this question.
        is_temporary: bool,
    },
}

/// What games are read for, besides the query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceNeeds {
    /// What the query takes: an index if it asks for positions.
    OfQuery,
    /// An index, because the games are compared with each other.
    Index,
}

/// What is known after all rows of a table were made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PassResult {
    /// Number of records whose rows are incomplete because the record is too long.
    pub incomplete: u64,
    /// `true` if all inputs could be read.
    pub complete: bool,
}

/// Receives the encoded rows of a table.
pub type Consume<'a, T, E> =
    &'a mut dyn FnMut(T, &mut Context<'_>) -> std::result::Result<ControlFlow<()>, E>;

impl Source {
    /// Opens the index that the inputs are, or makes a temporary one if the query or something else takes an index; otherwise the archives
    /// are read in each pass. `query` is that of the filter.
    ///
    /// # Errors
    ///
    /// If there is no such index, it cannot answer the query, or the archives cannot be indexed.
    pub fn open(
        inputs: &Inputs,
        filter: &Filter,
        query: &Query,
        needs: SourceNeeds,
        context: &mut Context<'_>,
    ) -> Result<Self> {
        let source = if let [dir] = inputs.paths.as_slice()
            && is_index(dir)
        {
            Self::Index { index: Box::new(SearchedIndex::open_folder(dir)?), is_temporary: false }
        } else if let Some(dir) = inputs.paths.iter().find(|path| is_index(path)) {
            let message = "an index is read alone, without other inputs";
            return Err(AppError::path(ErrorCode::Contradiction, dir, message));
        } else if needs == SourceNeeds::OfQuery && is_game_query(query) {
            Self::Archives(None)
        } else {
            // With their text: streams and containers cannot be read again.
            let import = ImportOptions::new()
                .threads(inputs.threads)
                .open(inputs.open_options())
                .replay(inputs.read.replay())
                .embed(true);
            let index = index_archives(&inputs.paths, &import, context)?;
            Self::Index { index: Box::new(index), is_temporary: true }
        };
        if let Self::Index { index, .. } = &source {
            filter.check(query, index)?;
        }
        Ok(source)
    }

    /// Returns `true` if rows can be made more than once.
    pub fn is_repeatable(&self, inputs: &Inputs) -> bool {
        !matches!(self, Self::Archives(_))
            || !inputs.paths.iter().any(|path| pdn::internal::source::is_stream(path))
    }

    /// Calls `encode` for batches of rows, on several threads, and `consume` with the results in the order of the games, until
    /// it breaks.
    ///
    /// # Errors
    ///
    /// The first error of `consume`, or if the index is damaged, a text cannot be read, or the work was stopped.
    pub fn pass<T: Send, E: From<AppError>>(
        &self,
        inputs: &Inputs,
        selection: &ColumnSelection,
        options: &ExportOptions,
        encode: &(impl Fn(TableBatch) -> T + Sync),
        consume: Consume<'_, T, E>,
        context: &mut Context<'_>,
    ) -> std::result::Result<PassResult, E> {
        let (index, is_temporary) = match self {
            Self::Archives(part) => {
                let work = TableWork { selection, options, encode };
                let mut consumer = TableConsumer { consume, incomplete: 0 };
                let complete = inputs::process(inputs, part.as_deref(), &work, &mut consumer, context)?;
                return Ok(PassResult { incomplete: consumer.incomplete, complete });
            }
            Self::Index { index, is_temporary } => (index, *is_temporary),
        };
        let rows = IndexRows::new(index, selection, options, inputs.threads).map_err(AppError::from)?;
        // The numbers of a temporary index have no meaning afterwards.
        let rows = rows.encoding(inputs.read.encoding).numbered(!is_temporary);
        let mut consumed = Ok(ControlFlow::Continue(()));
        let passed = rows.for_each(encode, |encoded| {
            consumed = context.check().map_err(E::from).and_then(|()| consume(encoded, context));
            consumed.as_ref().map_or(ControlFlow::Break(()), |flow| *flow)
        });
        let _ = consumed?;
        let incomplete = passed.map_err(|error| unreadable_text(&error))?;
        Ok(PassResult { incomplete, complete: index.is_complete() })
    }
}

/// Returns an error of the library and, if the text of a game cannot be read, what to do.
fn unreadable_text(error: &pdn::Error) -> AppError {
    let lacks_text = match error.kind() {
        ErrorKind::ArchiveChanged(_) | ErrorKind::NoText(_) => true,
        ErrorKind::Io(cause) => cause.kind() == io::ErrorKind::NotFound,
        _ => false,
    };
    let error = AppError::from(error);
    if !lacks_text {
        return error;
    }
    error.help(
        "choose columns that the index stores (`--columns`, for moves also `--main-line`), or index the archive again, with its \
         text (`--embed`)",
    )
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
    type Product = pdn::Result<BatchRows<T>>;

    fn scratch(&self) -> RowMaker {
        RowMaker::new(self.selection, self.options)
    }

    fn work(&self, maker: &mut RowMaker, batch: &Batch) -> pdn::Result<BatchRows<T>> {
        let before = maker.incomplete();
        let rows = maker.rows(batch)?;
        Ok(BatchRows((self.encode)(rows), maker.incomplete() - before))
    }
}

/// Passes the rows on in the order of the archives.
struct TableConsumer<'a, T, E> {
    consume: Consume<'a, T, E>,
    incomplete: u64,
}

impl<T, E: From<AppError>> BatchConsumer<pdn::Result<BatchRows<T>>> for TableConsumer<'_, T, E> {
    type Error = E;

    fn batch(
        &mut self,
        _: &Batch,
        made: pdn::Result<BatchRows<T>>,
        context: &mut Context<'_>,
    ) -> std::result::Result<ControlFlow<()>, E> {
        let BatchRows(rows, incomplete) = made.map_err(AppError::from)?;
        self.incomplete += incomplete;
        (self.consume)(rows, context)
    }
}
