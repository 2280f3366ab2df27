//! Finds the tag that starts the next record right after a result, from the bit masks of one 64-byte block.

use crate::simd::{BLOCK, Block, Isa};

/// Returns the offset of the tag that follows a result, or what looks like a result, whose structural byte stands at
/// offset `at`. A tag at `at` itself is found too.
///
/// Only whitespace may stand between the result and the tag, and the tag must be regular and begin a line. Returns
/// `None` otherwise, and if the tag does not follow within 64 bytes.
///
/// It does not matter whether the text really is a result: the record ends before the tag in both cases. Digits,
/// dashes, colons, slashes and a single star cannot end a record in any other way; before a dot there may be the number of
/// a first move.
// Twin: naive, byte by byte; test: tag_after_result_equals_naive_scan.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn tag_after_result<I: Isa>(isa: I, bytes: &[u8], at: usize) -> Option<usize> {
    let block: &[u8; BLOCK] = bytes.get(at..)?.first_chunk()?;
    let vector = isa.load(block);
    let score = if block[0] == b'*' { 1 } else { vector.within(b'-', b':') & !vector.among([b'.']) };
    let whitespace = vector.within(0, b' ');
    // The top bit is set so that a result that extends beyond the block ends with it.
    let not_score = !score | 1 << 63;
    let score_end = not_score & not_score.wrapping_neg();
    let rest = !whitespace & score_end.wrapping_neg();
    let len = rest.trailing_zeros() as usize;
    if len == BLOCK {
        return None;
    }
    let end = at + len;
    let tag: &[u8; BLOCK] = bytes.get(end..)?.first_chunk()?;
    if tag[0] != b'[' || bytes[end.checked_sub(1)?] != b'\n' {
        return None;
    }
    let letters = isa.load(tag).with_bits(0x20).within(b'a', b'z');
    let name = (!(letters >> 1)).trailing_zeros() as usize;
    (name > 0 && tag.get(name + 1..name + 3) == Some(b" \"")).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Task, run_on_all};
    use proptest::prelude::*;

    #[derive(Clone)]
    struct FindTag<'a>(&'a [u8], usize);

    impl Task for FindTag<'_> {
        type Output = Option<usize>;

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn run<I: Isa>(self, isa: I) -> Option<usize> {
            tag_after_result(isa, self.0, self.1)
        }
    }

    /// Does what [`tag_after_result`] does, byte by byte.
    fn naive(bytes: &[u8], at: usize) -> Option<usize> {
        let block = bytes.get(at..at + BLOCK)?;
        let belongs_to_score = |(n, byte): &(usize, &u8)| match block[0] {
            b'*' => *n == 0,
            _ => (b'-'..=b':').contains(byte) && **byte != b'.',
        };
        let score = block.iter().enumerate().take_while(belongs_to_score).count();
        let whitespace = block[score..].iter().take_while(|&&byte| byte <= b' ').count();
        let end = at + score + whitespace;
        let tag = bytes.get(end..end + BLOCK)?;
        let name = tag[1..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let begins_line = bytes[..end].last() == Some(&b'\n');
        let is_regular = tag[0] == b'[' && name > 0 && tag[1 + name..].starts_with(b" \"");
        (score + whitespace < BLOCK && begins_line && is_regular).then_some(end)
    }

    proptest! {
        #[test]
        fn tag_after_result_equals_naive_scan(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "0", "-", ":", "2", "*", "1/2-1/2", ".", " ", "\n", "\n", "\r\n", "\t", "\n[Event \"", "[A \"x\"]",
                    "[", "[ \"", "[Event  \"", "x", "\u{a0}", "{", "\n\n\n\n\n\n\n\n", "1111111111111111",
                ]),
                0..24,
            ),
            padding in 0..2 * BLOCK,
        ) {
            let bytes = [parts.concat().as_bytes(), &vec![b'z'; padding]].concat();
            for at in 0..bytes.len() {
                let expected = naive(&bytes, at);
                for actual in run_on_all(FindTag(&bytes, at)) {
                    prop_assert_eq!(actual, expected, "at {}", at);
                }
            }
        }
    }

    #[test]
    fn tag_after_result_skips_whitespace_only() {
        let check = |text: &str, is_found: bool| {
            let bytes = [b"0", text.as_bytes(), b"[Event \"x\"]\n", &[b' '; 2 * BLOCK]].concat();
            let expected = is_found.then_some(1 + text.len());
            for actual in run_on_all(FindTag(&bytes, 1)) {
                assert_eq!(actual, expected, "{text:?}");
            }
        };
        for text in ["-2\n\n", "/2-1/2\n", "*\n", "-1 \t\r\n", &["-0", &"\n".repeat(60)].concat()] {
            check(text, true);
        }
        for text in [
            "-2 ",
            "*3-4\n",
            "* 3-4\n",
            "-2 *\n",
            "-2\n{x}\n",
            "-2\nx",
            "-2\n ",
            "-2\n\u{a0}\n",
            "-0.\n",
            "",
            "**\n",
        ] {
            check(text, false);
        }
        check(&["-0", &"\n".repeat(61)].concat(), true);
        check(&["-0", &"\n".repeat(62)].concat(), false);
        for tag in ["[%clk]", "[Event  \"x\"]", "[Event \"", "[ \"x\"]"] {
            let bytes = [b"0-2\n", tag.as_bytes(), &[b' '; 2 * BLOCK]].concat();
            let is_regular = tag == "[Event \"";
            assert!(run_on_all(FindTag(&bytes, 1)).iter().all(|end| end.is_some() == is_regular), "{tag}");
        }
    }
}
