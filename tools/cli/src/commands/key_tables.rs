//! Builds the key tables of an index and detects whether it has any.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use pdn::Error;
use pdn::index::{Index, KeyTableOptions, KeyTablesBuilt, build_key_tables};

use crate::output::{Output, interrupt};

/// Returns `true` if at least one segment of the index in `dir` has a key table, so that the tables have to be kept up to
/// date.
pub(super) fn exist(dir: &Path) -> bool {
    Index::open(dir).is_ok_and(|index| {
        // A damaged table counts: it is built again.
        (0..index.segments().len()).any(|segment| !matches!(index.keys(segment), Ok(None)))
    })
}

/// Builds the missing key tables and shows the progress.
///
/// # Errors
///
/// Those of [`build_key_tables`], and an error if a stop is requested meanwhile.
pub(super) fn build(dir: &Path, threads: NonZeroUsize, out: &mut Output) -> Result<KeyTablesBuilt, Error> {
    let mut options = KeyTableOptions::default();
    options.threads = threads;
    let mut has_progress = false;
    let built = build_key_tables(dir, &options, |done, total| {
        if !has_progress {
            out.start_progress(Some(total));
            out.set_progress_message("key tables");
            has_progress = true;
        }
        out.set_progress(done);
        if interrupt::is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    out.end_progress();
    built
}
