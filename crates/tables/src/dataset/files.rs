//! The files of a training set: shards, and temporary files of samples that are to be joined.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pdn::error::{Error, Result};
use pdn::internal::storage::{Disk, Output, Storage, TemporaryFile};
use serde::Serialize;

/// Bytes that are collected before they are written.
const BUFFER_BYTES: usize = 128 << 10;

/// A file that is being written, under a temporary name until it is complete.
pub(super) struct ShardFile {
    path: PathBuf,
    file: TemporaryFile,
    buffer: Vec<u8>,
    buffer_bytes: usize,
    pub(super) records: u64,
    /// The greatest number of records that the format can count.
    max_records: u64,
    bytes: u64,
}

/// A complete file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DatasetFile {
    /// The name in the folder of the training set.
    pub name: String,
    /// The number of positions in it.
    pub positions: u64,
    /// The length in bytes.
    pub bytes: u64,
}

impl ShardFile {
    /// Creates a file that is written when `buffer_bytes` have been collected. It begins with `header` zeros that are replaced when the
    /// number of records, at most `max_records`, is known.
    pub(super) fn create(
        storage: &Arc<dyn Storage>,
        dir: &Path,
        name: &str,
        header: usize,
        max_records: u64,
        buffer_bytes: usize,
    ) -> Result<Self> {
        let path = dir.join(name);
        let file = TemporaryFile::at(storage, dir.join(format!("{name}.tmp")))
            .map_err(|error| Error::from(error).at(&path))?;
        Ok(Self { path, file, buffer: vec![0; header], buffer_bytes, records: 0, max_records, bytes: 0 })
    }

    /// Appends records.
    ///
    /// # Errors
    /// If the file cannot be written, or has more records than its format can count.
    pub(super) fn append(&mut self, records: u64, bytes: &[u8]) -> Result<()> {
        self.records += records;
        if self.records > self.max_records {
            let message = format!(
                "a file of this format counts at most {} positions; take more files (`shards`)",
                self.max_records
            );
            let full = std::io::Error::new(std::io::ErrorKind::InvalidInput, message);
            return Err(Error::from(full).at(&self.path));
        }
        if self.buffer.len() + bytes.len() < self.buffer_bytes {
            self.buffer.extend_from_slice(bytes);
            return Ok(());
        }
        self.flush()?;
        self.file.write_all(bytes).map_err(|error| Error::from(error).at(&self.path))?;
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        self.file.write_all(&self.buffer).map_err(|error| Error::from(error).at(&self.path))?;
        self.bytes += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Completes the file with its header and gives it its name.
    pub(super) fn finish(mut self, header: Option<&[u8]>) -> Result<DatasetFile> {
        self.flush()?;
        let Self { path, mut file, records, bytes, .. } = self;
        let done = match header {
            Some(header) => file.overwrite_start(header),
            None => Ok(()),
        };
        let done = done.and_then(|()| file.sync()).and_then(|()| file.rename(&path));
        done.map_err(|error| Error::from(error).at(&path))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(DatasetFile { name, positions: records, bytes })
    }
}

/// Bytes on their way from one pass to the next: in memory as long as they are few, else in a temporary file, which is removed
/// with this value.
pub(super) struct Spool {
    path: PathBuf,
    file: Option<Box<dyn Output>>,
    buffer: Vec<u8>,
    pub(super) len: u64,
}

impl Spool {
    /// Creates an empty spool. No file is created before it is needed.
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, file: None, buffer: Vec::new(), len: 0 }
    }

    /// Appends bytes.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<()> {
        self.buffer.extend_from_slice(bytes);
        self.len += bytes.len() as u64;
        if self.buffer.len() < BUFFER_BYTES { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            file => file.insert(Disk.create(&self.path).map_err(|error| Error::from(error).at(&self.path))?),
        };
        file.write_all(&self.buffer).map_err(|error| Error::from(error).at(&self.path))?;
        self.buffer.clear();
        Ok(())
    }

    /// Passes all bytes to `read`, in order, in pieces of `len` bytes at most. All pieces but the last have this length.
    pub(super) fn drain(self, len: usize, mut read: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let mut read_all = |bytes: &[u8]| bytes.chunks(len).try_for_each(&mut read);
        if self.file.is_none() {
            return read_all(&self.buffer);
        }
        let at = |error| Error::from(error).at(&self.path);
        let mut file = File::open(&self.path).map_err(at)?;
        let mut rest = self.len - self.buffer.len() as u64;
        let mut piece = Vec::new();
        while rest > 0 {
            piece.resize(usize::try_from(rest).map_or(len, |rest| rest.min(len)), 0);
            file.read_exact(&mut piece).map_err(at)?;
            rest -= piece.len() as u64;
            if rest == 0 {
                piece.extend_from_slice(&self.buffer);
            }
            read_all(&piece)?;
        }
        Ok(())
    }

    /// Replaces `bytes` by all bytes of the spool.
    pub(super) fn read_into(self, bytes: &mut Vec<u8>) -> Result<()> {
        bytes.clear();
        if self.file.is_some() {
            let at = |error| Error::from(error).at(&self.path);
            bytes.reserve(usize::try_from(self.len).unwrap_or(0));
            File::open(&self.path).and_then(|mut file| file.read_to_end(bytes)).map_err(at)?;
        }
        bytes.extend_from_slice(&self.buffer);
        Ok(())
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // A file that cannot be removed is no loss.
            let _ = Disk.remove(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_with_more_records_than_its_format_counts_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let storage: Arc<dyn Storage> = Arc::new(Disk);
        let mut file = ShardFile::create(&storage, folder.path(), "train.jnnw", 8, 3, 100).unwrap();
        file.append(2, &[1; 76]).unwrap();
        file.append(1, &[1; 38]).unwrap();
        let error = file.append(1, &[1; 38]).unwrap_err();
        assert!(error.to_string().contains("counts at most 3 positions; take more files"), "{error}");
    }
}
