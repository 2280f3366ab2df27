//! The legal move that a written one means, found without listing all moves.
//!
//! The common cases, a man's quiet move and a single jump, take a few dozen instructions without an unpredictable
//! branch. Where a capture may go on or a flying king is on the board, the captures are searched, and only the
//! candidates are kept. Nothing is allocated.

use std::fmt;

use super::generate::{can_capture, king_targets, kings_can_capture};
use super::jumps::{Jumps, any_jump};
use super::paths::{Agreement, Trail, agreement};
use super::search::{CaptureLimit, Search, Sink};
use super::side::{Axes, Side, View, each, for_side, last_row};
use crate::board::{Bits, Geometry, Square};
use crate::position::{Move, State, Streak};
use crate::rules::{MidPromotion, Precedence, Ruleset};
use crate::value::Colour;

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
        match among_men::<R, S>(rules, state, from, to) {
            Some(mv) => Ok(mv),
            None => among_kings::<R, S>(rules, state, from, to, capture_nodes),
        }
    })
}

/// [`find`] and [`State::play`] in one, the fastest way to replay a game. The state stays as it is when there is
/// no such move.
///
/// # Errors
/// As [`find`].
#[inline(always)]
pub fn advance<R: Ruleset>(
    rules: R,
    state: &mut State<<R::Geometry as Geometry>::Bits>,
    from: Square,
    to: Square,
    capture_nodes: u32,
) -> Result<Move<<R::Geometry as Geometry>::Bits>, FindError> {
    for_side!(state.turn, S => {
        if let Some(mv) = among_men::<R, S>(rules, state, from, to) {
            // A man's move on a board without kings: most of what playing does is not needed.
            let to_bit = <R::Geometry as Geometry>::Bits::one(to.0);
            let side = S::BLACK as usize;
            // A circular capture needs more than one jump, so the ends differ.
            state.pieces[side] ^= <R::Geometry as Geometry>::Bits::one(from.0) | to_bit;
            state.pieces[1 - side] &= !mv.captured;
            state.kings = to_bit & last_row::<R::Geometry, S>();
            state.turn = if S::BLACK { Colour::White } else { Colour::Black };
            if rules.movement().king_streak != 0 {
                state.streaks[side] = Streak::default();
            }
            return Ok(mv);
        }
        let mv = among_kings::<R, S>(rules, state, from, to, capture_nodes)?;
        state.play(rules, &mv);
        Ok(mv)
    })
}

/// The move where there is no king on the board and the case is simple; `None` says nothing.
#[inline(always)]
fn among_men<R: Ruleset, S: Side>(
    rules: R,
    state: &State<<R::Geometry as Geometry>::Bits>,
    from: Square,
    to: Square,
) -> Option<Move<<R::Geometry as Geometry>::Bits>> {
    if !R::FIXED || state.kings.any() {
        return None;
    }
    // That there are no kings is written as a constant, so that all that has to do with them vanishes.
    let view = View { kings: <R::Geometry as Geometry>::Bits::NONE, ..View::of::<S>(state) };
    simple::<R, S>(rules, view, from, to)
}

/// The same with kings on the board, and then the search.
#[inline(never)]
fn among_kings<R: Ruleset, S: Side>(
    rules: R,
    state: &State<<R::Geometry as Geometry>::Bits>,
    from: Square,
    to: Square,
    capture_nodes: u32,
) -> Result<Move<<R::Geometry as Geometry>::Bits>, FindError> {
    if R::FIXED
        && state.kings.any()
        && let Some(mv) = simple::<R, S>(rules, View::of::<S>(state), from, to)
    {
        return Ok(mv);
    }
    slow::<R, S>(rules, state, from, to, &[], capture_nodes)
}

