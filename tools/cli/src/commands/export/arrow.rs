//! Tables as Arrow and Parquet files.

#[cfg(feature = "parquet")]
use std::io::Write;
use std::io::{self, IsTerminal};
use std::path::Path;
#[cfg(feature = "parquet")]
use std::sync::{Arc, Mutex, PoisonError};

use pdn::export::{ColumnSelection, TableBatch};
use pdn_tables::{BatchConverter, RecordBatch, StringsType, TableError};

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

/// Encodes record batches as the bytes of a file, in order.
pub(super) enum ArrowEncoder {
    #[cfg(feature = "arrow")]
    Ipc(Box<pdn_tables::IpcWriter>),
    /// The writer, and what it has written.
    #[cfg(feature = "parquet")]
    Parquet(Box<pdn_tables::ParquetWriter<SharedBuffer>>, SharedBuffer),
}

impl ArrowEncoder {
    /// Creates an encoder of a file with these columns.
    pub(super) fn new(
        args: &ExportArgs,
        selection: &ColumnSelection,
        converter: &Converter,
    ) -> io::Result<Self> {
        let paths: Vec<_> = args.input.paths.iter().map(|path| path.to_string_lossy()).collect();
        let metadata = [("pdn.source".to_owned(), paths.join("\n"))];
        let schema = pdn_tables::with_metadata(&converter.0.schema(), metadata);
        #[cfg(not(feature = "parquet"))]
        let _ = selection;
        match args.format() {
            #[cfg(feature = "arrow")]
            ExportFormat::Arrow => {
                pdn_tables::IpcWriter::new(ipc_format(args), schema).map(Box::new).map(Self::Ipc)
            }
            #[cfg(feature = "parquet")]
            ExportFormat::Parquet => {
                let mut options = pdn_tables::ParquetOptions::default();
                options.threads = args.input.threads.unwrap_or(options.threads);
                let buffer = SharedBuffer::default();
                let writer = pdn_tables::ParquetWriter::new(buffer.clone(), selection, schema, options)?;
                Ok(Self::Parquet(Box::new(writer), buffer))
            }
            format => Err(io::Error::other(format!("{format:?} is no format of Arrow"))),
        }
    }

    /// Encodes rows. Returns the bytes that are ready to be written.
    pub(super) fn write(&mut self, rows: &RecordBatch, len: usize) -> io::Result<Vec<u8>> {
        let rows = if len < rows.num_rows() { rows.slice(0, len) } else { rows.clone() };
        match self {
            #[cfg(feature = "arrow")]
            Self::Ipc(writer) => writer.write(&rows),
            #[cfg(feature = "parquet")]
            Self::Parquet(writer, buffer) => {
                writer.write(rows)?;
                Ok(buffer.take())
            }
        }
    }

    /// Returns the last bytes of the file.
    pub(super) fn finish(self) -> io::Result<Vec<u8>> {
        match self {
            #[cfg(feature = "arrow")]
            Self::Ipc(writer) => writer.finish(),
            #[cfg(feature = "parquet")]
            Self::Parquet(writer, _) => Ok(writer.finish()?.take()),
        }
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
    if is_file { pdn_tables::IpcFormat::File } else { pdn_tables::IpcFormat::Stream }
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

/// Bytes that a writer owns and its creator takes away.
#[cfg(feature = "parquet")]
#[derive(Clone, Default)]
pub(super) struct SharedBuffer(Arc<Mutex<Vec<u8>>>);

#[cfg(feature = "parquet")]
impl SharedBuffer {
    /// Removes and returns the bytes so far.
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(feature = "parquet")]
impl Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl From<SquaresWidth> for pdn_tables::SquaresType {
    fn from(width: SquaresWidth) -> Self {
        match width {
            SquaresWidth::U64 => Self::U64,
            SquaresWidth::Wide => Self::Wide,
        }
    }
}
