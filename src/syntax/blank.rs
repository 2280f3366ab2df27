//! Blanks and lines. Every byte up to and including the space counts as blank: tabs, line ends, the NULs and the
//! Ctrl-Z that DOS programs left at the end of files. So do the no-break space and the byte order mark in UTF-8:
//! text copied from web pages has the first anywhere, files that were joined have the second in their middle.

/// Whether `byte` only separates: the space and every control character.
#[inline]
pub const fn is_blank(byte: u8) -> bool {
    byte <= b' '
}

/// Length of the no-break space or byte order mark that stands first in `rest`, 0 if neither does.
#[inline]
pub const fn odd_blank(rest: &[u8]) -> usize {
    match rest {
        [0xC2, 0xA0, ..] => 2,
        [0xEF, 0xBB, 0xBF, ..] => 3,
        _ => 0,
    }
}

/// Whether `byte` ends a line: LF or CR.
#[inline]
pub const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// What a run of blanks contained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WhitespaceRun {
    /// Offset of the first byte that is not blank, or the length of the input.
    pub end: usize,
    /// Line ends passed; CRLF counts once.
    pub lines: u32,
}

/// Passes the blanks that start at `at`.
#[inline]
pub fn skip_blanks(bytes: &[u8], at: usize) -> WhitespaceRun {
    let mut end = at;
    let mut lines = 0;
    let mut before = 0;
    while let Some(&byte) = bytes.get(end) {
        if !is_blank(byte) {
            if byte.is_ascii() {
                break;
            }
            match odd_blank(&bytes[end..]) {
                0 => break,
                len => end += len,
            }
            before = 0;
            continue;
        }
        lines += u32::from(byte == b'\r' || (byte == b'\n' && before != b'\r'));
        before = byte;
        end += 1;
    }
    WhitespaceRun { end, lines }
}

/// Whether only blanks stand between `at` and the start of its line, `from` being the start of the input.
///
/// Looks back over at most the blanks before `at`.
#[inline]
pub fn starts_line(bytes: &[u8], from: usize, at: usize) -> bool {
    let mut before = &bytes[from..at];
    while let Some((&byte, rest)) = before.split_last() {
        if is_line_end(byte) {
            return true;
        }
        before = match before {
            _ if is_blank(byte) => rest,
            [rest @ .., 0xC2, 0xA0] | [rest @ .., 0xEF, 0xBB, 0xBF] => rest,
            _ => return false,
        };
    }
    true
}

/// Whether an empty line stands between the last byte before `at` that is not blank and `at`, `from` being the
/// start of the input.
///
/// Looks back over at most the blanks before `at`.
pub fn after_empty_line(bytes: &[u8], from: usize, at: usize) -> bool {
    let mut start = at;
    while start > from {
        start -= match &bytes[from..start] {
            [.., byte] if is_blank(*byte) => 1,
            [.., 0xC2, 0xA0] => 2,
            [.., 0xEF, 0xBB, 0xBF] => 3,
            _ => break,
        };
    }
    skip_blanks(&bytes[..at], start).lines > 1
}

/// Offset past the byte at `at` and all that follow and equal it.
#[inline]
pub fn run_end(bytes: &[u8], at: usize) -> usize {
    match bytes[at..] {
        [byte, next, ..] if byte == next => long_repeats_end(bytes, at, byte),
        _ => at + 1,
    }
}

#[cold]
fn long_repeats_end(bytes: &[u8], at: usize, byte: u8) -> usize {
    let (blocks, _) = bytes[at..].as_chunks::<64>();
    let whole = blocks.iter().take_while(|block| block.iter().fold(0, |odd, &b| odd | (b ^ byte)) == 0);
    let at = at + 64 * whole.count();
    bytes[at..].iter().position(|&b| b != byte).map_or(bytes.len(), |n| at + n)
}

/// Offset of the line end that closes the line of `at`, or the length of the input.
#[inline]
pub fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |n| at + n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_count_once_each() {
        for (text, lines) in [
            ("", 0),
            ("  \t", 0),
            ("\n", 1),
            ("\r\n", 1),
            ("\n\n", 2),
            ("\r\r", 2),
            ("\r\n \r\n", 2),
            ("\n\r\n", 2),
        ] {
            assert_eq!(skip_blanks(text.as_bytes(), 0), WhitespaceRun { end: text.len(), lines }, "{text:?}");
        }
        assert_eq!(skip_blanks(b"a \n b", 1), WhitespaceRun { end: 4, lines: 1 });
        assert_eq!(
            skip_blanks("\u{feff}\n\u{a0}\u{a0}\nb".as_bytes(), 0),
            WhitespaceRun { end: 9, lines: 2 }
        );
        assert!(after_empty_line("x\n\u{a0}\n[".as_bytes(), 0, 5));
        assert!(!after_empty_line(b"x\n\n[", 2, 3), "what lies before `from` does not exist");
    }

    #[test]
    fn repeats_end_at_another_byte() {
        for len in 1..200 {
            for rest in ["", ")", " ((("] {
                let text = [b"x", "(".repeat(len).as_bytes(), rest.as_bytes()].concat();
                for at in 1..=len {
                    assert_eq!(run_end(&text, at), len + 1, "{len} {at} {rest:?}");
                }
            }
        }
    }

    #[test]
    fn a_tab_does_not_hide_a_line_start() {
        assert!(starts_line(b"x\n\t\t[", 0, 4));
        assert!(starts_line(b"  [", 0, 2));
        assert!(!starts_line(b"x [", 0, 2));
        assert!(starts_line(b"x [", 1, 2), "what lies before `from` does not exist");
        assert!(starts_line("x\n\u{feff}[".as_bytes(), 0, 5));
        assert!(starts_line("x\n\u{a0} \u{a0}[".as_bytes(), 0, 7));
    }
}
