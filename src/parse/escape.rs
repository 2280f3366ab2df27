//! Escapes and unescapes tag values.

use std::borrow::Cow;

/// Returns `value` as it stands between the quotes of a tag pair: with a backslash before every quote and backslash.
/// Allocates only if there is one.
///
/// [`unescape`] undoes it.
///
/// ```
/// assert_eq!(pdn::parse::escape(br#"a "b" c"#), &br#"a \"b\" c"#[..]);
/// ```
pub fn escape(value: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr::memchr2(b'"', b'\\', value) else { return Cow::Borrowed(value) };
    let mut escaped = Vec::with_capacity(value.len() + 8);
    escaped.extend_from_slice(&value[..first]);
    for &byte in &value[first..] {
        if matches!(byte, b'"' | b'\\') {
            escaped.push(b'\\');
        }
        escaped.push(byte);
    }
    Cow::Owned(escaped)
}

/// Returns a tag value without its escapes: `\"` becomes a quote and `\\` a backslash. `\'`, which some programs write, becomes
/// an apostrophe. A backslash before any other byte is kept. Allocates only if the value contains a backslash.
pub fn unescape(value: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', value).is_none() {
        return Cow::Borrowed(value);
    }
    let mut unescaped = Vec::with_capacity(value.len());
    let mut bytes = value.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match bytes.peek() {
            Some(&next @ (b'"' | b'\'' | b'\\')) if byte == b'\\' => {
                unescaped.push(next);
                bytes.next();
            }
            _ => unescaped.push(byte),
        }
    }
    Cow::Owned(unescaped)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn unescape_replaces_escaped_quotes_and_backslashes_only() {
        for (value, expected) in [
            ("a", "a"),
            (r#"a \"b\""#, r#"a "b""#),
            (r"D\'Almeida", "D'Almeida"),
            (r"C:\x\\", r"C:\x\"),
            (r"\", r"\"),
        ] {
            assert_eq!(unescape(value.as_bytes()), expected.as_bytes(), "{value}");
        }
    }

    #[test]
    fn escape_borrows_where_nothing_changes() {
        assert!(matches!(escape(b"Sijbrands"), Cow::Borrowed(b"Sijbrands")));
        assert!(matches!(escape(b""), Cow::Borrowed(b"")));
    }

    proptest! {
        #[test]
        fn unescape_undoes_escape(value in r#"([a-z\\"]|\PC){0,20}"#) {
            let escaped = escape(value.as_bytes());
            prop_assert_eq!(&*unescape(&escaped), value.as_bytes());
            // Between quotes it is one value, whatever it contains.
            let tag = [b"[Event \"", &escaped[..], b"\"]"].concat();
            let spans = crate::syntax::scan_tag(&tag, 0).expect("a tag");
            prop_assert_eq!((spans.value, spans.end), ((8, tag.len() - 2), tag.len()));
        }
    }
}
