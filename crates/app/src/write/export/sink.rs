//! Where the rows go, and how they are encoded.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use pdn_tables::{ColumnSelection, CsvWriter, JsonlWriter, TableBatch};

#[cfg(any(feature = "arrow", feature = "parquet"))]
use super::arrow::{self, ConvertedRows, Converter};
#[cfg(feature = "sqlite")]
use super::sqlite::SqliteFile;
use super::{ExportFormat, ExportRequest, ExportTables};
use crate::ask::context::Context;
use crate::ask::error::{AppError, ErrorCode};
use crate::write::outputs::{OutputFile, Overwriting, unwritable};

/// Encodes rows, on many threads.
pub(super) struct Encoder {
    format: RowFormat,
    /// Maximum number of rows.
    limit: u64,
    /// The length in bytes of the rows of the last batch, from which the memory for the next one is estimated.
    row_len: AtomicUsize,
}

/// The form in which rows reach the sink.
enum RowFormat {
    Csv(CsvWriter),
    Jsonl(JsonlWriter),
    #[cfg(any(feature = "arrow", feature = "parquet"))]
    Arrow(Converter),
    /// Rows are not encoded.
    Rows,
}

/// Rows on their way to the sink.
pub(super) struct EncodedRows {
    rows: usize,
    form: EncodedForm,
}

enum EncodedForm {
    Text(Vec<u8>),
    /// Rows that only the sink can encode: it counts them, or takes them as they are.
    Rows(TableBatch),
    #[cfg(any(feature = "arrow", feature = "parquet"))]
    Arrow(ConvertedRows),
}

impl Encoder {
    /// Creates an encoder of these columns.
    ///
    /// # Errors
    ///
    /// If the output has no known format.
    pub(super) fn new(tables: &ExportTables, selection: &ColumnSelection) -> Result<Self, AppError> {
        let format = match tables.format()? {
            ExportFormat::Csv => RowFormat::Csv(CsvWriter::new(selection)),
            ExportFormat::Jsonl => RowFormat::Jsonl(JsonlWriter::new(selection)),
            #[cfg(any(feature = "arrow", feature = "parquet"))]
            ExportFormat::Arrow | ExportFormat::Parquet => {
                RowFormat::Arrow(Converter::new(selection, tables.squares))
            }
            _ => RowFormat::Rows,
        };
        let limit = if tables.limit == 0 { u64::MAX } else { tables.limit };
        Ok(Self { format, limit, row_len: AtomicUsize::new(64) })
    }

    /// Encodes the rows of a batch, unless only the sink can.
    pub(super) fn encode(&self, batch: TableBatch) -> EncodedRows {
        let rows = batch.rows;
        let form = match &self.format {
            #[cfg(any(feature = "arrow", feature = "parquet"))]
            RowFormat::Arrow(converter) => EncodedForm::Arrow(converter.convert(batch)),
            RowFormat::Csv(_) | RowFormat::Jsonl(_) if self.limit == u64::MAX => {
                EncodedForm::Text(self.text(&batch, rows))
            }
            _ => EncodedForm::Rows(batch),
        };
        EncodedRows { rows, form }
    }

    /// Returns the first rows of a batch as text.
    fn text(&self, batch: &TableBatch, rows: usize) -> Vec<u8> {
        let row_len = self.row_len.load(Ordering::Relaxed);
        // A text that grows is copied.
        let mut bytes = Vec::with_capacity((row_len + row_len / 8) * rows + (8 << 10));
        match &self.format {
            RowFormat::Csv(writer) => writer.write(batch, 0..rows, &mut bytes),
            RowFormat::Jsonl(writer) => writer.write(batch, 0..rows, &mut bytes),
            _ => {}
        }
        if let Some(row_len) = bytes.len().checked_div(rows) {
            self.row_len.store(row_len, Ordering::Relaxed);
        }
        bytes
    }
}

/// The file that rows are written to, or a function that takes them.
pub(super) struct Sink<'a, E> {
    request: &'a ExportRequest,
    target: Target<'a, E>,
    /// Rows of the current table so far.
    pub(super) rows: u64,
    /// What makes the bytes of an Arrow or Parquet file.
    #[cfg(any(feature = "arrow", feature = "parquet"))]
    arrow: Option<pdn_tables::arrow::FileEncoder>,
}

enum Target<'a, E> {
    Function(&'a mut dyn FnMut(&[u8]) -> Result<(), E>),
    File(BufWriter<OutputFile>),
    #[cfg(feature = "sqlite")]
    Sqlite(Box<SqliteFile>),
}

