//! Which existing files a command may replace: none without `--force`, and never one of its inputs.

use std::path::{Path, PathBuf};

use pdn::source;

use crate::output::sanitize;
use pdn_app::paths::is_index;

/// The files that a command may replace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overwriting<'a> {
    /// Files that exist may be replaced.
    pub(crate) force: bool,
    /// The inputs, which are never replaced: archives, folders of archives and indexes.
    pub(crate) inputs: &'a [PathBuf],
}

impl Overwriting<'_> {
    /// Checks that a file may be written at `path`. A pipe or device always may.
    ///
    /// # Errors
    /// A message for the user.
    pub(crate) fn check(&self, path: &Path) -> Result<(), String> {
        let reason = match path.is_dir() {
            true => Some("is a folder; give the name of a file"),
            false => self.refusal(path),
        };
        match reason {
            Some(reason) => Err(format!("{}: {reason}", sanitize::path(path))),
            None => Ok(()),
        }
    }

    /// Returns why a file must not be replaced; `None` if it may be, or does not exist.
    pub(crate) fn refusal(&self, path: &Path) -> Option<&'static str> {
        if path.symlink_metadata().is_err() || source::is_stream(path) {
            return None;
        }
        if self.is_input(path) {
            return Some("is an input of this command, which is never overwritten");
        }
        (!self.force).then_some("exists already; `--force` replaces it")
    }

    /// Returns `true` if a file is an input, or is in an index or a folder that is an input, or is an archive of such an index.
    fn is_input(&self, path: &Path) -> bool {
        let Ok(path) = path.canonicalize() else { return false };
        let (indexes, others): (Vec<_>, Vec<_>) = self.inputs.iter().partition(|input| is_index(input));
        let is_same = |other: &Path| other.canonicalize().is_ok_and(|other| other == path);
        let is_in_index = |dir: &&PathBuf| {
            dir.canonicalize().is_ok_and(|dir| path.starts_with(dir))
                || pdn::Index::open(*dir).is_ok_and(|index| {
                    index.inputs().iter().any(|input| input.path.as_deref().is_some_and(is_same))
                })
        };
        indexes.iter().any(is_in_index)
            || source::walk(others.into_iter().cloned()).filter_map(Result::ok).any(|input| is_same(&input))
    }
}
