//! The sum of bytes everywhere in an index: XXH3 of 64 bits, by the best vectors that the processor has.

use std::hash::Hasher;

use twox_hash::XxHash3_64;

/// The sum of these bytes.
#[inline]
pub(super) fn xxh3(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

/// The sum of bytes that come piece by piece; it does not depend on the pieces.
#[derive(Clone, Default)]
pub(super) struct Sum(XxHash3_64);

impl Sum {
    /// Adds a piece.
    pub(super) fn update(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    /// The sum of all pieces so far.
    pub(super) fn digest(&self) -> u64 {
        self.0.finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sums_are_those_of_another_implementation(bytes in prop::collection::vec(any::<u8>(), 0..5000), at: prop::sample::Index) {
            let expected = xxhash_rust::xxh3::xxh3_64(&bytes);
            prop_assert_eq!(xxh3(&bytes), expected);
            let (head, tail) = bytes.split_at(at.index(bytes.len() + 1));
            let mut pieces = Sum::default();
            pieces.update(head);
            pieces.update(tail);
            prop_assert_eq!(pieces.digest(), expected);
        }
    }
}
