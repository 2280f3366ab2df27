//! Tables as Arrow and Parquet files.

use std::io::{self, IsTerminal};
use std::path::Path;

use pdn::export::{ColumnSelection, TableBatch};
use pdn_tables::{BatchConverter, FileEncoder, FileFormat, RecordBatch, SchemaRef, StringsType, TableError};

use crate::args::{ExportArgs, ExportFormat, SquaresWidth};

/// Rows as a record batch, or why there is none.
pub(super) type ConvertedRows = Result<RecordBatch, TableError>;

/// Converts rows to record batches, on many threads.
pub(super) struct Converter(BatchConverter);

impl Converter {
    /// Creates a converter of these columns.
    pub(super) fn new(selection: &ColumnSelection, squares: Option<SquaresWidth>) -> Self {
        let squares = squares.unwrap_or(SquaresWidth::U64).into();
        Self(BatchConverter::new(selection, StringsType::Dictionary, squares))
    }

    /// Converts rows.
    pub(super) fn convert(&self, batch: TableBatch) -> ConvertedRows {
        self.0.convert(batch)
    }
}

/// Creates an encoder of a file with these columns.
pub(super) fn encoder(
    args: &ExportArgs,
    selection: &ColumnSelection,
    converter: &Converter,
) -> io::Result<FileEncoder> {
    FileEncoder::new(file_format(args)?, selection, schema(args, converter))
}

/// Returns the schema of the rows, with metadata that says where they come from.
pub(super) fn schema(args: &ExportArgs, converter: &Converter) -> SchemaRef {
    let paths: Vec<_> = args.input.paths.iter().map(|path| path.to_string_lossy()).collect();
    pdn_tables::with_metadata(&converter.0.schema(), [("pdn.source".to_owned(), paths.join("\n"))])
}

/// Returns the format of the files.
pub(super) fn file_format(args: &ExportArgs) -> io::Result<FileFormat> {
    match args.format() {
        #[cfg(feature = "arrow")]
        ExportFormat::Arrow => Ok(FileFormat::Ipc(ipc_format(args))),
        #[cfg(feature = "parquet")]
        ExportFormat::Parquet => {
            let mut options = pdn_tables::ParquetOptions::default();
            options.threads = args.input.threads.unwrap_or(options.threads);
            Ok(FileFormat::Parquet(options))
        }
        format => Err(io::Error::other(format!("{format:?} is no format of Arrow"))),
    }
}

/// Returns the form of Arrow's format: a stream for standard output, pipes and `.arrows`, otherwise a file.
#[cfg(feature = "arrow")]
fn ipc_format(args: &ExportArgs) -> pdn_tables::IpcFormat {
    let is_file = args.output.as_deref().is_some_and(|path| {
        path != Path::new("-")
            && !pdn::source::is_stream(path)
            && path.extension().is_none_or(|extension| extension != "arrows")
    });
    if is_file || args.is_partitioned() { pdn_tables::IpcFormat::File } else { pdn_tables::IpcFormat::Stream }
}

/// Returns why rows could not be converted, in the terms of the command.
pub(super) fn conversion_error(error: &TableError) -> io::Error {
    io::Error::other(match error {
        TableError::WideBoard => {
            "a position on a 12x12 board does not fit into 64 bits; `--squares wide` writes sets of squares as 16 bytes"
                .to_owned()
        }
        other => other.to_string(),
    })
}

/// Checks that the bytes of a file do not go to a terminal.
///
/// # Errors
/// A message for the user.
pub(super) fn check_output(args: &ExportArgs) -> Result<(), String> {
    let is_stdout = args.output.as_deref().is_none_or(|path| path == Path::new("-"));
    if is_stdout && io::stdout().is_terminal() {
        return Err("the output is not text, so it is not written to a terminal; give `-o FILE`".to_owned());
    }
    Ok(())
}

impl From<SquaresWidth> for pdn_tables::SquaresType {
    fn from(width: SquaresWidth) -> Self {
        match width {
            SquaresWidth::U64 => Self::U64,
            SquaresWidth::Wide => Self::Wide,
        }
    }
}
