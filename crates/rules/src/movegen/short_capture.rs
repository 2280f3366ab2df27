//! Decides captures of two pieces by jumps over neighbours, and of one piece by a flying king, without a search.
//!
//! Of the captures that [`fast_legality`](super::fast_legality) leaves to a search, nineteen of twenty are of these two kinds. A
//! few dozen operations on sets of squares find the captured pieces and prove that no capture of more pieces exists: all pieces
//! make their first jumps at once, then their second ones, then their third ones. What has been captured is not removed
//! from these sets, so they may hold more than the rules allow, but never less. If any square is reached that a longer capture
//! would reach, the search decides.

// Twin: `legal_moves`; tests: `find_returns_exactly_the_legal_moves`,
// `generator_equals_naive_twin_in_every_variant`.

use super::generate::{flying_targets, kings_can_capture, slide};
use super::jumps::Jumps;
use super::side::{Axes, Side, View, each, last_row};
use crate::board::{Bits, Directions, Geometry, Square};
use crate::rules::{BitsOf, KingLanding, MidPromotion, Removal, Ruleset};

/// Returns the captured pieces of a legal capture of two neighbours, or of one piece by a flying king.
///
/// The empty set if the move is something else, or if it is not certain here that the capture is legal and the only one
/// between these squares. The piece on `from` must belong to the side to move, and `to` must be empty.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn short_capture<R: Ruleset, S: Side>(
    rules: R,
    view: View<BitsOf<R>>,
    from: Square,
    to: Square,
) -> BitsOf<R> {
    let movement = rules.movement();
    let mut wraps = false;
    each!(Directions::EIGHT, d => { wraps |= R::Geometry::WRAPS[d].any(); });
    let compares_kings = movement.precedence.looks_at_kings() && view.kings.any();
    // Three jumps in mixed directions can lead back to their first square, which is not empty in these sets.
    let is_mixed = |set| !Directions::DIAGONAL.contains(set) && !Directions::ORTHOGONAL.contains(set);
    let mixed = is_mixed(movement.man_captures) || is_mixed(movement.king_captures);
    if !R::FIXED || wraps || mixed || movement.removal != Removal::AtEnd || compares_kings {
        return Bits::NONE;
    }
    let king = (view.kings & Bits::one(from.0)).any();
    if movement.flying && king {
        return flying_capture::<R, S>(rules, view, from, to);
    }
    double_jump::<R, S>(rules, view, from, to, king)
}

