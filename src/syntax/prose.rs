//! Recognises words in parentheses: `(Wyllie falters here. 8-11 is required)` is a remark, not a variation.

use super::whitespace::{is_line_end, is_whitespace, wide_whitespace};

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
pub fn prose_end(bytes: &[u8], at: usize) -> Option<usize> {
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
}
