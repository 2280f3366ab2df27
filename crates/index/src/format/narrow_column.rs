//! Columns of numbers in memory, while a segment is written: each number takes 0, 1, 2 or 4 bytes, as the largest of its chunk needs.

use std::iter;

/// A column of numbers to which chunks are appended, and which is read as a whole.
///
/// Most numbers of games are small, so a segment that is written takes less memory and fewer new pages than one with four bytes for
/// each. Appending costs less than a nanosecond per number.
#[derive(Debug, Default)]
pub(crate) struct NarrowColumn {
    /// The numbers of all chunks, lowest bytes first.
    bytes: Vec<u8>,
    /// The count of numbers in each chunk, and the bytes that each number takes: 0 if all are 0. Neighbouring chunks differ in
    /// these bytes.
    chunks: Vec<(usize, usize)>,
    len: usize,
}

impl NarrowColumn {
    /// Returns how many numbers it has.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Appends numbers.
    pub(crate) fn extend(&mut self, values: &[u32]) {
        let width = match values.iter().fold(0, |bits, value| bits | value) {
            0 => 0,
            1..0x100 => 1,
            0x100..0x1_0000 => 2,
            _ => 4,
        };
        match width {
            0 => {}
            1 => self.bytes.extend(values.iter().map(|&value| value as u8)),
            2 => self.extend_bytes(values, |value| (value as u16).to_le_bytes()),
            _ => self.extend_bytes(values, u32::to_le_bytes),
        }
        match self.chunks.last_mut() {
            Some((count, last)) if *last == width => *count += values.len(),
            _ => self.chunks.push((values.len(), width)),
        }
        self.len += values.len();
    }

    fn extend_bytes<const N: usize>(&mut self, values: &[u32], bytes_of: impl Fn(u32) -> [u8; N]) {
        let end = self.bytes.len();
        self.bytes.resize(end + N * values.len(), 0);
        for (bytes, &value) in self.bytes[end..].chunks_exact_mut(N).zip(values) {
            bytes.copy_from_slice(&bytes_of(value));
        }
    }

    /// Stores all numbers in `values`, in place of what is there.
    pub(crate) fn read(&self, values: &mut Vec<u32>) {
        values.clear();
        values.reserve(self.len);
        let mut rest = &self.bytes[..];
        for &(count, width) in &self.chunks {
            let (bytes, later) = rest.split_at(count * width);
            rest = later;
            match width {
                0 => values.extend(iter::repeat_n(0, count)),
                1 => values.extend(bytes.iter().map(|&byte| u32::from(byte))),
                2 => values
                    .extend(bytes.as_chunks().0.iter().map(|&bytes| u32::from(u16::from_le_bytes(bytes)))),
                _ => values.extend(bytes.as_chunks().0.iter().map(|&bytes| u32::from_le_bytes(bytes))),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn narrow_columns_return_their_numbers(
            chunks in prop::collection::vec((0u32..4, prop::collection::vec(any::<u32>(), 0..40)), 0..20),
        ) {
            let (mut column, mut expected) = (NarrowColumn::default(), Vec::new());
            for (bytes, mut values) in chunks {
                let largest = u32::MAX.checked_shr(32 - 8 * bytes - u32::from(bytes == 3) * 8).unwrap_or(0);
                values.iter_mut().for_each(|value| *value &= largest);
                column.extend(&values);
                expected.extend(values);
            }
            let mut values = vec![7; 3];
            column.read(&mut values);
            prop_assert_eq!(column.len(), values.len());
            prop_assert_eq!(values, expected);
        }
    }

    #[test]
    fn small_numbers_take_one_byte() {
        let mut column = NarrowColumn::default();
        for values in [[0, 0], [0, 255], [3, 1], [256, 0], [65_536, 65_535]] {
            column.extend(&values);
        }
        assert_eq!((column.bytes.len(), column.chunks.len(), column.len()), (4 + 4 + 8, 4, 10));
    }
}
