//! The loop that looks for the first position of each game, at the speed of playing.

use std::any::Any;
use std::fmt;
use std::ops::ControlFlow;

use roaring::RoaringBitmap;

use super::expression::Query;
use super::games::Games;
use super::needs::Needs;
use super::opening::{Opening, Sum};
use super::program::{Guard, Here, Program};
use super::trace::Trace;
use super::visit::{Played, Visitor};
use crate::board::{Bits, Board, Eight, EightFull, Geometry, Ten, TenByEight, Twelve};
use crate::error::Result;
use crate::index::Kind;
use crate::index::packed::{Corrupt, Ply};
use crate::position::{Move, State};

/// A question for the games of one segment.
#[derive(Debug)]
pub(super) struct SegmentPlan {
    /// A [`Plan`] for the word of its board, for each kind.
    plans: Vec<Box<dyn Any + Send + Sync>>,
    /// Sets of games that are asked for in the course of it.
    sets: Vec<RoaringBitmap>,
    /// Games with a setup or a null move, where pieces may become more.
    odd: RoaringBitmap,
    /// What is needed of any game, for people.
    pub(super) needs: Needs,
}

/// A question for the games of one kind.
#[derive(Debug)]
struct Plan<B> {
    program: Program<B>,
    guard: Option<Guard<B>>,
    way: Way,
    opening: Option<Opening<B>>,
    needs: Needs,
}

/// How a game is looked through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// The guard is the question.
    Guard,
    /// A position tells.
    Local,
    /// A run of positions tells, each of which the guard is the question for.
    Streak(u32),
    /// All positions together tell.
    Trace,
}

impl SegmentPlan {
    pub(super) fn new(query: &Query, games: &Games<'_>) -> Result<Self> {
        let mut sets = Vec::new();
        let mut needs = Needs::NEVER;
        let mut plans: Vec<Box<dyn Any + Send + Sync>> = Vec::new();
        for kind in games.kinds() {
            let mut add = |(plan, needed): (Box<dyn Any + Send + Sync>, Needs)| {
                needs = needs.or(needed);
                plans.push(plan);
            };
            add(match kind.variant.board() {
                Board::Eight => plan::<Eight>(query, kind, games, &mut sets)?,
                Board::EightFull => plan::<EightFull>(query, kind, games, &mut sets)?,
                Board::TenByEight => plan::<TenByEight>(query, kind, games, &mut sets)?,
                Board::Ten => plan::<Ten>(query, kind, games, &mut sets)?,
                Board::Twelve => plan::<Twelve>(query, kind, games, &mut sets)?,
            });
        }
        Ok(Self { plans, sets, odd: games.odd()?.clone(), needs })
    }
}

fn plan<G: Geometry>(
    query: &Query,
    kind: &Kind,
    games: &Games<'_>,
    sets: &mut Vec<RoaringBitmap>,
) -> Result<(Box<dyn Any + Send + Sync>, Needs)> {
    let program = Program::<G::Bits>::new::<G>(query, kind, games, sets)?;
    let needs = program.needs::<G>();
    let guard = program.guard();
    let bare = |program: &Program<G::Bits>| match program {
        Program::Masks(masks) => masks.len() == 1,
        Program::Count(_) => true,
        _ => false,
    };
    let way = match &program {
        program if bare(program) => Way::Guard,
        program if program.is_local() => Way::Local,
        Program::For(inner, plies) if bare(inner) => Way::Streak(*plies),
        _ => Way::Trace,
    };
    let start = State::start(&kind.variant.rules(), kind.numbering.start);
    let opening = match (way, guard) {
        (Way::Guard, Some(Guard::Mask(mask))) => Opening::new::<G>(&mask, &start, &kind.variant.rules()),
        _ => None,
    };
    Ok((Box::new(Plan { program, guard, way, opening, needs }), needs))
}

/// Finds the first position of every game at which a question is true.
#[derive(Debug)]
pub(super) struct Finder {
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
    /// A [`Trace`] of the board last needed.
    trace: Option<Box<dyn Any + Send>>,
}

impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Found").field("hits", &self.hits).finish_non_exhaustive()
    }
}

impl Visitor for Finder {
    type Found = Found;

    #[inline(always)]
    fn game<G: Geometry>(&self, game: &Played<'_, G>, found: &mut Found) -> std::result::Result<(), Corrupt> {
        let segment = &self.segments[game.segment];
        let plan = segment.plans.get(game.kind).and_then(|plan| plan.downcast_ref::<Plan<G::Bits>>());
        let Some(plan) = plan else { return Err(Corrupt) };
        let odd = !segment.odd.is_empty() && segment.odd.contains(game.game);
        let hit = plan.first::<G>(game, segment, odd, found)?;
        if let Some(ply) = hit {
            found.hits.push((game.segment, game.game, ply));
        }
        Ok(())
    }
}

impl<B: Bits> Plan<B> {
    #[inline(always)]
    fn first<G: Geometry<Bits = B>>(
        &self,
        game: &Played<'_, G>,
        segment: &SegmentPlan,
        odd: bool,
        found: &mut Found,
    ) -> std::result::Result<Option<u32>, Corrupt> {
        let mut end = u32::MAX;
        if let (Some(opening), false) = (&self.opening, odd) {
            match opening.sum(game.bytes) {
                Sum::Never => return Ok(None),
                Sum::Maybe(plies) => end = plies,
            }
        }
        let limits = Limits { needs: self.needs, stop: !odd && self.needs.stops_early(), end };
        match (self.way, self.guard) {
            (Way::Guard, Some(Guard::Mask(mask))) => {
                first::<G>(game, &limits, found, |here| mask.fits(here.state()))
            }
            (Way::Guard, Some(Guard::Count(count))) => {
                first::<G>(game, &limits, found, |here| count.fits(here.state()))
            }
            (Way::Streak(plies), Some(Guard::Mask(mask))) => {
                streak::<G>(game, &limits, found, plies, |here| mask.fits(here.state()))
            }
            (Way::Streak(plies), Some(Guard::Count(count))) => {
                streak::<G>(game, &limits, found, plies, |here| count.fits(here.state()))
            }
            _ => self.slow::<G>(game, segment, &limits, found),
        }
    }

