//! Creates folders under a temporary name, so that no half of them is ever seen.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use pdn::internal::storage::{WorkFolder, create_folder};

use crate::ask::error::{AppError, ErrorCode, Result};

/// A folder that gets its name when it is complete, and is removed if it is dropped before.
#[derive(Debug)]
pub struct NewFolder {
    folder: WorkFolder,
    target: PathBuf,
}

impl NewFolder {
    /// Creates a folder in the parent of `target`, which must be an empty folder or not exist, and
    /// the folders above it.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made.
    pub fn create_all(target: &Path) -> io::Result<Self> {
        if let Some(parent) = target.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            create_folder(parent)?;
        }
        Ok(Self { folder: WorkFolder::for_target(target)?, target: target.to_owned() })
    }

    /// Returns the path of the folder under its temporary name.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Gives the folder its name. If that fails, it is removed.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made.
    pub fn finish(self) -> io::Result<()> {
        self.folder.rename(&self.target)
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
