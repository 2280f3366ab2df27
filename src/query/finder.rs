//! The loop that looks for the first position of each game, at the speed of playing.

use std::any::Any;
use std::fmt;
use std::ops::ControlFlow;

use roaring::RoaringBitmap;

use super::course::{GameTrace, TemporalPlan};
use super::expression::Query;
use super::games::GameSelector;
use super::mask::{CountTest, TurnTests};
use super::needs::MaterialBounds;
use super::opening::StepSumTest;
use super::program::CompiledQuery;
use super::record::LEN;
use super::visit::{GameScanner, PlayableGame};
use crate::board::{Bits, Board, Eight, EightFull, Geometry, Ten, TenByEight, Twelve};
use crate::error::Result;
use crate::index::GameKind;
use crate::pack::{CorruptMoves, RunningPieceCounts};
use crate::position::State;

/// A question for the games of one segment.
#[derive(Debug)]
pub(super) struct SegmentPlan {
    /// For each kind.
    plans: Vec<Plans>,
    /// Sets of games that are asked for in the course of it.
    sets: Vec<RoaringBitmap>,
    /// What is needed of any game, for people.
    pub(super) needs: MaterialBounds,
}

/// A question for the games of one kind, for the word of its board.
#[derive(Debug, Default)]
struct Plans {
    narrow: Option<Plan<u64>>,
    wide: Option<Plan<u128>>,
}

impl Plans {
    fn of<B: Bits>(plan: Plan<B>) -> Self {
        let mut plans = Self::default();
        let mut plan = Some(plan);
        if let Some(narrow) = (&mut plans.narrow as &mut dyn Any).downcast_mut() {
            *narrow = plan.take();
        } else if let Some(wide) = (&mut plans.wide as &mut dyn Any).downcast_mut() {
            *wide = plan.take();
        }
        plans
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn on<B: Bits>(&self) -> Option<&Plan<B>> {
        let narrow = (&self.narrow as &dyn Any).downcast_ref::<Option<Plan<B>>>();
        narrow.or_else(|| (&self.wide as &dyn Any).downcast_ref())?.as_ref()
    }
}

/// A question for the games of one kind.
#[derive(Debug)]
struct Plan<B> {
    way: EvalStrategy<B>,
    opening: Option<StepSumTest<B>>,
    needs: MaterialBounds,
    /// The last ply at which it may be true.
    end: u32,
}

/// How a game is looked through.
#[derive(Debug)]
enum EvalStrategy<B> {
    /// The question is one mask, asked while playing.
    Mask(TurnTests<B>),
    /// It is two counts, asked while playing.
    Counts([CountTest; 2]),
    /// It is asked of many positions at once.
    Course(TemporalPlan<B>),
}

impl SegmentPlan {
    pub(super) fn new(query: &Query, games: &GameSelector<'_>) -> Result<Self> {
        let mut sets = Vec::new();
        let mut needs = MaterialBounds::NEVER;
        let mut plans = Vec::new();
        for kind in games.kinds() {
            let (plan, needed) = match kind.variant.board() {
                Board::Eight => plan::<Eight>(query, kind, games, &mut sets)?,
                Board::EightFull => plan::<EightFull>(query, kind, games, &mut sets)?,
                Board::TenByEight => plan::<TenByEight>(query, kind, games, &mut sets)?,
                Board::Ten => plan::<Ten>(query, kind, games, &mut sets)?,
                Board::Twelve => plan::<Twelve>(query, kind, games, &mut sets)?,
            };
            needs = needs.or(needed);
            plans.push(plan);
        }
        Ok(Self { plans, sets, needs })
    }
}

fn plan<G: Geometry>(
    query: &Query,
    kind: &GameKind,
    games: &GameSelector<'_>,
    sets: &mut Vec<RoaringBitmap>,
) -> Result<(Plans, MaterialBounds)> {
    let program = CompiledQuery::<G::Bits>::new::<G>(query, kind, games, sets)?;
    let needs = program.needs::<G>();
    let mask = program.mask();
    let start = State::start(&kind.variant.rules(), kind.numbering.start);
    let opening = mask.and_then(|mask| StepSumTest::new::<G>(&mask, &start, &kind.variant.rules()));
    let end = if program.is_local() { program.end() } else { u32::MAX };
    let way = match (mask, program.counts()) {
        (Some(mask), _) => EvalStrategy::Mask(mask.into()),
        (_, Some(counts)) => EvalStrategy::Counts(counts),
        _ => EvalStrategy::Course(TemporalPlan::new(program)),
    };
    Ok((Plans::of(Plan { way, opening, needs, end }), needs))
}

/// Finds the first position of every game at which a question is true.
#[derive(Debug)]
pub(super) struct FirstMatchScan {
    pub(super) segments: Vec<SegmentPlan>,
}

/// What was found in some games.
#[derive(Default)]
pub(super) struct Found {
    /// Segment, game and ply.
    pub(super) hits: Vec<(usize, u32, u32)>,
    /// Positions that were looked at.
    pub(super) positions: u64,
    scratch: Scratch,
}

#[derive(Default)]
struct Scratch {
    member: Vec<bool>,
    /// A [`GameTrace`] of the board last needed.
    trace: Option<Box<dyn Any + Send>>,
}

impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Found").field("hits", &self.hits).finish_non_exhaustive()
    }
}

