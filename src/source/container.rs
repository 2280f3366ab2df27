//! Recognises containers and binary files by their first bytes.

use std::fmt;

use crate::error::{Error, ErrorKind, Result};

/// The container of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Container {
    /// No container.
    Plain,
    /// gzip, RFC 1952.
    Gzip,
    /// zstd, RFC 8878.
    Zstd,
    /// bzip2.
    Bzip2,
    /// zip.
    Zip,
}

/// Returns `true` if `head` is the start of a tar archive of 1988 or later.
pub(super) fn is_tar(head: &[u8]) -> bool {
    head.get(257..262) == Some(b"ustar")
}

impl Container {
    /// Recognises the container that starts with `head`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnsupportedContainer`] for xz, 7-Zip, RAR and tar.
    pub fn of(head: &[u8]) -> Result<Self> {
        let unsupported: [(&[u8], &'static str); 3] =
            [(b"\xFD7zXZ\0", "xz"), (b"7z\xBC\xAF\x27\x1C", "7-Zip"), (b"Rar!\x1A\x07", "RAR")];
        if is_tar(head) {
            return Err(ErrorKind::UnsupportedContainer("tar").into());
        }
        if let Some((_, name)) = unsupported.iter().find(|(magic, _)| head.starts_with(magic)) {
            return Err(ErrorKind::UnsupportedContainer(name).into());
        }
        Ok([Self::Gzip, Self::Zstd, Self::Bzip2, Self::Zip]
            .into_iter()
            .find(|kind| kind.starts(head))
            .unwrap_or(Self::Plain))
    }

    /// Returns `true` if a container of this kind, or a further member of one, starts with `head`.
    pub(super) fn starts(self, head: &[u8]) -> bool {
        match self {
            Self::Plain => true,
            Self::Gzip => head.starts_with(b"\x1F\x8B"),
            // A frame, or one of the 16 kinds of skippable frames.
            Self::Zstd => match head {
                [0x28, 0xB5, 0x2F, 0xFD, ..] => true,
                [first, 0x2A, 0x4D, 0x18, ..] => first & 0xF0 == 0x50,
                _ => false,
            },
            // `BZh1` alone could be text; in bzip2 the mark of a block or of the end follows.
            Self::Bzip2 => match head {
                [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..] => {
                    let marks: [&[u8]; 2] = [b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90"];
                    marks.iter().any(|magic| rest.iter().zip(*magic).all(|(a, b)| a == b))
                }
                _ => false,
            },
            Self::Zip => {
                [b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"].iter().any(|magic| head.starts_with(*magic))
            }
        }
    }

    /// Returns `plain`, `gzip`, `zstd`, `bzip2` or `zip`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Bzip2 => "bzip2",
            Self::Zip => "zip",
        }
    }
}

impl fmt::Display for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

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
pub(crate) fn require_text(bytes: &[u8]) -> Result<()> {
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
    fn containers_are_recognised_by_their_first_bytes() {
        let rows: [(&[u8], Container); 14] = [
            (b"", Container::Plain),
            (b"[Event \"\"]", Container::Plain),
            (b"\x1F\x8B\x08\0", Container::Gzip),
            (b"\x1F", Container::Plain),
            (b"\x28\xB5\x2F\xFD", Container::Zstd),
            (b"\x50\x2A\x4D\x18", Container::Zstd),
            (b"\x5F\x2A\x4D\x18", Container::Zstd),
            (b"\x60\x2A\x4D\x18", Container::Plain),
            (b"BZh9\x31\x41\x59\x26\x53\x59", Container::Bzip2),
            (b"BZh1\x17\x72\x45\x38\x50\x90", Container::Bzip2),
            (b"BZh9 is how he signs", Container::Plain),
            (b"PK\x03\x04", Container::Zip),
            (b"PK\x05\x06", Container::Zip),
            (b"PK 1.32-28", Container::Plain),
        ];
        for (head, expected) in rows {
            assert_eq!(Container::of(head).unwrap(), expected, "{}", head.escape_ascii());
        }
        for head in [&b"\xFD7zXZ\0\0"[..], b"7z\xBC\xAF\x27\x1C\0", b"Rar!\x1A\x07\x01"] {
            assert!(Container::of(head).is_err(), "{}", head.escape_ascii());
        }
    }

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
