//! Novelties: the ply at which a game leaves all earlier games, and the game that it leaves.
//!
//! A game is *earlier* than another one of the same variant if every day that its date allows comes before every day that the date of
//! the other allows. So a game without a year is earlier than none and has no novelty, and games of one day or one month are not
//! compared with each other. Positions count, not the order of moves: a game that transposes to a known position has not left.
//!
//! # How
//!
//! The first date of every position would take gigabytes. But a position that only one game has is new for certain, and nearly all
//! positions after the opening are of this kind. So the games are played several times:
//!
//! 1. A table of bits ([`SharedPositions`]) learns which positions more than one game may have.
//! 2. Each game has a *head*, the positions before the first one that it has alone. No other positions are in question. Another
//!    table of bits ([`HeadPositions`]) learns which positions stand in a head.
//! 3. The games are played to their ends once more, to find those that come to such a position after their own heads.
//! 4. The first game of each position that stands in a head is kept ([`FirstGames`]).
//! 5. The heads again: the first position whose first game is not earlier is new.
//!
//! The positions are divided by their keys into as many parts as memory requires, and steps 4 and 5, which play heads only, are done
//! for each part. Keys have 64 bits: among a thousand million positions, two are taken for one with a probability of about 3 %.

mod shared;
mod first_games;
#[cfg(test)]
mod tests;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use self::first_games::{FirstGames, MAX_SLOTS};
use self::shared::{HeadPositions, SharedPositions};
use super::conditions::date_range::{earliest, latest};
use super::scan::{GameScanner, PlayableGame, scan_until};
use crate::board::Geometry;
use crate::error::Result;
use crate::index::{GameKind, GameSet, Index, Section, date_of};
use crate::pack::CorruptMoves;
use crate::position::{Position, StableKey, split_mix};
use crate::stop::Stop;
use crate::value::Date;

/// What is new in a game; see [`novelties`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Novelty {
    /// The number of plies before the first move that leads to a position that no earlier game has. `None` if an earlier game has
    /// every position, if none has even the first one, or if the year of the game is unknown.
    pub ply: Option<u32>,
    /// Of the earlier games with the last known position, the one that ended first, by the last day that its date allows, then by
    /// its number, from 0. `None` if no earlier game has the first position, or if the year is unknown.
    pub predecessor: Option<u64>,
}

/// Returns the novelty of each game of an index, by its number, from 0; retired games have none.
///
/// Takes O(plies) time, about 4 seconds for a million games on two threads, and at most 800 MiB of memory, 40 bytes a game, and
/// 16 bytes for each later visit of a position of the openings.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
/// use pdn::index::{ImportOptions, Index, import};
/// use pdn::query::{Novelty, novelties};
/// use pdn::stop::Stop;
///
/// let text = "[Date \"1950.01.01\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n\n[Date \"1960.01.01\"]\n1. 32-28 19-23 2. 28x19 13x24 *\n";
/// std::fs::write(&archive, text)?;
/// import([&archive], &path, &ImportOptions::new())?;
/// let index = Index::open(&path)?;
/// let found = novelties(&index, pdn::default_threads(), &Stop::new())?;
/// assert_eq!(found[1], Novelty { ply: Some(3), predecessor: Some(0) });
/// assert_eq!(found[0], Novelty { ply: None, predecessor: None });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a section is damaged or the work is stopped.
// Twin: a dictionary of positions; test: `novelties_equal_those_of_a_dictionary`.
pub fn novelties(index: &Index, threads: NonZeroUsize, stop: &Stop) -> Result<Vec<Novelty>> {
    find(index, threads, stop, MAX_SLOTS)
}

