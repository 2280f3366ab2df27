//! Which games of an earlier date have a position.
//!
//! A game is *earlier* than another one of the same variant if every day that its date allows comes before every day that the date of
//! the other allows. So a game without a year is earlier than none, and of its own positions no number of earlier games is known; games
//! of one day or one month are not compared with each other. Positions count, not the order of moves.
//!
//! This module has the dates of the games, the table and what is read from it. [`novelty`](crate::query::novelty) plays the games to make it.
//!
//! Sets of positions are approximate, in tables of bits: a position that was added is always found, and one that was not is sometimes found,
//! because it has the same bits as another.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use super::format::columns::Section;
use super::game_set::GameSet;
use super::pack::CorruptMoves;
use super::pack::game::PlayableGame;
use super::row::game_row::{GameKind, date_of, earliest, latest};
use super::segment::reader::Segment;
use pdn::error::{ErrorKind, Result};
use pdn::position::{Position, StableKey};
use pdn::value::Date;
use pdn_rules::internal::board::Geometry;
use pdn_rules::internal::position::split_mix;

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
pub(crate) struct EarlierGames {
    games: DatedGames,
    /// The positions of the buckets.
    listed: ListedPositions,
    /// By the upper bits of the keys; see [`bucket_of`].
    buckets: Vec<Bucket>,
    /// The novelty of each game; empty if it was not looked for.
    novelties: Vec<Novelty>,
}

/// The number of buckets of positions.
pub(crate) const BUCKETS: usize = 256;

/// Returns the number of the bucket of a key.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn bucket_of(key: u64) -> usize {
    (key >> 56) as usize
}

/// Visits of positions that belong to one bucket.
#[derive(Debug, Default)]
pub(crate) struct Visits {
    /// The keys of the positions.
    pub(crate) keys: Vec<u64>,
    /// The number of the game of each; a game visits a position once.
    pub(crate) games: Vec<u32>,
}

