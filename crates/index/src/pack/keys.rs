//! The keys of the positions of a packed game.

use std::ops::ControlFlow;

use super::codes::MoveCodec;
use super::decode::CorruptMoves;
use pdn::position::StableKey;
use pdn_rules::internal::board::Geometry;
use pdn_rules::internal::position::State;

impl<G: Geometry> MoveCodec<G> {
    /// Passes the keys of all positions of a packed game to `visit`, from ply 0 on, until that breaks off; a few nanoseconds each.
    /// `key` is that of `start`. A setup replaces the position before it.
    ///
    /// `is_continuous` says that the game begins at `start` and has legal moves only, as
    /// [`PlayableGame`](crate::query::PlayableGame) describes.
    ///
    /// # Errors
    /// [`CorruptMoves`] if the bytes are not those of a packed game; `visit` has received the keys before.
    // Twin: `Position::key` of the unpacked game; test: `key_table_selects_every_game_of_a_position`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn keys(
        &self,
        (start, mut key): (&State<G::Bits>, StableKey),
        is_continuous: bool,
        bytes: &[u8],
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(), CorruptMoves> {
        if is_continuous && visit(key.0).is_break() {
            return Ok(());
        }
        let mut broke_off = false;
        let last = self.scan(start, bytes, |ply| {
            let flow = if is_continuous {
                key = match ply.mv() {
                    Some(mv) => ply.before().key_after::<G>(key, &mv),
                    None => ply.after().key_on(G::BOARD),
                };
                visit(key.0)
            } else {
                visit(ply.before().key_on(G::BOARD).0)
            };
            broke_off = flow.is_break();
            flow
        })?;
        if !is_continuous && !broke_off {
            // The caller's decision no longer matters.
            let _ = visit(last.key_on(G::BOARD).0);
        }
        Ok(())
    }
}
