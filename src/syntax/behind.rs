//! What stands between the last moves of a record and the next one, told from the masks of one block.

use crate::simd::{BLOCK, Block, Isa};

/// Offset of the tag behind the result, or what looks like one, whose telling byte stands at `at`, if nothing but
/// blanks stand between and the tag is plain and begins a line. A tag that stands at `at` itself is one, too.
///
/// Whether it is a result does not matter: the record ends before this tag if it is, and if it is not. Digits,
/// dashes, dots and slashes can make no other end of a record, nor can a star alone.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn tag_after_result<I: Isa>(isa: I, bytes: &[u8], at: usize) -> Option<usize> {
    let block: &[u8; BLOCK] = bytes.get(at..)?.first_chunk()?;
    let vector = isa.load(block);
    let score = if block[0] == b'*' { 1 } else { vector.within(b'-', b'9') };
    let blanks = vector.within(0, b' ');
    // With the top bit set, what does not end in the block ends with it.
    let behind_score = !score | 1 << 63;
    let from_there = behind_score & behind_score.wrapping_neg();
    let rest = !blanks & from_there.wrapping_neg();
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

    #[derive(Clone)]
    struct Behind<'a>(&'a [u8]);

    impl Task for Behind<'_> {
        type Output = Option<usize>;

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn run<I: Isa>(self, isa: I) -> Option<usize> {
            tag_after_result(isa, self.0, 1)
        }
    }

    #[test]
    fn only_blanks_stand_between_a_result_and_the_next_tag() {
        let check = |text: &str, plain: bool| {
            let bytes = [b"0", text.as_bytes(), b"[Event \"x\"]\n", &[b' '; 2 * BLOCK]].concat();
            let expected = plain.then_some(1 + text.len());
            for found in run_on_all(Behind(&bytes)) {
                assert_eq!(found, expected, "{text:?}");
            }
        };
        for plain in ["-2\n\n", "/2-1/2\n", "*\n", "-1 \t\r\n", "-0.\n\n", &["-0", &"\n".repeat(60)].concat()]
        {
            check(plain, true);
        }
        for other in
            ["-2 ", "*3-4\n", "* 3-4\n", "-2 *\n", "-2\n{x}\n", "-2\nx", "-2\n ", "-2\n\u{a0}\n", "", "**\n"]
        {
            check(other, false);
        }
        check(&["-0", &"\n".repeat(61)].concat(), true);
        check(&["-0", &"\n".repeat(62)].concat(), false);
        for tag in ["[%clk]", "[Event  \"x\"]", "[Event \"", "[ \"x\"]"] {
            let bytes = [b"0-2\n", tag.as_bytes(), &[b' '; 2 * BLOCK]].concat();
            let plain = tag == "[Event \"";
            assert!(run_on_all(Behind(&bytes)).iter().all(|found| found.is_some() == plain), "{tag}");
        }
    }
}