/// The positions with the same upper bits of their keys.
#[derive(Debug, Default)]
pub(crate) struct Bucket {
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
    pub(crate) fn new(games: &DatedGames, visits: Visits, is_asked: impl Fn(u64) -> bool) -> Self {
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
pub(crate) struct EarlierNumbers {
    keys: Vec<u64>,
    /// For each position of the line, the number of earlier games that have it. Empty if that is unknown.
    pub(crate) numbers: Vec<u32>,
}

impl EarlierGames {
    /// Creates the table from all buckets in their order.
    pub(crate) fn new(games: DatedGames, buckets: Vec<Bucket>) -> Self {
        let keys: usize = buckets.iter().map(|bucket| bucket.keys.len()).sum();
        let listed = ListedPositions::with_room_for(keys as u64);
        buckets.iter().for_each(|bucket| listed.insert(&bucket.keys));
        Self { games, listed, buckets, novelties: Vec::new() }
    }

    /// Keeps the novelties of all games.
    pub(crate) fn keep_novelties(&mut self, novelties: Vec<Novelty>) {
        self.novelties = novelties;
    }

    /// Returns the novelties that are kept.
    pub(crate) fn novelties(&self) -> &[Novelty] {
        &self.novelties
    }

    /// Returns the games whose year is known.
    pub(crate) fn games(&self) -> &DatedGames {
        &self.games
    }

    /// Counts the earlier games that have each position of a line.
    ///
    /// # Errors
    /// [`CorruptMoves`] if the moves cannot be unpacked.
    pub(crate) fn count<G: Geometry>(
        &self,
        line: &PlayableGame<'_, G>,
        found: &mut EarlierNumbers,
    ) -> std::result::Result<(), CorruptMoves> {
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
    pub(crate) fn novelty<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
    ) -> std::result::Result<Novelty, CorruptMoves> {
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
    pub(crate) fn first_new_position<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
    ) -> std::result::Result<Option<u32>, CorruptMoves> {
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

/// The games whose year is known and that are not retired, and what playing them needs.
#[derive(Debug)]
pub(crate) struct DatedGames {
    /// By segment.
    pub(crate) wanted: Vec<GameSet>,
    /// The number of the first game of each segment.
    first: Vec<u64>,
    /// The key of the start position of each kind of games, and the salt of its variant, by segment.
    starts: Vec<Vec<(StableKey, u64)>>,
    /// The first and the last day of each game, as [`day_number`] counts them.
    days: Vec<[u32; 2]>,
    /// An upper bound of the number of positions.
    pub(crate) positions: u64,
}

impl DatedGames {
    /// Reads the dates of all games of an index, by its segments with the games that are not retired.
    ///
    /// # Errors
    /// If a section is damaged, and [`ErrorKind::IndexFull`] for more than 4,294,967,295 games.
    pub(crate) fn new<'s>(segments: impl Iterator<Item = (&'s Segment, GameSet)>) -> Result<Self> {
        let mut games = Self {
            wanted: Vec::new(),
            first: Vec::new(),
            starts: Vec::new(),
            days: Vec::new(),
            positions: 0,
        };
        for (segment, live) in segments {
            let (dates, plies) = (segment.column(Section::Date)?, segment.column(Section::Plies)?);
            games.first.push(games.days.len() as u64);
            let mut dated = GameSet::new();
            for (game, bits) in (0..).zip(dates.values()) {
                let date = date_of(bits).unwrap_or(Date::UNKNOWN);
                if date.year().is_some() {
                    dated.insert(game);
                }
                games.days.push([earliest(date), latest(date)].map(day_number));
            }
            games.wanted.push(&dated & &live);
            games.positions += plies.values().sum::<u64>() + segment.len() as u64;
            let start =
                |kind: &GameKind| (Position::start(kind.game()).key(), split_mix(0, kind.variant as u64));
            games.starts.push(segment.kinds()?.iter().map(start).collect());
        }
        if u32::try_from(games.days.len()).is_err() {
            return Err(ErrorKind::IndexFull("so many games in order of their dates").into());
        }
        Ok(games)
    }

    /// Returns the number of games of the index.
    pub(crate) fn len(&self) -> usize {
        self.days.len()
    }

    /// Returns the number of a game in the index.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn number<G: Geometry>(&self, game: &PlayableGame<'_, G>) -> usize {
        self.first[game.segment] as usize + game.game as usize
    }

    /// Returns the first day of a game, to be compared with last days; `None` if its year is unknown.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn first_day(&self, game: usize) -> Option<u32> {
        let [first, last] = self.days[game];
        // The year of an unknown date is the least as a first day, and the greatest as a last one.
        (last >> 9 < u32::from(u16::MAX)).then_some(first)
    }

    /// Returns the last day of a game.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn last_day(&self, game: usize) -> u32 {
        self.days[game][1]
    }

    /// Passes the keys of the positions of a game to `visit` until that breaks off. Games of different variants have no key in common.
    ///
    /// # Errors
    /// [`CorruptMoves`] if the moves cannot be unpacked.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn keys<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> std::result::Result<(), CorruptMoves> {
        let (key, salt) = self.starts[game.segment][game.kind];
        game.codec.keys((game.start, key), game.is_continuous, game.bytes, |key| visit(key ^ salt))
    }

    /// Replaces `keys` by the keys of all positions of a game.
    ///
    /// # Errors
    /// As [`keys`](Self::keys).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn read_keys<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        keys: &mut Vec<u64>,
    ) -> std::result::Result<(), CorruptMoves> {
        keys.clear();
        self.keys(game, |key| {
            keys.push(key);
            ControlFlow::Continue(())
        })
    }
}

/// Returns a number that orders days.
fn day_number((year, month, day): (u16, u8, u8)) -> u32 {
    u32::from(year) << 9 | u32::from(month) << 5 | u32::from(day)
}

/// The greatest number of entries of a table: 256 MiB.
const MAX_ENTRIES: u64 = 1 << 30;

