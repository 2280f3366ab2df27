//! The folder of split files. They are written in a temporary folder and get their names when all are complete.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use pdn::internal::storage::{FileReplacement, FileState, WorkFolder, rename_new, sync_folder};

use crate::ask::context::Context;
use crate::ask::error::{AppError, ErrorCode, Result};
use crate::write::outputs::{NewFiles, NewFolder, Overwriting, unwritable, without_path};

/// A folder that receives files.
pub(super) struct SplitFolder {
    dir: PathBuf,
    place: Place,
}

/// Where the files stand until they are complete.
enum Place {
    /// In the new folder, which appears with all of them.
    New(NewFolder),
    /// In a temporary folder within a folder that exists.
    Existing(WorkFolder),
}

impl SplitFolder {
    /// Opens the folder, or creates one under a temporary name if it does not exist.
    pub(super) fn create(dir: &Path) -> Result<Self> {
        if dir.exists() && !dir.is_dir() {
            let error = AppError::path(ErrorCode::Exists, dir, "is a file");
            return Err(error.cured_by("split", "writes to a folder"));
        }
        let place = if dir.is_dir() {
            WorkFolder::within(dir, "convert").map(Place::Existing)
        } else {
            NewFolder::create_all(dir).map(Place::New)
        };
        Ok(Self { dir: dir.to_owned(), place: place.map_err(|error| unwritable(dir, &error))? })
    }

    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns the folder of the files that are not complete.
    pub(super) fn temporary(&self) -> &Path {
        match &self.place {
            Place::New(folder) => folder.path(),
            Place::Existing(folder) => folder.path(),
        }
    }

    /// Returns the path of a file that is not complete. Its name is not that of a PDN file, so that no other program takes it
    /// for one.
    pub(super) fn temporary_path(&self, file: usize) -> PathBuf {
        self.temporary().join(format!("{file}.part"))
    }

    /// Refuses names of files that must not be replaced.
    pub(super) fn check(&self, names: &[&str], overwriting: Overwriting<'_>) -> Result<()> {
        names.iter().try_for_each(|name| overwriting.check(&self.dir.join(name))).map_err(|mut error| {
            error.message += "; nothing is written";
            error
        })
    }

    /// Gives the files their names, which are on disk under their temporary ones and were checked.
    ///
    /// A new folder appears with all files. In a folder that exists, files appear one by one. If a new one cannot, those that
    /// did are taken back. Files that are replaced come last; their old texts cannot be brought back, so an error names the
    /// files that are written.
    pub(super) fn finish(self, names: &[&str], replaces: bool, context: &Context<'_>) -> Result<()> {
        let is_new = |name: &str| self.dir.join(name).symlink_metadata().is_err();
        let (new, old): (Vec<_>, Vec<_>) =
            names.iter().copied().enumerate().partition(|(_, name)| !replaces || is_new(name));
        let target: &Path = match &self.place {
            Place::New(folder) => folder.path(),
            Place::Existing(_) => &self.dir,
        };
        let failed = |name: &str, error: &dyn std::fmt::Display, written: &[&str]| {
            let mut failure = unwritable(&self.dir.join(name), error);
            failure.message += &format!("; {}", list(written));
            failure
        };
        let (mut written, mut new_files): (Vec<&str>, _) = (Vec::new(), NewFiles::default());
        for &(number, name) in &new {
            let state = FileState::of(self.temporary_path(number)).ok();
            if let Err(error) = rename_new(self.temporary_path(number), target.join(name)) {
                let left = new_files.take_back();
                written.retain(|name| left.contains(&target.join(name)));
                return Err(failed(name, &error, &written));
            }
            new_files.push(target.join(name), state);
            written.push(name);
        }
        for &(number, name) in &old {
            if context.stop.is_requested() {
                return Err(AppError::plain(ErrorCode::Stopped, format!("stopped; {}", list(&written))));
            }
            replace(&self.temporary_path(number), &target.join(name))
                .map_err(|error| failed(name, &error, &written))?;
            written.push(name);
        }
        match self.place {
            Place::New(folder) => folder.finish().map_err(|error| unwritable(&self.dir, &error)),
            // The files are written; the folder under its temporary name is removed.
            Place::Existing(_) => sync_folder(&self.dir).map_err(|error| unwritable(&self.dir, &error)),
        }
    }
}

/// Puts a text in the place of a file, whose attributes and links stay.
fn replace(from: &Path, to: &Path) -> std::result::Result<(), String> {
    let copied = || -> io::Result<BufWriter<FileReplacement>> {
        let mut out = BufWriter::new(FileReplacement::begin(to).map_err(without_path)?);
        io::copy(&mut File::open(from)?, &mut out)?;
        out.flush()?;
        Ok(out)
    };
    let out = copied().map_err(|error| error.to_string())?;
    let file = out.into_inner().map_err(|error| error.to_string())?;
    file.commit().map_err(|error| without_path(error).to_string())
}

