//! Recognises words in parentheses: `(Wyllie falters here. 8-11 is required)` is a remark, not a variation.

use super::whitespace::{is_line_end, is_whitespace, wide_whitespace};
use crate::simd::{Block, Isa};

/// The greatest length of words in parentheses, in bytes.
const MAX_PROSE_BYTES: usize = 4096;
/// The number of parentheses that words in parentheses may have inside of each other.
const MAX_PROSE_DEPTH: usize = 4;

/// Returns the offset just after the parenthesis that closes the one at offset `at`, if words stand between them rather
/// than a variation.
///
/// They do if there are more words than moves, and no two moves come before the first word. A *word* is a run of letters,
/// digits, hyphens, colons and bytes beyond ASCII with at least two letters and no digit. A *move* is such a run with two
/// numbers, `8-11` or `c3-d4`. All others, such as `1954` or `A`, are neither.
///
/// Between the parentheses may stand others, but no braces or brackets, no empty line and no setup. They hold at most
/// 4096 bytes. What does not keep to this is a variation.
///
/// Reads at most that many bytes, and each byte of an input at most five times.
#[inline]
pub(crate) fn prose_end(bytes: &[u8], at: usize) -> Option<usize> {
    let text = &bytes[at + 1..bytes.len().min(at + MAX_PROSE_BYTES)];
    let (mut words, mut moves) = (0, 0);
    let mut depth = 1;
    let mut line_ends = 0;
    let mut n = 0;
    while let Some(&byte) = text.get(n) {
        let wide = wide_whitespace(&text[n..]);
        if belongs_to_run(byte) && wide == 0 {
            let run = Run::at_start(&text[n..]);
            words += usize::from(run.numbers == 0 && run.letters >= 2);
            moves += usize::from(run.numbers >= 2);
            if moves == 2 && words == 0 {
                return None;
            }
            n += run.len;
            line_ends = 0;
            continue;
        }
        match byte {
            b'(' if depth > MAX_PROSE_DEPTH => return None,
            b'(' => depth += 1,
            b')' if depth == 1 => return (words > moves).then_some(at + 1 + n + 1),
            b')' => depth -= 1,
            b'{' | b'}' | b'[' | b']' => return None,
            b'/' if text[n..].starts_with(b"/FEN") || text[n..].starts_with(b"/fen") => return None,
            _ => {}
        }
        if is_line_end(byte) && !text[n..].starts_with(b"\r\n") {
            line_ends += 1;
            if line_ends == 2 {
                return None;
            }
        } else if !is_whitespace(byte) && wide == 0 {
            line_ends = 0;
        }
        n += wide.max(1);
    }
    None
}

/// Returns `true` if the first bytes after the parenthesis at offset `at` show that a variation stands between the parentheses: two
/// moves come first, or no word before the next brace or parenthesis. Otherwise [`prose_end`] has to decide.
// Twin: prose_end; test: certain_variations_are_not_prose.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn is_certainly_variation<I: Isa>(isa: I, bytes: &[u8], at: usize) -> bool {
    let Some(first) = bytes.get(at + 1..).and_then(|rest| rest.first_chunk()) else { return false };
    let block = isa.load(first);
    let digits = block.within(b'0', b'9');
    let separators = block.among([b'-', b'x', b':']);
    let whitespace = block.among([b' ', b'\n']);
    // A letter that joins no numbers may belong to a word.
    let joints = separators & digits << 1 & digits >> 1;
    let other = !(digits | joints | whitespace | block.among([b'.', b'!', b'?']));
    let before_other = other.wrapping_sub(1) & !other;
    let joints = joints & before_other;
    let between = u64::MAX.checked_shr(joints.leading_zeros()).unwrap_or(0) & !joints.wrapping_sub(1);
    let ends_there = matches!(first.get(other.trailing_zeros() as usize), Some(b')' | b'{'));
    digits & 1 == 1 && (whitespace & between != 0 || ends_there)
}

