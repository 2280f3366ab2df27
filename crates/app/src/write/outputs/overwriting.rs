//! Which existing files an answer may replace: none that the user does not name for it, never one of its inputs, and none if the
//! answer is empty; see [`OutputFile`](super::OutputFile). An index, which is a folder of its own, keeps to the last rule by itself:
//! [`ErrorKind::NoGames`](pdn::error::ErrorKind::NoGames).

use std::path::{Path, PathBuf};

use pdn::source;

use crate::ask::error::{AppError, ErrorCode, Result};
use crate::read::paths::is_index;

/// The files that an answer may replace.
#[derive(Clone, Copy, Debug)]
pub struct Overwriting<'a> {
    /// Files that exist may be replaced.
    pub force: bool,
    /// The inputs, which are never replaced: archives, folders of archives and indexes.
    pub inputs: &'a [PathBuf],
}

impl Overwriting<'_> {
    /// Checks that a file may be written at `path`. A pipe or device always may.
    ///
    /// # Errors
    ///
    /// If it is a folder, an input, or exists and may not be replaced.
    pub fn check(&self, path: &Path) -> Result<()> {
        let exists = |message| AppError::path(ErrorCode::Exists, path, message);
        if path.is_dir() {
            return Err(exists("is a folder; give the name of a file"));
        }
        if path.symlink_metadata().is_err() || pdn::internal::source::is_stream(path) {
            return Ok(());
        }
        if self.is_input(path) {
            return Err(exists("is an input, which is never overwritten"));
        }
        match self.force {
            true => Ok(()),
            false => Err(exists("exists already").cured_by("force", "replaces it")),
        }
    }

    /// Returns `true` if a file is an input, or is in an index or a folder that is an input, or is an archive of such an index.
    fn is_input(&self, path: &Path) -> bool {
        let Ok(path) = path.canonicalize() else { return false };
        let (indexes, others): (Vec<_>, Vec<_>) = self.inputs.iter().partition(|input| is_index(input));
        let is_same = |other: &Path| other.canonicalize().is_ok_and(|other| other == path);
        let is_in_index = |dir: &&PathBuf| {
            dir.canonicalize().is_ok_and(|dir| path.starts_with(dir))
                || pdn_index::Index::open(*dir).is_ok_and(|index| {
                    index.inputs().iter().any(|input| input.path.as_deref().is_some_and(is_same))
                })
        };
        indexes.iter().any(is_in_index)
            || source::walk(others.into_iter().cloned())
                .filter_map(std::result::Result::ok)
                .any(|input| is_same(&input))
    }
}
