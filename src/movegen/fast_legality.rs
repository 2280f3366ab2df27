//! The short way to a legal move: steps and single jumps that nothing can compete with.
//!
//! Nine moves of ten are such. A few dozen instructions decide them, and the only branches are whether a piece
//! steps or jumps and whether the case is that simple; what is not is left to the search. What a move changes
//! follows from its two squares alone, so the next move need not wait for the proof that this one is legal.

use super::generate::{flying_king_targets, kings_can_capture};
use super::jumps::{Jumps, any_jump};
use super::side::{Axes, Side, View, each, last_row};
use crate::board::{Bits, Directions, Geometry, Square};
use crate::rules::{BitsOf, MidPromotion, Precedence, Ruleset};

/// What is captured if the move is a step or a single jump that nothing can compete with; `None` says nothing about
/// legality.
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
    let jumped_square = mv.jumped::<S>(rules)?;
    if mv.may_be_superseded::<S>(rules, jumped_square) { None } else { Some(jumped_square) }
}

/// How far steps and single jumps lead, on boards without wraps: distances between squares, 32 added, a bit each.
#[derive(Clone, Copy)]
pub(super) struct StepDistances {
    steps: u64,
    jumps: u64,
}

impl StepDistances {
    /// What men of a side reach, and where there are `KINGS` that do not fly, what these reach too. Without jumps where
    /// precedence looks at them.
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

    /// 1 if a move is as long as a step or a jump, else 0.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_near(self, from: u64, to: u64) -> u64 {
        (self.steps | self.jumps) >> ((32 + to).wrapping_sub(from) & 63) & 1
    }

    /// The square halfway, as a set, if the move is as long as a jump.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn jumped_square(self, from: u64, to: u64) -> u64 {
        let jump = self.jumps >> ((32 + to).wrapping_sub(from) & 63) & 1;
        (1 << (((from + to) / 2) & 63)) & jump.wrapping_neg()
    }
}

/// Whether a flying king comes from a square to a square without meeting a piece.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn slides<R: Ruleset, S: Side>(rules: R, view: View<BitsOf<R>>, from: Square, to: Square) -> bool {
    MoveInPosition::<R>::of::<S>(view, from, to).slides(rules)
}

/// How far the target is from the start, 32 added; 64 or more for what is neither step nor jump.
#[cfg_attr(not(debug_assertions), inline(always))]
fn distance(from: Square, to: Square) -> u32 {
    (32 + u32::from(to.0)).wrapping_sub(u32::from(from.0))
}

/// The square between two that are a jump apart, on boards without wraps.
#[cfg_attr(not(debug_assertions), inline(always))]
fn halfway<B: Bits>(from: Square, to: Square) -> B {
    B::one(((u32::from(from.0) + u32::from(to.0)) / 2) as u8)
}

/// Distances between squares that are so many steps apart in one of these directions, 32 added, a bit each.
#[cfg_attr(not(debug_assertions), inline(always))]
fn distances<R: Ruleset>(directions: Directions, steps: i32) -> u64 {
    let mut known = 0;
    each!(directions, d => { known |= 1 << (32 + steps * R::Geometry::LAYOUT.shift(d)); });
    known
}

/// Whether a step, slide or jump that captures this is the legal move between these squares. `false` says nothing.
///
/// Without any branch, to be asked for many moves at once.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn is_simple_move<R: Ruleset, S: Side>(
    rules: R,
    view: View<BitsOf<R>>,
    from: Square,
    to: Square,
    captured: BitsOf<R>,
) -> bool {
    let movement = rules.movement();
    let mv = MoveInPosition::<R>::of::<S>(view, from, to);
    let jumps = Jumps::of::<R, S>(rules, view);
    let flying_captures = movement.flying & flying_king_targets(rules, view).any();
    let capturable = view.opp & !(view.kings & Bits::all_if(!movement.man_takes_king & !mv.king));
    let superseded = if movement.precedence.prefers_more() {
        flying_captures | jumps.continuing::<R, S>(rules, jumps.any, jumps.any).any.any()
    } else {
        mv.may_continue::<S>(rules, captured) | (flying_captures & movement.precedence.looks_at_kings())
    };
    let is_quiet = !captured.any();
    let is_jump = (captured & capturable).any();
    let is_near = (mv.distance() < 64) | (movement.flying & mv.king);
    mv.has_valid_ends()
        & is_near
        & ((is_quiet & !jumps.any.any() & !flying_captures) | (is_jump & !superseded))
}

/// A move as written, looked at in its position.
#[derive(Clone, Copy)]
struct MoveInPosition<R: Ruleset> {
    view: View<BitsOf<R>>,
    empty: BitsOf<R>,
    from: Square,
    to: Square,
    start: BitsOf<R>,
    target: BitsOf<R>,
    /// Whether a king of either side stands on the start.
    king: bool,
}

