//! Reads many numbers of a block at once.

#[cfg(target_arch = "x86_64")]
use super::avx512_numbers::Avx512;
use super::block::{BLOCK, Pairs};

/// Reads many numbers at once if the processor has AVX-512; returns `None` otherwise.
#[derive(Clone, Copy, Debug, Default)]
pub struct NumberReader {
    #[cfg(target_arch = "x86_64")]
    pub(super) avx512: Option<Avx512>,
}

impl NumberReader {
    /// Reads the first [`PAIRS`](super::PAIRS) words of a block, whose starts and ends are given as masks. Each word
    /// begins and ends with a number of one or two digits, with no digit between them. Entries after the last word
    /// are arbitrary.
    ///
    /// Places are offsets in the block plus `at`. Returns `None` without AVX-512.
    // Twin: `str::parse` of each number; test: pairs_equal_numbers_read_one_by_one.
    #[inline(always)]
    pub(crate) fn pairs(self, block: &[u8; BLOCK], starts: u64, ends: u64, at: u32) -> Option<Pairs> {
        #[cfg(target_arch = "x86_64")]
        return Some(self.avx512?.pairs(block, starts, ends, at));
        #[cfg(not(target_arch = "x86_64"))]
        {
            let _ = (block, starts, ends, at);
            None
        }
    }

    /// Returns the first of the numbers that start at `numbers`, and the count of other tokens before it, if the
    /// numbers count up: each is greater by one than the previous one, with exactly two other tokens between them.
    ///
    /// The numbers have one or two digits. `tokens` is the mask of the starts of all tokens, numbers included.
    /// Returns `None` if the numbers do not count up, if there are none, or without AVX-512.
    // Twin: a comparison number by number; test: count_up_finds_regular_move_numbers.
    #[inline(always)]
    pub(crate) fn count_up(self, block: &[u8; BLOCK], numbers: u64, tokens: u64) -> Option<(u8, u32)> {
        #[cfg(target_arch = "x86_64")]
        return self.avx512?.count_up(block, numbers, tokens);
        #[cfg(not(target_arch = "x86_64"))]
        {
            let _ = (block, numbers, tokens);
            None
        }
    }
}
