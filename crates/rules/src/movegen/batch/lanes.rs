//! The plies of one side in a batch, one lane per ply, and the positions before them.

use crate::board::{Bits, Square};
use crate::movegen::fast_legality::{StepDistances, simple_move_doubts, slides};
use crate::movegen::find::find_with_kings;
use crate::movegen::side::{Side, View, last_row};
use crate::position::Move;
use crate::rules::{BitsOf, Ruleset};

/// The number of plies of one side in a batch.
pub const PLIES_PER_SIDE: usize = 32;
/// The number of plies that are proved at once.
const PROOF_LANES: usize = 8;
/// The number of plies that are read at once: large enough that the compiler makes vectors of the loop instead of
/// unrolling it.
const READ_LANES: usize = 16;
/// The search nodes allowed while earlier plies are not proved; common captures take fewer.
const TRUSTED_NODES: u32 = 200;

/// The plies of a side, and the positions before them as this side sees them.
#[derive(Debug, Default)]
pub(super) struct SideLanes {
    pub(super) own: [u64; PLIES_PER_SIDE],
    pub(super) opp: [u64; PLIES_PER_SIDE],
    pub(super) kings: [u64; PLIES_PER_SIDE],
    pub(super) captured: [u64; PLIES_PER_SIDE],
    /// The change of the own pieces: the bits of the first and the last square.
    changes: [u64; PLIES_PER_SIDE],
    /// The plies that promote, one bit per ply.
    pub(super) promotions: u32,
    /// The plies that need no proof, one bit per ply.
    pub(super) searched: u32,
}

/// The properties of moves that follow from their squares alone, one bit per move.
pub(super) struct SquareReading {
    /// Moves that are neither steps nor jumps over a neighbour.
    pub(super) unexplained: u32,
    /// Steps and jumps that would promote a man.
    pub(super) promotions: u32,
}

