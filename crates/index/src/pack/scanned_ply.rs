//! A ply as a scan passes it on, with the piece counts that the scan keeps up to date.

use pdn::board::Square;
use pdn::position::Move;
use pdn::value::Colour;
use pdn_rules::internal::board::Bits;
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

/// The numbers of pieces and kings of both sides, updated from ply to ply.
///
/// The number of pieces includes the kings. Two words hold all counts, so that a ply updates
/// both sides without a branch. [`PieceCounts`](pdn::position::PieceCounts) has a byte for each side and kind instead.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RunningPieceCounts {
    /// White's in the lower 16 bits, Black's in the upper ones.
    pub(super) pieces: u32,
    /// Laid out as `pieces`.
    pub(super) kings: u32,
}

impl RunningPieceCounts {
    /// Counts the pieces of a position.
    pub fn of<B: Bits>(state: &State<B>) -> Self {
        let pack = |[white, black]: [B; 2]| white.count() | black.count() << 16;
        Self { pieces: pack(state.pieces), kings: pack(state.pieces.map(|side| side & state.kings)) }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shift(colour: Colour) -> u32 {
        16 * colour as u32
    }

    /// Returns the numbers of pieces and of kings: White's in the lower 16 bits, Black's in the upper ones.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn halves(self) -> [u32; 2] {
        [self.pieces, self.kings]
    }

    /// Returns the number of men and kings of a side.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn pieces(self, colour: Colour) -> u32 {
        self.pieces >> Self::shift(colour) & 0xffff
    }

    /// Returns the number of kings of a side.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn kings(self, colour: Colour) -> u32 {
        self.kings >> Self::shift(colour) & 0xffff
    }

    /// Returns the number of men of a side.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn men(self, colour: Colour) -> u32 {
        self.pieces(colour) - self.kings(colour)
    }

    /// Returns the counts after a ply of `turn` that captures `pieces` pieces, `kings` of them kings, and may promote.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn after(self, turn: Colour, (pieces, kings): (u32, u32), promotes: bool) -> Self {
        Self {
            pieces: self.pieces - (pieces << Self::shift(!turn)),
            kings: self.kings - (kings << Self::shift(!turn)) + (u32::from(promotes) << Self::shift(turn)),
        }
    }
}
