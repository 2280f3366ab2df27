//! Reads files that options name, which are short: a wrong path, such as that of a device or an archive, does not fill the memory.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::numbers::size;

/// Greatest number of bytes of a file with a value, such as a pattern or a token.
pub const MAX_VALUE_BYTES: u64 = 4 << 10;
/// Greatest number of bytes of a file of definitions.
pub const MAX_DEFINITIONS_BYTES: u64 = 1 << 20;
/// Greatest number of bytes of a file of names.
pub const MAX_NAMES_BYTES: u64 = 64 << 20;

/// Reads a file of at most `max` bytes.
///
/// # Errors
///
/// If it cannot be read, or is longer.
pub fn read(path: &Path, max: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(max + 1).read_to_end(&mut bytes))
        .map_err(|error| AppError::path(ErrorCode::Unreadable, path, error.to_string()))?;
    if bytes.len() as u64 > max {
        let message = format!("is longer than {}; is it the right file?", size(max));
        return Err(AppError::path(ErrorCode::TooMuch, path, message));
    }
    Ok(bytes)
}

/// Reads a text in UTF-8 of at most `max` bytes.
///
/// # Errors
///
/// As [`read`], or if it is not a text in UTF-8.
pub fn read_text(path: &Path, max: u64) -> Result<String> {
    String::from_utf8(read(path, max)?)
        .map_err(|_| AppError::path(ErrorCode::InvalidValue, path, "expected a text in UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_up_to_their_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("value");
        let outcome = |text: &[u8]| {
            std::fs::write(&path, text).unwrap();
            read_text(&path, 4).map_err(|error| error.code)
        };
        assert_eq!(outcome(b"abcd"), Ok("abcd".to_owned()));
        assert_eq!(outcome(b"abcde"), Err(ErrorCode::TooMuch));
        assert_eq!(outcome(b"\xff"), Err(ErrorCode::InvalidValue));
        assert_eq!(read(&folder.path().join("none"), 4).unwrap_err().code, ErrorCode::Unreadable);
    }
}
