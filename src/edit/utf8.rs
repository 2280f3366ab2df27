//! Turns a file in other encodings into UTF-8.

use std::fmt;

use crate::source::{Decoder, Encoding};
use crate::split;

/// Returns `text`, the bytes of a file, in UTF-8. Each record is decoded in its own encoding, which `decoder` guesses.
///
/// # Errors
/// If a byte has no meaning in the encoding of its record; it would be lost.
///
/// ```
/// use pdn::internal::edit::to_utf8;
/// use pdn::source::{Decoder, Encoding};
///
/// let file = Encoding::CP866.encode("[White \"Иванов\"]\n1. c3-d4 *\n").unwrap();
/// assert_eq!(to_utf8(&file, &Decoder::new(None, &file))?, "[White \"Иванов\"]\n1. c3-d4 *\n");
/// # Ok::<(), pdn::internal::edit::Undecodable>(())
/// ```
pub fn to_utf8(text: &[u8], decoder: &Decoder) -> Result<String, Undecodable> {
    let mut utf8 = String::with_capacity(text.len() + text.len() / 8);
    for record in split::records(text) {
        let encoding = decoder.guess(record.bytes).encoding;
        let decoded = encoding.decode(record.bytes);
        // U+FFFD stands for a lost byte, unless the file has that character itself.
        if decoded.contains(char::REPLACEMENT_CHARACTER)
            && encoding.encode(&decoded).as_deref() != Some(record.bytes)
        {
            return Err(Undecodable { offset: record.offset, encoding });
        }
        utf8.push_str(&decoded);
    }
    Ok(utf8)
}

/// The error of bytes without a meaning in the encoding of their record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Undecodable {
    /// The offset of the record in the file, in bytes.
    pub offset: u64,
    /// The encoding of the record.
    pub encoding: Encoding,
}

impl fmt::Display for Undecodable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, encoding } = self;
        write!(f, "the game at byte {offset} has bytes without a meaning in {encoding}")
    }
}

impl std::error::Error for Undecodable {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_record_is_decoded_in_its_own_encoding() {
        let latin =
            Encoding::WINDOWS_1252.encode("[White \"Gérard\"]\n[Event \"Léman\"]\n1. 32-28 *\n").unwrap();
        let utf8 = "[White \"Куперман\"]\n1. 32-28 *\n";
        let file = [&latin[..], utf8.as_bytes()].concat();
        let text = to_utf8(&file, &Decoder::new(None, &file)).unwrap();
        assert_eq!(text, format!("[White \"Gérard\"]\n[Event \"Léman\"]\n1. 32-28 *\n{utf8}"));
    }

    #[test]
    fn bytes_that_would_be_lost_are_an_error() {
        let file = b"1. 32-28 *\n[White \"a\xFFb\"] 1. 32-28 *\n";
        let error = to_utf8(file, &Decoder::new(Some(Encoding::UTF_8), file)).unwrap_err();
        assert_eq!((error.offset, error.encoding), (11, Encoding::UTF_8));
        // The character U+FFFD itself is not a loss.
        let file = "[White \"a\u{fffd}b\"] *\n".as_bytes();
        assert!(to_utf8(file, &Decoder::new(Some(Encoding::UTF_8), file)).is_ok());
    }
}
