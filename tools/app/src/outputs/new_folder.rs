//! Creates folders under a temporary name, so that no half of them is ever seen.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::error::{AppError, ErrorCode, Result};

/// A folder that gets its name when it is complete, and is removed if it is dropped before.
#[derive(Debug)]
pub struct NewFolder {
    temporary: TempDir,
    target: PathBuf,
}

impl NewFolder {
    /// Creates a folder in the parent of `target`, which must be an empty folder or not exist.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made.
    pub fn create(target: &Path) -> io::Result<Self> {
        let parent =
            target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".pdn-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As for any new folder; the umask takes its part.
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        Ok(Self { temporary: builder.tempdir_in(parent)?, target: target.to_owned() })
    }

    /// Creates a folder as [`create`](Self::create) does, and those above it.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made.
    pub fn create_all(target: &Path) -> io::Result<Self> {
        if let Some(parent) = target.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            fs::create_dir_all(parent)?;
        }
        Self::create(target)
    }

    /// Returns the path of the folder under its temporary name.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// Gives the folder its name. If that fails, it is removed.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made.
    pub fn finish(self) -> io::Result<()> {
        sync_folders(self.temporary.path())?;
        // Some systems rename a folder only to a name that is free. Only an empty folder can be removed.
        fs::rename(self.temporary.path(), &self.target).or_else(|_| {
            fs::remove_dir(&self.target)?;
            fs::rename(self.temporary.path(), &self.target)
        })?;
        // It has another name now; there is nothing to remove.
        let _ = self.temporary.keep();
        Ok(())
    }
}

/// Returns the absolute path of a folder to write, which is empty or does not exist.
///
/// # Errors
///
/// If it is a file, or a folder with files, or cannot be read.
pub fn empty_target(output: &Path) -> Result<PathBuf> {
    let problem =
        |what: &dyn std::fmt::Display| AppError::path(ErrorCode::Unwritable, output, what.to_string());
    let exists = |what: &str| AppError::path(ErrorCode::Exists, output, what);
    let target = std::path::absolute(output).map_err(|error| problem(&error))?;
    match fs::read_dir(&target).map(|mut files| files.next().is_none()) {
        Ok(false) => Err(exists("the folder is not empty")),
        Ok(true) => target.canonicalize().map_err(|error| problem(&error)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(target),
        Err(_) if target.is_file() => Err(exists("is a file, and a folder is needed").in_field("output")),
        Err(error) => Err(problem(&error)),
    }
}

/// Writes the names of all files and folders to the disk.
fn sync_folders(root: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        // Other systems do not open folders as files.
        return Ok(());
    }
    let mut folders = VecDeque::from([root.to_owned()]);
    while let Some(folder) = folders.pop_front() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push_back(entry.path());
            }
        }
        File::open(&folder)?.sync_all()?;
    }
    Ok(())
}