impl<R: Ruleset> MoveInPosition<R> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of<S: Side>(view: View<BitsOf<R>>, from: Square, to: Square) -> Self {
        let (start, target) = (Bits::one(from.0), Bits::one(to.0));
        let empty = R::Geometry::VALID & !(view.own | view.opp);
        Self { view, empty, from, to, start, target, king: (start & view.kings).any() }
    }

    /// Whether an own piece stands on the start and nothing on the target.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn has_valid_ends(&self) -> bool {
        (self.start & self.view.own).any() & (self.target & self.empty).any()
    }

    /// Whether a man reaches the last row.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn promotes<S: Side>(&self) -> bool {
        !self.king & (self.target & last_row::<R::Geometry, S>()).any()
    }

    /// Whether the piece goes to a neighbouring square. Flying kings do not count.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_step<S: Side>(&self, rules: R) -> bool {
        let axes = Axes::of::<R, S>(rules);
        let by_king = !axes.movement.flying && self.king && self.leads_to_target(axes.movement.king_moves, 1);
        by_king | (!self.king & self.leads_to_target(axes.man_steps, 1))
    }

    /// Whether the target lies so many steps from the start in one of these directions. Exact for one step
    /// between squares of the board; for two if there is a square halfway.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn leads_to_target(&self, directions: Directions, steps: i32) -> bool {
        let mut wraps = false;
        each!(directions, d => { wraps |= R::Geometry::WRAPS[d].any(); });
        if !wraps {
            // Shifts are constant, so the distance names the direction.
            let distance = self.distance();
            return (distance < 64) & (distances::<R>(directions, steps) >> (distance & 63) & 1 != 0);
        }
        let mut reached = BitsOf::<R>::NONE;
        each!(directions, d => {
            let once = R::Geometry::step(self.start, d);
            reached |= if steps == 1 { once } else { R::Geometry::step(once, d) };
        });
        (reached & self.target).any()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn distance(&self) -> u32 {
        distance(self.from, self.to)
    }

    /// Whether a flying king comes to the target without meeting a piece.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn slides(&self, rules: R) -> bool {
        let occupied = self.view.own | self.view.opp;
        let mut free = false;
        each!(rules.movement().king_moves, d => {
            let ray = R::Geometry::ray(d, self.from.0);
            let way = ray & !R::Geometry::ray(d, self.to.0);
            free |= (ray & self.target).any() & !(way & occupied).any();
        });
        free
    }

    /// Whether a step is legal: nothing can be captured. `false` may also mean that it is not that simple.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn step_is_legal<S: Side>(&self, rules: R) -> bool {
        let movement = rules.movement();
        // How often the king has moved is not known here.
        let limited = movement.king_streak != 0 && self.king;
        !any_jump::<R, S>(rules, self.view) && !limited && !kings_can_capture::<R, S>(rules, self.view)
    }

    /// The victim if the move is a jump over a neighbour, as men capture and kings that do not fly.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn jumped<S: Side>(&self, rules: R) -> Option<BitsOf<R>> {
        let axes = Axes::of::<R, S>(rules);
        let movement = axes.movement;
        let man_capturable =
            if movement.man_takes_king { self.view.opp } else { self.view.opp & !self.view.kings };
        let mut wraps = false;
        each!(axes.man_captures, d => { wraps |= R::Geometry::WRAPS[d].any(); });
        if wraps {
            // The way is looked up by steps.
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

    /// Whether another capture may have precedence, the piece must go on, or might come to the target another
    /// way.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn may_be_superseded<S: Side>(&self, rules: R, jumped_square: BitsOf<R>) -> bool {
        let movement = rules.movement();
        let view = self.view;
        // Where pieces are compared, flying kings that can capture may have better; where kings count, any may matter.
        let precedence = movement.precedence;
        let kings_compete = match precedence {
            Precedence::Free => false,
            _ if precedence.looks_at_kings() => view.kings.any(),
            _ => kings_can_capture::<R, S>(rules, view),
        };
        let longer = if precedence.prefers_more() {
            // A longer capture of any piece interferes.
            let jumps = Jumps::of::<R, S>(rules, view);
            jumps.continuing::<R, S>(rules, jumps.any, jumps.any).any.any()
        } else {
            self.may_continue::<S>(rules, jumped_square)
        };
        longer | kings_compete
    }

    /// Whether a piece that has jumped over `victim` to the target must go on, or might come there another way.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn may_continue<S: Side>(&self, rules: R, jumped_square: BitsOf<R>) -> bool {
        let axes = Axes::of::<R, S>(rules);
        let movement = axes.movement;
        let promotes = self.promotes::<S>();
        let mut jumps = BitsOf::<R>::NONE;
        // From the target it may go on, from the start it may go another way round. Such a detour takes two
        // jumps in opposite directions, so a man that only captures forward has none.
        let detour = axes.man_captures.contains(axes.man_captures.turned());
        let stops = movement.mid_promotion == MidPromotion::Stops;
        let ended = stops && !detour && promotes;
        let man =
            (self.target | if detour { self.start } else { Bits::NONE }) & Bits::all_if(!self.king & !ended);
        let capturable =
            if movement.man_takes_king { self.view.opp } else { self.view.opp & !self.view.kings };
        let capturable = capturable & !jumped_square;
        each!(axes.man_captures, d => {
            jumps |= R::Geometry::step(R::Geometry::step(man, d) & capturable, d) & self.empty;
        });
        if !movement.flying {
            let king = (self.start | self.target) & Bits::all_if(self.king);
            let capturable = self.view.opp & !jumped_square;
            each!(movement.king_captures, d => {
                jumps |= R::Geometry::step(R::Geometry::step(king, d) & capturable, d) & self.empty;
            });
        }
        let continues_as_king = movement.mid_promotion == MidPromotion::GoesOnAsKing && promotes;
        jumps.any() | continues_as_king
    }
}
