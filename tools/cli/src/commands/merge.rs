//! `pdn merge`: merges the segments of an index.

use std::io::{self, Write};
use std::ops::ControlFlow;

use pdn::index::{self, Index, KeyTableOptions, MergeReport, SegmentOptions};
use serde_json::json;

use crate::args::MergeArgs;
use crate::output::exit::fail;
use crate::output::numbers::{count, size};
use crate::output::{Exit, Output, interrupt, sanitize};

/// Runs `pdn merge`.
pub(crate) fn run(args: &MergeArgs, out: &mut Output) -> io::Result<Exit> {
    let tables = Index::open(&args.dir).ok().as_ref().and_then(KeyTableOptions::of_index);
    let report = match index::merge(&args.dir, SegmentOptions::default()) {
        Ok(report) => report,
        Err(error) => return Ok(fail(&error)),
    };
    if let Some(options) = tables {
        let mut has_progress = false;
        let built = index::build_key_tables(&args.dir, &options, |done, total| {
            if !has_progress {
                out.start_progress(Some(total));
                out.set_progress_message("key tables");
                has_progress = true;
            }
            out.set_progress(done);
            if interrupt::is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        out.end_progress();
        if let Err(error) = built {
            return Ok(fail(&error));
        }
    }
    let MergeReport { before, after, games, bytes, .. } = report;
    let bytes = Index::open(&args.dir).map_or(bytes, |index| index.disk_bytes());
    if args.format.is_json() {
        let value = json!({
            "dir": args.dir.to_string_lossy(),
            "segments_before": before,
            "segments": after,
            "games": games,
            "index_bytes": bytes,
        });
        writeln!(out, "{}", sanitize::json(&value))?;
    } else {
        let (dir, segments) = (sanitize::path(&args.dir), count(before as u64, "segment"));
        let (games, bytes) = (count(games, "game"), size(bytes));
        if before == after {
            writeln!(out, "{dir}: nothing to merge. {segments}, {games}, {bytes}.")?;
        } else {
            writeln!(out, "{dir}: {segments} merged into {after}. {games}, {bytes}.")?;
        }
    }
    Ok(Exit::Success)
}
