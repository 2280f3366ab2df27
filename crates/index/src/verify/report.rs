//! Options, progress and results of a verification.

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pdn::error::{Error, ErrorKind, Result};

/// Options of [`verify`](super::verify).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct VerifyOptions {
    /// Whether to compare the fingerprints of archives.
    pub fingerprints: bool,
    /// Whether to play the moves of every game and compare the result with its row, the key tables, the books and the
    /// openings. Costs about 3 ns per ply and thread, and as much as building the key tables.
    pub replay: bool,
    /// Whether to compare every record with its checksum: reads all archives, and embedded records, too.
    pub texts: bool,
    /// Number of threads; `None` for all processors. The report does not depend on it.
    pub threads: Option<NonZeroUsize>,
}

impl Default for VerifyOptions {
    /// The checksums of the index, and the fingerprints of archives.
    fn default() -> Self {
        Self { fingerprints: true, replay: false, texts: false, threads: None }
    }
}

impl VerifyOptions {
    /// Creates the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether to compare the fingerprints of archives.
    #[must_use]
    pub fn fingerprints(mut self, fingerprints: bool) -> Self {
        self.fingerprints = fingerprints;
        self
    }

    /// Sets whether to play the moves of every game.
    #[must_use]
    pub fn replay(mut self, replay: bool) -> Self {
        self.replay = replay;
        self
    }

    /// Sets whether to compare every record with its checksum.
    #[must_use]
    pub fn texts(mut self, texts: bool) -> Self {
        self.texts = texts;
        self
    }

    /// Sets the number of threads.
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = Some(threads);
        self
    }
}

impl VerifyOptions {
    /// Everything about the index itself, and nothing about the archives.
    pub const INDEX: Self = Self { fingerprints: false, replay: true, texts: false, threads: None };
    /// Everything.
    pub const ALL: Self = Self { fingerprints: true, replay: true, texts: true, threads: None };
}

/// A problem of an index or of one of its archives.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct IndexProblem {
    /// Path of the file.
    pub path: PathBuf,
    /// Name of the section of an index file; empty for an archive.
    pub section: &'static str,
    /// Description of the problem.
    pub problem: String,
}

/// The result of [`verify`](super::verify).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct VerifyReport {
    /// Problems of the index, at most one per file and section.
    pub problems: Vec<IndexProblem>,
    /// Problems of the archives, at most one per file. Queries do not depend on them.
    pub archive_problems: Vec<IndexProblem>,
    /// Number of segments that were verified.
    pub segments: u64,
    /// Number of games of these segments.
    pub games: u64,
    /// Number of plies that were played; 0 without [`VerifyOptions::replay`]. Null moves are not counted.
    pub plies: u64,
    /// Length of the files of the index, in bytes.
    pub bytes: u64,
}

impl VerifyReport {
    /// Returns `true` if there are no problems.
    pub fn is_sound(&self) -> bool {
        self.problems.is_empty() && self.archive_problems.is_empty()
    }

    /// Adds a problem, unless one of the same file and section is known.
    pub(super) fn add(&mut self, path: &Path, section: &'static str, problem: impl Into<String>) {
        // One problem per section is enough.
        let same = |known: &IndexProblem| known.path == path && known.section == section;
        if !self.problems.iter().any(same) {
            self.problems.push(IndexProblem { path: path.to_owned(), section, problem: problem.into() });
        }
    }

    /// Adds a problem of an archive, unless one of the same file is known.
    pub(super) fn add_archive(&mut self, path: &Path, problem: String) {
        if !self.archive_problems.iter().any(|known| known.path == path) {
            self.archive_problems.push(IndexProblem { path: path.to_owned(), section: "", problem });
        }
    }

    /// Adds the problem that an error describes.
    ///
    /// # Errors
    /// The error itself, if it is one of the operating system: it says nothing about the index.
    pub(super) fn add_error(&mut self, path: &Path, error: Error) -> Result<()> {
        match error.kind() {
            ErrorKind::IndexDamaged { section, problem } => self.add(path, section, *problem),
            ErrorKind::Io(_) => return Err(error.at(path)),
            kind => self.add(path, "", kind.to_string()),
        }
        Ok(())
    }
}

/// Counts verified bytes and reports them to a callback, which may break off.
pub(super) struct Work<'a> {
    done: u64,
    total: u64,
    report: &'a mut dyn FnMut(u64, u64) -> ControlFlow<()>,
}

impl<'a> Work<'a> {
    /// Prepares work on `total` bytes.
    pub(super) fn new(total: u64, report: &'a mut dyn FnMut(u64, u64) -> ControlFlow<()>) -> Self {
        Self { done: 0, total, report }
    }

    /// Counts `bytes` more as done.
    ///
    /// # Errors
    /// Fails with [`io::ErrorKind::Interrupted`] if the callback breaks off.
    pub(super) fn add(&mut self, bytes: u64) -> Result<()> {
        self.done = self.total.min(self.done + bytes);
        match (self.report)(self.done, self.total) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(io::Error::from(io::ErrorKind::Interrupted).into()),
        }
    }
}
