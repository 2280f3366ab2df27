//! Decides the legality of steps and single jumps without a capture search, where no other capture can take
//! precedence.
//!
//! Nine moves of ten are of this kind. A few dozen instructions decide them. The only branches are whether a piece
//! steps or jumps, and whether the move is decided here at all; all other moves are left to the search. What a move
//! changes follows from its two squares alone, so the next move need not wait for the proof that this one is legal.

// Twin: `legal_moves`; tests: `find_returns_exactly_the_legal_moves`,
// `generator_equals_naive_twin_in_every_variant`.

use super::generate::flying_king_targets;
use super::generate::kings_can_capture;
use super::jumps::{Jumps, any_jump};
use super::side::{Axes, Side, View, each, last_row};
use crate::board::{Bits, Directions, Geometry, Square};
use crate::rules::{BitsOf, MidPromotion, Precedence, Ruleset};

/// Returns the captured piece of a step (none) or a single jump, if it is legal and no other capture can take
/// precedence. `None` if that is not certain here; the move may still be legal.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn simple_move_captures<R: Ruleset, S: Side>(
    rules: R,
    view: View<BitsOf<R>>,
    from: Square,
    to: Square,
) -> Option<BitsOf<R>> {
    let mv = MoveInPosition::<R>::of::<S>(view, from, to);
    if !mv.has_valid_ends() {
        return None;
    }
    if rules.movement().flying && mv.king {
        return if mv.slides(rules) && mv.step_is_legal::<S>(rules) { Some(Bits::NONE) } else { None };
    }
    if mv.is_step::<S>(rules) {
        return if mv.step_is_legal::<S>(rules) { Some(Bits::NONE) } else { None };
    }
    let jumped_square = mv.jumped_piece::<S>(rules)?;
    if mv.may_be_superseded::<S>(rules, jumped_square) { None } else { Some(jumped_square) }
}

/// The lengths of steps and single jumps, on boards without wraps. A length is the difference of two bits plus 32;
/// each possible length sets one bit.
#[derive(Clone, Copy)]
pub(super) struct StepDistances {
    steps: u64,
    jumps: u64,
}

impl StepDistances {
    /// Returns the lengths for men of a side and, with `KINGS`, for kings that do not fly. There are no jumps with
    /// `KINGS` if precedence depends on kings.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of<R: Ruleset, S: Side, const KINGS: bool>(rules: R) -> Self {
        let axes = Axes::of::<R, S>(rules);
        let movement = axes.movement;
        let mut steps = distances::<R>(axes.man_steps, 1);
        let mut jumps = distances::<R>(axes.man_captures, 2);
        if KINGS && !movement.flying {
            steps |= distances::<R>(movement.king_moves, 1);
            jumps |= distances::<R>(movement.king_captures, 2);
        }
        if KINGS && movement.precedence.looks_at_kings() {
            jumps = 0;
        }
        Self { steps, jumps }
    }

    /// Returns 1 if a move has the length of a step or a jump, else 0.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_near(self, from: u64, to: u64) -> u64 {
        (self.steps | self.jumps) >> ((32 + to).wrapping_sub(from) & 63) & 1
    }

    /// Returns the set of the square halfway if the move has the length of a jump, else 0.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn jumped_square(self, from: u64, to: u64) -> u64 {
        let jump = self.jumps >> ((32 + to).wrapping_sub(from) & 63) & 1;
        (1 << (((from + to) / 2) & 63)) & jump.wrapping_neg()
    }
}

/// Returns `true` if a flying king reaches `to` from `from` without meeting a piece.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn slides<R: Ruleset, S: Side>(rules: R, view: View<BitsOf<R>>, from: Square, to: Square) -> bool {
    MoveInPosition::<R>::of::<S>(view, from, to).slides(rules)
}

/// Returns the difference between the bits of two squares plus 32. It is 64 or more only for moves that are neither
/// step nor jump.
#[cfg_attr(not(debug_assertions), inline(always))]
fn distance(from: Square, to: Square) -> u32 {
    (32 + u32::from(to.0)).wrapping_sub(u32::from(from.0))
}

/// Returns the square halfway between two squares that are a jump apart, on boards without wraps.
#[cfg_attr(not(debug_assertions), inline(always))]
fn halfway<B: Bits>(from: Square, to: Square) -> B {
    B::one(((u32::from(from.0) + u32::from(to.0)) / 2) as u8)
}

/// Returns the lengths of moves by this number of steps in one of these directions, one bit for each length plus
/// 32.
#[cfg_attr(not(debug_assertions), inline(always))]
fn distances<R: Ruleset>(directions: Directions, steps: i32) -> u64 {
    let mut lengths = 0;
    each!(directions, d => { lengths |= 1 << (32 + steps * R::Geometry::LAYOUT.shift(d)); });
    lengths
}

