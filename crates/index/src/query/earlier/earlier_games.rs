//! A table of the positions that several games have, with the dates of these games.

use std::ops::ControlFlow;

use super::bit_tables::ListedPositions;
use super::dated_games::DatedGames;
use crate::pack::CorruptMoves;
use crate::query::playable_game::PlayableGame;
use pdn_rules::internal::board::Geometry;

/// What is new in a game; see `novelties`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Novelty {
    /// The number of plies before the first move that leads to a position that no earlier game has. `None` if an earlier game has
    /// every position, if none has even the first one, or if the year of the game is unknown.
    pub ply: Option<u32>,
    /// Of the earlier games with the last known position, the one that ended first, by the last day that its date allows, then by
    /// its number, from 0. `None` if no earlier game has the first position, or if the year is unknown.
    pub predecessor: Option<u64>,
}

/// The games of earlier dates with each position.
///
/// It takes 4 bytes of memory for each time that a game has a position which another game has too, and 23 bytes for each such position.
// Twin: a dictionary of positions and dates; test: `earlier_games_of_a_position_are_those_of_a_dictionary`.
#[derive(Debug)]
pub(in crate::query) struct EarlierGames {
    games: DatedGames,
    /// The positions of the buckets.
    listed: ListedPositions,
    /// By the upper bits of the keys; see [`bucket_of`].
    buckets: Vec<Bucket>,
    /// The novelty of each game; empty if it was not looked for.
    novelties: Vec<Novelty>,
}

/// The number of buckets of positions.
pub(in crate::query) const BUCKETS: usize = 256;

/// Returns the number of the bucket of a key.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(in crate::query) fn bucket_of(key: u64) -> usize {
    (key >> 56) as usize
}

/// Visits of positions that belong to one bucket.
#[derive(Debug, Default)]
pub(in crate::query) struct Visits {
    /// The keys of the positions.
    pub(in crate::query) keys: Vec<u64>,
    /// The number of the game of each; a game visits a position once.
    pub(in crate::query) games: Vec<u32>,
}

/// The positions with the same upper bits of their keys.
#[derive(Debug, Default)]
pub(in crate::query) struct Bucket {
    /// For each value of the bits after those of the bucket, the number of the first key that has it or a greater one, and last the
    /// number of keys.
    directory: Vec<u32>,
    /// Ascending.
    keys: Vec<u64>,
    /// For each key, the end of its days.
    ends: Vec<usize>,
    /// For each key, the game that ended first.
    first_games: Vec<u32>,
    /// The last days of the games of each key, ascending.
    days: Vec<u32>,
}

impl Bucket {
    /// Keys for each entry of the directory.
    const KEYS_PER_ENTRY: usize = 4;

    /// Sorts visits. Leaves out positions of one game for which `is_asked` is `false`: only that game can ask for them, and it is
    /// not earlier than itself.
    pub(in crate::query) fn new(games: &DatedGames, visits: Visits, is_asked: impl Fn(u64) -> bool) -> Self {
        let day = |game: u32| games.last_day(game as usize);
        let visits = visits.keys.into_iter().zip(visits.games);
        let mut visits: Vec<(u64, u32, u32)> = visits.map(|(key, game)| (key, day(game), game)).collect();
        visits.sort_unstable();
        let mut bucket = Self::default();
        for of_key in visits.chunk_by(|one, other| one.0 == other.0) {
            let (key, _, first_game) = of_key[0];
            if of_key.len() > 1 || is_asked(key) {
                bucket.keys.push(key);
                bucket.first_games.push(first_game);
                bucket.days.extend(of_key.iter().map(|(_, day, _)| *day));
                bucket.ends.push(bucket.days.len());
            }
        }
        let entries = (bucket.keys.len() / Self::KEYS_PER_ENTRY).max(1).next_power_of_two();
        let mut next = 0;
        for entry in 0..=entries {
            let is_before = |key: &u64| Self::place(*key, entries) < entry;
            next += bucket.keys[next..].iter().take_while(|&key| is_before(key)).count();
            bucket.directory.push(next as u32);
        }
        bucket
    }