/// Says which files are written.
fn list(written: &[&str]) -> String {
    match written {
        [] => "no file of the folder is written".to_owned(),
        names => format!("written: {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::fs;

    use pdn::stop::Stop;

    /// Writes two files, each with its number as text.
    fn finish(dir: &Path, names: [&str; 2], force: bool, stop: bool) -> std::result::Result<(), String> {
        let folder = SplitFolder::create(dir).map_err(|error| error.to_string())?;
        for number in 0..2 {
            fs::write(folder.temporary_path(number), number.to_string()).expect("room");
        }
        let handle = Stop::new();
        if stop {
            handle.request();
        }
        let finished = folder.finish(&names, force, &Context::new(&handle, &mut ()));
        finished.map_err(|error| error.to_string())
    }

    /// The files of a folder, with their texts.
    fn texts(dir: &Path) -> Vec<(String, String)> {
        let entries = fs::read_dir(dir).map(|entries| entries.map(|entry| entry.expect("an entry").path()));
        let mut texts: Vec<_> = entries
            .into_iter()
            .flatten()
            .map(|path| {
                (
                    path.file_name().expect("a name").to_string_lossy().into_owned(),
                    fs::read_to_string(path).unwrap_or_default(),
                )
            })
            .collect();
        texts.sort();
        texts
    }

    fn pairs(texts: &[(&str, &str)]) -> Vec<(String, String)> {
        texts.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn new_folder_appears_with_all_files() {
        let place = tempfile::tempdir().expect("a folder");
        let dir = place.path().join("deep/years");
        let folder = SplitFolder::create(&dir).expect("created");
        assert!(!dir.exists());
        drop(folder);
        assert_eq!(texts(&place.path().join("deep")), pairs(&[]));
        finish(&dir, ["a.pdn", "b.pdn"], false, false).expect("written");
        assert_eq!(texts(&dir), pairs(&[("a.pdn", "0"), ("b.pdn", "1")]));
        assert_eq!(texts(&place.path().join("deep")), pairs(&[("years", "")]));
    }

    #[test]
    fn files_that_appeared_are_taken_back_if_another_cannot() {
        let place = tempfile::tempdir().expect("a folder");
        let error = finish(place.path(), ["a.pdn", "none/b.pdn"], false, false).expect_err("no such folder");
        assert!(
            error.contains("b.pdn: cannot be written: ")
                && error.ends_with("; no file of the folder is written"),
            "{error}"
        );
        assert_eq!(texts(place.path()), pairs(&[]));
    }

    #[test]
    fn name_that_was_taken_meanwhile_is_not_replaced() {
        let place = tempfile::tempdir().expect("a folder");
        let [from, to] = ["from", "to"].map(|name| place.path().join(name));
        fs::write(&from, "new").expect("room");
        fs::write(&to, "mine").expect("room");
        assert_eq!(rename_new(&from, &to).map_err(|error| error.kind()), Err(io::ErrorKind::AlreadyExists));
        assert_eq!(fs::read_to_string(&to).expect("there"), "mine");
    }

    #[test]
    fn stop_before_a_file_is_replaced_names_those_that_are_written() {
        let place = tempfile::tempdir().expect("a folder");
        fs::write(place.path().join("a.pdn"), "mine").expect("room");
        let stopped = finish(place.path(), ["a.pdn", "b.pdn"], true, true);
        assert_eq!(stopped, Err("stopped; written: b.pdn".to_owned()));
        assert_eq!(texts(place.path()), pairs(&[("a.pdn", "mine"), ("b.pdn", "1")]));
        let error = finish(place.path(), ["c.pdn", "a.pdn"], false, false).expect_err("it exists");
        assert!(error.contains("a.pdn: cannot be written: "), "{error}");
        assert_eq!(texts(place.path()), pairs(&[("a.pdn", "mine"), ("b.pdn", "1")]));
        finish(place.path(), ["a.pdn", "b.pdn"], true, false).expect("written");
        assert_eq!(texts(place.path()), pairs(&[("a.pdn", "0"), ("b.pdn", "1")]));
    }

    #[cfg(unix)]
    #[test]
    fn replaced_files_keep_links_and_permissions() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let place = tempfile::tempdir().expect("a folder");
        let (dir, real) = (place.path().join("years"), place.path().join("real.pdn"));
        fs::create_dir(&dir).expect("room");
        fs::write(&real, "old").expect("room");
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("mine");
        symlink("../real.pdn", dir.join("a.pdn")).expect("room");
        finish(&dir, ["a.pdn", "b.pdn"], true, false).expect("written");
        assert!(dir.join("a.pdn").symlink_metadata().expect("there").is_symlink());
        assert_eq!(fs::read_to_string(&real).expect("there"), "0");
        assert_eq!(fs::metadata(&real).expect("there").permissions().mode() & 0o777, 0o640);
    }
}
