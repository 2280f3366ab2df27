//! Captures of pieces that jump over their neighbours, searched for one written move.
//!
//! The general [`Search`](super::search) lists captures for any rules; this walk only asks whether the capture that
//! is written is the one to be made, and allocates and hands on nothing. Men capture like this everywhere.

use super::find::FindError;
use super::jumps::Jumps;
use super::side::{Axes, Side, View, each, last_row};
use crate::board::{Bits, Geometry};
use crate::rules::{MidPromotion, Removal, Ruleset};

type BitsOf<R> = <<R as Ruleset>::Geometry as Geometry>::Bits;

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
    let flyers = movement.flying && (view.own & view.kings).any();
    let ranked = movement.precedence.looks_at_kings() && view.kings.any();
    if !R::FIXED || flyers || ranked || movement.mid_promotion == MidPromotion::GoesOnAsKing {
        return None;
    }
    Some(ManCaptureSearch::<R, S>::run(rules, view, jumps, start, target, limit))
}

struct ManCaptureSearch<R: Ruleset, S> {
    rules: R,
    side: std::marker::PhantomData<S>,
    /// All pieces but the capturing one.
    others: BitsOf<R>,
    prey: BitsOf<R>,
    target: BitsOf<R>,
    /// The longest capture so far.
    most: u32,
    /// Whether the capturing piece is the one that is written.
    wanted: bool,
    found: Option<BitsOf<R>>,
    several: bool,
    steps: u32,
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
            let going = jumps.continuing::<R, S>(rules, jumps.any, jumps.any);
            if going.any.any() {
                // A capture of one piece has no chance.
                pieces = Bits::NONE;
                for d in 0..8 {
                    pieces |= going.men[d] | going.kings[d];
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
        let mut chase = Self {
            rules,
            side: std::marker::PhantomData,
            others: Bits::NONE,
            prey: Bits::NONE,
            target,
            most: 0,
            wanted: true,
            found: None,
            several: false,
            steps: 0,
            limit,
        };
        chase.start(view, start);
        let mut rivals = pieces & !start;
        while rivals.any() && chase.found.is_some() {
            chase.wanted = false;
            chase.start(view, rivals.only_lowest());
            rivals = rivals.without_lowest();
        }
        match chase.found {
            _ if chase.steps > limit => Err(FindError::Limit),
            _ if chase.several => Err(FindError::Ambiguous),
            Some(captured) => Ok(captured),
            None => Err(FindError::Illegal),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn start(&mut self, view: View<BitsOf<R>>, piece: BitsOf<R>) {
        let movement = self.rules.movement();
        self.others = (view.own | view.opp) & !piece;
        let king = (piece & view.kings).any();
        self.prey = if king || movement.man_takes_king { view.opp } else { view.opp & !view.kings };
        if king {
            self.walk::<true>(piece, Bits::NONE, 0);
        } else {
            self.walk::<false>(piece, Bits::NONE, 0);
        }
    }

    /// Goes on from `at` after so many jumps, or ends there.
    fn walk<const KING: bool>(&mut self, at: BitsOf<R>, captured: BitsOf<R>, jumps: u32) {
        if self.steps > self.limit {
            return;
        }
        self.steps += 1;
        let axes = Axes::of::<R, S>(self.rules);
        let movement = axes.movement;
        let crowned = !KING && jumps > 0 && (at & last_row::<R::Geometry, S>()).any();
        let mut ended = true;
        if !(crowned && movement.mid_promotion == MidPromotion::Stops) {
            let prey = self.prey & !captured;
            let gone = if movement.removal == Removal::AtOnce { captured } else { Bits::NONE };
            let empty = R::Geometry::VALID & !(self.others & !gone);
            let directions = if KING { movement.king_captures } else { axes.man_captures };
            each!(directions, d => {
                let victim = R::Geometry::step(at, d) & prey;
                let landing = R::Geometry::step(victim, d) & empty;
                if landing.any() {
                    ended = false;
                    self.walk::<KING>(landing, captured | victim, jumps + 1);
                }
            });
        }
        if ended {
            self.end(at, captured, jumps);
        }
    }

    /// A capture is complete.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(&mut self, at: BitsOf<R>, captured: BitsOf<R>, jumps: u32) {
        if self.rules.movement().precedence.prefers_more() {
            if jumps < self.most {
                return;
            }
            if jumps > self.most {
                (self.most, self.found, self.several) = (jumps, None, false);
            }
        }
        if self.wanted && at == self.target {
            match self.found {
                None => self.found = Some(captured),
                Some(found) => self.several |= found != captured,
            }
        }
    }
}