/// Returns the empty set if a step, a slide of a flying king or a jump with these captured pieces is legal. Any other set if
/// that is not certain here; the move may still be legal.
///
/// Has no branch, so that many moves can be decided at once. Everything that speaks against the move is a word as wide as a
/// board: truth values would have to be converted between vectors of different widths.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn simple_move_doubts<R: Ruleset, S: Side>(
    rules: R,
    view: View<BitsOf<R>>,
    from: Square,
    to: Square,
    captured: BitsOf<R>,
) -> BitsOf<R> {
    let movement = rules.movement();
    let none = BitsOf::<R>::NONE;
    let mv = MoveInPosition::<R>::of::<S>(view, from, to);
    let king = BitsOf::<R>::all_if(mv.king);
    let jumps = Jumps::of::<R, S>(rules, view);
    let flying_captures = if movement.flying { flying_king_targets(rules, view) } else { none };
    let capturable = if movement.man_takes_king { view.opp } else { view.opp & !(view.kings & !king) };
    let superseding = if movement.precedence.prefers_more() {
        flying_captures | jumps.continuing::<R, S>(rules, jumps.any, jumps.any).any
    } else {
        let by_kings = if movement.precedence.looks_at_kings() { flying_captures } else { none };
        mv.continuations::<S>(rules, captured) | by_kings
    };
    let quiet = BitsOf::<R>::all_if(!captured.any());
    // Beyond 63 for moves that are neither steps nor jumps; a flying king may go anywhere.
    let far =
        BitsOf::<R>::narrow(u128::from(mv.distance() >> 6)) & if movement.flying { !king } else { !none };
    (mv.start & !view.own)
        | (mv.target & !mv.empty)
        | far
        | (quiet & (jumps.any | flying_captures))
        | (!quiet & superseding)
        | (captured & !capturable)
}

/// A written move together with its position.
#[derive(Clone, Copy)]
struct MoveInPosition<R: Ruleset> {
    view: View<BitsOf<R>>,
    empty: BitsOf<R>,
    from: Square,
    to: Square,
    start: BitsOf<R>,
    target: BitsOf<R>,
    /// `true` if a king of either side stands on the start square.
    king: bool,
}

