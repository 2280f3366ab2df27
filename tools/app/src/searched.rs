//! The index that a question searches: one that exists, or one that is made of archives for this question alone.

use std::io;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Deref};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pdn::error::ErrorKind;
use pdn::index::{self, ImportFailure, ImportOptions, ImportSummary, Index, SegmentOptions};
use pdn::source::{Encoding, OpenOptions, is_stream, walk};
use tempfile::TempDir;

use crate::context::Context;
use crate::error::{AppError, ErrorCode, Result};
use crate::numbers::rounded;

/// What is searched: the folder of one index, or archives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchedPaths {
    /// One folder of an index, or files, folders and `-` for standard input.
    pub paths: Vec<PathBuf>,
    /// The encoding of archives; `None` to detect it.
    pub encoding: Option<Encoding>,
    /// The folder that has the archives of the index now, if they were moved.
    pub root: Option<PathBuf>,
}

/// An index that is open for searching.
#[derive(Debug)]
pub struct SearchedIndex {
    index: Index,
    /// The paths that the user named.
    paths: Vec<PathBuf>,
    /// What was indexed for this question, and the time that it took.
    indexed: Option<(ImportSummary, Duration)>,
    /// The folder of a temporary index, which is removed together with this value. The index stands before it, so that
    /// its files are closed first.
    _folder: Option<TempDir>,
}

impl Deref for SearchedIndex {
    type Target = Index;

    fn deref(&self) -> &Index {
        &self.index
    }
}

impl SearchedIndex {
    /// Opens the index in a folder.
    ///
    /// # Errors
    ///
    /// If there is none, or it is damaged.
    pub fn open_folder(dir: &Path) -> Result<Self> {
        let index = Index::open(dir)?;
        Ok(Self { index, paths: vec![dir.to_owned()], indexed: None, _folder: None })
    }

    /// Returns the paths that the user named.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Returns the path of an error about the whole input: the only path that the user named, if it is one.
    pub fn path(&self) -> &Path {
        self.paths.first().map_or_else(|| self.index.dir(), PathBuf::as_path)
    }

    /// Returns what was indexed for this question and the time that it took; `None` for an index that existed.
    pub fn indexed(&self) -> Option<(&ImportSummary, Duration)> {
        self.indexed.as_ref().map(|(summary, time)| (summary, *time))
    }

    /// Reads archives below `root` from now on; see [`Index::relocate`].
    ///
    /// # Errors
    ///
    /// If none of the archives is found there.
    pub fn relocate(&mut self, root: &Path) -> Result<()> {
        Ok(self.index.relocate(root)?)
    }

    /// Returns `true` if all archives could be read completely.
    pub fn is_complete(&self) -> bool {
        self.indexed.as_ref().is_none_or(|(summary, _)| summary.failures.is_empty())
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
                import.open = OpenOptions::new().encoding(self.encoding);
                import.segments = SegmentOptions::default().embed(needs_text);
                index_archives(paths, &import, context)
            }
            ([_], [dir]) if self.encoding.is_some() => {
                let message = "is an index, whose text was decoded when it was made";
                refused(dir, message).map_err(|error: AppError| error.in_field("encoding"))
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

/// Returns `true` if the folder contains an index, even a damaged one.
pub fn is_index(path: &Path) -> bool {
    path.is_dir() && !matches!(Index::open(path), Err(error) if matches!(error.kind(), ErrorKind::NotAnIndex))
}

/// Returns the error of an archive that could not be read completely.
pub fn import_failure(failure: &ImportFailure) -> AppError {
    AppError::from(&failure.error).at(&failure.name)
}

/// Indexes archives (files, folders and `-`) in a temporary folder.
///
/// # Errors
///
/// If one cannot be found, no folder can be made, or the work was stopped.
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
    let folder = tempfile::Builder::new().prefix("pdn-").tempdir().map_err(|error| {
        AppError::new(ErrorCode::Unwritable, format!("cannot make a temporary folder: {error}"))
    })?;
    let bytes = files.iter().map(|path| path.metadata().map_or(0, |metadata| metadata.len())).sum();
    let has_stream = files.iter().any(|path| is_stream(path));
    context.events.begin((!has_stream).then_some(bytes));
    context.events.temporary(folder.path());
    let start = Instant::now();
    let mut passed = (0, 0);
    let imported = index::import_with(paths.iter().cloned(), folder.path(), import, |progress| {
        // Bytes of the files before the current one, and of the current one.
        passed = if progress.read < passed.1 {
            (passed.0 + passed.1, progress.read)
        } else {
            (passed.0, progress.read)
        };
        let games = format!("{} games indexed", rounded(progress.games as f64));
        context.events.progress(passed.0 + passed.1, &games);
        if context.stop.is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    context.events.end();
    let opened = imported.and_then(|summary| Ok((summary, Index::open(folder.path())?)));
    context.check()?;
    let (summary, index) = opened?;
    // Open files survive their folder here, so that nothing is left behind however the process ends.
    let folder = if cfg!(unix) {
        drop(folder);
        None
    } else {
        Some(folder)
    };
    context.events.settled();
    for failure in &summary.failures {
        context.events.problem(&import_failure(failure));
    }
    Ok(SearchedIndex {
        index,
        paths: paths.to_vec(),
        indexed: Some((summary, start.elapsed())),
        _folder: folder,
    })
}
