//! Which games have a position: by a table of keys where there is one, else by playing them.
//!
//! A *key table* stands beside a segment and lists, sorted, which position occurs in which game. It is derived from the
//! segment, so it can be made, lost and made again at any time; answers are the same with it and without. It stores the
//! upper bits of the [`StableKey`](crate::position::StableKey) only, and no ply: every hit is confirmed by playing the
//! game, which costs less than a microsecond, and that shows the ply as well.
//!
//! - Building plays the games several times, each time for the part of all keys that fits in memory (256 MiB), so
//!   it needs no temporary files whatever the archive. The bytes depend on the segment alone.
//! - A table takes about 4 bytes a position. Looking up reads one block of 64 entries, for a position that occurs
//!   nowhere too.
//!
//! Not here: what is played in a position and how those games ended; that is the opening tree.

mod build;
mod page;
mod table;
mod write;

pub(super) use build::check;
pub use build::{KeyTableOptions, KeyTablesBuilt, build_key_tables};
pub use table::KeyTable;
pub(super) use table::file_name;

#[cfg(test)]
mod tests;

use crate::board::Geometry;
use crate::pack::{CorruptMoves, MoveCodec};
use crate::position::{StableKey, State};
use std::ops::ControlFlow;

/// How much of a key a table keeps, and where the number of the game stands: `key bits | game bits`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct KeyLayout {
    key_bits: u32,
    game_bits: u32,
}

/// Entries have at most so many bits, so that any difference can be read as eight bytes.
const ENTRY_BITS: u32 = 56;

impl KeyLayout {
    /// For so many games with so many positions: eight bits more than it takes to count the positions, so that about
    /// one key in 256 is taken for another and one game played in vain.
    fn of(games: u32, positions: u64) -> Self {
        let game_bits = (u32::BITS - games.saturating_sub(1).leading_zeros()).max(1);
        let counted = u64::BITS - positions.leading_zeros();
        Self { key_bits: (counted + 8).clamp(16, ENTRY_BITS - game_bits), game_bits }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry(self, key: u64, game: u32) -> u64 {
        key >> (u64::BITS - self.key_bits) << self.game_bits | u64::from(game)
    }

    /// The entries of a key: from the first to before the second.
    fn entries(self, key: StableKey) -> (u64, u64) {
        let first = self.entry(key.0, 0);
        (first, first + (1 << self.game_bits))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn game(self, entry: u64) -> u32 {
        (entry & ((1 << self.game_bits) - 1)) as u32
    }
}

/// Whether a game begins in the start position of its kind and goes on with moves alone, by its summary: no setups and
/// no null moves.
pub(crate) fn is_continuous(summary: u64) -> bool {
    summary & (64 | 128) == 0
}

/// The keys of all positions of a game, some nanoseconds each. `key` is that of `start`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn keys<G: Geometry>(
    codec: &MoveCodec<G>,
    (start, mut key): (&State<G::Bits>, StableKey),
    irregular: bool,
    bytes: &[u8],
    mut emit: impl FnMut(u64),
) -> Result<(), CorruptMoves> {
    if irregular {
        let last = codec.scan(start, bytes, |ply| {
            emit(ply.before().key_on(G::BOARD).0);
            ControlFlow::Continue(())
        })?;
        emit(last.key_on(G::BOARD).0);
        return Ok(());
    }
    emit(key.0);
    codec.scan(start, bytes, |ply| {
        key = match ply.mv() {
            Some(mv) => ply.before().key_after::<G>(key, &mv),
            None => ply.after().key_on(G::BOARD),
        };
        emit(key.0);
        ControlFlow::Continue(())
    })?;
    Ok(())
}