    /// Questions of several parts: a look for the guard first, if there is one.
    fn slow<G: Geometry<Bits = B>>(
        &self,
        game: &Played<'_, G>,
        segment: &SegmentPlan,
        limits: &Limits,
        found: &mut Found,
    ) -> std::result::Result<Option<u32>, Corrupt> {
        let mut scratch = std::mem::take(&mut found.scratch);
        scratch.member.clear();
        scratch.member.extend(segment.sets.iter().map(|set| set.contains(game.game)));
        let member = &scratch.member;
        let program = &self.program;
        let hit = match (self.way, self.guard) {
            (Way::Local, Some(Guard::Mask(mask))) => {
                first::<G>(game, limits, found, |here| mask.fits(here.state()) && program.holds(here, member))
            }
            (Way::Local, Some(Guard::Count(count))) => first::<G>(game, limits, found, |here| {
                count.fits(here.state()) && program.holds(here, member)
            }),
            (Way::Local, None) => first::<G>(game, limits, found, |here| program.holds(here, member)),
            (_, guard) => {
                let maybe = match guard {
                    Some(Guard::Mask(mask)) => {
                        first::<G>(game, limits, found, |here| mask.fits(here.state()))?.is_some()
                    }
                    Some(Guard::Count(count)) => {
                        first::<G>(game, limits, found, |here| count.fits(here.state()))?.is_some()
                    }
                    None => true,
                };
                if maybe { self.trace::<G>(game, &mut scratch, found) } else { Ok(None) }
            }
        };
        found.scratch = scratch;
        hit
    }

    fn trace<G: Geometry<Bits = B>>(
        &self,
        game: &Played<'_, G>,
        scratch: &mut Scratch,
        found: &mut Found,
    ) -> std::result::Result<Option<u32>, Corrupt> {
        let boxed = scratch.trace.take().and_then(|boxed| boxed.downcast::<Trace<B>>().ok());
        let mut trace = boxed.unwrap_or_else(|| Box::new(Trace::new()));
        trace.clear();
        let last = game.plies(|ply| {
            trace.push(ply.before(), ply.mv());
            ControlFlow::Continue(())
        })?;
        trace.finish(last);
        found.positions += trace.len() as u64;
        let hit = trace.first(&self.program, &scratch.member);
        scratch.trace = Some(trace);
        Ok(hit)
    }
}

/// Where a game need not be played on.
struct Limits {
    needs: Needs,
    stop: bool,
    /// The last ply that may be it.
    end: u32,
}

/// A position on the way through a game.
struct On<'a, B> {
    state: State<B>,
    ply: u32,
    next: Option<&'a Ply<B>>,
}

impl<B: Bits> Here<B> for On<'_, B> {
    #[inline(always)]
    fn state(&self) -> &State<B> {
        &self.state
    }

    #[inline(always)]
    fn ply(&self) -> u32 {
        self.ply
    }

    fn last(&self) -> bool {
        self.next.is_none()
    }

    fn next(&self) -> Option<Move<B>> {
        self.next.and_then(Ply::mv)
    }
}

/// The first ply at which `holds` is true.
#[inline(always)]
fn first<G: Geometry>(
    game: &Played<'_, G>,
    limits: &Limits,
    found: &mut Found,
    holds: impl Fn(&On<'_, G::Bits>) -> bool,
) -> std::result::Result<Option<u32>, Corrupt> {
    let mut ply = 0;
    let (mut hit, mut over) = (false, false);
    let last = game.plies(|next| {
        let here = On { state: next.before(), ply, next: Some(next) };
        if holds(&here) {
            hit = true;
            return ControlFlow::Break(());
        }
        if (limits.stop && limits.needs.out_of_reach(&here.state)) | (ply >= limits.end) {
            over = true;
            return ControlFlow::Break(());
        }
        ply += 1;
        ControlFlow::Continue(())
    })?;
    found.positions += u64::from(ply) + 1;
    if !hit && !over {
        hit = holds(&On { state: last, ply, next: None });
    }
    Ok(hit.then_some(ply))
}

/// The first ply at which `holds` is true and stays so for `plies` more.
#[inline(always)]
fn streak<G: Geometry>(
    game: &Played<'_, G>,
    limits: &Limits,
    found: &mut Found,
    plies: u32,
    holds: impl Fn(&On<'_, G::Bits>) -> bool,
) -> std::result::Result<Option<u32>, Corrupt> {
    let mut ply = 0;
    let mut since = 0;
    let (mut hit, mut over) = (false, false);
    let last = game.plies(|next| {
        let here = On { state: next.before(), ply, next: Some(next) };
        since = if holds(&here) { since } else { ply + 1 };
        if since.saturating_add(plies) <= ply {
            hit = true;
            return ControlFlow::Break(());
        }
        if limits.stop && limits.needs.out_of_reach(&here.state) {
            over = true;
            return ControlFlow::Break(());
        }
        ply += 1;
        ControlFlow::Continue(())
    })?;
    found.positions += u64::from(ply) + 1;
    if !hit && !over {
        let here = On { state: last, ply, next: None };
        hit = holds(&here) && since.saturating_add(plies) <= ply;
    }
    Ok(hit.then_some(since))
}
