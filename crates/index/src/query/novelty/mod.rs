//! Novelties: the ply at which a game leaves all earlier games, and the game that it leaves.
//!
//! Which games are earlier is said in [`earlier`](crate::earlier). A game that transposes to a known position has not left.
//!
//! # How
//!
//! The dates of the games of every position would take gigabytes. But only a position that several games have can have an earlier
//! game, and nearly all positions after the opening belong to one. So the games are played twice:
//!
//! 1. A table of bits ([`SharedPositions`](crate::earlier::SharedPositions)) learns which positions more than one game may have.
//! 2. The games of these positions are collected, sorted by position and date, and those of positions with one game dropped. What
//!    is left, [`EarlierGames`], gives the number of earlier games of any position of any game.
//!
//! If few games ask, the table has the positions of these games instead, and a second pass collects all games of these positions. The
//! positions are divided by their keys into up to eight parts, and the second pass is done for each part. Keys have 64 bits:
//! among a thousand million positions, two are taken for one with a probability of about 3 %.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::scan::{GameScanner, scan_until};
use crate::earlier::{
    BUCKETS, Bucket, DatedGames, EarlierGames, ListedPositions, Novelty, SharedPositions, Visits, bucket_of,
};
use crate::pack::CorruptMoves;
use crate::pack::game::PlayableGame;
use crate::{AnnotationBytes, GameSet, Index, Segment, line_starts};
use pdn::error::Result;
use pdn::internal::pool;
use pdn::stop::Stop;
use pdn_rules::internal::board::Geometry;

/// Finds the novelty of each game of an index.
///
/// The first call takes O(plies) time, 7 s for a million games on two threads, and some 200 bytes of memory a game as long as the index is
/// open; while it works it takes up to 700 bytes a game more. Later calls return what the index has kept.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
/// use pdn_index::{ImportOptions, Index, import};
/// use pdn_index::internal::query::{Novelty, novelties};
/// use pdn::stop::Stop;
///
/// let text = "[Date \"1950.01.01\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n\n[Date \"1960.01.01\"]\n1. 32-28 19-23 2. 28x19 13x24 *\n";
/// std::fs::write(&archive, text)?;
/// import([&archive], &path, &ImportOptions::new())?;
/// let index = Index::open(&path)?;
/// let found = novelties(&index, pdn::default_threads(), &Stop::new())?;
/// assert_eq!(found.of(1), Novelty { ply: Some(3), predecessor: Some(0) });
/// assert_eq!(found.of(0), Novelty { ply: None, predecessor: None });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a section is damaged or the work is stopped.
// Twin: a dictionary of positions; test: `novelties_equal_those_of_a_dictionary`.
pub fn novelties(index: &Index, threads: NonZeroUsize, stop: &Stop) -> Result<Novelties> {
    earlier_games(EarlierSearch { index, threads, stop }).map(Novelties)
}

/// The novelties of all games of an index; see [`novelties`].
#[derive(Clone, Debug)]
pub struct Novelties(Arc<EarlierGames>);

impl Novelties {
    /// Returns what is new in a game, by its number in the index, from 0; nothing in a retired game.
    pub fn of(&self, game: u64) -> Novelty {
        self.0.novelties().get(game as usize).copied().unwrap_or_default()
    }
}

/// Returns the earlier games with each position and the novelty of each game, which the index keeps.
pub(super) fn earlier_games(search: EarlierSearch<'_>) -> Result<Arc<EarlierGames>> {
    search.index.earlier_games(|| find(search, POSITIONS_AT_ONCE))
}

/// Finds the earlier games and the novelties of all games, collected from about `at_once` positions at once.
fn find(search: EarlierSearch<'_>, at_once: u64) -> Result<EarlierGames> {
    let mut earlier = search.find(None, at_once)?;
    let mut novelties = vec![Novelty::default(); earlier.games().len()];
    search.scan(&earlier.games().wanted, &FindNovelties(&earlier), |found| {
        found.into_iter().for_each(|(game, novelty)| novelties[game] = novelty);
    })?;
    earlier.keep_novelties(novelties);
    Ok(earlier)
}

