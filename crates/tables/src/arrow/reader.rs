//! Reads a table as record batches, in the order of the archives, on several threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;
use std::time::{Duration, Instant};

use super::convert::Conversion;
use super::schema::{SquaresType, StringsType, arrow_schema};
use crate::arrow::error::TableError;
use crate::arrow::input::ArchiveBatches;
use crate::arrow::searched::SearchedRows;
use crate::arrow::table::{ArrowTable, Rows};
use crate::{ColumnSelection, RowMaker, TableBatch, is_game_query};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use pdn::archive::Batch;
use pdn::internal::pool;
use pdn::internal::pool::OrderedResults;

/// Interval at which a reader asks whether it shall stop.
const STOP_INTERVAL: Duration = Duration::from_millis(20);

/// Iterator over the batches of an [`ArrowTable`].
///
/// Threads start with the first batch and work a few batches ahead. Dropping the reader ends them. After an error the
/// rows end: an archive that cannot be read to its end is an error, not fewer rows. A panic of a thread is an error too.
#[derive(Debug)]
pub struct TableReader {
    schema: SchemaRef,
    state: State,
    is_stopped: Option<fn() -> bool>,
    /// When `is_stopped` was asked last.
    asked: Instant,
    /// The number of rows that may still be returned; `None` for all.
    left: Option<usize>,
    /// The process that began to read. Threads and the places in files are not those of its copy.
    process: u32,
}

#[derive(Debug)]
enum State {
    /// Nothing has been read.
    New(Box<ArrowTable>),
    Archives(OrderedResults<Result<RecordBatch, TableError>>),
    Searched(SearchedRows),
    Ended,
}

impl ArrowTable {
    /// Returns a reader from the first row on. It reads nothing before its first batch is asked for.
    pub fn reader(&self) -> TableReader {
        let state = State::New(Box::new(self.clone()));
        TableReader {
            schema: self.schema(),
            state,
            is_stopped: None,
            asked: Instant::now(),
            left: self.options.limit,
            process: process::id(),
        }
    }

    /// Starts the threads that make the rows.
    fn start(self) -> State {
        let is_searched = !is_game_query(&self.options.export.query);
        let batch_bytes = self.batch_bytes();
        match self.rows {
            Rows::Archives(archives) if !is_searched => {
                let Self { selection, options, conversion, incomplete, .. } = self;
                let batches =
                    ArchiveBatches::new(archives, options.open, batch_bytes, options.skipped.clone());
                let maker = move || RowMaker::new(&selection, &options.export);
                let work = move |maker: &mut RowMaker, batch: pdn::Result<Batch>| {
                    let before = maker.incomplete();
                    let rows = maker.rows(&batch?)?;
                    incomplete.fetch_add(maker.incomplete() - before, Ordering::Relaxed);
                    conversion.record_batch(rows)
                };
                State::Archives(pool::map(batches, options.threads, maker, work))
            }
            _ => State::Searched(SearchedRows::start(self)),
        }
    }
}

impl TableReader {
    /// Asks `is_stopped` every 20 ms while the reader waits for rows, and between batches. If it returns `true`, the rows end with
    /// [`TableError::Stopped`].
    #[must_use]
    pub fn stop_if(mut self, is_stopped: fn() -> bool) -> Self {
        self.is_stopped = Some(is_stopped);
        self
    }

    /// Returns `true` if the caller wants the rows to end; asks it.
    fn is_stopped(&mut self) -> bool {
        self.asked = Instant::now();
        self.is_stopped.is_some_and(|is_stopped| is_stopped())
    }

    /// Returns the next batch that is not empty.
    fn next_batch(&mut self) -> Option<Result<RecordBatch, TableError>> {
        if process::id() != self.process {
            return Some(Err(TableError::Forked));
        }
        if self.left == Some(0) {
            self.state = State::Ended;
        }
        // Batches that are always ready would leave no time to ask.
        if self.asked.elapsed() >= STOP_INTERVAL && !matches!(self.state, State::Ended) && self.is_stopped() {
            self.state = State::Ended;
            return Some(Err(TableError::Stopped));
        }
        loop {
            let batch = match &mut self.state {
                State::New(_) => {
                    let State::New(table) = std::mem::replace(&mut self.state, State::Ended) else {
                        return None;
                    };
                    self.state = table.start();
                    continue;
                }
                State::Archives(batches) => match batches.poll_within(STOP_INTERVAL) {
                    Poll::Ready(batch) => batch,
                    Poll::Pending if self.is_stopped() => Some(Err(TableError::Stopped)),
                    Poll::Pending => continue,
                },
                State::Searched(rows) => match rows.poll_within(STOP_INTERVAL) {
                    Poll::Ready(batch) => batch,
                    Poll::Pending if self.is_stopped() => Some(Err(TableError::Stopped)),
                    Poll::Pending => continue,
                },
                State::Ended => None,
            };
            match batch {
                Some(Ok(batch)) if batch.num_rows() == 0 => {}
                Some(Ok(batch)) => {
                    let rows = self.left.map_or(batch.num_rows(), |left| left.min(batch.num_rows()));
                    self.left = self.left.map(|left| left - rows);
                    return Some(Ok(batch.slice(0, rows)));
                }
                ended => {
                    self.state = State::Ended;
                    return ended;
                }
            }
        }
    }
}

impl Iterator for TableReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        // Called from other languages, whose stack must not be unwound.
        let next = catch_unwind(AssertUnwindSafe(|| self.next_batch()));
        let next = next.unwrap_or_else(|panic| {
            self.state = State::Ended;
            let text = panic.downcast_ref::<&str>().copied();
            let text =
                text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown");
            let message =
                format!("a thread of pdn panicked, which is a fault of pdn; please report it: {text}");
            Some(Err(TableError::Source(std::io::Error::other(message).into())))
        })?;
        Some(next.map_err(|error| ArrowError::ExternalError(Box::new(error))))
    }
}

impl Drop for TableReader {
    fn drop(&mut self) {
        if process::id() != self.process {
            // Locks of threads that this copy of the process does not have may be held for ever.
            std::mem::forget(std::mem::replace(&mut self.state, State::Ended));
        }
    }
}

impl RecordBatchReader for TableReader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

/// Converts batches of rows to record batches, for callers that make the rows themselves.
///
/// The dictionaries of all columns but `file` are the same in every batch.
#[derive(Debug)]
pub struct BatchConverter {
    conversion: Conversion,
}

impl BatchConverter {
    /// Creates a converter of the batches of these columns.
    pub fn new(selection: &ColumnSelection, strings: StringsType, squares: SquaresType) -> Self {
        let schema = arrow_schema(selection, strings, squares);
        let names = selection.specs().map(|column| column.name).collect();
        Self { conversion: Conversion { schema, names, strings, squares, files: None } }
    }

    /// Returns the schema of the record batches.
    pub fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.conversion.schema)
    }

    /// Converts the rows of a batch. Numbers and texts are moved, not copied.
    ///
    /// # Errors
    /// [`WideBoard`](TableError::WideBoard) and [`TooMuchText`](TableError::TooMuchText).
    pub fn convert(&self, batch: TableBatch) -> Result<RecordBatch, TableError> {
        self.conversion.record_batch(batch)
    }
}

/// Returns a schema with more metadata, for a file that says where its rows come from.
pub fn with_metadata(schema: &Schema, added: impl IntoIterator<Item = (String, String)>) -> SchemaRef {
    let mut metadata = schema.metadata().clone();
    metadata.extend(added);
    SchemaRef::new(schema.clone().with_metadata(metadata))
}
