//! Finds all captures that the rules on precedence allow, over any number of pieces.
//!
//! The search is exponential in the worst case: a crafted position on 12x12 has more captures than could be listed
//! in a lifetime. Every search node is counted against a budget; when the budget is exceeded, the result is an
//! error. The depth is bounded by the number of pieces.

use core::fmt;

use super::jumps::Jumps;
use super::side::{Axes, Side, View, each, last_row};
use crate::board::{Bits, Directions, Geometry, Square};
use crate::position::Move;
use crate::rules::{
    BitsOf, ItalianOrder, KingLanding, KingValue, MidPromotion, Precedence, Removal, Ruleset,
};
use crate::steps;

/// The largest number of nodes in one capture search, unless the caller chooses another. Positions of real games need less than
/// a thousandth of it.
pub const DEFAULT_CAPTURE_NODES: u32 = 1_000_000;

/// The error of a capture search that was stopped because it needed more search nodes than allowed.
///
/// ```
/// use pdn_rules::movegen::{CaptureLimit, MoveList};
/// use pdn_rules::{Position, Variant};
///
/// let position = Position::parse_fen(Variant::International, "W:WK46:B41,32,22,12,9,14,24,35")?;
/// assert_eq!(position.legal_moves_within(3, &mut MoveList::new()), Err(CaptureLimit));
/// # Ok::<(), pdn_rules::position::ParseFenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct CaptureLimit;

impl fmt::Display for CaptureLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the captures of this position are too many to be searched within the limit")
    }
}

impl core::error::Error for CaptureLimit {}

/// A receiver of captures as they are found.
pub(super) trait CaptureSink<B> {
    /// The piece jumps over the square `jumped`, lands on `landing` and continues from there.
    fn enter(&mut self, _landing: u8, _jumped: u8) {}

    /// The last jump is taken back.
    fn leave(&mut self) {}

    /// The next capture takes precedence over all captures so far.
    fn clear(&mut self);

    /// Receives a capture of the same precedence as those since the last [`clear`](CaptureSink::clear). `repeats`
    /// is `true` if another path may have led to the same move. Returns the work done, in search nodes.
    fn add(&mut self, mv: Move<B>, repeats: bool) -> u32;
}

/// The capture search of one position.
///
/// All callers share one instance with a sink behind a pointer, because the search is by far the largest piece of code here and
/// exists for every ruleset and side.
pub(super) struct CaptureSearch<'a, R: Ruleset, S> {
    rules: R,
    side: core::marker::PhantomData<S>,
    view: View<BitsOf<R>>,
    /// The square of the capturing piece.
    from: u8,
    /// `true` if that piece was a king at the start of its capture.
    king: bool,
    /// All pieces except the capturing one.
    others: BitsOf<R>,
    /// The pieces that it may capture; they change when a man continues as a king.
    capturable: BitsOf<R>,
    best: Option<u64>,
    nodes: u32,
    limit: u32,
    sink: &'a mut dyn CaptureSink<BitsOf<R>>,
}

