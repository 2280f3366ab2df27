//! Tables as Arrow and Parquet files.

use std::io;

use pdn::internal::source::path_text;
use pdn_tables::arrow::{BatchConverter, FileEncoder, FileFormat, RecordBatch, StringsType, TableError};
use pdn_tables::{ColumnSelection, TableBatch};

use super::{ExportFormat, ExportRequest, SquaresWidth};
use crate::ask::error::{AppError, ErrorCode};

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

/// Creates an encoder of a file with these columns, and metadata that says where the rows come
/// from.
pub(super) fn encoder(
    request: &ExportRequest,
    selection: &ColumnSelection,
    converter: &Converter,
) -> io::Result<FileEncoder> {
    let paths: Vec<_> = request.inputs.paths.iter().map(|path| path_text(path)).collect();
    let source = ("pdn.source".to_owned(), paths.join("\n"));
    let schema = pdn_tables::arrow::with_metadata(&converter.0.schema(), [source]);
    FileEncoder::new(file_format(request)?, selection, schema)
}

/// Returns the format of the files.
fn file_format(request: &ExportRequest) -> io::Result<FileFormat> {
    match request.tables.format().map_err(io::Error::other)? {
        #[cfg(feature = "arrow")]
        ExportFormat::Arrow => Ok(FileFormat::Ipc(ipc_format(request))),
        #[cfg(feature = "parquet")]
        ExportFormat::Parquet => {
            let mut options = pdn_tables::arrow::ParquetOptions::default();
            options.threads = request.inputs.threads;
            Ok(FileFormat::Parquet(options))
        }
        format => Err(io::Error::other(format!("{format:?} is no format of Arrow"))),
    }
}

/// Returns the form of Arrow's format: a stream for standard output, pipes and `.arrows`, otherwise a file.
#[cfg(feature = "arrow")]
fn ipc_format(request: &ExportRequest) -> pdn_tables::arrow::IpcFormat {
    let is_file = request.tables.output.as_deref().is_some_and(|path| {
        !pdn::internal::source::is_stream(path)
            && path.extension().is_none_or(|extension| extension != "arrows")
    });
    if is_file { pdn_tables::arrow::IpcFormat::File } else { pdn_tables::arrow::IpcFormat::Stream }
}

/// Returns why rows could not be converted.
pub(super) fn conversion_error(error: &TableError) -> AppError {
    match error {
        TableError::WideBoard => {
            let message = "a position on a 12x12 board does not fit into 64 bits";
            AppError::plain(ErrorCode::InvalidValue, message)
                .in_field("squares")
                .help("`wide` writes sets of squares as 16 bytes")
        }
        other => AppError::plain(ErrorCode::Unwritable, other.to_string()),
    }
}

impl From<SquaresWidth> for pdn_tables::arrow::SquaresType {
    fn from(width: SquaresWidth) -> Self {
        match width {
            SquaresWidth::U64 => Self::U64,
            SquaresWidth::Wide => Self::Wide,
        }
    }
}
