//! Plain tag lines at the start of a record, told from masks of whole blocks.
//!
//! A plain tag line is `[Letters "value"]` and nothing else, its value without quotes and backslashes. Nearly
//! all headers are made of these. They are not taken apart: additions whose carries run through the letters of a name
//! tell where names end, and the rest is counting that every quote and every line end stands where it must.

use crate::simd::{BLOCK, Block, Isa};

/// Longest header looked at, in blocks; so no value can be longer than a value may be.
const MOST: usize = 128;

/// Offset of the line behind the plain tag lines that begin at `from`, the first of them being the start of a record;
/// `None` if there are none, or if a line among them is anything else that begins with a bracket and a letter.
#[inline(always)]
pub(crate) fn plain_tags<I: Isa>(isa: I, bytes: &[u8], from: usize) -> Option<usize> {
    let start: &[u8; BLOCK] = bytes.get(from..)?.first_chunk()?;
    if start[0] != b'[' || !start[1].is_ascii_alphabetic() {
        return None;
    }
    let line_ends = isa.load(start).among([b'\n']);
    let crlf = line_ends != 0 && start[line_ends.trailing_zeros() as usize - 1] == b'\r';
    if crlf { lines::<I, true>(isa, bytes, from) } else { lines::<I, false>(isa, bytes, from) }
}

#[inline(always)]
fn lines<I: Isa, const CRLF: bool>(isa: I, bytes: &[u8], from: usize) -> Option<usize> {
    // What a block leaves to the next: the last bits of its masks. A bracket stands before the first name.
    let mut starts_before = 1;
    let mut name_goes_on = false;
    let mut gap_before = 0;
    let mut close_before = 0;
    for at in (from + 1..).step_by(BLOCK).take(MOST) {
        let window: &[u8; BLOCK + 2] = bytes.get(at..)?.first_chunk()?;
        let load = |n: usize| isa.load(window[n..].first_chunk().expect("two more than a block"));
        let (here, next, after) = (load(0), load(1), load(2));
        let line_ends = here.among([b'\n']);
        let quotes = here.among([b'"']);
        let letters = here.with_bits(0x20).within(b'a', b'z');
        // The line ends behind which another tag opens.
        let opening = line_ends & next.among([b'[']) & after.with_bits(0x20).within(b'a', b'z');
        let gaps = here.among([b' ']) & next.among([b'"']);
        let closing = quotes & next.among([b']']) & after.among([if CRLF { b'\r' } else { b'\n' }]);

        // A name starts two bytes behind a line end; a carry runs from there through its letters.
        let starts = opening << 2 | starts_before;
        let (sum, over) = letters.overflowing_add(starts);
        let (sum, more) = sum.overflowing_add(u64::from(name_goes_on));
        let behind_names = sum & !letters;
        let open = behind_names << 1 | gap_before;
        let ends = if CRLF { closing << 3 | close_before >> 61 } else { closing << 2 | close_before >> 62 };
        let mut odd = here.among([b'\\', b'\r']);
        if CRLF {
            odd &= !(closing << 2 | close_before >> 62);
        }
        odd |= (behind_names & !gaps) | (quotes ^ (open | closing)) | (open & closing) | (line_ends ^ ends);
        // So no name is longer than a name may be.
        odd |= u64::from(letters == u64::MAX);
        let last = line_ends & !opening;
        // Up to the last line end.
        if odd & (last ^ last.wrapping_sub(1)) != 0 {
            return None;
        }
        if last != 0 {
            return Some(at + last.trailing_zeros() as usize + 1);
        }
        starts_before = opening >> 62;
        name_goes_on = over | more;
        gap_before = behind_names >> 63;
        close_before = closing;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::tag::{TagForm, any_tag};
    use super::*;
    use crate::simd::{Task, run_on_all};
    use proptest::prelude::*;

    #[derive(Clone)]
    struct Header<'a>(&'a [u8]);

    impl Task for Header<'_> {
        type Output = Option<usize>;

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) -> Option<usize> {
            plain_tags(isa, self.0, 0)
        }
    }

    /// What is found; it must be tags, each on a line of its own.
    fn found(text: &str) -> Option<usize> {
        let bytes = [text.as_bytes(), &[b'\n'; 2 * BLOCK]].concat();
        let answers = run_on_all(Header(&bytes));
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?} {text:?}");
        let end = answers[0]?;
        let mut at = 0;
        while at < end {
            let tag = any_tag(&bytes, 0, at).unwrap_or_else(|| panic!("no tag at {at} of {text:?}"));
            assert_eq!((tag.form, tag.quote_closed, tag.bracket_closed), (TagForm::Quoted, true, true));
            at = tag.end + usize::from(bytes[tag.end] == b'\r') + 1;
            assert_eq!(bytes[at - 1], b'\n', "{text:?}");
        }
        assert_eq!(at, end, "{text:?}");
        assert!(bytes[at] != b'[' || !bytes[at + 1].is_ascii_alphabetic(), "{text:?}");
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
                check("[A \"\"]\n[B \"b\"]\n[%clk]", Some(15));
            }
            for odd in [
                "[A \"x\" ]\n",
                "[A  \"x\"]\n",
                "[A x \"x\"]\n",
                "[A \"x \"y\" z\"]\n",
                "[A \"]\n",
                "[A \"x\\\"\"]\n",
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
            text in r#"(\[[A-Z][a-z]{0,9} "[A-Za-z0-9 .,(\[\]{é]{0,30}"\]\r?\n){1,9}(\[?[A-Za-z"\[\] \\\r\n]{0,5}){0,4}\n.{0,20}"#,
        ) {
            found(&text);
        }
    }
}
