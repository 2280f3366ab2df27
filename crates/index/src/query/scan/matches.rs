//! Finds the positions of games at which a query is true: the first of each game, or all.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use super::GameScanner;
use super::line_marks::{FoundHit, LineMarks};
use super::segment_plan::{EvalStrategy, GameTest, KindPlan, SegmentPlan};
use crate::earlier::{EarlierGames, EarlierNumbers};
use crate::pack::game::PlayableGame;
use crate::pack::{CorruptMoves, RunningPieceCounts};
use crate::query::eval::{BATCH_LEN, GameTrace, LineContext, Marks, MaterialBounds, TemporalPlan};
use pdn_rules::internal::board::{Bits, BoardFamily, Geometry, PerBoard};
use pdn_rules::internal::position::State;

/// A scanner that finds the first match of each game.
#[derive(Debug)]
pub(in crate::query) struct FirstMatchScan<'a> {
    /// The plan for each segment of the index.
    pub(in crate::query) segments: Vec<SegmentPlan<'a>>,
    /// The earlier games with each position; needed if the query counts them.
    pub(in crate::query) earlier: OnceLock<Arc<EarlierGames>>,
}

/// The matches in some games.
#[derive(Default)]
pub(in crate::query) struct FirstMatches {
    /// The segment, the game in the segment, and the first match.
    pub(in crate::query) hits: Vec<(usize, u32, FoundHit)>,
    /// The number of positions tested.
    pub(in crate::query) positions: u64,
    scratch: Scratch,
}

/// Memory that is reused from game to game.
#[derive(Default)]
pub(super) struct Scratch {
    membership: Vec<bool>,
    /// The numbers of earlier games of the main line.
    earlier: EarlierNumbers,
    /// A trace for each board, made when it is first needed.
    traces: PerBoard<Traces>,
}

impl Scratch {
    /// Finds out which conditions on games of a plan are true for the game, and whether they decide the query: `Some` if it has
    /// this value at all positions.
    ///
    /// # Errors
    /// [`CorruptMoves`] if the moves have to be unpacked and cannot be.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn test_game<G: Geometry>(
        &mut self,
        segment: &SegmentPlan<'_>,
        plan: &TemporalPlan<G::Bits>,
        game: &PlayableGame<'_, G>,
    ) -> std::result::Result<Option<bool>, CorruptMoves> {
        self.membership.clear();
        if segment.game_tests.is_empty() {
            return Ok(None);
        }
        for test in &segment.game_tests {
            self.membership.push(match test {
                GameTest::Set(games) => games.contains(game.game),
                GameTest::Opening(kinds) => {
                    let test = kinds.get(game.kind).ok_or(CorruptMoves)?;
                    test.matches(game.codec, game.start, game.bytes)?
                }
            });
        }
        Ok(plan.value_in_game(&self.membership))
    }

    /// Returns the context of the main line without its marks, with the numbers of earlier games if the plan counts them, and the trace
    /// for its board.
    ///
    /// # Errors
    /// [`CorruptMoves`] if the moves have to be unpacked and cannot be.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn line<G: Geometry>(
        &mut self,
        plan: &TemporalPlan<G::Bits>,
        game: &PlayableGame<'_, G>,
        earlier: Option<&EarlierGames>,
    ) -> std::result::Result<(LineContext<'_>, &mut GameTrace<G::Bits>), CorruptMoves> {
        let Self { membership, traces, earlier: numbers } = self;
        let mut line = LineContext::unmarked(membership);
        if let Some(earlier) = earlier.filter(|_| plan.counts_earlier_games()) {
            earlier.count(game, numbers)?;
            line.earlier = &numbers.numbers;
        }
        Ok((line, &mut **G::entry_mut(traces).get_or_insert_with(|| Box::new(GameTrace::new()))))
    }
}

/// The family of the traces of games.
struct Traces;

impl BoardFamily for Traces {
    type Of<G: Geometry> = Option<Box<GameTrace<G::Bits>>>;
}

impl fmt::Debug for FirstMatches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FirstMatches").field("hits", &self.hits).finish_non_exhaustive()
    }
}

