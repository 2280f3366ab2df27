//! Record batches as a Parquet file, whose columns are encoded on several threads.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::thread;

use crate::{ColumnSelection, ValueType};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{FieldRef, Schema, SchemaRef};
use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;

/// Row groups that may be encoded at a time, besides the one that is being filled.
const ROW_GROUPS_IN_PROGRESS: usize = 2;

/// Options of a Parquet file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ParquetOptions {
    /// The number of threads that encode columns, the caller's included.
    pub threads: NonZeroUsize,
    /// The number of rows at which a row group ends.
    pub row_group_rows: usize,
    /// The memory that the values of a row group take before they are encoded, in bytes, at which it ends.
    pub row_group_bytes: usize,
}

impl Default for ParquetOptions {
    fn default() -> Self {
        Self { threads: pdn::default_threads(), row_group_rows: 1 << 20, row_group_bytes: 32 << 20 }
    }
}

/// Writes record batches to a Parquet file.
///
/// The columns of a row group are encoded on several threads, and compressed with Zstandard. Position keys have Bloom filters
/// and no dictionary. The metadata of the schema becomes key-value metadata of the file. The file is the same on any number
/// of threads.
///
/// Memory is bounded by the values of three row groups.
pub struct ParquetWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    factory: ArrowRowGroupWriterFactory,
    schema: SchemaRef,
    options: ParquetOptions,
    encoders: Encoders,
    /// The row groups that are being encoded, in their order.
    in_progress: VecDeque<EncodingRowGroup>,
    /// The batches of the next row group, their rows and their bytes.
    batches: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
    /// Number of row groups that were begun.
    row_groups: usize,
}

impl<W: Write + Send> std::fmt::Debug for ParquetWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetWriter").field("row_groups", &self.row_groups).finish_non_exhaustive()
    }
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Creates a file of these columns. `schema` is that of the batches, with the metadata that the file gets.
    ///
    /// # Errors
    /// If the beginning of the file cannot be written.
    pub fn new(
        out: W,
        selection: &ColumnSelection,
        schema: SchemaRef,
        options: ParquetOptions,
    ) -> io::Result<Self> {
        let encoders = Encoders::new(options.threads);
        let properties = writer_properties(selection, &schema);
        let writer = ArrowWriter::try_new(out, SchemaRef::clone(&schema), Some(properties));
        let (file, factory) = writer.and_then(ArrowWriter::into_serialized_writer).map_err(io_error)?;
        let (in_progress, batches) = (VecDeque::new(), Vec::new());
        Ok(Self {
            file,
            factory,
            schema,
            options,
            encoders,
            in_progress,
            batches,
            rows: 0,
            bytes: 0,
            row_groups: 0,
        })
    }

    /// Adds rows. They are encoded when their row group is full, and written after those before them.
    ///
    /// # Errors
    /// If an earlier row group cannot be encoded or written.
    pub fn write(&mut self, batch: RecordBatch) -> io::Result<()> {
        if batch.num_rows() == 0 {
            return Ok(());
        }
        self.rows += batch.num_rows();
        self.bytes += batch.columns().iter().map(bytes_of).sum::<usize>();
        self.batches.push(batch);
        if self.rows >= self.options.row_group_rows || self.bytes >= self.options.row_group_bytes {
            self.end_row_group()?;
        }
        Ok(())
    }

    /// Writes the rest of the rows and the end of the file.
    ///
    /// # Errors
    /// If rows cannot be encoded or written.
    pub fn finish(mut self) -> io::Result<W> {
        self.end_row_group()?;
        while let Some(group) = self.in_progress.pop_front() {
            self.write_row_group(group)?;
        }
        self.file.into_inner().map_err(io_error)
    }

    /// Queues the rows so far as a row group, and writes an earlier one if too many are in progress.
    fn end_row_group(&mut self) -> io::Result<()> {
        let batches = std::mem::take(&mut self.batches);
        (self.rows, self.bytes) = (0, 0);
        if batches.is_empty() {
            return Ok(());
        }
        if self.in_progress.len() >= ROW_GROUPS_IN_PROGRESS
            && let Some(group) = self.in_progress.pop_front()
        {
            self.write_row_group(group)?;
        }
        let mut writers = self.factory.create_column_writers(self.row_groups).map_err(io_error)?.into_iter();
        self.row_groups += 1;
        let columns = self.schema.fields().iter().enumerate().map(|(n, field)| ColumnTask {
            field: field.clone(),
            arrays: batches.iter().map(|batch| batch.column(n).clone()).collect(),
            writers: writers.by_ref().take(leaves(field.data_type())).collect(),
        });
        self.in_progress.push_back(self.encoders.encode(columns.collect()));
        Ok(())
    }

    fn write_row_group(&mut self, group: EncodingRowGroup) -> io::Result<()> {
        let columns = self.encoders.finish(group).map_err(io_error)?;
        let mut writer = self.file.next_row_group().map_err(io_error)?;
        for column in columns {
            column.append_to_row_group(&mut writer).map_err(io_error)?;
        }
        writer.close().map(drop).map_err(io_error)
    }
}

