//! Divides the games in the order of their moves into units: games that can be duplicates of each other.

use std::iter::FusedIterator;

use super::classes::MIN_COMMON_PLIES;
use super::groups::BATCH_GAMES;
use crate::error::Result;
use crate::external_sort::SortedRecords;
use crate::pack;
use crate::rules::Variant;
use crate::steps;

/// The games of one or more units, as numbers.
pub(super) type UnitBatch = Vec<Vec<u64>>;

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
    unit: Vec<u64>,
    is_done: bool,
}

impl Units {
    pub(super) fn new(sorted: SortedRecords, first_new: u64) -> Self {
        Self { sorted, first_new, begin: Vec::new(), is_long: false, unit: Vec::new(), is_done: false }
    }

    /// Returns the unit so far if it has games that may be duplicates.
    fn take_unit(&mut self) -> Option<Vec<u64>> {
        let unit = std::mem::take(&mut self.unit);
        let is_wanted = unit.len() > 1 && unit.iter().any(|&number| number >= self.first_new);
        is_wanted.then_some(unit)
    }

    fn next_batch(&mut self) -> Result<Option<UnitBatch>> {
        let (mut batch, mut games) = (UnitBatch::new(), 0);
        while games < BATCH_GAMES.get() && !self.is_done {
            let Some(record) = self.sorted.next_record()? else {
                self.is_done = true;
                batch.extend(self.take_unit());
                break;
            };
            steps::add(1);
            let number = record.payload.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes));
            let is_same = match self.is_long {
                true => record.key.starts_with(&self.begin),
                false => !self.begin.is_empty() && *record.key == *self.begin,
            };
            if !is_same {
                let (begin, is_long) = unit_begin(record.key);
                self.begin.clear();
                self.begin.extend_from_slice(begin);
                self.is_long = is_long;
                let unit = self.take_unit();
                games += unit.as_ref().map_or(0, Vec::len);
                batch.extend(unit);
            }
            self.unit.push(number);
        }
        Ok((!batch.is_empty()).then_some(batch))
    }
}

/// Returns the beginning of a key up to the end of ply 20, or the whole key if the game has fewer plies, and whether it has 20.
/// Damaged moves are a short game.
fn unit_begin(key: &[u8]) -> (&[u8], bool) {
    let Some((&variant, moves)) = key.split_first() else { return (key, false) };
    let Some(variant) = Variant::ALL.get(usize::from(variant)) else { return (key, false) };
    match pack::plies_len(&variant.rules(), moves, MIN_COMMON_PLIES) {
        Ok((len, MIN_COMMON_PLIES)) => (&key[..1 + len], true),
        _ => (key, false),
    }
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
