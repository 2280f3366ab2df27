//! Decides captures of two pieces by jumps over neighbours, and of one piece by a flying king, without a search.
//!
//! Of the captures that [`fast_legality`](super::fast_legality) leaves to a search, nineteen of twenty are of these two kinds. A
//! few dozen operations on sets of squares find the captured pieces and prove that no capture of more pieces exists: all pieces
//! make their first jumps at once, then their second ones, then their third ones. What has been captured is not removed
//! from these sets, so they may hold more than the rules allow, but never less. If any square is reached that a longer capture
//! would reach, the search decides.

// Twin: `legal_moves`; tests: `find_returns_exactly_the_legal_moves`,
// `find_returns_exactly_the_legal_captures_of_crowded_boards`, `generator_equals_naive_twin_in_every_variant`.

use super::generate::{flying_targets, kings_can_capture, slide};
use super::jumps::Jumps;
use super::side::{Axes, Side, View, each, last_row};
use crate::board::{Bits, Directions, Geometry, Square};
use crate::rules::{BitsOf, KingLanding, MidPromotion, Removal, Ruleset};

/// Returns the captured pieces of a legal capture of two neighbours, or of one piece by a flying king.
///
/// The empty set if the move is something else, or if it is not certain here that the capture is legal and the only one
/// between these squares.
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
    let (start, target) = (BitsOf::<R>::one(from.0), BitsOf::<R>::one(to.0));
    let empty = R::Geometry::VALID & !(view.own | view.opp);
    if (from.0 | to.0) >= 128 || !(start & view.own).any() || !(target & empty).any() {
        return Bits::NONE;
    }
    let king = (view.kings & start).any();
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
    let (start, target) = (BitsOf::<R>::one(from.0), BitsOf::<R>::one(to.0));
    // The squares after the first jump, and those before the second one.
    let (mut after_first, before_second) = if king {
        jumps_from_both_ends::<R::Geometry>(view, view.opp, movement.king_captures, start, target)
    } else {
        let capturable = if movement.man_takes_king { view.opp } else { view.opp & !view.kings };
        jumps_from_both_ends::<R::Geometry>(view, capturable, man_captures, start, target)
    };
    if movement.mid_promotion == MidPromotion::Stops && !king {
        after_first &= !last_row::<R::Geometry, S>();
    }
    let between = after_first & before_second;
    if !between.any() || between != between.only_lowest() {
        return none;
    }
    let middle = u32::from(between.lowest());
    let halfway = |square: Square| BitsOf::<R>::one(((u32::from(square.0) + middle) / 2) as u8);
    let captured = halfway(from) | halfway(to);

    // Without precedence, only this piece could take more or reach the target by a single jump, too.
    let prefers_more = movement.precedence.prefers_more();
    let movers = if prefers_more { view.own } else { start };
    if !prefers_more && (after_first & target).any() {
        return none;
    }
    if prefers_more && movement.flying && kings_can_capture::<R, S>(rules, view) {
        return none;
    }
    let longer = Jumps::of::<R, S>(rules, view).may_take_three::<R, S>(rules, movers);
    if longer { none } else { captured }
}

/// Returns the squares to which jumps over `capturable` neighbours lead from `start`, and those from which they lead to `target`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn jumps_from_both_ends<G: Geometry>(
    view: View<G::Bits>,
    capturable: G::Bits,
    directions: Directions,
    start: G::Bits,
    target: G::Bits,
) -> (G::Bits, G::Bits) {
    let empty = G::VALID & !(view.own | view.opp);
    let (mut after, mut before) = (G::Bits::NONE, G::Bits::NONE);
    each!(directions, d => {
        after |= G::step(G::step(start, d) & capturable, d) & empty;
        before |= G::step(G::step(target, d ^ 1) & capturable, d ^ 1) & empty;
    });
    (after, before)
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
    if captured != captured.only_lowest() || !(captured & view.opp).any() {
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
