//! The legal move that a written one means, found without listing all moves.
//!
//! The common cases, a man's quiet move and a single jump, take a few dozen instructions without an unpredictable
//! branch. Where a capture may go on or a flying king is on the board, the captures are searched, and only the
//! candidates are kept. Nothing is allocated.

use std::fmt;

use super::generate::{can_capture, king_targets};
use super::jumps::Jumps;
use super::paths::{Agreement, Trail, agreement};
use super::search::{CaptureLimit, Search, Sink};
use super::side::{Axes, Side, View, each, for_side, last_row};
use crate::board::{Bits, Geometry, Square};
use crate::position::{Move, State};
use crate::rules::{Precedence, Ruleset};

/// Why a written move is not one legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum FindError {
    /// No legal move goes there.
    Illegal,
    /// A legal move goes there, but none over the squares that are written.
    OtherPath,
    /// Several captures go there, and the squares that are written do not tell them apart.
    Ambiguous,
    /// The captures of this position are too many to be searched.
    Limit,
}

impl fmt::Display for FindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Illegal => f.write_str("no legal move goes there"),
            Self::OtherPath => f.write_str("no legal capture goes over these squares"),
            Self::Ambiguous => f.write_str("several captures go there"),
            Self::Limit => CaptureLimit.fmt(f),
        }
    }
}

impl std::error::Error for FindError {}

impl From<CaptureLimit> for FindError {
    fn from(_: CaptureLimit) -> Self {
        Self::Limit
    }
}

/// The one legal move from a square to a square.
///
/// # Errors
/// When there is none or more than one, or the search had to be given up.
#[inline(always)]
pub fn find<R: Ruleset>(
    rules: R,
    state: &State<<R::Geometry as Geometry>::Bits>,
    from: Square,
    to: Square,
    capture_nodes: u32,
) -> Result<Move<<R::Geometry as Geometry>::Bits>, FindError> {
    for_side!(state.turn, S => {
        if R::FIXED {
            let (mv, sure) = quick::<R, S>(rules, View::of::<S>(state), from, to);
            if sure {
                return Ok(mv);
            }
        }
        slow::<R, S>(rules, state, from, to, &[], capture_nodes)
    })
}

/// The one legal move from a square to a square over other squares.
///
/// `via` are the squares written between the first and the last. They agree with a capture if its path leads
/// over them in that order, landing there or not, or if all of them are squares of captured pieces in whatever
/// order; so chains of every square, of turning squares only and of captured squares are understood. A capture
/// whose chain is written exactly so goes before those that merely agree. An empty `via` agrees with everything.
///
/// # Errors
/// As [`find`], and where the squares agree with no capture.
pub fn find_via<R: Ruleset>(
    rules: R,
    state: &State<<R::Geometry as Geometry>::Bits>,
    from: Square,
    to: Square,
    via: &[Square],
    capture_nodes: u32,
) -> Result<Move<<R::Geometry as Geometry>::Bits>, FindError> {
    for_side!(state.turn, S => slow::<R, S>(rules, state, from, to, via, capture_nodes))
}

/// The move if it is a man's quiet move or a single jump that nothing can compete with; else nonsense and
/// `false`, which says nothing about legality.
#[inline(always)]
fn quick<R: Ruleset, S: Side>(
    rules: R,
    view: View<<R::Geometry as Geometry>::Bits>,
    from: Square,
    to: Square,
) -> (Move<<R::Geometry as Geometry>::Bits>, bool) {
    type BitsOf<R> = <<R as Ruleset>::Geometry as Geometry>::Bits;
    let axes = Axes::of::<R, S>(rules);
    let movement = axes.movement;
    let (f, t) = (BitsOf::<R>::one(from.0) & view.own, BitsOf::<R>::one(to.0) & R::Geometry::VALID);
    let none = BitsOf::<R>::NONE;
    let jumps = Jumps::of::<R, S>(rules, view);
    let man = f & !view.kings;
    let king = f & view.kings;
    let empty = R::Geometry::VALID & !(view.own | view.opp);

    let (mut steps, mut victim) = (none, none);
    each!(axes.man_steps, d => { steps |= R::Geometry::step(man, d); });
    each!(axes.man_captures, d => {
        let over = R::Geometry::step(f & jumps.men[d], d);
        victim |= over & R::Geometry::step(t, d ^ 1);
    });
    if !movement.flying {
        each!(movement.king_moves, d => { steps |= R::Geometry::step(king, d); });
        each!(movement.king_captures, d => {
            let over = R::Geometry::step(f & jumps.kings[d], d);
            victim |= over & R::Geometry::step(t, d ^ 1);
        });
    }
    // Where the number decides, a longer capture of any piece interferes; elsewhere only one of this piece, which
    // may have to go on or come to the same square another way.
    let movers = if movement.precedence.prefers_more() { jumps.any } else { jumps.any & f };
    let going = jumps.going_on::<R, S>(rules, movers, movers);

    let flyers = movement.flying && (view.own & view.kings).any();
    let ranked = movement.precedence.looks_at_kings() && view.kings.any();
    let limited = movement.king_streak != 0 && view.kings.any();
    let quiet = !jumps.any.any() & (steps & t & empty).any();
    let single = victim.any() & !going.any.any() & !ranked;
    let sure = (quiet | single) & !flyers & !limited;
    let promotes = (man & !view.kings).any() & (t & last_row::<R::Geometry, S>()).any();
    (Move { captured: victim, from, to, promotes }, sure)
}

