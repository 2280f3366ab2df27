//! Captures of pieces that jump over their neighbours, searched for one written move.
//!
//! The general [`Search`](super::search) lists captures for any rules; this walk only asks whether the capture that
//! is written is the one to be made, and allocates and hands on nothing. Men capture like this everywhere.

use super::find_error::FindError;
use super::jumps::Jumps;
use super::side::{Axes, Side, View, each, last_row};
use crate::board::{Bits, Geometry};
use crate::rules::{BitsOf, MidPromotion, Removal, Ruleset};

/// What is captured by the piece on `start` that ends on `target`, where some piece can capture.
///
/// `None` where this walk does not suffice: flying kings of the side to move, men that are crowned on the way and
/// go on, kings that precedence looks at.
///
/// # Errors
/// When there is no such capture or more than one, or when it takes too many steps to find out.
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
    side: std::marker::PhantomData<S>,
    /// All pieces but the capturing one.
    others: BitsOf<R>,
    capturable: BitsOf<R>,
    target: BitsOf<R>,
    /// The longest capture so far.
    max_jumps: u32,
    /// Whether the capturing piece is the one that is written.
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
                // A capture of one piece has no chance.
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
            side: std::marker::PhantomData,
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

    /// Goes on from `at` after so many jumps, or ends there.
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

    /// A capture is complete.
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
