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

pub(super) mod table;
pub(super) mod writer;

use crate::position::StableKey;

/// How much of a key a table keeps, and where the number of the game stands: `key bits | game bits`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct KeyLayout {
    pub(crate) key_bits: u32,
    pub(crate) game_bits: u32,
}

/// Entries have at most so many bits, so that any difference can be read as eight bytes.
pub(crate) const ENTRY_BITS: u32 = 56;

impl KeyLayout {
    /// For so many games with so many positions: eight bits more than it takes to count the positions, so that about
    /// one key in 256 is taken for another and one game played in vain.
    pub(crate) fn of(games: u32, positions: u64) -> Self {
        let game_bits = (u32::BITS - games.saturating_sub(1).leading_zeros()).max(1);
        let counted = u64::BITS - positions.leading_zeros();
        Self { key_bits: (counted + 8).clamp(16, ENTRY_BITS - game_bits), game_bits }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn entry(self, key: u64, game: u32) -> u64 {
        key >> (u64::BITS - self.key_bits) << self.game_bits | u64::from(game)
    }

    /// The entries of a key: from the first to before the second.
    pub(crate) fn entries(self, key: StableKey) -> (u64, u64) {
        let first = self.entry(key.0, 0);
        (first, first + (1 << self.game_bits))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn game(self, entry: u64) -> u32 {
        (entry & ((1 << self.game_bits) - 1)) as u32
    }
}
