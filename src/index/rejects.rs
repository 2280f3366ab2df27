//! REJECTS

use std::io;
use std::path::{Path, PathBuf};

use super::format::checksum::{Checksum, file_checksum};
use super::manifest::Manifest;
use crate::storage::{Output, Storage};

/// Where the records that could not be replayed to their end are listed.
pub(super) const REJECTS: &str = "rejects.jsonl";
pub(super) const NEXT_REJECTS: &str = "rejects.jsonl.next";

/// The list of rejects being written.
pub(super) struct RejectsWriter {
    pub(super) out: Box<dyn Output>,
    pub(super) len: u64,
    pub(super) sum: Checksum,
}

impl RejectsWriter {
    pub(super) fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        self.out.write_all(lines)?;
        self.len += lines.len() as u64;
        self.sum.update(lines);
        Ok(())
    }
}

/// Puts the rejects of this manifest in place, if a writer was stopped before it could.
pub(super) fn finish_rename(storage: &dyn Storage, dir: &Path, manifest: &Manifest) -> io::Result<()> {
    let fits = |name: &str| file_checksum(&dir.join(name)).is_ok_and(|found| found == manifest.rejects);
    if manifest.generation > 0 && !fits(REJECTS) && fits(NEXT_REJECTS) {
        storage.rename(&dir.join(NEXT_REJECTS), &dir.join(REJECTS))?;
    }
    Ok(())
}

/// The rejects of an index: under the one name or, if a writer was stopped in the last step, the other.
pub(super) fn rejects_path(dir: &Path, manifest: &Manifest) -> PathBuf {
    let fits = |path: &Path| file_checksum(path).is_ok_and(|found| found == manifest.rejects);
    let (usual, next) = (dir.join(REJECTS), dir.join(NEXT_REJECTS));
    if next.exists() && !fits(&usual) && fits(&next) { next } else { usual }
}
