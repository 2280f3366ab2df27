//! `pdn split-points`: prints where a file can be divided.

use std::io::Write;

use pdn::archive;
use pdn::pool;
use pdn::source::OpenOptions;
use serde_json::json;

use crate::args::SplitPointsArgs;
use crate::output::exit::fail;
use crate::output::{CommandResult, Exit, Output, sanitize};

/// Runs `pdn split-points`.
pub(crate) fn run(args: &SplitPointsArgs, out: &mut Output) -> CommandResult {
    let options = OpenOptions::new().map(args.mmap.into()).encoding(args.encoding);
    let threads = args.threads.unwrap_or_else(pool::default_threads);
    let ranges = match archive::ranges(&args.path, args.number, &options, threads) {
        Ok(ranges) => ranges,
        Err(error) => return Ok(fail(&error)),
    };
    for range in ranges {
        if args.format.is_json() {
            let value = json!({
                "file": args.path.to_string_lossy(),
                "start": range.start,
                "end": range.end,
                "record": range.first + 1,
                "line": range.line,
            });
            writeln!(out, "{}", sanitize::json(&value))?;
        } else {
            writeln!(out, "{range}")?;
        }
    }
    Ok(Exit::Success)
}
