//! The loop that looks for the first position of each game, at the speed of playing.

use std::any::Any;
use std::fmt;
use std::ops::ControlFlow;

use roaring::RoaringBitmap;

use super::expression::Query;
use super::games::Games;
use super::mask::{Count, TurnMask};
use super::needs::Needs;
use super::opening::Opening;
use super::program::{Here, Program};
use super::quick::Quick;
use super::trace::Trace;
use super::visit::{Played, Visitor};
use crate::board::{Bits, Board, Eight, EightFull, Geometry, Ten, TenByEight, Twelve};
use crate::error::Result;
use crate::index::Kind;
use crate::index::packed::{Corrupt, Ply, Strength};
use crate::position::State;

/// A question for the games of one segment.
#[derive(Debug)]
pub(super) struct SegmentPlan {
    /// For each kind.
    plans: Vec<Plans>,
    /// Sets of games that are asked for in the course of it.
    sets: Vec<RoaringBitmap>,
    /// What is needed of any game, for people.
    pub(super) needs: Needs,
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

    #[inline(always)]
    fn on<B: Bits>(&self) -> Option<&Plan<B>> {
        let narrow = (&self.narrow as &dyn Any).downcast_ref::<Option<Plan<B>>>();
        narrow.or_else(|| (&self.wide as &dyn Any).downcast_ref())?.as_ref()
    }
}

/// A question for the games of one kind.
#[derive(Debug)]
struct Plan<B> {
    program: Program<B>,
    way: Way<B>,
    opening: Option<Opening<B>>,
    needs: Needs,
    /// The last ply at which it may be true.
    end: u32,
}

/// How a game is looked through.
#[derive(Debug)]
enum Way<B> {
    /// The question is one mask.
    Mask(TurnMask<B>),
    /// It is two counts.
    Counts([Count; 2]),
    /// It is a few tests.
    Quick(Quick<B>),
    /// A position and its ply tell, if they pass these.
    Local(Quick<B>),
    /// A run of so many positions more tells, each looked at in one of the ways above.
    Streak(Box<Self>, u32),
    /// All positions together tell, if one passes these.
    Trace(Option<Quick<B>>),
}

impl<B: Bits> Way<B> {
    fn new(program: &Program<B>) -> Self {
        if let Program::For(inner, plies) = program {
            let of = Self::new(inner);
            if matches!(of, Self::Mask(_) | Self::Counts(_) | Self::Quick(_)) {
                return Self::Streak(Box::new(of), *plies);
            }
        }
        if !program.is_local() {
            return Self::Trace(program.guard());
        }
        let quick = Quick::new(program);
        match (quick.mask(), quick.counts()) {
            _ if !quick.is_exact() || quick.has_moves() => Self::Local(quick),
            (Some(mask), _) => Self::Mask(mask.into()),
            (_, Some(counts)) => Self::Counts(counts),
            _ => Self::Quick(quick),
        }
    }
}

impl SegmentPlan {
    pub(super) fn new(query: &Query, games: &Games<'_>) -> Result<Self> {
        let mut sets = Vec::new();
        let mut needs = Needs::NEVER;
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
    kind: &Kind,
    games: &Games<'_>,
    sets: &mut Vec<RoaringBitmap>,
) -> Result<(Plans, Needs)> {
    let program = Program::<G::Bits>::new::<G>(query, kind, games, sets)?;
    let needs = program.needs::<G>();
    let way = Way::new(&program);
    let start = State::start(&kind.variant.rules(), kind.numbering.start);
    let mask = Quick::new(&program).mask().filter(|_| matches!(way, Way::Mask(_)));
    let opening = mask.and_then(|mask| Opening::new::<G>(&mask, &start, &kind.variant.rules()));
    let end = match &way {
        Way::Quick(quick) | Way::Local(quick) => quick.end(),
        _ => u32::MAX,
    };
    Ok((Plans::of(Plan { program, way, opening, needs, end }), needs))
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
        let plan = segment.plans.get(game.kind).and_then(Plans::on::<G::Bits>);
        let Some(plan) = plan else { return Err(Corrupt) };
        let hit = plan.first::<G>(game, segment, found)?;
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
        found: &mut Found,
    ) -> std::result::Result<Option<u32>, Corrupt> {
        if let (Some(opening), true) = (&self.opening, game.plain) {
            let Some(plies) = opening.plies_in(game.bytes) else { return Ok(None) };
            // Each of them is a byte.
            let part = Played { bytes: game.bytes.get(..plies as usize).unwrap_or(game.bytes), ..*game };
            let last = part.plies(|_| ControlFlow::Continue(()))?;
            found.positions += u64::from(plies) + 1;
            return Ok(opening.is(&last).then_some(plies));
        }
        let limits = Limits::new(&self.needs, game.plain && self.needs.stops_early(), self.end);
        match &self.way {
            Way::Mask(mask) => look::<G>(game, &limits, found, |here| mask.fits(&here.state)),
            Way::Counts([one, other]) => {
                look::<G>(game, &limits, found, |here| one.fits(here.strength) && other.fits(here.strength))
            }
            Way::Quick(quick) => look::<G>(game, &limits, found, |here| quick.fits(here)),
            Way::Streak(of, plies) => match &**of {
                Way::Mask(mask) => streak::<G>(game, &limits, found, *plies, |here| mask.fits(&here.state)),
                Way::Counts([one, other]) => streak::<G>(game, &limits, found, *plies, |here| {
                    one.fits(here.strength) && other.fits(here.strength)
                }),
                Way::Quick(quick) => streak::<G>(game, &limits, found, *plies, |here| quick.fits(here)),
                _ => self.slow::<G>(game, segment, &limits, found),
            },
            Way::Local(_) | Way::Trace(_) => self.slow::<G>(game, segment, &limits, found),
        }
    }

