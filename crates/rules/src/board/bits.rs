//! Bitboards: sets of squares as machine words.

use core::fmt::Debug;
use core::hash::Hash;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// A bitboard, with one bit per square: `u64` for boards up to 10x10 and for 8x8 with all 64 squares, `u128` for
/// 12x12.
///
/// All operations are a few instructions on any processor; none can panic. The trait is sealed: no other type can implement it.
///
/// ```
/// use pdn_rules::internal::board::Bits;
///
/// let set = u64::one(3) | u64::one(40);
/// assert!(set.has(40) && !set.has(4));
/// assert!(set.squares().eq([3, 40]));
/// ```
pub trait Bits:
    super::Sealed
    + Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + Into<u128>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
{
    /// The empty set.
    const NONE: Self;
    /// The number of bits in the word.
    const SIZE: u32;

    /// Returns the set that contains only square `at`, taken modulo the size of the word.
    fn one(at: u8) -> Self;
    /// Returns `true` if the set is not empty.
    fn any(self) -> bool;
    /// Returns the number of squares in the set.
    fn count(self) -> u32;
    /// Returns the lowest bit of the set, or the size of the word for the empty set.
    fn lowest(self) -> u8;
    /// Returns the highest bit of the set, or 0 for the empty set.
    fn highest(self) -> u8;
    /// Returns the set without its lowest square.
    #[must_use]
    fn without_lowest(self) -> Self;
    /// Returns the set of the lowest square alone.
    #[must_use]
    fn only_lowest(self) -> Self;
    /// Returns the set of all bits if `yes`, else the empty set; compiles without a branch.
    fn all_if(yes: bool) -> Self;
    /// Returns the word rotated to the left by `by` bits.
    #[must_use]
    fn rotated(self, by: u32) -> Self;
    /// Returns the same set in the widest word.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn widen(self) -> u128 {
        self.into()
    }
    /// Returns the squares of a wide word that this word can hold.
    fn narrow(wide: u128) -> Self;

    /// Returns `true` if square `at` is in the set.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn has(self, at: u8) -> bool {
        (self & Self::one(at)).any()
    }

    /// Iterates over the squares of the set, lowest bit first.
    #[inline]
    fn squares(self) -> Squares<Self> {
        Squares(self)
    }
}

macro_rules! bits {
    ($word:ty) => {
        impl super::Sealed for $word {}

        impl Bits for $word {
            const NONE: Self = 0;
            const SIZE: u32 = <$word>::BITS;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn one(at: u8) -> Self {
                (1 as $word).wrapping_shl(at as u32)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn any(self) -> bool {
                self != 0
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lowest(self) -> u8 {
                self.trailing_zeros() as u8
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn highest(self) -> u8 {
                // `| 1` makes 0 the highest bit of the empty set, so that the compiler need not treat it apart.
                ((<$word>::BITS - 1) ^ (self | 1).leading_zeros()) as u8
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn only_lowest(self) -> Self {
                self & self.wrapping_neg()
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn all_if(yes: bool) -> Self {
                (yes as $word).wrapping_neg()
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn rotated(self, by: u32) -> Self {
                self.rotate_left(by)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn narrow(wide: u128) -> Self {
                wide as $word
            }
        }
    };
}

bits!(u64);
bits!(u128);

/// An iterator over the squares of a set, lowest bit first; see [`Bits::squares`].
#[derive(Clone, Copy, Debug)]
pub struct Squares<B>(B);

impl<B: Bits> Iterator for Squares<B> {
    type Item = u8;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Option<u8> {
        if !self.0.any() {
            return None;
        }
        let at = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(at)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl<B: Bits> ExactSizeIterator for Squares<B> {}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn check<B: Bits>(squares: &[u8]) {
        let set = squares.iter().fold(B::NONE, |set, &at| set | B::one(at));
        assert_eq!(set.squares().collect::<Vec<_>>(), squares);
        assert_eq!(set.count() as usize, squares.len());
        assert_eq!(set.any(), !squares.is_empty());
        assert_eq!(set.highest(), squares.last().copied().unwrap_or(0));
        assert_eq!(u32::from(set.lowest()), squares.first().map_or(B::SIZE, |&at| u32::from(at)));
        assert_eq!(B::narrow(set.widen()), set);
        assert_eq!(set.rotated(7).rotated(B::SIZE - 7), set);
    }

    #[test]
    fn sets_iterate_over_their_squares_in_order() {
        for squares in [&[][..], &[0], &[63], &[0, 1, 5, 31, 32, 62, 63]] {
            check::<u64>(squares);
            check::<u128>(squares);
        }
        check::<u128>(&[3, 64, 77, 127]);
    }
}
