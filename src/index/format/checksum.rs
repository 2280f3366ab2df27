//! The sum of bytes everywhere in an index: XXH3 of 64 bits, by the best vectors that the processor has.

use std::fs::File;
use std::hash::Hasher;
use std::io::{self, Read};
use std::path::Path;

use twox_hash::XxHash3_64;

/// The sum of these bytes.
#[inline]
pub(crate) fn xxh3(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

/// The sum of bytes that come piece by piece; it does not depend on the pieces.
#[derive(Clone, Default)]
pub(crate) struct Sum(XxHash3_64);

impl Sum {
    /// Adds a piece.
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    /// The sum of all pieces so far.
    pub(crate) fn digest(&self) -> u64 {
        self.0.finish()
    }
}

/// Hands a file to `take`, piece by piece.
pub(crate) fn read_file(path: &Path, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut file = File::open(path)?;
    let mut piece = vec![0; 64 << 10];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(()),
            read => take(&piece[..read])?,
        }
    }
}

/// Length and sum of a file.
pub(crate) fn sum_file(path: &Path) -> io::Result<(u64, u64)> {
    let (mut len, mut sum) = (0, Sum::default());
    read_file(path, |piece| {
        len += piece.len() as u64;
        sum.update(piece);
        Ok(())
    })?;
    Ok((len, sum.digest()))
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
