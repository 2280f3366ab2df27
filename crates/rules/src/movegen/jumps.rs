//! The single jumps over a neighbour that a side has, computed for all its pieces at once.
//!
//! Men always capture in this way, and so do kings that do not fly. A few dozen instructions without a branch
//! decide what most positions need: whether any piece can capture, and whether a capture can continue.

use super::side::{Axes, Side, View, each, last_row};
use crate::board::{Bits, Directions, Geometry};
use crate::rules::{BitsOf, MidPromotion, Ruleset};

/// The single jumps of one side.
#[derive(Clone, Copy)]
pub(super) struct Jumps<B> {
    /// The men that can jump, by direction.
    pub(super) men: [B; 8],
    /// The kings that can jump, by direction; empty if kings fly.
    pub(super) kings: [B; 8],
    /// All pieces that can jump.
    pub(super) any: B,
    /// The squares from which a man could jump, by direction.
    man_origins: [B; 8],
    /// The squares from which a king that does not fly could jump, by direction.
    king_origins: [B; 8],
}

impl<B: Bits> Jumps<B> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of<R: Ruleset, S: Side>(rules: R, view: View<B>) -> Self
    where
        R::Geometry: Geometry<Bits = B>,
    {
        let axes = Axes::of::<R, S>(rules);
        let empty = R::Geometry::VALID & !(view.own | view.opp);
        let none = [B::NONE; 8];
        let mut jumps = Self { men: none, kings: none, any: B::NONE, man_origins: none, king_origins: none };
        let men = view.own & !view.kings;
        let capturable = if axes.movement.man_takes_king { view.opp } else { view.opp & !view.kings };
        each!(axes.man_captures, d => {
            let jump_origins = jump_origins::<R::Geometry>(empty, capturable, d);
            jumps.man_origins[d] = jump_origins;
            jumps.men[d] = men & jump_origins;
            jumps.any |= men & jump_origins;
        });
        if !axes.movement.flying {
            let kings = view.own & view.kings;
            each!(axes.movement.king_captures, d => {
                let jump_origins = jump_origins::<R::Geometry>(empty, view.opp, d);
                jumps.king_origins[d] = jump_origins;
                jumps.kings[d] = kings & jump_origins;
                jumps.any |= kings & jump_origins;
            });
        }
        jumps
    }

    /// Returns those pieces of `men` and `kings` whose first jump may be followed by a second one, by direction of
    /// the first jump.
    ///
    /// The result is exact, except that every man that would continue as a king is taken to continue. The two jumps
    /// never interfere: the second captured piece cannot be the first, and no second jump lands on the start
    /// square, because both would need a jump straight back.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn continuing<R: Ruleset, S: Side>(&self, rules: R, men: B, kings: B) -> ContinuingJumps<B>
    where
        R::Geometry: Geometry<Bits = B>,
    {
        let axes = Axes::of::<R, S>(rules);
        let last = last_row::<R::Geometry, S>();
        let none = [B::NONE; 8];
        let mut continuing = ContinuingJumps { men: none, kings: none, any: B::NONE };
        each!(axes.man_captures, d => {
            let landings = two_steps::<R::Geometry>(self.men[d] & men, d);
            let mut again = B::NONE;
            each!(axes.man_captures, e => {
                if e != d ^ 1 {
                    again |= self.man_origins[e];
                }
            });
            let landings = match axes.movement.mid_promotion {
                MidPromotion::GoesOnAsMan => landings & again,
                MidPromotion::Stops => landings & again & !last,
                MidPromotion::GoesOnAsKing => landings & (again | last),
            };
            continuing.men[d] = two_steps::<R::Geometry>(landings, d ^ 1);
            continuing.any |= landings;
        });
        if !axes.movement.flying {
            each!(axes.movement.king_captures, d => {
                let landings = two_steps::<R::Geometry>(self.kings[d] & kings, d);
                let mut again = B::NONE;
                each!(axes.movement.king_captures, e => {
                    if e != d ^ 1 {
                        again |= self.king_origins[e];
                    }
                });
                let landings = landings & again;
                continuing.kings[d] = two_steps::<R::Geometry>(landings, d ^ 1);
                continuing.any |= landings;
            });
        }
        continuing
    }

    /// Returns `true` if one of `movers` may capture three pieces, or may continue as a king after one or two.
    ///
    /// Captured pieces are not removed, so that some of these captures may not exist; none is left out. The square on which a
    /// capture begins does not count as empty, which matters only if three jumps can lead back to it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn may_take_three<R: Ruleset, S: Side>(&self, rules: R, movers: B) -> bool
    where
        R::Geometry: Geometry<Bits = B>,
    {
        let axes = Axes::of::<R, S>(rules);
        let last = last_row::<R::Geometry, S>();
        let men = third_jumps::<R>(rules, axes.man_captures, &self.men, &self.man_origins, movers, last);
        let kings = if axes.movement.flying {
            B::NONE
        } else {
            let directions = axes.movement.king_captures;
            third_jumps::<R>(rules, directions, &self.kings, &self.king_origins, movers, B::NONE)
        };
        (men | kings).any()
    }

    /// Returns the number of jumps.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn count<R: Ruleset, S: Side>(&self, rules: R) -> u64 {
        let axes = Axes::of::<R, S>(rules);
        let mut count = 0;
        each!(axes.man_captures, d => { count += u64::from(self.men[d].count()); });
        if !axes.movement.flying {
            each!(axes.movement.king_captures, d => { count += u64::from(self.kings[d].count()); });
        }
        count
    }
}