/// Returns the two captured pieces of a capture by jumps over neighbours, as [`short_capture`] does.
#[cfg_attr(not(debug_assertions), inline(always))]
fn double_jump<R: Ruleset, S: Side>(
    rules: R,
    view: View<BitsOf<R>>,
    from: Square,
    to: Square,
    king: bool,
) -> BitsOf<R> {
    let Axes { movement, man_captures, .. } = Axes::of::<R, S>(rules);
    let none = BitsOf::<R>::NONE;
    let empty = R::Geometry::VALID & !(view.own | view.opp);
    let (start, target) = (BitsOf::<R>::one(from.0), BitsOf::<R>::one(to.0));
    let man_capturable = if movement.man_takes_king { view.opp } else { view.opp & !view.kings };
    // Of men and of kings that do not fly.
    let capturable = [man_capturable, view.opp];
    let directions = [
        man_captures,
        if movement.flying { Directions::EIGHT.without(0xFF) } else { movement.king_captures },
    ];
    let is_moved = [!king, king];

    // The squares between the two jumps.
    let (mut after_first, mut before_second) = (none, none);
    for piece in 0..2 {
        let own = BitsOf::<R>::all_if(is_moved[piece]);
        each!(directions[piece], d => {
            let jump = |set, d| {
                R::Geometry::step(R::Geometry::step(set & own, d) & capturable[piece], d) & empty
            };
            after_first |= jump(start, d);
            before_second |= jump(target, d ^ 1);
        });
    }
    let last = last_row::<R::Geometry, S>();
    let stops = movement.mid_promotion == MidPromotion::Stops;
    if stops && !king {
        after_first &= !last;
    }
    let between = after_first & before_second;
    if !between.any() || between != between.only_lowest() {
        return none;
    }
    let middle = u32::from(between.lowest());
    let halfway = |square: Square| BitsOf::<R>::one(((u32::from(square.0) + middle) / 2) as u8);
    let captured = halfway(from) | halfway(to);
    if !(target & empty).any() {
        return none;
    }

    // Without precedence, only this piece could take more or reach the target by a single jump, too.
    let prefers_more = movement.precedence.prefers_more();
    let movers = if prefers_more { view.own } else { start };
    if !prefers_more && (after_first & target).any() {
        return none;
    }
    if prefers_more && movement.flying && kings_can_capture::<R, S>(rules, view) {
        return none;
    }
    let mut longer = false;
    for piece in 0..2 {
        let movers = movers & if piece == 0 { !view.kings } else { view.kings };
        let mut origins = [none; 8];
        let mut landings = [none; 8];
        each!(directions[piece], d => {
            origins[d] = R::Geometry::step(R::Geometry::step(empty, d ^ 1) & capturable[piece], d ^ 1);
        });
        let last = if piece == 0 { last } else { none };
        each!(directions[piece], d => {
            landings[d] = R::Geometry::step(R::Geometry::step(movers & origins[d], d), d);
        });
        for _ in 0..2 {
            // A jump straight back would take the piece that was just taken.
            let mut next = [none; 8];
            each!(directions[piece], e => {
                let mut arrived = none;
                each!(directions[piece], d => {
                    if d != e ^ 1 {
                        arrived |= landings[d];
                    }
                });
                longer |= movement.mid_promotion == MidPromotion::GoesOnAsKing && (arrived & last).any();
                let going_on = if stops { arrived & !last } else { arrived };
                next[e] = R::Geometry::step(R::Geometry::step(going_on & origins[e], e), e);
            });
            landings = next;
        }
        each!(directions[piece], d => { longer |= landings[d].any(); });
    }
    if longer { none } else { captured }
}

/// Returns the piece that a flying king captures, as [`short_capture`] does.
#[cfg_attr(not(debug_assertions), inline(always))]
fn flying_capture<R: Ruleset, S: Side>(
    rules: R,
    view: View<BitsOf<R>>,
    from: Square,
    to: Square,
) -> BitsOf<R> {
    let movement = rules.movement();
    let none = BitsOf::<R>::NONE;
    if movement.king_landing != KingLanding::Anywhere {
        return none;
    }
    let (start, target) = (BitsOf::<R>::one(from.0), BitsOf::<R>::one(to.0));
    let occupied = view.own | view.opp;
    let mut captured = none;
    each!(movement.king_captures, d => {
        let ray = R::Geometry::ray(d, from.0);
        let passed = ray & !R::Geometry::ray(d, to.0) & !target & occupied;
        captured |= passed & BitsOf::<R>::all_if((ray & target).any());
    });
    let is_one_piece = captured == captured.only_lowest() && (captured & view.opp).any();
    if !is_one_piece || (target & occupied).any() {
        return none;
    }
    let prefers_more = movement.precedence.prefers_more();
    if prefers_more {
        let jumps = Jumps::of::<R, S>(rules, view);
        if jumps.continuing::<R, S>(rules, jumps.any, jumps.any).any.any() {
            return none;
        }
    }
    // A king leaves its square, so the squares of all kings that move are empty.
    let kings = if prefers_more { view.own & view.kings } else { start };
    let empty = R::Geometry::VALID & !(occupied & !kings);
    let mut landings = [none; 8];
    each!(movement.king_captures, d => {
        let first = R::Geometry::step(flying_targets::<R>(kings, empty, view.opp, d), d);
        landings[d] = slide::<R>(first, empty, d);
    });
    let mut again = none;
    each!(movement.king_captures, e => {
        let mut arrived = none;
        each!(movement.king_captures, d => {
            // The piece that was just taken bars the way straight back.
            if d != e ^ 1 {
                arrived |= landings[d];
            }
        });
        again |= flying_targets::<R>(arrived, empty, view.opp, e);
    });
    if again.any() { none } else { captured }
}
