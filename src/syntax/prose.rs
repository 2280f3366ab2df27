//! Recognises words in parentheses: `(Wyllie falters here. 8-11 is required)` is a remark, not a variation.

use super::result::result_len;
use super::whitespace::{is_line_end, is_whitespace, skip_whitespace, wide_whitespace};
use crate::simd::{Block, Isa};

/// The greatest length of words in parentheses, in bytes.
const MAX_PROSE_BYTES: usize = 4096;
/// The number of parentheses that words in parentheses may have inside of each other.
const MAX_PROSE_DEPTH: usize = 4;
/// The greatest length of words in brackets, in bytes.
const MAX_BRACKET_BYTES: usize = 1024;

/// Returns the offset just after the parenthesis that closes the one at offset `at`, if words stand between them rather
/// than a variation.
///
/// They do if a single letter stands there, which refers to a footnote, or if there are more words than moves, and no two moves come before
/// the first word. A *word* is a run of letters,
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
    if let [b'A'..=b'Z' | b'a'..=b'z', b')', ..] = text {
        return Some(at + 3);
    }
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

/// Returns the offset just after the bracket that closes the one at offset `at`, if words stand between them on one line: the first run is
/// a word, or there are more words than moves. Which runs are words and moves says [`prose_end`].
pub(crate) fn bracketed_words_end(bytes: &[u8], at: usize) -> Option<usize> {
    let text = &bytes[at + 1..bytes.len().min(at + MAX_BRACKET_BYTES)];
    let len = text.iter().position(|&byte| is_line_end(byte) || b"[]{}\"".contains(&byte))?;
    let count = RunCount::of(&text[..len]);
    (text[len] == b']' && (count.begins_with_word || count.words > count.moves)).then_some(at + len + 2)
}

/// Returns the end of the paragraph of words that starts at offset `at`: up to an empty line, a brace, a bracket, a result or a star. It
/// begins with a word and has more words than moves. It has at most 4,096 bytes.
pub(crate) fn paragraph_end(bytes: &[u8], at: usize) -> Option<usize> {
    let window = &bytes[..bytes.len().min(at + MAX_PROSE_BYTES)];
    let mut end = at;
    let mut starts_run = true;
    while let Some(&byte) = window.get(end) {
        let is_over = match byte {
            b'{' | b'}' | b'[' | b']' | b'*' => true,
            b'0'..=b'2' | 0xC2 | 0xBD | b'&' => starts_run && result_len(bytes, end).is_some(),
            _ => is_line_end(byte) && skip_whitespace(bytes, end).lines > 1,
        };
        if is_over {
            break;
        }
        starts_run = is_whitespace(byte) || byte == b'(';
        end += 1;
    }
    if end == window.len() && window.len() < bytes.len() {
        return None;
    }
    let text = bytes[at..end].trim_ascii_end();
    let count = RunCount::of(text);
    (count.begins_with_word && count.words > count.moves).then_some(at + text.len())
}

/// The number of words and moves of a text.
#[derive(Default)]
struct RunCount {
    words: usize,
    moves: usize,
    begins_with_word: bool,
}

impl RunCount {
    fn of(text: &[u8]) -> Self {
        let mut count = Self::default();
        let mut n = 0;
        while n < text.len() {
            let wide = wide_whitespace(&text[n..]);
            if !belongs_to_run(text[n]) || wide > 0 {
                n += wide.max(1);
                continue;
            }
            let run = Run::at_start(&text[n..]);
            let is_word = run.numbers == 0 && run.letters >= 2;
            count.begins_with_word |= is_word && count.words + count.moves == 0;
            count.words += usize::from(is_word);
            count.moves += usize::from(run.numbers >= 2);
            n += run.len;
        }
        count
    }
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
            "(A)",
            "(b)",
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
            "(1)",
            "( A)",
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

    #[test]
    fn words_in_brackets_and_paragraphs_end() {
        for (text, len) in [
            ("[better 41x32] 1", Some(14)),
            ("[32-28 is best here] 1", Some(20)),
            ("[32-28 19-23]", None),
            ("[better\n41x32]", None),
            ("[a [b] c]", None),
            ("[]", None),
        ] {
            assert_eq!(bracketed_words_end(text.as_bytes(), 0), len, "{text}");
        }
        for (text, len) in [
            ("White threatens 41-37 and 32-28.\n\n3. 41-37", Some(32)),
            ("White threatens\r\n41-37 now.\r\n\r\n3. 41-37", Some(27)),
            ("White resigned. 1-0", Some(15)),
            ("Good *", Some(4)),
            ("Wit: 32-28 19-23\n\n", None),
            ("32-28 was good", None),
            ("see [1]", Some(3)),
        ] {
            assert_eq!(paragraph_end(text.as_bytes(), 0), len, "{text}");
        }
        assert_eq!(paragraph_end("word ".repeat(900).as_bytes(), 0), None);
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
