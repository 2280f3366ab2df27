//! Packs numbers into a fixed number of bits each, and reads any of them in O(1).
//!
//! Number `i` occupies the `width` bits (at most 56) from bit `i * width` on, lowest bits first. Eight zero bytes
//! follow the last bits, so that every number can be read with one load of eight bytes.

use crate::files::FilePart;

/// Maximum width of a number, in bits: a load of eight bytes holds it at any of the eight bit offsets.
pub(crate) const MAX_WIDTH: u32 = 56;

/// Zero bytes after the bits.
const SLACK: usize = 8;

/// Returns how many bits the number takes; 0 for 0.
pub(crate) fn width_of(greatest: u64) -> u32 {
    u64::BITS - greatest.leading_zeros()
}

/// Returns the bytes of `len` numbers of `width` bits; `None` if `width` exceeds [`MAX_WIDTH`].
fn needed(width: u8, len: usize) -> Option<usize> {
    (u32::from(width) <= MAX_WIDTH).then_some(())?;
    len.checked_mul(usize::from(width))?.div_ceil(8).checked_add(SLACK)
}

/// A sequence of numbers of equal width. Does not know how many there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedBits<'a> {
    /// Empty if the numbers are read from `part`, so that no number is found here: only then is `part` looked at.
    bits: &'a [u8],
    part: Option<PartBits<'a>>,
    pub(crate) width: u32,
    mask: u64,
}

/// Where numbers are in a part of a file.
#[derive(Clone, Copy, Debug)]
struct PartBits<'a> {
    part: FilePart<'a>,
    /// The bit at which the first number begins.
    first: u64,
    /// The bits from the beginning of a number to that of the next one.
    step: u64,
}

impl PartBits<'_> {
    /// Returns the bit at which a number begins.
    fn bit(&self, index: usize) -> u64 {
        self.first + index as u64 * self.step
    }
}

impl<'a> PackedBits<'a> {
    /// Creates a view of `len` numbers of `width` bits; `None` if `width` exceeds [`MAX_WIDTH`] or `bits` has not
    /// exactly the length that they need.
    pub(crate) fn new(bits: &'a [u8], width: u8, len: usize) -> Option<Self> {
        let needed = needed(width, len)?;
        let (width, mask) = (u32::from(width), (1 << width) - 1);
        (bits.len() == needed).then_some(Self { bits, part: None, width, mask })
    }

    /// Creates a view of numbers as [`new`](Self::new) does, which are read when they are asked for.
    pub(crate) fn in_file(part: FilePart<'a>, width: u8, len: usize) -> Option<Self> {
        let step = u64::from(width);
        Self::in_steps(part, width, (0, step), len)
    }

    /// Creates a view of numbers as [`in_file`](Self::in_file) does, of which the first one begins at the bit `first`, and each of the others
    /// `step` bits after the one before.
    pub(crate) fn in_steps(
        part: FilePart<'a>,
        width: u8,
        (first, step): (u64, u64),
        len: usize,
    ) -> Option<Self> {
        let bytes = (len as u64).checked_mul(step)?.div_ceil(8).checked_add(SLACK as u64)?;
        let fits = u32::from(width) <= MAX_WIDTH && first.checked_add(width.into())? <= step;
        let (width, mask) = (u32::from(width), 1u64.checked_shl(width.into())?.wrapping_sub(1));
        let part = PartBits { part, first, step };
        (fits && part.part.len() == bytes).then_some(Self { bits: &[], part: Some(part), width, mask })
    }

    /// Returns the same numbers, read at once if they are not there; as they are if that fails.
    pub(crate) fn read(self) -> Self {
        let alone = self.part.filter(|part| part.step == u64::from(self.width));
        match alone.and_then(|part| part.part.all()) {
            Some(bits) => Self { bits, part: None, ..self },
            None => self,
        }
    }

