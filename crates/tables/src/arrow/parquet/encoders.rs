//! Threads that encode the columns of row groups.

use std::num::NonZeroUsize;
use std::thread;

use arrow_array::ArrayRef;
use arrow_schema::FieldRef;
use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowColumnWriter, compute_leaves};
use parquet::errors::{ParquetError, Result};

/// The values of one column in one row group, to be encoded.
pub(super) struct ColumnTask {
    pub(super) field: FieldRef,
    /// The values, in the order of the batches.
    pub(super) arrays: Vec<ArrayRef>,
    /// A writer for each part of the column: a list of pairs has two.
    pub(super) writers: Vec<ArrowColumnWriter>,
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
pub(super) struct EncodingRowGroup {
    results: Receiver<(usize, Result<Vec<ArrowColumnChunk>>)>,
    columns: usize,
}

/// Threads that encode columns. The caller's thread helps while it waits, so that there are no more threads at work than
/// requested.
pub(super) struct Encoders {
    sender: Option<Sender<QueuedTask>>,
    tasks: Receiver<QueuedTask>,
}

impl Encoders {
    /// Starts all threads but the caller's.
    pub(super) fn new(threads: NonZeroUsize) -> Self {
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
    pub(super) fn encode(&self, columns: Vec<ColumnTask>) -> EncodingRowGroup {
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
    pub(super) fn finish(&self, group: EncodingRowGroup) -> Result<Vec<ArrowColumnChunk>> {
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
