//! The file that lists rejected records, and its replacement together with the manifest.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::format::checksum::{Checksum, file_checksum};
use super::manifest::Manifest;
use pdn::internal::storage::{Output, Storage};

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
