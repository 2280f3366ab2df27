//! Writes the files of partitions to a folder, which appears when it is complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pdn_tables::arrow::{
    FileFormat, PartFiles, PartitionLimits, PartitionedWriter, RecordBatch, partition_columns,
};
use pdn_tables::{ColumnSelection, Table};

use super::arrow::{self, Converter};
use super::{ExportFormat, ExportRequest};
use crate::error::{AppError, ErrorCode, Result};
use crate::outputs::{NewFolder, unwritable};

/// The folder of a partitioned table.
pub(super) struct PartitionFolder {
    folder: NewFolder,
    writer: Option<PartitionedWriter<FolderFiles>>,
    /// The number of partitions of the table that was written last.
    pub(super) partitions: usize,
}

/// The files under the temporary name.
pub(super) struct FolderFiles {
    root: PathBuf,
    extension: &'static str,
}

impl PartitionFolder {
    /// Creates a folder that becomes `path` when it is complete.
    ///
    /// # Errors
    ///
    /// If `path` exists and is not an empty folder, or the folder cannot be created.
    pub(super) fn create(path: &Path) -> Result<Self> {
        let exists = |message: &str| AppError::path(ErrorCode::Exists, path, message).in_field("partition");
        match fs::read_dir(path).map(|mut entries| entries.next()) {
            Ok(None) => {}
            Ok(Some(_)) => return Err(exists("the folder is not empty; a new or empty one is needed")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(_) if path.exists() => return Err(exists("is not a folder, and one is written")),
            Err(error) => return Err(unwritable(path, &error)),
        }
        let folder = NewFolder::create(path).map_err(|error| unwritable(path, &error))?;
        Ok(Self { folder, writer: None, partitions: 0 })
    }

    /// Returns the path of the folder under its temporary name.
    pub(super) fn temporary(&self) -> &Path {
        self.folder.path()
    }

    /// Begins a table.
    pub(super) fn begin(
        &mut self,
        request: &ExportRequest,
        selection: &ColumnSelection,
        converter: &Converter,
    ) -> io::Result<()> {
        let extension = if request.format == ExportFormat::Arrow { "arrow" } else { "parquet" };
        let files = FolderFiles { root: self.folder.path().to_owned(), extension };
        let format: FileFormat = arrow::file_format(request)?;
        let keys = keys(selection.table(), &request.partition).map_err(io::Error::other)?;
        let schema = arrow::schema(request, converter);
        let limits = PartitionLimits::default();
        self.writer = Some(PartitionedWriter::new(files, format, selection, &schema, &keys, limits)?);
        Ok(())
    }

    /// Writes rows.
    pub(super) fn write(&mut self, rows: RecordBatch) -> io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), |writer| writer.write(rows))
    }

    /// Completes all files.
    pub(super) fn end(&mut self) -> io::Result<()> {
        if let Some(writer) = self.writer.take() {
            let (_, partitions) = writer.finish()?;
            self.partitions = partitions;
        }
        Ok(())
    }

    /// Gives the folder its name.
    pub(super) fn finish(self) -> io::Result<()> {
        self.folder.finish()
    }
}

impl FolderFiles {
    fn path(&self, partition: &str, number: u32) -> PathBuf {
        self.root.join(partition).join(format!("part-{number:05}.{}", self.extension))
    }
}

impl PartFiles for FolderFiles {
    /// Opens the file only while it is written to, so that the number of partitions has no bound.
    fn append(&mut self, partition: &str, number: u32, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let path = self.path(partition, number);
        let open = || OpenOptions::new().append(true).create(true).open(&path);
        let mut file = match open() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(self.root.join(partition))?;
                open()?
            }
            opened => opened?,
        };
        file.write_all(bytes)
    }

    fn complete(&mut self, partition: &str, number: u32) -> io::Result<()> {
        File::open(self.path(partition, number))?.sync_all()
    }
}

/// Returns the names of the columns of a table, with those that divide it.
///
/// # Errors
///
/// If the table cannot be divided by one of them, or no column is left.
pub(super) fn with_keys<'a>(
    mut names: Vec<&'a str>,
    table: Table,
    partition: &[String],
) -> Result<Vec<&'a str>> {
    let keys = keys(table, partition)?;
    if names.iter().all(|name| keys.contains(name)) {
        let message = "no column is left; these columns are in the names of the folders";
        return Err(AppError::plain(ErrorCode::InvalidValue, message).in_field("partition"));
    }
    for key in keys {
        if !names.contains(&key) {
            names.push(key);
        }
    }
    Ok(names)
}

/// Returns the columns that divide a table.
fn keys(table: Table, partition: &[String]) -> Result<Vec<&'static str>> {
    let refused =
        |message: String| Err(AppError::plain(ErrorCode::InvalidValue, message).in_field("partition"));
    let mut keys = Vec::new();
    for name in partition.iter().map(|name| name.trim()) {
        let Some(key) = partition_columns(table).find(|column| *column == name) else {
            let possible: Vec<_> = partition_columns(table).map(|column| format!("`{column}`")).collect();
            let possible = possible.join(", ");
            return refused(format!("table `{table}` cannot be divided by `{name}`; possible: {possible}"));
        };
        if keys.contains(&key) {
            return refused(format!("`{key}` is given twice"));
        }
        keys.push(key);
    }
    Ok(keys)
}
