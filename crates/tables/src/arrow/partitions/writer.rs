//! Writes the rows of each partition to files of its own, with bounded memory.

use std::collections::BTreeMap;
use std::io;

use crate::ColumnSelection;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use arrow_select::concat::concat_batches;

use super::divide::Divider;
use crate::arrow::file::{FileEncoder, FileFormat};

/// Where the files of partitions are written.
pub trait PartFiles {
    /// Appends bytes to a file, which is created by the first call. `partition` is a path such as
    /// `variant=international/year=1987`, `number` counts the files of the partition from 0.
    ///
    /// # Errors
    /// If the bytes cannot be written.
    fn append(&mut self, partition: &str, number: u32, bytes: &[u8]) -> io::Result<()>;

    /// Completes a file: no bytes follow.
    ///
    /// # Errors
    /// If the file cannot be completed.
    fn complete(&mut self, partition: &str, number: u32) -> io::Result<()>;
}

/// Bounds on what a [`PartitionedWriter`] holds in memory.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PartitionLimits {
    /// Bytes of rows that are collected before they are divided.
    pub batch_bytes: usize,
    /// Bytes of the rows of one partition at which they are written.
    pub partition_bytes: usize,
    /// Bytes of the rows of all partitions at which the largest ones are written, until half of them are left.
    pub total_bytes: usize,
    /// Files that are not complete.
    pub files: usize,
    /// Groups of rows in files that are not complete; the end of a file lists them.
    pub groups: usize,
}

impl Default for PartitionLimits {
    fn default() -> Self {
        Self {
            batch_bytes: 32 << 20,
            partition_bytes: 32 << 20,
            total_bytes: 192 << 20,
            files: 128,
            groups: 1024,
        }
    }
}

/// Writes rows to files that are divided by the values of some columns, one folder for each value.
///
/// The columns that divide the rows are in the names of the folders and not in the files. Within a partition, rows keep
/// their order. Most partitions have a single file; where very many partitions alternate, some have several.
///
/// Memory is bounded by [`PartitionLimits`], however many partitions there are. What is written depends on the batches only.
#[derive(Debug)]
pub struct PartitionedWriter<F> {
    files: F,
    divider: Divider,
    limits: PartitionLimits,
    /// Makes the encoders of all files.
    template: FileEncoder,
    /// Rows that have not been divided, and their bytes.
    batches: Vec<RecordBatch>,
    batch_bytes: usize,
    /// Rows that have not been encoded.
    pending: BTreeMap<String, PendingRows>,
    pending_bytes: usize,
    /// Files that are not complete.
    open: BTreeMap<String, OpenFile>,
    open_groups: usize,
    /// The number of complete files of each partition.
    complete: BTreeMap<String, u32>,
    /// Counts the groups of rows that were written.
    clock: u64,
}

/// Rows of a partition that have not been encoded.
#[derive(Debug, Default)]
struct PendingRows {
    batches: Vec<RecordBatch>,
    bytes: usize,
}

/// A file that is not complete.
#[derive(Debug)]
struct OpenFile {
    encoder: FileEncoder,
    groups: usize,
    /// When it was last written to.
    written: u64,
}

