//! Builds the key tables and the books of an index and detects whether it has any.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use pdn::Error;
use pdn::index::{Index, KeyTableOptions, KeyTablesBuilt, build_key_tables};

use crate::output::{Output, interrupt};
use pdn_app::Events;

/// What an index has besides its games, to be kept up to date.
#[derive(Clone, Copy, Debug)]
pub(super) struct PresentTables {
    /// At least one segment has a key table.
    pub(super) has_keys: bool,
    /// The number of games from which on books have a position; 0 without books.
    pub(super) book_games: u64,
}

impl PresentTables {
    /// Looks at the index in a folder; a folder without an index has nothing.
    pub(super) fn of(dir: &Path) -> Self {
        let Ok(index) = Index::open(dir) else { return Self { has_keys: false, book_games: 0 } };
        // A damaged table counts: it is built again.
        let has_keys = (0..index.segments().len()).any(|segment| !matches!(index.keys(segment), Ok(None)));
        Self { has_keys, book_games: index.book_games().unwrap_or(0) }
    }
}

/// Builds the missing key tables, and books for positions that at least `book_games` games have, and shows the progress.
///
/// # Errors
///
/// Those of [`build_key_tables`], and an error if a stop is requested meanwhile.
pub(super) fn build(
    dir: &Path,
    threads: NonZeroUsize,
    book_games: u64,
    out: &mut Output,
) -> Result<KeyTablesBuilt, Error> {
    let mut options = KeyTableOptions::default();
    options.threads = threads;
    options.book_games = book_games;
    let mut has_progress = false;
    let built = build_key_tables(dir, &options, |done, total| {
        if !has_progress {
            out.begin(Some(total));
            has_progress = true;
        }
        out.progress(done, "key tables");
        if interrupt::is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    out.end_progress();
    built
}
