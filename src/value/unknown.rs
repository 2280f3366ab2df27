//! Tag values that say that something is not known.

/// Returns `true` for a text that stands for something unknown: `?`, `??`, `????.??.??`. Linear in its length.
///
/// It has a question mark, and besides only the signs that stand between the parts of a date or of a name. An empty text says nothing
/// at all, and `-` is a value: that there is no round.
pub fn is_unknown(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.all(|byte| matches!(byte, b'?' | b'.' | b',' | b'-' | b'/' | b' ')) && text.contains('?')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn question_marks_alone_are_unknown() {
        for text in ["?", "??", "????.??.??", "?/?", "?, ?"] {
            assert!(is_unknown(text), "{text}");
        }
        for text in ["", "-", "1990.??.??", "Ames?", "? Ames", "?!"] {
            assert!(!is_unknown(text), "{text}");
        }
    }
}
