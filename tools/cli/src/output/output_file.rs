//! Output files of commands. Other programs never see an incomplete one.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pdn::edit::FileReplacement;
use pdn::source;

use super::sanitize;

/// A file that gets its name, or its new text, when it is complete; or a pipe or device, which is written as it is. A file that
/// is replaced keeps its permissions and owner, and a symbolic link keeps leading to it. Writes are not buffered.
#[derive(Debug)]
pub(crate) struct OutputFile {
    path: PathBuf,
    target: Target,
}

#[derive(Debug)]
enum Target {
    Stream(File),
    File(FileReplacement),
}

impl OutputFile {
    /// Begins the output at `path`.
    ///
    /// # Errors
    /// A message for the user.
    pub(crate) fn create(path: &Path) -> Result<Self, String> {
        let target = if source::is_stream(path) {
            let opened = File::options().write(true).open(path);
            Target::Stream(opened.map_err(|error| unwritable(path, &error))?)
        } else {
            let exists = path.symlink_metadata().is_ok();
            let begun = if exists { FileReplacement::begin(path) } else { FileReplacement::create(path) };
            Target::File(begun.map_err(|error| unwritable(path, &without_path(error)))?)
        };
        Ok(Self { path: path.to_owned(), target })
    }

    /// Returns the path that the file has when it is complete.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the file that has to be removed if the run is stopped.
    pub(crate) fn temporary(&self) -> Option<&Path> {
        match &self.target {
            Target::Stream(_) => None,
            Target::File(file) => Some(file.temporary_path()),
        }
    }

    /// Puts the complete file in its place.
    ///
    /// # Errors
    /// If the file cannot be written completely, or was changed by another program meanwhile; [`unwritable`] adds the path.
    pub(crate) fn commit(self) -> io::Result<()> {
        match self.target {
            Target::Stream(mut stream) => stream.flush(),
            Target::File(file) => file.commit().map_err(without_path),
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.target {
            Target::Stream(stream) => stream.write(bytes),
            Target::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::Stream(stream) => stream.flush(),
            Target::File(file) => file.flush(),
        }
    }
}

/// Returns the message that a file cannot be written.
pub(crate) fn unwritable(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{}: cannot be written: {error}", sanitize::path(path))
}

/// Returns `true` if two paths name the same file, which need not exist.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    let full = |path: &Path| {
        path.canonicalize().ok().or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            Some(folder.unwrap_or(Path::new(".")).canonicalize().ok()?.join(path.file_name()?))
        })
    };
    match (full(one), full(other)) {
        // Two outputs may share a device such as /dev/null.
        (Some(one), Some(other)) => one == other && !source::is_stream(&one),
        _ => one == other,
    }
}

/// Returns an error of a file without the name of the file.
fn without_path(error: pdn::Error) -> io::Error {
    match error.kind() {
        pdn::error::ErrorKind::Io(inner) => io::Error::new(inner.kind(), inner.to_string()),
        _ => error.into(),
    }
}
