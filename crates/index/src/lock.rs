//! The lock that keeps two writers of one index apart. The system releases it when the process ends.

use std::fs::{File, TryLockError};
use std::path::Path;

use pdn::error::{Error, ErrorKind, Result};

/// File name of the lock.
pub(super) const LOCK: &str = "lock";

/// Locks the index in `dir` until the returned file is dropped.
///
/// # Errors
/// Fails with [`ErrorKind::IndexLocked`] if another process holds the lock, and if the file cannot be created.
pub(super) fn lock_for_writing(dir: &Path) -> Result<File> {
    let path = dir.join(LOCK);
    let file = File::options().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(|error| Error::from(error).at(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::new(ErrorKind::IndexLocked).at(dir)),
        Err(TryLockError::Error(error)) => Err(Error::from(error).at(path)),
    }
}
