//! What a caller may name as an archive: paths, globs, URLs, folders, bytes, file objects, archives, indexes, and lists of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pdn::error::ErrorKind;
use pdn::source::{self, Bytes};
use pdn_index::Index;
use pdn_tables::arrow::{ArchiveInput, Rows, SkippedArchives, TableArchive};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyFrozenSet, PyMemoryView, PySet, PyString};

use crate::archive::Archive;
use crate::errors::{error, file_error, from_pdn};
use crate::index::Index as PyIndex;
use crate::part::Part;
use crate::reading::ReadOptions;
use crate::remote::{self, UrlFile};

/// How deep lists may be nested that name archives.
const MAX_NESTED_LISTS: u32 = 100;

/// The rows that an argument stands for, and its name in messages.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) rows: Rows,
    pub(crate) name: String,
    /// What was left out already.
    pub(crate) skipped: SkippedArchives,
}

impl Source {
    /// Finds the archives or the index that an argument names. Each named file is opened once, so that a wrong path is an
    /// error here. An archive that was opened before brings its variant and its encoding.
    pub(crate) fn of(value: &Bound<'_, PyAny>, options: &mut ReadOptions) -> PyResult<Self> {
        let mut found = Found::default();
        found.add(value, options)?;
        let py = value.py();
        // Only archives that were opened say how they are to be read.
        if !found.opened.is_empty() && found.archives.len() > found.opened_files {
            found.opened.push(ReadOptions::default());
        }
        options.inherit(py, &found.opened)?;
        let name = match found.names.as_slice() {
            [] => return Err(error(py, "no archive is named")),
            [name] => name.clone(),
            [first, ..] => format!("{first} and {} more", found.names.len() - 1),
        };
        let rows = match (found.index, found.archives.is_empty()) {
            (Some(index), true) => Rows::Index(index),
            (Some(index), false) => {
                return Err(file_error(py, index.dir(), "an index is read alone, without archives"));
            }
            (None, _) => Rows::Archives(found.archives),
        };
        Ok(Self { rows, name, skipped: found.skipped })
    }

    /// Returns the archives.
    ///
    /// # Errors
    /// If the argument names an index.
    pub(crate) fn archives(self, py: Python<'_>) -> PyResult<Vec<TableArchive>> {
        match self.rows {
            Rows::Archives(archives) => Ok(archives),
            Rows::Index(index) => Err(file_error(py, index.dir(), "an index; `pdn.Index` opens it")),
        }
    }
}

#[derive(Default)]
struct Found {
    archives: Vec<TableArchive>,
    skipped: SkippedArchives,
    index: Option<Arc<Index>>,
    names: Vec<String>,
    /// How the archives are to be read that were opened before, and the number of their files.
    opened: Vec<ReadOptions>,
    opened_files: usize,
    /// The number of lists that the current value is in.
    depth: u32,
}

impl Found {
    fn add(&mut self, value: &Bound<'_, PyAny>, options: &ReadOptions) -> PyResult<()> {
        let py = value.py();
        if let Ok(archive) = value.cast::<Archive>() {
            let archives = archive.get().archives().iter();
            self.archives.extend(
                archives.map(|file| TableArchive::new(file.input.clone(), options.skips(file.skips))),
            );
            for error in archive.get().skipped_archives().errors() {
                if !options.skips(true) {
                    return Err(from_pdn(py, &error));
                }
                self.skipped.push(error);
            }
            self.names.push(archive.get().name().to_owned());
            self.opened.push(archive.get().options());
            self.opened_files += archive.get().archives().len();
        } else if let Ok(part) = value.cast::<Part>() {
            let archives = part.get().archives(py)?.into_iter();
            self.archives.extend(
                archives.map(|TableArchive { input, skips }| TableArchive::new(input, options.skips(skips))),
            );
            self.names.push(part.get().name());
        } else if let Ok(index) = value.cast::<PyIndex>() {
            self.names.push(index.get().shared().index.dir().display().to_string());
            self.add_index(py, Arc::clone(&index.get().shared().index))?;
        } else if value.is_instance_of::<PyBytes>()
            || value.is_instance_of::<PyByteArray>()
            || value.is_instance_of::<PyMemoryView>()
        {
            let bytes =
                value.call_method0("__bytes__").or_else(|_| py.get_type::<PyBytes>().call1((value,)))?;
            self.add_bytes("<bytes>".to_owned(), bytes.extract::<Vec<u8>>()?);
        } else if !value.is_instance_of::<PyString>()
            && !value.hasattr("__fspath__")?
            && !value.hasattr("read")?
            && let Ok(items) = value.try_iter()
        {
            if self.depth == MAX_NESTED_LISTS {
                return Err(error(py, format!("lists are nested more than {MAX_NESTED_LISTS} deep")));
            }
            self.depth += 1;
            // A set has no order of its own.
            let items = match value.is_instance_of::<PySet>() || value.is_instance_of::<PyFrozenSet>() {
                true => {
                    let by = PyDict::new(py);
                    by.set_item("key", py.get_type::<PyString>())?;
                    py.import("builtins")?.call_method("sorted", (items,), Some(&by))?.try_iter()?
                }
                false => items,
            };
            for item in items {
                self.add(&item?, options)?;
            }
            self.depth -= 1;
        } else if let Some(url) = value.extract::<String>().ok().filter(|text| remote::is_url(text)) {
            for file in remote::expand(py, &url)? {
                if remote::is_url(&file.to_string_lossy()) {
                    self.names.push(file.to_string_lossy().into_owned());
                    let input = ArchiveInput::Remote(Arc::new(UrlFile::new(file, None)));
                    self.archives.push(TableArchive::new(input, options.skips(false)));
                } else {
                    self.add_path(py, file, options)?;
                }
            }
        } else if value.is_instance_of::<PyString>() || value.hasattr("__fspath__")? {
            // A path may consist of bytes.
            let path: PathBuf = py.import("os")?.call_method1("fsdecode", (value,))?.extract()?;
            let path = if path.starts_with("~") { expand_user(py, &path)? } else { path };
            self.add_path(py, path, options)?;
        } else if value.hasattr("read")? {
            let content = value.call_method0("read")?;
            let bytes = match content.cast::<PyString>() {
                Ok(text) => text.to_str()?.as_bytes().to_vec(),
                Err(_) => content.extract::<Vec<u8>>()?,
            };
            let name = value.getattr("name").and_then(|name| name.extract::<String>());
            self.add_bytes(name.unwrap_or_else(|_| "<stream>".to_owned()), bytes);
        } else {
            return Err(PyTypeError::new_err(format!(
                "expected a path, bytes, a file object, an archive, an index or a list, set or generator of them, not {}",
                value.get_type().name()?
            )));
        }
        Ok(())
    }

