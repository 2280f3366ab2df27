//! Recognises results among moves.
//!
//! Only results that can never be a move are recognised here. Results of other scoring systems (`4-6`, `1.02-0.98`) are
//! known only from the Result tag, so the parser recognises them.

use super::whitespace::{is_whitespace, wide_whitespace};

/// Returns the length in bytes of the result that starts at offset `at`, if one does and stands alone.
///
/// The results are
///
/// - whole points that make at most two: `1-0 0-1 2-0 0-2 1-1 0-0`;
/// - two halves: `1/2-1/2`, Delfts' `1 1/2 - 1/2`, and `½-½` in UTF-8, Latin-1 or HTML;
/// - the two plus draws, `1+ - 1-` and `1- - 1+`.
///
/// A dash of any length or a colon (`1:0`, `1/2:1/2`) separates the points, with or without spaces around it. No man
/// moves from a square to itself and no square has the number 0, so none of these is a move. `*` is not among them, see
/// [`is_glued_star`].
///
/// A result stands alone if whitespace, a comment, a bracket, a punctuation mark or the end of the input follows:
/// `1-18` is a move. The first number of the next game may touch it too: `1-101. 32-28` is `1-1` and `01. 32-28`.
/// [`result_may_start`] decides about the text before it.
#[inline]
pub fn result_len(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..];
    let len = match rest {
        [b'0'..=b'2', b'-' | b':', b'0'..=b'9', b'0'..=b'9', after, ..]
            if !matches!(after, b'0'..=b'9' | b'.') =>
        {
            // The commonest words that begin like a result: `1-18`, `2:24`.
            return None;
        }
        [b'0'..=b'2', ..] => {
            let half = matches!(rest, [b'1', b'/' | b' ', ..])
                .then(|| halves_len(rest, HalfForm::Fraction))
                .flatten();
            half.or_else(|| whole_points_len(rest)).or_else(|| advantage_len(rest))?
        }
        [0xC2 | 0xBD | b'&', ..] => halves_len(rest, HalfForm::Sign)?,
        _ => return None,
    };
    ends_token(rest, len).then_some(len)
}

/// Returns the offset just after the result that is written with the byte at offset `at`, if there is one: the first
/// separator of its points, the slash of its first half, its first `½` or the `+` of a plus draw. The input starts at
/// offset `from`: bytes before it are ignored.
///
/// Reads backwards over at most the spaces before `at`.
#[inline]
pub(crate) fn result_end_around(bytes: &[u8], from: usize, at: usize) -> Option<usize> {
    let result_end = |start: usize| {
        let len = result_len(bytes, start)?;
        result_may_start(bytes, from, start).then_some(start + len)
    };
    let before = &bytes[from..at];
    match bytes[at] {
        b'&' => result_end(at),
        // The second byte of `½` in UTF-8, or all of it in Latin-1.
        0xBD => before.ends_with(b"\xC2").then(|| result_end(at - 1)).flatten().or_else(|| result_end(at)),
        b'/' | b'+' => before.len().checked_sub(1).and_then(|n| result_end(from + n)),
        _ => before.iter().rposition(|&b| b != b' ').and_then(|n| result_end(from + n)),
    }
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
        Some(b'0' | b'1') => is_first_number(&rest[len..]),
        Some(&b) => is_whitespace(b) || wide_whitespace(&rest[len..]) > 0,
    }
}

/// Returns `true` if `rest` starts with the number of a first move: `1.`, `01.` or `001.`.
#[cold]
fn is_first_number(rest: &[u8]) -> bool {
    let zeros = rest.iter().take(2).take_while(|&&b| b == b'0').count();
    rest[zeros..].starts_with(b"1.")
}

/// The two ways to write halves.
#[derive(Clone, Copy, PartialEq)]
enum HalfForm {
    /// `1/2`, or `1 1/2` in Delfts' system.
    Fraction,
    /// `½`.
    Sign,
}

/// Returns the length of `X-Y`, where X and Y are whole points that make at most two.
fn whole_points_len(rest: &[u8]) -> Option<usize> {
    let points = |at: usize| rest.get(at).map(|digit| digit.wrapping_sub(b'0')).filter(|&points| points <= 2);
    let first = points(0)?;
    let at = skip_separator(rest, 1)?;
    (first + points(at)? <= 2).then_some(at + 1)
}

/// Returns the length of `X-Y`, where X and Y are both halves of the given form.
fn halves_len(rest: &[u8], form: HalfForm) -> Option<usize> {
    let at = half_end(rest, 0, form)?;
    half_end(rest, skip_separator(rest, at)?, form)
}

/// Returns the offset just after the separator of the points that follows offset `at`, and the spaces around it.
fn skip_separator(rest: &[u8], at: usize) -> Option<usize> {
    let at = skip_spaces(rest, at);
    Some(skip_spaces(rest, at + point_separator_len(&rest[at..])?))
}

/// Returns the offset just after the half that starts at offset `at`.
fn half_end(rest: &[u8], at: usize, form: HalfForm) -> Option<usize> {
    let spellings: [&[u8]; 4] = match form {
        HalfForm::Fraction => [b"1/2", b"1 1/2", b"1/2", b"1/2"],
        HalfForm::Sign => ["½".as_bytes(), b"\xBD", b"&frac12;", b"&#189;"],
    };
    spellings.iter().find(|half| rest[at..].starts_with(half)).map(|half| at + half.len())
}

/// Returns the length of the separator of points that `rest` starts with: a colon, a hyphen, or a dash of any length in
/// UTF-8, Windows-1252 or HTML.
fn point_separator_len(rest: &[u8]) -> Option<usize> {
    match rest {
        [b'-' | b':' | 0x96, ..] => Some(1),
        [0xE2, 0x80, 0x90..=0x95, ..] | [0xE2, 0x88, 0x92, ..] => Some(3),
        [b'&', ..] => {
            let names: [&[u8]; 3] = [b"&ndash;", b"&#8211;", b"&minus;"];
            names.iter().find(|name| rest.starts_with(name)).map(|name| name.len())
        }
        _ => None,
    }
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
    if !matches!(rest, [b'1', b'+' | b'-', ..]) {
        return None;
    }
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
