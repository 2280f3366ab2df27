//! `pdn split-points`: prints where a file can be divided.

use std::io::Write;

use pdn_app::inputs::open_options;
use pdn_app::split_points::SplitPointsRequest;

use crate::args::SplitPointsArgs;
use crate::output::{CommandResult, Exit, Output, sanitize};

/// Runs `pdn split-points`.
pub(crate) fn run(args: &SplitPointsArgs, out: &mut Output) -> CommandResult {
    let request = SplitPointsRequest {
        path: args.path.clone(),
        number: args.number,
        open: open_options(args.encoding, args.mmap.maps_files()),
        threads: args.threads.unwrap_or_else(pdn::default_threads),
    };
    for part in request.run()? {
        if args.format.is_json() {
            writeln!(out, "{}", sanitize::json(&part))?;
        } else {
            writeln!(out, "{}", part.range)?;
        }
    }
    Ok(Exit::Success)
}