/// Returns what [`novelties`] returns, with at most `max_slots` slots for the positions of a part.
fn find(index: &Index, threads: NonZeroUsize, stop: &Stop, max_slots: u64) -> Result<Vec<Novelty>> {
    let games = DatedGames::new(index)?;
    let scan = Scan { index, games: &games, threads, stop };

    let shared = SharedPositions::with_room_for(games.positions);
    scan.run(&MarkPositions { games: &games, shared: &shared }, |_| {})?;
    let mut heads = Heads::new(games.days.len(), HeadPositions::with_room_for(games.positions / 4));
    let find_heads = FindHead { games: &games, shared: &shared, positions: &heads.positions };
    scan.run(&find_heads, |found: FoundHeads| {
        found.heads.into_iter().for_each(|(game, len, is_whole)| {
            (heads.len[game], heads.is_whole[game]) = (len, is_whole);
        });
        heads.distinct += found.distinct;
    })?;
    drop(shared);
    let mut later = Vec::new();
    scan.run(&FindLaterVisits { games: &games, heads: &heads }, |found| later.extend(found.visits))?;

    let mut parts = heads.distinct.div_ceil(FirstGames::positions_of(max_slots).max(1)).max(1);
    let (known, predecessors) = loop {
        let passes = Passes { scan: &scan, heads: &heads, later: &later, parts };
        match passes.run()? {
            Some(found) => break found,
            // Chance has made the parts too different.
            None => parts *= 2,
        }
    };
    let novelty = |(game, predecessor): (usize, Option<u64>)| {
        let is_known = heads.is_whole[game] && known[game] == heads.len[game];
        let ply = predecessor.and(known[game].checked_sub(1)).filter(|_| !is_known);
        Novelty { ply, predecessor }
    };
    Ok(predecessors.into_iter().enumerate().map(novelty).collect())
}

/// The games whose year is known, and what playing them needs.
struct DatedGames {
    /// By segment.
    wanted: Vec<GameSet>,
    /// The number of the first game of each segment.
    first: Vec<u64>,
    /// The key of the start position of each kind of games, and the salt of its variant, by segment.
    starts: Vec<Vec<(StableKey, u64)>>,
    /// The first and the last day of each game, as [`day_number`] counts them.
    days: Vec<[u32; 2]>,
    /// An upper bound of the number of positions.
    positions: u64,
}

impl DatedGames {
    fn new(index: &Index) -> Result<Self> {
        let mut games = Self {
            wanted: Vec::new(),
            first: Vec::new(),
            starts: Vec::new(),
            days: Vec::new(),
            positions: 0,
        };
        for (number, segment) in index.segments().iter().enumerate() {
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
            games.wanted.push(&dated & &index.live_games(number));
            games.positions += plies.values().sum::<u64>() + segment.len() as u64;
            let start =
                |kind: &GameKind| (Position::start(kind.game()).key(), split_mix(0, kind.variant as u64));
            games.starts.push(segment.kinds()?.iter().map(start).collect());
        }
        Ok(games)
    }

    /// Returns the number of a game in the index.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn number<G: Geometry>(&self, game: &PlayableGame<'_, G>) -> usize {
        self.first[game.segment] as usize + game.game as usize
    }

    /// Passes the keys of the positions of a game to `visit` until that breaks off, with the number of plies before each. Games of
    /// different variants have no key in common.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn keys<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        mut visit: impl FnMut(u32, u64) -> ControlFlow<()>,
    ) -> std::result::Result<(), CorruptMoves> {
        let (key, salt) = self.starts[game.segment][game.kind];
        let mut ply = 0;
        game.codec.keys((game.start, key), game.is_continuous, game.bytes, |key| {
            ply += 1;
            visit(ply - 1, key ^ salt)
        })
    }

    /// Passes the keys of the first `positions` positions of a game to `visit`, as [`keys`](Self::keys) does.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn keys_before<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        positions: u32,
        mut visit: impl FnMut(u32, u64) -> ControlFlow<()>,
    ) -> std::result::Result<(), CorruptMoves> {
        self.keys(game, |ply, key| if ply < positions { visit(ply, key) } else { ControlFlow::Break(()) })
    }
}

/// Returns a number that orders days.
fn day_number((year, month, day): (u16, u8, u8)) -> u32 {
    u32::from(year) << 9 | u32::from(month) << 5 | u32::from(day)
}

/// What all scans have in common.
struct Scan<'a> {
    index: &'a Index,
    games: &'a DatedGames,
    threads: NonZeroUsize,
    stop: &'a Stop,
}

