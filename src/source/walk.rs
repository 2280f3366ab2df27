//! From paths to files.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::vec;

use walkdir::WalkDir;

use crate::error::{Error, ErrorKind, Result};

use super::is_pdn_name;

/// Expands `paths`, in their order: a folder becomes the PDN files in it and below it, sorted by name; everything
/// else, `-` included, stays as it is, whatever it is called.
///
/// In folders, PDN files are those named `.pdn`, also `.pdn.gz`, `.pdn.zst`, `.pdn.bz2`, and `.zip`, in either
/// case. Links are followed; no file and no folder is entered twice because of them, so loops end. What cannot
/// be read is an error in the row, and the rest follows.
///
/// Memory is O(files in one folder), plus a path for each that has been given out.
///
/// ```no_run
/// for path in pdn::source::walk(["archive", "-", "more/games.txt"]) {
///     match path {
///         Ok(path) => { /* pdn::source::open(path, ...) */ }
///         Err(error) => eprintln!("{error}"),
///     }
/// }
/// ```
pub fn walk<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> PathWalk {
    let paths: Vec<PathBuf> = paths.into_iter().map(Into::into).collect();
    PathWalk { paths: paths.into_iter(), folder: None }
}

/// The files found by [`walk`].
#[derive(Debug)]
pub struct PathWalk {
    paths: vec::IntoIter<PathBuf>,
    folder: Option<Folder>,
}

#[derive(Debug)]
struct Folder {
    rows: walkdir::IntoIter,
    /// Where everything that has been visited really is.
    seen: HashSet<PathBuf>,
}

impl Iterator for PathWalk {
    type Item = Result<PathBuf>;

    fn next(&mut self) -> Option<Result<PathBuf>> {
        loop {
            if let Some(folder) = &mut self.folder {
                match folder.next() {
                    Some(row) => return Some(row),
                    None => self.folder = None,
                }
            }
            let path = self.paths.next()?;
            if path == Path::new("-") {
                return Some(Ok(path));
            }
            match fs::metadata(&path) {
                Ok(found) if found.is_dir() => self.folder = Some(Folder::new(&path)),
                Ok(_) => return Some(Ok(path)),
                Err(error) => return Some(Err(Error::from(error).at(path))),
            }
        }
    }
}

impl Folder {
    fn new(path: &Path) -> Self {
        Self {
            rows: WalkDir::new(path).follow_links(true).sort_by_file_name().into_iter(),
            seen: HashSet::new(),
        }
    }

    fn next(&mut self) -> Option<Result<PathBuf>> {
        loop {
            let entry = match self.rows.next()? {
                Ok(entry) => entry,
                Err(error) => match report(error) {
                    Some(error) => return Some(Err(error)),
                    None => continue,
                },
            };
            let is_dir = entry.file_type().is_dir();
            if !is_dir && !is_pdn_name(entry.file_name()) {
                continue;
            }
            let real = fs::canonicalize(entry.path()).unwrap_or_else(|_| entry.path().to_owned());
            let new = self.seen.insert(real);
            match (is_dir, new) {
                (true, false) => self.rows.skip_current_dir(),
                (false, true) => return Some(Ok(entry.into_path())),
                _ => {}
            }
        }
    }
}

/// The error to show, if it is one: a loop costs nothing, and neither does a dead link that is no PDN file.
fn report(error: walkdir::Error) -> Option<Error> {
    if error.loop_ancestor().is_some() {
        return None;
    }
    let path = error.path().map(Path::to_owned);
    let dead = error.io_error().is_some_and(|error| error.kind() == io::ErrorKind::NotFound);
    let name = path.as_deref().and_then(Path::file_name);
    if dead && !name.is_some_and(is_pdn_name) {
        return None;
    }
    let source = error.into_io_error().unwrap_or_else(|| io::ErrorKind::Other.into());
    let shown = Error::new(ErrorKind::Io(source));
    Some(match path {
        Some(path) => shown.at(path),
        None => shown,
    })
}
