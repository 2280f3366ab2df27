//! The bytes of movetext that can change what a record is: brackets, braces, parentheses, stars, slashes, quotes,
//! signs of odd results, and the dash of what may be a result (`1-0`, but not `1-6`).
//!
//! Sixty-four bytes are told apart at once, from four loads that begin a byte apart: nine bytes of ten in an
//! archive are moves, and a block without a special byte is passed in a few cycles.

use crate::simd::{BLOCK, Block, Class, Isa};

/// Bytes looked at before the one that is told apart, and behind it.
pub(crate) const BEFORE: usize = 2;
const BEHIND: usize = 1;
/// A block and what is looked at around it.
const WINDOW: usize = BEFORE + BLOCK + BEHIND;

/// 0xBD is the second byte of a half sign in UTF-8, the only one in Latin-1.
const MARKS: Class<13> = Class::new(*b"\"%&'()*+/;[{\xBD");

/// Finds special bytes in one input, in order.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct StructuralBytes {
    /// Offset of the first byte told apart.
    base: usize,
    /// A bit for every special byte from there on.
    mask: u64,
}

impl StructuralBytes {
    /// A finder for the bytes from `at` on that has seen nothing.
    pub(crate) const fn new(at: usize) -> Self {
        Self { base: at.wrapping_sub(BLOCK), mask: 0 }
    }

    /// Offset of the first special byte at or after `at`, or the length of the input. To be asked with places that
    /// never decrease, for one input.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn next<I: Isa>(&mut self, isa: I, bytes: &[u8], at: usize) -> usize {
        let passed = at.wrapping_sub(self.base);
        if passed < BLOCK {
            let left = self.mask >> passed;
            if left != 0 {
                return at + left.trailing_zeros() as usize;
            }
            self.base += BLOCK;
        } else {
            self.base = at;
        }
        loop {
            if self.base >= bytes.len() {
                return bytes.len();
            }
            let window = self.base.checked_sub(BEFORE).and_then(|from| bytes.get(from..)?.first_chunk());
            self.mask = match window {
                Some(window) => special_bytes(isa, window),
                None => special_bytes(isa, &edge(bytes, self.base)),
            };
            if self.mask != 0 {
                return self.base + self.mask.trailing_zeros() as usize;
            }
            self.base += BLOCK;
        }
    }
}

/// A bit for every special byte of the block in the middle of `window`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn special_bytes<I: Isa>(isa: I, window: &[u8; WINDOW]) -> u64 {
    let load = |n: usize| isa.load(window[n..].first_chunk().expect("a block"));
    let block = load(BEFORE);
    let marks = block.of(&MARKS);
    // A dash with a lone score before it, and behind it what may be one, or begin `- 1+`.
    let dashes = block.among([b'-'])
        & load(BEFORE - 1).within(b'0', b'2')
        & !load(BEFORE - 2).within(b'0', b'9')
        & !load(BEFORE + 1).within(b'3', 0xFF);
    marks | dashes
}

/// The window at either end of the input, as if blanks stood around it.
#[cold]
fn edge(bytes: &[u8], base: usize) -> [u8; WINDOW] {
    let mut window = [b'\n'; WINDOW];
    let from = base.saturating_sub(BEFORE);
    let part = &bytes[from..bytes.len().min(base + BLOCK + BEHIND)];
    let skip = BEFORE - (base - from);
    window[skip..skip + part.len()].copy_from_slice(part);
    window
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Task, run_on_all};
    use proptest::prelude::*;

    /// One byte at a time.
    fn naive(bytes: &[u8], at: usize) -> usize {
        let get = |i: Option<usize>| i.and_then(|i| bytes.get(i)).copied().unwrap_or(b'\n');
        let score = |b: u8| (b'0'..=b'2').contains(&b);
        let special = |&i: &usize| match bytes[i] {
            b'"' | b'%'..=b'+' | b'/' | b';' | b'[' | b'{' | 0xBD => true,
            b'-' => {
                let behind = get(Some(i + 1));
                let alone = !get(i.checked_sub(2)).is_ascii_digit();
                score(get(i.checked_sub(1))) && alone && behind <= b'2'
            }
            _ => false,
        };
        (at..bytes.len()).find(special).unwrap_or(bytes.len())
    }

    #[derive(Clone)]
    struct All<'a> {
        bytes: &'a [u8],
        from: usize,
        stride: usize,
    }

    impl Task for All<'_> {
        type Output = Vec<usize>;

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn run<I: Isa>(self, isa: I) -> Vec<usize> {
            let mut specials = StructuralBytes::new(self.from);
            let mut found = Vec::new();
            let mut at = self.from;
            while at < self.bytes.len() {
                at = specials.next(isa, self.bytes, at);
                found.push(at);
                at += self.stride;
            }
            found
        }
    }

    fn check(bytes: &[u8], from: usize, stride: usize) {
        let mut expected = Vec::new();
        let mut at = from;
        while at < bytes.len() {
            at = naive(bytes, at);
            expected.push(at);
            at += stride;
        }
        for found in run_on_all(All { bytes, from, stride }) {
            assert_eq!(found, expected, "{:?}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn moves_are_not_special_and_results_are() {
        assert_eq!(naive(b"1. 32-28 19-23 2. 28x19 14x23 3. a3-b4 1-6", 0), 42);
        for special in [
            &b"1-0"[..],
            b"1/2",
            b"x*",
            b"{",
            b"[",
            b";",
            b"(!)",
            b"\"",
            b"\xC2\xBD",
            b"\xBD",
            b"1+",
            b"1- - 1+",
            b"1--1+",
        ] {
            assert!(naive(special, 0) < special.len());
            check(special, 0, 1);
        }
    }

    proptest! {
        #[test]
        fn blocks_find_what_single_bytes_find(
            text in "([0-9]{1,2}-[0-9]{1,2} |\\{|[a-z ]{1,70}|1-0|1- |1--?1|-|[0-9]|\\[|½|.){0,40}",
            (from, stride) in (0usize..70, 1usize..90),
        ) {
            check(text.as_bytes(), from, stride);
        }
    }
}
