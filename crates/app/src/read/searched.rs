//! The index that a question searches: one that exists, or one that is made of archives for this question alone.

use std::io;
use std::num::NonZeroUsize;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pdn::source::walk;
use pdn_index::internal::TemporaryIndex;
use pdn_index::{ImportOptions, ImportSummary, Index};

use crate::ask::context::Context;
use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::numbers::count;
use crate::read::indexing::{self, import_failure};
use crate::read::inputs::ReadOptions;
use crate::read::paths::is_index;

/// What is searched: the folder of one index, or archives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchedPaths {
    /// One folder of an index, or files, folders and `-` for standard input.
    pub paths: Vec<PathBuf>,
    /// How the games of archives are read.
    pub read: ReadOptions,
    /// The folder that has the archives of the index now, if they were moved.
    pub root: Option<PathBuf>,
}

/// An index that is open for searching.
#[derive(Debug)]
pub struct SearchedIndex {
    index: Opened,
    /// The paths that the user named.
    paths: Vec<PathBuf>,
    /// `false` if some archive could not be read completely.
    is_complete: bool,
}

/// An index that stays, or one of this question alone.
#[derive(Debug)]
enum Opened {
    Stays(Index),
    Temporary(TemporaryIndex),
}

impl Deref for SearchedIndex {
    type Target = Index;

    fn deref(&self) -> &Index {
        match &self.index {
            Opened::Stays(index) => index,
            Opened::Temporary(index) => index,
        }
    }
}

impl SearchedIndex {
    /// Opens the index in a folder.
    ///
    /// # Errors
    ///
    /// If there is none, or it is damaged.
    pub fn open_folder(dir: &Path) -> Result<Self> {
        let index = Opened::Stays(Index::open(dir)?);
        Ok(Self { index, paths: vec![dir.to_owned()], is_complete: true })
    }

    /// Searches an index that is open already, wherever its files are.
    pub fn of_index(index: Index) -> Self {
        let paths = vec![index.dir().to_owned()];
        Self { index: Opened::Stays(index), paths, is_complete: true }
    }

    /// Returns the paths that the user named.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Returns the path of an error about the whole input: the first that the user named.
    pub fn path(&self) -> &Path {
        self.paths.first().map_or_else(|| self.dir(), PathBuf::as_path)
    }

    /// Reads archives below `root` from now on; see [`Index::relocate`].
    ///
    /// # Errors
    ///
    /// If none of the archives is found there.
    pub fn relocate(&mut self, root: &Path) -> Result<()> {
        match &mut self.index {
            Opened::Stays(index) => index.relocate(root)?,
            Opened::Temporary(index) => index.relocate(root)?,
        }
        Ok(())
    }

    /// Leaves out the folders in the names of files from now on, in answers and in conditions on files. For a server: its folders are
    /// nobody's business.
    pub fn hide_folders(&mut self) {
        match &mut self.index {
            Opened::Stays(index) => index.hide_folders(),
            Opened::Temporary(index) => index.hide_folders(),
        }
    }

    /// Returns `true` if it was made of archives, for this question alone.
    pub fn is_temporary(&self) -> bool {
        matches!(self.index, Opened::Temporary(_))
    }

    /// Returns `true` if all archives could be read completely.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }
}

impl SearchedPaths {
    /// Opens the index, or indexes the archives in a temporary folder. `needs_text` says whether the question reads the text of
    /// games.
    ///
    /// # Errors
    ///
    /// If there is nothing to search, the index cannot be opened, or the work was stopped. An archive that cannot be read completely is
    /// a problem of the context, and [`SearchedIndex::is_complete`] says so.
    pub fn open(
        &self,
        threads: NonZeroUsize,
        needs_text: bool,
        context: &mut Context<'_>,
    ) -> Result<SearchedIndex> {
        let mut index = self.open_in_place(threads, needs_text, context)?;
        if let Some(root) = &self.root {
            index.relocate(root)?;
        }
        Ok(index)
    }

