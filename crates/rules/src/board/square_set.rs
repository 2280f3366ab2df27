//! Sets of squares for code that learns the board at run time.

use core::iter::FusedIterator;
use core::ops::{BitAnd, BitOr, Sub};

use super::Square;

/// A set of squares: one bit for each, the [bit](Square::bit) of the square on its board. Every operation takes a few instructions.
///
/// ```
/// use pdn_rules::board::SquareSet;
/// use pdn_rules::value::Colour;
/// use pdn_rules::{Position, Variant};
///
/// let position = Position::parse_fen(Variant::International, "W:W28,32,K5:B19,23")?;
/// let men = position.men(Colour::White);
/// assert_eq!((men.len(), position.kings(Colour::White).len()), (2, 1));
/// let names = position.names();
/// assert_eq!(men.map(|square| names.number(square)).collect::<Vec<_>>(), [28, 32]);
/// let centre: SquareSet = [28, 29].into_iter().filter_map(|number| names.of_number(number)).collect();
/// assert_eq!((men & centre).len(), 1);
/// # Ok::<(), pdn_rules::position::ParseFenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct SquareSet(pub u128);

impl SquareSet {
    /// Returns `true` if the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of squares.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns `true` if the square is in the set.
    pub const fn contains(self, square: Square) -> bool {
        square.0 < 128 && self.0 >> square.0 & 1 != 0
    }
}

/// The squares in the order of their bits: from Black's edge to White's, from White's left to the right.
impl Iterator for SquareSet {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let first = (self.0 != 0).then(|| Square(self.0.trailing_zeros() as u8));
        self.0 &= self.0.wrapping_sub(1);
        first
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (SquareSet::len(*self), Some(SquareSet::len(*self)))
    }
}

impl ExactSizeIterator for SquareSet {}
impl FusedIterator for SquareSet {}

/// Collects squares; those that no board has are left out.
impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::default(), |set, square| {
            Self(set.0 | 1_u128.checked_shl(square.0.into()).unwrap_or(0))
        })
    }
}

/// The squares of both sets.
impl BitAnd for SquareSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// The squares of either set.
impl BitOr for SquareSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The squares of the first set that are not in the second.
impl Sub for SquareSet {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}
