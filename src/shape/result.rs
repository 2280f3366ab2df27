//! Results among moves. Only those that can never be a move are known here; the ones of odd score systems
//! (`4-6`, `1.02-0.98`) need the Result tag and are left to the parser.

use super::blank::is_blank;

/// Length of the result that starts at `at`, if one does and stands alone: `1-0 0-1 2-0 0-2 1-1 0-0`, halves as
/// `1/2-1/2` with or without blanks, Delfts' `1 1/2 - 1/2`, `½-½` in UTF-8, Latin-1 or HTML, and
/// `1+ - 1-`. `*` is not among them, see [`is_glued_star`].
///
/// It stands alone when a blank, a comment, a bracket or the end follows; `1-18` is a move.
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
    at > from
        && matches!(bytes[at - 1], b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'!' | b'?' | b'>' | b'*' | b')')
}

/// Whether nothing that could continue a word stands after the first `len` bytes.
#[inline]
fn ends_token(rest: &[u8], len: usize) -> bool {
    match rest.get(len) {
        None => true,
        Some(&b) => is_blank(b) || matches!(b, b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'*'),
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
    }
}