    /// Returns the entry of the directory for a key.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn place(key: u64, entries: usize) -> usize {
        let bits = entries.trailing_zeros();
        ((key << 8) >> 1 >> (63 - bits)) as usize
    }

    /// Returns the last days of the games with a position, ascending, and the game that ended first.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn find(&self, key: u64) -> Option<(&[u32], u32)> {
        let place = Self::place(key, self.directory.len() - 1);
        let (first, end) = (self.directory[place] as usize, self.directory[place + 1] as usize);
        let number = first + self.keys[first..end].iter().position(|&other| other == key)?;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some((&self.days[start..self.ends[number]], self.first_games[number]))
    }
}

/// The numbers of earlier games of a line, in reused memory.
#[derive(Debug, Default)]
pub(in crate::query) struct EarlierNumbers {
    keys: Vec<u64>,
    /// For each position of the line, the number of earlier games that have it. Empty if that is unknown.
    pub(in crate::query) numbers: Vec<u32>,
}

impl EarlierGames {
    /// Creates the table from all buckets in their order.
    pub(in crate::query) fn new(games: DatedGames, buckets: Vec<Bucket>) -> Self {
        let keys: usize = buckets.iter().map(|bucket| bucket.keys.len()).sum();
        let listed = ListedPositions::with_room_for(keys as u64);
        buckets.iter().for_each(|bucket| listed.insert(&bucket.keys));
        Self { games, listed, buckets, novelties: Vec::new() }
    }

    /// Keeps the novelties of all games.
    pub(in crate::query) fn keep_novelties(&mut self, novelties: Vec<Novelty>) {
        self.novelties = novelties;
    }

    /// Returns the novelties that are kept.
    pub(in crate::query) fn novelties(&self) -> &[Novelty] {
        &self.novelties
    }

    /// Returns the games whose year is known.
    pub(in crate::query) fn games(&self) -> &DatedGames {
        &self.games
    }

    /// Counts the earlier games that have each position of a line.
    ///
    /// # Errors
    /// [`CorruptMoves`] if the moves cannot be unpacked.
    pub(in crate::query) fn count<G: Geometry>(
        &self,
        line: &PlayableGame<'_, G>,
        found: &mut EarlierNumbers,
    ) -> Result<(), CorruptMoves> {
        let EarlierNumbers { keys, numbers } = found;
        numbers.clear();
        let Some(first_day) = self.games.first_day(self.games.number(line)) else { return Ok(()) };
        self.games.read_keys(line, keys)?;
        self.listed.fetch(keys);
        numbers.extend(keys.iter().map(|&key| {
            let days = self.find(key).map_or(&[][..], |(days, _)| days);
            days.partition_point(|&day| day < first_day) as u32
        }));
        Ok(())
    }

    /// Returns what is new in a game.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::query) fn novelty<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
    ) -> Result<Novelty, CorruptMoves> {
        let number = self.games.number(game);
        if let Some(kept) = self.novelties.get(number) {
            return Ok(*kept);
        }
        let mut found = Novelty::default();
        let Some(first_day) = self.games.first_day(number) else { return Ok(found) };
        let mut known = 0u32;
        self.games.keys(game, |key| {
            let Some((_, predecessor)) = self.find(key).filter(|(days, _)| days[0] < first_day) else {
                found.ply = known.checked_sub(1);
                return ControlFlow::Break(());
            };
            (known, found.predecessor) = (known + 1, Some(predecessor.into()));
            ControlFlow::Continue(())
        })?;
        Ok(found)
    }

    /// Returns the ply of the first position of a game that no earlier game has; `None` if there is none or it is unknown.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    pub(in crate::query) fn first_new_position<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
    ) -> Result<Option<u32>, CorruptMoves> {
        let Some(_) = self.games.first_day(self.games.number(game)) else { return Ok(None) };
        Ok(match self.novelty(game)? {
            Novelty { ply: Some(ply), .. } => Some(ply + 1),
            Novelty { predecessor: None, .. } => Some(0),
            Novelty { ply: None, .. } => None,
        })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn find(&self, key: u64) -> Option<(&[u32], u32)> {
        if self.listed.contains(key) { self.buckets[bucket_of(key)].find(key) } else { None }
    }
}
