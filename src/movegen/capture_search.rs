//! All captures, over as many pieces as the rules demand, with precedence.
//!
//! The search is exponential in the worst case: a crafted position on 12x12 has more captures than could be
//! listed in a lifetime. Every step of it is counted against a budget, and when that is spent the answer is an
//! error. Depth is bounded by the number of pieces.

use std::fmt;

use super::jumps::Jumps;
use super::side::{Axes, Side, View, each, last_row};
use crate::board::{Bits, Directions, Geometry, Square};
use crate::position::Move;
use crate::rules::{
    BitsOf, ItalianOrder, KingLanding, KingValue, MidPromotion, Precedence, Removal, Ruleset,
};

/// The capture search of a position was given up because it took more steps than allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct CaptureLimit;

impl fmt::Display for CaptureLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the captures of this position are too many to be searched within the limit")
    }
}

impl std::error::Error for CaptureLimit {}

/// Where captures go as they are found.
pub(super) trait CaptureSink<B> {
    /// The piece jumps over `victim` and comes down on `landing`, from where it goes on.
    fn enter(&mut self, _landing: u8, _victim: u8) {}

    /// The last step is taken back.
    fn leave(&mut self) {}

    /// A capture has precedence over all before it.
    fn clear(&mut self);

    /// A capture on a par with those since the last [`clear`](Sink::clear). `repeats` says that another path
    /// may have led to the same move. Returns how many steps of work it took.
    fn add(&mut self, mv: Move<B>, repeats: bool) -> u32;
}

/// The search of one position.
///
/// Leaf counting, which lives on speed, has it compiled for its own sink; everything else shares the one for
/// `dyn Sink`, because the search is by far the largest piece of code here and exists for every ruleset and side.
pub(super) struct CaptureSearch<'a, R, S, K>
where
    R: Ruleset,
    K: ?Sized,
{
    rules: R,
    side: std::marker::PhantomData<S>,
    view: View<BitsOf<R>>,
    /// The capturing piece.
    from: u8,
    /// Whether it was a king when it started.
    king: bool,
    /// All pieces but the capturing one.
    others: BitsOf<R>,
    /// What it may capture; changes when a man becomes a king on the way.
    capturable: BitsOf<R>,
    best: Option<u64>,
    nodes: u32,
    limit: u32,
    sink: &'a mut K,
}

