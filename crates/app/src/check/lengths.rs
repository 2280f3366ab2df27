//! Counts games by length, in plies of the main line.

use std::collections::BTreeMap;

use serde::Serialize;

/// Number of games by length.
#[derive(Default, Debug)]
pub struct Lengths {
    /// Number of games by plies. Very long games take much text, so even a hostile archive has few different lengths.
    counts: BTreeMap<u32, u64>,
}

/// Width of a histogram row in plies.
const ROW_PLIES: u32 = 20;
/// Length in plies above which all games are in one row.
const MAX_ROW_PLIES: u32 = 200;

impl Lengths {
    /// Adds games of a length.
    pub fn add(&mut self, plies: u32, games: u64) {
        *self.counts.entry(plies).or_default() += games;
    }

    /// Adds all games of `other`.
    pub fn merge(&mut self, other: &Self) {
        for (plies, games) in &other.counts {
            self.add(*plies, *games);
        }
    }

    /// Returns the lengths of the shortest, median and longest game that has moves; `None` if there is none.
    pub fn extremes(&self) -> Option<(u32, u32, u32)> {
        let mut played = self.counts.range(1..);
        let (shortest, _) = played.clone().next()?;
        let (longest, _) = played.clone().next_back()?;
        let total: u64 = played.clone().map(|(_, games)| games).sum();
        let mut passed = 0;
        let (median, _) = played.find(|(_, games)| {
            passed += **games;
            passed * 2 >= total
        })?;
        Some((*shortest, *median, *longest))
    }

    /// Returns the rows of the histogram: smallest and largest number of plies, both inclusive, and number of games. The
    /// first row counts games without moves; the last one has no upper bound.
    pub fn histogram(&self) -> Vec<(u32, Option<u32>, u64)> {
        let games = |from: u32, to: Option<u32>| {
            let to = to.unwrap_or(u32::MAX);
            self.counts.range(from..=to).map(|(_, games)| *games).sum::<u64>()
        };
        let mut rows = vec![(0, Some(0), games(0, Some(0)))];
        let mut from = 1;
        while from < MAX_ROW_PLIES {
            let to = from + ROW_PLIES - 1;
            rows.push((from, Some(to), games(from, Some(to))));
            from += ROW_PLIES;
        }
        rows.push((from, None, games(from, None)));
        rows
    }
}

/// Games of some lengths.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LengthRow {
    /// The least number of plies.
    pub from: u32,
    /// The greatest number of plies; null for the last row.
    pub to: Option<u32>,
    /// The number of games.
    pub games: u64,
}

/// The lengths of games, in plies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LengthsAnswer {
    /// The shortest game that has moves.
    pub shortest: Option<u32>,
    /// The median.
    pub median: Option<u32>,
    /// The longest game.
    pub longest: Option<u32>,
    /// The numbers of games by length.
    pub histogram: Vec<LengthRow>,
}

impl LengthsAnswer {
    /// Returns the answer for lengths that were counted.
    pub fn of(lengths: &Lengths) -> Self {
        let extremes = lengths.extremes();
        let rows = lengths.histogram().into_iter();
        Self {
            shortest: extremes.map(|e| e.0),
            median: extremes.map(|e| e.1),
            longest: extremes.map(|e| e.2),
            histogram: rows.map(|(from, to, games)| LengthRow { from, to, games }).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histogram_counts_empty_games_separately() {
        let mut lengths = Lengths::default();
        assert_eq!(lengths.extremes(), None);
        for plies in [0, 0, 1, 20, 21, 90, 5_000] {
            lengths.add(plies, 1);
        }
        assert_eq!(lengths.extremes(), Some((1, 21, 5_000)));
        let rows = lengths.histogram();
        assert_eq!(rows[..3], [(0, Some(0), 2), (1, Some(20), 2), (21, Some(40), 1)]);
        assert_eq!(rows.last(), Some(&(201, None, 1)));
        assert_eq!(rows.iter().map(|row| row.2).sum::<u64>(), 7);
    }
}