/// Returns the number of bytes of the values of a column. The memory that the column holds besides, which depends on the work of other
/// threads, does not count: the file is the same on every run.
fn bytes_of(column: &ArrayRef) -> usize {
    column.to_data().get_slice_memory_size().unwrap_or_else(|_| column.get_buffer_memory_size())
}

/// Returns the number of columns in which Parquet stores a column of this type.
fn leaves(data_type: &arrow_schema::DataType) -> usize {
    use arrow_schema::DataType;
    match data_type {
        DataType::List(item) => leaves(item.data_type()),
        DataType::Map(entries, _) => leaves(entries.data_type()),
        DataType::Struct(fields) => fields.iter().map(|field| leaves(field.data_type())).sum(),
        _ => 1,
    }
}

/// Returns the error of the operating system in `error`, if it is one.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        other => io::Error::other(other),
    }
}

/// Returns the properties of a file with these columns. Its key-value metadata is that of the schema.
fn writer_properties(selection: &ColumnSelection, schema: &Schema) -> WriterProperties {
    let mut metadata: Vec<KeyValue> = schema
        .metadata()
        .iter()
        .map(|(key, value)| KeyValue { key: key.clone(), value: Some(value.clone()) })
        .collect();
    metadata.sort_by(|one, other| one.key.cmp(&other.key));
    let mut properties = WriterProperties::builder()
        // Level 3 takes a seventh more time for files that are a hundredth smaller.
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_key_value_metadata(Some(metadata));
    for column in selection.specs() {
        let path = || ColumnPath::from(column.name);
        if is_integer(column.value_type) {
            // Neighbours differ by little or not at all; a dictionary would look up every value in a hash table.
            properties = properties
                .set_column_dictionary_enabled(path(), false)
                .set_column_encoding(path(), Encoding::DELTA_BINARY_PACKED);
        }
        if column.value_type != ValueType::Key {
            continue;
        }
        // Keys look like random numbers: few repeat, none compress, and each page has small and great ones. A Bloom filter
        // tells readers which row groups cannot contain a key.
        properties = properties
            .set_column_dictionary_enabled(path(), false)
            .set_column_compression(path(), Compression::UNCOMPRESSED)
            .set_column_statistics_enabled(path(), EnabledStatistics::Chunk)
            .set_column_bloom_filter_enabled(path(), true);
    }
    properties.build()
}

/// Returns `true` for values that Parquet stores as integers of 32 or 64 bits, except keys and sets of squares, which do not
/// depend on the row before.
fn is_integer(value: ValueType) -> bool {
    matches!(value, ValueType::I16 | ValueType::I32 | ValueType::I64 | ValueType::Date)
}

/// The values of one column in one row group, to be encoded.
struct ColumnTask {
    field: FieldRef,
    /// The values, in the order of the batches.
    arrays: Vec<ArrayRef>,
    /// A writer for each part of the column: a list of pairs has two.
    writers: Vec<ArrowColumnWriter>,
}

impl ColumnTask {
    /// Encodes the column. The values are freed one batch after the other.
    fn run(mut self) -> Result<Vec<ArrowColumnChunk>> {
        for array in self.arrays {
            for (leaf, writer) in compute_leaves(&self.field, &array)?.iter().zip(&mut self.writers) {
                writer.write(leaf)?;
            }
        }
        self.writers.into_iter().map(ArrowColumnWriter::close).collect()
    }
}

/// A task with its place in the row group, and where its result goes.
struct QueuedTask {
    column: usize,
    task: ColumnTask,
    results: Sender<(usize, Result<Vec<ArrowColumnChunk>>)>,
}

impl QueuedTask {
    fn run(self) {
        let encoded = self.task.run();
        // Nobody waits for the columns of a file that was given up.
        let _ = self.results.send((self.column, encoded));
    }
}

