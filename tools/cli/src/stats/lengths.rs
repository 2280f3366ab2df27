//! How long games are, in plies of the main line.

use std::collections::BTreeMap;

/// Counts games by their number of plies.
#[derive(Default, Debug)]
pub(super) struct Lengths {
    /// Games by plies; a hostile archive may hold few games that are very long, so the map stays small.
    counts: BTreeMap<u32, u64>,
}

/// Plies of one bar of the histogram.
pub(super) const STEP: u32 = 20;
/// From here on games are counted together.
const LONG: u32 = 200;

impl Lengths {
    pub(super) fn add(&mut self, plies: u32, games: u64) {
        *self.counts.entry(plies).or_default() += games;
    }

    pub(super) fn merge(&mut self, more: &Self) {
        for (plies, games) in &more.counts {
            self.add(*plies, *games);
        }
    }

    /// Shortest, median and longest game that has moves.
    pub(super) fn extremes(&self) -> Option<(u32, u32, u32)> {
        let mut played = self.counts.range(1..);
        let (shortest, _) = played.clone().next()?;
        let (longest, _) = played.clone().next_back()?;
        let all: u64 = played.clone().map(|(_, games)| games).sum();
        let mut passed = 0;
        let (median, _) = played.find(|(_, games)| {
            passed += **games;
            passed * 2 >= all
        })?;
        Some((*shortest, *median, *longest))
    }

    /// Games by length: the first and last number of plies, and how many games. No moves at all comes first,
    /// the last row is open.
    pub(super) fn histogram(&self) -> Vec<(u32, Option<u32>, u64)> {
        let games = |from: u32, to: Option<u32>| {
            let to = to.unwrap_or(u32::MAX);
            self.counts.range(from..=to).map(|(_, games)| *games).sum::<u64>()
        };
        let mut rows = vec![(0, Some(0), games(0, Some(0)))];
        let mut from = 1;
        while from < LONG {
            let to = from + STEP - 1;
            rows.push((from, Some(to), games(from, Some(to))));
            from += STEP;
        }
        rows.push((from, None, games(from, None)));
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_without_moves_stand_apart() {
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
