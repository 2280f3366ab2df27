//! Recognises the tag values that are their own text: ASCII with neither escapes nor entities.
#![expect(unsafe_code, reason = "the standard library has no safe way to take checked ASCII as text")]

/// Returns a tag value as text if it is ASCII without backslashes and ampersands, so that it has neither escapes nor entities. Tests
/// eight bytes at a time, because most values are short; for these, `str::from_utf8` takes longer than all the rest.
// Twin: the test of each byte; test: `plain_ascii_is_found_byte_by_byte`.
#[inline]
pub(super) fn plain_ascii(value: &[u8]) -> Option<&str> {
    if !is_plain_ascii(value) {
        return None;
    }
    // SAFETY: No byte of `value` has its high bit set, so all are ASCII, which is valid UTF-8.
    Some(unsafe { std::str::from_utf8_unchecked(value) })
}

/// Returns `true` if each byte is ASCII, but neither a backslash nor an ampersand.
#[inline]
fn is_plain_ascii(value: &[u8]) -> bool {
    const EACH: u64 = u64::from_le_bytes([1; 8]);
    const HIGH_BITS: u64 = EACH << 7;
    // The high bit of some byte is set if the word contains the byte.
    let contains = |word: u64, byte: u8| {
        let rest = word ^ (EACH * u64::from(byte));
        rest.wrapping_sub(EACH) & !rest
    };
    let others = |word: u64| word | contains(word, b'\\') | contains(word, b'&');
    let (words, _) = value.as_chunks();
    let found = words.iter().fold(0, |found, &word| found | others(u64::from_le_bytes(word)));
    // The last eight bytes overlap the words before them.
    let last = value.last_chunk().map_or_else(|| short_word(value), |&last| u64::from_le_bytes(last));
    (found | others(last)) & HIGH_BITS == 0
}

/// Returns a word of bytes that are those of `value`, in any order and number, and perhaps zeros. `value` has fewer than eight bytes.
#[inline]
fn short_word(value: &[u8]) -> u64 {
    match (value.first_chunk(), value.last_chunk()) {
        (Some(&first), Some(&last)) => {
            u64::from(u32::from_le_bytes(first)) | u64::from(u32::from_le_bytes(last)) << 32
        }
        _ => value.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_ascii_is_found_byte_by_byte() {
        for len in 0..=20 {
            let plain = vec![b'a'; len];
            assert_eq!(plain_ascii(&plain).map(str::as_bytes), Some(plain.as_slice()));
            for at in 0..len {
                for byte in 0..=u8::MAX {
                    let mut value = plain.clone();
                    value[at] = byte;
                    let is_plain = byte.is_ascii() && !matches!(byte, b'\\' | b'&');
                    let expected = is_plain.then_some(value.as_slice());
                    assert_eq!(plain_ascii(&value).map(str::as_bytes), expected, "{}", value.escape_ascii());
                }
            }
        }
    }
}