    fn add_bytes(&mut self, name: String, bytes: Vec<u8>) {
        self.archives.push(ArchiveInput::Memory(PathBuf::from(&name), Bytes::from(bytes)).into());
        self.names.push(name);
    }

    fn add_index(&mut self, py: Python<'_>, index: Arc<Index>) -> PyResult<()> {
        match self.index.replace(index) {
            None => Ok(()),
            Some(first) => Err(file_error(py, first.dir(), "only one index can be read at a time")),
        }
    }

    /// Adds a file, a folder with PDN files, an index, or the files that match a pattern.
    fn add_path(&mut self, py: Python<'_>, path: PathBuf, options: &ReadOptions) -> PyResult<()> {
        let text = path.to_string_lossy();
        if !path.exists() && text.contains(['*', '?', '[']) {
            let matches = expand_glob(py, &path)?;
            if matches.is_empty() {
                return Err(file_error(py, &path, "no file matches this pattern"));
            }
            return matches.into_iter().try_for_each(|path| self.add_path(py, path, options));
        }
        self.names.push(text.into_owned());
        if !path.is_dir() {
            let skips = options.skips(false);
            if !pdn::internal::source::is_stream(&path)
                && let Err(error) = pdn::internal::source::open(&path, &options.open)
            {
                return self.failed(py, error, skips);
            }
            self.archives.push(TableArchive::new(ArchiveInput::File(path), skips));
            return Ok(());
        }
        if path.join("manifest").exists() || Index::open(&path).is_ok() {
            let index = Index::open(&path).map_err(|error| from_pdn(py, &error))?;
            return self.add_index(py, Arc::new(index));
        }
        let (skips, mut is_empty) = (options.skips(true), true);
        for file in source::walk([&path]) {
            let file = match file {
                Ok(file) => file,
                Err(error) => {
                    is_empty = false;
                    self.failed(py, error, skips)?;
                    continue;
                }
            };
            // A zip of something else is no archive.
            let is_zip = file.extension().is_some_and(|end| end.eq_ignore_ascii_case("zip"));
            if is_zip
                && let Err(error) = pdn::internal::source::open(&file, &options.open)
                && matches!(error.kind(), ErrorKind::NoEntry)
            {
                continue;
            }
            is_empty = false;
            self.archives.push(TableArchive::new(ArchiveInput::File(file), skips));
        }
        if is_empty {
            return Err(file_error(py, &path, "neither an index nor a folder with PDN files"));
        }
        Ok(())
    }

    /// Lists an error of a file that is left out, or raises it.
    fn failed(&self, py: Python<'_>, error: pdn::Error, skips: bool) -> PyResult<()> {
        if !skips {
            return Err(from_pdn(py, &error));
        }
        self.skipped.push(error);
        Ok(())
    }
}

/// Returns the files that match a pattern of Python's module `glob`, sorted.
fn expand_glob(py: Python<'_>, pattern: &Path) -> PyResult<Vec<PathBuf>> {
    let options = PyDict::new(py);
    options.set_item("recursive", true)?;
    let found = py.import("glob")?.call_method("glob", (pattern.as_os_str(),), Some(&options))?;
    let mut paths: Vec<PathBuf> = found.extract()?;
    paths.sort();
    Ok(paths)
}

/// Replaces `~` by the home folder.
fn expand_user(py: Python<'_>, path: &Path) -> PyResult<PathBuf> {
    py.import("os.path")?.call_method1("expanduser", (path.as_os_str(),))?.extract()
}
