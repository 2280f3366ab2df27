//! Files and folders that a question writes: none is ever seen half-written, and a good file is not lost.
//!
//! An answer replaces no file that the user does not name for it, never one of its inputs, and none if the answer is empty. An index,
//! which is a folder of its own, keeps to the last rule by itself: [`ErrorKind::NoGames`](pdn::error::ErrorKind::NoGames).

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::ask::context::Context;
use crate::ask::error::{AppError, ErrorCode, Result};
use crate::read::paths::is_index;
use pdn::internal::storage::{FileReplacement, FileState, WorkFolder, create_folder};
use pdn::source;

/// A folder that gets its name when it is complete, and is removed if it is dropped before.
#[derive(Debug)]
pub struct NewFolder {
    folder: WorkFolder,
    target: PathBuf,
}

impl NewFolder {
    /// Creates a folder in the parent of `target`, which must be an empty folder or not exist, and
    /// the folders above it.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made.
    pub fn create_all(target: &Path) -> io::Result<Self> {
        if let Some(parent) = target.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            create_folder(parent)?;
        }
        Ok(Self { folder: WorkFolder::for_target(target)?, target: target.to_owned() })
    }

    /// Returns the path of the folder under its temporary name.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Gives the folder its name. If that fails, it is removed.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made.
    pub fn finish(self) -> io::Result<()> {
        self.folder.rename(&self.target)
    }
}

/// Returns the absolute path of a folder to write, which is empty or does not exist.
///
/// # Errors
///
/// If it is a file, or a folder with files, or cannot be read.
pub fn empty_target(output: &Path) -> Result<PathBuf> {
    let problem =
        |what: &dyn std::fmt::Display| AppError::path(ErrorCode::Unwritable, output, what.to_string());
    let exists = |what: &str| AppError::path(ErrorCode::Exists, output, what);
    let target = std::path::absolute(output).map_err(|error| problem(&error))?;
    match fs::read_dir(&target).map(|mut files| files.next().is_none()) {
        Ok(false) => Err(exists("the folder is not empty")),
        Ok(true) => target.canonicalize().map_err(|error| problem(&error)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(target),
        Err(_) if target.is_file() => Err(exists("is a file, and a folder is needed").in_field("output")),
        Err(error) => Err(problem(&error)),
    }
}

/// The files that an answer may replace.
#[derive(Clone, Copy, Debug)]
pub struct Overwriting<'a> {
    /// Files that exist may be replaced.
    pub force: bool,
    /// The inputs, which are never replaced: archives, folders of archives and indexes.
    pub inputs: &'a [PathBuf],
}

