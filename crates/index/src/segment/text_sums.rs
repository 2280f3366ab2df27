//! Combined checksums of records, which detect changed archives and survive merging.

use crate::format::end_offsets::BLOCK;
use crate::format::section;

/// Checksums of blocks of up to [`BLOCK`] records that follow each other in one input.
///
/// Two checksums can be combined into one, so segments are merged without the archives; see [`section::join`].
#[derive(Default)]
pub(crate) struct TextChecksums {
    /// Checksum of each block.
    sums: Vec<u64>,
    /// Number of records of each block.
    pub(crate) games: Vec<u32>,
}

impl TextChecksums {
    /// Appends the combined checksum of `games` records. With `new` they start a block, because they do not follow
    /// the records before in the same input.
    pub(crate) fn add(&mut self, sum: u64, games: u32, new: bool) {
        match (self.sums.last_mut(), self.games.last_mut()) {
            (Some(last), Some(count)) if !new && *count + games <= BLOCK as u32 => {
                *last = section::join(*last, sum, games);
                *count += games;
            }
            _ => {
                self.sums.push(sum);
                self.games.push(games);
            }
        }
    }

    /// Encodes the section `text-sums`.
    pub(crate) fn sums(&self) -> Vec<u8> {
        self.sums.iter().flat_map(|sum| sum.to_le_bytes()).collect()
    }
}
