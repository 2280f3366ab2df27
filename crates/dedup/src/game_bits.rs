//! A set of games, with a bit for each game.

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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_has_exactly_the_games_that_were_inserted() {
        let mut bits = GameBits::new(300);
        let games = [0, 1, 63, 64, 127, 200, 299];
        games.iter().for_each(|&game| bits.insert(game));
        assert!((0..1000).all(|game| bits.contains(game) == games.contains(&game)));
    }
}
