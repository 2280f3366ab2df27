//! Finds the end of a tag section of regular tag lines, from the bit masks of whole 64-byte blocks.
//!
//! A regular tag line is `[Letters "value"]` and nothing else; the only backslashes in its value escape quotes.
//! Nearly all tag sections consist of such lines. The tags are not taken apart. An addition whose carry runs through
//! the letters of a name finds the end of the name; the other checks ask whether every quote and every line end
//! stands where it must.
//!
//! The blocks are those of one grid, wherever records begin. So no load waits for an offset that is still being
//! computed, and the only unpredictable branch is the one after the last block of a tag section.

use crate::simd::{BLOCK, Block, Isa};

/// The greatest length of a tag section in blocks. It keeps every value below
/// [`MAX_VALUE_BYTES`](super::tag::MAX_VALUE_BYTES).
const MAX_BLOCKS: usize = 128;
/// The number of bytes read after each block.
const LOOK_AHEAD: usize = 2;

/// The end of a tag section of regular tag lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TagsEnd {
    /// The offset of the line after the tags.
    pub(crate) at: usize,
    /// The offset of the block that contains the line end before that line.
    pub(crate) base: usize,
}

/// Returns the end of the regular tag lines that begin at offset `from`, the start of a record. The blocks are read
/// from offset `base` on, and the first name must begin in the first two of them.
///
/// Returns `None` if there is no tag, if a line that begins with a bracket is not regular, if the section is longer
/// than 128 blocks, or if fewer than two bytes follow the last block. With `CRLF`, every line must end with CR LF,
/// else with LF alone.
// Twin: scan_any_tag, line by line; tests: regular_tags_skips_regular_sections_only, skipped_lines_are_tags.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn regular_tags<I: Isa, const CRLF: bool>(
    isa: I,
    bytes: &[u8],
    from: usize,
    mut base: usize,
) -> Option<TagsEnd> {
    if *bytes.get(from)? != b'[' {
        return None;
    }
    let mut lines = TagLines::<CRLF>::default();
    let mut irregular_before = 0;
    for _ in 0..2 {
        // Bytes before the record do not count, and the first name begins after the bracket.
        let passed = from.saturating_sub(base) as u32;
        let within = u64::MAX.checked_shl(passed).unwrap_or(0);
        let name = (from + 1).checked_sub(base).and_then(|at| 1u64.checked_shl(at as u32)).unwrap_or(0);
        let (last, irregular) = lines.read_block(isa, block(bytes, base)?, within, name);
        if last != 0 {
            return tags_end(base, last, irregular_before, irregular);
        }
        irregular_before |= irregular;
        base += BLOCK;
    }
    for _ in 2..MAX_BLOCKS {
        let (last, irregular) = lines.read_block(isa, block(bytes, base)?, u64::MAX, 0);
        if last != 0 {
            return tags_end(base, last, irregular_before, irregular);
        }
        irregular_before |= irregular;
        base += BLOCK;
    }
    None
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn block(bytes: &[u8], base: usize) -> Option<&[u8; BLOCK + LOOK_AHEAD]> {
    bytes.get(base..)?.first_chunk()
}

/// Returns the end of the tags in the block at offset `base`, if nothing irregular stands before it. `last` are the
/// line ends that no bracket follows; `irregular_before` belongs to earlier blocks, `irregular` to this one.
#[cfg_attr(not(debug_assertions), inline(always))]
fn tags_end(base: usize, last: u64, irregular_before: u64, irregular: u64) -> Option<TagsEnd> {
    let up_to_last = last ^ last.wrapping_sub(1);
    let at = base + last.trailing_zeros() as usize + 1;
    (irregular_before | (irregular & up_to_last) == 0).then_some(TagsEnd { at, base })
}

/// The state that a block passes to the next one: the bits that are shifted out of its masks.
#[derive(Default)]
struct TagLines<const CRLF: bool> {
    /// Starts of names.
    names: u64,
    /// `true` if a name continues in the next block.
    name_continues: bool,
    /// Opening quotes.
    open: u64,
    /// Line ends that must follow closing quotes.
    ends: u64,
    /// Bytes that a backslash escapes.
    escaped: u64,
}

/// Shifts `mask` left by `BY` bits, fills in the bits `carried_in` from the block before, and returns the result and
/// the bits that are shifted out. One rotation is used because a shift of two words is slow on some processors.
#[cfg_attr(not(debug_assertions), inline(always))]
fn shifted<const BY: u32>(mask: u64, carried_in: u64) -> (u64, u64) {
    let out = (1 << BY) - 1;
    let rotated = mask.rotate_left(BY);
    (rotated & !out | carried_in, rotated & out)
}

impl<const CRLF: bool> TagLines<CRLF> {
    /// Returns two masks of a block: the line ends that no bracket follows, and the bytes that make a line irregular.
    /// The second mask is valid up to the lowest bit of the first one.
    ///
    /// Only the bytes in the mask `within` count; the bit `name` is the start of the first name of the record.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read_block<I: Isa>(
        &mut self,
        isa: I,
        window: &[u8; BLOCK + LOOK_AHEAD],
        within: u64,
        name: u64,
    ) -> (u64, u64) {
        let load = |n: usize| isa.load(window[n..].first_chunk().expect("two more bytes than a block"));
        let (block, next, after_next) = (load(0), load(1), load(2));
        let line_ends = block.among([b'\n']) & within;
        let opening = line_ends & next.among([b'[']);
        let letters = block.with_bits(0x20).within(b'a', b'z');
        let spaces = block.among([b' ']);
        let all_quotes = block.among([b'"']);
        let all_closing =
            all_quotes & next.among([b']']) & after_next.among([if CRLF { b'\r' } else { b'\n' }]);
        let backslashes = block.among([b'\\']) & within;
        let mut quotes = all_quotes & within;
        let mut closing = all_closing & within;
        let mut irregular = block.among([b'\r']) & within;
        if backslashes | self.escaped != 0 {
            let escaped;
            (escaped, self.escaped) = shifted::<1>(backslashes, self.escaped);
            quotes &= !escaped;
            closing &= !escaped;
            irregular |= backslashes & !next.among([b'"']);
        }
        let ends;
        if CRLF {
            let returns;
            (returns, self.ends) = shifted::<3>(closing, self.ends);
            // The carriage returns stand right before the line ends.
            ends = returns;
            irregular ^= returns >> 1 | (self.ends & 1) << 63;
        } else {
            (ends, self.ends) = shifted::<2>(closing, self.ends);
        }
        // A name starts two bytes after a line end; a carry runs from there through its letters.
        let (names, names_out) = shifted::<2>(opening, self.names);
        let names = names | name;
        // Where a name continues from the block before, no name starts.
        let (sum, carry) = letters.overflowing_add(names | u64::from(self.name_continues));
        let after_names = sum & !letters;
        let (open, open_out) = shifted::<1>(after_names, self.open);
        irregular |=
            (names & !letters) | (after_names & !spaces) | (quotes ^ open ^ closing) | (line_ends ^ ends);
        // A block of letters only is irregular, so no name exceeds the greatest length of a name.
        irregular |= u64::from(letters == u64::MAX);
        (self.names, self.name_continues, self.open) = (names_out, carry, open_out);
        (line_ends & !opening, irregular)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tag::scan_any_tag;
    use super::*;
    use crate::simd::{Task, run_on_all};
    use crate::syntax::regular_tag::TagForm;
    use proptest::prelude::*;

    /// Finds the end of the tags that begin at `from`, reading the blocks from `base` on.
    #[derive(Clone)]
    struct SkipTags<'a> {
        bytes: &'a [u8],
        from: usize,
        base: usize,
    }

    impl Task for SkipTags<'_> {
        type Output = Option<TagsEnd>;

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn run<I: Isa>(self, isa: I) -> Option<TagsEnd> {
            let text = &self.bytes[self.from..];
            let crlf = text.iter().position(|&b| b == b'\n').is_some_and(|n| n > 0 && text[n - 1] == b'\r');
            if crlf {
                regular_tags::<I, true>(isa, self.bytes, self.from, self.base)
            } else {
                regular_tags::<I, false>(isa, self.bytes, self.from, self.base)
            }
        }
    }

    /// Returns the length of the tag lines at the start of `text`. Checks that it does not depend on the offset of the
    /// text in the input, and that every skipped line is a whole tag.
    #[track_caller]
    fn skipped(text: &str) -> Option<usize> {
        let mut results = Vec::new();
        for (from, base) in
            [(0, 0), (5, 0), (62, 0), (63, 0), (64, 0), (64, 64), (100, 0), (126, 0), (127, 64)]
        {
            let bytes = [&b"\"]\n".repeat(70)[..from], text.as_bytes(), &[b'\n'; 2 * BLOCK]].concat();
            for end in run_on_all(SkipTags { bytes: &bytes, from, base }) {
                assert!(
                    end.is_none_or(|end| end.base % BLOCK == 0 && (1..=BLOCK).contains(&(end.at - end.base)))
                );
                results.push(end.map(|end| end.at - from));
            }
        }
        assert!(results.iter().all(|result| *result == results[0]), "{results:?} {text:?}");
        let bytes = [text.as_bytes(), b"\n"].concat();
        let end = results[0]?;
        let mut at = 0;
        while at < end {
            let tag = scan_any_tag(&bytes, 0, at).unwrap_or_else(|| panic!("no tag at {at} of {text:?}"));
            assert_eq!((tag.form, tag.quote_closed, tag.bracket_closed), (TagForm::Quoted, true, true));
            assert!(!tag.inner_quotes);
            at = tag.end + usize::from(bytes[tag.end] == b'\r') + 1;
            assert_eq!(bytes[at - 1], b'\n', "{text:?}");
        }
        assert_eq!(at, end, "{text:?}");
        assert_ne!(bytes[at], b'[', "{text:?}");
        Some(end)
    }

    #[test]
    fn regular_tags_skips_regular_sections_only() {
        for shift in 0..70 {
            let tag = format!("[Event \"{}\"]\n", "x".repeat(shift));
            // The text after the first tag, and how many of its bytes are skipped.
            let check = |rest: &str, expected: Option<usize>| {
                assert_eq!(
                    skipped(&(tag.clone() + rest)),
                    expected.map(|len| tag.len() + len),
                    "{tag}{rest}"
                );
                let crlf = |text: &str| text.replace('\n', "\r\n");
                let len = expected.map(|len| crlf(&(tag.clone() + &rest[..len])).len());
                assert_eq!(skipped(&crlf(&(tag.clone() + rest))), len, "{tag}{rest}, CRLF");
            };
            // Whether lines end with CR LF is decided by the first block.
            if shift < 52 {
                check("\n1. 32-28", Some(0));
                check("[White \"é (1-0) {\"]\n1. 32-28", Some(21));
                check("[A \"\"]\n[B \"b\"]\n%clk]", Some(15));
                check("[A \"x \\\"y\\\"\"]\n[B \"\\\"\\\" z\"]\n*", Some(27));
            }
            for irregular in [
                "[A \"x\" ]\n",
                "[A  \"x\"]\n",
                "[A x \"x\"]\n",
                "[A \"x \"y\" z\"]\n",
                "[A \"]\n",
                "[A \"x\\\"]\n",
                "[A \"x\\\\\"]\n",
                "[A \"x\\y\"]\n",
                "[%clk \"x\"]\n",
                "[ \"x\"]\n",
                "[A \"\"x\"]\n",
                "[A \"x]\n",
                "[A x\"]\n",
                "[A]\n",
                "[A \"x\"] [B \"y\"]\n",
                "[A \"x\"]1. 32-28\n",
                "[A \"x\"\n]\n",
                "[A\n\"x\"]\n",
            ] {
                check(irregular, None);
            }
        }
        assert_eq!(skipped(&format!("[{} \"x\"]\n", "A".repeat(300))), None);
        assert_eq!(skipped(&format!("[A \"{}\"]\n", "a b".repeat(6000))), None);
        assert_eq!(skipped("[A \"x\"]\r[B \"y\"]\n"), None);
        assert_eq!(skipped(" [A \"x\"]\n"), None);
    }

    proptest! {
        #[test]
        fn skipped_lines_are_tags(
            text in r#"(\[[A-Z][a-z]{0,9} "([A-Za-z0-9 .,(\[\]{é]|\\"){0,30}"\]\r?\n){1,9}(\[?[A-Za-z"\[\] \\\r\n]{0,5}){0,4}\n.{0,20}"#,
        ) {
            skipped(&text);
        }
    }
}
