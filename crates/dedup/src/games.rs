//! The games that are compared: those of one index, or of two; and sets of them with a bit for each game.

use std::sync::Arc;

use pdn::error::Result;
use pdn_index::internal::query::RowTable;
use pdn_index::{GameRow, Index, IndexedGame};

/// A game that was compared.
///
/// [`Index::game`](pdn_index::Index::game) gives the game of this number.
/// [`find_duplicates`](crate::find_duplicates) has an example with games of both indexes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
pub struct DedupGame {
    /// `false` for a game of the index that others are compared with, which is never a duplicate itself.
    pub is_new: bool,
    /// Number in its index, from 0.
    pub game: u64,
}

/// The games of both indexes under consecutive numbers: first those of the known index, then the new ones.
#[derive(Clone, Debug)]
pub(super) struct Games<'a> {
    pub(super) known: Option<&'a Index>,
    pub(super) new: &'a Index,
    /// The rows of both, opened once: opening the dictionaries takes time in proportion to their size.
    known_rows: Option<Arc<RowTable<'a>>>,
    new_rows: Arc<RowTable<'a>>,
}

impl<'a> Games<'a> {
    pub(super) fn open(known: Option<&'a Index>, new: &'a Index) -> Result<Self> {
        let known_rows = known.map(RowTable::for_few_rows).transpose()?.map(Arc::new);
        Ok(Self { known, new, known_rows, new_rows: Arc::new(RowTable::for_few_rows(new)?) })
    }

    /// Returns the row of a game by its number; `None` if there is none.
    pub(super) fn row(&self, number: u64) -> Option<GameRow<'a>> {
        let id = self.id(number);
        if id.is_new { self.new_rows.row(id.game) } else { self.known_rows.as_ref()?.row(id.game) }
    }

    /// Returns the number of the first new game: the number of games of the known index, retired ones included.
    pub(super) fn first_new(&self) -> u64 {
        self.known.map_or(0, Index::len)
    }

    /// Returns a game by its number.
    pub(super) fn id(&self, number: u64) -> DedupGame {
        match number.checked_sub(self.first_new()) {
            Some(game) => DedupGame { is_new: true, game },
            None => DedupGame { is_new: false, game: number },
        }
    }

    /// Returns the number of a game.
    pub(super) fn number(&self, id: DedupGame) -> u64 {
        if id.is_new { id.game + self.first_new() } else { id.game }
    }

    /// Returns a game by its number; `None` if there is none.
    pub(super) fn get(&self, number: u64) -> Option<IndexedGame<'a>> {
        let id = self.id(number);
        if id.is_new { self.new.game(id.game) } else { self.known?.game(id.game) }
    }
}

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

    /// Returns the number of games in the set.
    pub(super) fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
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
        assert_eq!(bits.count(), 7);
        assert!((0..1000).all(|game| bits.contains(game) == games.contains(&game)));
    }
}
