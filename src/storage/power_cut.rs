//! A disk for tests that loses at a power cut what was not synced.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Access, Disk, Output, Storage};

/// The files of a folder after a power cut: their names and bytes.
pub type FilesAfterCut = BTreeMap<PathBuf, Vec<u8>>;

/// The real disk, with a record of what would be left of a folder if the power failed after each operation.
///
/// A power cut loses the bytes of a file since its last sync. Of the changes of names since the last sync of the folder,
/// it keeps all, none, or any single one: file systems write them in any order.
#[derive(Clone, Debug)]
pub struct PowerCutDisk(Arc<Mutex<Folder>>);

#[derive(Debug, Default)]
struct Folder {
    /// Every file that ever had a name.
    files: Vec<FileBytes>,
    /// Names as the process sees them, with the number of their file.
    names: BTreeMap<PathBuf, usize>,
    /// Names at the last sync of the folder.
    synced_names: BTreeMap<PathBuf, usize>,
    changes: Vec<NameChange>,
    after_cut: BTreeSet<FilesAfterCut>,
}

#[derive(Debug, Default)]
struct FileBytes {
    written: Vec<u8>,
    synced: Vec<u8>,
}

/// A change of the names in a folder: what was removed, and what was added.
#[derive(Debug)]
struct NameChange {
    removed: Option<(PathBuf, usize)>,
    added: Option<(PathBuf, usize)>,
}

impl PowerCutDisk {
    /// Creates a disk on which the files of a folder are synced.
    pub fn new(folder: &Path) -> Self {
        let mut state = Folder::default();
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let bytes = fs::read(entry.path()).expect("readable");
            state.names.insert(entry.path(), state.files.len());
            state.files.push(FileBytes { written: bytes.clone(), synced: bytes });
        }
        state.synced_names.clone_from(&state.names);
        Self(Arc::new(Mutex::new(state)))
    }

    /// Returns what a power cut could have left after any operation so far, each state once.
    pub fn after_any_cut(&self) -> BTreeSet<FilesAfterCut> {
        self.state().after_cut.clone()
    }

    /// Returns what a power cut could leave now.
    pub fn after_cut_now(&self) -> BTreeSet<FilesAfterCut> {
        self.state().possible_files()
    }

    fn state(&self) -> MutexGuard<'_, Folder> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the creation of an empty file. Returns its number.
    fn add_file(&self, path: &Path) -> usize {
        let mut state = self.state();
        let number = state.files.len();
        state.files.push(FileBytes::default());
        state.change(None, Some((path.to_owned(), number)));
        number
    }
}

impl Folder {
    /// Changes names, and records what a power cut could leave.
    fn change(&mut self, removed: Option<PathBuf>, added: Option<(PathBuf, usize)>) {
        let removed = removed.and_then(|path| self.names.remove_entry(&path));
        if let Some((path, number)) = &added {
            self.names.insert(path.clone(), *number);
        }
        self.changes.push(NameChange { removed, added });
        self.record();
    }

    /// Records what a power cut could leave now.
    fn record(&mut self) {
        let possible = self.possible_files();
        self.after_cut.extend(possible);
    }

    fn possible_files(&self) -> BTreeSet<FilesAfterCut> {
        let all = 0..self.changes.len();
        let mut kept: Vec<Vec<usize>> = vec![Vec::new(), all.clone().collect()];
        kept.extend(all.map(|single| vec![single]));
        kept.iter().map(|kept| self.files_with(kept)).collect()
    }

    /// Returns the files if only some changes of names, given by their indices, reached the disk.
    fn files_with(&self, kept: &[usize]) -> FilesAfterCut {
        let mut names = self.synced_names.clone();
        for &change in kept {
            let NameChange { removed, added } = &self.changes[change];
            if let Some((path, number)) = removed
                && names.get(path) == Some(number)
            {
                names.remove(path);
            }
            if let Some((path, number)) = added {
                names.insert(path.clone(), *number);
            }
        }
        names.into_iter().map(|(path, number)| (path, self.files[number].synced.clone())).collect()
    }
}

/// A file on the disk, and its number.
struct PowerCutFile(Box<dyn Output>, PowerCutDisk, usize);

impl Storage for PowerCutDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        let file = Disk.create(path)?;
        Ok(Box::new(PowerCutFile(file, self.clone(), self.add_file(path))))
    }

    fn create_new(&self, path: &Path, access: Access) -> io::Result<Box<dyn Output>> {
        let file = Disk.create_new(path, access)?;
        Ok(Box::new(PowerCutFile(file, self.clone(), self.add_file(path))))
    }

    /// Nothing is left behind on this disk.
    fn take_over(&self, _: &Path, _: Access) -> io::Result<Option<Box<dyn Output>>> {
        Ok(None)
    }

    fn copy_attributes(&self, from: &Path, to: &Path) -> io::Result<()> {
        Disk.copy_attributes(from, to)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        Disk.rename(from, to)?;
        let mut state = self.state();
        let number = *state.names.get(from).expect("a file of this folder");
        state.change(Some(from.to_owned()), Some((to.to_owned(), number)));
        Ok(())
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        if self.state().names.contains_key(to) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        Disk.remove(path)?;
        self.state().change(Some(path.to_owned()), None);
        Ok(())
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        Disk.sync_dir(dir)?;
        let mut state = self.state();
        state.synced_names = state.names.clone();
        state.changes.clear();
        state.record();
        Ok(())
    }
}

impl Write for PowerCutFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.0.write(bytes)?;
        self.1.state().files[self.2].written.extend_from_slice(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Output for PowerCutFile {
    fn overwrite_start(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.overwrite_start(bytes)?;
        self.1.state().files[self.2].written[..bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.sync()?;
        let mut state = self.1.state();
        let file = &mut state.files[self.2];
        file.synced.clone_from(&file.written);
        state.record();
        Ok(())
    }
}
