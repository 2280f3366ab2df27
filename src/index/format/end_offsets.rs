//! END OFFSETS

use super::packed_bits::{Packed, width_of, write_bits};
use super::wire::{Reader, Writer, u64_at};

/// Ends in a block.
pub(crate) const BLOCK: usize = 32;

/// Where consecutive things end, or start: number `i` starts where the one before ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends<'a> {
    len: usize,
    bases: &'a [u8],
    packed: Packed<'a>,
}

impl<'a> Ends<'a> {
    /// The ends of `len` things; `None` if the bytes are not that.
    pub(crate) fn new(bytes: &'a [u8], len: usize) -> Option<Self> {
        let mut reader = Reader(bytes);
        let [width, _, _, _] = reader.array()?;
        if reader.u32()? as usize != len {
            return None;
        }
        let (bases, bits) = reader.0.split_at_checked(len.div_ceil(BLOCK).checked_mul(8)?)?;
        Some(Self { len, bases, packed: Packed::new(bits, width, len)? })
    }

    /// As [`new`](Self::new), as many as the bytes say.
    pub(crate) fn counted(bytes: &'a [u8]) -> Option<Self> {
        Self::new(bytes, Reader(bytes.get(4..)?).u32()? as usize)
    }

    /// Where number `index` lies.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<std::ops::Range<u64>> {
        let start = match index.checked_sub(1) {
            Some(before) => self.end(before)?,
            None => 0,
        };
        let end = self.end(index)?;
        (start <= end).then_some(start..end)
    }

    /// Where number `index` ends.
    #[inline]
    pub(crate) fn end(&self, index: usize) -> Option<u64> {
        let base = u64_at(self.bases, index / BLOCK)?;
        (index < self.len).then(|| base.wrapping_add(self.packed.get(index)))
    }

    /// Where number `index` ends, counted from the start of its block.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn in_block(&self, index: usize) -> u64 {
        if index < self.len { self.packed.get(index) } else { 0 }
    }

    /// Where a block lies.
    pub(crate) fn block(&self, block: usize) -> Option<std::ops::Range<u64>> {
        let start = u64_at(self.bases, block)?;
        let last = (block * BLOCK + BLOCK).min(self.len).checked_sub(1)?;
        Some(start..self.end(last)?)
    }

    /// Where the last one ends.
    pub(crate) fn last(&self) -> u64 {
        self.len.checked_sub(1).and_then(|last| self.end(last)).unwrap_or(0)
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }
}

/// The bytes of the ends of things that are so long.
pub(crate) fn write_ends(lengths: &[u32]) -> Vec<u8> {
    let mut end = 0;
    let mut bases = Vec::with_capacity(lengths.len().div_ceil(BLOCK));
    let mut greatest = 0;
    for block in lengths.chunks(BLOCK) {
        bases.push(end);
        let long: u64 = block.iter().map(|&length| u64::from(length)).sum();
        greatest = greatest.max(long);
        end += long;
    }
    let width = width_of(greatest);
    let mut out = Writer::default();
    out.0.extend([width as u8, 0, 0, 0]);
    out.u32(lengths.len() as u32);
    bases.iter().for_each(|&base| out.u64(base));
    let mut sum = 0;
    let differences = lengths.iter().enumerate().map(|(i, &length)| {
        sum = if i % BLOCK == 0 { 0 } else { sum } + u64::from(length);
        sum
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
        fn any_ends_come_back(lengths in prop::collection::vec(prop_oneof![0u32..2000, any::<u32>()], 0..200)) {
            let bytes = write_ends(&lengths);
            let ends = Ends::new(&bytes, lengths.len()).expect("as written");
            let mut start = 0;
            for (i, &length) in lengths.iter().enumerate() {
                prop_assert_eq!(ends.get(i), Some(start..start + u64::from(length)));
                start += u64::from(length);
            }
            prop_assert_eq!(ends.last(), start);
            prop_assert_eq!(ends.get(lengths.len()), None);
        }

        #[test]
        fn any_bytes_are_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..80), len in 0usize..100) {
            if let Some(ends) = Ends::new(&bytes, len) {
                (0..len).for_each(|i| assert!(ends.get(i).is_none_or(|range| range.start <= range.end)));
            }
        }
    }
}
