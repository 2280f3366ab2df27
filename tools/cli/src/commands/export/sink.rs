//! Where the rows go, and how they are encoded.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pdn::export::{ColumnSelection, CsvWriter, JsonlWriter, TableBatch};
use pdn::source;
use tempfile::NamedTempFile;

#[cfg(feature = "sqlite")]
use super::sqlite::SqliteFile;
use crate::args::{ExportArgs, ExportFormat};
use crate::output::exit::print_error;
use crate::output::new_file::temporary_file;
use crate::output::{Exit, Output, sanitize};

/// Encodes rows, on many threads.
pub(super) struct Encoder {
    format: TextFormat,
    /// Maximum number of rows.
    limit: u64,
}

/// The form in which rows reach the sink.
enum TextFormat {
    Csv(CsvWriter),
    Jsonl(JsonlWriter),
    /// Rows are not encoded as text.
    Rows,
}

/// Rows on their way to the sink.
pub(super) struct EncodedRows {
    rows: usize,
    /// The rows as text, unless `batch` holds them.
    bytes: Vec<u8>,
    batch: Option<TableBatch>,
}

impl Encoder {
    /// Creates an encoder of these columns; a `limit` of 0 means none.
    pub(super) fn new(format: ExportFormat, selection: &ColumnSelection, limit: u64) -> Self {
        let format = match format {
            ExportFormat::Csv => TextFormat::Csv(CsvWriter::new(selection)),
            ExportFormat::Jsonl => TextFormat::Jsonl(JsonlWriter::new(selection)),
            ExportFormat::Sqlite => TextFormat::Rows,
        };
        Self { format, limit: if limit == 0 { u64::MAX } else { limit } }
    }

    /// Encodes the rows of a batch, unless only the sink can: it counts them, or takes them as they are.
    pub(super) fn encode(&self, batch: TableBatch) -> EncodedRows {
        let rows = batch.rows;
        if self.limit < u64::MAX || matches!(self.format, TextFormat::Rows) {
            return EncodedRows { rows, bytes: Vec::new(), batch: Some(batch) };
        }
        EncodedRows { rows, bytes: self.text(&batch, rows), batch: None }
    }

    /// Returns the first rows of a batch as text.
    fn text(&self, batch: &TableBatch, rows: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(64 * rows);
        match &self.format {
            TextFormat::Csv(writer) => writer.write(batch, 0..rows, &mut bytes),
            TextFormat::Jsonl(writer) => writer.write(batch, 0..rows, &mut bytes),
            TextFormat::Rows => {}
        }
        bytes
    }
}

/// The file or stream that rows are written to.
pub(super) struct Sink {
    target: Target,
    path: Option<PathBuf>,
    /// Rows of the current table so far.
    pub(super) rows: u64,
}

enum Target {
    Stdout,
    /// A pipe or device, which is written as it is.
    Device(BufWriter<File>),
    /// A file under a temporary name.
    File(BufWriter<NamedTempFile>),
    #[cfg(feature = "sqlite")]
    Sqlite(Box<SqliteFile>),
}

impl Sink {
    /// Creates the output.
    ///
    /// # Errors
    ///
    /// A message for the user if it cannot be created.
    pub(super) fn create(args: &ExportArgs) -> Result<Self, String> {
        let path = args.output.clone().filter(|path| path != Path::new("-"));
        let target = match (&path, args.format()) {
            #[cfg(feature = "sqlite")]
            (Some(path), ExportFormat::Sqlite) => Target::Sqlite(Box::new(SqliteFile::create(path)?)),
            #[cfg(feature = "sqlite")]
            (None, ExportFormat::Sqlite) => {
                return Err("--format sqlite: a database is written to a file; give `-o FILE`".to_owned());
            }
            #[cfg(not(feature = "sqlite"))]
            (_, ExportFormat::Sqlite) => {
                return Err("--format sqlite: this build of pdn has no SQLite; export CSV, which SQLite imports (`.import \
                            --csv FILE TABLE`), or build pdn with `--features sqlite`"
                    .to_owned());
            }
            (None, _) => Target::Stdout,
            (Some(path), _) => {
                let created = match source::is_stream(path) {
                    true => File::create(path).map(|file| Target::Device(BufWriter::new(file))),
                    false => {
                        temporary_file(path).map(|file| Target::File(BufWriter::with_capacity(1 << 18, file)))
                    }
                };
                created.map_err(|error| format!("{}: {error}", sanitize::path(path)))?
            }
        };
        Ok(Self { target, path, rows: 0 })
    }

    /// Begins a table. CSV gets its header if the rows of the table begin here.
    pub(super) fn begin(
        &mut self,
        selection: &ColumnSelection,
        encoder: &Encoder,
        has_header: bool,
        out: &mut Output,
    ) -> io::Result<()> {
        self.rows = 0;
        #[cfg(feature = "sqlite")]
        if let Target::Sqlite(file) = &mut self.target {
            return file.begin(selection);
        }
        let _ = selection;
        match &encoder.format {
            TextFormat::Csv(writer) if has_header => self.write_bytes(writer.header(), out),
            _ => Ok(()),
        }
    }

    /// Writes rows. Breaks when the limit is reached.
    pub(super) fn write(
        &mut self,
        encoded: EncodedRows,
        encoder: &Encoder,
        out: &mut Output,
    ) -> io::Result<ControlFlow<()>> {
        let remaining = encoder.limit.saturating_sub(self.rows);
        let rows = encoded.rows.min(usize::try_from(remaining).unwrap_or(usize::MAX));
        match (&mut self.target, &encoded.batch) {
            #[cfg(feature = "sqlite")]
            (Target::Sqlite(file), Some(batch)) => file.insert(batch, rows)?,
            (_, Some(batch)) => self.write_bytes(&encoder.text(batch, rows), out)?,
            (_, None) => self.write_bytes(&encoded.bytes, out)?,
        }
        self.rows += rows as u64;
        Ok(if self.rows >= encoder.limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn write_bytes(&mut self, bytes: &[u8], out: &mut Output) -> io::Result<()> {
        match &mut self.target {
            Target::Stdout => out.write_all(bytes),
            Target::Device(file) => file.write_all(bytes),
            Target::File(file) => file.write_all(bytes),
            #[cfg(feature = "sqlite")]
            Target::Sqlite(_) => Ok(()),
        }
    }

    /// Completes the output: a file gets its name.
    pub(super) fn finish(self, out: &mut Output) -> io::Result<()> {
        match (self.target, self.path) {
            (Target::Device(mut file), _) => file.flush(),
            (Target::File(file), Some(path)) => {
                let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.as_file().sync_all()?;
                file.persist(path).map(drop).map_err(|error| error.error)
            }
            #[cfg(feature = "sqlite")]
            (Target::Sqlite(file), _) => file.finish(),
            (Target::Stdout | Target::File(_), _) => out.flush(),
        }
    }

    /// Reports that rows could not be written. An error of standard output is returned, because the program treats a closed
    /// pipe as success.
    pub(super) fn failed(self, error: io::Error) -> io::Result<Exit> {
        match self.target {
            Target::Stdout => Err(error),
            _ => failed_file(self.path.as_deref(), error),
        }
    }
}

/// Reports that a file could not be written, or returns the error if there is no file.
pub(super) fn failed_file(path: Option<&Path>, error: io::Error) -> io::Result<Exit> {
    let Some(path) = path else { return Err(error) };
    print_error(&format!("{}: cannot be written: {error}", sanitize::path(path)));
    Ok(Exit::Failure)
}