impl<'a, B, R, S> CaptureSearch<'a, R, S>
where
    B: Bits,
    R: Ruleset,
    R::Geometry: Geometry<Bits = B>,
    S: Side,
{
    /// Searches all captures of the position and passes those with precedence to `sink`. Adds nothing if no capture
    /// is possible.
    ///
    /// `jumps` belong to `view`. `only` restricts the search to some pieces, which is sound if the caller knows
    /// that no other piece has a capture that takes precedence.
    ///
    /// # Errors
    /// [`CaptureLimit`] if the search needs more than `limit` nodes.
    #[inline(never)]
    pub(super) fn run(
        rules: R,
        view: View<B>,
        jumps: &Jumps<B>,
        only: B,
        limit: u32,
        sink: &'a mut dyn CaptureSink<B>,
    ) -> Result<(), CaptureLimit> {
        let none = B::NONE;
        let mut search = Self {
            rules,
            side: core::marker::PhantomData,
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
                self.start_with(from, true);
                self.fly_on(from, Directions::EIGHT, B::NONE, 0);
            }
        }
        if !(jumps.any & only).any() {
            return;
        }
        let (mut men, mut kings) = (jumps.men, jumps.kings);
        // If the number of captured pieces decides and some capture takes two, no capture of one piece can be
        // legal.
        if R::FIXED && axes.movement.precedence.prefers_more() {
            let continuing = jumps.continuing::<R, S>(self.rules, jumps.any, jumps.any);
            if continuing.any.any() && axes.movement.mid_promotion != MidPromotion::GoesOnAsKing {
                (men, kings) = (continuing.men, continuing.kings);
            }
        }
        each!(axes.man_captures, d => {
            for from in (men[d] & only).squares() {
                self.start_with(from, false);
                self.first_jump::<false>(from, d);
            }
        });
        if !axes.movement.flying {
            each!(axes.movement.king_captures, d => {
                for from in (kings[d] & only).squares() {
                    self.start_with(from, true);
                    self.first_jump::<true>(from, d);
                }
            });
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn start_with(&mut self, from: u8, king: bool) {
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
        self.jump_on::<KING>(landing, d, jumped, self.extend_king_order(0, jumped));
        self.sink.leave();
    }

    /// Counts search nodes; returns `true` if the budget is exceeded.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn spend(&mut self, nodes: u32) -> bool {
        steps::add(nodes as usize);
        self.nodes = self.nodes.saturating_add(nodes);
        self.nodes > self.limit
    }

    /// Appends a captured piece to the order in which kings are captured: one bit per piece, 1 for a king, the
    /// latest in the lowest bit. Always 0 unless the rules need the order.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn extend_king_order(&self, king_order: u32, jumped: B) -> u32 {
        match self.axes().movement.precedence {
            Precedence::Italian(_) => king_order << 1 | u32::from((jumped & self.view.kings).any()),
            _ => 0,
        }
    }

    /// Continues from `at` with a piece that jumps over its neighbours, or ends the capture there. `arrived_by` is
    /// the direction of the last jump.
    fn jump_on<const KING: bool>(&mut self, at: u8, arrived_by: usize, captured: B, king_order: u32) {
        let axes = self.axes();
        let movement = axes.movement;
        if self.spend(1) {
            return;
        }
        let bit = B::one(at);
        let on_last_row = !KING && (bit & last_row::<R::Geometry, S>()).any();
        if on_last_row && movement.mid_promotion == MidPromotion::GoesOnAsKing {
            self.continue_as_king(at, arrived_by, captured, king_order);
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
                    self.jump_on::<KING>(landing, d, captured | jumped, self.extend_king_order(king_order, jumped));
                    self.sink.leave();
                }
            });
        }
        if is_complete {
            // A man that continues as a king was promoted on the way, so it stays a king wherever the capture ends.
            self.finish(at, captured, on_last_row || (KING && !self.king), king_order);
        }
    }

    /// Continues the capture of a man that has just been promoted.
    #[inline(never)]
    fn continue_as_king(&mut self, at: u8, arrived_by: usize, captured: B, king_order: u32) {
        let man_capturable = self.capturable;
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
        self.capturable = man_capturable;
    }

    /// Returns the direction opposite to `d`, as a set, if a capture may not turn back. If captured pieces stay on
    /// the board until the end, they block the way back anyway.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn forbidden_turn(&self, d: usize) -> u8 {
        let movement = self.axes().movement;
        if movement.removal == Removal::AtOnce && !movement.reversal { 1 << (d ^ 1) } else { 0 }
    }

    /// Continues from `at` with a flying king in these directions. Returns `true` if any capture is possible.
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

    /// Continues after a flying king has jumped over the square `jumped` in direction `d`; `first` is the first
    /// square after it.
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
        let king_order = self.extend_king_order(king_order, B::one(jumped));
        let mut landings = B::one(first);
        if movement.king_landing == KingLanding::Anywhere {
            landings = R::Geometry::ray(d, jumped);
            let blockers = landings & occupied;
            if blockers.any() {
                let blocker = R::Geometry::nearest(blockers, d);
                landings &= !(R::Geometry::ray(d, blocker) | B::one(blocker));
            }
        }
        // The direction straight on is searched from the first square only; from the others it would find the same
        // captures.
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

    /// Compares a complete capture with those so far and passes it to the sink if it has precedence.
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
        // Two paths to one move differ in the order of the captured pieces, which takes three of them, or in the
        // squares where they turn. The latter takes two, and one of them must be removed before the piece turns
        // back over its square.
        let movement = self.axes().movement;
        let turns_back = movement.removal == Removal::AtOnce && movement.reversal;
        let more = captured.without_lowest();
        let repeats = (if turns_back { more } else { more.without_lowest() }).any();
        let nodes = self.sink.add(mv, repeats);
        self.spend(nodes);
    }

    /// Returns the precedence of a capture as a number: of two captures, the one with the higher number takes
    /// precedence.
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
                    // All compared captures have the same length, so the highest bit is the place of the first
                    // captured king.
                    ItalianOrder::FirstKing => king_order.checked_ilog2().map_or(0, |place| 1 << place),
                };
                pieces << 48 | u64::from(self.king) << 40 | kings() << 32 | u64::from(king_order)
            }
            Precedence::Value(reading) => {
                let kings = kings();
                let men = pieces - kings;
                let value = match reading {
                    // Every king is worth two men less the same small amount. Kings that both captures take cancel
                    // out, and a king and two men are worth more than two kings.
                    KingValue::AlmostTwoMen => ((men + 2 * kings) << 8) - kings,
                    KingValue::ManAndHalf => 2 * men + 3 * kings,
                };
                value << 1 | u64::from(self.king)
            }
        }
    }
}
