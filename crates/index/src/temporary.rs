//! An index that exists as long as it is used: to search archives that have none.

use std::ops::{Deref, DerefMut};
use std::path::Path;

use super::import::ImportSummary;
use super::open::Index;
use pdn::error::{Error, Result};
use pdn::internal::storage::WorkFolder;

/// An index in a temporary folder, which is removed when the value is dropped.
///
/// ```
/// use pdn::archive::Archive;
/// use pdn_index::ImportOptions;
/// use pdn_index::internal::{TemporaryIndex, import_archives};
/// use pdn::source::OpenOptions;
/// use std::ops::ControlFlow;
///
/// let text = &b"[White \"Ames\"] 1. 32-28 19-23 *\n"[..];
/// let archive = Archive::from_reader(text, "games.pdn", &OpenOptions::new());
/// let (index, summary) = TemporaryIndex::build(|dir| {
///     import_archives([archive], dir, &ImportOptions::new(), |_| ControlFlow::Continue(()))
/// })?;
/// assert!(summary.failures.is_empty());
/// assert_eq!(index.game(0).unwrap().row()?.white, "Ames");
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Debug)]
pub struct TemporaryIndex {
    index: Index,
    /// Stands after the index, so that files are closed before they are removed.
    _folder: Option<WorkFolder>,
}

impl TemporaryIndex {
    /// Makes a temporary folder, calls `import` with it, and opens the index that is there then. On Unix the folder is removed at
    /// once: open files outlive it. What a process leaves that is killed before, the next temporary index removes.
    ///
    /// # Errors
    /// If the folder cannot be made, the error of `import`, or if the index cannot be opened.
    pub fn build(import: impl FnOnce(&Path) -> Result<ImportSummary>) -> Result<(Self, ImportSummary)> {
        let place = std::env::temp_dir();
        let folder =
            WorkFolder::within(&place, "temporary index").map_err(|error| Error::from(error).at(place))?;
        let summary = import(folder.path())?;
        let index = Index::open(folder.path())?;
        let folder = if cfg!(unix) { None } else { Some(folder) };
        Ok((Self { index, _folder: folder }, summary))
    }
}

impl Deref for TemporaryIndex {
    type Target = Index;

    fn deref(&self) -> &Index {
        &self.index
    }
}

impl DerefMut for TemporaryIndex {
    fn deref_mut(&mut self) -> &mut Index {
        &mut self.index
    }
}
