//! Files in memory, for writers where there is no file system.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Access, Output, Storage};

/// The contents of a file, which its writer shares.
type Contents = Arc<Mutex<Vec<u8>>>;

/// Files in memory by their paths; clones share them. Folders need not be created.
#[derive(Clone, Debug, Default)]
pub struct MemoryDisk(Arc<Mutex<BTreeMap<PathBuf, Contents>>>);

/// A file that is being written.
struct MemoryFile(Contents);

impl MemoryDisk {
    /// Takes all files out of the memory, by their names.
    pub fn take(&self) -> BTreeMap<String, Vec<u8>> {
        let files = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes =
            |file: &Mutex<Vec<u8>>| std::mem::take(&mut *file.lock().unwrap_or_else(PoisonError::into_inner));
        files.iter().map(|(path, file)| (name(path), bytes(file))).collect()
    }
}

impl Storage for MemoryDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        let file = Contents::default();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), Arc::clone(&file));
        Ok(Box::new(MemoryFile(file)))
    }

    fn create_new(&self, path: &Path, _: Access) -> io::Result<Box<dyn Output>> {
        if self.0.lock().unwrap_or_else(PoisonError::into_inner).contains_key(path) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.create(path)
    }

    fn take_over(&self, _: &Path, _: Access) -> io::Result<Option<Box<dyn Output>>> {
        Ok(None)
    }

    fn copy_attributes(&self, _: &Path, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let file = files.remove(from).ok_or(io::ErrorKind::NotFound)?;
        files.insert(to.to_owned(), file);
        Ok(())
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        if self.0.lock().unwrap_or_else(PoisonError::into_inner).contains_key(to) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let removed = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(path);
        removed.map(drop).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn sync_dir(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

impl Write for MemoryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Output for MemoryFile {
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}
