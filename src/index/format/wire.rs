//! Little-endian numbers and short texts, for the parts of the format that are read as a whole.

/// Appends to bytes.
#[derive(Debug, Default)]
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    pub(crate) fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }

    pub(crate) fn u64(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    /// Bytes with their length before them.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.u32(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
        self.0.extend(&bytes[..bytes.len().min(u32::MAX as usize)]);
    }
}

/// Takes from bytes; `None` where they end too soon.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*array)
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let len = self.u32()? as usize;
        let (bytes, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(bytes)
    }
}

/// The number at a place of a table of numbers.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn u32_at(bytes: &[u8], index: usize) -> Option<u32> {
    let start = index.checked_mul(4)?;
    bytes.get(start..start.checked_add(4)?)?.try_into().ok().map(u32::from_le_bytes)
}

/// The number at a place of a table of long numbers.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn u64_at(bytes: &[u8], index: usize) -> Option<u64> {
    let start = index.checked_mul(8)?;
    bytes.get(start..start.checked_add(8)?)?.try_into().ok().map(u64::from_le_bytes)
}
