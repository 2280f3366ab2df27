//! Expands paths to files.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::vec;

use walkdir::{DirEntry, WalkDir};

#[cfg(feature = "compression")]
use super::options::OpenOptions;
#[cfg(feature = "compression")]
use super::pull::ReadProgress;
use super::text_form::{HEAD_BYTES, TextForm};
#[cfg(feature = "compression")]
use super::zip;
use crate::error::{Error, ErrorKind, Result};

/// Expands `paths` in their order. A folder becomes the PDN files in it and below it, sorted by name; any other path,
/// `-` included, is returned unchanged, whatever its name.
///
/// PDN files in folders are regular files that end in `.pdn`, `.pdn.gz`, `.pdn.zst`, `.pdn.bz2` or `.zip`, in either case, and those
/// that end in `.fen` and are lists of draughts positions. A zip without any PDN file is left out. Links are followed, but no file or folder is visited twice because of them, so loops end. A path that cannot be read is an
/// error in the sequence; the other paths follow.
///
/// Memory is O(files in one folder), plus one path per file returned.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("pdn-walk-{}", std::process::id()));
/// # std::fs::create_dir_all(folder.join("1972"))?;
/// # std::fs::write(folder.join("games.pdn"), "1. 32-28 *\n1. 33-29 *\n")?;
/// # std::fs::write(folder.join("1972").join("MATCH.PDN"), "1. 34-30 *\n")?;
/// # std::fs::write(folder.join("notes.txt"), "no games")?;
/// use pdn::Archive;
///
/// let mut games = Vec::new();
/// for path in pdn::source::walk([&folder]) {
///     let path = path?;
///     games.push((path.file_name().unwrap().to_owned(), Archive::open(&path)?.games().count()));
/// }
/// assert_eq!(games, [("MATCH.PDN".into(), 1), ("games.pdn".into(), 2)]);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), pdn::Error>(())
/// ```
pub fn walk<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> PathWalk {
    let paths: Vec<PathBuf> = paths.into_iter().map(Into::into).collect();
    PathWalk { paths: paths.into_iter(), folder: None, skipped: SkippedFiles::default() }
}

/// Iterator over the files below paths; see [`walk`].
#[derive(Debug)]
pub struct PathWalk {
    paths: vec::IntoIter<PathBuf>,
    folder: Option<Folder>,
    skipped: SkippedFiles,
}

impl PathWalk {
    /// Returns the files of searched folders that have been left out so far.
    #[doc(hidden)]
    pub fn skipped(&self) -> &SkippedFiles {
        &self.skipped
    }
}

/// Files of searched folders that a [`PathWalk`] left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct SkippedFiles {
    /// Number of files that are not named like PDN files.
    pub other_names: u64,
    /// The first of them that is named like a tar archive, which may contain PDN files.
    pub tar: Option<PathBuf>,
    /// Number of pipes, sockets and devices that are named like PDN files. Reading one could wait for ever.
    pub special: u64,
    /// Number of zips without a PDN file.
    pub zips: u64,
    /// Number of files that are named like those of LiveDraughts, `.ldf`, which are not read.
    pub live_draughts: u64,
    /// All of these files, in the order in which they were met.
    pub paths: Vec<PathBuf>,
}

/// The folder that is being visited.
#[derive(Debug)]
struct Folder {
    entries: walkdir::IntoIter,
    /// Canonical paths of the files and folders that have been visited.
    visited: HashSet<PathBuf>,
}

impl Iterator for PathWalk {
    type Item = Result<PathBuf>;

    fn next(&mut self) -> Option<Result<PathBuf>> {
        loop {
            if let Some(folder) = &mut self.folder {
                match folder.next(&mut self.skipped) {
                    Some(path) => return Some(path),
                    None => self.folder = None,
                }
            }
            let path = self.paths.next()?;
            if path == Path::new("-") {
                return Some(Ok(path));
            }
            match fs::metadata(&path) {
                Ok(metadata) if metadata.is_dir() => self.folder = Some(Folder::new(&path)),
                Ok(_) => return Some(Ok(path)),
                Err(error) => return Some(Err(Error::from(error).at(path))),
            }
        }
    }
}

impl Folder {
    fn new(path: &Path) -> Self {
        Self {
            entries: WalkDir::new(path).follow_links(true).sort_by_file_name().into_iter(),
            visited: HashSet::new(),
        }
    }

