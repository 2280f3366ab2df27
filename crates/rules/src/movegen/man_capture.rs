//! Finds the capture that a written move means, for pieces that jump over their neighbours.
//!
//! The general [`CaptureSearch`](super::capture_search::CaptureSearch) lists captures for any rules. This search
//! only decides whether the written capture is legal; it allocates nothing and has no sink. Men capture in this way
//! in every variant.

// Twin: `legal_moves`; tests: `find_returns_exactly_the_legal_moves`,
// `generator_equals_naive_twin_in_every_variant`.

use super::jumps::Jumps;
use super::move_error::FindError;
use super::side::{Axes, Side, View, each, last_row};
use crate::board::{Bits, Geometry};
use crate::rules::{BitsOf, MidPromotion, Removal, Ruleset};

/// Returns the pieces captured on the way from `start` to `target`. The side to move must have a capture.
///
/// `None` if this search does not suffice: the side to move has flying kings, men may continue as kings, or
/// precedence depends on kings and there are kings on the board.
///
/// # Errors
/// [`FindError::Illegal`] if there is no such capture, [`FindError::Ambiguous`] if there are several,
/// [`FindError::Limit`] if the search needs more than `limit` nodes.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn find_man_capture<R: Ruleset, S: Side>(
    rules: R,
    view: View<BitsOf<R>>,
    jumps: &Jumps<BitsOf<R>>,
    start: BitsOf<R>,
    target: BitsOf<R>,
    limit: u32,
) -> Option<Result<BitsOf<R>, FindError>> {
    let movement = rules.movement();
    let flying_captures = movement.flying && (view.own & view.kings).any();
    let kings_compared = movement.precedence.looks_at_kings() && view.kings.any();
    if !R::FIXED || flying_captures || kings_compared || movement.mid_promotion == MidPromotion::GoesOnAsKing
    {
        return None;
    }
    Some(ManCaptureSearch::<R, S>::run(rules, view, jumps, start, target, limit))
}

struct ManCaptureSearch<R: Ruleset, S> {
    rules: R,
    side: core::marker::PhantomData<S>,
    /// All pieces except the capturing one.
    others: BitsOf<R>,
    capturable: BitsOf<R>,
    target: BitsOf<R>,
    /// The number of jumps of the longest capture so far.
    max_jumps: u32,
    /// `true` while the captures of the written piece are searched.
    is_written_piece: bool,
    found: Option<BitsOf<R>>,
    is_ambiguous: bool,
    nodes: u32,
    limit: u32,
}

impl<R: Ruleset, S: Side> ManCaptureSearch<R, S> {
    #[inline(never)]
    fn run(
        rules: R,
        view: View<BitsOf<R>>,
        jumps: &Jumps<BitsOf<R>>,
        start: BitsOf<R>,
        target: BitsOf<R>,
        limit: u32,
    ) -> Result<BitsOf<R>, FindError> {
        let movement = rules.movement();
        let mut pieces = jumps.any;
        if movement.precedence.prefers_more() {
            let continuing = jumps.continuing::<R, S>(rules, jumps.any, jumps.any);
            if continuing.any.any() {
                // Some capture takes two pieces, so no capture of one piece can be legal.
                pieces = Bits::NONE;
                for d in 0..8 {
                    pieces |= continuing.men[d] | continuing.kings[d];
                }
            } else {
                pieces &= start;
            }
        } else {
            pieces &= start;
        }
        if !(pieces & start).any() {
            return Err(FindError::Illegal);
        }
        let mut search = Self {
            rules,
            side: core::marker::PhantomData,
            others: Bits::NONE,
            capturable: Bits::NONE,
            target,
            max_jumps: 0,
            is_written_piece: true,
            found: None,
            is_ambiguous: false,
            nodes: 0,
            limit,
        };
        search.search_piece(view, start);
        let mut competitors = pieces & !start;
        while competitors.any() && search.found.is_some() {
            search.is_written_piece = false;
            search.search_piece(view, competitors.only_lowest());
            competitors = competitors.without_lowest();
        }
        match search.found {
            _ if search.nodes > limit => Err(FindError::Limit),
            _ if search.is_ambiguous => Err(FindError::Ambiguous),
            Some(captured) => Ok(captured),
            None => Err(FindError::Illegal),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn search_piece(&mut self, view: View<BitsOf<R>>, piece: BitsOf<R>) {
        let movement = self.rules.movement();
        self.others = (view.own | view.opp) & !piece;
        let king = (piece & view.kings).any();
        self.capturable = if king || movement.man_takes_king { view.opp } else { view.opp & !view.kings };
        if king {
            self.jump_on::<true>(piece, Bits::NONE, 0);
        } else {
            self.jump_on::<false>(piece, Bits::NONE, 0);
        }
    }

    /// Continues from `at` after this number of jumps, or ends the capture there.
    fn jump_on<const KING: bool>(&mut self, at: BitsOf<R>, captured: BitsOf<R>, jumps: u32) {
        if self.nodes > self.limit {
            return;
        }
        self.nodes += 1;
        let axes = Axes::of::<R, S>(self.rules);
        let movement = axes.movement;
        let on_last_row = !KING && jumps > 0 && (at & last_row::<R::Geometry, S>()).any();
        let mut is_complete = true;
        if !(on_last_row && movement.mid_promotion == MidPromotion::Stops) {
            let capturable = self.capturable & !captured;
            let removed = if movement.removal == Removal::AtOnce { captured } else { Bits::NONE };
            let empty = R::Geometry::VALID & !(self.others & !removed);
            let directions = if KING { movement.king_captures } else { axes.man_captures };
            each!(directions, d => {
                let jumped = R::Geometry::step(at, d) & capturable;
                let landing = R::Geometry::step(jumped, d) & empty;
                if landing.any() {
                    is_complete = false;
                    self.jump_on::<KING>(landing, captured | jumped, jumps + 1);
                }
            });
        }
        if is_complete {
            self.finish(at, captured, jumps);
        }
    }

    /// Compares a complete capture with those so far.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(&mut self, at: BitsOf<R>, captured: BitsOf<R>, jumps: u32) {
        if self.rules.movement().precedence.prefers_more() {
            if jumps < self.max_jumps {
                return;
            }
            if jumps > self.max_jumps {
                (self.max_jumps, self.found, self.is_ambiguous) = (jumps, None, false);
            }
        }
        if self.is_written_piece && at == self.target {
            match self.found {
                None => self.found = Some(captured),
                Some(found) => self.is_ambiguous |= found != captured,
            }
        }
    }
}