/// Finds the novelty of each game.
struct FindNovelties<'a>(&'a EarlierGames);

impl GameScanner for FindNovelties<'_> {
    /// Games with their novelties.
    type Found = Vec<(usize, Novelty)>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        found: &mut Self::Found,
    ) -> std::result::Result<(), CorruptMoves> {
        found.push((self.0.games().number(game), self.0.novelty(game)?));
        Ok(())
    }
}

/// The number of positions of which the visits are collected at once: at most some 200 MB of memory.
const POSITIONS_AT_ONCE: u64 = 1 << 25;

/// The greatest number of parts, each of which plays all games once more. Of more positions than fit, more are collected at once.
const MAX_PARTS: u64 = 8;

/// Games are few if they have less than this part of all positions.
const FEW: u64 = 8;

/// The work of making a table of earlier games.
#[derive(Clone, Copy)]
pub(in crate::query) struct EarlierSearch<'a> {
    pub(in crate::query) index: &'a Index,
    pub(in crate::query) threads: NonZeroUsize,
    pub(in crate::query) stop: &'a Stop,
}

/// The games that ask for the numbers of earlier games.
#[derive(Clone, Copy)]
pub(in crate::query) struct AskingGames<'a> {
    /// By segment.
    pub(in crate::query) games: &'a [GameSet],
    /// Whether they ask for positions of their variations.
    pub(in crate::query) variations: bool,
}

impl AskingGames<'_> {
    /// Returns `true` if the games have a small part of all positions, so that it takes less time to look for theirs only.
    pub(in crate::query) fn are_few(&self, index: &Index) -> bool {
        let asking: u64 = self.games.iter().map(GameSet::len).sum();
        asking < index.len() / FEW
    }
}

impl EarlierSearch<'_> {
    /// Returns the earlier games with each position of these games.
    ///
    /// # Errors
    /// If a section is damaged or the work is stopped.
    pub(in crate::query) fn for_some(&self, asking: AskingGames<'_>) -> Result<EarlierGames> {
        self.find(Some(asking), POSITIONS_AT_ONCE)
    }

    /// Returns the table for all games or for some, collected from about `at_once` positions at once.
    fn find(&self, asking: Option<AskingGames<'_>>, at_once: u64) -> Result<EarlierGames> {
        let live = |(number, segment)| (segment, self.index.live_games(number));
        let games = DatedGames::new(self.index.segments().iter().enumerate().map(live))?;
        let few = asking.filter(|asking| asking.are_few(self.index));
        let mut wanted = WantedPositions { shared: None, asked: None };
        if few.is_none() {
            let shared = SharedPositions::with_room_for(games.positions);
            self.scan(&games.wanted, &MarkShared { games: &games, shared: &shared }, |_| {})?;
            wanted.shared = Some(shared);
        }
        if let Some(asking) = asking.filter(|asking| few.is_some() || asking.variations) {
            let asked = ListedPositions::with_room_for(games.positions / FEW);
            let variations = match asking.variations {
                true => self.index.segments().iter().map(Segment::variations).collect::<Result<_>>()?,
                false => Vec::new(),
            };
            let sets: Vec<GameSet> =
                games.wanted.iter().zip(asking.games).map(|(dated, asking)| dated & asking).collect();
            let mark = MarkAsked { games: &games, asked: &asked, main: few.is_some(), variations };
            self.scan(&sets, &mark, |_| {})?;
            wanted.asked = Some(asked);
        }
        let mut buckets = Vec::with_capacity(BUCKETS);
        let parts = games.positions.div_ceil(at_once).clamp(1, MAX_PARTS) as usize;
        for part in 0..parts {
            let range = part * BUCKETS / parts..(part + 1) * BUCKETS / parts;
            let mut visits: Vec<Visits> = range.clone().map(|_| Visits::default()).collect();
            let collect = CollectVisits { games: &games, wanted: &wanted, range: range.clone() };
            self.scan(&games.wanted, &collect, |found| {
                for (key, game) in found.visits {
                    let of_bucket = &mut visits[bucket_of(key) - range.start];
                    of_bucket.keys.push(key);
                    of_bucket.games.push(game);
                }
            })?;
            let is_asked = |key| wanted.asked.as_ref().is_some_and(|asked| asked.contains(key));
            pool::try_ordered(
                visits,
                self.threads,
                || (),
                |(), visits| {
                    self.stop.check()?;
                    Ok::<_, pdn::Error>(Bucket::new(&games, visits, is_asked))
                },
                |bucket| {
                    buckets.push(bucket);
                    ControlFlow::Continue(())
                },
            )?;
        }
        Ok(EarlierGames::new(games, buckets))
    }

    /// Passes games to a scanner, and what it finds to `take`.
    fn scan<S: GameScanner>(
        &self,
        games: &[GameSet],
        scanner: &S,
        mut take: impl FnMut(S::Found),
    ) -> Result<()> {
        scan_until(self.stop, self.index, games, self.threads, scanner, |found| {
            take(found);
            ControlFlow::Continue(())
        })?;
        Ok(())
    }
}

