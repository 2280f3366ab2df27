//! Divides the games in the order of their moves into units: games that can be duplicates of each other.

use std::iter::FusedIterator;
use std::ops::Range;

use super::facts::GameFacts;
use super::game_record::{GameKey, read_facts};
use super::keeper::KeeperRank;
use super::many_copies::ManyCopies;
use super::unit_sort::unit_begin;
use pdn::error::Result;
use pdn::rules::Variant;
use pdn_index::internal::external_sort::{SortedRecord, SortedRecords};
use pdn_rules::internal::steps;

/// Number of games that a thread compares at a time, if the units are small.
const BATCH_GAMES: usize = 512;

/// Limits on how much of a unit is compared at once. A larger unit is compared in parts, so that memory is bounded.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnitLimits {
    /// Number of different games after which a part ends where the moves change.
    pub(super) games: usize,
    /// Number of different games after which a part ends even between games of equal moves.
    pub(super) equal_games: usize,
    /// Number of copies that are kept in a batch. Further copies are sorted separately; see [`ManyCopies`](super::many_copies::ManyCopies).
    pub(super) copies: usize,
}

impl Default for UnitLimits {
    fn default() -> Self {
        Self { games: 1 << 14, equal_games: 1 << 15, copies: 1 << 16 }
    }
}

/// Games with equal moves and tags: copies of the first of them, in the order in which they would be kept. They are compared once, for all.
// Twin: all pairs; test: fast_way_equals_all_pairs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copies<'b> {
    moves: &'b [u8],
    facts: &'b [u8],
    /// The ranks of the games, the least first.
    pub(super) ranks: &'b [KeeperRank],
    /// There are more copies, which [`ManyCopies`] has.
    pub(super) has_more: bool,
}

impl<'b> Copies<'b> {
    /// Returns the facts of the first game. The others differ from it only in what decides which game stays.
    pub(super) fn first(&self) -> Option<GameFacts<'b>> {
        read_facts(self.moves, self.ranks.first()?, self.facts)
    }
}

/// Games with equal moves.
#[derive(Clone, Debug)]
pub(super) struct EqualGames<'b> {
    batch: &'b UnitBatch,
    moves: &'b [u8],
    copies: Range<usize>,
}

impl<'b> EqualGames<'b> {
    /// Iterates over the games by their tags.
    pub(super) fn copies(&self) -> impl ExactSizeIterator<Item = Copies<'b>> + use<'b> {
        let (batch, moves) = (self.batch, self.moves);
        self.copies.clone().map(move |number| {
            let (facts, ranks) = batch.copies_ends(number);
            let end = &batch.copies[number];
            Copies {
                moves,
                facts: &batch.facts[facts..end.facts],
                ranks: &batch.ranks[ranks..end.ranks],
                has_more: end.has_more,
            }
        })
    }
}

/// The games of one or more units.
#[derive(Debug, Default)]
pub(super) struct UnitBatch {
    /// Variant and moves of all runs, one after the other.
    keys: Vec<u8>,
    /// Facts of the first of all copies, one after the other.
    facts: Vec<u8>,
    ranks: Vec<KeeperRank>,
    /// Games with equal moves and tags.
    copies: Vec<CopiesEnd>,
    /// Games with equal moves: where their key and their copies end.
    runs: Vec<(usize, usize)>,
    /// Where the runs of each complete unit end.
    units: Vec<usize>,
    /// Games that are copies of one before them.
    copied: usize,
}

/// Where the games with equal moves and tags end.
#[derive(Clone, Copy, Debug)]
struct CopiesEnd {
    facts: usize,
    ranks: usize,
    has_more: bool,
}

