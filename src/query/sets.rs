//! Two sets of games for a question: those that surely answer it and those that may.

use roaring::RoaringBitmap;

/// What is known of the games of a segment without playing them.
///
/// The games of `certain` have the answer at every position, those outside `possible` at none. Conditions on
/// whole games leave nothing between the two.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MatchBounds {
    /// True at every position.
    pub certain: RoaringBitmap,
    /// True at some position, maybe.
    pub possible: RoaringBitmap,
}

impl MatchBounds {
    /// A condition on whole games that is true in these.
    pub fn exact(games: RoaringBitmap) -> Self {
        Self { certain: games.clone(), possible: games }
    }

    /// A condition on positions that may be true in these games.
    pub fn possible(games: RoaringBitmap) -> Self {
        Self { certain: RoaringBitmap::new(), possible: games }
    }

    /// Whether playing games cannot tell more.
    pub fn is_exact(&self) -> bool {
        self.certain == self.possible
    }

    /// The games that have to be played.
    pub fn open(&self) -> RoaringBitmap {
        &self.possible - &self.certain
    }

    /// Both are true.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.certain &= &other.certain;
        self.possible &= &other.possible;
        self
    }

    /// At least one of both is true.
    #[must_use]
    pub fn or(mut self, other: &Self) -> Self {
        self.certain |= &other.certain;
        self.possible |= &other.possible;
        self
    }

    /// False, where there are so many games.
    #[must_use]
    pub fn not(self, games: u32) -> Self {
        let mut all = RoaringBitmap::new();
        all.insert_range(0..games);
        Self { certain: &all - &self.possible, possible: all - self.certain }
    }
}
