//! Files in other storage, such as `s3://bucket/games.pdn`, which the module `fsspec` opens.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use pdn_tables::arrow::RemoteFile;
use pyo3::exceptions::PyFileNotFoundError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A file that has a URL.
#[derive(Debug)]
pub(crate) struct UrlFile {
    url: PathBuf,
    /// The length that the file must have, in bytes.
    len: Option<u64>,
}

impl UrlFile {
    pub(crate) fn new(url: PathBuf, len: Option<u64>) -> Self {
        Self { url, len }
    }
}

impl RemoteFile for UrlFile {
    fn name(&self) -> &PathBuf {
        &self.url
    }

    fn open(&self, start: u64) -> io::Result<Box<dyn Read + Send>> {
        Python::attach(|py| {
            let arguments = (self.url.to_string_lossy(), start, self.len);
            let file = module(py)?.call_method1("open_at", arguments)?;
            Ok(Box::new(PythonFile(file.unbind())) as Box<dyn Read + Send>)
        })
        .map_err(io_error)
    }
}

/// A file object of Python.
struct PythonFile(Py<PyAny>);

impl Read for PythonFile {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let read = self.0.bind(py).call_method1("read", (out.len(),))?;
            let bytes = read.cast::<PyBytes>()?.as_bytes();
            let len = bytes.len().min(out.len());
            out[..len].copy_from_slice(&bytes[..len]);
            Ok(len)
        })
        .map_err(io_error)
    }
}

/// Returns `true` if a text is a URL, possibly of several storages such as `simplecache::s3://bucket/games.pdn`.
pub(crate) fn is_url(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "+-.:".contains(c);
        !scheme.is_empty() && scheme.chars().all(is_plain)
    })
}

/// Returns what a URL names: URLs of files for a pattern, otherwise the URL itself; or a path of the file system.
///
/// # Errors
/// If nothing is there, if it is a folder, or if a module is missing that the storage takes.
pub(crate) fn expand(py: Python<'_>, url: &str) -> PyResult<Vec<PathBuf>> {
    module(py)?.call_method1("expand", (url,))?.extract()
}

/// Returns the length of a file in bytes: of a path, or of a URL.
pub(crate) fn file_len(py: Python<'_>, file: &Path) -> PyResult<u64> {
    let text = file.to_string_lossy();
    if is_url(&text) {
        return module(py)?.call_method1("size", (text,))?.extract();
    }
    let metadata =
        file.metadata().map_err(|error| crate::errors::from_pdn(py, &pdn::Error::from(error).at(file)))?;
    Ok(metadata.len())
}

/// Opens a file from this offset on: a path, or a URL.
///
/// # Errors
/// If it cannot be opened, or has another length.
pub(crate) fn open_at(file: &Path, start: u64, len: u64) -> io::Result<Box<dyn Read + Send>> {
    if is_url(&file.to_string_lossy()) {
        return UrlFile::new(file.to_owned(), Some(len)).open(start);
    }
    let mut opened = File::open(file)?;
    if opened.metadata()?.len() != len {
        return Err(io::Error::other("the file has changed since its parts were found; find them again"));
    }
    opened.seek(SeekFrom::Start(start))?;
    Ok(Box::new(opened))
}

fn module(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("pdn._remote")
}

/// Converts an exception of Python.
fn io_error(error: PyErr) -> io::Error {
    Python::attach(|py| {
        let kind = match error.is_instance_of::<PyFileNotFoundError>(py) {
            true => io::ErrorKind::NotFound,
            false => io::ErrorKind::Other,
        };
        io::Error::new(kind, error.value(py).to_string())
    })
}
