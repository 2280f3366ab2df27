//! Detects binary files among the archives, such as programs and pictures.

use super::container::is_tar;
use crate::error::{Error, ErrorKind, Result};

/// Number of bytes at the start of an input that are examined.
const EXAMINED_BYTES: usize = 4096;

/// Returns an error if `bytes`, the start of an input, are binary.
///
/// They are binary if at least a tenth of the first 4096 bytes are control characters other than tabs, line ends and the
/// Ctrl-Z that ended files under DOS. Trailing NULs and whitespace do not count, because DOS padded files with them.
///
/// # Errors
///
/// [`ErrorKind::Binary`], and [`ErrorKind::UnsupportedContainer`] for a tar archive that was compressed. Without a path.
pub fn require_text(bytes: &[u8]) -> Result<()> {
    if is_tar(bytes) {
        return Err(ErrorKind::UnsupportedContainer("tar").into());
    }
    let head = &bytes[..bytes.len().min(EXAMINED_BYTES)];
    let is_padding = |byte: &u8| matches!(byte, 0 | b'\t'..=b'\r' | 0x1A | b' ');
    let text = head.iter().rposition(|byte| !is_padding(byte)).map_or(head, |last| &head[..=last]);
    let control = text.iter().filter(|byte| matches!(byte, 0..=8 | 0x0E..=0x19 | 0x1B..=0x1F)).count();
    if control == 0 || control * 10 < text.len() {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Binary { control_bytes: control, examined: text.len() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_files_are_refused_and_text_is_not() {
        assert!(require_text(b"[White \"a\"]\r\n1. 32-28 *\r\n\x1a\0\0").is_ok());
        assert!(require_text([&b"1. 32-28 *\r\n\x1a"[..], &[0; 1000]].concat().as_slice()).is_ok());
        assert!(require_text(b"").is_ok());
        assert!(require_text(b"\0").is_err());
        assert!(require_text("Белые начинают".as_bytes()).is_ok());
        let error = require_text(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0").unwrap_err();
        assert_eq!(error.to_string(), "is binary, not text: 3 of its first 7 bytes are control characters");
    }

    #[test]
    fn a_tenth_of_control_characters_is_binary_and_less_is_not() {
        assert!(require_text(b"\x01.........").is_err(), "one byte of ten");
        assert!(require_text(b"\x01..........").is_ok(), "one byte of eleven");
    }
}
