//! Sets of games of a segment.

use std::ops::{BitAnd, BitOr};

use roaring::RoaringBitmap;

/// A set of games of one segment, by their numbers in it, from 0. Compressed: a dense range takes a bit per game.
///
/// ```
/// use pdn::index::GameSet;
///
/// let (even, small): (GameSet, GameSet) = ((0..100).step_by(2).collect(), (0..10).collect());
/// let both = &even & &small;
/// assert_eq!(both.iter().collect::<Vec<_>>(), [0, 2, 4, 6, 8]);
/// assert_eq!((&even | &small).len(), 55);
/// assert!(both.contains(4) && !both.contains(5));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameSet(RoaringBitmap);

impl GameSet {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of games.
    pub fn len(&self) -> u64 {
        self.0.len()
    }

    /// Returns `true` if the set contains no game.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns `true` if the set contains the game.
    pub fn contains(&self, game: u32) -> bool {
        self.0.contains(game)
    }

    /// Iterates over the games in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter()
    }

    /// Creates a set of the games of a bitmap.
    #[expect(dead_code, reason = "for the methods that return bitmaps today")]
    pub(crate) fn from_bitmap(games: RoaringBitmap) -> Self {
        Self(games)
    }

    /// Returns the set as a bitmap.
    #[expect(dead_code, reason = "for the queries that take bitmaps today")]
    pub(crate) fn bitmap(&self) -> &RoaringBitmap {
        &self.0
    }
}

impl FromIterator<u32> for GameSet {
    fn from_iter<T: IntoIterator<Item = u32>>(games: T) -> Self {
        Self(games.into_iter().collect())
    }
}

impl BitAnd for &GameSet {
    type Output = GameSet;

    /// Returns the games that are in both sets.
    fn bitand(self, other: Self) -> GameSet {
        GameSet(&self.0 & &other.0)
    }
}

impl BitOr for &GameSet {
    type Output = GameSet;

    /// Returns the games that are in at least one of the sets.
    fn bitor(self, other: Self) -> GameSet {
        GameSet(&self.0 | &other.0)
    }
}