impl GameScanner for FirstMatchScan<'_> {
    type Found = FirstMatches;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        found: &mut FirstMatches,
    ) -> std::result::Result<(), CorruptMoves> {
        let segment = &self.segments[game.segment];
        let Some(plan) = segment.of_kind::<G>(game.kind) else { return Err(CorruptMoves) };
        let earlier = self.earlier.get().map(Arc::as_ref);
        let hit = plan.first_match::<G>(game, segment, earlier, found)?;
        if let Some(hit) = hit {
            found.hits.push((game.segment, game.game, hit));
        }
        Ok(())
    }
}

impl<B: Bits> KindPlan<B> {
    /// Returns the first match in a game.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn first_match<G: Geometry<Bits = B>>(
        &self,
        game: &PlayableGame<'_, G>,
        segment: &SegmentPlan<'_>,
        earlier: Option<&EarlierGames>,
        found: &mut FirstMatches,
    ) -> std::result::Result<Option<FoundHit>, CorruptMoves> {
        if let (true, Some(earlier)) = (self.is_novelty, earlier) {
            return Ok(earlier.first_new_position(game)?.map(FoundHit::in_main_line));
        }
        if let (Some(step_sums), true) = (&self.step_sums, game.is_continuous) {
            let Some(plies) = step_sums.candidate_ply(game.bytes) else { return Ok(None) };
            // All plies before the position are steps, one byte each.
            let opening =
                PlayableGame { bytes: game.bytes.get(..plies as usize).unwrap_or(game.bytes), ..*game };
            let last = opening.plies(|_| ControlFlow::Continue(()))?;
            found.positions += u64::from(plies) + 1;
            return Ok(step_sums.matches(&last).then_some(FoundHit::in_main_line(plies)));
        }
        if !self.may_match(game.bytes) {
            return Ok(None);
        }
        let stop =
            StopBounds::new(&self.bounds, game.is_continuous && self.bounds.stops_early(), self.last_ply);
        let ply = match &self.strategy {
            EvalStrategy::Board(tests) => {
                test_positions::<G>(game, &stop, found, |state, _| tests.matches(state))
            }
            EvalStrategy::Counts([first, second]) => test_positions::<G>(game, &stop, found, |_, counts| {
                first.matches(counts) && second.matches(counts)
            }),
            EvalStrategy::Batches(plan) => {
                let FirstMatches { positions, scratch, .. } = found;
                match scratch.test_game(segment, plan, game)? {
                    Some(false) => return Ok(None),
                    // The hit may lie in a variation.
                    Some(true) if self.marks.is_none() => return Ok(Some(FoundHit::default())),
                    _ => {}
                }
                let (mut line, trace) = scratch.line::<G>(plan, game, earlier)?;
                let marks = match &self.marks {
                    None => None,
                    Some(marks) => {
                        Some(LineMarks::find(marks, &segment.marked, game, &line, earlier, trace)?)
                    }
                };
                line.marked = marks.as_ref().map_or(&[], LineMarks::main);
                let ply = if plan.tests_moves() {
                    test_batches::<G, true>(game, plan, &stop, &line, trace, positions)
                } else {
                    test_batches::<G, false>(game, plan, &stop, &line, trace, positions)
                }?;
                if let (Some(ply), Some(marks), Some(found)) = (ply, &self.marks, &marks) {
                    let hits = place_hits(&[ply], game, plan, (marks, found), line, trace)?;
                    return Ok(hits.first().copied());
                }
                Ok(ply)
            }
        };
        Ok(ply?.map(FoundHit::in_main_line))
    }
}

/// Bounds after which no further position of a game can match, so that it need not be played on.
struct StopBounds {
    /// The least pieces of White and of Black.
    min_pieces: [u32; 2],
    last_ply: u32,
}

impl StopBounds {
    /// Creates the bounds; piece counts are compared only if `stop_early`.
    fn new(bounds: &MaterialBounds, stop_early: bool, last_ply: u32) -> Self {
        Self { min_pieces: if stop_early { [bounds.min[1], bounds.min[3]] } else { [0; 2] }, last_ply }
    }

    /// Returns `true` if no position after this one can match. Only the side to move may have just lost pieces.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end_at<B: Bits>(&self, state: &State<B>, counts: RunningPieceCounts, ply: u32) -> bool {
        (counts.pieces(state.turn) < self.min_pieces[state.turn as usize]) | (ply >= self.last_ply)
    }

    /// Returns `true` if no position from `ply` on can match, when the position before it has these pieces.
    fn end_before(&self, pieces: [u32; 2], ply: usize) -> bool {
        pieces[0] < self.min_pieces[0] || pieces[1] < self.min_pieces[1] || ply > self.last_ply as usize
    }
}

