//! The error type that all values share: a kind, a span and a message.

use core::fmt;

use super::span::Span;

/// The error of a value that cannot be read: the kind holds what was found and expected, the span where.
///
/// Each value type has its own kinds; `FenError` is `ValueError<FenErrorKind>`. At most 16 bytes and `Copy`; the
/// message is formatted only when it is printed.
///
/// ```
/// use pdn_rules::value::{GameType, GameTypeErrorKind};
///
/// let error = GameType::parse(b"20,X").unwrap_err();
/// assert!(matches!(error.kind, GameTypeErrorKind::BadStart(_)));
/// assert_eq!(error.span, (3..4).into());
/// assert_eq!(error.to_string(), "expected the side that starts, `W` or `B`, found `X`");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct ValueError<K> {
    /// What was found and what was expected.
    pub kind: K,
    /// The bytes concerned, relative to the first byte of the value's text.
    pub span: Span,
}

impl<K> ValueError<K> {
    /// Creates an error about a span of the value's text.
    #[cold]
    pub const fn new(kind: K, span: Span) -> Self {
        Self { kind, span }
    }

    /// Returns the error with its span relative to a point `by` bytes earlier, such as the start of the record.
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

impl<K: fmt::Display + fmt::Debug> core::error::Error for ValueError<K> {}

/// The byte found where another one was expected; `None` for the end of the text.
///
/// ```
/// use pdn_rules::value::UnexpectedByte;
///
/// assert_eq!(UnexpectedByte(Some(b'x')).to_string(), "`x`");
/// assert_eq!(UnexpectedByte(None).to_string(), "the end of the text");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct UnexpectedByte(pub Option<u8>);

impl UnexpectedByte {
    /// Returns the byte of `text` at the offset `at`.
    pub fn at(text: &[u8], at: usize) -> Self {
        Self(text.get(at).copied())
    }
}

impl fmt::Display for UnexpectedByte {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("the end of the text"),
            Some(b' ') => f.write_str("a space"),
            Some(byte) if byte.is_ascii_graphic() => write!(f, "`{}`", char::from(byte)),
            Some(byte) => write!(f, "the byte 0x{byte:02X}"),
        }
    }
}

/// A text that names no value of an enumeration, such as `X999` as a diagnostic code.
///
/// ```
/// use pdn_rules::value::Colour;
///
/// let error = "red".parse::<Colour>().unwrap_err();
/// assert_eq!(error.to_string(), "expected a colour: `White` or `Black`");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct UnknownName {
    /// The kind of name that was expected, such as `a severity`.
    pub expected: &'static str,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.expected)
    }
}

impl core::error::Error for UnknownName {}

/// Returns the span `start..end` of a text. Texts are shorter than 4 GiB; offsets beyond that are clipped.
pub fn span(start: usize, end: usize) -> Span {
    let clip = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(clip(start), clip(end))
}

/// Returns `text` without ASCII whitespace at both ends, and the offset at which it starts.
pub fn trimmed(text: &[u8]) -> (&[u8], usize) {
    let rest = text.trim_ascii_start();
    (rest.trim_ascii_end(), text.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn unexpected_byte_displays_unprintable_bytes_in_hex() {
        for (byte, text) in [
            (None, "the end of the text"),
            (Some(b'x'), "`x`"),
            (Some(b' '), "a space"),
            (Some(0xE9), "the byte 0xE9"),
        ] {
            assert_eq!(UnexpectedByte(byte).to_string(), text);
        }
    }

    #[test]
    fn trimmed_returns_the_offset_of_the_rest() {
        assert_eq!(trimmed(b" \t1-0 "), (&b"1-0"[..], 2));
        assert_eq!(trimmed(b"  "), (&b""[..], 2));
    }
}
