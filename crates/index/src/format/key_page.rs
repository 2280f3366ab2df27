//! Pages of key tables: up to 4096 ascending numbers in blocks of 64, delta coded. Each block uses as many bits per
//! difference as its largest needs.
//!
//! ```text
//! u64 first number of each block | u8 width of each block | for each block its differences, padded to a byte | 8 zeros
//! ```

use super::wire::u64_at;

/// Numbers in a block.
pub(crate) const BLOCK: usize = 64;

/// Numbers in a page. The last page of a table may have fewer.
pub(crate) const PAGE: usize = 64 * BLOCK;

/// Zero bytes after the differences, so that each is read with one load of eight bytes.
const SLACK: usize = 8;

/// Appends a page of ascending numbers below 2^56.
pub(crate) fn write(numbers: &[u64], out: &mut Vec<u8>) {
    let blocks = || numbers.chunks(BLOCK);
    let differences = |block: &[u64]| -> Vec<u64> { block.windows(2).map(|two| two[1] - two[0]).collect() };
    for block in blocks() {
        out.extend(block[0].to_le_bytes());
    }
    out.extend(blocks().map(|block| width(block) as u8));
    for block in blocks() {
        let width = width(block);
        let (mut word, mut used) = (0u128, 0);
        for difference in differences(block) {
            word |= u128::from(difference) << used;
            used += width;
            while used >= 64 {
                out.extend((word as u64).to_le_bytes());
                word >>= 64;
                used -= 64;
            }
        }
        out.extend(&(word as u64).to_le_bytes()[..used.div_ceil(8) as usize]);
    }
    out.extend([0; SLACK]);
}

/// Returns how many bits the largest difference in a block takes.
fn width(block: &[u64]) -> u32 {
    let all = block.windows(2).fold(0, |all, two| all | (two[1] - two[0]));
    u64::BITS - all.leading_zeros()
}

/// A page that is read in place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Page<'a> {
    firsts: &'a [u8],
    widths: &'a [u8],
    bits: &'a [u8],
    numbers: usize,
}

impl<'a> Page<'a> {
    /// Reads a page of `numbers` numbers; `None` if the bytes are malformed.
    pub(crate) fn new(bytes: &'a [u8], numbers: usize) -> Option<Self> {
        let blocks = numbers.div_ceil(BLOCK);
        let (firsts, rest) = bytes.split_at_checked(8 * blocks)?;
        let (widths, bits) = rest.split_at_checked(blocks)?;
        let page = Self { firsts, widths, bits, numbers };
        let len: usize = (0..blocks).map(|block| page.len_of(block)).sum();
        (numbers > 0 && widths.iter().all(|&width| width <= 56) && bits.len() == len + SLACK).then_some(page)
    }

    /// Returns how many numbers a block has.
    fn in_block(&self, block: usize) -> usize {
        (self.numbers - block * BLOCK).min(BLOCK)
    }

    /// Returns the length in bytes of the differences of a block.
    fn len_of(&self, block: usize) -> usize {
        ((self.in_block(block) - 1) * usize::from(self.widths[block])).div_ceil(8)
    }

    /// Iterates over the first numbers of all blocks.
    pub(crate) fn firsts(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.widths.len()).map(|block| self.first(block))
    }

    /// Returns the first number of a block.
    fn first(&self, block: usize) -> u64 {
        u64_at(self.firsts, block).unwrap_or(u64::MAX)
    }

    /// Calls `emit` for the numbers in `low..high`, in ascending order. Besides the blocks that contain them it
    /// decodes only the block in which `low` would stand.
    pub(crate) fn range(&self, low: u64, high: u64, mut emit: impl FnMut(u64)) {
        let blocks = self.widths.len();
        let (mut from, mut to) = (0, blocks);
        while from < to {
            let middle = usize::midpoint(from, to);
            if self.first(middle) <= low { from = middle + 1 } else { to = middle }
        }
        let start = from.saturating_sub(1);
        let mut offset: usize = (0..start).map(|block| self.len_of(block)).sum();
        for block in start..blocks {
            let mut number = self.first(block);
            let width = usize::from(self.widths[block]);
            let mask = (1u64 << width) - 1;
            for index in 0..self.in_block(block) {
                if number >= high {
                    return;
                }
                if number >= low {
                    emit(number);
                }
                let bit = index * width;
                let word = self.bits.get(offset + bit / 8..).and_then(|rest| rest.first_chunk());
                number =
                    number.wrapping_add(word.map_or(0, |word| u64::from_le_bytes(*word)) >> (bit % 8) & mask);
            }
            offset += self.len_of(block);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pages_return_their_ranges(
            mut numbers in prop::collection::btree_set(prop_oneof![0u64..300, 0u64..1 << 20, 0u64..1 << 56], 1..400),
            ranges in prop::collection::vec((0u64..1 << 21, 0u64..1 << 21), 20),
        ) {
            numbers.insert((1 << 56) - 1);
            let numbers: Vec<u64> = numbers.into_iter().collect();
            let mut bytes = Vec::new();
            write(&numbers, &mut bytes);
            let page = Page::new(&bytes, numbers.len()).expect("as written");
            let between_numbers = numbers.windows(3).step_by(7).map(|three| (three[0], three[2]));
            for (low, high) in ranges.into_iter().chain([(0, u64::MAX)]).chain(between_numbers) {
                let mut found = Vec::new();
                page.range(low, high, |number| found.push(number));
                let expected: Vec<u64> = numbers.iter().copied().filter(|n| (low..high).contains(n)).collect();
                prop_assert_eq!(found, expected);
            }
            for cut in [0, 8, bytes.len() / 2, bytes.len() - 1] {
                prop_assert!(Page::new(&bytes[..cut], numbers.len()).is_none());
            }
        }

        #[test]
        fn pages_never_panic_on_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300), numbers in 0usize..200) {
            if let Some(page) = Page::new(&bytes, numbers) {
                page.range(0, u64::MAX, drop);
                page.range(1 << 30, 1 << 60, drop);
            }
        }
    }
}
