//! `pdn perft`: counts the sequences of legal moves from a position.

use std::io::{self, Write};
use std::time::Instant;

use pdn::limits::Limits;
use pdn::movegen::{divide, perft};
use pdn::notation::{MoveStyle, move_text};
use serde_json::json;

use super::position::{self, report_limit};
use crate::args::PerftArgs;
use crate::board::words::sorted_moves;
use crate::output::{Exit, Output};

/// Runs `pdn perft`.
pub(crate) fn run(args: &PerftArgs, out: &mut Output) -> io::Result<Exit> {
    let Some(position) = position::from_args(&args.position) else { return Ok(Exit::Failure) };
    let names = position.names();
    let start = Instant::now();
    let mut nodes = 0;
    if args.divide && args.depth > 0 {
        let counts = match divide(&position, args.depth, &Limits::DEFAULT) {
            Ok(counts) => counts,
            Err(limit) => return Ok(report_limit(limit)),
        };
        let moves = sorted_moves(&counts.iter().map(|(mv, _)| *mv).collect::<Vec<_>>(), &names);
        for mv in moves {
            let leaves = counts.iter().find(|(other, _)| *other == mv).map_or(0, |(_, leaves)| *leaves);
            nodes += leaves;
            let text = match move_text(&position, &mv, MoveStyle::Shortest) {
                Ok(text) => text,
                Err(limit) => return Ok(report_limit(limit)),
            };
            if args.json {
                writeln!(out, "{}", json!({ "move": text, "nodes": leaves }))?;
            } else {
                writeln!(out, "{text:<12} {leaves}")?;
            }
        }
    } else {
        nodes = match perft(&position, args.depth, &Limits::DEFAULT) {
            Ok(nodes) => nodes,
            Err(limit) => return Ok(report_limit(limit)),
        };
    }
    let seconds = start.elapsed().as_secs_f64();
    if args.json {
        let value = json!({
            "variant": args.position.rules().name,
            "fen": position.fen(),
            "depth": args.depth,
            "nodes": nodes,
            "seconds": seconds,
        });
        writeln!(out, "{value}")?;
    } else {
        let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
        writeln!(out, "{nodes} nodes at depth {}, {seconds:.3} s, {rate:.1} M nodes/s", args.depth)?;
    }
    Ok(Exit::Success)
}
