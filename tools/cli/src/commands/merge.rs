//! `pdn merge`: merges the segments of an index.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use pdn_app::ask::numbers::{count, size};
use pdn_app::read::indexing::merge;

use crate::args::help;
use crate::args::shared::FormatArgs;
use crate::output::{CommandResult, Exit, Output, sanitize};

pub(crate) const AFTER_HELP: &str = "\
Every `pdn index --append` adds a segment, and merges small segments once there are eight of similar size, so that this \
command is rarely needed. Games keep their numbers, and no archive is read. An existing index stays as it is until the \
merged one is complete.";

#[derive(Args, Debug)]
pub(crate) struct MergeArgs {
    #[arg(value_name = "DIR", help = help::DIR)]
    pub(crate) dir: PathBuf,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

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
