//! Finds the structural bytes of movetext, which can change what a record is: brackets, braces, parentheses, stars,
//! slashes, quotes, the signs of rare results, and the separator of what may be a result (`1-0`, `1 : 0`, but not `1-6`).
//!
//! Sixty-four bytes are classified at once, from four loads that begin one byte apart. Nine bytes of ten in an archive
//! are moves, and a block without a structural byte is passed in a few cycles.

use crate::simd::{BLOCK, Block, Class, Isa};

/// The number of bytes read before the block that is classified.
pub(crate) const LOOK_BEHIND: usize = 2;
/// The number of bytes read after that block.
const LOOK_AHEAD: usize = 1;
/// The length of a block with the bytes read around it.
const WINDOW: usize = LOOK_BEHIND + BLOCK + LOOK_AHEAD;

/// The bytes that are structural wherever they stand. 0xBD is the second byte of `½` in UTF-8 and all of it in Latin-1. A long
/// dash begins with 0xE2 in UTF-8 and is 0x96 in Windows-1252.
const ALWAYS_STRUCTURAL: Class<15> = Class::new(*b"\"%&'()*+/;[{\xBD\x96\xE2");

/// Finds the structural bytes of one input, in order.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct StructuralBytes {
    /// The offset of the current block.
    base: usize,
    /// One bit for every structural byte of that block.
    mask: u64,
}

impl StructuralBytes {
    /// Creates a finder for the bytes from offset `at` on.
    pub(crate) const fn new(at: usize) -> Self {
        Self { base: at.wrapping_sub(BLOCK), mask: 0 }
    }

    /// Returns the offset of the first structural byte at or after offset `at`, or the length of the input. `at`
    /// must not decrease from call to call, and `bytes` must stay the same.
    // Twin: naive; test: structural_bytes_equal_naive_search.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn next<I: Isa>(&mut self, isa: I, bytes: &[u8], at: usize) -> usize {
        let passed = at.wrapping_sub(self.base);
        if passed < BLOCK {
            let remaining = self.mask >> passed;
            if remaining != 0 {
                return at + remaining.trailing_zeros() as usize;
            }
            self.base += BLOCK;
        } else {
            self.base = at;
        }
        loop {
            if self.base >= bytes.len() {
                return bytes.len();
            }
            let window = self.base.checked_sub(LOOK_BEHIND).and_then(|from| bytes.get(from..)?.first_chunk());
            self.mask = match window {
                Some(window) => structural_bytes(isa, window),
                None => structural_bytes(isa, &window_at_edge(bytes, self.base)),
            };
            if self.mask != 0 {
                return self.base + self.mask.trailing_zeros() as usize;
            }
            self.base += BLOCK;
        }
    }
}

/// Returns one bit for every structural byte of the block in the middle of `window`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn structural_bytes<I: Isa>(isa: I, window: &[u8; WINDOW]) -> u64 {
    let load = |n: usize| isa.load(window[n..].first_chunk().expect("a block"));
    let block = load(LOOK_BEHIND);
    let anywhere = block.of(&ALWAYS_STRUCTURAL);
    // A dash or a colon after a single digit from 0 to 2 or a space, before what may be points or the rest of `1- - 1+`.
    let before = load(LOOK_BEHIND - 1);
    let separators = block.among([b'-', b':'])
        & (before.within(b'0', b'2') & !load(LOOK_BEHIND - 2).within(b'0', b'9') | before.among([b' ']))
        & !load(LOOK_BEHIND + 1).within(b'3', 0xFF);
    anywhere | separators
}

/// Returns the window at either end of the input, as if line ends stood around the input.
#[cold]
fn window_at_edge(bytes: &[u8], base: usize) -> [u8; WINDOW] {
    let mut window = [b'\n'; WINDOW];
    let from = base.saturating_sub(LOOK_BEHIND);
    let part = &bytes[from..bytes.len().min(base + BLOCK + LOOK_AHEAD)];
    let skip = LOOK_BEHIND - (base - from);
    window[skip..skip + part.len()].copy_from_slice(part);
    window
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Task, run_on_all};
    use proptest::prelude::*;

    /// Returns the offset of the first structural byte from `at` on, one byte at a time.
    fn naive(bytes: &[u8], at: usize) -> usize {
        let get = |i: Option<usize>| i.and_then(|i| bytes.get(i)).copied().unwrap_or(b'\n');
        let is_score = |b: u8| (b'0'..=b'2').contains(&b);
        let is_structural = |&i: &usize| match bytes[i] {
            b'"' | b'%'..=b'+' | b'/' | b';' | b'[' | b'{' | 0xBD | 0x96 | 0xE2 => true,
            b'-' | b':' => {
                let before = get(i.checked_sub(1));
                let alone = !get(i.checked_sub(2)).is_ascii_digit();
                (is_score(before) && alone || before == b' ') && get(Some(i + 1)) <= b'2'
            }
            _ => false,
        };
        (at..bytes.len()).find(is_structural).unwrap_or(bytes.len())
    }

    #[derive(Clone)]
    struct FindAll<'a> {
        bytes: &'a [u8],
        from: usize,
        stride: usize,
    }

    impl Task for FindAll<'_> {
        type Output = Vec<usize>;

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn run<I: Isa>(self, isa: I) -> Vec<usize> {
            let mut structural = StructuralBytes::new(self.from);
            let mut offsets = Vec::new();
            let mut at = self.from;
            while at < self.bytes.len() {
                at = structural.next(isa, self.bytes, at);
                offsets.push(at);
                at += self.stride;
            }
            offsets
        }
    }

    #[track_caller]
    fn check(bytes: &[u8], from: usize, stride: usize) {
        let mut expected = Vec::new();
        let mut at = from;
        while at < bytes.len() {
            at = naive(bytes, at);
            expected.push(at);
            at += stride;
        }
        for actual in run_on_all(FindAll { bytes, from, stride }) {
            assert_eq!(actual, expected, "{:?}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn moves_have_no_structural_bytes_but_results_have() {
        assert_eq!(naive(b"1. 32-28 19-23 2. 28x19 14x23 3. a3-b4 1-6", 0), 42);
        for structural in [
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
            b"1:0",
            b"1 : 0",
            "1–0".as_bytes(),
            b"0 \x96 1",
        ] {
            assert!(naive(structural, 0) < structural.len());
            check(structural, 0, 1);
        }
    }

    proptest! {
        #[test]
        fn structural_bytes_equal_naive_search(
            text in "([0-9]{1,2}[-:–][0-9]{1,2} |\\{|[a-z ]{1,70}|1-0|1- |1--?1|-|:| |–|[0-9]|\\[|½|.){0,40}",
            (from, stride) in (0usize..70, 1usize..90),
        ) {
            check(text.as_bytes(), from, stride);
        }
    }
}
