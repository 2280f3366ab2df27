//! Sets of games of a segment.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Range, Sub, SubAssign};

use roaring::RoaringBitmap;

/// A set of games of one segment, by their numbers in it, from 0. Compressed: a dense range takes a bit per game.
///
/// ```
/// use pdn_index::internal::GameSet;
///
/// let (even, small): (GameSet, GameSet) = ((0..100).step_by(2).collect(), (0..10).collect());
/// let both = &even & &small;
/// assert_eq!(both.iter().collect::<Vec<_>>(), [0, 2, 4, 6, 8]);
/// assert_eq!((&even | &small).len(), 55);
/// assert!(both.contains(4) && !both.contains(5));
/// assert!((&small - &even).iter().eq([1, 3, 5, 7, 9]));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameSet(RoaringBitmap);

impl GameSet {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates the set of the first `games` games.
    pub fn first(games: u32) -> Self {
        let mut all = RoaringBitmap::new();
        all.insert_range(0..games);
        Self(all)
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
    pub fn iter(&self) -> GameSetIter<'_> {
        GameSetIter(self.0.iter())
    }

    /// Adds a game; returns `true` if the set did not contain it.
    pub fn insert(&mut self, game: u32) -> bool {
        self.0.insert(game)
    }

    /// Adds a game that is greater than all games of the set. Returns `false`, without adding it, if it is not.
    pub(crate) fn try_push(&mut self, game: u32) -> bool {
        self.0.try_push(game).is_ok()
    }

    /// Returns the number of the last game plus one; 0 for an empty set.
    pub(crate) fn end(&self) -> u32 {
        self.0.max().map_or(0, |last| last.saturating_add(1))
    }

    /// Returns how many games of a range are in the set.
    pub fn count_in(&self, range: Range<u32>) -> u64 {
        self.0.range_cardinality(range)
    }

    /// Iterates over the games of a range in ascending order.
    pub(crate) fn range(&self, range: Range<u32>) -> impl Iterator<Item = u32> + '_ {
        self.0.range(range)
    }

    /// Creates the set of the games whose bit is 1, with game 0 in the lowest bit of the first byte.
    pub(crate) fn from_bits(bytes: &[u8]) -> Self {
        Self(RoaringBitmap::from_lsb0_bytes(0, bytes))
    }
}

/// An iterator over the games of a set, in ascending order; made by [`GameSet::iter`].
#[derive(Clone)]
pub struct GameSetIter<'a>(roaring::bitmap::Iter<'a>);

impl Iterator for GameSetIter<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        self.0.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    #[inline]
    fn fold<A, F: FnMut(A, u32) -> A>(self, start: A, f: F) -> A {
        self.0.fold(start, f)
    }
}

impl fmt::Debug for GameSetIter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<'a> IntoIterator for &'a GameSet {
    type Item = u32;
    type IntoIter = GameSetIter<'a>;

    fn into_iter(self) -> GameSetIter<'a> {
        self.iter()
    }
}

impl FromIterator<u32> for GameSet {
    fn from_iter<T: IntoIterator<Item = u32>>(games: T) -> Self {
        Self(games.into_iter().collect())
    }
}

impl Extend<u32> for GameSet {
    fn extend<T: IntoIterator<Item = u32>>(&mut self, games: T) {
        self.0.extend(games);
    }
}

/// Implements an operator for sets and references to sets. It copies neither operand.
macro_rules! operator {
    ($doc:literal, $operator:ident $method:ident, $assign:ident $assign_method:ident) => {
        impl $operator for GameSet {
            type Output = GameSet;
            #[doc = $doc]
            fn $method(self, other: GameSet) -> GameSet {
                GameSet(self.0.$method(other.0))
            }
        }

        impl $operator<&GameSet> for GameSet {
            type Output = GameSet;
            #[doc = $doc]
            fn $method(self, other: &GameSet) -> GameSet {
                GameSet(self.0.$method(&other.0))
            }
        }

        impl $operator<GameSet> for &GameSet {
            type Output = GameSet;
            #[doc = $doc]
            fn $method(self, other: GameSet) -> GameSet {
                GameSet((&self.0).$method(other.0))
            }
        }

        impl $operator for &GameSet {
            type Output = GameSet;
            #[doc = $doc]
            fn $method(self, other: &GameSet) -> GameSet {
                GameSet((&self.0).$method(&other.0))
            }
        }

        impl $assign for GameSet {
            fn $assign_method(&mut self, other: GameSet) {
                self.0.$assign_method(other.0);
            }
        }

        impl $assign<&GameSet> for GameSet {
            fn $assign_method(&mut self, other: &GameSet) {
                self.0.$assign_method(&other.0);
            }
        }
    };
}

operator!("Returns the games that are in both sets.", BitAnd bitand, BitAndAssign bitand_assign);
operator!("Returns the games that are in at least one of the sets.", BitOr bitor, BitOrAssign bitor_assign);
operator!("Returns the games of the first set that are not in the second.", Sub sub, SubAssign sub_assign);