    /// Returns number `index`, or 0 if the bits end before it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn get(&self, index: usize) -> u64 {
        let bit = index * self.width as usize;
        match self.bits.get(bit / 8..).and_then(|rest| rest.first_chunk()) {
            Some(bytes) => u64::from_le_bytes(*bytes) >> (bit % 8) & self.mask,
            None => self.get_in_file(index),
        }
    }

    /// Adds where a number is in its file, if it is read from there.
    pub(crate) fn expect(&self, index: usize, parts: &mut Vec<FilePart<'a>>) {
        let Some(part) = self.part.filter(|_| self.width > 0) else { return };
        let byte = part.bit(index) / 8;
        parts.push(part.part.within(byte..byte + SLACK as u64));
    }

    /// Returns a number of the file, or 0 if the bits end before it or cannot be read.
    #[cold]
    fn get_in_file(&self, index: usize) -> u64 {
        let Some(part) = self.part.filter(|_| self.width > 0) else { return 0 };
        let bit = part.bit(index);
        let bytes = part.part.get(bit / 8..bit / 8 + SLACK as u64).and_then(|bytes| bytes.first_chunk());
        bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes) >> (bit % 8) & self.mask)
    }
}

impl PackedBits<'_> {
    /// Returns a bit for each of `numbers` (at most 64) numbers from `first` on, lowest first: 1 if `test` accepts
    /// it.
    ///
    /// Eight numbers from a multiple of eight occupy as many bytes as each number has bits, so eight share one bounds
    /// check.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn matching(&self, first: usize, numbers: usize, test: impl Fn(u64) -> bool) -> u64 {
        let width = self.width as usize;
        let whole = if first.is_multiple_of(8) { numbers / 8 } else { 0 };
        let Some(bytes @ [_, ..]) = self.bits.get(first / 8 * width..) else {
            return (0..numbers)
                .fold(0, |bits, number| bits | u64::from(test(self.get(first + number))) << number);
        };
        let eighths = (0..whole).fold(0, |bits, eighth| {
            let chunk = bytes.get(eighth * width..eighth * width + width + SLACK).unwrap_or(&[]);
            let number = |at: usize| {
                let word = chunk.get(at * width / 8..).and_then(|rest| rest.first_chunk());
                word.map_or(0, |word| u64::from_le_bytes(*word)) >> (at * width % 8) & self.mask
            };
            bits | (0..8).fold(0, |byte, at| byte | u64::from(test(number(at))) << at) << (8 * eighth)
        });
        (8 * whole..numbers)
            .fold(eighths, |bits, number| bits | u64::from(test(self.get(first + number))) << number)
    }
}

/// Appends `values`, each in `width` bits, and the zero bytes.
// Twin: the values themselves; test: `columns_return_their_values`.
pub(crate) fn write_bits(values: impl ExactSizeIterator<Item = u64>, width: u32, out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + (values.len() * width as usize).div_ceil(8) + SLACK, 0);
    let mut bits = BitWriter { bytes: &mut out[start..], at: 0, word: 0, used: 0, width };
    // Joins as many values as surely fit in a word before storing them: each store depends on the one before.
    match MAX_WIDTH / width.max(1) {
        8.. => bits.push_all::<8>(values),
        4.. => bits.push_all::<4>(values),
        2.. => bits.push_all::<2>(values),
        _ => bits.push_all::<1>(values),
    }
}

/// Writes numbers of `width` bits into `bytes`, which must be long enough for all of them and the zero bytes.
struct BitWriter<'a> {
    bytes: &'a mut [u8],
    /// Offset of the next byte to write.
    at: usize,
    /// The last bits that do not fill a byte: fewer than eight.
    word: u64,
    /// Number of bits in `word`.
    used: u32,
    width: u32,
}

impl BitWriter<'_> {
    /// Appends all values, `N` with each store. `N` values must fit in [`MAX_WIDTH`] bits.
    fn push_all<const N: usize>(&mut self, mut values: impl ExactSizeIterator<Item = u64>) {
        while values.len() >= N {
            let mut shift = 0;
            let joined = (0..N).fold(0, |joined, _| {
                let value = values.next().unwrap_or(0) << shift;
                shift += self.width;
                joined | value
            });
            self.push(joined, shift);
        }
        values.for_each(|value| self.push(value, self.width));
    }

    /// Appends the lowest `bits` bits of `value`, at most [`MAX_WIDTH`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn push(&mut self, value: u64, bits: u32) {
        self.word |= value << self.used;
        self.used += bits;
        if let Some(place) = self.bytes.get_mut(self.at..self.at + 8) {
            place.copy_from_slice(&self.word.to_le_bytes());
        }
        self.at += self.used as usize / 8;
        self.word >>= self.used & !7;
        self.used &= 7;
    }
}
