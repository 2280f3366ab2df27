//! Creates files under a temporary name, so that no half of them is ever seen.

use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

/// Creates a file beside `path` that is renamed to it when it is complete.
pub(crate) fn temporary_file(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if path.is_dir() {
        return Err(io::Error::other("is a folder"));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pdn-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As for any new file; the umask takes its part.
        let _ = builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}
