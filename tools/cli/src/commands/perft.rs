//! `pdn perft`: counts the sequences of legal moves from a position.

use std::io::Write;

use pdn_app::numbers::Count;
use pdn_app::perft::PerftRequest;

use crate::args::PerftArgs;
use crate::output::{CommandResult, Exit, Output, sanitize};

/// Runs `pdn perft`.
pub(crate) fn run(args: &PerftArgs, out: &mut Output) -> CommandResult {
    let request = PerftRequest {
        position: args.position.read(),
        depth: args.depth,
        divide: args.divide,
        threads: args.threads.unwrap_or_else(pdn::default_threads),
    };
    let answer = request.run(&mut out.context())?;
    if args.format.is_json() {
        for first in &answer.moves {
            writeln!(out, "{}", sanitize::json(first))?;
        }
        writeln!(out, "{}", sanitize::json(&answer))?;
        return Ok(Exit::Success);
    }
    for first in &answer.moves {
        writeln!(out, "{:<12} {}", first.text, first.nodes)?;
    }
    let rate = answer.nodes as f64 / answer.seconds.max(1e-9) / 1e6;
    let noun = if answer.nodes == 1 { "node" } else { "nodes" };
    writeln!(
        out,
        "{} {noun} at depth {}, {:.3} s, {rate:.1} M nodes/s",
        Count(answer.nodes),
        answer.depth,
        answer.seconds
    )?;
    Ok(Exit::Success)
}
