//! Exceptions. Their classes are written in Python, in `pdn/_errors.py`, because they have two base classes.

use std::fmt::Display;
use std::io;
use std::path::Path;

use arrow_schema::ArrowError;
use pdn::error::ErrorKind;
use pdn::internal::message::Argument;
use pdn::internal::source::path_text;
use pdn_app::{AppError, ErrorCode};
use pdn_index::query::{Query, QueryError};
use pdn_tables::Table;
use pdn_tables::arrow::{SkippedArchives, TableError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

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
    let message = format!("{what}: {message}{}", marked(text, at));
    make(py, &ERROR, "Error", &message, None, Some(at))
}

/// Returns the line of a text that has the byte `at` on a line of its own, with a mark below that byte.
fn marked(text: &str, at: usize) -> String {
    let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let end = after.find('\n').map_or(text.len(), |len| before.len() + len);
    let line = text[start..end].replace(['\r', '\t'], " ");
    let before = before[start..].chars().count();
    format!("\n  {line}\n  {}^", " ".repeat(before))
}

/// Converts an error of the library.
pub(crate) fn from_pdn(py: Python<'_>, error: &pdn::Error) -> PyErr {
    let is_missing = matches!(error.kind(), ErrorKind::Io(cause) if cause.kind() == io::ErrorKind::NotFound);
    let (class, name) =
        if is_missing { (&MISSING_FILE_ERROR, "MissingFileError") } else { (&ERROR, "Error") };
    make(py, class, name, error, error.path(), None)
}

/// Returns the errors of the archives that were skipped, as exceptions that were not raised.
pub(crate) fn skipped(py: Python<'_>, skipped: &SkippedArchives) -> Vec<Py<PyAny>> {
    skipped.errors().iter().map(|error| from_pdn(py, error).into_value(py).into_any()).collect()
}

/// Warns with a `pdn.IncompleteWarning` if archives were skipped. The warning is an error if the caller's filter of warnings says so.
pub(crate) fn warn_skipped(py: Python<'_>, archives: &SkippedArchives) -> PyResult<()> {
    match skipped(py, archives) {
        errors if errors.is_empty() => Ok(()),
        errors => py.import("pdn._errors")?.call_method1("warn", (errors,)).map(drop),
    }
}

/// The argument that holds a query in most functions.
const WHERE: &str = "where";

/// Returns the name of an argument, by that of the field that it fills. `query` is the name of the argument that holds the query.
fn argument_of(field: &'static str, query: &'static str) -> &'static str {
    if field == "query" { query } else { argument(field) }
}

/// Options that Python has under another name, which comes second.
const OTHER_NAMES: [(&str, &str); 2] = [("class", "classes"), ("force", "overwrite")];

