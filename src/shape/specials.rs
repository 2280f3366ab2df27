//! The bytes of movetext that can change what a record is: brackets, braces, parentheses, stars, slashes, quotes,
//! signs of odd results, and dashes between two single characters (`1-0`, but also `1-6`).
//!
//! Sixty-four bytes are classified at once, in plain code that every compiler turns into vector instructions:
//! nine bytes of ten in an archive are moves, and a block without a special byte is passed in a few cycles.

/// Bytes classified at once.
const BLOCK: usize = 64;
/// Bytes looked at on both sides of a dash.
const EDGE: usize = 2;

/// Finds special bytes in one input, in order.
#[derive(Debug, Default, Clone, Copy)]
pub struct Specials {
    base: usize,
    mask: u64,
    known: bool,
}

impl Specials {
    /// A finder that has seen nothing.
    pub const fn new() -> Self {
        Self { base: 0, mask: 0, known: false }
    }

    /// Offset of the first special byte at or after `at`, or the length of the input. To be asked with places that
    /// never decrease, for one input.
    #[inline]
    pub fn next(&mut self, bytes: &[u8], at: usize) -> usize {
        let mut base = at;
        if self.known && at < self.base + BLOCK {
            debug_assert!(at >= self.base);
            let left = self.mask & (u64::MAX << (at - self.base));
            if left != 0 {
                return (self.base + left.trailing_zeros() as usize).min(bytes.len());
            }
            base = self.base + BLOCK;
        }
        loop {
            if base >= bytes.len() {
                self.known = false;
                return bytes.len();
            }
            let mask = match base.checked_sub(EDGE).and_then(|from| bytes.get(from..base + BLOCK + EDGE)) {
                Some(window) => classify(window.try_into().expect("as long as asked for")),
                None => classify_edge(bytes, base),
            };
            if mask != 0 {
                *self = Self { base, mask, known: true };
                return (base + mask.trailing_zeros() as usize).min(bytes.len());
            }
            base += BLOCK;
        }
    }
}

/// A bit for every special byte of a block that stands between two edges.
#[inline]
fn classify(window: &[u8; BLOCK + 2 * EDGE]) -> u64 {
    // Three shifted views and a result, all of one length and without a branch: compilers see vectors in that.
    let mut flags = [0u8; BLOCK];
    let before = &window[..BLOCK];
    let block = &window[EDGE..BLOCK + EDGE];
    let after = &window[2 * EDGE..];
    for i in 0..BLOCK {
        flags[i] = special(before[i], block[i], after[i]);
    }
    if flags.iter().fold(0, |any, flag| any | flag) == 0 { 0 } else { gather(&flags) }
}

/// 0xFF if a byte is special, given the ones two before and after it, else 0.
#[inline(always)]
fn special(before: u8, byte: u8, after: u8) -> u8 {
    let all = |condition: bool| u8::from(condition).wrapping_neg();
    // ! " # $ % & ' ( ) * +
    let mark = all(byte.wrapping_sub(b'!') < 11);
    // ; [ {
    let bracket = all((byte | 0x60) == b'{');
    let apart = all(before.wrapping_sub(b'0') >= 10) & all(after.wrapping_sub(b'0') >= 10);
    let dash = all(byte == b'-') & apart;
    // The second byte of a half sign in UTF-8, the only one in Latin-1.
    let half = all(byte == 0xBD);
    mark | bracket | dash | all(byte == b'/') | half
}

/// One bit from each of 64 bytes that are 0 or 0xFF.
#[inline]
fn gather(flags: &[u8; BLOCK]) -> u64 {
    let mut mask = 0;
    for (i, eight) in flags.as_chunks::<8>().0.iter().enumerate() {
        // Moves the lowest bit of byte k to bit 56 + k.
        let lowest = u64::from_le_bytes(*eight) & 0x0101_0101_0101_0101;
        let bits = lowest.wrapping_mul(0x0102_0408_1020_4080) >> 56;
        mask |= bits << (8 * i);
    }
    mask
}

/// The block at either end of the input, as if blanks stood around it.
#[cold]
fn classify_edge(bytes: &[u8], base: usize) -> u64 {
    let mut window = [b' '; BLOCK + 2 * EDGE];
    let from = base.saturating_sub(EDGE);
    let part = &bytes[from..bytes.len().min(base + BLOCK + EDGE)];
    let skip = EDGE - (base - from);
    window[skip..skip + part.len()].copy_from_slice(part);
    classify(&window)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One byte at a time.
    fn naive(bytes: &[u8], at: usize) -> usize {
        let get = |i: Option<usize>| i.and_then(|i| bytes.get(i)).copied().unwrap_or(b' ');
        (at..bytes.len())
            .find(|&i| special(get(i.checked_sub(2)), bytes[i], get(Some(i + 2))) != 0)
            .unwrap_or(bytes.len())
    }

    fn all(bytes: &[u8], next: &mut dyn FnMut(usize) -> usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            at = next(at);
            found.push(at);
            at += 1;
        }
        found
    }

    #[test]
    fn moves_are_not_special_and_results_are() {
        assert_eq!(naive(b"1. 32-28 19-23 2. 28x19 14x23 3. a3-b4", 0), 38);
        for special in
            [&b"1-0"[..], b"1/2", b"x*", b"{", b"[", b";", b"(!)", b"\"", b"\xC2\xBD", b"\xBD", b"1+"]
        {
            assert!(naive(special, 0) < special.len());
        }
    }

    proptest! {
        #[test]
        fn blocks_find_what_single_bytes_find(
            text in "([0-9]{1,2}-[0-9]{1,2} |\\{|[a-z ]{1,70}|1-0|\\[|½|.){0,40}",
        ) {
            let bytes = text.as_bytes();
            let mut specials = Specials::new();
            prop_assert_eq!(
                all(bytes, &mut |at| specials.next(bytes, at)),
                all(bytes, &mut |at| naive(bytes, at))
            );
        }
    }
}
