//! Escapes in tag values.

use std::borrow::Cow;

/// A tag value without its escapes: `\"` is a quote and `\\` a backslash; a backslash before anything else is
/// itself. Allocates only if there is one.
pub fn unescape(value: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', value).is_none() {
        return Cow::Borrowed(value);
    }
    let mut plain = Vec::with_capacity(value.len());
    let mut bytes = value.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match bytes.peek() {
            Some(&next @ (b'"' | b'\\')) if byte == b'\\' => {
                plain.push(next);
                bytes.next();
            }
            _ => plain.push(byte),
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_quotes_and_backslashes_are_escaped() {
        for (value, plain) in [("a", "a"), (r#"a \"b\""#, r#"a "b""#), (r"C:\x\\", r"C:\x\"), (r"\", r"\")] {
            assert_eq!(unescape(value.as_bytes()), plain.as_bytes(), "{value}");
        }
    }
}