impl SideLanes {
    /// Reads the moves of this side in the first `count` rounds by their squares alone.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn read_squares<R: Ruleset, S: Side, const KINGS: bool>(
        &mut self,
        rules: R,
        rounds: &[u32; PLIES_PER_SIDE],
        count: usize,
    ) -> SquareReading {
        let reach = StepDistances::of::<R, S, KINGS>(rules);
        let last = last_row::<R::Geometry, S>().widen() as u64;
        let mut read_squares = SquareReading { unexplained: 0, promotions: 0 };
        for chunk in 0..count.min(PLIES_PER_SIDE).div_ceil(READ_LANES) {
            let moves = &rounds.as_chunks::<READ_LANES>().0[chunk];
            let captured = &mut self.captured.as_chunks_mut::<READ_LANES>().0[chunk];
            let changes = &mut self.changes.as_chunks_mut::<READ_LANES>().0[chunk];
            let (mut unexplained, mut promotions) = (0u64, 0u64);
            for at in 0..READ_LANES {
                let [from, to] = squares::<S>(moves[at]);
                let is_near = reach.is_near(from, to) & !((from | to) >> 7);
                let target = 1 << (to & 63);
                let promotes = is_near & u64::from(target & last != 0);
                captured[at] = reach.jumped_square(from, to);
                changes[at] = 1 << (from & 63) ^ target;
                unexplained |= (is_near ^ 1) << at;
                promotions |= promotes << at;
            }
            if !KINGS {
                self.kings.as_chunks_mut::<READ_LANES>().0[chunk] = [0; READ_LANES];
            }
            read_squares.unexplained |= (unexplained as u32) << (chunk * READ_LANES);
            read_squares.promotions |= (promotions as u32) << (chunk * READ_LANES);
        }
        (self.promotions, self.searched) = (if KINGS { 0 } else { read_squares.promotions }, 0);
        read_squares
    }

    /// Plays a move that has been read, on trust. Returns `false` if it was not played.
    ///
    /// Flying kings look at the board before they move. If there are flying kings, `unexplained` moves of other
    /// pieces are not played; otherwise the caller passes no such moves.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn play_on_trust<R: Ruleset, S: Side, const KINGS: bool>(
        &mut self,
        rules: R,
        at: usize,
        [from, to]: [u8; 2],
        unexplained: bool,
        (own, opp, kings): (&mut BitsOf<R>, &mut BitsOf<R>, &mut BitsOf<R>),
    ) -> bool {
        let at = at % PLIES_PER_SIDE;
        if KINGS {
            let (from, to) = (Square(from), Square(to));
            let king = (*kings & Bits::one(from.0)).any();
            if rules.movement().flying {
                if king {
                    let view = View { own: *own, opp: *opp, kings: *kings };
                    if (from.0 | to.0) >= 128 || !slides::<R, S>(rules, view, from, to) {
                        return false;
                    }
                    self.captured[at] = 0;
                } else if unexplained {
                    return false;
                }
            }
            let last = BitsOf::<R>::one(to.0) & last_row::<R::Geometry, S>();
            self.kings[at] = kings.widen() as u64;
            self.promotions |= u32::from(!king & last.any()) << at;
            let change = BitsOf::<R>::narrow(self.changes[at].into());
            let captured = BitsOf::<R>::narrow(self.captured[at].into());
            *kings = ((*kings & !captured) ^ (change & Bits::all_if(king))) | last;
        }
        self.own[at] = own.widen() as u64;
        self.opp[at] = opp.widen() as u64;
        *own ^= Bits::narrow(self.changes[at].into());
        *opp ^= Bits::narrow(self.captured[at].into());
        true
    }

    /// Searches and plays a move that cannot be played on trust. Returns `false` if it is not found.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn play_by_search<R: Ruleset, S: Side>(
        &mut self,
        rules: R,
        at: usize,
        [from, to]: [u8; 2],
        own: &mut BitsOf<R>,
        opp: &mut BitsOf<R>,
        kings: &mut BitsOf<R>,
    ) -> bool {
        let at = at % PLIES_PER_SIDE;
        let (from, to) = (Square(from), Square(to));
        if (from.0 | to.0) >= 128 {
            return false;
        }
        let effect = find_with_kings::<R, S>(rules, *own, *opp, *kings, Bits::NONE, from, to, TRUSTED_NODES)
            .of(from, to);
        let Ok(Move { captured, promotes, .. }) = effect else { return false };
        self.own[at] = own.widen() as u64;
        self.opp[at] = opp.widen() as u64;
        self.kings[at] = kings.widen() as u64;
        self.captured[at] = captured.widen() as u64;
        self.promotions = self.promotions & !(1 << at) | u32::from(promotes) << at;
        self.searched |= 1 << at;
        let (start, target) = (BitsOf::<R>::one(from.0), BitsOf::<R>::one(to.0));
        let king = (*kings & start).any() | promotes;
        *own = (*own & !start) | target;
        *opp &= !captured;
        *kings = (*kings & !start & !captured) | (target & Bits::all_if(king));
        true
    }

    /// Returns those of the first `count` plies that are not proved, one bit per ply.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn unproved<R: Ruleset, S: Side, const KINGS: bool>(
        &self,
        rules: R,
        moves: &[u32; PLIES_PER_SIDE],
        count: usize,
    ) -> u32 {
        let men = StepDistances::of::<R, S, false>(rules);
        let mut unproved_plies = 0;
        for first in (0..count.min(PLIES_PER_SIDE)).step_by(PROOF_LANES) {
            let chunk = |all: &[u64; PLIES_PER_SIDE]| -> [u64; PROOF_LANES] {
                core::array::from_fn(|lane| all[first + lane])
            };
            let (own, opp, kings, captured) =
                (chunk(&self.own), chunk(&self.opp), chunk(&self.kings), chunk(&self.captured));
            let moves: [[Square; 2]; PROOF_LANES] = core::array::from_fn(|lane| {
                squares::<S>(moves[first + lane]).map(|square| Square(square as u8))
            });
            let mut unproved = 0u64;
            for lane in 0..PROOF_LANES {
                let word = |set: u64| BitsOf::<R>::narrow(set.into());
                let kings = if KINGS { word(kings[lane]) } else { Bits::NONE };
                let view = View { own: word(own[lane]), opp: word(opp[lane]), kings };
                let [from, to] = moves[lane];
                let mut doubts = simple_move_doubts::<R, S>(rules, view, from, to, word(captured[lane]));
                if KINGS {
                    // Steps and jumps that only kings can make were played on trust, so the piece must be a king.
                    let men_can = word(men.is_near(from.0.into(), to.0.into()).wrapping_neg());
                    doubts |= BitsOf::<R>::one(from.0) & !kings & !men_can;
                }
                unproved |= u64::from(doubts.any()) << lane;
            }
            unproved_plies |= (unproved as u32) << first;
        }
        let within = 1u32.checked_shl(count as u32).map_or(u32::MAX, |bit| bit - 1);
        unproved_plies & within & !self.searched
    }
}

/// Returns the first and the last square of this side's move in a round.
#[cfg_attr(not(debug_assertions), inline(always))]
fn squares<S: Side>(round: u32) -> [u64; 2] {
    let squares = u64::from(round >> (16 * S::BLACK as u32));
    [squares & 0xFF, squares >> 8 & 0xFF]
}
