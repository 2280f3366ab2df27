//! Recognises whitespace and lines.
//!
//! Every byte up to and including the space is whitespace: tabs, line ends, and the NUL and Ctrl-Z bytes that DOS
//! programs left at the end of files. The no-break space and the byte order mark in UTF-8 are whitespace too: text
//! copied from web pages has the first anywhere, and joined files have the second in the middle.

/// Returns `true` if `byte` only separates: the space and every control character.
#[inline]
pub const fn is_whitespace(byte: u8) -> bool {
    byte <= b' '
}

/// Returns the length in bytes of the no-break space or byte order mark (both in UTF-8) that `rest` starts with,
/// or 0 if it starts with neither.
#[inline]
pub const fn wide_whitespace(rest: &[u8]) -> usize {
    match rest {
        [0xC2, 0xA0, ..] => 2,
        [0xEF, 0xBB, 0xBF, ..] => 3,
        _ => 0,
    }
}

/// Returns `true` if `byte` ends a line: LF or CR.
#[inline]
pub(crate) const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The extent of a run of whitespace and the line ends in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WhitespaceRun {
    /// The offset of the first byte that is not whitespace, or the length of the input.
    pub end: usize,
    /// The number of line ends in the run; CRLF counts once.
    pub lines: u32,
}

/// Skips the whitespace that starts at offset `at`. The run is empty if there is none.
#[inline]
pub(crate) fn skip_whitespace(bytes: &[u8], at: usize) -> WhitespaceRun {
    let mut end = at;
    let mut lines = 0;
    let mut previous = 0;
    while let Some(&byte) = bytes.get(end) {
        if !is_whitespace(byte) {
            if byte.is_ascii() {
                break;
            }
            match wide_whitespace(&bytes[end..]) {
                0 => break,
                len => end += len,
            }
            previous = 0;
            continue;
        }
        lines += u32::from(byte == b'\r' || (byte == b'\n' && previous != b'\r'));
        previous = byte;
        end += 1;
    }
    WhitespaceRun { end, lines }
}

/// Returns `true` if only whitespace stands between offset `at` and the start of its line. The input starts at
/// offset `from`: bytes before it are ignored.
///
/// Reads backwards over at most the whitespace before `at`.
#[inline]
pub(crate) fn starts_line(bytes: &[u8], from: usize, at: usize) -> bool {
    let mut before = &bytes[from..at];
    while let Some((&byte, rest)) = before.split_last() {
        if is_line_end(byte) {
            return true;
        }
        before = match before {
            _ if is_whitespace(byte) => rest,
            [rest @ .., 0xC2, 0xA0] | [rest @ .., 0xEF, 0xBB, 0xBF] => rest,
            _ => return false,
        };
    }
    true
}

/// Returns `true` if the whitespace right before offset `at` contains an empty line. The input starts at offset
/// `from`: bytes before it are ignored.
///
/// Reads over at most the whitespace before `at`, twice.
pub(crate) fn after_empty_line(bytes: &[u8], from: usize, at: usize) -> bool {
    let mut start = at;
    while start > from {
        start -= match &bytes[from..start] {
            [.., byte] if is_whitespace(*byte) => 1,
            [.., 0xC2, 0xA0] => 2,
            [.., 0xEF, 0xBB, 0xBF] => 3,
            _ => break,
        };
    }
    skip_whitespace(&bytes[..at], start).lines > 1
}

/// Returns the offset just after the run of equal bytes that starts at offset `at`; a run has at least one byte.
///
/// # Panics
///
/// If `at` lies outside of `bytes`.
#[inline]
pub(crate) fn run_end(bytes: &[u8], at: usize) -> usize {
    match bytes[at..] {
        [byte, next, ..] if byte == next => long_run_end(bytes, at, byte),
        _ => at + 1,
    }
}

// Twin: the length of the run as the test made it; test: run_end_returns_first_different_byte.
#[cold]
fn long_run_end(bytes: &[u8], at: usize, byte: u8) -> usize {
    let (blocks, _) = bytes[at..].as_chunks::<64>();
    let equal =
        blocks.iter().take_while(|block| block.iter().fold(0, |differing, &b| differing | (b ^ byte)) == 0);
    let at = at + 64 * equal.count();
    bytes[at..].iter().position(|&b| b != byte).map_or(bytes.len(), |n| at + n)
}

/// Returns the offset of the line end that closes the line of offset `at`, or the length of the input.
#[inline]
pub(crate) fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |n| at + n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skip_whitespace_counts_each_line_end_once() {
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
            assert_eq!(
                skip_whitespace(text.as_bytes(), 0),
                WhitespaceRun { end: text.len(), lines },
                "{text:?}"
            );
        }
        assert_eq!(skip_whitespace(b"a \n b", 1), WhitespaceRun { end: 4, lines: 1 });
        assert_eq!(
            skip_whitespace("\u{feff}\n\u{a0}\u{a0}\nb".as_bytes(), 0),
            WhitespaceRun { end: 9, lines: 2 }
        );
        assert!(after_empty_line("x\n\u{a0}\n[".as_bytes(), 0, 5));
        assert!(!after_empty_line(b"x\n\n[", 2, 3), "bytes before `from` are ignored");
    }

    #[test]
    fn run_end_returns_first_different_byte() {
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
    fn starts_line_ignores_whitespace_before_offset() {
        assert!(starts_line(b"x\n\t\t[", 0, 4));
        assert!(starts_line(b"  [", 0, 2));
        assert!(!starts_line(b"x [", 0, 2));
        assert!(starts_line(b"x [", 1, 2), "bytes before `from` are ignored");
        assert!(starts_line("x\n\u{feff}[".as_bytes(), 0, 5));
        assert!(starts_line("x\n\u{a0} \u{a0}[".as_bytes(), 0, 7));
    }
}
