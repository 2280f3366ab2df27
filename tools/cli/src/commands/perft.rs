//! `pdn perft`: counts the sequences of legal moves from a position.

use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use clap::Args;
use pdn::internal::pool;
use pdn::movegen::{DEFAULT_CAPTURE_NODES, divide, perft};
use pdn::notation::{MoveStyle, move_text};
use pdn::position::{Move, Position};
use pdn_app::ask::context::Context;
use pdn_app::ask::error::{AppError, Result};
use pdn_app::ask::numbers::Count;
use pdn_app::ask::values::sorted_moves;
use pdn_app::read::inputs::Threads;
use serde::Serialize;

use crate::args::options::OptionArgs;
use crate::args::shared::{FormatArgs, PositionArgs, number};
use crate::output::{CommandResult, Exit, Output, sanitize};

#[derive(Args, Debug)]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Length of the move sequences, in plies
    #[arg(long, short, value_name = "N", value_parser = number::<u32>(0..=99))]
    pub(crate) depth: u32,

    /// Also print the count of each first move
    #[arg(long)]
    pub(crate) divide: bool,

    #[command(flatten)]
    pub(crate) threads: OptionArgs<Threads>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Runs `pdn perft`.
pub(crate) fn run(args: &PerftArgs, out: &mut Output) -> CommandResult {
    let answer = args.answer(&mut out.context())?;
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

/// Depth below which one thread counts as fast as several.
const MIN_PARALLEL_DEPTH: u32 = 4;
/// Time after which progress is reported.
const PROGRESS_AFTER: Duration = Duration::from_millis(500);

/// The number of sequences of legal moves.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PerftCount {
    /// The name of the variant, or the GameType value of the rules.
    variant: String,
    /// The position as a FEN.
    fen: String,
    /// The depth: the length of the sequences of legal moves in plies.
    depth: u32,
    /// The number of these sequences.
    nodes: u64,
    /// The time that it took, in seconds.
    seconds: f64,
    /// The first moves by the numbers of their squares, if they were asked for. JSON has them in lines of their own.
    #[serde(skip)]
    moves: Vec<PerftMove>,
}

/// A first move and the number of sequences that begin with it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PerftMove {
    /// The move.
    #[serde(rename = "move")]
    text: String,
    /// The number of sequences.
    nodes: u64,
}

impl PerftArgs {
    /// Counts the sequences. What is unusual about the position is a problem of the context.
    ///
    /// # Errors
    ///
    /// If the position is wrong, the captures of some position on the way need too many search nodes, or the work was stopped.
    fn answer(&self, context: &mut Context<'_>) -> Result<PerftCount> {
        let mut warnings = Vec::new();
        let request = self.position.read();
        let position = request.position(&mut warnings);
        warnings.iter().for_each(|warning| context.events.problem(warning));
        let position = position?;
        let threads = self.threads.number();
        let start = Instant::now();
        let counts = count(&position, self.depth, threads, context)?;
        // The only sequence of no moves is the empty one.
        let nodes = if self.depth == 0 { 1 } else { counts.iter().map(|(_, nodes)| nodes).sum() };
        let moves = if self.divide { divided(&position, &counts)? } else { Vec::new() };
        Ok(PerftCount {
            variant: request.rules.name,
            fen: position.fen(),
            depth: self.depth,
            nodes,
            seconds: start.elapsed().as_secs_f64(),
            moves,
        })
    }
}

/// Returns the first moves in their order.
fn divided(position: &Position, counts: &[(Move, u64)]) -> Result<Vec<PerftMove>> {
    let moves = counts.iter().map(|(mv, _)| *mv).collect::<Vec<_>>();
    let sorted = sorted_moves(&moves, &position.names()).into_iter();
    let divided = sorted.map(|mv| {
        let nodes = counts.iter().find(|(other, _)| *other == mv).map_or(0, |(_, nodes)| *nodes);
        Ok(PerftMove { text: move_text(position, &mv, MoveStyle::Shortest)?, nodes })
    });
    divided.collect()
}

/// Returns each legal move with the number of sequences of `depth` moves that begin with it, counted on several threads.
fn count(
    position: &Position,
    depth: u32,
    threads: NonZeroUsize,
    context: &mut Context<'_>,
) -> Result<Vec<(Move, u64)>> {
    if depth < MIN_PARALLEL_DEPTH {
        return Ok(divide(position, depth, DEFAULT_CAPTURE_NODES)?);
    }
    // A job for every pair of first moves: there are many more of them than threads, and of similar size.
    let mut counts = divide(position, 1, DEFAULT_CAPTURE_NODES)?;
    let mut jobs = Vec::new();
    for (first, (mv, nodes)) in counts.iter_mut().enumerate() {
        *nodes = 0;
        let after = position.after_unchecked(mv);
        jobs.extend(
            divide(&after, 1, DEFAULT_CAPTURE_NODES)?
                .iter()
                .map(|(reply, _)| (first, after.after_unchecked(reply))),
        );
    }
    let total = jobs.len() as u64;
    let (start, mut done, mut failed) = (Instant::now(), 0, None);
    pool::ordered(
        jobs,
        threads,
        || (),
        |(), (first, after)| (first, perft(&after, depth - 2, DEFAULT_CAPTURE_NODES)),
        |(first, nodes)| {
            done += 1;
            match nodes {
                Ok(nodes) => counts[first].1 += nodes,
                Err(limit) => failed = Some(AppError::from(limit)),
            }
            if context.stop.is_requested() {
                failed = Some(AppError::stopped());
            }
            if start.elapsed() >= PROGRESS_AFTER {
                context.events.steps(done, total);
            }
            if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    context.events.end();
    failed.map_or(Ok(counts), Err)
}