/// The move if it is a step or a single jump that nothing can compete with; `None` says nothing about legality.
#[inline(always)]
fn simple<R: Ruleset, S: Side>(
    rules: R,
    view: View<<R::Geometry as Geometry>::Bits>,
    from: Square,
    to: Square,
) -> Option<Move<<R::Geometry as Geometry>::Bits>> {
    let ends = Ends::of::<R, S>(rules, view, from, to);
    let mut mv = Move { captured: <R::Geometry as Geometry>::Bits::NONE, from, to, promotes: ends.promotes };
    if ends.is_step {
        return if ends.step_is_legal::<R, S>(rules) { Some(mv) } else { None };
    }
    mv.captured = ends.sure_jump::<R, S>(rules, from, to);
    if mv.captured.any() { Some(mv) } else { None }
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

/// A move as written, looked at in its position.
#[derive(Clone, Copy)]
struct Ends<B> {
    view: View<B>,
    empty: B,
    /// The piece if it is a man of the side to move.
    man: B,
    /// The piece if it is a king of the side to move.
    king: B,
    /// Where it is to go.
    target: B,
    /// Whether the piece steps to a neighbouring square, be it free or not. Flying kings do not count.
    is_step: bool,
    /// Whether a man reaches the last row.
    promotes: bool,
}

impl<B: Bits> Ends<B> {
    #[inline(always)]
    fn of<R: Ruleset, S: Side>(rules: R, view: View<B>, from: Square, to: Square) -> Self
    where
        R::Geometry: Geometry<Bits = B>,
    {
        let axes = Axes::of::<R, S>(rules);
        let (piece, target) = (B::one(from.0) & view.own, B::one(to.0));
        let (man, king) = (piece & !view.kings, piece & view.kings);
        let mut steps = B::NONE;
        each!(axes.man_steps, d => { steps |= R::Geometry::step(man, d); });
        if !axes.movement.flying {
            each!(axes.movement.king_moves, d => { steps |= R::Geometry::step(king, d); });
        }
        Self {
            view,
            empty: R::Geometry::VALID & !(view.own | view.opp),
            man,
            king,
            target,
            is_step: (steps & target).any(),
            promotes: man.any() & (target & last_row::<R::Geometry, S>()).any(),
        }
    }

    /// Whether a step is legal: the square is free and nothing can be captured. `false` may also mean that it
    /// is not that simple.
    #[inline(always)]
    fn step_is_legal<R: Ruleset, S: Side>(&self, rules: R) -> bool
    where
        R::Geometry: Geometry<Bits = B>,
    {
        let movement = rules.movement();
        let limited = movement.king_streak != 0 && !movement.flying && self.king.any();
        let free = (self.target & self.empty).any() & !any_jump::<R, S>(rules, self.view);
        free && !limited && !kings_can_capture::<R, S>(rules, self.view)
    }

    /// The victim if the move is a jump over one piece that is legal beyond doubt; else nothing, which does not
    /// say that it is illegal.
    #[inline(always)]
    fn sure_jump<R: Ruleset, S: Side>(&self, rules: R, from: Square, to: Square) -> B
    where
        R::Geometry: Geometry<Bits = B>,
    {
        let movement = rules.movement();
        let view = self.view;
        let victim = self.jumped::<R, S>(rules, from, to) & B::all_if((self.target & self.empty).any());
        // Where pieces are compared, flying kings may have better; where kings count, any king may matter.
        let precedence = movement.precedence;
        let competing = match precedence {
            Precedence::Free => false,
            _ if precedence.looks_at_kings() => view.kings.any(),
            _ => movement.flying && (view.own & view.kings).any(),
        };
        let more = if precedence.prefers_more() {
            // A longer capture of any piece interferes.
            let jumps = Jumps::of::<R, S>(rules, view);
            jumps.going_on::<R, S>(rules, jumps.any, jumps.any).any.any()
        } else {
            self.goes_on::<R, S>(rules, victim)
        };
        victim & B::all_if(!(more | competing))
    }

    /// Whether a piece that has jumped over `victim` to the target must go on, or might come there another way.
    #[inline(always)]
    fn goes_on<R: Ruleset, S: Side>(&self, rules: R, victim: B) -> bool
    where
        R::Geometry: Geometry<Bits = B>,
    {
        let axes = Axes::of::<R, S>(rules);
        let movement = axes.movement;
        let prey = if movement.man_takes_king { self.view.opp } else { self.view.opp & !self.view.kings };
        let prey = prey & !victim;
        let mut jumps = B::NONE;
        // From the target it may go on, from the start it may go another way round. Such a detour takes two
        // jumps in opposite directions, so a man that only captures forward has none.
        let detour = axes.man_captures.contains(axes.man_captures.turned());
        let man_from = if detour { self.man } else { B::NONE };
        let stops = movement.mid_promotion == MidPromotion::Stops;
        let man = if stops && !detour {
            self.target & B::all_if(!self.king.any() & !self.promotes)
        } else {
            (self.target & B::all_if(!self.king.any())) | man_from
        };
        each!(axes.man_captures, d => {
            jumps |= R::Geometry::step(R::Geometry::step(man, d) & prey, d) & self.empty;
        });
        if !movement.flying {
            let king = self.king | (self.target & B::all_if(self.king.any()));
            each!(movement.king_captures, d => {
                let prey = self.view.opp & !victim;
                jumps |= R::Geometry::step(R::Geometry::step(king, d) & prey, d) & self.empty;
            });
        }
        let crowned = movement.mid_promotion == MidPromotion::GoesOnAsKing && self.promotes;
        jumps.any() | crowned
    }

    /// The piece between start and target, if the capturing piece may jump that way; whether the target is free
    /// is not asked.
    #[inline(always)]
    fn jumped<R: Ruleset, S: Side>(&self, rules: R, from: Square, to: Square) -> B
    where
        R::Geometry: Geometry<Bits = B>,
    {
        let axes = Axes::of::<R, S>(rules);
        let movement = axes.movement;
        let prey = if movement.man_takes_king { self.view.opp } else { self.view.opp & !self.view.kings };
        let (mut man_jumps, mut king_jumps, mut wraps) = (0u64, 0u64, false);
        each!(axes.man_captures, d => {
            man_jumps |= 1 << (32 + 2 * R::Geometry::LAYOUT.shift(d));
            wraps |= R::Geometry::WRAPS[d].any();
        });
        if !movement.flying {
            each!(movement.king_captures, d => {
                king_jumps |= 1 << (32 + 2 * R::Geometry::LAYOUT.shift(d));
                wraps |= R::Geometry::WRAPS[d].any();
            });
        }
        if !wraps {
            // Shifts are constant, so the victim's bit lies halfway, and the distance names the direction.
            let distance = (32 + u32::from(to.0)).wrapping_sub(u32::from(from.0));
            let halfway = B::one(((u32::from(from.0) + u32::from(to.0)) / 2) as u8);
            let known = |jumps: u64| distance < 64 && jumps >> (distance & 63) & 1 != 0;
            let by_man = halfway & prey & B::all_if(self.man.any() & known(man_jumps));
            if movement.flying {
                return by_man;
            }
            return by_man | (halfway & self.view.opp & B::all_if(self.king.any() & known(king_jumps)));
        }
        let mut victim = B::NONE;
        each!(axes.man_captures, d => {
            victim |= R::Geometry::step(self.man, d) & R::Geometry::step(self.target, d ^ 1) & prey;
        });
        if !movement.flying {
            each!(movement.king_captures, d => {
                victim |= R::Geometry::step(self.king, d) & R::Geometry::step(self.target, d ^ 1) & self.view.opp;
            });
        }
        victim
    }
}

/// Decides what is not that simple.
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
    let trail = if via.is_empty() { None } else { Some(Trail::new()) };
    let mut candidates =
        Candidates::<R> { rules, from, to, via, trail, best: Agreement::None, one: None, ambiguous: false };
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
    /// Where the capture has come by; only where that matters.
    trail: Option<Trail>,
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
        if let Some(trail) = &mut self.trail {
            trail.enter(landing, victim);
        }
    }

    fn leave(&mut self) {
        if let Some(trail) = &mut self.trail {
            trail.leave();
        }
    }

    fn clear(&mut self) {
        (self.one, self.ambiguous, self.best) = (None, false, Agreement::None);
    }

    fn add(&mut self, mv: Move<B>, _repeats: bool) -> u32 {
        if mv.from != self.from || mv.to != self.to {
            return 0;
        }
        let agrees = match &self.trail {
            None => Agreement::Exact,
            Some(trail) => agreement(self.rules, self.from, trail, mv.captured, self.via),
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
