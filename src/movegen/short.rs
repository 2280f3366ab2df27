//! The short way to a legal move: steps and single jumps that nothing can compete with.
//!
//! Nine moves of ten are such. A few dozen instructions decide them, and the only branches are whether a piece
//! steps or jumps and whether the case is that simple; what is not is left to the search. What a move changes
//! follows from its two squares alone, so the next move need not wait for the proof that this one is legal.

use super::generate::kings_can_capture;
use super::jumps::{Jumps, any_jump};
use super::side::{Axes, Side, View, each, last_row};
use crate::board::{Bits, Directions, Geometry, Square};
use crate::rules::{MidPromotion, Precedence, Ruleset};

/// What is captured if the move is a step or a single jump that nothing can compete with; `None` says nothing about
/// legality.
#[inline(always)]
pub(super) fn short<R: Ruleset, S: Side>(
    rules: R,
    view: View<<R::Geometry as Geometry>::Bits>,
    from: Square,
    to: Square,
) -> Option<BitsOf<R>> {
    let ends = Ends::<R>::of::<S>(view, from, to);
    if !ends.fit() {
        return None;
    }
    if rules.movement().flying && ends.king {
        return if ends.slides(rules) && ends.step_is_legal::<S>(rules) { Some(Bits::NONE) } else { None };
    }
    if ends.is_step::<S>(rules) {
        return if ends.step_is_legal::<S>(rules) { Some(Bits::NONE) } else { None };
    }
    let victim = ends.jumped::<S>(rules)?;
    if ends.has_rivals::<S>(rules, victim) { None } else { Some(victim) }
}

type BitsOf<R> = <<R as Ruleset>::Geometry as Geometry>::Bits;

/// A move as written, looked at in its position.
#[derive(Clone, Copy)]
struct Ends<R: Ruleset> {
    view: View<BitsOf<R>>,
    empty: BitsOf<R>,
    from: Square,
    to: Square,
    start: BitsOf<R>,
    target: BitsOf<R>,
    /// Whether a king of either side stands on the start.
    king: bool,
}

impl<R: Ruleset> Ends<R> {
    #[inline(always)]
    fn of<S: Side>(view: View<BitsOf<R>>, from: Square, to: Square) -> Self {
        let (start, target) = (Bits::one(from.0), Bits::one(to.0));
        let empty = R::Geometry::VALID & !(view.own | view.opp);
        Self { view, empty, from, to, start, target, king: (start & view.kings).any() }
    }

    /// Whether an own piece stands on the start and nothing on the target.
    #[inline(always)]
    fn fit(&self) -> bool {
        (self.start & self.view.own).any() & (self.target & self.empty).any()
    }

    /// Whether a man reaches the last row.
    #[inline(always)]
    fn promotes<S: Side>(&self) -> bool {
        !self.king & (self.target & last_row::<R::Geometry, S>()).any()
    }

    /// Whether the piece goes to a neighbouring square. Flying kings do not count.
    #[inline(always)]
    fn is_step<S: Side>(&self, rules: R) -> bool {
        let axes = Axes::of::<R, S>(rules);
        let by_king = !axes.movement.flying && self.king && self.leads(axes.movement.king_moves, 1);
        by_king | (!self.king & self.leads(axes.man_steps, 1))
    }

    /// Whether the target lies so many steps from the start in one of these directions. Exact for one step
    /// between squares of the board; for two if there is a square halfway.
    #[inline(always)]
    fn leads(&self, directions: Directions, steps: i32) -> bool {
        let (mut known, mut wraps) = (0u64, false);
        each!(directions, d => {
            known |= 1 << (32 + steps * R::Geometry::LAYOUT.shift(d));
            wraps |= R::Geometry::WRAPS[d].any();
        });
        if !wraps {
            // Shifts are constant, so the distance names the direction.
            let distance = (32 + u32::from(self.to.0)).wrapping_sub(u32::from(self.from.0));
            return (distance < 64) & (known >> (distance & 63) & 1 != 0);
        }
        let mut reached = BitsOf::<R>::NONE;
        each!(directions, d => {
            let once = R::Geometry::step(self.start, d);
            reached |= if steps == 1 { once } else { R::Geometry::step(once, d) };
        });
        (reached & self.target).any()
    }

    /// Whether a flying king comes to the target without meeting a piece.
    #[inline(always)]
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
    #[inline(always)]
    fn step_is_legal<S: Side>(&self, rules: R) -> bool {
        let movement = rules.movement();
        // How often the king has moved is not known here.
        let limited = movement.king_streak != 0 && self.king;
        !any_jump::<R, S>(rules, self.view) && !limited && !kings_can_capture::<R, S>(rules, self.view)
    }

    /// The victim if the move is a jump over a neighbour, as men capture and kings that do not fly.
    #[inline(always)]
    fn jumped<S: Side>(&self, rules: R) -> Option<BitsOf<R>> {
        let axes = Axes::of::<R, S>(rules);
        let movement = axes.movement;
        let for_man = if movement.man_takes_king { self.view.opp } else { self.view.opp & !self.view.kings };
        let mut wraps = false;
        each!(axes.man_captures, d => { wraps |= R::Geometry::WRAPS[d].any(); });
        if wraps {
            // The way is looked up by steps.
            let mut victim = BitsOf::<R>::NONE;
            each!(axes.man_captures, d => {
                let between = R::Geometry::step(self.start, d) & R::Geometry::step(self.target, d ^ 1);
                victim |= between & for_man & Bits::all_if(!self.king);
            });
            if !movement.flying {
                each!(movement.king_captures, d => {
                    let between = R::Geometry::step(self.start, d) & R::Geometry::step(self.target, d ^ 1);
                    victim |= between & self.view.opp & Bits::all_if(self.king);
                });
            }
            return victim.any().then_some(victim);
        }
        let halfway = BitsOf::<R>::one(((u32::from(self.from.0) + u32::from(self.to.0)) / 2) as u8);
        let by_man = !self.king & (halfway & for_man).any() & self.leads(axes.man_captures, 2);
        let by_king = !movement.flying
            && self.king & (halfway & self.view.opp).any() & self.leads(movement.king_captures, 2);
        if by_man | by_king { Some(halfway) } else { None }
    }

    /// Whether another capture may have precedence, the piece must go on, or might come to the target another
    /// way.
    #[inline(always)]
    fn has_rivals<S: Side>(&self, rules: R, victim: BitsOf<R>) -> bool {
        let movement = rules.movement();
        let view = self.view;
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
            self.goes_on::<S>(rules, victim)
        };
        more | competing
    }

    /// Whether a piece that has jumped over `victim` to the target must go on, or might come there another way.
    #[inline(always)]
    fn goes_on<S: Side>(&self, rules: R, victim: BitsOf<R>) -> bool {
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
        let prey = if movement.man_takes_king { self.view.opp } else { self.view.opp & !self.view.kings };
        let prey = prey & !victim;
        each!(axes.man_captures, d => {
            jumps |= R::Geometry::step(R::Geometry::step(man, d) & prey, d) & self.empty;
        });
        if !movement.flying {
            let king = (self.start | self.target) & Bits::all_if(self.king);
            let prey = self.view.opp & !victim;
            each!(movement.king_captures, d => {
                jumps |= R::Geometry::step(R::Geometry::step(king, d) & prey, d) & self.empty;
            });
        }
        let crowned = movement.mid_promotion == MidPromotion::GoesOnAsKing && promotes;
        jumps.any() | crowned
    }
}