impl<'a, B, R, S, K> CaptureSearch<'a, R, S, K>
where
    B: Bits,
    R: Ruleset,
    R::Geometry: Geometry<Bits = B>,
    S: Side,
    K: CaptureSink<B> + ?Sized,
{
    /// All captures of the position, best first. Nothing is added to `sink` where none is possible.
    ///
    /// `jumps` are those of `view`. `only` restricts the search to a piece, which is sound where the caller
    /// knows that no other piece has precedence.
    #[inline(never)]
    pub(super) fn run(
        rules: R,
        view: View<B>,
        jumps: &Jumps<B>,
        only: B,
        limit: u32,
        sink: &'a mut K,
    ) -> Result<(), CaptureLimit> {
        let none = B::NONE;
        let mut search = Self {
            rules,
            side: std::marker::PhantomData,
            view,
            from: 0,
            king: false,
            others: none,
            capturable: none,
            best: None,
            nodes: 0,
            limit,
            sink,
        };
        search.search_all(jumps, only);
        if search.nodes > limit { Err(CaptureLimit) } else { Ok(()) }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn axes(&self) -> Axes {
        Axes::of::<R, S>(self.rules)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn search_all(&mut self, jumps: &Jumps<B>, only: B) {
        let axes = self.axes();
        if axes.movement.flying {
            for from in (self.view.own & self.view.kings & only).squares() {
                self.take_up(from, true);
                self.fly_on(from, Directions::EIGHT, B::NONE, 0);
            }
        }
        if !(jumps.any & only).any() {
            return;
        }
        let (mut men, mut kings) = (jumps.men, jumps.kings);
        // A capture of one piece has no chance where some capture takes two and the number decides.
        if R::FIXED && axes.movement.precedence.prefers_more() {
            let continuing = jumps.continuing::<R, S>(self.rules, jumps.any, jumps.any);
            if continuing.any.any() && axes.movement.mid_promotion != MidPromotion::GoesOnAsKing {
                (men, kings) = (continuing.men, continuing.kings);
            }
        }
        each!(axes.man_captures, d => {
            for from in (men[d] & only).squares() {
                self.take_up(from, false);
                self.first_jump::<false>(from, d);
            }
        });
        if !axes.movement.flying {
            each!(axes.movement.king_captures, d => {
                for from in (kings[d] & only).squares() {
                    self.take_up(from, true);
                    self.first_jump::<true>(from, d);
                }
            });
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_up(&mut self, from: u8, king: bool) {
        let movement = self.axes().movement;
        self.from = from;
        self.king = king;
        self.others = (self.view.own | self.view.opp) & !B::one(from);
        self.capturable =
            if king || movement.man_takes_king { self.view.opp } else { self.view.opp & !self.view.kings };
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn first_jump<const KING: bool>(&mut self, from: u8, d: usize) {
        let jumped = R::Geometry::step(B::one(from), d);
        let landing = R::Geometry::step(jumped, d).lowest();
        self.sink.enter(landing, jumped.lowest());
        self.jump_on::<KING>(landing, d, jumped, self.with_captured(0, jumped));
        self.sink.leave();
    }

    /// One more step of work; whether the budget is spent.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn spend(&mut self, nodes: u32) -> bool {
        self.nodes = self.nodes.saturating_add(nodes);
        self.nodes > self.limit
    }

    /// Kings among the victims so far, the latest in the lowest bit; only where the rules ask for it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn with_captured(&self, king_order: u32, jumped: B) -> u32 {
        match self.axes().movement.precedence {
            Precedence::Italian(_) => king_order << 1 | u32::from((jumped & self.view.kings).any()),
            _ => 0,
        }
    }

    /// Goes on from `at` with a piece that jumps over its neighbours, or ends there. `came` is the direction of
    /// its last jump.
    fn jump_on<const KING: bool>(&mut self, at: u8, arrived_by: usize, captured: B, king_order: u32) {
        let axes = self.axes();
        let movement = axes.movement;
        if self.spend(1) {
            return;
        }
        let bit = B::one(at);
        let on_last_row = !KING && (bit & last_row::<R::Geometry, S>()).any();
        if on_last_row && movement.mid_promotion == MidPromotion::GoesOnAsKing {
            self.go_on_as_king(at, arrived_by, captured, king_order);
            return;
        }
        let mut is_complete = true;
        if !(on_last_row && movement.mid_promotion == MidPromotion::Stops) {
            let capturable = self.capturable & !captured;
            let removed = if movement.removal == Removal::AtOnce { captured } else { B::NONE };
            let empty = R::Geometry::VALID & !(self.others & !removed);
            let directions = if KING { movement.king_captures } else { axes.man_captures };
            each!(directions, d => {
                let jumped = R::Geometry::step(bit, d) & capturable;
                let landing = R::Geometry::step(jumped, d) & empty;
                if landing.any() {
                    is_complete = false;
                    let landing = landing.lowest();
                    self.sink.enter(landing, jumped.lowest());
                    self.jump_on::<KING>(landing, d, captured | jumped, self.with_captured(king_order, jumped));
                    self.sink.leave();
                }
            });
        }
        if is_complete {
            // A man that walks as a king was crowned on the way and stays a king wherever it ends.
            self.finish(at, captured, on_last_row || (KING && !self.king), king_order);
        }
    }

    /// A man has become a king in the middle of its capture.
    #[inline(never)]
    fn go_on_as_king(&mut self, at: u8, arrived_by: usize, captured: B, king_order: u32) {
        let man_prey = self.capturable;
        self.capturable = self.view.opp;
        if self.axes().movement.flying {
            if !self.fly_on(
                at,
                Directions::EIGHT.without(self.forbidden_turn(arrived_by)),
                captured,
                king_order,
            ) {
                self.finish(at, captured, true, king_order);
            }
        } else {
            self.jump_on::<true>(at, arrived_by, captured, king_order);
        }
        self.capturable = man_prey;
    }

    /// The direction opposite to `d`, as a set, if a capture may not turn back. Pieces that stay on the board
    /// until the end block the way back by themselves.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn forbidden_turn(&self, d: usize) -> u8 {
        let movement = self.axes().movement;
        if movement.removal == Removal::AtOnce && !movement.reversal { 1 << (d ^ 1) } else { 0 }
    }

    /// Goes on from `at` with a flying king in these directions; whether any capture is possible.
    fn fly_on(&mut self, at: u8, directions: Directions, captured: B, king_order: u32) -> bool {
        let movement = self.axes().movement;
        if self.spend(1) {
            return true;
        }
        let removed = if movement.removal == Removal::AtOnce { captured } else { B::NONE };
        let occupied = self.others & !removed;
        let capturable = self.capturable & !captured;
        let mut can_capture = false;
        each!(movement.king_captures, d => {
            let blockers = R::Geometry::ray(d, at) & occupied;
            if directions.has_number(d) && blockers.any() {
                let jumped = R::Geometry::nearest(blockers, d);
                let jumped_bit = B::one(jumped);
                let first = R::Geometry::step(jumped_bit, d) & R::Geometry::VALID & !occupied;
                if (jumped_bit & capturable).any() && first.any() {
                    can_capture = true;
                    self.land_flying_king(d, jumped, first.lowest(), occupied, captured | jumped_bit, king_order);
                }
            }
        });
        can_capture
    }

    /// A flying king has jumped over `victim` in direction `d`; `first` is the square right behind.
    fn land_flying_king(
        &mut self,
        d: usize,
        jumped: u8,
        first: u8,
        occupied: B,
        captured: B,
        king_order: u32,
    ) {
        let movement = self.axes().movement;
        let king_order = self.with_captured(king_order, B::one(jumped));
        let mut landings = B::one(first);
        if movement.king_landing == KingLanding::Anywhere {
            landings = R::Geometry::ray(d, jumped);
            let blockers = landings & occupied;
            if blockers.any() {
                let blocker = R::Geometry::nearest(blockers, d);
                landings &= !(R::Geometry::ray(d, blocker) | B::one(blocker));
            }
        }
        // Straight on is explored from the first square alone: from the others it would be the same capture.
        let forbidden = self.forbidden_turn(d);
        let mut can_capture = false;
        for landing in landings.squares() {
            let straight = if landing == first { 0 } else { 1 << d };
            self.sink.enter(landing, jumped);
            can_capture |=
                self.fly_on(landing, Directions::EIGHT.without(forbidden | straight), captured, king_order);
            self.sink.leave();
            if self.nodes > self.limit {
                return;
            }
        }
        if !can_capture {
            let promotes = !self.king;
            for landing in landings.squares() {
                self.sink.enter(landing, jumped);
                self.finish(landing, captured, promotes, king_order);
                self.sink.leave();
            }
        }
    }

    /// A capture is complete.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(&mut self, to: u8, captured: B, promotes: bool, king_order: u32) {
        let rank = self.precedence_rank(captured, king_order);
        if self.axes().movement.precedence != Precedence::Free {
            match self.best {
                Some(best) if best > rank => return,
                Some(best) if best == rank => {}
                _ => {
                    self.best = Some(rank);
                    self.sink.clear();
                }
            }
        }
        let mv = Move { captured, from: Square(self.from), to: Square(to), promotes };
        // Two paths to one move differ in the order of their victims, which takes three of them, or in where they
        // turn, which takes two and a victim that is gone when the piece turns back over its square.
        let movement = self.axes().movement;
        let turns_back = movement.removal == Removal::AtOnce && movement.reversal;
        let more = captured.without_lowest();
        let repeats = (if turns_back { more } else { more.without_lowest() }).any();
        let nodes = self.sink.add(mv, repeats);
        self.spend(nodes);
    }

    /// What this capture is worth: of two captures the one with the higher rank has precedence.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn precedence_rank(&self, captured: B, king_order: u32) -> u64 {
        let pieces = u64::from(captured.count());
        let kings = || u64::from((captured & self.view.kings).count());
        match self.axes().movement.precedence {
            Precedence::Free => 0,
            Precedence::MostPieces => pieces,
            Precedence::MostPiecesThenKings => pieces << 8 | kings(),
            Precedence::WithKing => u64::from(self.king),
            Precedence::Italian(reading) => {
                let king_order = match reading {
                    ItalianOrder::EveryKing => king_order,
                    // All captures compared have the same length, so the highest bit tells where the first
                    // king comes.
                    ItalianOrder::FirstKing => king_order.checked_ilog2().map_or(0, |place| 1 << place),
                };
                pieces << 48 | u64::from(self.king) << 40 | kings() << 32 | u64::from(king_order)
            }
            Precedence::Value(reading) => {
                let kings = kings();
                let men = pieces - kings;
                let value = match reading {
                    // Each king falls short of two men by the same little: what both captures take cancels
                    // out, and one king and two men are more than two kings.
                    KingValue::AlmostTwoMen => ((men + 2 * kings) << 8) - kings,
                    KingValue::ManAndHalf => 2 * men + 3 * kings,
                };
                value << 1 | u64::from(self.king)
            }
        }
    }
}
