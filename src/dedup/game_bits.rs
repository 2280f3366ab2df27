//! A set of games, with a bit for each game.

use std::ops::Range;

/// A set of numbers of games.
#[derive(Clone, Debug)]
pub(super) struct GameBits {
    words: Vec<u64>,
}

impl GameBits {
    /// Creates an empty set of numbers below `games`.
    pub(super) fn new(games: u64) -> Self {
        Self { words: vec![0; usize::try_from(games.div_ceil(64)).unwrap_or(usize::MAX)] }
    }

    pub(super) fn insert(&mut self, game: u64) {
        if let Some(word) = self.words.get_mut((game / 64) as usize) {
            *word |= 1 << (game % 64);
        }
    }

    pub(super) fn contains(&self, game: u64) -> bool {
        self.words.get((game / 64) as usize).is_some_and(|word| word >> (game % 64) & 1 != 0)
    }

    /// Returns how many of the 63 games at most that share a word with this one and stand before it are in the set.
    pub(super) fn before_in_word(&self, game: u64) -> u32 {
        let word = self.words.get((game / 64) as usize).copied().unwrap_or(0);
        (word & ((1 << (game % 64)) - 1)).count_ones()
    }

    /// Iterates over the games of a range. Words without a game cost next to nothing.
    pub(super) fn in_range(&self, range: Range<u64>) -> impl Iterator<Item = u64> + use<'_> {
        let words = (range.start / 64) as usize..(range.end.div_ceil(64) as usize).min(self.words.len());
        let games = words.filter(|&word| self.words[word] != 0).flat_map(move |word| {
            let first = word as u64 * 64;
            (first..first + 64).filter(move |game| self.words[word] >> (game % 64) & 1 != 0)
        });
        games.filter(move |game| range.contains(game))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_exactly_the_games_that_were_inserted() {
        let mut bits = GameBits::new(300);
        let games = [0, 1, 63, 64, 127, 200, 299];
        games.iter().for_each(|&game| bits.insert(game));
        for range in [0..300, 1..64, 64..128, 128..200, 200..201, 250..300] {
            let expected: Vec<u64> = games.iter().copied().filter(|game| range.contains(game)).collect();
            assert_eq!(bits.in_range(range.clone()).collect::<Vec<_>>(), expected, "{range:?}");
            let before = bits.in_range(range.start - range.start % 64..range.start).count();
            assert_eq!(bits.before_in_word(range.start) as usize, before, "{range:?}");
            assert!(range.into_iter().all(|game| bits.contains(game) == games.contains(&game)));
        }
        assert!(!bits.contains(1000));
    }
}
