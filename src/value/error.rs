//! One shape for everything that can be wrong with a value: what, where, and a sentence.

use std::fmt;

use crate::span::Span;

/// A value that cannot be read: the kind says what was found and expected, the span where.
///
/// Each value type names its own kinds; `FenError` is `ValueError<FenErrorKind>`. Two words wide and `Copy`,
/// nothing is formatted until somebody prints it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct ValueError<K> {
    /// What was found, and what was expected instead.
    pub kind: K,
    /// The bytes concerned, counted from the first byte of the value's text.
    pub span: Span,
}

impl<K> ValueError<K> {
    #[cold]
    pub(crate) const fn new(kind: K, span: Span) -> Self {
        Self { kind, span }
    }

    /// The same error with its span counted from a place `by` bytes earlier, such as the start of the game.
    #[must_use]
    pub fn shifted(self, by: u32) -> Self {
        Self { kind: self.kind, span: self.span.shifted(by) }
    }
}

impl<K: fmt::Display> fmt::Display for ValueError<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl<K: fmt::Display + fmt::Debug> std::error::Error for ValueError<K> {}

/// What stands where something else was expected: a byte, or the end of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct UnexpectedByte(pub Option<u8>);

impl UnexpectedByte {
    /// What stands at `at` in `text`.
    pub(crate) fn at(text: &[u8], at: usize) -> Self {
        Self(text.get(at).copied())
    }
}

impl fmt::Display for UnexpectedByte {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("the end of the text"),
            Some(b' ') => f.write_str("a blank"),
            Some(byte) if byte.is_ascii_graphic() => write!(f, "`{}`", char::from(byte)),
            Some(byte) => write!(f, "the byte 0x{byte:02X}"),
        }
    }
}

/// The span of `start..end` in a text; texts are shorter than 4 GiB, a longer one is clipped.
pub(crate) fn span(start: usize, end: usize) -> Span {
    let clip = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(clip(start), clip(end))
}

/// The part of `text` without blanks at both ends, and where it starts.
pub(crate) fn trimmed(text: &[u8]) -> (&[u8], usize) {
    let rest = text.trim_ascii_start();
    (rest.trim_ascii_end(), text.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn found_names_bytes_that_a_terminal_could_not_show() {
        for (byte, text) in [
            (None, "the end of the text"),
            (Some(b'x'), "`x`"),
            (Some(b' '), "a blank"),
            (Some(0xE9), "the byte 0xE9"),
        ] {
            assert_eq!(UnexpectedByte(byte).to_string(), text);
        }
    }

    #[test]
    fn trimming_says_where_the_rest_starts() {
        assert_eq!(trimmed(b" \t1-0 "), (&b"1-0"[..], 2));
        assert_eq!(trimmed(b"  "), (&b""[..], 2));
    }
}