/// Returns `true` if any piece can capture by a single jump. This is cheaper than [`Jumps::of`].
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn any_jump<R: Ruleset, S: Side>(rules: R, view: View<BitsOf<R>>) -> bool {
    let axes = Axes::of::<R, S>(rules);
    let empty = R::Geometry::VALID & !(view.own | view.opp);
    let men = view.own & !view.kings;
    let kings = view.own & view.kings;
    let none = BitsOf::<R>::NONE;
    let mut jumped = none;
    each!(Directions::EIGHT, d => {
        let man = axes.man_captures.has_number(d);
        let king = !axes.movement.flying && axes.movement.king_captures.has_number(d);
        let jumped_by = |movers| R::Geometry::step(movers, d) & R::Geometry::step(empty, d ^ 1);
        if axes.movement.man_takes_king {
            let movers = match (man, king) {
                (true, true) => view.own,
                (true, false) => men,
                (false, true) => kings,
                (false, false) => none,
            };
            jumped |= jumped_by(movers);
        } else {
            if man {
                jumped |= jumped_by(men) & !view.kings;
            }
            if king {
                jumped |= jumped_by(kings);
            }
        }
    });
    (jumped & view.opp).any()
}

/// The jumps that may be followed by another jump.
#[derive(Clone, Copy)]
pub(super) struct ContinuingJumps<B> {
    /// The jumping men, by direction of the first jump.
    pub(super) men: [B; 8],
    /// The jumping kings, by direction of the first jump.
    pub(super) kings: [B; 8],
    /// The squares on which these jumps land.
    pub(super) any: B,
}

/// Returns the squares from which a jump in direction `d` over one of the `capturable` pieces is possible. Bits
/// that no square owns (ghosts) may be among them.
#[cfg_attr(not(debug_assertions), inline(always))]
fn jump_origins<G: Geometry>(empty: G::Bits, capturable: G::Bits, d: usize) -> G::Bits {
    G::step(G::step(empty, d ^ 1) & capturable, d ^ 1)
}

/// Returns the squares on which the third jumps of `movers` land, and those of `last` on which a man continues as a king before.
/// `jumpers` can make a first jump, and from `origins` a jump is possible, both by direction.
#[cfg_attr(not(debug_assertions), inline(always))]
fn third_jumps<R: Ruleset>(
    rules: R,
    directions: Directions,
    jumpers: &[BitsOf<R>; 8],
    origins: &[BitsOf<R>; 8],
    movers: BitsOf<R>,
    last: BitsOf<R>,
) -> BitsOf<R> {
    let promotion = rules.movement().mid_promotion;
    let none = BitsOf::<R>::NONE;
    let mut found = none;
    let mut landings = [none; 8];
    each!(directions, d => { landings[d] = two_steps::<R::Geometry>(jumpers[d] & movers, d); });
    for _ in 0..2 {
        let mut next = [none; 8];
        each!(directions, e => {
            // A jump straight back would take the piece that was just taken.
            let mut arrived = none;
            each!(directions, d => {
                if d != e ^ 1 {
                    arrived |= landings[d];
                }
            });
            let going_on = match promotion {
                MidPromotion::GoesOnAsMan => arrived,
                MidPromotion::Stops => arrived & !last,
                MidPromotion::GoesOnAsKing => {
                    found |= arrived & last;
                    arrived
                }
            };
            next[e] = two_steps::<R::Geometry>(going_on & origins[e], e);
        });
        landings = next;
    }
    each!(directions, d => { found |= landings[d]; });
    found
}

/// Moves every square by two steps. The caller has checked that the squares between are on the board.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn two_steps<G: Geometry>(set: G::Bits, d: usize) -> G::Bits {
    G::step(G::step(set, d), d)
}