    fn next(&mut self, skipped: &mut SkippedFiles) -> Option<Result<PathBuf>> {
        loop {
            let entry = match self.entries.next()? {
                Ok(entry) => entry,
                Err(error) => match reportable(error) {
                    Some(error) => return Some(Err(error)),
                    None => continue,
                },
            };
            let is_dir = entry.file_type().is_dir();
            if !is_dir && !is_pdn_name(entry.file_name()) && !is_position_file(&entry) {
                skipped.other_names += 1;
                skipped.live_draughts += u64::from(is_live_draughts_name(entry.file_name()));
                if skipped.tar.is_none() && is_tar_name(entry.file_name()) {
                    skipped.tar = Some(entry.path().to_owned());
                }
                skipped.paths.push(entry.into_path());
                continue;
            }
            if !is_dir && !entry.file_type().is_file() {
                skipped.special += 1;
                skipped.paths.push(entry.into_path());
                continue;
            }
            if !is_dir && is_other_zip(entry.path()) {
                skipped.zips += 1;
                skipped.paths.push(entry.into_path());
                continue;
            }
            let real = fs::canonicalize(entry.path()).unwrap_or_else(|_| entry.path().to_owned());
            let is_new = self.visited.insert(real);
            match (is_dir, is_new) {
                (true, false) => self.entries.skip_current_dir(),
                (false, true) => return Some(Ok(entry.into_path())),
                _ => {}
            }
        }
    }
}

/// Returns the error to report, if any: loops and dead links without the name of a PDN file are ignored.
fn reportable(error: walkdir::Error) -> Option<Error> {
    if error.loop_ancestor().is_some() {
        return None;
    }
    let path = error.path().map(Path::to_owned);
    let is_dead_link = error.io_error().is_some_and(|error| error.kind() == io::ErrorKind::NotFound);
    let name = path.as_deref().and_then(Path::file_name);
    if is_dead_link && !name.is_some_and(is_pdn_name) {
        return None;
    }
    let source = error.into_io_error().unwrap_or_else(|| io::ErrorKind::Other.into());
    let error = Error::new(ErrorKind::Io(source));
    Some(match path {
        Some(path) => error.at(path),
        None => error,
    })
}

/// Returns `true` if a file in a folder has the name of a PDN file, compressed or not. The shadow files of macOS
/// (`._name`) do not count.
fn is_pdn_name(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_lowercase();
    let ends = [".pdn", ".pdn.gz", ".pdn.zst", ".pdn.bz2", ".zip"];
    !name.starts_with("._") && ends.iter().any(|end| name.ends_with(end))
}

/// Returns `true` if a file is named like one of positions and is a list of draughts positions: chess has such files, too.
fn is_position_file(entry: &DirEntry) -> bool {
    let is_named = entry.path().extension().is_some_and(|extension| extension.eq_ignore_ascii_case("fen"));
    if !is_named || !entry.file_type().is_file() {
        return false;
    }
    let mut head = Vec::new();
    let file = fs::File::open(entry.path());
    let read = file.and_then(|file| file.take(HEAD_BYTES as u64).read_to_end(&mut head));
    read.is_ok() && TextForm::of(&head, None) == Some(TextForm::Positions)
}

/// Returns `true` if a file has the name of a file of LiveDraughts, compressed or not.
fn is_live_draughts_name(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_lowercase();
    name.ends_with(".ldf") || name.contains(".ldf.")
}

/// Returns `true` if a file is a sound zip in which no file has the name of a PDN file.
#[cfg(feature = "compression")]
fn is_other_zip(path: &Path) -> bool {
    if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip")) {
        return false;
    }
    let Ok(file) = fs::File::open(path) else { return false };
    let Ok(len) = file.metadata().map(|metadata| metadata.len()) else { return false };
    let entries =
        zip::Entries::new(Box::new(file), len, path, ReadProgress::new(Some(len)), &OpenOptions::default());
    entries.is_err_and(|error| matches!(error.kind(), ErrorKind::NoEntry))
}

#[cfg(not(feature = "compression"))]
fn is_other_zip(_: &Path) -> bool {
    false
}

/// Returns `true` if a file has the name of a tar archive, compressed or not.
fn is_tar_name(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_lowercase();
    name.ends_with(".tar") || name.contains(".tar.") || name.ends_with(".tgz")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pdn_files_are_recognised_by_their_endings() {
        let rows = [
            ("a.pdn", true),
            ("A.PDN", true),
            ("a.pdn.gz", true),
            ("a.Pdn.ZST", true),
            ("a.pdn.bz2", true),
            ("a.zip", true),
            ("a.txt", false),
            ("a.gz", false),
            ("pdn", false),
            ("._a.pdn", false),
        ];
        for (name, expected) in rows {
            assert_eq!(is_pdn_name(OsStr::new(name)), expected, "{name}");
        }
    }
}
