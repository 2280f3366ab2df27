//! A ply as a scan passes it on.

use super::running_counts::RunningPieceCounts;
use pdn::board::{Bits, Square};
use pdn::position::Move;
use pdn::value::Colour;
use pdn_rules::internal::position::{State, Streak};

/// A ply of a packed game, passed to the visitor of [`MoveCodec::scan`](super::MoveCodec::scan).
///
/// Its methods are inlined, so values that the visitor does not use are not computed.
#[derive(Clone, Copy, Debug)]
pub struct ScannedPly<B> {
    pub(super) before: Sides<B>,
    pub(super) after: Sides<B>,
    pub(super) turn: Colour,
    pub(super) from: B,
    pub(super) to: B,
    pub(super) captured: B,
    pub(super) counts_before: RunningPieceCounts,
    pub(super) counts_after: RunningPieceCounts,
    pub(super) is_null: bool,
}

/// The pieces of a position, without turn and king counters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides<B> {
    pub(super) pieces: [B; 2],
    pub(super) kings: B,
}

impl<B: Bits> ScannedPly<B> {
    /// Returns the position before the ply, without king counters.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn before(&self) -> State<B> {
        self.before.state(self.turn)
    }

    /// Returns the position after the ply, without king counters.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn after(&self) -> State<B> {
        self.after.state(!self.turn)
    }

    /// Returns the side that moves.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn turn(&self) -> Colour {
        self.turn
    }

    /// Returns the squares of the captured pieces.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn captured(&self) -> B {
        self.captured
    }

    /// Returns the first square of the move as a bitboard; empty for a null move.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn from(&self) -> B {
        self.from
    }

    /// Returns the last square of the move as a bitboard; empty for a null move.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn to(&self) -> B {
        self.to
    }

    /// Returns `true` if a king moves.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn by_king(&self) -> bool {
        (self.before.kings & self.from).any()
    }

    /// Returns `true` if a man promotes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn promotes(&self) -> bool {
        !self.by_king() & (self.after.kings & self.to).any()
    }

    /// Returns the piece counts before the ply. They are kept up to date, which is cheaper than counting bits.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn counts_before(&self) -> RunningPieceCounts {
        self.counts_before
    }

    /// Returns the piece counts after the ply.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn counts_after(&self) -> RunningPieceCounts {
        self.counts_after
    }

    /// Returns the move; `None` for a null move.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn mv(&self) -> Option<Move<B>> {
        let (from, to) = (Square(self.from.lowest()), Square(self.to.lowest()));
        (!self.is_null).then_some(Move::new(from, to, self.captured, self.promotes()))
    }
}

impl<B: Bits> Sides<B> {
    /// Returns the position with this side to move, without king counters.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn state(self, turn: Colour) -> State<B> {
        State { pieces: self.pieces, kings: self.kings, turn, streaks: [Streak::default(); 2] }
    }
}
