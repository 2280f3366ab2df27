//! End offsets of consecutive items, delta coded in blocks of 32.
//!
//! The section is `width 0 0 0 | u32 count | u64 base of each block | bits`. End `i` is the base of its block plus
//! the number of `width` bits at `i`.

use std::ops::Range;

use super::packed_bits::{PackedBits, width_of, write_bits};
use super::wire::{Reader, Writer, u32_at, u64_at};
use crate::files::FilePart;

/// Offsets in a block. Games that share a checksum of moves form blocks of this size, too.
pub(crate) const BLOCK: usize = 32;

/// Bytes before the bases.
const HEADER_LEN: u64 = 8;

/// The end offsets of items that follow each other without gaps: item `i` starts where the item before it ends, item
/// 0 at 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndOffsets<'a> {
    len: usize,
    /// Empty if the bases are read from `bases_part`.
    bases: &'a [u8],
    bases_part: Option<FilePart<'a>>,
    packed: PackedBits<'a>,
}

impl<'a> EndOffsets<'a> {
    /// Reads the end offsets of `len` items; `None` if the bytes are malformed or hold another count.
    pub(crate) fn new(bytes: &'a [u8], len: usize) -> Option<Self> {
        let mut reader = Reader(bytes);
        let [width, _, _, _] = reader.array()?;
        if reader.u32()? as usize != len {
            return None;
        }
        let (bases, bits) = reader.0.split_at_checked(len.div_ceil(BLOCK).checked_mul(8)?)?;
        Some(Self { len, bases, bases_part: None, packed: PackedBits::new(bits, width, len)? })
    }

    /// Reads the end offsets of `len` items, or as many as are declared, of a file that is read by ranges: each end when it is asked for.
    pub(crate) fn in_file(part: FilePart<'a>, len: Option<usize>) -> Option<Self> {
        let mut reader = Reader(part.get(0..HEADER_LEN)?);
        let [width, _, _, _] = reader.array()?;
        let count = reader.u32()? as usize;
        if len.is_some_and(|len| len != count) {
            return None;
        }
        let bases = part.after(HEADER_LEN)?;
        let bits = bases.after(count.div_ceil(BLOCK) as u64 * 8)?;
        Some(Self {
            len: count,
            bases: &[],
            bases_part: Some(bases),
            packed: PackedBits::in_file(bits, width, count)?,
        })
    }

    /// Returns the offset at which a block starts.
    #[inline]
    fn base(&self, block: usize) -> Option<u64> {
        u64_at(self.bases, block).or_else(|| self.base_in_file(block))
    }

    /// Returns the offset at which a block starts, from the file.
    #[cold]
    fn base_in_file(&self, block: usize) -> Option<u64> {
        let at = block as u64 * 8;
        self.bases_part
            .filter(|_| block < self.len.div_ceil(BLOCK))?
            .get(at..at + 8)
            .and_then(|base| u64_at(base, 0))
    }

    /// Reads as many end offsets as the bytes declare; `None` if the bytes are malformed.
    pub(crate) fn with_stored_count(bytes: &'a [u8]) -> Option<Self> {
        Self::new(bytes, Reader(bytes.get(4..)?).u32()? as usize)
    }

