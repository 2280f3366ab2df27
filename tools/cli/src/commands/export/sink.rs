//! Where the rows go, and how they are encoded.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pdn::export::{ColumnSelection, CsvWriter, JsonlWriter, TableBatch};
use pdn::source;

#[cfg(any(feature = "arrow", feature = "parquet"))]
use super::arrow::{self, ConvertedRows, Converter};
#[cfg(any(feature = "arrow", feature = "parquet"))]
use super::partitions::PartitionFolder;
#[cfg(feature = "sqlite")]
use super::sqlite::SqliteFile;
use crate::args::{ExportArgs, ExportFormat};
use crate::output::{CommandResult, Output, interrupt};
use pdn_app::outputs::{OutputFile, Overwriting, unwritable};
use pdn_app::{AppError, ErrorCode};

/// Encodes rows, on many threads.
pub(super) struct Encoder {
    format: RowFormat,
    /// Maximum number of rows.
    limit: u64,
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
    /// Creates an encoder of these columns; a `limit` of 0 means none.
    pub(super) fn new(args: &ExportArgs, selection: &ColumnSelection) -> Self {
        let format = match args.format() {
            ExportFormat::Csv => RowFormat::Csv(CsvWriter::new(selection)),
            ExportFormat::Jsonl => RowFormat::Jsonl(JsonlWriter::new(selection)),
            #[cfg(any(feature = "arrow", feature = "parquet"))]
            ExportFormat::Arrow | ExportFormat::Parquet => {
                RowFormat::Arrow(Converter::new(selection, args.squares))
            }
            _ => RowFormat::Rows,
        };
        Self { format, limit: if args.limit == 0 { u64::MAX } else { args.limit } }
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
        let mut bytes = Vec::with_capacity(64 * rows);
        match &self.format {
            RowFormat::Csv(writer) => writer.write(batch, 0..rows, &mut bytes),
            RowFormat::Jsonl(writer) => writer.write(batch, 0..rows, &mut bytes),
            _ => {}
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
    /// What makes the bytes of an Arrow or Parquet file.
    #[cfg(any(feature = "arrow", feature = "parquet"))]
    arrow: Option<pdn_tables::FileEncoder>,
}

enum Target {
    Stdout,
    File(BufWriter<OutputFile>),
    /// Files in a folder under a temporary name.
    #[cfg(any(feature = "arrow", feature = "parquet"))]
    Partitions(Box<PartitionFolder>),
    #[cfg(feature = "sqlite")]
    Sqlite(Box<SqliteFile>),
}

impl Sink {
    /// Creates the output.
    ///
    /// # Errors
    ///
    /// If it cannot be created.
    pub(super) fn create(args: &ExportArgs) -> Result<Self, AppError> {
        let path = args.output.clone().filter(|path| path != Path::new("-"));
        check_format(args).map_err(|message| AppError::new(ErrorCode::InvalidValue, message))?;
        let overwriting = Overwriting { force: args.force, inputs: &args.input.paths };
        let target = match (&path, args.format()) {
            #[cfg(feature = "sqlite")]
            (Some(path), ExportFormat::Sqlite) => {
                Target::Sqlite(Box::new(SqliteFile::create(path, overwriting)?))
            }
            #[cfg(feature = "sqlite")]
            (None, ExportFormat::Sqlite) => {
                let message = "--format sqlite: a database is written to a file; give `-o FILE`";
                return Err(AppError::new(ErrorCode::Missing, message));
            }
            #[cfg(any(feature = "arrow", feature = "parquet"))]
            (Some(path), _) if args.is_partitioned() => {
                let folder = PartitionFolder::create(path);
                Target::Partitions(Box::new(
                    folder.map_err(|message| AppError::new(ErrorCode::Unwritable, message))?,
                ))
            }
            (None, _) => Target::Stdout,
            (Some(path), _) => {
                Target::File(BufWriter::with_capacity(1 << 18, OutputFile::create(path, overwriting)?))
            }
        };
        Ok(Self {
            target,
            path,
            rows: 0,
            #[cfg(any(feature = "arrow", feature = "parquet"))]
            arrow: None,
        })
    }

    /// Prepares for a stop: an unfinished file is removed then.
    pub(super) fn install_handler(&self) {
        match &self.target {
            Target::File(file) => {
                file.get_ref().temporary().into_iter().for_each(interrupt::install_handler_for)
            }
            #[cfg(feature = "sqlite")]
            Target::Sqlite(file) => file.temporary().into_iter().for_each(interrupt::install_handler_for),
            #[cfg(any(feature = "arrow", feature = "parquet"))]
            Target::Partitions(folder) => interrupt::install_handler_for(folder.temporary()),
            Target::Stdout => {}
        }
    }

    /// Begins a table. CSV gets its header if the rows of the table begin here.
    pub(super) fn begin(
        &mut self,
        args: &ExportArgs,
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
        let _ = (args, selection);
        match &encoder.format {
            RowFormat::Csv(writer) if has_header => self.write_bytes(writer.header(), out),
            #[cfg(any(feature = "arrow", feature = "parquet"))]
            RowFormat::Arrow(converter) => {
                if let Target::Partitions(folder) = &mut self.target {
                    return folder.begin(args, selection, converter);
                }
                self.arrow = Some(arrow::encoder(args, selection, converter)?);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Writes rows. Breaks when the limit is reached or a stop is requested.
    pub(super) fn write(
        &mut self,
        encoded: EncodedRows,
        encoder: &Encoder,
        out: &mut Output,
    ) -> io::Result<ControlFlow<()>> {
        let remaining = encoder.limit.saturating_sub(self.rows);
        let rows = encoded.rows.min(usize::try_from(remaining).unwrap_or(usize::MAX));
        match (encoded.form, &mut self.target) {
            #[cfg(feature = "sqlite")]
            (EncodedForm::Rows(batch), Target::Sqlite(file)) => file.insert(&batch, rows)?,
            (EncodedForm::Rows(batch), _) => self.write_bytes(&encoder.text(&batch, rows), out)?,
            (EncodedForm::Text(bytes), _) => self.write_bytes(&bytes, out)?,
            #[cfg(any(feature = "arrow", feature = "parquet"))]
            (EncodedForm::Arrow(batch), target) => {
                let batch = batch.map_err(|error| arrow::conversion_error(&error))?;
                let batch = if rows < batch.num_rows() { batch.slice(0, rows) } else { batch };
                if let Target::Partitions(folder) = target {
                    folder.write(batch)?;
                } else if let Some(arrow) = &mut self.arrow {
                    let bytes = arrow.write(batch)?;
                    self.write_bytes(&bytes, out)?;
                }
            }
        }
        self.rows += rows as u64;
        let is_enough = self.rows >= encoder.limit || interrupt::is_requested();
        Ok(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn write_bytes(&mut self, bytes: &[u8], out: &mut Output) -> io::Result<()> {
        match &mut self.target {
            Target::Stdout => out.write_all(bytes),
            Target::File(file) => file.write_all(bytes),
            #[cfg(feature = "sqlite")]
            Target::Sqlite(_) => Ok(()),
            #[cfg(any(feature = "arrow", feature = "parquet"))]
            Target::Partitions(_) => Ok(()),
        }
    }

    /// Completes the output: a file gets its name, unless the answer `is_empty` and the file existed. Returns `true` if it was
    /// written.
    pub(super) fn finish(mut self, is_empty: bool, out: &mut Output) -> CommandResult<bool> {
        if let Err(error) = self.end_table(out) {
            return self.failed(error);
        }
        let path = self.path.clone();
        let failed = |error: io::Error| failed_file(path.as_deref(), error);
        let mut context = out.context();
        match self.target {
            Target::Stdout => out.flush()?,
            Target::File(file) => match file.into_inner() {
                Ok(file) => return Ok(file.commit(is_empty, &mut context)?),
                Err(error) => return failed(error.into_error()),
            },
            #[cfg(feature = "sqlite")]
            Target::Sqlite(file) => return file.finish(is_empty, &mut context),
            #[cfg(any(feature = "arrow", feature = "parquet"))]
            Target::Partitions(folder) => {
                if let Err(error) = folder.finish() {
                    return failed(error);
                }
            }
        }
        Ok(true)
    }

    /// Writes the end of a table: of an Arrow or Parquet file, or of the files of its partitions.
    #[cfg(any(feature = "arrow", feature = "parquet"))]
    pub(super) fn end_table(&mut self, out: &mut Output) -> io::Result<()> {
        if let Target::Partitions(folder) = &mut self.target {
            return folder.end();
        }
        match self.arrow.take() {
            Some(arrow) => self.write_bytes(&arrow.finish()?, out),
            None => Ok(()),
        }
    }

    /// Text ends with its last row.
    #[cfg(not(any(feature = "arrow", feature = "parquet")))]
    #[expect(
        clippy::unused_self,
        clippy::needless_pass_by_ref_mut,
        clippy::unnecessary_wraps,
        reason = "files have an end"
    )]
    pub(super) fn end_table(&mut self, _: &mut Output) -> io::Result<()> {
        Ok(())
    }

    /// Returns the number of partitions of the table that was written last; `None` if it is not divided.
    pub(super) fn partitions(&self) -> Option<usize> {
        match &self.target {
            #[cfg(any(feature = "arrow", feature = "parquet"))]
            Target::Partitions(folder) => Some(folder.partitions),
            _ => None,
        }
    }

    /// Reports that rows could not be written. An error of standard output is returned, because the program treats a closed
    /// pipe as success.
    pub(super) fn failed<T>(self, error: io::Error) -> CommandResult<T> {
        match self.target {
            Target::Stdout => Err(error.into()),
            _ => failed_file(self.path.as_deref(), error),
        }
    }
}

/// Reports that a file could not be written, or returns the error if there is no file.
fn failed_file<T>(path: Option<&Path>, error: io::Error) -> CommandResult<T> {
    let Some(path) = path else { return Err(error.into()) };
    Err(unwritable(path, &error).into())
}

/// Checks that this build of the command has the format, and that the options suit it.
///
/// # Errors
/// A message for the user.
fn check_format(args: &ExportArgs) -> Result<(), String> {
    let missing = match args.format() {
        ExportFormat::Sqlite if !cfg!(feature = "sqlite") => Some(
            "--format sqlite: this build of pdn has no SQLite; export CSV, which SQLite imports (`.import --csv FILE TABLE`), or \
                  build pdn with `--features sqlite`",
        ),
        ExportFormat::Arrow if !cfg!(feature = "arrow") => Some(
            "--format arrow: this build of pdn has no Arrow; export CSV, or build pdn with `--features arrow`",
        ),
        ExportFormat::Parquet if !cfg!(feature = "parquet") => Some(
            "--format parquet: this build of pdn has no Parquet; export CSV, or build pdn with `--features parquet`",
        ),
        _ => None,
    };
    if let Some(message) = missing {
        return Err(message.to_owned());
    }
    let is_arrow = matches!(args.format(), ExportFormat::Arrow | ExportFormat::Parquet);
    if args.squares.is_some() && !is_arrow {
        return Err("--squares: is for Arrow and Parquet; other formats write as many digits as a set of squares needs".to_owned());
    }
    if args.is_partitioned() {
        check_partition(args, is_arrow)?;
    }
    #[cfg(any(feature = "arrow", feature = "parquet"))]
    if is_arrow {
        arrow::check_output(args)?;
    }
    Ok(())
}

/// Checks that the output can be divided into partitions.
///
/// # Errors
/// A message for the user.
fn check_partition(args: &ExportArgs, is_arrow: bool) -> Result<(), String> {
    if !is_arrow {
        return Err("--partition works with Parquet and Arrow only".to_owned());
    }
    match args.output.as_deref() {
        None => Err("--partition: writes a folder; give `-o DIR`".to_owned()),
        Some(path) if source::is_stream(path) => {
            Err("--partition: writes a folder, not a stream; give `-o DIR`".to_owned())
        }
        Some(_) => Ok(()),
    }
}