/// Returns the ply of the first position at which `matches` is true.
#[inline(never)]
fn test_positions<G: Geometry>(
    game: &PlayableGame<'_, G>,
    stop: &StopBounds,
    found: &mut FirstMatches,
    matches: impl Fn(&State<G::Bits>, RunningPieceCounts) -> bool,
) -> std::result::Result<Option<u32>, CorruptMoves> {
    let mut is_hit = false;
    let ply = game.positions(|state, counts, ply| {
        is_hit = matches(state, counts);
        if is_hit || stop.end_at(state, counts, ply) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    found.positions += u64::from(ply) + 1;
    Ok(is_hit.then_some(ply))
}

/// Returns the ply of the first position at which a plan is true, tested in batches.
#[inline(never)]
fn test_batches<G: Geometry, const MOVES: bool>(
    game: &PlayableGame<'_, G>,
    plan: &TemporalPlan<G::Bits>,
    stop: &StopBounds,
    line: &LineContext<'_>,
    trace: &mut GameTrace<G::Bits>,
    positions: &mut u64,
) -> std::result::Result<Option<u32>, CorruptMoves> {
    trace.clear(plan, game.is_continuous);
    let (mut at, mut hit, mut stopped) = (0, None, false);
    let last = game.plies(|ply| {
        trace.push::<MOVES>(at, ply);
        at += 1;
        if at % BATCH_LEN == 0 {
            hit = trace.flush(plan, line);
            stopped = plan.is_local() && stop.end_before(trace.piece_counts(at - 1), at);
            if hit.is_some() | stopped {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    })?;
    let played_to_end = hit.is_none() && !stopped;
    if played_to_end {
        hit = trace.finish(plan, line, at, &last);
    }
    *positions += at as u64 + u64::from(played_to_end);
    Ok(hit)
}

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
                let (plies, matches) = all_matches(game, plan, &line, trace)?;
                match &marks {
                    None => hits.extend(matches.into_iter().map(hit)),
                    Some((marks, found)) => {
                        let placed = place_hits(&matches, game, plan, (marks, found), line, trace)?;
                        hits.extend(placed.into_iter().map(|hit| (game.segment, game.game, hit)));
                    }
                }
                plies
            }
        };
        *positions += u64::from(last) + 1;
        Ok(())
    }
}

/// Returns where the hits of a query lie that is true at these positions of the main line: in a variation if only that makes it true.
fn place_hits<G: Geometry>(
    plies: &[u32],
    game: &PlayableGame<'_, G>,
    plan: &TemporalPlan<G::Bits>,
    (marks, found): (&Marks<G::Bits>, &LineMarks),
    line: LineContext<'_>,
    trace: &mut GameTrace<G::Bits>,
) -> Result<Vec<FoundHit>, CorruptMoves> {
    let mut hits: Vec<FoundHit> = plies.iter().map(|&ply| found.hit(marks, ply)).collect();
    if marks.hits.has_alternatives && hits.iter().any(|hit| hit.line != 0) {
        let marked = found.without_variations(marks);
        let (_, main) = all_matches(game, plan, &LineContext { marked: &marked, ..line }, trace)?;
        for (hit, ply) in hits.iter_mut().zip(plies).filter(|(_, ply)| main.binary_search(ply).is_ok()) {
            *hit = FoundHit::in_main_line(*ply);
        }
    }
    Ok(hits)
}

/// Returns the number of plies of a game, and the positions at which a plan is true, in ascending order.
fn all_matches<G: Geometry>(
    game: &PlayableGame<'_, G>,
    plan: &TemporalPlan<G::Bits>,
    line: &LineContext<'_>,
    trace: &mut GameTrace<G::Bits>,
) -> Result<(u32, Vec<u32>), CorruptMoves> {
    trace.clear(plan, game.is_continuous);
    let plies = if plan.tests_moves() {
        matches_in_batches::<G, true>(game, plan, line, trace)?
    } else {
        matches_in_batches::<G, false>(game, plan, line, trace)?
    };
    Ok((plies, trace.take_matches()))
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
