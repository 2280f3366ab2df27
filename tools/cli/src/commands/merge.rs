//! `pdn merge`: merges the segments of an index.

use std::io::Write;

use pdn::index::{self, Index, MergeReport, SegmentOptions};
use pdn::pool;
use serde_json::json;

use super::key_tables::{self, PresentTables};
use crate::args::MergeArgs;
use crate::output::exit::fail;
use crate::output::{CommandResult, Exit, Output, sanitize};
use pdn_app::numbers::{count, size};

/// Runs `pdn merge`.
pub(crate) fn run(args: &MergeArgs, out: &mut Output) -> CommandResult {
    let tables = PresentTables::of(&args.dir);
    let report = match index::merge(&args.dir, SegmentOptions::default()) {
        Ok(report) => report,
        Err(error) => return Ok(fail(&error)),
    };
    if tables.has_keys
        && let Err(error) = key_tables::build(&args.dir, pool::default_threads(), tables.book_games, out)
    {
        return Ok(fail(&error));
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
