//! Output files. Other programs never see an incomplete one.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pdn::edit::FileReplacement;
use pdn::source;

use super::overwriting::Overwriting;
use crate::context::Context;
use crate::error::{AppError, ErrorCode, Result};

/// A file that gets its name, or its new text, when it is complete; or a pipe or device, which is written as it is. A file that
/// is replaced keeps its permissions and owner, and a symbolic link keeps leading to it. Writes are not buffered.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    target: Target,
}

#[derive(Debug)]
enum Target {
    Stream(File),
    /// A file that does not exist yet.
    New(FileReplacement),
    /// A file that exists.
    Old(FileReplacement),
}

impl OutputFile {
    /// Begins the output at `path`, which may be written.
    ///
    /// # Errors
    ///
    /// If the file may not be replaced, or cannot be written.
    pub fn create(path: &Path, overwriting: Overwriting<'_>) -> Result<Self> {
        overwriting.check(path)?;
        let target = if source::is_stream(path) {
            let opened = File::options().write(true).open(path);
            Target::Stream(opened.map_err(|error| unwritable(path, &error))?)
        } else if path.symlink_metadata().is_ok() {
            let begun = FileReplacement::begin(path);
            Target::Old(begun.map_err(|error| unwritable(path, &without_path(error)))?)
        } else {
            let begun = FileReplacement::create(path);
            Target::New(begun.map_err(|error| unwritable(path, &without_path(error)))?)
        };
        Ok(Self { path: path.to_owned(), target })
    }

    /// Returns the path that the file has when it is complete.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the file that has to be removed if the run is stopped.
    pub fn temporary(&self) -> Option<&Path> {
        match &self.target {
            Target::Stream(_) => None,
            Target::New(file) | Target::Old(file) => Some(file.temporary_path()),
        }
    }

    /// Puts the complete file in its place. If the answer `is_empty`, a file that exists keeps its text, and a note says so. Returns
    /// `true` if the file was written.
    ///
    /// # Errors
    ///
    /// If the file cannot be written completely, or was changed by another program meanwhile.
    pub fn commit(self, is_empty: bool, context: &mut Context<'_>) -> Result<bool> {
        let path = self.path;
        match self.target {
            Target::Stream(mut stream) => stream.flush().map_err(|error| unwritable(&path, &error))?,
            Target::Old(_) if is_empty => {
                let name = path.display();
                context.events.note(&format!("{name}: stays as it was, because there is nothing to write"));
                return Ok(false);
            }
            Target::New(file) | Target::Old(file) => {
                file.commit().map_err(|error| unwritable(&path, &without_path(error)))?;
            }
        }
        Ok(true)
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.target {
            Target::Stream(stream) => stream.write(bytes),
            Target::New(file) | Target::Old(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::Stream(stream) => stream.flush(),
            Target::New(file) | Target::Old(file) => file.flush(),
        }
    }
}

/// Returns the error that a file or folder cannot be written.
pub fn unwritable(path: &Path, error: &dyn std::fmt::Display) -> AppError {
    AppError::path(ErrorCode::Unwritable, path, format!("cannot be written: {error}"))
}

/// Returns `true` if two paths name the same file, which need not exist.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::CollectedEvents;
    use pdn::stop::Stop;
    use std::fs;

    #[test]
    fn empty_answer_replaces_no_file_but_creates_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pdn");
        let overwriting = Overwriting { force: true, inputs: &[] };
        let mut events = CollectedEvents::default();
        let mut context = Context::new(&Stop::new(), &mut events);
        let mut write = |text: &[u8], is_empty| {
            let mut file = OutputFile::create(&path, overwriting).unwrap();
            file.write_all(text).unwrap();
            (file.commit(is_empty, &mut context).unwrap(), fs::read(&path).unwrap())
        };
        assert_eq!(write(b"", true), (true, b"".to_vec()));
        assert_eq!(write(b"old", false), (true, b"old".to_vec()));
        assert_eq!(write(b"header", true), (false, b"old".to_vec()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
        assert!(events.notes[0].ends_with("stays as it was, because there is nothing to write"));
        let refused = OutputFile::create(&path, Overwriting { force: false, inputs: &[] }).unwrap_err();
        assert_eq!((refused.code, refused.help.clone().unwrap().field), (ErrorCode::Exists, Some("force")));
    }
}
