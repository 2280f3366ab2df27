//! OPTIONS

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::index::writer::SegmentOptions;
use crate::pool;
use crate::replay::{self, GameStatus};
use crate::source::OpenOptions;

/// How an index is built.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ImportOptions {
    /// Worker threads. The index does not depend on it.
    pub threads: NonZeroUsize,
    /// How files are opened.
    pub open: OpenOptions,
    /// How games are replayed; what it says about a file before it is read is found out here.
    pub replay: replay::ReplayOptions,
    /// How the index is laid out.
    pub segments: SegmentOptions,
    /// Go on with the index that is there: files that are known and unchanged are passed over, and of files that
    /// have grown only what is new is read.
    pub append: bool,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self {
            threads: pool::default_threads(),
            open: OpenOptions::default(),
            replay: replay::ReplayOptions::default(),
            segments: SegmentOptions::default(),
            append: false,
        }
    }
}

/// How far it has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ImportProgress<'a> {
    /// The text being read.
    pub name: &'a Path,
    /// Bytes of the file that have been read, packed if it is.
    pub read: u64,
    /// Bytes of the file, if known.
    pub total: Option<u64>,
    /// Games so far, of all files.
    pub games: u64,
    /// Plies so far, of all files.
    pub plies: u64,
    /// Bytes of text so far, of all files.
    pub bytes: u64,
}

/// A file, or the rest of it, that could not be read.
#[derive(Debug)]
pub struct ImportFailure {
    /// What it is called.
    pub name: PathBuf,
    /// Why.
    pub error: Error,
}

/// What was built. Everything adds up: each byte of text belongs to a game, each game has a status.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct ImportSummary {
    /// Texts read: files, empty ones too, streams, entries of zips.
    pub files: u64,
    /// Files that were passed over because the index knows them as they are.
    pub unchanged: u64,
    /// What could not be read, and what is no text ([`source::require_text`](crate::source::require_text)).
    pub failures: Vec<ImportFailure>,
    /// Games added.
    pub games: u64,
    /// Legal plies added.
    pub plies: u64,
    /// Bytes of text added.
    pub bytes: u64,
    /// Games added, by [`GameStatus`].
    pub statuses: [u64; GameStatus::ALL.len()],
    /// Rejects added, by code.
    pub rejects: BTreeMap<&'static str, u64>,
    /// Bytes of the whole index.
    pub index_bytes: u64,
    /// Games of the whole index.
    pub index_games: u64,
}

impl ImportSummary {
    /// Games added with a status.
    pub fn with_status(&self, status: GameStatus) -> u64 {
        self.statuses[status as usize]
    }
}