impl UnitBatch {
    /// Iterates over the units.
    pub(super) fn units(&self) -> impl Iterator<Item = Unit<'_>> {
        let starts = std::iter::once(0).chain(self.units.iter().copied());
        starts.zip(&self.units).map(|(start, &end)| Unit { batch: self, runs: start..end })
    }

    /// Returns the ends of the runs before this number.
    fn run_ends(&self, runs: usize) -> (usize, usize) {
        runs.checked_sub(1).map_or((0, 0), |last| self.runs[last])
    }

    /// Returns the ends of the facts and ranks of the copies before this number.
    fn copies_ends(&self, copies: usize) -> (usize, usize) {
        copies.checked_sub(1).map_or((0, 0), |last| (self.copies[last].facts, self.copies[last].ranks))
    }

    /// Adds a run of games with the moves of `key`.
    fn push_run(&mut self, key: &GameKey<'_>) {
        key.unescape(&mut self.keys);
        self.runs.push((self.keys.len(), self.copies.len()));
    }

    /// Returns the variant and the moves of the last run.
    fn last_run(&self) -> &[u8] {
        &self.keys[self.run_ends(self.runs.len().saturating_sub(1)).0..]
    }

    /// Adds a game with the moves of the last run and tags of its own.
    fn push_first(&mut self, rank: KeeperRank, facts: &[u8]) {
        self.facts.extend_from_slice(facts);
        self.ranks.push(rank);
        self.copies.push(CopiesEnd { facts: self.facts.len(), ranks: self.ranks.len(), has_more: false });
        if let Some((_, copies)) = self.runs.last_mut() {
            *copies = self.copies.len();
        }
    }

    /// Adds a game with the moves and tags of the last one.
    fn push_copy(&mut self, rank: KeeperRank, limit: usize, more: &ManyCopies) -> Result<()> {
        let (_, before) = self.copies_ends(self.copies.len().saturating_sub(1));
        let Some(last) = self.copies.last_mut() else { return Ok(()) };
        // Games that are there already stay, and the first of them speaks for the others.
        if !rank.is_new() {
            return Ok(());
        }
        if last.has_more || self.copied >= limit && last.ranks > before + 1 {
            last.has_more = true;
            return more.add_copy(&self.ranks[before], &rank);
        }
        self.ranks.push(rank);
        last.ranks = self.ranks.len();
        self.copied += 1;
        Ok(())
    }

    /// Returns the number of games with moves or tags of their own in the unit that is not complete.
    fn different_games(&self) -> usize {
        let (_, before) = self.run_ends(self.units.last().copied().unwrap_or(0));
        self.copies.len() - before
    }

    /// Ends the unit whose runs are last. Removes it if it has no games that may be duplicates.
    fn end_unit(&mut self) {
        let start = self.units.last().copied().unwrap_or(0);
        let (keys, copies) = self.run_ends(start);
        let (facts, ranks) = self.copies_ends(copies);
        let games = &self.ranks[ranks..];
        if games.len() > 1 && games.iter().any(KeeperRank::is_new) {
            self.units.push(self.runs.len());
        } else {
            self.keys.truncate(keys);
            self.facts.truncate(facts);
            self.ranks.truncate(ranks);
            self.copies.truncate(copies);
            self.runs.truncate(start);
        }
    }
}

/// Games of which the first 20 plies are equal or, of shorter games, all moves.
#[derive(Clone, Debug)]
pub(super) struct Unit<'b> {
    batch: &'b UnitBatch,
    runs: Range<usize>,
}

impl<'b> Unit<'b> {
    /// Iterates over the games in the order of their moves, those with equal moves together.
    pub(super) fn equal_games(&self) -> impl Iterator<Item = EqualGames<'b>> + use<'b> {
        let batch = self.batch;
        self.runs.clone().map(move |run| {
            let ((key, copies), (key_end, copies_end)) = (batch.run_ends(run), batch.runs[run]);
            EqualGames { batch, moves: &batch.keys[key..key_end], copies: copies..copies_end }
        })
    }
}

