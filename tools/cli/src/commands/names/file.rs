//! The file that `pdn names` writes: it is replaced only if nobody edited it.

use std::fs;
use std::io;
use std::path::Path;

use pdn::source;

use crate::input::overwriting::Overwriting;
use crate::output::sanitize;

/// Begins the first line; the checksum of all other lines follows.
const MARK: &str = "# pdn names 1, checksum ";

/// Returns the text with a first line from which [`check`] knows whether it was edited.
pub(super) fn with_checksum(text: &str) -> String {
    format!("{MARK}{:016x}\n{text}", checksum(text.as_bytes()))
}

/// Checks that a file may be written: it does not exist, or nobody edited it, or it may be replaced.
///
/// # Errors
/// A message for the user.
pub(super) fn check(path: &Path, overwriting: Overwriting<'_>) -> Result<(), String> {
    Overwriting { force: true, ..overwriting }.check(path)?;
    if overwriting.force || source::is_stream(path) {
        return Ok(());
    }
    let place = sanitize::path(path);
    match fs::read(path) {
        Ok(text) if is_unchanged(&text) => Ok(()),
        Ok(_) => Err(format!("{place}: exists and was edited; give another name, or --force to replace it")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(format!("{place}: {error}")),
    }
}

/// Returns `true` if the text is as it was written.
fn is_unchanged(text: &[u8]) -> bool {
    let Some(line) = text.strip_prefix(MARK.as_bytes()) else { return false };
    let Some(end) = line.iter().position(|&byte| byte == b'\n') else { return false };
    let (sum, rest) = (&line[..end], &line[end + 1..]);
    std::str::from_utf8(sum).is_ok_and(|sum| sum == format!("{:016x}", checksum(rest)))
}

/// Returns the 64-bit FNV-1a hash, which does not change with the version of a library.
fn checksum(text: &[u8]) -> u64 {
    text.iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksum_tells_edited_files() {
        let text = with_checksum("a = 1\n");
        assert!(is_unchanged(text.as_bytes()));
        assert!(!is_unchanged(text.replace('1', "2").as_bytes()));
        assert!(!is_unchanged(b"a = 1\n"));
        assert!(!is_unchanged(b""));
    }
}
