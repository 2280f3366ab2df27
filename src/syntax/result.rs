//! Results among moves. Only those that can never be a move are known here; the ones of odd score systems
//! (`4-6`, `1.02-0.98`) need the Result tag and are left to the parser.

use super::blank::{is_blank, odd_blank};

/// Length of the result that starts at `at`, if one does and stands alone: `1-0 0-1 2-0 0-2 1-1 0-0`, halves as
/// `1/2-1/2` with or without blanks, Delfts' `1 1/2 - 1/2`, `½-½` in UTF-8, Latin-1 or HTML, and
/// `1+ - 1-`. `*` is not among them, see [`is_glued_star`].
///
/// It stands alone when a blank, a comment, a bracket, the mark that ends a sentence or the end follows; `1-18` is
/// a move. What may stand before it is told by [`result_may_start`].
#[inline]
pub fn plain_result(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..];
    let len = match rest {
        [b'0', b'-', b'0' | b'1' | b'2', ..] | [b'1', b'-', b'0' | b'1', ..] | [b'2', b'-', b'0', ..]
            if ends_token(rest, 3) =>
        {
            return Some(3);
        }
        [b'1', b'+' | b'-', ..] => plus(rest)?,
        [b'1', b'/' | b' ', ..] => pair(rest, Part::Half)?,
        [0xC2 | 0xBD | b'&', ..] => pair(rest, Part::Sign)?,
        _ => return None,
    };
    ends_token(rest, len).then_some(len)
}

/// Whether the star at `at` belongs to the move before it, as a mark for a forced move: it touches it.
/// A star that stands apart ends the game. `from` is the start of the input.
#[inline]
pub fn is_glued_star(bytes: &[u8], from: usize, at: usize) -> bool {
    match &bytes[from..at] {
        [.., b'0'..=b'9' | b'!' | b'?' | b'>' | b'*'] => true,
        // A strength, `(!)`, but not the end of a variation.
        [before @ .., b')'] => {
            let marks = before.iter().rev().take_while(|&&b| b == b'!' || b == b'?').count();
            marks > 0 && before[..before.len() - marks].last() == Some(&b'(')
        }
        _ => false,
    }
}

/// Whether a result may start at `at`: no number, dash or separator touches it from before. Words may, since braces
/// get lost. `from` is the start of the input.
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

/// Whether nothing that could continue a word stands after the first `len` bytes.
#[inline]
fn ends_token(rest: &[u8], len: usize) -> bool {
    match rest.get(len) {
        None => true,
        Some(b'.' | b',') => !rest.get(len + 1).is_some_and(u8::is_ascii_digit),
        Some(b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'*' | b'!' | b'?' | b'"' | b'\\') => true,
        Some(&b) => is_blank(b) || odd_blank(&rest[len..]) > 0,
    }
}

/// The two ways to write halves.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    /// `1/2`, or `1 1/2` in Delfts' system.
    Half,
    /// `½`.
    Sign,
}

/// `X-Y` where X and Y are both halves, blanks around the dash allowed.
fn pair(rest: &[u8], part: Part) -> Option<usize> {
    let mut at = half(rest, 0, part)?;
    at = spaces(rest, at);
    at += dash(&rest[at..])?;
    at = spaces(rest, at);
    half(rest, at, part)
}

/// Offset past the half that starts at `at`.
fn half(rest: &[u8], at: usize, part: Part) -> Option<usize> {
    let signs: [&[u8]; 4] = match part {
        Part::Half => [b"1/2", b"1 1/2", b"1/2", b"1/2"],
        Part::Sign => ["½".as_bytes(), b"\xBD", b"&frac12;", b"&#189;"],
    };
    signs.iter().find(|sign| rest[at..].starts_with(sign)).map(|sign| at + sign.len())
}

/// Length of a dash in any of its writings.
fn dash(rest: &[u8]) -> Option<usize> {
    let dashes: [&[u8]; 5] = [b"-", b"&ndash;", b"&#8211;", "–".as_bytes(), b"\x96"];
    dashes.iter().find(|dash| rest.starts_with(dash)).map(|dash| dash.len())
}

fn spaces(rest: &[u8], mut at: usize) -> usize {
    while rest.get(at) == Some(&b' ') {
        at += 1;
    }
    at
}

/// `1+ - 1-` and `1- - 1+`: a draw with the better position for one side.
fn plus(rest: &[u8]) -> Option<usize> {
    let mut at = spaces(rest, 2);
    if rest.get(at) != Some(&b'-') {
        return None;
    }
    at = spaces(rest, at + 1);
    let other = if rest[1] == b'+' { b'-' } else { b'+' };
    (rest.get(at) == Some(&b'1') && rest.get(at + 1) == Some(&other)).then_some(at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_and_moves_are_told_apart() {
        let check = |text: &[u8], len: Option<usize>| {
            assert_eq!(plain_result(text, 0), len, "{}", String::from_utf8_lossy(text));
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
    fn a_star_that_touches_a_move_is_a_mark() {
        assert!(is_glued_star(b"27-20*", 0, 5));
        assert!(is_glued_star(b"27-20!*", 0, 6));
        assert!(!is_glued_star(b"27-20 *", 0, 6));
        assert!(!is_glued_star(b"*", 0, 0));
        assert!(!is_glued_star(b"{x}*", 0, 3));
        assert!(is_glued_star(b"27-20(!)*", 0, 8));
        assert!(!is_glued_star(b"(27-20!)*", 0, 8), "the end of a variation is no move");
        assert!(!is_glued_star(b"()*", 0, 2));
        assert!(!is_glued_star(b"time*", 0, 4), "no move ends with a letter");
        assert!(!is_glued_star(b"\\r\\n*", 0, 4));
    }

    #[test]
    fn a_result_touches_no_number_from_behind() {
        let check = |before: &str, free: bool| {
            let text = [before, "1-0"].concat();
            assert_eq!(result_may_start(text.as_bytes(), 0, before.len()), free, "{text:?}");
        };
        for before in ["", " ", "}", "\u{a0}", "time", "ход", "time.", ")"] {
            check(before, true);
        }
        for before in ["1", "-", "22x", "22:", "22\u{d7}", "22\u{2013}", "1/"] {
            check(before, false);
        }
    }
}
