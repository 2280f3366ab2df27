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
use crate::rules::{ItalianOrder, KingLanding, KingValue, MidPromotion, Precedence, Removal, Ruleset};

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
pub(super) trait Sink<B> {
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
pub(super) struct Search<'a, R, S, K>
where
    R: Ruleset,
    K: ?Sized,
{
    rules: R,
    side: std::marker::PhantomData<S>,
    view: View<<R::Geometry as Geometry>::Bits>,
    /// The capturing piece.
    from: u8,
    /// Whether it was a king when it started.
    king: bool,
    /// All pieces but the capturing one.
    others: <R::Geometry as Geometry>::Bits,
    /// What it may capture; changes when a man becomes a king on the way.
    prey: <R::Geometry as Geometry>::Bits,
    best: Option<u64>,
    steps: u32,
    limit: u32,
    sink: &'a mut K,
}

impl<'a, B, R, S, K> Search<'a, R, S, K>
where
    B: Bits,
    R: Ruleset,
    R::Geometry: Geometry<Bits = B>,
    S: Side,
    K: Sink<B> + ?Sized,
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
            prey: none,
            best: None,
            steps: 0,
            limit,
            sink,
        };
        search.all(jumps, only);
        if search.steps > limit { Err(CaptureLimit) } else { Ok(()) }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn axes(&self) -> Axes {
        Axes::of::<R, S>(self.rules)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn all(&mut self, jumps: &Jumps<B>, only: B) {
        let axes = self.axes();
        if axes.movement.flying {
            for from in (self.view.own & self.view.kings & only).squares() {
                self.start(from, true);
                self.fly(from, Directions::EIGHT, B::NONE, 0);
            }
        }
        if !(jumps.any & only).any() {
            return;
        }
        let (mut men, mut kings) = (jumps.men, jumps.kings);
        // A capture of one piece has no chance where some capture takes two and the number decides.
        if R::FIXED && axes.movement.precedence.prefers_more() {
            let going = jumps.continuing::<R, S>(self.rules, jumps.any, jumps.any);
            if going.any.any() && axes.movement.mid_promotion != MidPromotion::GoesOnAsKing {
                (men, kings) = (going.men, going.kings);
            }
        }
        each!(axes.man_captures, d => {
            for from in (men[d] & only).squares() {
                self.start(from, false);
                self.first_jump::<false>(from, d);
            }
        });
        if !axes.movement.flying {
            each!(axes.movement.king_captures, d => {
                for from in (kings[d] & only).squares() {
                    self.start(from, true);
                    self.first_jump::<true>(from, d);
                }
            });
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn start(&mut self, from: u8, king: bool) {
        let movement = self.axes().movement;
        self.from = from;
        self.king = king;
        self.others = (self.view.own | self.view.opp) & !B::one(from);
        self.prey =
            if king || movement.man_takes_king { self.view.opp } else { self.view.opp & !self.view.kings };
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn first_jump<const KING: bool>(&mut self, from: u8, d: usize) {
        let victim = R::Geometry::step(B::one(from), d);
        let landing = R::Geometry::step(victim, d).lowest();
        self.sink.enter(landing, victim.lowest());
        self.walk::<KING>(landing, d, victim, self.order(0, victim));
        self.sink.leave();
    }

    /// One more step of work; whether the budget is spent.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn spent(&mut self, steps: u32) -> bool {
        self.steps = self.steps.saturating_add(steps);
        self.steps > self.limit
    }

    /// Kings among the victims so far, the latest in the lowest bit; only where the rules ask for it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn order(&self, order: u32, victim: B) -> u32 {
        match self.axes().movement.precedence {
            Precedence::Italian(_) => order << 1 | u32::from((victim & self.view.kings).any()),
            _ => 0,
        }
    }

    /// Goes on from `at` with a piece that jumps over its neighbours, or ends there. `came` is the direction of
    /// its last jump.
    fn walk<const KING: bool>(&mut self, at: u8, came: usize, captured: B, order: u32) {
        let axes = self.axes();
        let movement = axes.movement;
        if self.spent(1) {
            return;
        }
        let bit = B::one(at);
        let crowned = !KING && (bit & last_row::<R::Geometry, S>()).any();
        if crowned && movement.mid_promotion == MidPromotion::GoesOnAsKing {
            self.go_on_as_king(at, came, captured, order);
            return;
        }
        let mut ended = true;
        if !(crowned && movement.mid_promotion == MidPromotion::Stops) {
            let prey = self.prey & !captured;
            let gone = if movement.removal == Removal::AtOnce { captured } else { B::NONE };
            let empty = R::Geometry::VALID & !(self.others & !gone);
            let directions = if KING { movement.king_captures } else { axes.man_captures };
            each!(directions, d => {
                let victim = R::Geometry::step(bit, d) & prey;
                let landing = R::Geometry::step(victim, d) & empty;
                if landing.any() {
                    ended = false;
                    let landing = landing.lowest();
                    self.sink.enter(landing, victim.lowest());
                    self.walk::<KING>(landing, d, captured | victim, self.order(order, victim));
                    self.sink.leave();
                }
            });
        }
        if ended {
            // A man that walks as a king was crowned on the way and stays a king wherever it ends.
            self.end(at, captured, crowned || (KING && !self.king), order);
        }
    }

    /// A man has become a king in the middle of its capture.
    #[inline(never)]
    fn go_on_as_king(&mut self, at: u8, came: usize, captured: B, order: u32) {
        let man_prey = self.prey;
        self.prey = self.view.opp;
        if self.axes().movement.flying {
            if !self.fly(at, Directions::EIGHT.without(self.back(came)), captured, order) {
                self.end(at, captured, true, order);
            }
        } else {
            self.walk::<true>(at, came, captured, order);
        }
        self.prey = man_prey;
    }

    /// The direction opposite to `d`, as a set, if a capture may not turn back. Pieces that stay on the board
    /// until the end block the way back by themselves.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn back(&self, d: usize) -> u8 {
        let movement = self.axes().movement;
        if movement.removal == Removal::AtOnce && !movement.reversal { 1 << (d ^ 1) } else { 0 }
    }

    /// Goes on from `at` with a flying king in these directions; whether any capture is possible.
    fn fly(&mut self, at: u8, directions: Directions, captured: B, order: u32) -> bool {
        let movement = self.axes().movement;
        if self.spent(1) {
            return true;
        }
        let gone = if movement.removal == Removal::AtOnce { captured } else { B::NONE };
        let occupied = self.others & !gone;
        let prey = self.prey & !captured;
        let mut found = false;
        each!(movement.king_captures, d => {
            let blockers = R::Geometry::ray(d, at) & occupied;
            if directions.has(d) && blockers.any() {
                let victim = R::Geometry::nearest(blockers, d);
                let victim_bit = B::one(victim);
                let first = R::Geometry::step(victim_bit, d) & R::Geometry::VALID & !occupied;
                if (victim_bit & prey).any() && first.any() {
                    found = true;
                    self.land(d, victim, first.lowest(), occupied, captured | victim_bit, order);
                }
            }
        });
        found
    }

    /// A flying king has jumped over `victim` in direction `d`; `first` is the square right behind.
    fn land(&mut self, d: usize, victim: u8, first: u8, occupied: B, captured: B, order: u32) {
        let movement = self.axes().movement;
        let order = self.order(order, B::one(victim));
        let mut landings = B::one(first);
        if movement.king_landing == KingLanding::Anywhere {
            landings = R::Geometry::ray(d, victim);
            let blockers = landings & occupied;
            if blockers.any() {
                let blocker = R::Geometry::nearest(blockers, d);
                landings &= !(R::Geometry::ray(d, blocker) | B::one(blocker));
            }
        }
        // Straight on is explored from the first square alone: from the others it would be the same capture.
        let back = self.back(d);
        let mut found = false;
        for landing in landings.squares() {
            let straight = if landing == first { 0 } else { 1 << d };
            self.sink.enter(landing, victim);
            found |= self.fly(landing, Directions::EIGHT.without(back | straight), captured, order);
            self.sink.leave();
            if self.steps > self.limit {
                return;
            }
        }
        if !found {
            let promotes = !self.king;
            for landing in landings.squares() {
                self.sink.enter(landing, victim);
                self.end(landing, captured, promotes, order);
                self.sink.leave();
            }
        }
    }

    /// A capture is complete.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(&mut self, to: u8, captured: B, promotes: bool, order: u32) {
        let rank = self.rank(captured, order);
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
        let steps = self.sink.add(mv, repeats);
        self.spent(steps);
    }

    /// What this capture is worth: of two captures the one with the higher rank has precedence.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn rank(&self, captured: B, order: u32) -> u64 {
        let pieces = u64::from(captured.count());
        let kings = || u64::from((captured & self.view.kings).count());
        match self.axes().movement.precedence {
            Precedence::Free => 0,
            Precedence::MostPieces => pieces,
            Precedence::MostPiecesThenKings => pieces << 8 | kings(),
            Precedence::WithKing => u64::from(self.king),
            Precedence::Italian(reading) => {
                let order = match reading {
                    ItalianOrder::EveryKing => order,
                    // All captures compared have the same length, so the highest bit tells where the first
                    // king comes.
                    ItalianOrder::FirstKing => order.checked_ilog2().map_or(0, |place| 1 << place),
                };
                pieces << 48 | u64::from(self.king) << 40 | kings() << 32 | u64::from(order)
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