    fn open_in_place(
        &self,
        threads: NonZeroUsize,
        needs_text: bool,
        context: &mut Context<'_>,
    ) -> Result<SearchedIndex> {
        let paths = self.paths.as_slice();
        let indexes = paths.iter().filter(|path| is_index(path)).collect::<Vec<_>>();
        let refused =
            |path: &Path, message: &str| Err(AppError::path(ErrorCode::Contradiction, path, message));
        match (indexes.as_slice(), paths) {
            ([], _) => {
                let mut import = ImportOptions::default();
                import.threads = threads;
                import.open = self.read.open(false);
                import = import.embed(needs_text);
                import.replay = self.read.replay();
                index_archives(paths, &import, context)
            }
            ([_], [dir]) if self.read.encoding.is_some() => {
                let message = "is an index, whose text was decoded when it was made";
                refused(dir, message).map_err(|error: AppError| error.in_field("encoding"))
            }
            ([_], [dir]) if self.read.scores.is_some() => {
                let message = "is an index, which knows the winner of each game since it was made";
                refused(dir, message).map_err(|error: AppError| error.in_field("scores"))
            }
            ([_], [dir]) if self.read.variant.is_some() => {
                let message = "is an index, which knows the variant of each game since it was made";
                refused(dir, message).map_err(|error: AppError| error.in_field("untagged"))
            }
            ([_], [dir]) => SearchedIndex::open_folder(dir),
            ([dir], _) => refused(dir, "is an index: give either one index or archives"),
            ([first, second, ..], _) => {
                let message = format!(
                    "is an index, and so is {}; only one can be searched at a time",
                    second.display()
                );
                refused(first, &message)
            }
        }
    }
}

/// Indexes archives (files, folders and `-`) in a temporary folder.
///
/// # Errors
///
/// If one cannot be found, one cannot be read and the others have no games, no folder can be made, or the work was stopped.
pub fn index_archives(
    paths: &[PathBuf],
    import: &ImportOptions,
    context: &mut Context<'_>,
) -> Result<SearchedIndex> {
    let mut files = Vec::new();
    for path in paths {
        let before = files.len();
        files.extend(walk([path]).filter_map(std::result::Result::ok));
        let (code, problem) = match path.metadata() {
            _ if files.len() > before => continue,
            Ok(_) => (ErrorCode::NotFound, "neither an index nor a folder with PDN files".to_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                (ErrorCode::NotFound, "no such file or folder".to_owned())
            }
            Err(error) => (ErrorCode::Unreadable, error.to_string()),
        };
        return Err(AppError::path(code, path, problem));
    }
    let start = Instant::now();
    context.events.unsettled();
    let built = TemporaryIndex::build(|dir| {
        context.events.temporary(dir);
        indexing::import(paths, &files, None, dir, import, &mut Duration::default(), context)
    });
    context.check()?;
    let (index, summary) = built?;
    context.events.settled();
    let mut failures: Vec<AppError> = summary.failures.iter().map(import_failure).collect();
    // If no game could be read, the question has no answer but the last failure.
    let error = if summary.games == 0 { failures.pop() } else { None };
    for failure in &failures {
        context.events.problem(failure);
    }
    if let Some(error) = error {
        return Err(error);
    }
    context.events.hint(&hint(paths, &summary, start.elapsed().as_secs_f64()));
    let (index, is_complete) = (Opened::Temporary(index), summary.failures.is_empty());
    Ok(SearchedIndex { index, paths: paths.to_vec(), is_complete })
}

/// Returns the hint that archives were indexed for this question alone.
fn hint(paths: &[PathBuf], summary: &ImportSummary, seconds: f64) -> String {
    let mut text = format!("indexed {} in {seconds:.1} s for this command", count(summary.games, "game"));
    if let [path] = paths
        && path != Path::new("-")
    {
        text += &format!("; `pdn index {} -o DIR` makes an index that stays", path.display());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::context::Events;
    use pdn::stop::Stop;

    /// The names of the events about temporary files.
    #[derive(Default)]
    struct Files(Vec<&'static str>);

    impl Events for Files {
        fn unsettled(&mut self) {
            self.0.push("unsettled");
        }

        fn temporary(&mut self, path: &Path) {
            assert!(path.is_dir());
            self.0.push("temporary");
        }

        fn settled(&mut self) {
            self.0.push("settled");
        }
    }

    #[test]
    fn temporary_index_is_announced_before_its_folder_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pdn");
        std::fs::write(&path, "1. 32-28 19-23 *\n").unwrap();
        let mut files = Files::default();
        let mut context = Context::new(&Stop::new(), &mut files);
        let index = index_archives(&[path], &ImportOptions::default(), &mut context).unwrap();
        assert!(index.is_temporary());
        assert_eq!(files.0, ["unsettled", "temporary", "settled"]);
    }
}
