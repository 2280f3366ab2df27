//! Positions of a game of the index.

use std::fmt;

use pdn::board::Board;
use pdn_rules::internal::position::State;

/// The positions of a game of the index: one of them, `fen of 123 at 40`, or all from a ply on, `meets 123 from 20`.
///
/// ```
/// use pdn_index::internal::query::GamePositions;
/// use pdn_index::query::Query;
///
/// assert_eq!(Query::in_game(GamePositions::at(123, 40)), Query::parse("fen of 123 at 40").unwrap());
/// assert_eq!(GamePositions::from(123, 20).to_string(), "meets 123 from 20");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct GamePositions {
    /// The number of the game in the index, from 1.
    pub(in crate::query) game: u64,
    /// The number of plies before the first of its positions.
    pub(in crate::query) first: u32,
    /// Whether it is the only one.
    pub(in crate::query) is_single: bool,
    /// The positions, once they were read from an index.
    pub(in crate::query) found: Option<FoundPositions>,
}

/// Positions that were read from an index.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub(in crate::query) struct FoundPositions {
    /// Their board.
    pub(in crate::query) board: Board,
    /// Whether the lower right cell of the board is a playing square.
    pub(in crate::query) is_inverted: bool,
    pub(in crate::query) states: Vec<State<u128>>,
}

impl GamePositions {
    /// Creates the condition on the position of a game, numbered from 1, after `ply` plies.
    pub fn at(game: u64, ply: u32) -> Self {
        Self { game, first: ply, is_single: true, found: None }
    }

    /// Creates the condition on all positions of a game, numbered from 1, after `first` plies or more.
    pub fn from(game: u64, first: u32) -> Self {
        Self { game, first, is_single: false, found: None }
    }
}

impl fmt::Display for GamePositions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, first, .. } = self;
        if self.is_single {
            write!(f, "fen of {game} at {first}")
        } else {
            write!(f, "meets {game} from {first}")
        }
    }
}