    /// Returns the range of item `index`; `None` for an index out of bounds and for decreasing offsets.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<Range<u64>> {
        let start = match index.checked_sub(1) {
            Some(before) => self.end(before)?,
            None => 0,
        };
        let end = self.end(index)?;
        (start <= end).then_some(start..end)
    }

    /// Returns the end of item `index`.
    #[inline]
    pub(crate) fn end(&self, index: usize) -> Option<u64> {
        let base = self.base(index / BLOCK)?;
        (index < self.len).then(|| base.wrapping_add(self.packed.get(index)))
    }

    /// Adds where the ends of item `index` and of the one before are in their file, if they are read from there.
    pub(crate) fn expect(&self, index: usize, parts: &mut Vec<FilePart<'a>>) {
        self.expect_end(index.saturating_sub(1), parts);
        self.expect_end(index, parts);
    }

    /// Adds where the ends of the items of a block are in their file, as [`expect`](Self::expect) does.
    pub(crate) fn expect_block(&self, block: usize, parts: &mut Vec<FilePart<'a>>) {
        self.expect_end(block * BLOCK, parts);
        self.expect_end((block * BLOCK + BLOCK - 1).min(self.len.saturating_sub(1)), parts);
    }

    fn expect_end(&self, index: usize, parts: &mut Vec<FilePart<'a>>) {
        let base = (index / BLOCK) as u64 * 8;
        parts.extend(self.bases_part.map(|part| part.within(base..base + 8)));
        self.packed.expect(index, parts);
    }

    /// Adds where the length of all items together is in a file whose first bytes have been read.
    pub(crate) fn expect_total(part: FilePart<'a>, parts: &mut Vec<FilePart<'a>>) {
        let Some(count) = part.get(4..HEADER_LEN).and_then(|count| u32_at(count, 0)) else { return };
        let last = HEADER_LEN + u64::from(count.saturating_sub(1)) / BLOCK as u64 * 8;
        parts.extend([part.within(last..last + 8), part.within(part.len().saturating_sub(16)..part.len())]);
    }

    /// Returns the end of item `index` relative to the start of its block, or 0 for an index out of bounds.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn end_in_block(&self, index: usize) -> u64 {
        if index < self.len { self.packed.get(index) } else { 0 }
    }

    /// Returns the range of all items of a block, counted from 0.
    pub(crate) fn block_range(&self, block: usize) -> Option<Range<u64>> {
        let start = self.base(block)?;
        let last = (block * BLOCK + BLOCK).min(self.len).checked_sub(1)?;
        Some(start..self.end(last)?)
    }

    /// Returns the end of the last item: the length of all items together. 0 if there is none.
    pub(crate) fn total(&self) -> u64 {
        self.len.checked_sub(1).and_then(|last| self.end(last)).unwrap_or(0)
    }

    /// Returns the number of items.
    pub(crate) fn len(&self) -> usize {
        self.len
    }
}

/// Encodes the end offsets of items with these lengths.
pub(crate) fn write_end_offsets(lengths: &[u32]) -> Vec<u8> {
    let mut end = 0;
    let mut bases = Vec::with_capacity(lengths.len().div_ceil(BLOCK));
    let mut max_end = 0;
    for block in lengths.chunks(BLOCK) {
        bases.push(end);
        let block_len: u64 = block.iter().map(|&length| u64::from(length)).sum();
        max_end = max_end.max(block_len);
        end += block_len;
    }
    let width = width_of(max_end);
    let mut out = Writer::default();
    out.0.extend([width as u8, 0, 0, 0]);
    out.u32(lengths.len() as u32);
    bases.iter().for_each(|&base| out.u64(base));
    let mut end_in_block = 0;
    let differences = lengths.iter().enumerate().map(|(i, &length)| {
        end_in_block = if i % BLOCK == 0 { 0 } else { end_in_block } + u64::from(length);
        end_in_block
    });
    write_bits(differences, width, &mut out.0);
    out.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn end_offsets_return_their_ranges(lengths in prop::collection::vec(prop_oneof![0u32..2000, any::<u32>()], 0..200)) {
            let bytes = write_end_offsets(&lengths);
            let ends = EndOffsets::new(&bytes, lengths.len()).expect("as written");
            let mut start = 0;
            for (i, &length) in lengths.iter().enumerate() {
                prop_assert_eq!(ends.get(i), Some(start..start + u64::from(length)));
                start += u64::from(length);
            }
            prop_assert_eq!(ends.total(), start);
            prop_assert_eq!(ends.get(lengths.len()), None);
        }

        #[test]
        fn end_offsets_never_panic_on_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..80), len in 0usize..100) {
            if let Some(ends) = EndOffsets::new(&bytes, len) {
                (0..len).for_each(|i| assert!(ends.get(i).is_none_or(|range| range.start <= range.end)));
            }
        }
    }
}