impl<'a, E: From<AppError>> Sink<'a, E> {
    /// Creates the output. Without a file, `write` takes the bytes.
    ///
    /// # Errors
    ///
    /// If it cannot be created.
    pub(super) fn create(
        request: &'a ExportRequest,
        write: &'a mut dyn FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<Self, AppError> {
        let overwriting = Overwriting { force: request.tables.force, inputs: &request.inputs.paths };
        let target = match (&request.tables.output, request.tables.format()?) {
            #[cfg(feature = "sqlite")]
            (Some(path), ExportFormat::Sqlite) => {
                Target::Sqlite(Box::new(SqliteFile::create(path, overwriting)?))
            }
            (None, ExportFormat::Sqlite) => {
                let error = AppError::plain(ErrorCode::Missing, "a database is written to a file");
                return Err(error.in_field("format").cured_by("output", "names it"));
            }
            (None, _) => Target::Function(write),
            (Some(path), _) => {
                Target::File(BufWriter::with_capacity(1 << 18, OutputFile::create(path, overwriting)?))
            }
        };
        Ok(Self {
            request,
            target,
            rows: 0,
            #[cfg(any(feature = "arrow", feature = "parquet"))]
            arrow: None,
        })
    }

    /// Returns the unfinished file, which has to be removed if the program is ended.
    pub(super) fn temporary(&self) -> Option<&Path> {
        match &self.target {
            Target::File(file) => file.get_ref().temporary(),
            #[cfg(feature = "sqlite")]
            Target::Sqlite(file) => file.temporary(),
            Target::Function(_) => None,
        }
    }

    /// Begins a table. CSV gets its header if the rows of the table begin here.
    pub(super) fn begin(
        &mut self,
        selection: &ColumnSelection,
        encoder: &Encoder,
        has_header: bool,
    ) -> Result<(), E> {
        self.rows = 0;
        #[cfg(feature = "sqlite")]
        if let Target::Sqlite(file) = &mut self.target {
            return file.begin(selection).map_err(|error| failed(self.request, &error));
        }
        let _ = selection;
        match &encoder.format {
            RowFormat::Csv(writer) if has_header => self.write_bytes(writer.header()),
            #[cfg(any(feature = "arrow", feature = "parquet"))]
            RowFormat::Arrow(converter) => {
                let begun = arrow::encoder(self.request, selection, converter);
                self.arrow = Some(begun.map_err(|error| failed(self.request, &error))?);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Writes rows. Breaks when the limit is reached.
    pub(super) fn write(&mut self, encoded: EncodedRows, encoder: &Encoder) -> Result<ControlFlow<()>, E> {
        let remaining = encoder.limit.saturating_sub(self.rows);
        let rows = encoded.rows.min(usize::try_from(remaining).unwrap_or(usize::MAX));
        match (encoded.form, &mut self.target) {
            #[cfg(feature = "sqlite")]
            (EncodedForm::Rows(batch), Target::Sqlite(file)) => {
                file.insert(&batch, rows).map_err(|error| failed(self.request, &error))?;
            }
            (EncodedForm::Rows(batch), _) => self.write_bytes(&encoder.text(&batch, rows))?,
            (EncodedForm::Text(bytes), _) => self.write_bytes(&bytes)?,
            #[cfg(any(feature = "arrow", feature = "parquet"))]
            (EncodedForm::Arrow(batch), _) => {
                let batch = batch.map_err(|error| arrow::conversion_error(&error))?;
                let batch = if rows < batch.num_rows() { batch.slice(0, rows) } else { batch };
                if let Some(arrow) = &mut self.arrow {
                    let parts = arrow.write(batch).map_err(|error| failed(self.request, &error))?;
                    parts.iter().try_for_each(|bytes| self.write_bytes(bytes))?;
                }
            }
        }
        self.rows += rows as u64;
        let has_enough = self.rows >= encoder.limit;
        Ok(if has_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), E> {
        match &mut self.target {
            Target::Function(write) => write(bytes),
            Target::File(file) => file.write_all(bytes).map_err(|error| failed(self.request, &error)),
            #[cfg(feature = "sqlite")]
            Target::Sqlite(_) => Ok(()),
        }
    }

    /// Completes the output: a file gets its name, unless the answer `is_empty` and the file existed. Returns `true` if it was
    /// written.
    pub(super) fn finish(mut self, is_empty: bool, context: &mut Context<'_>) -> Result<bool, E> {
        self.end_table()?;
        let request = self.request;
        match self.target {
            Target::Function(_) => Ok(true),
            Target::File(file) => match file.into_inner() {
                Ok(file) => Ok(file.commit(is_empty, context)?),
                Err(error) => Err(failed(request, error.error())),
            },
            #[cfg(feature = "sqlite")]
            Target::Sqlite(file) => Ok(file.finish(is_empty, context)?),
        }
    }

    /// Writes the end of an Arrow or Parquet file.
    pub(super) fn end_table(&mut self) -> Result<(), E> {
        #[cfg(any(feature = "arrow", feature = "parquet"))]
        if let Some(arrow) = self.arrow.take() {
            let parts = arrow.finish().map_err(|error| failed(self.request, &error))?;
            return parts.iter().try_for_each(|bytes| self.write_bytes(bytes));
        }
        Ok(())
    }
}

/// Returns the error that the output cannot be written.
fn failed<E: From<AppError>>(request: &ExportRequest, error: &io::Error) -> E {
    match &request.tables.output {
        Some(path) => unwritable(path, error).into(),
        None => AppError::plain(ErrorCode::Unwritable, error.to_string()).into(),
    }
}