impl Scan<'_> {
    /// Passes the dated games to a scanner, and what it finds to `take`.
    fn run<S: GameScanner>(&self, scanner: &S, mut take: impl FnMut(S::Found)) -> Result<()> {
        scan_until(self.stop, self.index, &self.games.wanted, self.threads, scanner, |found| {
            take(found);
            ControlFlow::Continue(())
        })?;
        Ok(())
    }
}

/// The heads of all games: the positions before the first one that a game has alone.
struct Heads {
    /// The number of positions in the head of each game.
    len: Vec<u32>,
    /// Whether the head is the whole game.
    is_whole: Vec<bool>,
    /// The positions of all heads.
    positions: HeadPositions,
    /// Their number, or somewhat less.
    distinct: u64,
}

impl Heads {
    fn new(games: usize, positions: HeadPositions) -> Self {
        Self { len: vec![0; games], is_whole: vec![false; games], positions, distinct: 0 }
    }
}

/// The passes over the heads: two or more for each part of the positions.
struct Passes<'a> {
    scan: &'a Scan<'a>,
    heads: &'a Heads,
    /// Positions that may stand in heads, with games that have them after their own heads.
    later: &'a [(u64, usize)],
    parts: u64,
}

/// For each game, the number of its positions before the first new one, and its predecessor.
type KnownPositions = (Vec<u32>, Vec<Option<u64>>);

impl Passes<'_> {
    /// Returns the positions that are known and the predecessors; `None` if a part has more positions than expected.
    fn run(&self) -> Result<Option<KnownPositions>> {
        let games = self.scan.games;
        let mut known = self.heads.len.clone();
        let mut predecessors = vec![None; known.len()];
        let mut only_part = None;
        for part in 0..self.parts {
            let Some(first_games) = self.first_games(part)? else { return Ok(None) };
            let mut found = Vec::new();
            let new_positions = FindNewPosition { games, first_games: &first_games, known: &known };
            self.scan.run(&new_positions, |new| found.extend(new))?;
            found.into_iter().for_each(|(game, ply): (usize, u32)| known[game] = ply);
            only_part = (self.parts == 1).then_some(first_games);
        }
        for part in 0..self.parts {
            let first_games = match only_part.take() {
                Some(first_games) => first_games,
                None => match self.first_games(part)? {
                    Some(first_games) => first_games,
                    None => return Ok(None),
                },
            };
            let last_known = FindPredecessor { games, first_games: &first_games, known: &known };
            self.scan.run(&last_known, |found: Vec<(usize, u64)>| {
                found.into_iter().for_each(|(game, predecessor)| predecessors[game] = Some(predecessor));
            })?;
        }
        Ok(Some((known, predecessors)))
    }

    /// Returns the first game of each position of a part that stands in a head; `None` if there are more than expected.
    fn first_games(&self, part: u64) -> Result<Option<FirstGames>> {
        let games = self.scan.games;
        let first_games = FirstGames::new((part, self.parts), self.heads.distinct.div_ceil(self.parts));
        self.scan.run(&CollectHeads { games, first_games: &first_games, heads: self.heads }, |()| {})?;
        for &(key, game) in self.later.iter().filter(|(key, _)| first_games.covers(*key)) {
            first_games.insert_known(key, FirstGames::entry(games.days[game][1], game));
        }
        Ok((!first_games.is_full()).then_some(first_games))
    }
}

/// Marks the positions of all games.
struct MarkPositions<'a> {
    games: &'a DatedGames,
    shared: &'a SharedPositions,
}

impl GameScanner for MarkPositions<'_> {
    /// Memory for the keys of a game.
    type Found = Vec<u64>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        keys: &mut Vec<u64>,
    ) -> std::result::Result<(), CorruptMoves> {
        keys.clear();
        self.games.keys(game, |_, key| {
            keys.push(key);
            ControlFlow::Continue(())
        })?;
        self.shared.mark(keys);
        Ok(())
    }
}

/// Finds the head of each game, and collects the positions of all heads.
struct FindHead<'a> {
    games: &'a DatedGames,
    shared: &'a SharedPositions,
    positions: &'a HeadPositions,
}

/// Some heads.
#[derive(Default)]
struct FoundHeads {
    /// Games, the number of positions in their heads, and whether these are all of their positions.
    heads: Vec<(usize, u32, bool)>,
    /// The number of positions that were in no head before.
    distinct: u64,
}

