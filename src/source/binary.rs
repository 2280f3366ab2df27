//! What is no text at all: programs, pictures, and other files that got among the archives.

use crate::error::{Error, ErrorKind, Result};

/// How much of an input tells whether it is text, in bytes.
const LOOK: usize = 4096;

/// Refuses `bytes`, the beginning of an input, if they are no text: if a tenth of the first 4096 or more are control
/// characters that no text has. Those are all but tabs, line ends and the Ctrl-Z with which DOS ended files. NULs and blanks
/// behind all else do not count, for DOS filled files with them.
///
/// # Errors
/// [`ErrorKind::Binary`], with no path yet.
pub fn require_text(bytes: &[u8]) -> Result<()> {
    let head = &bytes[..bytes.len().min(LOOK)];
    let fills = |byte: &u8| matches!(byte, 0 | b'\t'..=b'\r' | 0x1A | b' ');
    let text = head.iter().rposition(|byte| !fills(byte)).map_or(head, |last| &head[..=last]);
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
    fn binary_files_are_told_from_text() {
        assert!(require_text(b"[White \"a\"]\r\n1. 32-28 *\r\n\x1a\0\0").is_ok());
        assert!(require_text([&b"1. 32-28 *\r\n\x1a"[..], &[0; 1000]].concat().as_slice()).is_ok());
        assert!(require_text(b"").is_ok());
        assert!(require_text(b"\0").is_err());
        assert!(require_text("Белые начинают".as_bytes()).is_ok());
        let error = require_text(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0").unwrap_err();
        assert_eq!(error.to_string(), "is binary, not text: 3 of its first 7 bytes are control characters");
    }
}
