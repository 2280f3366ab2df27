//! Finds all positions of games at which a query is true.

use std::ops::ControlFlow;

use super::first_match::Scratch;
use super::line_marks::{FoundHit, LineMarks};
use super::scan_games::GameScanner;
use super::segment_plan::{EvalStrategy, SegmentPlan};
use crate::pack::CorruptMoves;
use crate::query::earlier::EarlierGames;
use crate::query::eval::{BATCH_LEN, GameTrace, LineContext, TemporalPlan};
use crate::query::playable_game::PlayableGame;
use pdn_rules::internal::board::Geometry;

/// A scanner that finds all matches of each game. It plays every game to its end.
// Twin: naive evaluation in tests/it/query_naive; test: any_query_matches_as_the_naive_evaluation.
#[derive(Debug)]
pub(in crate::query) struct AllMatchScan<'a> {
    /// The plan for each segment of the index.
    pub(in crate::query) segments: &'a [SegmentPlan<'a>],
    /// The earlier games with each position; needed if the query counts them.
    pub(in crate::query) earlier: Option<&'a EarlierGames>,
}

/// The matches in some games.
#[derive(Default)]
pub(in crate::query) struct AllMatches {
    /// The segment, the game in the segment, and each match.
    pub(in crate::query) hits: Vec<(usize, u32, FoundHit)>,
    /// The number of positions tested.
    pub(in crate::query) positions: u64,
    scratch: Scratch,
}

impl GameScanner for AllMatchScan<'_> {
    type Found = AllMatches;

    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        found: &mut AllMatches,
    ) -> Result<(), CorruptMoves> {
        let segment = &self.segments[game.segment];
        let Some(plan) = segment.of_kind::<G>(game.kind) else { return Err(CorruptMoves) };
        if !plan.may_match(game.bytes) {
            return Ok(());
        }
        let AllMatches { hits, positions, scratch } = found;
        let hit = |ply: u32| (game.segment, game.game, FoundHit::in_main_line(ply));
        if let (true, Some(earlier)) = (plan.is_novelty, self.earlier) {
            hits.extend(earlier.first_new_position(game)?.map(hit));
            return Ok(());
        }
        let mut set = |ply: u32, matches: bool| {
            // A setup replaces the position that was passed with the same ply.
            if hits.last() == Some(&hit(ply)) {
                hits.pop();
            }
            if matches {
                hits.push(hit(ply));
            }
            ControlFlow::Continue(())
        };
        let marks = plan.marks.as_ref();
        let last = match &plan.strategy {
            EvalStrategy::Board(tests) => game.positions(|state, _, ply| set(ply, tests.matches(state)))?,
            EvalStrategy::Counts([first, second]) => {
                game.positions(|_, counts, ply| set(ply, first.matches(counts) && second.matches(counts)))?
            }
            EvalStrategy::Batches(plan) => {
                if scratch.test_game(segment, plan, game)? == Some(false) {
                    return Ok(());
                }
                let (mut line, trace) = scratch.line::<G>(plan, game, self.earlier)?;
                let marks = match marks {
                    None => None,
                    Some(marks) => Some((
                        marks,
                        LineMarks::find(marks, &segment.marked, game, &line, self.earlier, trace)?,
                    )),
                };
                line.marked = marks.as_ref().map_or(&[], |(_, found)| found.main());
                trace.clear(plan, game.is_continuous);
                let plies = if plan.tests_moves() {
                    matches_in_batches::<G, true>(game, plan, &line, trace)?
                } else {
                    matches_in_batches::<G, false>(game, plan, &line, trace)?
                };
                let place = |ply: u32| match &marks {
                    None => hit(ply),
                    Some((marks, found)) => (game.segment, game.game, found.hit(marks, ply)),
                };
                hits.extend(trace.take_matches().into_iter().map(place));
                plies
            }
        };
        *positions += u64::from(last) + 1;
        Ok(())
    }
}

/// Evaluates a plan on all positions of a game; the trace keeps the matches. Returns the number of plies.
fn matches_in_batches<G: Geometry, const MOVES: bool>(
    game: &PlayableGame<'_, G>,
    plan: &TemporalPlan<G::Bits>,
    line: &LineContext<'_>,
    trace: &mut GameTrace<G::Bits>,
) -> Result<u32, CorruptMoves> {
    let mut at = 0;
    let last = game.plies(|ply| {
        trace.push::<MOVES>(at, ply);
        at += 1;
        if at % BATCH_LEN == 0 {
            trace.flush_all(plan, line);
        }
        ControlFlow::Continue(())
    })?;
    trace.finish_all(plan, line, at, &last);
    Ok(at as u32)
}
