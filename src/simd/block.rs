//! Blocks of 64 bytes, sets of bytes, and the sizes of what is read from a block at once.

/// Number of bytes in a block.
pub const BLOCK: usize = 64;

/// Number of bits that [`Isa::places`](super::Isa::places) locates: the maximum number of words separated by
/// whitespace in a block.
pub(crate) const PLACES: usize = BLOCK / 2;

/// Number of words of four bytes that [`Isa::translate`](super::Isa::translate) translates at once.
pub(crate) const WORDS: usize = BLOCK / 2;

/// Number of numbers in each half that [`Isa::non_zero`](super::isa::Isa::non_zero) tests, and of plies in each that
/// [`Isa::ply_maxima`](super::isa::Isa::ply_maxima) counts.
pub(crate) const NUMBERS: usize = 32;

/// Number of pairs that [`NumberReader::pairs`](super::NumberReader::pairs) reads at once: the maximum in a block,
/// where a pair takes at least two digits, a separator and a whitespace byte.
pub(crate) const PAIRS: usize = BLOCK / 4;

/// Numbers and places of words that begin and end with a number of one or two digits, such as `32-28`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pairs {
    /// The first and the last number of each word.
    pub(crate) numbers: [[u8; 2]; PAIRS],
    /// Start and end of each word.
    pub(crate) places: [[u32; 2]; PAIRS],
}

/// What plies take at most, and by how much a side leads at most before one of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlyMaxima {
    /// The most pieces that a man takes.
    pub man_takes: u8,
    /// The most pieces that a king takes.
    pub king_takes: u8,
    /// The most pieces that White has more than Black.
    pub white_lead: u8,
    /// The most pieces that Black has more than White.
    pub black_lead: u8,
}

/// Masks of the bytes of a block that moves and move numbers consist of, and of those between them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TokenBytes {
    /// `0` to `9`.
    pub digits: u64,
    /// `-`, `x`, `:` and `X`.
    pub separators: u64,
    /// `.`.
    pub dots: u64,
    /// Spaces, tabs, line ends and form feeds.
    pub whitespace: u64,
    /// `0`, `1` and `2`.
    pub scores: u64,
}

/// 64 bytes in the registers of an instruction set.
///
/// Masks have one bit per byte, the lowest bit for the first byte.
pub trait Block: Copy {
    /// Returns the mask of bytes that equal one of `bytes`.
    fn among<const N: usize>(self, bytes: [u8; N]) -> u64;

    /// Returns the mask of bytes that belong to `class`.
    #[inline(always)]
    fn of<const N: usize>(self, class: &Class<N>) -> u64 {
        self.among(class.bytes)
    }

    /// Returns the mask of bytes in `first..=last`.
    fn within(self, first: u8, last: u8) -> u64;

    /// Returns the mask of bytes beyond ASCII, 0x80 to 0xFF.
    fn beyond_ascii(self) -> u64;

    /// Returns the masks of the bytes that moves and move numbers consist of.
    // Twin: the test of single bytes; test: token_bytes_equal_tests_of_single_bytes.
    #[inline(always)]
    fn token_bytes(self) -> TokenBytes {
        TokenBytes {
            digits: self.within(b'0', b'9'),
            separators: self.among([b'-', b'x', b':', b'X']),
            dots: self.among([b'.']),
            whitespace: self.within(b'\t', b'\r') | self.among([b' ']),
            scores: self.within(b'0', b'2'),
        }
    }

    /// Returns the block with `bits` set in every byte, which compares letters of both cases at once.
    fn with_bits(self, bits: u8) -> Self;
}

/// A set of bytes, recognised by two table look-ups, one per half of a byte: a byte belongs to the class if both
/// entries have a common bit.
#[derive(Clone, Copy, Debug)]
pub struct Class<const N: usize> {
    pub(super) bytes: [u8; N],
    /// Entries for the lower halves of bytes.
    pub(super) low: [u8; 16],
    /// Entries for the upper halves: each upper half that occurs has a bit of its own.
    pub(super) high: [u8; 16],
}

impl<const N: usize> Class<N> {
    /// Creates the class of `bytes`.
    ///
    /// # Panics
    /// If the upper halves of `bytes` have more than eight values.
    pub(crate) const fn new(bytes: [u8; N]) -> Self {
        let (mut low, mut high) = ([0; 16], [0; 16]);
        let (mut bits, mut n) = (0, 0);
        while n < N {
            let (upper, lower) = ((bytes[n] >> 4) as usize, (bytes[n] & 15) as usize);
            if high[upper] == 0 {
                assert!(bits < 8, "a class has at most eight upper halves");
                high[upper] = 1 << bits;
                bits += 1;
            }
            low[lower] |= high[upper];
            n += 1;
        }
        Self { bytes, low, high }
    }
}
