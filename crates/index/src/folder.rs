//! Decides whether a new index may be written to a folder, so that no file of the user is overwritten.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::lock::LOCK;
use super::manifest;
use super::rejects::{KEPT_REJECTS, NEXT_REJECTS, REJECTS};
use pdn::error::{Error, ErrorKind, Result};

/// Checks that a new index may be written to `dir`: it does not exist, is empty, has an index, or has what a writer
/// left that was stopped before its first commit. Hidden files do not count.
///
/// # Errors
/// Fails with [`ErrorKind::FolderInUse`] if it has anything else.
pub(super) fn check_usable(dir: &Path) -> Result<()> {
    let in_use = |why| Err(Error::new(ErrorKind::FolderInUse(why)).at(dir));
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(_) if dir.exists() && !dir.is_dir() => return in_use("is a file"),
        Err(error) => return Err(Error::from(error).at(dir)),
    };
    if has_manifest(dir) {
        return Ok(());
    }
    let (mut has_segment, mut has_final_files, mut has_others) = (false, false, false);
    for entry in entries {
        let name = entry.map_err(|error| Error::from(error).at(dir))?.file_name();
        let name = name.to_string_lossy();
        let is_unfinished = [LOCK, manifest::TEMPORARY_NAME, NEXT_REJECTS, KEPT_REJECTS].contains(&&*name);
        if manifest::number_of(&name).is_some() {
            has_segment = true;
        } else if [manifest::FILE_NAME, REJECTS].contains(&&*name) {
            has_final_files = true;
        } else if !is_unfinished && !name.starts_with('.') && name != "lost+found" {
            has_others = true;
        }
    }
    // Without a segment, files with these names may be those of the user.
    if has_others || has_final_files && !has_segment {
        in_use("is neither empty nor an index")
    } else {
        Ok(())
    }
}

/// Returns `true` if the folder has a manifest, of whatever version and state.
fn has_manifest(dir: &Path) -> bool {
    let mut start = [0; manifest::MAGIC.len()];
    let read = File::open(dir.join(manifest::FILE_NAME)).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == *manifest::MAGIC
}
