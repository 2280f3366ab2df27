//! The folder of an index: whether a new index may be written to it, the lock that lets one process write at a time, and the list of
//! rejected records.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::format::section::{Checksum, file_checksum};
use super::manifest;
use super::manifest::Manifest;
use pdn::error::{Error, ErrorKind, Result};
use pdn::internal::storage::{Output, Storage};

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

/// File name of the list of rejected records.
pub(super) const REJECTS: &str = "rejects.jsonl";
/// File name of the list that a writer is writing.
pub(super) const NEXT_REJECTS: &str = "rejects.jsonl.next";

/// File name of a copy of that list without the lines of retired games.
pub(super) const KEPT_REJECTS: &str = "rejects.jsonl.kept";

/// Bytes of lines that are written at once.
const WRITTEN_AT_ONCE: usize = 64 << 10;

/// The list of rejected records that is being written.
pub(super) struct RejectsWriter {
    pub(super) out: Box<dyn Output>,
    /// Length so far, in bytes.
    pub(super) len: u64,
    pub(super) checksum: Checksum,
}

impl RejectsWriter {
    /// Appends whole lines.
    pub(super) fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        self.out.write_all(lines)?;
        self.len += lines.len() as u64;
        self.checksum.update(lines);
        Ok(())
    }
}

/// Removes lines from the list that is being written: line `n` stays if `kept` has `true` for it or is shorter. Returns
/// the new list, which is not synced.
pub(super) fn keep_lines(storage: &dyn Storage, dir: &Path, kept: &[bool]) -> io::Result<RejectsWriter> {
    let (from, to) = (dir.join(NEXT_REJECTS), dir.join(KEPT_REJECTS));
    let mut list = RejectsWriter { out: storage.create(&to)?, len: 0, checksum: Checksum::default() };
    let mut lines = BufReader::new(File::open(&from)?);
    let (mut line, mut number, mut chunk) = (Vec::new(), 0, Vec::new());
    while lines.read_until(b'\n', &mut line)? > 0 {
        if kept.get(number).copied().unwrap_or(true) {
            chunk.extend_from_slice(&line);
        }
        if chunk.len() > WRITTEN_AT_ONCE {
            list.write(&chunk)?;
            chunk.clear();
        }
        line.clear();
        number += 1;
    }
    list.write(&chunk)?;
    storage.rename(&to, &from)?;
    Ok(list)
}

/// Renames the new list to its final name if `manifest` is committed and its writer was stopped before it could do
/// so.
pub(super) fn finish_rename(storage: &dyn Storage, dir: &Path, manifest: &Manifest) -> io::Result<()> {
    let matches =
        |name: &str| file_checksum(&dir.join(name)).is_ok_and(|checksum| checksum == manifest.rejects);
    if manifest.generation > 0 && !matches(REJECTS) && matches(NEXT_REJECTS) {
        storage.rename(&dir.join(NEXT_REJECTS), &dir.join(REJECTS))?;
    }
    Ok(())
}

/// Returns the path of the rejected records of an index: the final name, or the temporary one if a writer was stopped
/// right after its commit.
pub(super) fn rejects_path(dir: &Path, manifest: &Manifest) -> PathBuf {
    let matches = |path: &Path| file_checksum(path).is_ok_and(|checksum| checksum == manifest.rejects);
    let (current, next) = (dir.join(REJECTS), dir.join(NEXT_REJECTS));
    if next.exists() && !matches(&current) && matches(&next) { next } else { current }
}
