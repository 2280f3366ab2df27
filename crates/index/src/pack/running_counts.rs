//! Piece counts that a scan keeps up to date.

use pdn::board::Bits;
use pdn::value::Colour;
use pdn_rules::internal::position::State;

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
