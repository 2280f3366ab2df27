//! A file of one of the formats, encoded to bytes.

use std::io;
#[cfg(feature = "parquet")]
use std::io::Write;
#[cfg(feature = "parquet")]
use std::sync::{Arc, Mutex, PoisonError};

use crate::ColumnSelection;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

#[cfg(feature = "ipc")]
use crate::arrow::ipc::{IpcFormat, IpcWriter};
#[cfg(feature = "parquet")]
use crate::arrow::parquet::{ParquetOptions, ParquetWriter};

/// A format of files.
#[derive(Clone, Debug)]
pub enum FileFormat {
    /// Arrow.
    #[cfg(feature = "ipc")]
    Ipc(IpcFormat),
    /// Parquet.
    #[cfg(feature = "parquet")]
    Parquet(ParquetOptions),
}

/// Encodes record batches as the bytes of a file, in order.
#[derive(Debug)]
pub struct FileEncoder(Form);

#[derive(Debug)]
enum Form {
    #[cfg(feature = "ipc")]
    Ipc(Box<IpcWriter>),
    /// The writer, and what it has written.
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetWriter<SharedBuffer>>, SharedBuffer),
}

impl FileEncoder {
    /// Creates an encoder of a file of these columns. `schema` is that of the batches, with the metadata that the file gets.
    ///
    /// # Errors
    /// None in practice: writing to memory does not fail.
    pub fn new(format: FileFormat, selection: &ColumnSelection, schema: SchemaRef) -> io::Result<Self> {
        #[cfg(not(feature = "parquet"))]
        let _ = selection;
        match format {
            #[cfg(feature = "ipc")]
            FileFormat::Ipc(format) => Ok(Self(Form::Ipc(Box::new(IpcWriter::new(format, schema)?)))),
            #[cfg(feature = "parquet")]
            FileFormat::Parquet(options) => {
                let buffer = SharedBuffer::default();
                let writer = ParquetWriter::new(buffer.clone(), selection, schema, options)?;
                Ok(Self(Form::Parquet(Box::new(writer), buffer)))
            }
        }
    }

    /// Encodes rows. Returns the bytes that are ready and follow those returned before, in parts that follow each other.
    ///
    /// # Errors
    /// If rows cannot be encoded.
    pub fn write(&mut self, rows: RecordBatch) -> io::Result<Vec<Vec<u8>>> {
        match &mut self.0 {
            #[cfg(feature = "ipc")]
            Form::Ipc(writer) => writer.write(&rows),
            #[cfg(feature = "parquet")]
            Form::Parquet(writer, buffer) => {
                writer.write(rows)?;
                Ok(vec![buffer.take()])
            }
        }
    }

    /// Returns the last bytes of the file, in parts that follow each other.
    ///
    /// # Errors
    /// If rows cannot be encoded.
    pub fn finish(self) -> io::Result<Vec<Vec<u8>>> {
        match self.0 {
            #[cfg(feature = "ipc")]
            Form::Ipc(writer) => writer.finish(),
            #[cfg(feature = "parquet")]
            Form::Parquet(writer, _) => Ok(vec![writer.finish()?.take()]),
        }
    }
}

/// Bytes that a writer owns and its creator takes away.
#[cfg(feature = "parquet")]
#[derive(Clone, Default, Debug)]
struct SharedBuffer(Arc<Mutex<Vec<u8>>>);

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
