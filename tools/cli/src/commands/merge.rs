//! `pdn merge`: merges the segments of an index.

use std::io::Write;

use pdn_app::indexing::merge;
use pdn_app::numbers::{count, size};

use crate::args::MergeArgs;
use crate::output::{CommandResult, Exit, Output, sanitize};

/// Runs `pdn merge`.
pub(crate) fn run(args: &MergeArgs, out: &mut Output) -> CommandResult {
    let merged = merge(&args.dir, &mut out.context())?;
    if args.format.is_json() {
        writeln!(out, "{}", sanitize::json(&merged))?;
        return Ok(Exit::Success);
    }
    let (dir, segments) = (sanitize::path(&args.dir), count(merged.segments_before as u64, "segment"));
    let (games, bytes) = (count(merged.games, "game"), size(merged.index_bytes));
    if merged.segments_before == merged.segments {
        writeln!(out, "{dir}: nothing to merge. {segments}, {games}, {bytes}.")?;
    } else {
        writeln!(out, "{dir}: {segments} merged into {}. {games}, {bytes}.", merged.segments)?;
    }
    Ok(Exit::Success)
}