impl GameScanner for FindHead<'_> {
    type Found = FoundHeads;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        found: &mut FoundHeads,
    ) -> std::result::Result<(), CorruptMoves> {
        let (mut len, mut is_whole) = (0, true);
        self.games.keys(game, |_, key| {
            is_whole = self.shared.contains(key);
            if !is_whole {
                return ControlFlow::Break(());
            }
            len += 1;
            found.distinct += u64::from(self.positions.insert(key));
            ControlFlow::Continue(())
        })?;
        found.heads.push((self.games.number(game), len, is_whole));
        Ok(())
    }
}

/// Finds positions of heads in other games, after the heads of these.
struct FindLaterVisits<'a> {
    games: &'a DatedGames,
    heads: &'a Heads,
}

/// Some later visits.
#[derive(Default)]
struct FoundVisits {
    /// Positions that may stand in a head, and games.
    visits: Vec<(u64, usize)>,
    /// Memory for the keys of a game.
    keys: Vec<u64>,
}

impl GameScanner for FindLaterVisits<'_> {
    type Found = FoundVisits;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        found: &mut FoundVisits,
    ) -> std::result::Result<(), CorruptMoves> {
        let number = self.games.number(game);
        let head = self.heads.len[number];
        found.keys.clear();
        self.games.keys(game, |ply, key| {
            // The position at the end of the head is unique.
            if ply > head {
                found.keys.push(key);
            }
            ControlFlow::Continue(())
        })?;
        self.heads.positions.retain(&mut found.keys);
        found.visits.extend(found.keys.iter().map(|&key| (key, number)));
        Ok(())
    }
}

/// Adds the positions of a part in the heads to its table.
struct CollectHeads<'a> {
    games: &'a DatedGames,
    first_games: &'a FirstGames,
    heads: &'a Heads,
}

impl GameScanner for CollectHeads<'_> {
    type Found = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        (): &mut (),
    ) -> std::result::Result<(), CorruptMoves> {
        let number = self.games.number(game);
        let entry = FirstGames::entry(self.games.days[number][1], number);
        self.games.keys_before(game, self.heads.len[number], |_, key| {
            if self.first_games.covers(key) {
                self.first_games.insert(key, entry);
            }
            ControlFlow::Continue(())
        })
    }
}

/// Finds the first position of a part that is new in each game.
struct FindNewPosition<'a> {
    games: &'a DatedGames,
    first_games: &'a FirstGames,
    /// The number of positions of each game that are known to earlier games, as far as the parts before have shown.
    known: &'a [u32],
}

impl GameScanner for FindNewPosition<'_> {
    /// Games in which a position of the part is new, and its ply.
    type Found = Vec<(usize, u32)>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        found: &mut Self::Found,
    ) -> std::result::Result<(), CorruptMoves> {
        let number = self.games.number(game);
        let (known, first_day) = (self.known[number], self.games.days[number][0]);
        self.games.keys_before(game, known, |ply, key| {
            if self.first_games.covers(key) && self.first_games.before(key, first_day).is_none() {
                found.push((number, ply));
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })
    }
}

/// Finds the first game with the last known position of each game, if the part has that position.
struct FindPredecessor<'a> {
    games: &'a DatedGames,
    first_games: &'a FirstGames,
    /// The number of positions of each game that are known to earlier games, as far as the parts before have shown.
    known: &'a [u32],
}

impl GameScanner for FindPredecessor<'_> {
    /// Games and their predecessors.
    type Found = Vec<(usize, u64)>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        found: &mut Self::Found,
    ) -> std::result::Result<(), CorruptMoves> {
        let number = self.games.number(game);
        let mut last_known = None;
        self.games.keys_before(game, self.known[number], |_, key| {
            last_known = Some(key);
            ControlFlow::Continue(())
        })?;
        let predecessor = last_known
            .filter(|key| self.first_games.covers(*key))
            .and_then(|key| self.first_games.before(key, self.games.days[number][0]));
        found.extend(predecessor.map(|predecessor| (number, predecessor)));
        Ok(())
    }
}
