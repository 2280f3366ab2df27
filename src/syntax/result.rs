//! Recognises results among moves.
//!
//! Only results that can never be a move are recognised here. Results of other scoring systems (`4-6`, `1.02-0.98`) are
//! known only from the Result tag, so the parser recognises them.

use super::whitespace::{is_whitespace, wide_whitespace};

/// Returns the length in bytes of the result that starts at offset `at`, if one does and stands alone.
///
/// The results are `1-0 0-1 2-0 0-2 1-1 0-0`, halves as `1/2-1/2` with or without spaces, Delfts' `1 1/2 - 1/2`,
/// `½-½` in UTF-8, Latin-1 or HTML, and `1+ - 1-`. `*` is not among them, see [`is_glued_star`].
///
/// A result stands alone if whitespace, a comment, a bracket, a punctuation mark or the end of the input follows:
/// `1-18` is a move. [`result_may_start`] decides about the text before it.
#[inline]
pub fn result_len(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..];
    let len = match rest {
        [b'0', b'-', b'0' | b'1' | b'2', ..] | [b'1', b'-', b'0' | b'1', ..] | [b'2', b'-', b'0', ..]
            if ends_token(rest, 3) =>
        {
            return Some(3);
        }
        [b'1', b'+' | b'-', ..] => advantage_len(rest)?,
        [b'1', b'/' | b' ', ..] => halves_len(rest, HalfForm::Fraction)?,
        [0xC2 | 0xBD | b'&', ..] => halves_len(rest, HalfForm::Sign)?,
        _ => return None,
    };
    ends_token(rest, len).then_some(len)
}

/// Returns `true` if the star at offset `at` touches the move before it: then it marks a forced move. A star that
/// stands apart ends the game. The input starts at offset `from`: bytes before it are ignored.
#[inline]
pub fn is_glued_star(bytes: &[u8], from: usize, at: usize) -> bool {
    match &bytes[from..at] {
        [.., b'0'..=b'9' | b'!' | b'?' | b'>' | b'*'] => true,
        // A move strength, `(!)`, but not the end of a variation.
        [before @ .., b')'] => {
            let marks = before.iter().rev().take_while(|&&b| b == b'!' || b == b'?').count();
            marks > 0 && before[..before.len() - marks].last() == Some(&b'(')
        }
        _ => false,
    }
}

/// Returns `true` if a result may start at offset `at`: no digit, dash or separator stands right before it. Letters
/// may, since the braces of comments get lost. The input starts at offset `from`: bytes before it are ignored.
#[inline]
pub fn result_may_start(bytes: &[u8], from: usize, at: usize) -> bool {
    !matches!(
        &bytes[from..at],
        [.., b'0'..=b'9' | b'-' | b'x' | b'X' | b':' | b'/' | b'+' | b'#' | b'&' | b'_' | 0xD7 | 0x96]
            | [.., 0xC3, 0x97]
            | [.., 0xD1, 0x85]
            | [.., 0xE2, 0x80, 0x90..=0x95]
            | [.., 0xE2, 0x88, 0x92]
    )
}

/// Returns `true` if the byte after the first `len` bytes cannot continue a word.
#[inline]
fn ends_token(rest: &[u8], len: usize) -> bool {
    match rest.get(len) {
        None => true,
        Some(b'.' | b',') => !rest.get(len + 1).is_some_and(u8::is_ascii_digit),
        Some(b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'*' | b'!' | b'?' | b'"' | b'\\') => true,
        Some(&b) => is_whitespace(b) || wide_whitespace(&rest[len..]) > 0,
    }
}

/// The two ways to write halves.
#[derive(Clone, Copy, PartialEq)]
enum HalfForm {
    /// `1/2`, or `1 1/2` in Delfts' system.
    Fraction,
    /// `½`.
    Sign,
}

/// Returns the length of `X-Y`, where X and Y are both halves of the given form; spaces around the dash are allowed.
fn halves_len(rest: &[u8], form: HalfForm) -> Option<usize> {
    let mut at = half_end(rest, 0, form)?;
    at = skip_spaces(rest, at);
    at += dash_len(&rest[at..])?;
    at = skip_spaces(rest, at);
    half_end(rest, at, form)
}

