//! `pdn perft`: counts the sequences of legal moves from a position.

use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pdn::movegen::{CaptureLimit, DEFAULT_CAPTURE_NODES, divide, perft};
use pdn::notation::{MoveStyle, move_text};
use pdn::pool;
use pdn::position::{Move, Position};
use pdn_app::AppError;
use serde_json::json;

use super::warned;
use crate::args::PerftArgs;
use crate::output::{CommandResult, Exit, Output};
use pdn_app::numbers::Count;
use pdn_app::words::sorted_moves;

/// Depth below which one thread counts as fast as several.
const MIN_PARALLEL_DEPTH: u32 = 4;
/// Time after which a progress bar is shown.
const PROGRESS_AFTER: Duration = Duration::from_millis(500);

/// Runs `pdn perft`.
pub(crate) fn run(args: &PerftArgs, out: &mut Output) -> CommandResult {
    let request = args.position.read();
    let position = warned(out, |warnings| request.position(warnings))?;
    let names = position.names();
    let start = Instant::now();
    let threads = args.threads.unwrap_or_else(pool::default_threads);
    let counts = count(&position, args.depth, threads, out).map_err(AppError::from)?;
    // The only sequence of no moves is the empty one.
    let nodes: u64 = if args.depth == 0 { 1 } else { counts.iter().map(|(_, leaves)| leaves).sum() };
    if args.divide {
        let moves = sorted_moves(&counts.iter().map(|(mv, _)| *mv).collect::<Vec<_>>(), &names);
        for mv in moves {
            let leaves = counts.iter().find(|(other, _)| *other == mv).map_or(0, |(_, leaves)| *leaves);
            let text = move_text(&position, &mv, MoveStyle::Shortest).map_err(AppError::from)?;
            if args.format.is_json() {
                writeln!(out, "{}", json!({ "move": text, "nodes": leaves }))?;
            } else {
                writeln!(out, "{text:<12} {leaves}")?;
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    if args.format.is_json() {
        let value = json!({
            "variant": request.rules.name,
            "fen": position.fen(),
            "depth": args.depth,
            "nodes": nodes,
            "seconds": seconds,
        });
        writeln!(out, "{value}")?;
    } else {
        let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
        let nodes = Count(nodes);
        let noun = if nodes.0 == 1 { "node" } else { "nodes" };
        writeln!(out, "{nodes} {noun} at depth {}, {seconds:.3} s, {rate:.1} M nodes/s", args.depth)?;
    }
    Ok(Exit::Success)
}

/// Returns each legal move with the number of sequences of `depth` moves that begin with it, counted on several threads.
///
/// # Errors
///
/// [`CaptureLimit`] if the captures of some position on the way need too many search nodes.
fn count(
    position: &Position,
    depth: u32,
    threads: NonZeroUsize,
    out: &mut Output,
) -> Result<Vec<(Move, u64)>, CaptureLimit> {
    if depth < MIN_PARALLEL_DEPTH {
        return divide(position, depth, DEFAULT_CAPTURE_NODES);
    }
    // A job for every pair of first moves: there are many more of them than threads, and of similar size.
    let mut counts = divide(position, 1, DEFAULT_CAPTURE_NODES)?;
    let mut jobs = Vec::new();
    for (first, (mv, leaves)) in counts.iter_mut().enumerate() {
        *leaves = 0;
        let after = position.after(mv);
        jobs.extend(
            divide(&after, 1, DEFAULT_CAPTURE_NODES)?.iter().map(|(reply, _)| (first, after.after(reply))),
        );
    }
    let total = jobs.len() as u64;
    let (start, mut done, mut failed) = (Instant::now(), 0, None);
    pool::ordered(
        jobs,
        threads,
        || (),
        |(), (first, after)| (first, perft(&after, depth - 2, DEFAULT_CAPTURE_NODES)),
        |(first, leaves)| {
            done += 1;
            match leaves {
                Ok(leaves) => counts[first].1 += leaves,
                Err(limit) => {
                    failed = Some(limit);
                    return ControlFlow::Break(());
                }
            }
            if start.elapsed() >= PROGRESS_AFTER {
                out.show_count(done, total);
            }
            ControlFlow::Continue(())
        },
    );
    out.end_progress();
    failed.map_or(Ok(counts), Err)
}