/// Entries for each position, so that few positions share one by chance.
const ENTRIES_PER_POSITION: u64 = 4;

/// Entries of two bits in a word.
const PER_WORD: u64 = 32;

/// Two bits for each key, by the lower bits of the key.
struct PairsOfBits {
    words: Vec<AtomicU64>,
    mask: u64,
}

impl PairsOfBits {
    /// Creates an empty table for this number of positions.
    fn with_room_for(positions: u64) -> Self {
        let entries = positions.saturating_mul(ENTRIES_PER_POSITION).clamp(PER_WORD, MAX_ENTRIES);
        let entries = entries.next_power_of_two();
        let mut words = Vec::new();
        words.resize_with((entries / PER_WORD) as usize, AtomicU64::default);
        Self { words, mask: entries - 1 }
    }

    /// Returns the word of a key, and the lower bit of its pair.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pair(&self, key: u64) -> (&AtomicU64, u64) {
        let entry = key & self.mask;
        (&self.words[(entry / PER_WORD) as usize], 1 << (entry % PER_WORD * 2))
    }

    /// Loads the words of keys. These loads do not wait for each other, as changes of the words do.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fetch(&self, keys: &[u64]) {
        std::hint::black_box(keys.iter().fold(0, |all, &key| all ^ self.pair(key).0.load(Ordering::Relaxed)));
    }
}

/// The positions that more than one game may have. A position that was marked twice is always one of them; one that was marked once
/// is one of them if another position has the same bits.
pub(crate) struct SharedPositions(PairsOfBits);

impl SharedPositions {
    /// Creates an empty table for this number of positions.
    pub(crate) fn with_room_for(positions: u64) -> Self {
        Self(PairsOfBits::with_room_for(positions))
    }

    /// Marks the positions with these keys. Several threads may do so at once.
    pub(crate) fn mark(&self, keys: &[u64]) {
        self.0.fetch(keys);
        for &key in keys {
            let (word, first) = self.0.pair(key);
            let second = first << 1;
            if word.load(Ordering::Relaxed) & second == 0
                && word.fetch_or(first, Ordering::Relaxed) & first != 0
            {
                word.fetch_or(second, Ordering::Relaxed);
            }
        }
    }

    /// Returns `true` if more than one game may have the position.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn contains(&self, key: u64) -> bool {
        let (word, first) = self.0.pair(key);
        word.load(Ordering::Relaxed) & first << 1 != 0
    }
}

/// An approximate set of positions: a Bloom filter with two bits for each position.
pub(crate) struct ListedPositions(PairsOfBits);

impl ListedPositions {
    /// Creates an empty table for this number of positions.
    pub(crate) fn with_room_for(positions: u64) -> Self {
        Self(PairsOfBits::with_room_for(positions))
    }

    /// Returns the word of a key, and its bits: two of all 64, which the key chooses.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bits(&self, key: u64) -> (&AtomicU64, u64) {
        // The upper bits choose a bucket of positions.
        (self.0.pair(key).0, 1 << (key >> 50 & 63) | 1 << (key >> 44 & 63))
    }

    /// Adds the positions with these keys. Several threads may add positions at once.
    pub(crate) fn insert(&self, keys: &[u64]) {
        self.0.fetch(keys);
        for &key in keys {
            let (word, bits) = self.bits(key);
            if word.load(Ordering::Relaxed) & bits != bits {
                word.fetch_or(bits, Ordering::Relaxed);
            }
        }
    }

    /// Loads what [`contains`](Self::contains) reads for these keys, all at once.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn fetch(&self, keys: &[u64]) {
        self.0.fetch(keys);
    }

    /// Returns `true` if the position may be in the table.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn contains(&self, key: u64) -> bool {
        let (word, bits) = self.bits(key);
        word.load(Ordering::Relaxed) & bits == bits
    }
}

impl fmt::Debug for ListedPositions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ListedPositions").field("words", &self.0.words.len()).finish_non_exhaustive()
    }
}
