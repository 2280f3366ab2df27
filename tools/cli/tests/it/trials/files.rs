//! The files of a folder with their bytes.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// Paths below a folder, and what is there.
pub(super) type Files = BTreeMap<PathBuf, Entry>;

/// A folder or a file with its bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Entry {
    Folder,
    File(Arc<[u8]>),
}

/// Reads all files of a folder.
pub(super) fn files_of(folder: &Path) -> Files {
    let mut files = Files::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(inside) = folders.pop() {
        for entry in fs::read_dir(folder.join(&inside)).into_iter().flatten().flatten() {
            let path = inside.join(entry.file_name());
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path.clone());
                files.insert(path, Entry::Folder);
            } else {
                let bytes = fs::read(entry.path()).unwrap_or_default();
                files.insert(path, Entry::File(bytes.into()));
            }
        }
    }
    files
}

/// Files with the times of their last changes, by which an index knows its archives again.
pub(super) struct Template {
    pub(super) files: Files,
    times: BTreeMap<PathBuf, SystemTime>,
}

impl Template {
    /// Reads a folder.
    pub(super) fn of(folder: &Path) -> Self {
        let files = files_of(folder);
        let time =
            |path: &PathBuf| Some((path.clone(), fs::metadata(folder.join(path)).ok()?.modified().ok()?));
        let times = files.keys().filter_map(time).collect();
        Self { files, times }
    }

    /// Leaves nothing in a folder but these files. Those that are as in the template have its times.
    pub(super) fn put(&self, files: &Files, folder: &Path) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path)).expect("removed");
        }
        for (path, entry) in files {
            let target = folder.join(path);
            match entry {
                Entry::Folder => fs::create_dir(&target).expect("a new folder"),
                Entry::File(bytes) => {
                    fs::write(&target, bytes).expect("room");
                    if let Some(time) = self.times.get(path).filter(|_| self.files.get(path) == Some(entry)) {
                        let file = File::options().append(true).open(&target).expect("there");
                        file.set_modified(*time).expect("mine");
                    }
                }
            }
        }
    }
}