/// The positions whose games are collected. It may take others for them.
struct WantedPositions {
    /// Those of several games; `None` for no others than `asked`.
    shared: Option<SharedPositions>,
    /// Those that are asked for, even if a single game has them.
    asked: Option<ListedPositions>,
}

impl WantedPositions {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn contains(&self, key: u64) -> bool {
        self.shared.as_ref().is_some_and(|shared| shared.contains(key))
            || self.asked.as_ref().is_some_and(|asked| asked.contains(key))
    }
}

/// Marks the positions of all games.
struct MarkShared<'a> {
    games: &'a DatedGames,
    shared: &'a SharedPositions,
}

impl GameScanner for MarkShared<'_> {
    /// Memory for the keys of a game.
    type Found = Vec<u64>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        keys: &mut Vec<u64>,
    ) -> std::result::Result<(), CorruptMoves> {
        self.games.read_keys(game, keys)?;
        self.shared.mark(keys);
        Ok(())
    }
}

/// Marks the positions that games ask for.
struct MarkAsked<'a> {
    games: &'a DatedGames,
    asked: &'a ListedPositions,
    /// Whether those of main lines are marked.
    main: bool,
    /// The variations whose positions are marked, by segment.
    variations: Vec<Option<AnnotationBytes<'a>>>,
}

impl GameScanner for MarkAsked<'_> {
    /// Memory for the keys of a line.
    type Found = Vec<u64>;

    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        keys: &mut Vec<u64>,
    ) -> std::result::Result<(), CorruptMoves> {
        if self.main {
            self.games.read_keys(game, keys)?;
            self.asked.insert(keys);
        }
        let Some(Some(variations)) = self.variations.get(game.segment) else { return Ok(()) };
        let lines = variations.lines(game.game as usize).map_err(|_| CorruptMoves)?;
        let starts = line_starts(game.codec, game.start, game.bytes, &lines)?;
        for (line, start) in lines.iter().zip(&starts) {
            let line = PlayableGame { bytes: line.moves, start, is_continuous: false, ..*game };
            self.games.read_keys(&line, keys)?;
            self.asked.insert(keys);
        }
        Ok(())
    }
}

/// Collects the visits of wanted positions.
struct CollectVisits<'a> {
    games: &'a DatedGames,
    wanted: &'a WantedPositions,
    /// The buckets whose visits are collected.
    range: std::ops::Range<usize>,
}

/// Some visits.
#[derive(Default)]
struct FoundVisits {
    /// The keys of positions, with the games that have them.
    visits: Vec<(u64, u32)>,
    /// Memory for the keys of a game.
    keys: Vec<u64>,
}

impl GameScanner for CollectVisits<'_> {
    type Found = FoundVisits;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        found: &mut FoundVisits,
    ) -> std::result::Result<(), CorruptMoves> {
        let FoundVisits { visits, keys } = found;
        self.games.read_keys(game, keys)?;
        keys.retain(|&key| self.range.contains(&bucket_of(key)) && self.wanted.contains(key));
        // A game has a position once, however often it repeats it.
        keys.sort_unstable();
        keys.dedup();
        let number = self.games.number(game) as u32;
        visits.extend(keys.iter().map(|&key| (key, number)));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
