//! Divides the games in the order of their moves into units: games that can be duplicates of each other.

use std::iter::FusedIterator;
use std::ops::Range;

use super::game_bits::GameBits;
use super::unit_sort::unit_begin;
use crate::error::Result;
use crate::external_sort::{SortedRecord, SortedRecords};
use crate::rules::Variant;
use crate::steps;

/// Number of games that a thread compares at a time, if the units are small.
const BATCH_GAMES: usize = 512;
/// Bytes of a key with 20 plies at least: the variant, and a byte for each ply.
const MIN_LONG_KEY: usize = 21;

/// Games with equal moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct EqualGames<'b> {
    pub(super) moves: &'b [u8],
    /// The numbers of the games, in ascending order.
    pub(super) numbers: &'b [u64],
}

/// The games of one or more units.
#[derive(Debug, Default)]
pub(super) struct UnitBatch {
    /// The keys of all runs, one after the other.
    keys: Vec<u8>,
    numbers: Vec<u64>,
    /// Games with equal keys: where their key and their numbers end.
    runs: Vec<(usize, usize)>,
    /// Where the runs of each complete unit end.
    units: Vec<usize>,
}

impl UnitBatch {
    /// Iterates over the units.
    pub(super) fn units(&self) -> impl Iterator<Item = Unit<'_>> {
        let starts = std::iter::once(0).chain(self.units.iter().copied());
        starts.zip(&self.units).map(|(start, &end)| Unit { batch: self, runs: start..end })
    }

    /// Returns the ends of the runs before this number.
    fn ends(&self, runs: usize) -> (usize, usize) {
        runs.checked_sub(1).map_or((0, 0), |last| self.runs[last])
    }

    fn push(&mut self, record: SortedRecord<'_>) {
        let number = record.payload.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes));
        let complete = self.units.last().copied().unwrap_or(0);
        let (before, _) = self.ends(self.runs.len().saturating_sub(1));
        self.numbers.push(number);
        let is_equal = self.runs.len() > complete && self.keys[before..] == *record.key;
        match self.runs.last_mut() {
            Some((_, numbers)) if is_equal => *numbers = self.numbers.len(),
            _ => {
                self.keys.extend_from_slice(record.key);
                self.runs.push((self.keys.len(), self.numbers.len()));
            }
        }
    }

    /// Ends the unit whose runs are last. Removes it if it has no games that may be duplicates.
    fn end_unit(&mut self, first_new: u64) {
        let start = self.units.last().copied().unwrap_or(0);
        let (keys, numbers) = self.ends(start);
        let games = &self.numbers[numbers..];
        if games.len() > 1 && games.iter().any(|&number| number >= first_new) {
            self.units.push(self.runs.len());
        } else {
            self.keys.truncate(keys);
            self.numbers.truncate(numbers);
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
        self.runs.clone().filter_map(move |run| {
            let ((key, number), (key_end, number_end)) = (batch.ends(run), batch.runs[run]);
            let (_, moves) = batch.keys[key..key_end].split_first()?;
            Some(EqualGames { moves, numbers: &batch.numbers[number..number_end] })
        })
    }
}

/// Returns the new games that have equal moves, or of which one continues another: those whose text decides which stays. Not all of
/// them are found, because games are compared with the first of their neighbours only. Fails if `check_stop` does, which is asked
/// once in a while.
pub(super) fn likely_copies(
    sorted: &mut SortedRecords,
    first_new: u64,
    games: u64,
    check_stop: &dyn Fn() -> Result<()>,
) -> Result<GameBits> {
    let mut likely = GameBits::new(games);
    let mut passed = 0u64;
    let (mut first, mut first_number) = (Vec::new(), 0);
    while let Some(record) = sorted.next_record()? {
        steps::add(1);
        passed += 1;
        if passed.is_multiple_of(4096) {
            check_stop()?;
        }
        let number = record.payload.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes));
        let may_continue = first.len() >= MIN_LONG_KEY && record.key.starts_with(&first);
        if may_continue || *record.key == *first {
            for game in [first_number, number].into_iter().filter_map(|number| number.checked_sub(first_new))
            {
                likely.insert(game);
            }
        } else {
            first.clear();
            first.extend_from_slice(record.key);
            first_number = number;
        }
    }
    Ok(likely)
}

/// Iterates over units of two games or more, in batches.
///
/// Games with 20 plies or more are in one unit if their first 20 plies are equal; shorter games, if all of their moves are.
#[derive(Debug)]
pub(super) struct Units {
    sorted: SortedRecords,
    /// Number of the first game that is not in the index already.
    first_new: u64,
    /// The bytes with which the keys of the current unit begin.
    begin: Vec<u8>,
    /// The current unit has games with 20 plies.
    is_long: bool,
    batch: UnitBatch,
    is_done: bool,
}

impl Units {
    pub(super) fn new(sorted: SortedRecords, first_new: u64) -> Self {
        Self {
            sorted,
            first_new,
            begin: Vec::new(),
            is_long: false,
            batch: UnitBatch::default(),
            is_done: false,
        }
    }

    fn next_batch(&mut self) -> Result<Option<UnitBatch>> {
        while let Some(record) = self.sorted.next_record()? {
            steps::add(1);
            let is_same = match self.is_long {
                true => record.key.starts_with(&self.begin),
                false => !self.begin.is_empty() && *record.key == *self.begin,
            };
            if is_same {
                self.batch.push(record);
                continue;
            }
            let (len, is_long) = key_begin(record.key);
            self.begin.clear();
            self.begin.extend_from_slice(&record.key[..len]);
            self.is_long = is_long;
            self.batch.end_unit(self.first_new);
            let is_full = self.batch.numbers.len() >= BATCH_GAMES;
            let full = is_full.then(|| std::mem::take(&mut self.batch));
            self.batch.push(record);
            if full.is_some() {
                return Ok(full);
            }
        }
        self.is_done = true;
        self.batch.end_unit(self.first_new);
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

impl Iterator for Units {
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

impl FusedIterator for Units {}