/// Decides what [`quick`] could not.
#[cold]
#[inline(never)]
fn slow<R: Ruleset, S: Side>(
    rules: R,
    state: &State<<R::Geometry as Geometry>::Bits>,
    from: Square,
    to: Square,
    via: &[Square],
    capture_nodes: u32,
) -> Result<Move<<R::Geometry as Geometry>::Bits>, FindError> {
    type BitsOf<R> = <<R as Ruleset>::Geometry as Geometry>::Bits;
    let view = View::of::<S>(state);
    let (f, t) = (BitsOf::<R>::one(from.0), BitsOf::<R>::one(to.0));
    if from.0 >= 128 || to.0 >= 128 || !(f & view.own).any() {
        return Err(FindError::Illegal);
    }
    let axes = Axes::of::<R, S>(rules);
    let jumps = Jumps::of::<R, S>(rules, view);
    if !can_capture::<R, S>(rules, view, &jumps) {
        let blocked = state.blocked_king(axes.movement.king_streak);
        let mut targets = BitsOf::<R>::NONE;
        let king = (f & view.kings).any();
        if king {
            targets = king_targets(rules, view, from.0);
        } else {
            each!(axes.man_steps, d => { targets |= R::Geometry::step(f, d); });
        }
        let legal = (targets & t & R::Geometry::VALID & !(view.own | view.opp) & !(blocked & f)).any();
        if !legal || (f & blocked).any() {
            return Err(FindError::Illegal);
        }
        // A quiet move has no squares between.
        if !via.is_empty() {
            return Err(FindError::OtherPath);
        }
        let promotes = !king && (t & last_row::<R::Geometry, S>()).any();
        return Ok(Move::quiet(from.0, to.0, promotes));
    }
    // Where precedence does not compare pieces, the others need not be searched.
    let only = match axes.movement.precedence {
        Precedence::Free => f,
        _ => R::Geometry::VALID,
    };
    let mut candidates = Candidates::<R> {
        rules,
        from,
        to,
        via,
        trail: Trail::new(from),
        best: Agreement::None,
        one: None,
        ambiguous: false,
    };
    Search::<R, S, dyn Sink<_>>::run(rules, view, &jumps, only, capture_nodes, &mut candidates)?;
    match candidates {
        Candidates { ambiguous: true, .. } => Err(FindError::Ambiguous),
        Candidates { one: Some(mv), .. } => Ok(mv),
        Candidates { best: Agreement::Ends, .. } => Err(FindError::OtherPath),
        _ => Err(FindError::Illegal),
    }
}

/// Keeps of all captures the one that is asked for.
struct Candidates<'a, R: Ruleset> {
    rules: R,
    from: Square,
    to: Square,
    via: &'a [Square],
    trail: Trail,
    /// How well the best capture so far agrees with what is written.
    best: Agreement,
    one: Option<Move<<R::Geometry as Geometry>::Bits>>,
    ambiguous: bool,
}

impl<B: Bits, R: Ruleset> Sink<B> for Candidates<'_, R>
where
    R::Geometry: Geometry<Bits = B>,
{
    fn enter(&mut self, landing: u8, victim: u8) {
        if !self.via.is_empty() {
            self.trail.enter(landing, victim);
        }
    }

    fn leave(&mut self) {
        if !self.via.is_empty() {
            self.trail.leave();
        }
    }

    fn clear(&mut self) {
        (self.one, self.ambiguous, self.best) = (None, false, Agreement::None);
    }

    fn add(&mut self, mv: Move<B>, _repeats: bool) -> u32 {
        if mv.from != self.from || mv.to != self.to {
            return 0;
        }
        let agrees = if self.via.is_empty() {
            Agreement::Exact
        } else {
            agreement(self.rules, self.from, &self.trail, mv.captured, self.via)
        };
        if agrees < self.best {
            return 1;
        }
        if agrees > self.best {
            (self.one, self.ambiguous, self.best) = (None, false, agrees);
        }
        if agrees == Agreement::Ends {
            return 1;
        }
        match self.one {
            None => self.one = Some(mv),
            Some(one) => self.ambiguous |= one != mv,
        }
        1
    }
}
