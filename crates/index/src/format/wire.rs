//! Reads and writes little-endian numbers and length-prefixed bytes, for the parts of the format that are read as a
//! whole.

/// A buffer to which values are appended.
#[derive(Debug, Default)]
pub struct Writer(pub Vec<u8>);

impl Writer {
    /// Appends one byte.
    pub fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    /// Appends four bytes, lowest first.
    pub fn u32(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }

    /// Appends eight bytes, lowest first.
    pub fn u64(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    /// Appends a number in as many bytes as it needs: seven bits in each, lowest first, and the highest bit of all but the
    /// last one set.
    pub fn varint(&mut self, mut value: u128) {
        while value > 0x7f {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// Appends bytes after their length as `u32`. Longer ones are cut to `u32::MAX` bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.u32(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
        self.0.extend(&bytes[..bytes.len().min(u32::MAX as usize)]);
    }
}

/// A cursor over bytes. Every method returns `None` if the remaining bytes are too few.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    /// Takes the next `N` bytes.
    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*array)
    }

    /// Takes one byte.
    pub fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    /// Takes a little-endian `u32`.
    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// Takes a little-endian `u64`.
    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Takes a number that [`Writer::varint`] wrote; `None` also for one of more than 128 bits.
    pub fn varint(&mut self) -> Option<u128> {
        let mut value = 0;
        for shift in (0..u128::BITS).step_by(7) {
            let byte = self.u8()?;
            let bits = u128::from(byte & 0x7f);
            value |= bits.checked_shl(shift).filter(|shifted| shifted >> shift == bits)?;
            if byte <= 0x7f {
                return Some(value);
            }
        }
        None
    }

    /// Takes a `u32` length and that many bytes.
    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let len = self.u32()? as usize;
        let (bytes, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(bytes)
    }
}

/// Returns entry `index` (from 0) of a table of `u32`, or `None` beyond its end.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn u32_at(bytes: &[u8], index: usize) -> Option<u32> {
    let start = index.checked_mul(4)?;
    bytes.get(start..start.checked_add(4)?)?.try_into().ok().map(u32::from_le_bytes)
}

/// Returns entry `index` (from 0) of a table of `u64`, or `None` beyond its end.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn u64_at(bytes: &[u8], index: usize) -> Option<u64> {
    let start = index.checked_mul(8)?;
    bytes.get(start..start.checked_add(8)?)?.try_into().ok().map(u64::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn varint_survives_encoding(value in any::<u128>(), shift in 0u32..128, more: u8) {
            let value = value >> shift;
            let mut out = Writer::default();
            out.varint(value);
            let len = out.0.len();
            out.u8(more);
            let mut reader = Reader(&out.0);
            prop_assert_eq!(reader.varint(), Some(value));
            prop_assert_eq!(reader.0, &[more]);
            prop_assert_eq!(Reader(&out.0[..len - 1]).varint(), None);
        }
    }

    #[test]
    fn varint_of_too_many_bits_is_refused() {
        assert_eq!(Reader(&[0xff; 30]).varint(), None);
        let mut largest = [0xff; 19];
        largest[18] = 3;
        assert_eq!(Reader(&largest).varint(), Some(u128::MAX));
        largest[18] = 4;
        assert_eq!(Reader(&largest).varint(), None);
    }
}
