//! Blanks and lines. Every byte up to and including the space counts as blank: tabs, line ends, the NULs and the
//! Ctrl-Z that DOS programs left at the end of files.

/// Whether `byte` only separates: the space and every control character.
#[inline]
pub const fn is_blank(byte: u8) -> bool {
    byte <= b' '
}

/// Whether `byte` ends a line: LF or CR.
#[inline]
pub const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// What a run of blanks contained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blanks {
    /// Offset of the first byte that is not blank, or the length of the input.
    pub end: usize,
    /// Line ends passed; CRLF counts once.
    pub lines: u32,
}

/// Passes the blanks that start at `at`.
#[inline]
pub fn skip_blanks(bytes: &[u8], at: usize) -> Blanks {
    let mut end = at;
    let mut lines = 0;
    let mut before = 0;
    while let Some(&byte) = bytes.get(end) {
        if !is_blank(byte) {
            break;
        }
        lines += u32::from(byte == b'\r' || (byte == b'\n' && before != b'\r'));
        before = byte;
        end += 1;
    }
    Blanks { end, lines }
}

/// Whether only blanks stand between `at` and the start of its line, `from` being the start of the input.
///
/// Looks back over at most the blanks before `at`.
#[inline]
pub fn starts_line(bytes: &[u8], from: usize, at: usize) -> bool {
    for &byte in bytes[from..at].iter().rev() {
        if is_line_end(byte) {
            return true;
        }
        if !is_blank(byte) {
            return false;
        }
    }
    true
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
            assert_eq!(skip_blanks(text.as_bytes(), 0), Blanks { end: text.len(), lines }, "{text:?}");
        }
        assert_eq!(skip_blanks(b"a \n b", 1), Blanks { end: 4, lines: 1 });
    }

    #[test]
    fn a_tab_does_not_hide_a_line_start() {
        assert!(starts_line(b"x\n\t\t[", 0, 4));
        assert!(starts_line(b"  [", 0, 2));
        assert!(!starts_line(b"x [", 0, 2));
        assert!(starts_line(b"x [", 1, 2), "what lies before `from` does not exist");
    }
}