    /// Questions that are more than a few tests.
    #[inline(never)]
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
        let hit = match &self.way {
            Way::Local(quick) => first::<G>(game, limits, found, |here| {
                quick.fits(here) && (quick.is_exact() || program.holds(here, member))
            }),
            Way::Trace(Some(guard)) if look::<G>(game, limits, found, |here| guard.fits(here))?.is_none() => {
                Ok(None)
            }
            _ => self.trace::<G>(game, &mut scratch, found),
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
            trace.push(ply);
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
    /// With fewer pieces on either side.
    least: [u32; 2],
    /// After this ply.
    end: u32,
}

impl Limits {
    fn new(needs: &Needs, stop: bool, end: u32) -> Self {
        Self { least: if stop { [needs.least[1], needs.least[3]] } else { [0; 2] }, end }
    }

    /// Whether a position is the last that may be it. The side that has just moved has lost nothing.
    #[inline(always)]
    fn are_reached<B: Bits>(&self, state: &State<B>, strength: Strength, ply: u32) -> bool {
        (strength.pieces(state.turn) < self.least[state.turn as usize]) | (ply >= self.end)
    }
}

/// A position on the way through a game.
struct On<'a, B> {
    state: State<B>,
    strength: Strength,
    ply: u32,
    next: Option<&'a Ply<B>>,
}

impl<B: Bits> Here<B> for On<'_, B> {
    #[inline(always)]
    fn state(&self) -> &State<B> {
        &self.state
    }

    #[inline(always)]
    fn strength(&self) -> Strength {
        self.strength
    }

    #[inline(always)]
    fn ply(&self) -> u32 {
        self.ply
    }

    #[inline(always)]
    fn last(&self) -> bool {
        self.next.is_none()
    }

    #[inline(always)]
    fn next(&self) -> Option<&Ply<B>> {
        self.next
    }
}

/// The first position at which `holds` is true.
#[inline(never)]
fn look<G: Geometry>(
    game: &Played<'_, G>,
    limits: &Limits,
    found: &mut Found,
    holds: impl Fn(&On<'_, G::Bits>) -> bool,
) -> std::result::Result<Option<u32>, Corrupt> {
    let mut hit = false;
    let ply = game.positions(|state, strength, ply| {
        hit = holds(&On { state: *state, strength, ply, next: None });
        if hit || limits.are_reached(state, strength, ply) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    found.positions += u64::from(ply) + 1;
    Ok(hit.then_some(ply))
}

/// The first position at which `holds` is true and stays so for `plies` more.
#[inline(never)]
fn streak<G: Geometry>(
    game: &Played<'_, G>,
    limits: &Limits,
    found: &mut Found,
    plies: u32,
    holds: impl Fn(&On<'_, G::Bits>) -> bool,
) -> std::result::Result<Option<u32>, Corrupt> {
    let (mut since, mut hit) = (0, false);
    // Where another position takes the place of one, what was known before that counts.
    let (mut known, mut at) = (0, 0);
    let ply = game.positions(|state, strength, ply| {
        (known, at) = if ply == at { (known, at) } else { (since, ply) };
        let fits = holds(&On { state: *state, strength, ply, next: None });
        since = if fits { known } else { ply + 1 };
        hit = since.saturating_add(plies) <= ply;
        if hit || limits.are_reached(state, strength, ply) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    found.positions += u64::from(ply) + 1;
    Ok(hit.then_some(since))
}

/// The first position at which `holds` is true, given the ply that follows.
#[inline(never)]
fn first<G: Geometry>(
    game: &Played<'_, G>,
    limits: &Limits,
    found: &mut Found,
    holds: impl Fn(&On<'_, G::Bits>) -> bool,
) -> std::result::Result<Option<u32>, Corrupt> {
    let mut ply = 0;
    let (mut hit, mut over) = (false, false);
    let last = game.plies(|next| {
        let here = On { state: next.before(), strength: next.had(), ply, next: Some(next) };
        hit = holds(&here);
        over = limits.are_reached(&here.state, here.strength, ply);
        if hit | over {
            return ControlFlow::Break(());
        }
        ply += 1;
        ControlFlow::Continue(())
    })?;
    found.positions += u64::from(ply) + 1;
    if !hit && !over {
        hit = holds(&On { state: last, strength: Strength::of(&last), ply, next: None });
    }
    Ok(hit.then_some(ply))
}
