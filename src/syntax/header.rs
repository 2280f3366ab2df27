//! Plain tag lines at the start of a record, told from masks of whole blocks.
//!
//! A plain tag line is `[Letters "value"]` and nothing else, its value without backslashes but those of escaped
//! quotes. Nearly all headers are made of these. They are not taken apart: additions whose carries run through the
//! letters of a name tell where names end, and the rest is asking that every quote and every line end stands where
//! it must.
//!
//! The blocks are those of one grid, wherever records begin. So nothing is loaded from a place that has to be worked
//! out first, and the only branch that nobody can foretell is the one behind the last block of a header.

use crate::simd::{BLOCK, Block, Isa};

/// Longest header looked at, in blocks; so no value can be longer than a value may be.
const MOST: usize = 128;
/// Bytes looked at behind a block.
const BEHIND: usize = 2;

/// Where plain tag lines end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TagsEnd {
    /// Offset of the line behind them.
    pub(crate) at: usize,
    /// The block of the line end before.
    pub(crate) base: usize,
}

/// The plain tag lines that begin at `from`, the start of a record, in the blocks from `base` on; the first name must
/// begin in the first two. `None` if there are none, or if a line among them is anything else that begins with a
/// bracket.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn plain_tags<I: Isa, const CRLF: bool>(
    isa: I,
    bytes: &[u8],
    from: usize,
    mut base: usize,
) -> Option<TagsEnd> {
    if *bytes.get(from)? != b'[' {
        return None;
    }
    let mut lines = Lines::<CRLF>::default();
    let mut odd = 0;
    for _ in 0..2 {
        // The bytes from the record on; and its first name begins behind the bracket.
        let passed = from.saturating_sub(base) as u32;
        let within = u64::MAX.checked_shl(passed).unwrap_or(0);
        let name = (from + 1).checked_sub(base).and_then(|at| 1u64.checked_shl(at as u32)).unwrap_or(0);
        let (last, strange) = lines.block(isa, block(bytes, base)?, within, name);
        if last != 0 {
            return end(base, last, odd, strange);
        }
        odd |= strange;
        base += BLOCK;
    }
    for _ in 2..MOST {
        let (last, strange) = lines.block(isa, block(bytes, base)?, u64::MAX, 0);
        if last != 0 {
            return end(base, last, odd, strange);
        }
        odd |= strange;
        base += BLOCK;
    }
    None
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn block(bytes: &[u8], base: usize) -> Option<&[u8; BLOCK + BEHIND]> {
    bytes.get(base..)?.first_chunk()
}

/// The end in the block at `base`, if nothing is strange before it.
#[cfg_attr(not(debug_assertions), inline(always))]
fn end(base: usize, last: u64, odd: u64, strange: u64) -> Option<TagsEnd> {
    let before = last ^ last.wrapping_sub(1);
    let at = base + last.trailing_zeros() as usize + 1;
    (odd | (strange & before) == 0).then_some(TagsEnd { at, base })
}

/// What a block leaves to the next: bits of its masks that are shifted out.
#[derive(Default)]
struct Lines<const CRLF: bool> {
    names: u64,
    name_goes_on: bool,
    open: u64,
    ends: u64,
    escaped: u64,
}

/// `mask` shifted by `by`, behind the bits that were shifted out `before`; and those that are shifted out now. Two
/// shifts of one word would become an instruction for two words, which is slow on some processors.
#[cfg_attr(not(debug_assertions), inline(always))]
fn shifted<const BY: u32>(mask: u64, before: u64) -> (u64, u64) {
    let out = (1 << BY) - 1;
    let turned = mask.rotate_left(BY);
    (turned & !out | before, turned & out)
}

impl<const CRLF: bool> Lines<CRLF> {
    /// The line ends in the block that no bracket follows, and whatever keeps its lines from being plain, up to
    /// the first of these. Only the bytes `within` count; `name` is where the first name begins.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn block<I: Isa>(&mut self, isa: I, window: &[u8; BLOCK + BEHIND], within: u64, name: u64) -> (u64, u64) {
        let load = |n: usize| isa.load(window[n..].first_chunk().expect("two more than a block"));
        let (here, next, after) = (load(0), load(1), load(2));
        let line_ends = here.among([b'\n']) & within;
        let opening = line_ends & next.among([b'[']);
        let letters = here.with_bits(0x20).within(b'a', b'z');
        let spaces = here.among([b' ']);
        let all_quotes = here.among([b'"']);
        let all_closing = all_quotes & next.among([b']']) & after.among([if CRLF { b'\r' } else { b'\n' }]);
        let backslashes = here.among([b'\\']) & within;
        let mut quotes = all_quotes & within;
        let mut closing = all_closing & within;
        let mut odd = here.among([b'\r']) & within;
        if backslashes | self.escaped != 0 {
            let escaped;
            (escaped, self.escaped) = shifted::<1>(backslashes, self.escaped);
            quotes &= !escaped;
            closing &= !escaped;
            odd |= backslashes & !next.among([b'"']);
        }
        let ends;
        if CRLF {
            let returns;
            (returns, self.ends) = shifted::<3>(closing, self.ends);
            // The carriage returns stand right before.
            ends = returns;
            odd ^= returns >> 1 | (self.ends & 1) << 63;
        } else {
            (ends, self.ends) = shifted::<2>(closing, self.ends);
        }
        // A name starts two bytes behind a line end; a carry runs from there through its letters.
        let (names, names_out) = shifted::<2>(opening, self.names);
        let names = names | name;
        // Where a name goes on, none starts.
        let (sum, over) = letters.overflowing_add(names | u64::from(self.name_goes_on));
        let behind_names = sum & !letters;
        let (open, open_out) = shifted::<1>(behind_names, self.open);
        odd |= (names & !letters) | (behind_names & !spaces) | (quotes ^ open ^ closing) | (line_ends ^ ends);
        // So no name is longer than a name may be.
        odd |= u64::from(letters == u64::MAX);
        (self.names, self.name_goes_on, self.open) = (names_out, over, open_out);
        (line_ends & !opening, odd)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tag::{TagForm, any_tag};
    use super::*;
    use crate::simd::{Task, run_on_all};
    use proptest::prelude::*;

    /// The tags that begin at `from`, looked for in the blocks from `base` on.
    #[derive(Clone)]
    struct Header<'a> {
        bytes: &'a [u8],
        from: usize,
        base: usize,
    }

    impl Task for Header<'_> {
        type Output = Option<TagsEnd>;

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn run<I: Isa>(self, isa: I) -> Option<TagsEnd> {
            let text = &self.bytes[self.from..];
            let crlf = text.iter().position(|&b| b == b'\n').is_some_and(|n| n > 0 && text[n - 1] == b'\r');
            if crlf {
                plain_tags::<I, true>(isa, self.bytes, self.from, self.base)
            } else {
                plain_tags::<I, false>(isa, self.bytes, self.from, self.base)
            }
        }
    }

    /// How much of the text is passed, which must be tags, each on a line of its own, wherever it stands.
    fn found(text: &str) -> Option<usize> {
        let mut answers = Vec::new();
        for (from, base) in
            [(0, 0), (5, 0), (62, 0), (63, 0), (64, 0), (64, 64), (100, 0), (126, 0), (127, 64)]
        {
            let bytes = [&b"\"]\n".repeat(70)[..from], text.as_bytes(), &[b'\n'; 2 * BLOCK]].concat();
            for end in run_on_all(Header { bytes: &bytes, from, base }) {
                assert!(
                    end.is_none_or(|end| end.base % BLOCK == 0 && (1..=BLOCK).contains(&(end.at - end.base)))
                );
                answers.push(end.map(|end| end.at - from));
            }
        }
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?} {text:?}");
        let bytes = [text.as_bytes(), b"\n"].concat();
        let end = answers[0]?;
        let mut at = 0;
        while at < end {
            let tag = any_tag(&bytes, 0, at).unwrap_or_else(|| panic!("no tag at {at} of {text:?}"));
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
    fn plain_headers_are_passed_and_others_are_not() {
        for shift in 0..70 {
            let tag = format!("[Event \"{}\"]\n", "x".repeat(shift));
            // A header, and how much of it behind the first tag is passed.
            let check = |rest: &str, passed: Option<usize>| {
                assert_eq!(found(&(tag.clone() + rest)), passed.map(|len| tag.len() + len), "{tag}{rest}");
                let crlf = |text: &str| text.replace('\n', "\r\n");
                let len = passed.map(|len| crlf(&(tag.clone() + &rest[..len])).len());
                assert_eq!(found(&crlf(&(tag.clone() + rest))), len, "{tag}{rest}, CRLF");
            };
            // What ends lines is told from the first block.
            if shift < 52 {
                check("\n1. 32-28", Some(0));
                check("[White \"é (1-0) {\"]\n1. 32-28", Some(21));
                check("[A \"\"]\n[B \"b\"]\n%clk]", Some(15));
                check("[A \"x \\\"y\\\"\"]\n[B \"\\\"\\\" z\"]\n*", Some(27));
            }
            for odd in [
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
                check(odd, None);
            }
        }
        assert_eq!(found(&format!("[{} \"x\"]\n", "A".repeat(300))), None);
        assert_eq!(found(&format!("[A \"{}\"]\n", "a b".repeat(6000))), None);
        assert_eq!(found("[A \"x\"]\r[B \"y\"]\n"), None);
        assert_eq!(found(" [A \"x\"]\n"), None);
    }

    proptest! {
        #[test]
        fn what_is_passed_are_tags(
            text in r#"(\[[A-Z][a-z]{0,9} "([A-Za-z0-9 .,(\[\]{é]|\\"){0,30}"\]\r?\n){1,9}(\[?[A-Za-z"\[\] \\\r\n]{0,5}){0,4}\n.{0,20}"#,
        ) {
            found(&text);
        }
    }
}
