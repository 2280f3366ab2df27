//! A packed game with what is needed to play it.

use std::ops::ControlFlow;

use crate::pack::{CorruptMoves, MoveCodec, RunningPieceCounts, ScannedPly};
use pdn_rules::internal::board::Geometry;
use pdn_rules::internal::position::State;

/// A packed game with what is needed to play it.
#[derive(Clone, Copy, Debug)]
pub struct PlayableGame<'a, G: Geometry> {
    /// The number of the segment in the index, from 0.
    pub segment: usize,
    /// The number of the game in its segment, from 0.
    pub game: u32,
    /// The number of its kind in [`Segment::kinds`](crate::Segment::kinds).
    pub kind: usize,
    /// Whether the game is continuous: it begins in the start position of its kind and has legal moves only, no setup and
    /// no null move. Its piece counts never increase.
    pub is_continuous: bool,
    /// The codes of packed moves on its board.
    pub codec: &'a MoveCodec<G>,
    /// The start position of its kind. A game that starts elsewhere begins with a setup.
    pub start: &'a State<G::Bits>,
    /// The packed moves; their checksum has been compared.
    pub bytes: &'a [u8],
}

impl<G: Geometry> PlayableGame<'_, G> {
    /// Passes every ply to `visit` until it breaks, and returns the last position. See [`MoveCodec::scan`].
    ///
    /// # Errors
    /// [`CorruptMoves`] if the moves cannot be unpacked.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn plies(
        &self,
        visit: impl FnMut(&ScannedPly<G::Bits>) -> ControlFlow<()>,
    ) -> std::result::Result<State<G::Bits>, CorruptMoves> {
        self.codec.scan(self.start, self.bytes, visit)
    }

    /// Passes every position with its piece counts and ply to `visit` until it breaks, and returns the last ply. See
    /// [`MoveCodec::positions`].
    ///
    /// # Errors
    /// [`CorruptMoves`] if the moves cannot be unpacked.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn positions(
        &self,
        visit: impl FnMut(&State<G::Bits>, RunningPieceCounts, u32) -> ControlFlow<()>,
    ) -> std::result::Result<u32, CorruptMoves> {
        self.codec.positions(self.start, self.bytes, visit)
    }
}
