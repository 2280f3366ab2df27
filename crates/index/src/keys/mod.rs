//! Key tables: which games of a segment contain a given position.
//!
//! A *key table* is a file next to a segment that lists, in sorted order, which position occurs in which game. It is
//! derived from the segment, so it can be deleted and built again at any time; query results are the same with and
//! without it. It stores only the upper bits of each [`StableKey`](pdn::position::StableKey) and no ply. Every
//! match is confirmed by playing the game, which costs less than a microsecond and yields the ply.
//!
//! - Building plays the games several times, each time for the part of all keys that fits in memory (256 MiB), so it
//!   needs no temporary files however large the archive is. The bytes depend on the segment alone.
//! - A table takes about 4 bytes per position. A look-up reads one block of 64 entries, also for a position that
//!   occurs nowhere.

pub(super) mod table;
pub(super) mod writer;

use pdn::position::StableKey;

/// The layout of an entry: `upper bits of the key | number of the game`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct KeyLayout {
    /// Bits of the key that are kept.
    pub(crate) key_bits: u32,
    /// Bits of the number of the game.
    pub(crate) game_bits: u32,
}

/// Maximum bits of an entry, so that a load of eight bytes holds any difference at any bit offset.
pub(crate) const ENTRY_BITS: u32 = 56;

impl KeyLayout {
    /// Returns the layout for a segment of `games` games with `positions` positions.
    ///
    /// It keeps eight bits more than are needed to count the positions. So about one look-up in 256 finds another
    /// position with equal bits and plays a game in vain.
    pub(crate) fn of(games: u32, positions: u64) -> Self {
        let game_bits = (u32::BITS - games.saturating_sub(1).leading_zeros()).max(1);
        let counting_bits = u64::BITS - positions.leading_zeros();
        Self { key_bits: (counting_bits + 8).clamp(16, ENTRY_BITS - game_bits), game_bits }
    }

    /// Returns the entry of a game that contains a position with this key.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn entry(self, key: u64, game: u32) -> u64 {
        key >> (u64::BITS - self.key_bits) << self.game_bits | u64::from(game)
    }

    /// Returns the half-open range of the entries of a key.
    pub(crate) fn entries(self, key: StableKey) -> (u64, u64) {
        self.entries_of(self.upper_bits(key.0))
    }

    /// Returns the half-open range of the entries whose keys have these upper bits.
    pub(crate) fn entries_of(self, upper_bits: u64) -> (u64, u64) {
        let first = upper_bits << self.game_bits;
        (first, first + (1 << self.game_bits))
    }

    /// Returns the upper bits of a key, which entries keep.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn upper_bits(self, key: u64) -> u64 {
        key >> (u64::BITS - self.key_bits)
    }

    /// Returns the upper bits of the key of an entry.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn upper_bits_of(self, entry: u64) -> u64 {
        entry >> self.game_bits
    }

    /// Returns the number of the game of an entry.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn game_of(self, entry: u64) -> u32 {
        (entry & ((1 << self.game_bits) - 1)) as u32
    }
}
