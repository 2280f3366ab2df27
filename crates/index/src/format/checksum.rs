//! Checksums of an index: XXH3 with 64 bits and seed 0, computed with the best vector instructions of the processor.

use std::fs::File;
use std::hash::Hasher;
use std::io::{self, Read};
use std::path::Path;

use twox_hash::XxHash3_64;

use pdn_rules::internal::steps;

/// Returns the checksum of `bytes`.
// Twin: another implementation of XXH3; test: `checksums_equal_another_implementation`.
#[inline]
pub(crate) fn xxh3(bytes: &[u8]) -> u64 {
    steps::add(1 + bytes.len() / 16);
    XxHash3_64::oneshot(bytes)
}

/// A checksum of bytes that arrive in chunks. It does not depend on the cuts between chunks.
#[derive(Clone, Default)]
pub(crate) struct Checksum(XxHash3_64);

impl Checksum {
    /// Adds a chunk.
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        steps::add(1 + bytes.len() / 16);
        self.0.write(bytes);
    }

    /// Returns the checksum of all chunks so far.
    pub(crate) fn digest(&self) -> u64 {
        self.0.finish()
    }
}

/// Reads a file and calls `take` for each chunk, at most 64 KiB long, in file order.
pub(crate) fn read_chunks(path: &Path, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut file = File::open(path)?;
    let mut chunk = vec![0; 64 << 10];
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(()),
            read => take(&chunk[..read])?,
        }
    }
}

/// Returns the length in bytes and the checksum of a file.
pub(crate) fn file_checksum(path: &Path) -> io::Result<(u64, u64)> {
    let (mut len, mut checksum) = (0, Checksum::default());
    read_chunks(path, |chunk| {
        len += chunk.len() as u64;
        checksum.update(chunk);
        Ok(())
    })?;
    Ok((len, checksum.digest()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn checksums_equal_another_implementation(bytes in prop::collection::vec(any::<u8>(), 0..5000), cut: prop::sample::Index) {
            let expected = xxhash_rust::xxh3::xxh3_64(&bytes);
            prop_assert_eq!(xxh3(&bytes), expected);
            let (head, tail) = bytes.split_at(cut.index(bytes.len() + 1));
            let mut chunked = Checksum::default();
            chunked.update(head);
            chunked.update(tail);
            prop_assert_eq!(chunked.digest(), expected);
        }
    }
}