/// A row group whose columns are being encoded.
struct EncodingRowGroup {
    results: Receiver<(usize, Result<Vec<ArrowColumnChunk>>)>,
    columns: usize,
}

/// Threads that encode columns. The caller's thread helps while it waits, so that there are no more threads at work than
/// requested.
struct Encoders {
    sender: Option<Sender<QueuedTask>>,
    tasks: Receiver<QueuedTask>,
}

impl Encoders {
    /// Starts all threads but the caller's.
    fn new(threads: NonZeroUsize) -> Self {
        let (sender, tasks) = unbounded::<QueuedTask>();
        for _ in 1..threads.get() {
            let tasks = tasks.clone();
            let work = move || tasks.iter().for_each(QueuedTask::run);
            // If the system has no room for more threads, those that run encode all columns.
            if thread::Builder::new().spawn(work).is_err() {
                break;
            }
        }
        Self { sender: Some(sender), tasks }
    }

    /// Queues the columns of a row group.
    fn encode(&self, columns: Vec<ColumnTask>) -> EncodingRowGroup {
        let (results, received) = unbounded();
        let count = columns.len();
        let mut tasks: Vec<_> = columns.into_iter().enumerate().collect();
        // The greatest first: the threads end at about the same time.
        let bytes =
            |task: &ColumnTask| task.arrays.iter().map(|array| array.get_buffer_memory_size()).sum::<usize>();
        tasks.sort_by_cached_key(|(_, task)| std::cmp::Reverse(bytes(task)));
        for (column, task) in tasks {
            let task = QueuedTask { column, task, results: results.clone() };
            // The receiver lives as long as this value.
            let _ = self.sender.as_ref().map(|sender| sender.send(task));
        }
        EncodingRowGroup { results: received, columns: count }
    }

    /// Returns the encoded columns of a row group, in their order. Encodes columns until they are complete.
    ///
    /// # Errors
    /// If a column cannot be encoded, or a thread has panicked.
    fn finish(&self, group: EncodingRowGroup) -> Result<Vec<ArrowColumnChunk>> {
        let mut columns: Vec<_> = (0..group.columns).map(|_| Vec::new()).collect();
        for _ in 0..group.columns {
            let (column, encoded) = loop {
                match group.results.try_recv() {
                    Ok(result) => break result,
                    Err(TryRecvError::Disconnected) => return Err(panicked()),
                    Err(TryRecvError::Empty) => match self.tasks.try_recv() {
                        Ok(task) => task.run(),
                        Err(_) => break group.results.recv().map_err(|_| panicked())?,
                    },
                }
            };
            columns[column] = encoded?;
        }
        Ok(columns.into_iter().flatten().collect())
    }
}

impl Drop for Encoders {
    /// Ends the threads; columns that no thread has begun are left out.
    fn drop(&mut self) {
        self.sender = None;
        while self.tasks.try_recv().is_ok() {}
    }
}

fn panicked() -> ParquetError {
    ParquetError::General("a thread that encodes columns has panicked, which is a fault of pdn".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Table;
    use arrow_array::StringArray;
    use arrow_buffer::{Buffer, MutableBuffer, OffsetBuffer, ScalarBuffer};
    use arrow_schema::{DataType, Field, Schema};
    use std::sync::Arc;

    /// Writes four batches of names whose memory is larger by `more` bytes than the names.
    fn written(more: usize) -> Vec<u8> {
        let columns = ColumnSelection::named(Table::Games, ["white"]).expect("a column");
        let schema = Arc::new(Schema::new(vec![Field::new("white", DataType::Utf8, true)]));
        let options =
            ParquetOptions { threads: NonZeroUsize::MIN, row_group_bytes: 200, ..Default::default() };
        let mut out = Vec::new();
        let mut writer = ParquetWriter::new(&mut out, &columns, Arc::clone(&schema), options).expect("begun");
        for _ in 0..4 {
            let mut text = MutableBuffer::with_capacity(90 + more);
            text.extend_from_slice(&[b'x'; 90]);
            let offsets = OffsetBuffer::new(ScalarBuffer::from(vec![0, 40, 90]));
            let names = StringArray::new(offsets, Buffer::from(text), None);
            let batch = RecordBatch::try_new(Arc::clone(&schema), vec![Arc::new(names)]).expect("a batch");
            writer.write(batch).expect("written");
        }
        writer.finish().expect("finished");
        out
    }

    #[test]
    fn file_does_not_depend_on_unused_memory_of_columns() {
        assert_eq!(written(0), written(1 << 16));
    }
}
