//! What small pieces of text say: numbers, and tag values with escapes.

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

/// The number that `text` starts with, and how many digits it has.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn leading_number(text: &[u8]) -> (u32, usize) {
    let value = |digit: u8| u32::from(digit - b'0');
    match text {
        // Nearly all, without a loop.
        [a @ b'0'..=b'9', b'.', ..] => (value(*a), 1),
        [a @ b'0'..=b'9', b @ b'0'..=b'9', b'.', ..] => (10 * value(*a) + value(*b), 2),
        _ => {
            let digits = text.iter().take_while(|b| b.is_ascii_digit());
            digits.fold((0, 0), |(number, count), &digit| {
                (u32::saturating_add(u32::saturating_mul(number, 10), value(digit)), count + 1)
            })
        }
    }
}

/// The number of the annotation `text`; [`u32::MAX`] if it is larger than that.
pub(crate) fn nag_number(text: &[u8]) -> u32 {
    text.get(1..).map_or(0, |digits| leading_number(digits).0)
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
