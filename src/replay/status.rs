//! The status of a replayed game.

use std::fmt;
use std::str::FromStr;

use crate::error::UnknownName;

/// Whether the moves of a record are legal, and if not, what prevents their replay.
///
/// ```
/// use pdn::replay::GameStatus;
///
/// assert_eq!("ambiguous".parse(), Ok(GameStatus::Ambiguous));
/// assert_eq!(GameStatus::Ambiguous.to_string(), "ambiguous");
/// assert!("Ambiguous".parse::<GameStatus>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum GameStatus {
    /// Every move of the main line is legal.
    Legal = 0,
    /// A move is illegal; the plies before it are kept.
    Illegal = 1,
    /// A written move matches several legal moves, and the moves after it do not decide between them.
    Ambiguous = 2,
    /// The text is damaged where the replay stopped: a missing move, an unreadable position, or lost text.
    Damaged = 3,
    /// Nothing to replay: no move in the main line, and no position.
    Empty = 4,
    /// The game is not draughts, or the search for captures exceeded its budget.
    Unsupported = 5,
    /// A problem: a position, from a FEN tag or a setup, and no move in the main line.
    Problem = 6,
}

impl GameStatus {
    /// All statuses, in the order of their numbers.
    pub const ALL: [Self; 7] = [
        Self::Legal,
        Self::Illegal,
        Self::Ambiguous,
        Self::Damaged,
        Self::Empty,
        Self::Unsupported,
        Self::Problem,
    ];

    /// Returns the name in lower case, as the command prints it and [`FromStr`] reads it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Legal => "legal",
            Self::Illegal => "illegal",
            Self::Ambiguous => "ambiguous",
            Self::Damaged => "damaged",
            Self::Empty => "empty",
            Self::Unsupported => "unsupported",
            Self::Problem => "problem",
        }
    }

    /// Returns `true` if the record was replayed to its end: it is legal, empty or a problem. An index lists all others as
    /// rejected.
    pub const fn is_complete(self) -> bool {
        matches!(self, Self::Legal | Self::Empty | Self::Problem)
    }
}

impl fmt::Display for GameStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The names of all statuses, for the message about another one.
const EXPECTED: &str = "one of `legal`, `illegal`, `ambiguous`, `damaged`, `empty`, `unsupported`, `problem`";

impl FromStr for GameStatus {
    type Err = UnknownName;

    /// Parses a [`name`](Self::name), in lower case.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|status| status.name() == name).ok_or(UnknownName { expected: EXPECTED })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_about_another_name_lists_all_statuses() {
        let names = GameStatus::ALL.map(|status| format!("`{status}`")).join(", ");
        let error = "won".parse::<GameStatus>().unwrap_err();
        assert_eq!(error.to_string(), format!("expected one of {names}"));
    }
}
