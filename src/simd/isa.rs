//! The traits of instruction sets and of the algorithms that use them, and the reader of many numbers at once.

#[cfg(target_arch = "x86_64")]
use super::avx512_numbers::Avx512;
use super::block::{BLOCK, Block, NUMBERS, PLACES, Pairs, PlyMaxima, WORDS};

/// An instruction set. A value of an implementation proves that the processor has it.
pub trait Isa: Copy {
    /// A block of 64 bytes in registers.
    type Block: Block;

    /// Loads a block.
    fn load(self, bytes: &[u8; BLOCK]) -> Self::Block;

    /// Loads the first bytes of `bytes`; after the last one, spaces.
    // Twin: `load` of a padded copy; test: padded_blocks_equal_copies.
    #[inline(always)]
    fn load_padded(self, bytes: &[u8]) -> Self::Block {
        match bytes.first_chunk() {
            Some(block) => self.load(block),
            None => self.load(&padded(bytes)),
        }
    }

    /// Returns the places of the first `PLACES` set bits of `mask` in ascending order. Entries after the last set
    /// bit are arbitrary.
    // Twin: a test of each bit; test: places_equal_the_set_bits.
    #[inline(always)]
    fn places(self, mut mask: u64) -> [u8; PLACES] {
        let mut places = [0; PLACES];
        for eight in places.as_chunks_mut::<8>().0 {
            // One branch per eight places is predicted more often than one per place.
            for place in eight {
                *place = mask.trailing_zeros() as u8;
                mask &= mask.wrapping_sub(1);
            }
            if mask == 0 {
                break;
            }
        }
        places
    }

    /// `true` if [`Isa::look_up`] takes a few instructions in all, not a few per byte.
    const HAS_FAST_LOOK_UP: bool = false;

    /// Returns the entry of `table` for each byte of `at`. Only the low six bits of these bytes count.
    // Twin: indexing; test: look_up_equals_indexing.
    #[inline(always)]
    fn look_up(self, table: &[u8; BLOCK], at: &[u8; BLOCK]) -> [u8; BLOCK] {
        std::array::from_fn(|n| table[usize::from(at[n]) % BLOCK])
    }

    /// Writes the entry of `table` for each byte of the first `words` words to `out`. Later words of `out` are
    /// arbitrary.
    // Twin: translate_each; test: translate_equals_indexing.
    #[inline(always)]
    fn translate(
        self,
        table: &[u8; 256],
        bytes: &[[u8; 4]; WORDS],
        words: usize,
        out: &mut [[u8; 4]; WORDS],
    ) {
        translate_each(table, bytes, words, out);
    }

    /// Returns which of the numbers of both halves are not 0, one bit each, the lowest for the first.
    // Twin: a test of each number; test: non_zero_equals_test_of_each_number.
    #[inline(always)]
    fn non_zero(self, halves: [&[u64; NUMBERS]; 2]) -> u64 {
        halves.into_iter().flatten().rev().fold(0, |bits, &number| bits << 1 | u64::from(number != 0))
    }

    /// Counts the pieces before each ply of both halves, and those that it takes. Only plies whose bit is set in `plies` count, the
    /// lowest for the first. Those in `by_kings` are moves of kings.
    ///
    /// Each half has White's pieces, Black's pieces and the pieces that are taken. Returns `None` without instructions that count the
    /// bits of many numbers at once.
    // Twin: counting ply by ply; test: ply_maxima_equal_counts_of_each_ply.
    #[inline(always)]
    fn ply_maxima(
        self,
        _halves: [[&[u64; NUMBERS]; 3]; 2],
        _plies: u64,
        _by_kings: u64,
    ) -> Option<PlyMaxima> {
        None
    }

    /// Returns a reader of many numbers at once.
    #[inline(always)]
    fn number_reader(self) -> NumberReader {
        NumberReader::default()
    }

    /// Runs a task, compiled for this instruction set.
    fn run<T: Task>(self, task: T) -> T::Output;
}

