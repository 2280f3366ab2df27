//! PACKED BITS

/// The widest value.
pub(crate) const WIDEST: u32 = 56;

/// Bytes after the bits.
const SLACK: usize = 8;

pub(crate) fn width_of(greatest: u64) -> u32 {
    u64::BITS - greatest.leading_zeros()
}

/// Numbers in bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packed<'a> {
    bits: &'a [u8],
    pub(crate) width: u32,
    mask: u64,
}

impl<'a> Packed<'a> {
    /// Numbers below the length of the column whose bits these are, if that many fit in.
    pub(crate) fn new(bits: &'a [u8], width: u8, len: usize) -> Option<Self> {
        let width = u32::from(width);
        if width > WIDEST {
            return None;
        }
        let needed = len.checked_mul(width as usize)?.div_ceil(8).checked_add(SLACK)?;
        (bits.len() == needed).then_some(Self { bits, width, mask: (1 << width) - 1 })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn get(&self, index: usize) -> u64 {
        let bit = index * self.width as usize;
        match self.bits.get(bit / 8..).and_then(|rest| rest.first_chunk()) {
            Some(bytes) => u64::from_le_bytes(*bytes) >> (bit % 8) & self.mask,
            // Never for an index below the length.
            None => 0,
        }
    }
}

impl Packed<'_> {
    /// A bit for each of at most 64 numbers: whether it fits. Eight numbers from a multiple of eight are as many bytes
    /// as each has bits.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn bits(&self, first: usize, numbers: usize, fits: impl Fn(u64) -> bool) -> u64 {
        let width = self.width as usize;
        let whole = if first.is_multiple_of(8) { numbers / 8 } else { 0 };
        let bytes = self.bits.get(first / 8 * width..).unwrap_or(&[]);
        let eighths = (0..whole).fold(0, |bits, eighth| {
            let chunk = bytes.get(eighth * width..eighth * width + width + SLACK).unwrap_or(&[]);
            let number = |at: usize| {
                let word = chunk.get(at * width / 8..).and_then(|rest| rest.first_chunk());
                word.map_or(0, |word| u64::from_le_bytes(*word)) >> (at * width % 8) & self.mask
            };
            bits | (0..8).fold(0, |byte, at| byte | u64::from(fits(number(at))) << at) << (8 * eighth)
        });
        (8 * whole..numbers)
            .fold(eighths, |bits, number| bits | u64::from(fits(self.get(first + number))) << number)
    }
}

/// Appends numbers of `width` bits and the slack.
pub(crate) fn write_bits(values: impl ExactSizeIterator<Item = u64>, width: u32, out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + (values.len() * width as usize).div_ceil(8) + SLACK, 0);
    let mut bits = Bits { bytes: &mut out[start..], at: 0, word: 0, used: 0, width };
    // As many together as surely fit a word: each waits for those before it.
    match WIDEST / width.max(1) {
        8.. => bits.put_all::<8>(values),
        4.. => bits.put_all::<4>(values),
        2.. => bits.put_all::<2>(values),
        _ => bits.put_all::<1>(values),
    }
}

/// Numbers on their way to bytes, which have to be long enough.
struct Bits<'a> {
    bytes: &'a mut [u8],
    at: usize,
    /// Bits that are not yet a byte, less than eight of them.
    word: u64,
    used: u32,
    width: u32,
}

impl Bits<'_> {
    fn put_all<const N: usize>(&mut self, mut values: impl ExactSizeIterator<Item = u64>) {
        while values.len() >= N {
            let mut shift = 0;
            let joined = (0..N).fold(0, |joined, _| {
                let value = values.next().unwrap_or(0) << shift;
                shift += self.width;
                joined | value
            });
            self.put(joined, shift);
        }
        values.for_each(|value| self.put(value, self.width));
    }

    /// Adds at most [`WIDEST`] bits.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put(&mut self, value: u64, bits: u32) {
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
