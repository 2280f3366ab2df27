//! The eight directions and sets of them.

/// A direction as White sees it. Its number is the index into every table with one row per direction.
///
/// The opposite direction has the same number with the lowest bit flipped.
///
/// ```
/// use pdn_rules::internal::board::{Direction, Directions};
///
/// assert!(Directions::FORWARD.has(Direction::NorthEast));
/// assert_eq!(Directions::FORWARD.turned(), [Direction::SouthWest, Direction::SouthEast].into_iter().collect());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Forward and left, towards Black's side.
    NorthWest = 0,
    /// Backward and right.
    SouthEast = 1,
    /// Forward and right.
    NorthEast = 2,
    /// Backward and left.
    SouthWest = 3,
    /// Straight forward.
    North = 4,
    /// Straight backward.
    South = 5,
    /// To the left.
    West = 6,
    /// To the right.
    East = 7,
}

impl Direction {
    /// All directions in the order of their numbers.
    pub const ALL: &'static [Self] = &[
        Self::NorthWest,
        Self::SouthEast,
        Self::NorthEast,
        Self::SouthWest,
        Self::North,
        Self::South,
        Self::West,
        Self::East,
    ];

    /// Returns the rows down and the columns to the right of one step. A straight step has the length `straight` in
    /// cells: 2 on boards that use every second cell, else 1.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn cells(self, straight: i8) -> (i8, i8) {
        match self {
            Self::NorthWest => (-1, -1),
            Self::SouthEast => (1, 1),
            Self::NorthEast => (-1, 1),
            Self::SouthWest => (1, -1),
            Self::North => (-straight, 0),
            Self::South => (straight, 0),
            Self::West => (0, -straight),
            Self::East => (0, straight),
        }
    }
}

/// A set of directions as White sees them.
///
/// ```
/// use pdn_rules::internal::board::{Direction, Directions};
///
/// let straight: Directions = [Direction::North, Direction::South].into_iter().collect();
/// assert!(Directions::ORTHOGONAL.contains(straight) && !Directions::DIAGONAL.contains(straight));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Directions(u8);

impl Directions {
    /// The two forward diagonals.
    pub const FORWARD: Self = Self(0b0000_0101);
    /// The four diagonals.
    pub const DIAGONAL: Self = Self(0b0000_1111);
    /// Straight forward, to the left and to the right.
    pub const FORWARD_AND_SIDEWAYS: Self = Self(0b1101_0000);
    /// The four straight directions.
    pub const ORTHOGONAL: Self = Self(0b1111_0000);
    /// All eight directions.
    pub const EIGHT: Self = Self(0b1111_1111);

    /// Returns `true` if the set contains the direction.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn has(self, direction: Direction) -> bool {
        self.has_number(direction as usize)
    }

    /// Returns `true` if the set contains the direction with this number; `false` for numbers above 7.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn has_number(self, number: usize) -> bool {
        number < 8 && self.0 >> (number & 7) & 1 != 0
    }

    /// Returns the set as the other side sees it: rotated by 180 degrees.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[must_use]
    pub const fn turned(self) -> Self {
        Self((self.0 & 0x55) << 1 | (self.0 & 0xaa) >> 1)
    }

    /// Returns the set as Black (`true`) or White (`false`) sees it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[must_use]
    pub const fn seen_by(self, black: bool) -> Self {
        if black { self.turned() } else { self }
    }

    /// Returns the set without the directions whose bits are set in `mask`; bit n is the direction with number n.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[must_use]
    pub(crate) const fn without(self, mask: u8) -> Self {
        Self(self.0 & !mask)
    }

    /// Returns `true` if every direction of `other` is in the set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl FromIterator<Direction> for Directions {
    fn from_iter<I: IntoIterator<Item = Direction>>(directions: I) -> Self {
        Self(directions.into_iter().fold(0, |set, direction| set | 1 << direction as u8))
    }
}

impl core::fmt::Debug for Directions {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_set().entries(Direction::ALL.iter().filter(|&&d| self.has(d))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Direction::*;
    use super::*;

    #[test]
    fn named_sets_contain_their_directions() {
        for (set, directions) in [
            (Directions::FORWARD, &[NorthWest, NorthEast][..]),
            (Directions::DIAGONAL, &[NorthWest, NorthEast, SouthWest, SouthEast]),
            (Directions::FORWARD_AND_SIDEWAYS, &[North, West, East]),
            (Directions::ORTHOGONAL, &[North, South, West, East]),
            (Directions::EIGHT, Direction::ALL),
            (Directions::FORWARD.turned(), &[SouthWest, SouthEast]),
            (Directions::FORWARD_AND_SIDEWAYS.turned(), &[South, West, East]),
        ] {
            assert_eq!(set, directions.iter().copied().collect());
        }
    }

    #[test]
    fn opposite_directions_differ_in_the_lowest_bit() {
        for &direction in Direction::ALL {
            let (rows, columns) = direction.cells(1);
            let (back_rows, back_columns) = Direction::ALL[direction as usize ^ 1].cells(1);
            assert_eq!((rows + back_rows, columns + back_columns), (0, 0));
        }
    }

    #[test]
    fn numbers_that_are_no_direction_are_in_no_set() {
        assert!(Direction::ALL.iter().all(|&direction| Directions::EIGHT.has(direction)));
        assert!(!Directions::FORWARD.has(South));
        for number in [8, 40, 64, usize::MAX] {
            assert!(!Directions::EIGHT.has_number(number));
        }
        assert_eq!(crate::board::Board::Ten.layout().shift(9), crate::board::Board::Ten.layout().shift(1));
    }
}
