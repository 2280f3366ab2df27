//! LOCK

use std::fs::File;
use std::path::Path;

use crate::error::{Error, ErrorKind, Result};

const LOCK: &str = "lock";

pub(super) fn lock_for_writing(dir: &Path) -> Result<File> {
    let path = dir.join(LOCK);
    let file = File::options().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(|error| Error::from(error).at(&path))?;
    match fs4::FileExt::try_lock(&file) {
        Ok(()) => Ok(file),
        Err(fs4::TryLockError::WouldBlock) => Err(Error::new(ErrorKind::IndexLocked).at(dir)),
        Err(fs4::TryLockError::Error(error)) => Err(Error::from(error).at(path)),
    }
}