impl<F: PartFiles> PartitionedWriter<F> {
    /// Creates a writer of rows with these columns, which are divided by the columns `keys`, the first one outermost;
    /// [`partition_columns`](super::partition_columns) lists the possible ones. `schema` is that of the batches, with the
    /// metadata that the files get.
    ///
    /// # Errors
    /// If a column of `keys` is not in the schema.
    pub fn new(
        files: F,
        format: FileFormat,
        selection: &ColumnSelection,
        schema: &SchemaRef,
        keys: &[&'static str],
        limits: PartitionLimits,
    ) -> io::Result<Self> {
        let divider = Divider::new(schema, keys)?;
        let template = FileEncoder::new(format, selection, SchemaRef::clone(divider.schema()))?;
        Ok(Self {
            files,
            divider,
            limits,
            template,
            batches: Vec::new(),
            batch_bytes: 0,
            pending: BTreeMap::new(),
            pending_bytes: 0,
            open: BTreeMap::new(),
            open_groups: 0,
            complete: BTreeMap::new(),
            clock: 0,
        })
    }

    /// Adds rows.
    ///
    /// # Errors
    /// If rows cannot be encoded or written.
    pub fn write(&mut self, batch: RecordBatch) -> io::Result<()> {
        if batch.num_rows() == 0 {
            return Ok(());
        }
        let bytes = batch.get_array_memory_size();
        if bytes >= self.limits.batch_bytes {
            // Alone, because the texts of a column must not exceed 2 GiB.
            self.divide()?;
        }
        self.batch_bytes += bytes;
        self.batches.push(batch);
        if self.batch_bytes >= self.limits.batch_bytes { self.divide() } else { Ok(()) }
    }

    /// Writes the rest of the rows and completes all files. Returns where they were written and the number of partitions.
    ///
    /// # Errors
    /// If rows cannot be encoded or written.
    pub fn finish(mut self) -> io::Result<(F, usize)> {
        self.divide()?;
        while let Some((partition, rows)) = self.pending.pop_first() {
            self.write_rows(&partition, rows)?;
            self.complete(&partition)?;
        }
        while let Some(partition) = self.open.keys().next().cloned() {
            self.complete(&partition)?;
        }
        Ok((self.files, self.complete.len()))
    }

    /// Divides the rows so far, and writes partitions that have become too large.
    fn divide(&mut self) -> io::Result<()> {
        let batches = std::mem::take(&mut self.batches);
        self.batch_bytes = 0;
        let Some(first) = batches.first() else { return Ok(()) };
        // Together, because each part of a batch takes some kilobytes besides its rows.
        let joined = concat_batches(&first.schema(), &batches).map_err(io::Error::other)?;
        drop(batches);
        for (partition, rows) in self.divider.divide(&joined)? {
            let bytes = rows.get_array_memory_size();
            let pending = self.pending.entry(partition).or_default();
            pending.batches.push(rows);
            pending.bytes += bytes;
            self.pending_bytes += bytes;
        }
        let is_full = |(_, rows): &(&String, &PendingRows)| rows.bytes >= self.limits.partition_bytes;
        let full: Vec<String> = self.pending.iter().filter(is_full).map(|(name, _)| name.clone()).collect();
        for partition in full {
            self.write_pending(&partition)?;
        }
        if self.pending_bytes > self.limits.total_bytes {
            let mut by_bytes: Vec<(usize, String)> =
                self.pending.iter().map(|(name, rows)| (rows.bytes, name.clone())).collect();
            by_bytes.sort_unstable();
            while self.pending_bytes > self.limits.total_bytes / 2
                && let Some((_, partition)) = by_bytes.pop()
            {
                self.write_pending(&partition)?;
            }
        }
        Ok(())
    }

    /// Writes the pending rows of a partition.
    fn write_pending(&mut self, partition: &str) -> io::Result<()> {
        let Some(rows) = self.pending.remove(partition) else { return Ok(()) };
        self.pending_bytes -= rows.bytes;
        self.write_rows(partition, rows)
    }

    /// Writes rows to the file of a partition. Completes other files if too many are open.
    fn write_rows(&mut self, partition: &str, rows: PendingRows) -> io::Result<()> {
        let number = self.complete.get(partition).copied().unwrap_or_default();
        if !self.open.contains_key(partition) {
            let encoder = self.template.another()?;
            self.open.insert(partition.to_owned(), OpenFile { encoder, groups: 0, written: 0 });
        }
        self.clock += 1;
        if let Some(file) = self.open.get_mut(partition) {
            for batch in rows.batches {
                self.files.append(partition, number, &file.encoder.write(batch)?.concat())?;
            }
            self.files.append(partition, number, &file.encoder.flush()?.concat())?;
            file.written = self.clock;
            file.groups += 1;
            self.open_groups += 1;
        }
        while self.open_groups > self.limits.groups || self.open.len() > self.limits.files {
            let is_long = self.open_groups > self.limits.groups;
            let last = |(_, file): &(&String, &OpenFile)| {
                (if is_long { file.groups } else { 0 }, u64::MAX - file.written)
            };
            let Some(partition) = self.open.iter().max_by_key(last).map(|(name, _)| name.clone()) else {
                break;
            };
            self.complete(&partition)?;
        }
        Ok(())
    }

    /// Writes the end of the open file of a partition, if there is one.
    fn complete(&mut self, partition: &str) -> io::Result<()> {
        let Some(file) = self.open.remove(partition) else { return Ok(()) };
        self.open_groups -= file.groups;
        let number = self.complete.entry(partition.to_owned()).or_default();
        self.files.append(partition, *number, &file.encoder.finish()?.concat())?;
        self.files.complete(partition, *number)?;
        *number += 1;
        Ok(())
    }
}
