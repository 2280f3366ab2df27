//! The error type that all values share: a span and a message.

use core::fmt;

use super::span::Span;

/// The error of a value that cannot be read: where, and a message that says what was found and expected.
///
/// It is `Copy`; the message is formatted only when it is printed.
///
/// ```
/// use pdn_rules::value::GameType;
///
/// let error = GameType::parse(b"20,X").unwrap_err();
/// assert_eq!(error.span, (3..4).into());
/// assert_eq!(error.to_string(), "expected the side that starts, `W` or `B`, found `X`");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct ValueError {
    /// The bytes concerned, relative to the first byte of the value's text.
    pub span: Span,
    problem: Problem,
}

/// What is wrong with a value: the parts of the message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Problem {
    /// A byte in place of what was expected: `expected .., found ..`.
    Unexpected(&'static str, UnexpectedByte),
    /// A number with what is wrong with it: `found 13 ..`.
    Number(u16, &'static str),
    /// More than a limit allows: `found more than 4 .., expected at most 4`.
    MoreThan(u32, &'static str),
    /// The whole message.
    Message(&'static str),
}

impl ValueError {
    /// Creates an error about a span of the value's text.
    #[doc(hidden)]
    #[cold]
    pub const fn new(problem: Problem, span: Span) -> Self {
        Self { problem, span }
    }

    /// Returns the error with its span relative to a point `by` bytes earlier, such as the start of the record.
    #[must_use]
    pub fn shifted(self, by: u32) -> Self {
        Self { problem: self.problem, span: self.span.shifted(by) }
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problem {
            Problem::Unexpected(expected, found) => write!(f, "expected {expected}, found {found}"),
            Problem::Number(number, wrong) => write!(f, "found {number} {wrong}"),
            Problem::MoreThan(most, what) => {
                write!(f, "found more than {most} {what}, expected at most {most}")
            }
            Problem::Message(message) => f.write_str(message),
        }
    }
}

impl core::error::Error for ValueError {}

/// The byte found where another one was expected; `None` for the end of the text.
///
/// ```
/// use pdn_rules::internal::value::UnexpectedByte;
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