impl GameScanner for FirstMatchScan {
    type Found = Found;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        found: &mut Found,
    ) -> std::result::Result<(), CorruptMoves> {
        let segment = &self.segments[game.segment];
        let plan = segment.plans.get(game.kind).and_then(Plans::on::<G::Bits>);
        let Some(plan) = plan else { return Err(CorruptMoves) };
        let hit = plan.first::<G>(game, segment, found)?;
        if let Some(ply) = hit {
            found.hits.push((game.segment, game.game, ply));
        }
        Ok(())
    }
}

impl<B: Bits> Plan<B> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn first<G: Geometry<Bits = B>>(
        &self,
        game: &PlayableGame<'_, G>,
        segment: &SegmentPlan,
        found: &mut Found,
    ) -> std::result::Result<Option<u32>, CorruptMoves> {
        if let (Some(opening), true) = (&self.opening, game.plain) {
            let Some(plies) = opening.plies_in(game.bytes) else { return Ok(None) };
            // Each of them is a byte.
            let part =
                PlayableGame { bytes: game.bytes.get(..plies as usize).unwrap_or(game.bytes), ..*game };
            let last = part.plies(|_| ControlFlow::Continue(()))?;
            found.positions += u64::from(plies) + 1;
            return Ok(opening.is(&last).then_some(plies));
        }
        let limits = Limits::new(&self.needs, game.plain && self.needs.stops_early(), self.end);
        match &self.way {
            EvalStrategy::Mask(mask) => look::<G>(game, &limits, found, |state, _| mask.fits(state)),
            EvalStrategy::Counts([one, other]) => {
                look::<G>(game, &limits, found, |_, strength| one.fits(strength) && other.fits(strength))
            }
            EvalStrategy::Course(course) => {
                let mut scratch = std::mem::take(&mut found.scratch);
                scratch.member.clear();
                scratch.member.extend(segment.sets.iter().map(|set| set.contains(game.game)));
                let hit = if course.has_moves() {
                    follow::<G, true>(game, course, &limits, &mut scratch, found)
                } else {
                    follow::<G, false>(game, course, &limits, &mut scratch, found)
                };
                found.scratch = scratch;
                hit
            }
        }
    }
}

/// Where a game need not be played on.
struct Limits {
    /// With fewer pieces on either side.
    least: [u32; 2],
    /// After this ply.
    end: u32,
}

impl Limits {
    fn new(needs: &MaterialBounds, stop: bool, end: u32) -> Self {
        Self { least: if stop { [needs.least[1], needs.least[3]] } else { [0; 2] }, end }
    }

    /// Whether a position is the last that may be it. The side that has just moved has lost nothing.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn are_reached<B: Bits>(&self, state: &State<B>, strength: RunningPieceCounts, ply: u32) -> bool {
        (strength.pieces(state.turn) < self.least[state.turn as usize]) | (ply >= self.end)
    }

    /// Whether no position from this one on may be it, when so many pieces are left.
    fn are_passed(&self, left: [u32; 2], ply: usize) -> bool {
        left[0] < self.least[0] || left[1] < self.least[1] || ply > self.end as usize
    }
}

/// The first position at which `holds` is true.
#[inline(never)]
fn look<G: Geometry>(
    game: &PlayableGame<'_, G>,
    limits: &Limits,
    found: &mut Found,
    holds: impl Fn(&State<G::Bits>, RunningPieceCounts) -> bool,
) -> std::result::Result<Option<u32>, CorruptMoves> {
    let mut hit = false;
    let ply = game.positions(|state, strength, ply| {
        hit = holds(state, strength);
        if hit || limits.are_reached(state, strength, ply) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    found.positions += u64::from(ply) + 1;
    Ok(hit.then_some(ply))
}

/// The first position at which a question is true, asked of as many as a record holds at once.
#[inline(never)]
fn follow<G: Geometry, const MOVES: bool>(
    game: &PlayableGame<'_, G>,
    course: &TemporalPlan<G::Bits>,
    limits: &Limits,
    scratch: &mut Scratch,
    found: &mut Found,
) -> std::result::Result<Option<u32>, CorruptMoves> {
    let boxed = scratch.trace.take().and_then(|boxed| boxed.downcast::<GameTrace<G::Bits>>().ok());
    let mut boxed = boxed.unwrap_or_else(|| Box::new(GameTrace::new()));
    let (trace, member) = (&mut *boxed, &scratch.member);
    trace.clear(course);
    let (mut at, mut hit, mut over) = (0, None, false);
    let last = game.plies(|ply| {
        trace.push::<MOVES>(at, ply);
        at += 1;
        if at % LEN == 0 {
            hit = trace.flush(course, member);
            over = course.is_local() && limits.are_passed(trace.left(at - 1), at);
            if hit.is_some() | over {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    })?;
    let ends = hit.is_none() && !over;
    if ends {
        hit = trace.finish(course, member, at, &last);
    }
    found.positions += at as u64 + u64::from(ends);
    scratch.trace = Some(boxed);
    Ok(hit)
}