impl<R: Ruleset> MoveInPosition<R> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of<S: Side>(view: View<BitsOf<R>>, from: Square, to: Square) -> Self {
        let (start, target) = (Bits::one(from.0), Bits::one(to.0));
        let empty = R::Geometry::VALID & !(view.own | view.opp);
        Self { view, empty, from, to, start, target, king: (start & view.kings).any() }
    }

    /// Returns `true` if an own piece stands on the start square and the target is empty.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn has_valid_ends(&self) -> bool {
        (self.start & self.view.own).any() & (self.target & self.empty).any()
    }

    /// Returns `true` if the piece moves to a neighbouring square; always `false` for flying kings.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_step<S: Side>(&self, rules: R) -> bool {
        let axes = Axes::of::<R, S>(rules);
        let by_king = !axes.movement.flying && self.king && self.leads_to_target(axes.movement.king_moves, 1);
        by_king | (!self.king & self.leads_to_target(axes.man_steps, 1))
    }

    /// Returns `true` if the target is this number of steps from the start in one of these directions. Exact for
    /// one step between squares of the board, and for two steps if there is a square halfway.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn leads_to_target(&self, directions: Directions, steps: i32) -> bool {
        let mut wraps = false;
        each!(directions, d => { wraps |= R::Geometry::WRAPS[d].any(); });
        if !wraps {
            // Shifts are constant, so the length of the move gives its direction.
            let distance = self.distance();
            return (distance < 64) & (distances::<R>(directions, steps) >> (distance & 63) & 1 != 0);
        }
        let mut reached = BitsOf::<R>::NONE;
        each!(directions, d => {
            let one_step = R::Geometry::step(self.start, d);
            reached |= if steps == 1 { one_step } else { R::Geometry::step(one_step, d) };
        });
        (reached & self.target).any()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn distance(&self) -> u32 {
        distance(self.from, self.to)
    }

    /// Returns `true` if a flying king reaches the target without meeting a piece.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn slides(&self, rules: R) -> bool {
        let occupied = self.view.own | self.view.opp;
        let mut is_free = false;
        each!(rules.movement().king_moves, d => {
            let ray = R::Geometry::ray(d, self.from.0);
            let passed = ray & !R::Geometry::ray(d, self.to.0);
            is_free |= (ray & self.target).any() & !(passed & occupied).any();
        });
        is_free
    }

    /// Returns `true` if a step is legal because nothing can be captured. `false` if that is not certain here.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn step_is_legal<S: Side>(&self, rules: R) -> bool {
        let movement = rules.movement();
        // King counters are not known here.
        let limited = movement.king_streak != 0 && self.king;
        !any_jump::<R, S>(rules, self.view) && !limited && !kings_can_capture::<R, S>(rules, self.view)
    }

    /// Returns the jumped piece if the move is a jump over a neighbour by a man or by a king that does not fly.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn jumped_piece<S: Side>(&self, rules: R) -> Option<BitsOf<R>> {
        let axes = Axes::of::<R, S>(rules);
        let movement = axes.movement;
        let man_capturable =
            if movement.man_takes_king { self.view.opp } else { self.view.opp & !self.view.kings };
        let mut wraps = false;
        each!(axes.man_captures, d => { wraps |= R::Geometry::WRAPS[d].any(); });
        if wraps {
            // The boards have wraps, so the square between is found by steps.
            let mut jumped_square = BitsOf::<R>::NONE;
            each!(axes.man_captures, d => {
                let between = R::Geometry::step(self.start, d) & R::Geometry::step(self.target, d ^ 1);
                jumped_square |= between & man_capturable & Bits::all_if(!self.king);
            });
            if !movement.flying {
                each!(movement.king_captures, d => {
                    let between = R::Geometry::step(self.start, d) & R::Geometry::step(self.target, d ^ 1);
                    jumped_square |= between & self.view.opp & Bits::all_if(self.king);
                });
            }
            return jumped_square.any().then_some(jumped_square);
        }
        let halfway: BitsOf<R> = halfway(self.from, self.to);
        let by_man =
            !self.king & (halfway & man_capturable).any() & self.leads_to_target(axes.man_captures, 2);
        let by_king = !movement.flying
            && self.king & (halfway & self.view.opp).any() & self.leads_to_target(movement.king_captures, 2);
        if by_man | by_king { Some(halfway) } else { None }
    }

    /// Returns `true` if another capture may take precedence, if the piece may have to continue, or if it may reach
    /// the target by another path.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn may_be_superseded<S: Side>(&self, rules: R, jumped_square: BitsOf<R>) -> bool {
        let movement = rules.movement();
        let view = self.view;
        // If captures are compared, a flying king may have a better one. If precedence depends on kings, any king
        // may matter.
        let precedence = movement.precedence;
        let kings_compete = match precedence {
            Precedence::Free => false,
            _ if precedence.looks_at_kings() => view.kings.any(),
            _ => kings_can_capture::<R, S>(rules, view),
        };
        let longer = if precedence.prefers_more() {
            // Any piece with a longer capture takes precedence.
            let jumps = Jumps::of::<R, S>(rules, view);
            jumps.continuing::<R, S>(rules, jumps.any, jumps.any).any.any()
        } else {
            self.may_continue::<S>(rules, jumped_square)
        };
        longer | kings_compete
    }

    /// Returns `true` if a piece that has jumped over `jumped_square` to the target may have to continue, or may
    /// reach the target by another path.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn may_continue<S: Side>(&self, rules: R, jumped_square: BitsOf<R>) -> bool {
        self.continuations::<S>(rules, jumped_square).any()
    }

    /// Returns the squares on which further jumps would land, after a jump over `jumped_square` or instead of it; with the target
    /// if a man continues from there as a king.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn continuations<S: Side>(&self, rules: R, jumped_square: BitsOf<R>) -> BitsOf<R> {
        let axes = Axes::of::<R, S>(rules);
        let movement = axes.movement;
        let none = BitsOf::<R>::NONE;
        let king = BitsOf::<R>::all_if(self.king);
        let last = last_row::<R::Geometry, S>();
        let mut jumps = none;
        // The piece may continue from the target, or leave the start in another direction. Such a detour takes two
        // jumps in opposite directions, so a man that only captures forward has none.
        let has_detour = axes.man_captures.contains(axes.man_captures.turned());
        let stops = movement.mid_promotion == MidPromotion::Stops;
        let after = if stops && !has_detour { self.target & !last } else { self.target };
        let man = (after | if has_detour { self.start } else { none }) & !king;
        let capturable =
            if movement.man_takes_king { self.view.opp } else { self.view.opp & !self.view.kings };
        let capturable = capturable & !jumped_square;
        each!(axes.man_captures, d => {
            jumps |= R::Geometry::step(R::Geometry::step(man, d) & capturable, d) & self.empty;
        });
        if !movement.flying {
            let king = (self.start | self.target) & king;
            let capturable = self.view.opp & !jumped_square;
            each!(movement.king_captures, d => {
                jumps |= R::Geometry::step(R::Geometry::step(king, d) & capturable, d) & self.empty;
            });
        }
        if movement.mid_promotion == MidPromotion::GoesOnAsKing {
            jumps |= self.target & last & !king;
        }
        jumps
    }
}