/// A run of letters, digits, hyphens, colons and bytes beyond ASCII.
struct Run {
    /// Its length in bytes.
    len: usize,
    /// The number of its letters and of its bytes beyond ASCII.
    letters: usize,
    /// The number of its numbers.
    numbers: usize,
}

impl Run {
    /// Returns the run at the start of `text`.
    fn at_start(text: &[u8]) -> Self {
        let mut run = Self { len: 0, letters: 0, numbers: 0 };
        let mut after_digit = false;
        while let Some(&byte) = text.get(run.len) {
            if !belongs_to_run(byte) || wide_whitespace(&text[run.len..]) > 0 {
                break;
            }
            run.letters += usize::from(byte.is_ascii_alphabetic() || !byte.is_ascii());
            run.numbers += usize::from(byte.is_ascii_digit() && !after_digit);
            after_digit = byte.is_ascii_digit();
            run.len += 1;
        }
        run
    }
}

/// Returns `true` if a byte belongs to a word or a move.
fn belongs_to_run(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii() || matches!(byte, b'-' | b':')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Task, run_on_all};
    use proptest::prelude::*;

    #[test]
    fn words_are_told_from_variations() {
        let check = |text: &str, is_prose: bool| {
            let end = prose_end([text, " 11-15 *"].concat().as_bytes(), 0);
            assert_eq!(end, is_prose.then_some(text.len()), "{text}");
        };
        for text in [
            "(Wyllie falters here. 8-11 is required to draw.)",
            "(Roberto's first choice, the Wilderness 1.)",
            "(see game 5)",
            "(чёрные могли сыграть 1. c3-d4)",
            "(Wit dreigt (met 27-21) te winnen;\nzwart verdedigt)",
            "(\u{bd}-\u{bd})",
            "(8-11 was better here)",
        ] {
            check(text, true);
        }
        for text in [
            "(8-11 16-20)",
            "(1. 8-11 16-20 2. 11-15 and White wins easily in all lines)",
            "(8-11 wins)",
            "(or 8-11)",
            "(better 8-11 16-20)",
            "(c3-d4 d6-e5)",
            "(cb4 ab6)",
            "(A)",
            "(!?)",
            "()",
            "(\u{a0})",
            "(see {the note})",
            "(see [1])",
            "(one paragraph\n\nand another)",
            "(one paragraph\r\n \r\nand another)",
            "(/FEN \"B:::\"/ wins)",
            "(never closed",
            "(a (b (c (d (e (too deep in here))))))",
        ] {
            check(text, false);
        }
        check(&format!("({})", "word ".repeat(900)), false);
    }

    #[derive(Clone)]
    struct IsCertainlyVariation<'a>(&'a [u8]);

    impl Task for IsCertainlyVariation<'_> {
        type Output = bool;

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn run<I: Isa>(self, isa: I) -> bool {
            is_certainly_variation(isa, self.0, 0)
        }
    }

    #[test]
    fn common_variations_are_certain() {
        for (text, is_certain) in [
            ("(32-28 17-21)", true),
            ("(10... 23x32! 11. 38x27)", true),
            ("(12. 42-38)", true),
            ("(12. 42-38 {too late})", true),
            ("(8-11 was better)", false),
            ("(8x11x15 was better)", false),
            ("(12 x)", false),
            ("(better 8-11 16-20)", false),
        ] {
            let text = [text, &" ".repeat(80)].concat();
            for actual in run_on_all(IsCertainlyVariation(text.as_bytes())) {
                assert_eq!(actual, is_certain, "{text}");
            }
        }
    }

    proptest! {
        #[test]
        fn certain_variations_are_not_prose(
            text in r"\([0-9]?([0-9]{1,2}[.]? ?|[0-9]{1,2}[-x:][0-9]{1,2} |[xa]{1,3} |ab |[.!?\n] ?|[(){\[/;] ?|[-x:]|\r\n|ж){0,8}\)? {70}",
        ) {
            for is_certain in run_on_all(IsCertainlyVariation(text.as_bytes())) {
                prop_assert!(!is_certain || prose_end(text.as_bytes(), 0).is_none());
            }
        }
    }
}
