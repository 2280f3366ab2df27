//! Counts the sequences of legal moves from a position.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pdn::internal::pool;
use pdn::movegen::{DEFAULT_CAPTURE_NODES, divide, perft};
use pdn::notation::{MoveStyle, move_text};
use pdn::position::{Move, Position};
use serde::Serialize;

use crate::context::Context;
use crate::error::{AppError, Result};
use crate::moves::PositionRequest;
use crate::words::sorted_moves;

/// Depth below which one thread counts as fast as several.
const MIN_PARALLEL_DEPTH: u32 = 4;
/// Time after which progress is reported.
const PROGRESS_AFTER: Duration = Duration::from_millis(500);

/// Asks for the number of sequences of legal moves.
#[derive(Clone, Debug)]
pub struct PerftRequest {
    /// The position before the first move.
    pub position: PositionRequest,
    /// Length of the sequences in plies.
    pub depth: u32,
    /// Whether the first moves are counted one by one, too.
    pub divide: bool,
    /// Number of threads.
    pub threads: NonZeroUsize,
}

/// The number of sequences of legal moves.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PerftCount {
    /// The name of the variant, or the GameType value of the rules.
    pub variant: String,
    /// The position as a FEN.
    pub fen: String,
    /// Length of the sequences in plies.
    pub depth: u32,
    /// The number of sequences.
    pub nodes: u64,
    /// The time that it took, in seconds.
    pub seconds: f64,
    /// The first moves by the numbers of their squares, if they were asked for. JSON has them in lines of their own.
    #[serde(skip)]
    pub moves: Vec<PerftMove>,
}

/// A first move and the number of sequences that begin with it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PerftMove {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// The number of sequences.
    pub nodes: u64,
}

impl PerftRequest {
    /// Counts the sequences. What is unusual about the position is a problem of the context.
    ///
    /// # Errors
    ///
    /// If the position is wrong, the captures of some position on the way need too many search nodes, or the work was stopped.
    pub fn run(&self, context: &mut Context<'_>) -> Result<PerftCount> {
        let mut warnings = Vec::new();
        let position = self.position.position(&mut warnings);
        warnings.iter().for_each(|warning| context.events.problem(warning));
        let position = position?;
        let start = Instant::now();
        let counts = count(&position, self.depth, self.threads, context)?;
        // The only sequence of no moves is the empty one.
        let nodes = if self.depth == 0 { 1 } else { counts.iter().map(|(_, nodes)| nodes).sum() };
        let moves = if self.divide { divided(&position, &counts)? } else { Vec::new() };
        Ok(PerftCount {
            variant: self.position.rules.name.clone(),
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