/// Returns the offset just after the half that starts at offset `at`.
fn half_end(rest: &[u8], at: usize, form: HalfForm) -> Option<usize> {
    let spellings: [&[u8]; 4] = match form {
        HalfForm::Fraction => [b"1/2", b"1 1/2", b"1/2", b"1/2"],
        HalfForm::Sign => ["½".as_bytes(), b"\xBD", b"&frac12;", b"&#189;"],
    };
    spellings.iter().find(|half| rest[at..].starts_with(half)).map(|half| at + half.len())
}

/// Returns the length of the dash that `rest` starts with: a hyphen, or an en dash in UTF-8, Windows-1252 or HTML.
fn dash_len(rest: &[u8]) -> Option<usize> {
    let dashes: [&[u8]; 5] = [b"-", b"&ndash;", b"&#8211;", "–".as_bytes(), b"\x96"];
    dashes.iter().find(|dash| rest.starts_with(dash)).map(|dash| dash.len())
}

/// Returns the offset of the first byte from offset `at` on that is not a space.
fn skip_spaces(rest: &[u8], mut at: usize) -> usize {
    while rest.get(at) == Some(&b' ') {
        at += 1;
    }
    at
}

/// Returns the length of `1+ - 1-` or `1- - 1+`: a draw in which one side has the better position.
fn advantage_len(rest: &[u8]) -> Option<usize> {
    let mut at = skip_spaces(rest, 2);
    if rest.get(at) != Some(&b'-') {
        return None;
    }
    at = skip_spaces(rest, at + 1);
    let other = if rest[1] == b'+' { b'-' } else { b'+' };
    (rest.get(at) == Some(&b'1') && rest.get(at + 1) == Some(&other)).then_some(at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_len_accepts_results_and_rejects_moves() {
        let check = |text: &[u8], len: Option<usize>| {
            assert_eq!(result_len(text, 0), len, "{}", String::from_utf8_lossy(text));
        };
        for result in [
            &b"1-0"[..],
            b"0-1",
            b"2-0",
            b"0-2",
            b"1-1",
            b"0-0",
            b"1/2-1/2",
            b"1/2 - 1/2",
            b"1 1/2 - 1/2",
            b"1/2 - 1 1/2",
            "½-½".as_bytes(),
            b"\xBD-\xBD",
            b"&frac12;&ndash;&frac12;",
            b"&frac12;-&frac12;",
            b"1+ - 1-",
            b"1- - 1+",
        ] {
            check(result, Some(result.len()));
            check(&[result, b" 1. 32-28"].concat(), Some(result.len()));
            check(&[result, b"{x}"].concat(), Some(result.len()));
            check(&[result, b"\xC2\xA0x"].concat(), Some(result.len()));
            check(&[result, b"\\r"].concat(), Some(result.len()));
            check(&[result, b"."].concat(), Some(result.len()));
            check(&[result, b".5"].concat(), None);
            check(&[result, b"8"].concat(), None);
        }
        for other in [
            &b"1-18"[..],
            b"1-6",
            b"2-8",
            b"0-5",
            b"1.32-28",
            b"1. 2-0",
            b"1/4",
            b"1 32-28",
            b"10-15",
            b"1- 6",
            b"1",
            b"",
        ] {
            check(other, None);
        }
    }

    #[test]
    fn star_is_glued_if_it_touches_a_move() {
        assert!(is_glued_star(b"27-20*", 0, 5));
        assert!(is_glued_star(b"27-20!*", 0, 6));
        assert!(!is_glued_star(b"27-20 *", 0, 6));
        assert!(!is_glued_star(b"*", 0, 0));
        assert!(!is_glued_star(b"{x}*", 0, 3));
        assert!(is_glued_star(b"27-20(!)*", 0, 8));
        assert!(!is_glued_star(b"(27-20!)*", 0, 8), "the end of a variation is not a move");
        assert!(!is_glued_star(b"()*", 0, 2));
        assert!(!is_glued_star(b"time*", 0, 4), "no move ends with a letter");
        assert!(!is_glued_star(b"\\r\\n*", 0, 4));
    }

    #[test]
    fn result_starts_after_anything_but_numbers_and_separators() {
        let check = |before: &str, expected: bool| {
            let text = [before, "1-0"].concat();
            assert_eq!(result_may_start(text.as_bytes(), 0, before.len()), expected, "{text:?}");
        };
        for before in ["", " ", "}", "\u{a0}", "time", "ход", "time.", ")"] {
            check(before, true);
        }
        for before in ["1", "-", "22x", "22:", "22\u{d7}", "22\u{2013}", "1/"] {
            check(before, false);
        }
    }
}
