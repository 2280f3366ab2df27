//! The file that `pdn names` writes: it is replaced only if nobody edited it.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use pdn::source;

use crate::output::sanitize;

/// Begins the first line; the checksum of all other lines follows.
const MARK: &str = "# pdn names 1, checksum ";

/// Returns the text with a first line from which [`check`] knows whether it was edited.
pub(super) fn with_checksum(text: &str) -> String {
    format!("{MARK}{:016x}\n{text}", checksum(text.as_bytes()))
}

/// Checks that a file may be written: it does not exist, or nobody edited it.
///
/// # Errors
/// A message for the user.
pub(super) fn check(path: &Path, force: bool) -> Result<(), String> {
    let place = sanitize::path(path);
    if path.is_dir() {
        return Err(format!("{place}: is a folder; give the name of a file"));
    }
    if force || source::is_stream(path) {
        return Ok(());
    }
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

/// Writes a file under a temporary name and renames it when it is complete. A pipe or device is written as it is.
pub(super) fn write(path: &Path, text: &[u8]) -> io::Result<()> {
    if source::is_stream(path) {
        return fs::OpenOptions::new().write(true).open(path)?.write_all(text);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pdn-names-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As for any new file; the umask takes its part.
        let _ = builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(text)?;
    file.as_file().sync_all()?;
    file.persist(path).map(drop).map_err(|error| error.error)
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
