//! Exceptions. Their classes are written in Python, in `pdn/_errors.py`, because they have two base classes.

use std::fmt::Display;
use std::io;
use std::path::Path;

use pdn::error::ErrorKind;
use pdn::query::{Query, QueryError};
use pdn_tables::TableError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

static ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static MISSING_FILE_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Creates a `pdn.Error`.
pub(crate) fn error(py: Python<'_>, message: impl Display) -> PyErr {
    make(py, &ERROR, "Error", &message, None, None)
}

/// Creates a `pdn.Error` about a file.
pub(crate) fn file_error(py: Python<'_>, path: &Path, message: impl Display) -> PyErr {
    make(py, &ERROR, "Error", &format!("{}: {message}", path.display()), Some(path), None)
}

/// Creates a `pdn.Error` about a part of a text that the caller gave: `what` is shown with a mark below the part.
pub(crate) fn text_error(py: Python<'_>, what: &str, text: &str, at: usize, message: impl Display) -> PyErr {
    let before = text.get(..at).unwrap_or(text).chars().count();
    let line = text.replace(['\n', '\r', '\t'], " ");
    let message = format!("{what}: {message}\n  {line}\n  {}^", " ".repeat(before));
    make(py, &ERROR, "Error", &message, None, Some(at))
}

/// Converts an error of the library.
pub(crate) fn from_pdn(py: Python<'_>, error: &pdn::Error) -> PyErr {
    let is_missing = matches!(error.kind(), ErrorKind::Io(cause) if cause.kind() == io::ErrorKind::NotFound);
    let (class, name) =
        if is_missing { (&MISSING_FILE_ERROR, "MissingFileError") } else { (&ERROR, "Error") };
    make(py, class, name, error, error.path(), None)
}

/// Converts an error of a table.
pub(crate) fn from_table(py: Python<'_>, failed: &TableError) -> PyErr {
    match failed {
        TableError::Source(source) => from_pdn(py, source),
        TableError::NeedsIndex => {
            error(py, format!("where: {failed}; `pdn.index(archive, folder)` makes an index"))
        }
        TableError::Contradiction(..) => error(py, format!("where: {failed}")),
        other => error(py, other),
    }
}

/// Parses a query that the argument `name` holds.
pub(crate) fn parse_query(py: Python<'_>, name: &str, text: Option<&str>) -> PyResult<Query> {
    let Some(text) = text else { return Ok(Query::all()) };
    Query::parse(text)
        .map_err(|error: QueryError| text_error(py, name, text, error.span().start as usize, error.message()))
}

fn make(
    py: Python<'_>,
    class: &PyOnceLock<Py<PyType>>,
    name: &str,
    message: &dyn Display,
    path: Option<&Path>,
    at: Option<usize>,
) -> PyErr {
    let made = class.import(py, "pdn._errors", name).and_then(|class| {
        let error = class.call1((message.to_string(),))?;
        error.setattr("path", path.map(|path| path.to_string_lossy().into_owned()))?;
        error.setattr("at", at)?;
        Ok(error)
    });
    match made {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}
