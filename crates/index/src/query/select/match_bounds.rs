//! Lower and upper bounds of the set of games that match a query.

use crate::GameSet;

/// Bounds of the games of a segment that match a query, known without playing any.
///
/// The query is true at every position of the games in `certain`, and at no position of the games outside `possible`.
/// For conditions on whole games the two sets are equal.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MatchBounds {
    /// The games in which the query is true at every position.
    pub certain: GameSet,
    /// The games in which the query may be true at some position; includes `certain`.
    pub possible: GameSet,
}

impl MatchBounds {
    /// Creates the bounds of a condition on whole games that matches these games.
    pub fn exact(games: GameSet) -> Self {
        Self { certain: games.clone(), possible: games }
    }

    /// Creates the bounds of a condition on positions that may match in these games.
    pub fn possible(games: GameSet) -> Self {
        Self { certain: GameSet::new(), possible: games }
    }

    /// Returns `true` if both sets are equal, so that no game has to be played.
    pub fn is_exact(&self) -> bool {
        self.certain == self.possible
    }

    /// Returns the games that have to be played: those possible but not certain.
    pub fn open(&self) -> GameSet {
        &self.possible - &self.certain
    }

    /// Returns the bounds of `query and other`.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.certain &= &other.certain;
        self.possible &= &other.possible;
        self
    }

    /// Returns the bounds of `query or other`.
    #[must_use]
    pub fn or(mut self, other: &Self) -> Self {
        self.certain |= &other.certain;
        self.possible |= &other.possible;
        self
    }

    /// Returns the bounds of `not query`, in a segment of `games` games.
    #[must_use]
    pub fn not(self, games: u32) -> Self {
        let all = GameSet::first(games);
        Self { certain: &all - &self.possible, possible: all - self.certain }
    }
}
