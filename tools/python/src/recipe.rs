//! Archives in a form that can be pickled: what they are read from, not what was read.

use std::path::PathBuf;
use std::sync::Arc;

use pdn::source::Bytes;
use pdn_tables::arrow::{ArchiveInput, TableArchive};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::part::{Part, Piece};
use crate::remote::{self, UrlFile};

/// Returns archives as parts of files, and as triples of a path or URL, the bytes if they are in memory, and whether they may be skipped.
pub(crate) fn pickled(py: Python<'_>, archives: &[TableArchive]) -> PyResult<Vec<Py<PyAny>>> {
    let item = |archive: &TableArchive| {
        let skips = archive.skips;
        let part = |file: &PathBuf, range, head: String| {
            Part(vec![Piece { file: file.clone(), range, head, skips }]).into_py_any(py)
        };
        match &archive.input {
            ArchiveInput::Part(file, range, head) => part(file, *range, head.to_string()),
            ArchiveInput::RemotePart(file, range, head) => part(file.name(), *range, head.to_string()),
            ArchiveInput::Memory(name, bytes) => (name, Some(PyBytes::new(py, bytes)), skips).into_py_any(py),
            ArchiveInput::File(_) | ArchiveInput::Remote(_) => {
                (archive.input.name(), None::<Bound<'_, PyBytes>>, skips).into_py_any(py)
            }
        }
    };
    archives.iter().map(item).collect()
}

/// Returns the archives that were [`pickled`].
pub(crate) fn restored(items: &[Bound<'_, PyAny>]) -> PyResult<Vec<TableArchive>> {
    let archives = |item: &Bound<'_, PyAny>| {
        if let Ok(part) = item.cast::<Part>() {
            return part.get().archives(item.py());
        }
        let (path, bytes, skips): (PathBuf, Option<Vec<u8>>, bool) = item.extract()?;
        let input = match bytes {
            Some(bytes) => ArchiveInput::Memory(path, Bytes::from(bytes)),
            None if remote::is_url(&path.to_string_lossy()) => {
                ArchiveInput::Remote(Arc::new(UrlFile::new(path, None)))
            }
            None => ArchiveInput::File(path),
        };
        Ok(vec![TableArchive::new(input, skips)])
    };
    let archives: Vec<Vec<_>> = items.iter().map(archives).collect::<PyResult<_>>()?;
    Ok(archives.into_iter().flatten().collect())
}