/// Returns a text of fewer than 64 bytes, padded with spaces to a block.
#[cold]
#[inline]
fn padded(rest: &[u8]) -> [u8; BLOCK] {
    let mut block = [b' '; BLOCK];
    block[..rest.len()].copy_from_slice(rest);
    block
}

/// Translates byte by byte; see [`Isa::translate`].
#[inline(always)]
pub(super) fn translate_each(
    table: &[u8; 256],
    bytes: &[[u8; 4]; WORDS],
    words: usize,
    out: &mut [[u8; 4]; WORDS],
) {
    for n in 0..words.min(WORDS) {
        out[n] = bytes[n].map(|byte| table[usize::from(byte)]);
    }
}

/// Returns `true` if `text` contains one of `bytes`. Faster than `memchr` for the text of one record.
// Twin: a search byte by byte; test: contains_any_equals_search_of_bytes.
#[inline(always)]
pub(crate) fn contains_any<I: Isa, const N: usize>(isa: I, text: &[u8], bytes: [u8; N]) -> bool {
    let (blocks, rest) = text.as_chunks();
    let found = blocks.iter().fold(0, |found, block| found | isa.load(block).among(bytes));
    // The last block overlaps those before it.
    let last = match text.last_chunk() {
        Some(last) => isa.load(last),
        None => isa.load_padded(text),
    };
    let within = if blocks.is_empty() { (1 << rest.len()) - 1 } else { u64::MAX };
    (found | last.among(bytes) & within) != 0
}

/// An algorithm written for any instruction set.
pub trait Task {
    /// The result of the task.
    type Output;

    /// Runs the task. Implementations and all functions they call that use a block are `#[inline(always)]`: only code
    /// that is inlined into the compiled task may use the instructions.
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// Two tasks, one after the other: the instruction set is chosen once for both.
impl<A: Task, B: Task> Task for (A, B) {
    type Output = (A::Output, B::Output);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        (self.0.run(isa), self.1.run(isa))
    }
}

/// Reads many numbers at once if the processor has AVX-512; returns `None` otherwise.
#[derive(Clone, Copy, Debug, Default)]
pub struct NumberReader {
    #[cfg(target_arch = "x86_64")]
    pub(super) avx512: Option<Avx512>,
}

impl NumberReader {
    /// Reads the first [`PAIRS`](super::PAIRS) words of the first block of `bytes`, whose starts and ends are given as masks. Each
    /// word begins and ends with a number of one or two digits, with no digit between them. Entries after the last word are
    /// arbitrary.
    ///
    /// Places are offsets in the block plus `at`. Returns `None` without AVX-512.
    // Twin: `str::parse` of each number; test: pairs_equal_numbers_read_one_by_one.
    #[inline(always)]
    pub(crate) fn pairs(self, bytes: &[u8], starts: u64, ends: u64, at: u32) -> Option<Pairs> {
        #[cfg(target_arch = "x86_64")]
        return Some(self.avx512?.pairs(bytes, starts, ends, at));
        #[cfg(not(target_arch = "x86_64"))]
        {
            let _ = (bytes, starts, ends, at);
            None
        }
    }

    /// Returns the first of the numbers that start at `numbers` in the first block of `bytes`, and the count of other tokens before
    /// it, if the numbers count up: each is greater by one than the previous one, with exactly two other tokens between them.
    ///
    /// The numbers have one or two digits. `tokens` is the mask of the starts of all tokens, numbers included.
    /// Returns `None` if the numbers do not count up, if there are none, or without AVX-512.
    // Twin: a comparison number by number; test: count_up_finds_regular_move_numbers.
    #[inline(always)]
    pub(crate) fn count_up(self, bytes: &[u8], numbers: u64, tokens: u64) -> Option<(u8, u32)> {
        #[cfg(target_arch = "x86_64")]
        return self.avx512?.count_up(bytes, numbers, tokens);
        #[cfg(not(target_arch = "x86_64"))]
        {
            let _ = (bytes, numbers, tokens);
            None
        }
    }
}