/// Returns the name of the argument for an option.
pub(crate) fn argument(option: &'static str) -> &'static str {
    OTHER_NAMES.iter().find(|(name, _)| *name == option).map_or(option, |(_, name)| name)
}

/// Returns the name of the option for an argument.
pub(crate) fn option(argument: &str) -> &str {
    OTHER_NAMES.iter().find(|(_, name)| *name == argument).map_or(argument, |(option, _)| option)
}

/// Returns the text of an error of a question: its argument, its file, what is wrong, and what to do.
pub(crate) fn app_text(failed: &AppError) -> String {
    question_text(failed, WHERE)
}

/// Returns the text of an error of a question whose query is the argument `query`.
fn question_text(failed: &AppError, query: &'static str) -> String {
    let mut text = String::new();
    if let Some(field) = failed.field {
        text += &format!("{}: ", argument_of(field, query));
    }
    if let (Some(value), None) = (&failed.value, failed.span) {
        text += &format!("`{value}`: ");
    }
    if let Some(path) = &failed.path {
        text += &format!("{}: ", path.display());
    }
    text += &failed.message;
    if let (Some(value), Some(span)) = (&failed.value, failed.span) {
        text += &marked(value, span.start as usize);
    }
    for line in &failed.details {
        text += &format!("\n  {line}");
    }
    if let Some(help) = &failed.help {
        let subject = help.field.map_or_else(String::new, |field| {
            let is_switch = if field == "force" { "=True" } else { "" };
            format!("`{}{is_switch}` ", argument_of(field, query))
        });
        text += &format!("\n  {subject}{}", help.text);
    }
    text
}

/// Converts an error of a question.
pub(crate) fn from_app(py: Python<'_>, failed: &AppError) -> PyErr {
    from_question(py, failed, WHERE)
}

/// Converts an error of a question whose query is the argument `query`.
pub(crate) fn from_question(py: Python<'_>, failed: &AppError, query: &'static str) -> PyErr {
    let (class, name) = match failed.code {
        ErrorCode::NotFound if failed.path.is_some() => (&MISSING_FILE_ERROR, "MissingFileError"),
        _ => (&ERROR, "Error"),
    };
    let at = failed.span.map(|span| span.start as usize);
    let made = make(py, class, name, &question_text(failed, query), failed.path.as_deref(), at);
    match failed.reason {
        Some(reason) => with_reason(py, made, reason, &failed.arguments),
        None => made,
    }
}

/// Converts an error of a table.
pub(crate) fn from_table(py: Python<'_>, failed: &TableError) -> PyErr {
    from_search(py, failed, WHERE)
}

/// Converts an error of a table or a search whose query is the argument `query`.
pub(crate) fn from_search(py: Python<'_>, failed: &TableError, query: &str) -> PyErr {
    match failed {
        TableError::Source(source) => from_pdn(py, source),
        TableError::NeedsIndex => {
            error(py, format!("{query}: {failed}; `pdn.index(archive, folder)` makes an index"))
        }
        TableError::Contradiction(..) => error(py, format!("{query}: {failed}")),
        other => error(py, other),
    }
}

/// Converts an error of Arrow, which holds one of a table.
pub(crate) fn from_arrow(py: Python<'_>, failed: &ArrowError) -> PyErr {
    if let ArrowError::ExternalError(inner) = failed
        && let Some(inner) = inner.downcast_ref::<TableError>()
    {
        return from_table(py, inner);
    }
    error(py, failed)
}

/// Parses a query that the argument `name` holds.
pub(crate) fn parse_query(py: Python<'_>, name: &str, text: Option<&str>) -> PyResult<Query> {
    let Some(text) = text else { return Ok(Query::all()) };
    Query::parse(text).map_err(|error: QueryError| {
        let span = error.span();
        let found = text.get(span.range()).unwrap_or_default();
        let word = found.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
        let is_column =
            Table::ALL.iter().any(|table| table.columns().iter().any(|column| column.name == word));
        // A word that begins a condition is followed by the part that is wrong.
        let hint = if is_column && error.message().starts_with("expected a condition") {
            format!("; no query asks for the column `{word}`: filter the rows instead, as `pdn.scan` does")
        } else {
            String::new()
        };
        let made = text_error(py, name, text, span.start as usize, format!("{}{hint}", error.message()));
        let message = error.full_message();
        with_reason(py, made, message.reason, &message.arguments)
    })
}

/// Adds the reason of a message and the values in it to an exception.
fn with_reason(py: Python<'_>, made: PyErr, reason: &str, arguments: &[(&'static str, Argument)]) -> PyErr {
    let add = || {
        let values = PyDict::new(py);
        for (name, argument) in arguments {
            match argument {
                Argument::Text(text) => values.set_item(name, text)?,
                Argument::Number(number) => values.set_item(name, number)?,
                Argument::Choices(choices) => values.set_item(name, choices)?,
            }
        }
        made.value(py).setattr("reason", reason)?;
        made.value(py).setattr("arguments", values)
    };
    match add() {
        Ok(()) => made,
        Err(error) => error,
    }
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
        error.setattr("path", path.map(path_text))?;
        error.setattr("at", at)?;
        Ok(error)
    });
    match made {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}
