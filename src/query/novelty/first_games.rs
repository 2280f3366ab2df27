//! The first game that has each position, in a table that several threads fill at once.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The greatest number of slots of a table: 512 MiB.
pub(super) const MAX_SLOTS: u64 = 1 << 25;

/// The number of slots that are tried for a key. More are tried only if the table is nearly full.
const MAX_TRIED: usize = 4096;

/// Bits of the number of a game in an entry, below those of its last day.
const GAME_BITS: u32 = 40;

/// A slot of the table: a key, 0 for none, and the entry of the first game with it.
struct Slot {
    key: AtomicU64,
    entry: AtomicU64,
}

/// The first game of each position of a part of all keys.
pub(super) struct FirstGames {
    /// The number of the part, from 0, and the number of parts.
    part: (u64, u64),
    slots: Vec<Slot>,
    is_full: AtomicBool,
}

impl FirstGames {
    /// Creates an empty table for a part with this number of positions, of which a few more or less are no matter.
    pub(super) fn new(part: (u64, u64), positions: u64) -> Self {
        let mut slots = Vec::new();
        let empty = || Slot { key: AtomicU64::new(0), entry: AtomicU64::new(u64::MAX) };
        slots.resize_with((positions + positions / 2 + 64).next_power_of_two() as usize, empty);
        Self { part, slots, is_full: AtomicBool::new(false) }
    }

    /// Returns the number of positions for which [`new`](Self::new) takes up to this number of slots.
    pub(super) fn positions_of(slots: u64) -> u64 {
        slots.saturating_sub(64) * 2 / 3
    }

    /// Returns `true` if a key belongs to the part.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn covers(&self, key: u64) -> bool {
        let (part, parts) = self.part;
        parts == 1 || (u128::from(key) * u128::from(parts)) >> u64::BITS == u128::from(part)
    }

    /// Returns the entry of a game whose date allows no day after `last_day`. Entries are in the order of the games.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn entry(last_day: u32, game: usize) -> u64 {
        u64::from(last_day) << GAME_BITS | game as u64
    }

    /// Returns `true` if there was no room for some position.
    pub(super) fn is_full(&self) -> bool {
        self.is_full.load(Ordering::Relaxed)
    }

    /// Returns the slot of a key, or the empty one in which it would stand; `None` if the table is full.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn find(&self, key: u64) -> Option<(&Slot, u64)> {
        // The parts differ in the upper bits.
        let start = key as usize;
        for n in 0..self.slots.len().min(MAX_TRIED) {
            let slot = &self.slots[start.wrapping_add(n) & (self.slots.len() - 1)];
            let found = slot.key.load(Ordering::Relaxed);
            if found == key || found == 0 {
                return Some((slot, found));
            }
        }
        None
    }

    /// Adds a game with the position. Several threads may do so at once.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn insert(&self, key: u64, entry: u64) {
        if self.is_full() {
            return;
        }
        // The key 0, which is as improbable as any other, counts as 1.
        let key = key.max(1);
        while let Some((slot, found)) = self.find(key) {
            let is_ours = found == key || {
                let claimed = slot.key.compare_exchange(0, key, Ordering::Relaxed, Ordering::Relaxed);
                claimed.is_ok() || claimed == Err(key)
            };
            if is_ours {
                if entry < slot.entry.load(Ordering::Relaxed) {
                    slot.entry.fetch_min(entry, Ordering::Relaxed);
                }
                return;
            }
            // Another thread has put another key there.
        }
        self.is_full.store(true, Ordering::Relaxed);
    }

    /// Adds a game with the position if the table has the position.
    pub(super) fn insert_known(&self, key: u64, entry: u64) {
        if let Some((slot, found)) = self.find(key.max(1))
            && found != 0
        {
            slot.entry.fetch_min(entry, Ordering::Relaxed);
        }
    }

    /// Returns the first game with the position, if all days of its date come before `day`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn before(&self, key: u64, day: u32) -> Option<u64> {
        let (slot, _) = self.find(key.max(1))?;
        let entry = slot.entry.load(Ordering::Relaxed);
        ((entry >> GAME_BITS) < u64::from(day)).then_some(entry & ((1 << GAME_BITS) - 1))
    }
}