/// Iterates over units of two games or more, in batches.
///
/// Games with 20 plies or more are in one unit if their first 20 plies are equal; shorter games, if all of their moves are.
#[derive(Debug)]
pub(super) struct Units<'m> {
    sorted: SortedRecords,
    limits: UnitLimits,
    many_copies: &'m ManyCopies,
    /// Hash and moves of the last game, as its key has them, and the hash of its tags.
    last: Option<(Vec<u8>, [u8; 16])>,
    /// Variant and moves with which the games of the current unit begin.
    begin: Vec<u8>,
    /// The current unit has games with 20 plies.
    is_long: bool,
    batch: UnitBatch,
    is_done: bool,
}

/// What a game has in common with the one before it.
enum Step {
    /// Moves and tags.
    Copy,
    /// Moves.
    EqualMoves,
    OtherMoves,
}

impl<'m> Units<'m> {
    pub(super) fn new(sorted: SortedRecords, limits: UnitLimits, many_copies: &'m ManyCopies) -> Self {
        Self {
            sorted,
            limits,
            many_copies,
            last: None,
            begin: Vec::new(),
            is_long: false,
            batch: UnitBatch::default(),
            is_done: false,
        }
    }

    fn next_batch(&mut self) -> Result<Option<UnitBatch>> {
        let Self { sorted, limits, many_copies, last, begin, is_long, batch, .. } = self;
        while let Some(SortedRecord { key, payload }) = sorted.next_record()? {
            steps::add(1);
            let Some(key) = GameKey::read(key) else { continue };
            let step = match last {
                Some((moves, tags)) if *moves == key.moves => {
                    if *tags == key.tags {
                        Step::Copy
                    } else {
                        Step::EqualMoves
                    }
                }
                _ => Step::OtherMoves,
            };
            match step {
                Step::Copy => {
                    batch.push_copy(key.rank, limits.copies, many_copies)?;
                    continue;
                }
                Step::EqualMoves if batch.different_games() < limits.equal_games => {
                    batch.push_first(key.rank, payload);
                    if let Some((_, tags)) = last {
                        *tags = key.tags;
                    }
                    continue;
                }
                _ => {}
            }
            let (moves, tags) = last.get_or_insert_default();
            moves.clear();
            moves.extend_from_slice(key.moves);
            *tags = key.tags;
            let mut full = None;
            let open = batch.runs.len();
            batch.push_run(&key);
            let is_same_unit = matches!(step, Step::OtherMoves)
                && *is_long
                && batch.last_run().starts_with(begin)
                && batch.different_games() < limits.games;
            if !is_same_unit {
                batch.runs.truncate(open);
                batch.keys.truncate(batch.run_ends(open).0);
                batch.end_unit();
                if batch.ranks.len() >= BATCH_GAMES {
                    full = Some(std::mem::take(batch));
                }
                batch.push_run(&key);
                let (len, has_opening) = key_begin(batch.last_run());
                *is_long = has_opening;
                begin.clear();
                begin.extend_from_slice(&batch.last_run()[..len]);
            }
            batch.push_first(key.rank, payload);
            if full.is_some() {
                return Ok(full);
            }
        }
        self.is_done = true;
        self.batch.end_unit();
        let last = std::mem::take(&mut self.batch);
        Ok((!last.units.is_empty()).then_some(last))
    }
}

/// Returns the length of the beginning of a key that all games of its unit share, and whether that is 20 plies.
fn key_begin(key: &[u8]) -> (usize, bool) {
    let Some((&variant, moves)) = key.split_first() else { return (key.len(), false) };
    let Some(&variant) = Variant::ALL.get(usize::from(variant)) else { return (key.len(), false) };
    let (len, is_long) = unit_begin(variant, moves);
    (1 + len, is_long)
}

impl Iterator for Units<'_> {
    type Item = Result<UnitBatch>;

    fn next(&mut self) -> Option<Result<UnitBatch>> {
        if self.is_done {
            return None;
        }
        let batch = self.next_batch();
        self.is_done |= batch.is_err();
        batch.transpose()
    }
}

impl FusedIterator for Units<'_> {}