impl Overwriting<'_> {
    /// Checks that a file may be written at `path`. A pipe or device always may.
    ///
    /// # Errors
    ///
    /// If it is a folder, an input, or exists and may not be replaced.
    pub fn check(&self, path: &Path) -> Result<()> {
        let exists = |message| AppError::path(ErrorCode::Exists, path, message);
        if path.is_dir() {
            return Err(exists("is a folder; give the name of a file"));
        }
        if path.symlink_metadata().is_err() || pdn::internal::source::is_stream(path) {
            return Ok(());
        }
        if self.is_input(path) {
            return Err(exists("is an input, which is never overwritten"));
        }
        match self.force {
            true => Ok(()),
            false => Err(exists("exists already").cured_by("force", "replaces it")),
        }
    }

    /// Returns `true` if a file is an input, or is in an index or a folder that is an input, or is an archive of such an index.
    fn is_input(&self, path: &Path) -> bool {
        let Ok(path) = path.canonicalize() else { return false };
        let (indexes, others): (Vec<_>, Vec<_>) = self.inputs.iter().partition(|input| is_index(input));
        let is_same = |other: &Path| other.canonicalize().is_ok_and(|other| other == path);
        let is_in_index = |dir: &&PathBuf| {
            dir.canonicalize().is_ok_and(|dir| path.starts_with(dir))
                || pdn_index::Index::open(*dir).is_ok_and(|index| {
                    index.inputs().iter().any(|input| input.path.as_deref().is_some_and(is_same))
                })
        };
        indexes.iter().any(is_in_index)
            || source::walk(others.into_iter().cloned())
                .filter_map(std::result::Result::ok)
                .any(|input| is_same(&input))
    }
}

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
        let target = if pdn::internal::source::is_stream(path) {
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

/// Writes a whole file. If the answer `is_empty`, a file that exists keeps its text. Returns `true` if the file was written. The caller
/// says when there are no more files to write, by [`Events::settled`](crate::Events::settled).
///
/// # Errors
///
/// If the work was stopped before, or the file may not be replaced or cannot be written completely.
pub fn write_file(
    path: &Path,
    text: &[u8],
    is_empty: bool,
    overwriting: Overwriting<'_>,
    context: &mut Context<'_>,
) -> Result<bool> {
    context.check()?;
    let mut file = OutputFile::create(path, overwriting)?;
    file.temporary().into_iter().for_each(|path| context.events.temporary(path));
    file.write_all(text).map_err(|error| unwritable(path, &error))?;
    file.commit(is_empty, context)
}

/// Files that did not exist before an answer was written.
#[derive(Debug, Default)]
pub struct NewFiles(Vec<(PathBuf, Option<FileState>)>);

impl NewFiles {
    /// Adds a file that has got its name. `state` is the one that it had under its temporary name: by now, the name may be that of
    /// another file.
    pub fn push(&mut self, path: PathBuf, state: Option<FileState>) {
        self.0.push((path, state));
    }

    /// Removes the files, except those that another program has replaced since. Returns those that cannot be removed.
    pub fn take_back(&mut self) -> Vec<PathBuf> {
        let files = std::mem::take(&mut self.0);
        let own =
            files.into_iter().filter(|(path, state)| state.is_some() && FileState::of(path).ok() == *state);
        own.map(|(path, _)| path).filter(|path| fs::remove_file(path).is_err()).collect()
    }
}

/// The files of one answer that have got their names so far. If a later one cannot, new files are taken back, and the error names
/// those that were replaced.
#[derive(Debug, Default)]
pub struct CommittedFiles {
    new: NewFiles,
    replaced: Vec<PathBuf>,
}

impl CommittedFiles {
    /// Puts a file in its place, as [`OutputFile::commit`] does.
    ///
    /// # Errors
    ///
    /// As [`OutputFile::commit`]. The files before are taken back then.
    pub fn commit(&mut self, file: OutputFile, is_empty: bool, context: &mut Context<'_>) -> Result<bool> {
        let path = file.path.clone();
        let (is_new, is_old) = (matches!(file.target, Target::New(_)), matches!(file.target, Target::Old(_)));
        let state = file.temporary().and_then(|path| FileState::of(path).ok());
        let is_written = file.commit(is_empty, context).map_err(|error| self.take_back(error))?;
        match is_written {
            true if is_new => self.new.push(path, state),
            true if is_old => self.replaced.push(path),
            _ => {}
        }
        Ok(is_written)
    }

    /// Removes the files that did not exist before, and adds to the error of another file what is left.
    pub fn take_back(&mut self, mut error: AppError) -> AppError {
        let mut left = self.new.take_back();
        left.append(&mut self.replaced);
        if !left.is_empty() {
            let names: Vec<_> = left.iter().map(|path| path.display().to_string()).collect();
            error.message += &format!("; written before: {}", names.join(", "));
        }
        error
    }
}

/// Returns the error that a file or folder cannot be written, or is written and may not be on the disk yet, as the library says.
pub fn unwritable(path: &Path, error: &dyn std::fmt::Display) -> AppError {
    let error = error.to_string();
    let message = if error.starts_with("is written") { error } else { format!("cannot be written: {error}") };
    AppError::path(ErrorCode::Unwritable, path, message)
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
        (Some(one), Some(other)) => one == other && !pdn::internal::source::is_stream(&one),
        _ => one == other,
    }
}

/// Returns an error of a file without the name of the file.
pub fn without_path(error: pdn::Error) -> io::Error {
    match error.kind() {
        pdn::error::ErrorKind::Io(inner) => io::Error::new(inner.kind(), inner.to_string()),
        _ => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::context::CollectedEvents;
    use pdn::stop::Stop;

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

    #[test]
    fn file_that_another_program_has_replaced_is_not_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let [own, other, gone] = ["own", "other", "gone"].map(|name| folder.path().join(name));
        let mut files = NewFiles::default();
        for path in [&own, &other, &gone] {
            fs::write(path, "mine").unwrap();
            files.push(path.clone(), FileState::of(path).ok());
        }
        fs::remove_file(&gone).unwrap();
        fs::write(&other, "of another program").unwrap();
        assert_eq!(files.take_back(), Vec::<PathBuf>::new());
        assert_eq!(
            (own.exists(), fs::read_to_string(&other).unwrap().as_str()),
            (false, "of another program")
        );
    }

    #[test]
    fn files_of_an_answer_that_fails_are_taken_back_or_named() {
        let folder = tempfile::tempdir().unwrap();
        let [new, old, last] = ["new", "old", "last"].map(|name| folder.path().join(name));
        let overwriting = Overwriting { force: true, inputs: &[] };
        let (stop, mut nothing) = (Stop::new(), ());
        let mut context = Context::new(&stop, &mut nothing);
        fs::write(&old, "before").unwrap();
        let files = [&new, &old, &last].map(|path| {
            let mut file = OutputFile::create(path, overwriting).unwrap();
            file.write_all(b"after").unwrap();
            file
        });
        fs::write(&last, "of another program").unwrap();
        let mut committed = CommittedFiles::default();
        let results = files.map(|file| committed.commit(file, false, &mut context));
        let error = results[2].as_ref().unwrap_err();
        assert!(
            error.message.ends_with(&format!("; written before: {}", old.display())),
            "{}",
            error.message
        );
        assert!(!new.exists());
        assert_eq!(fs::read_to_string(&old).unwrap(), "after");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary file is left");
    }
}
