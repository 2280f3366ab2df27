//! Diagnostics: what is wrong in a record.

use arrow_array::cast::AsArray;
use arrow_array::types::{UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use pdn::export::{ColumnSelection, ExportOptions, Table};
use pdn::replay::ReplayOptions;
use pdn_tables::{ArrowTable, StringsType, TableOptions, TableReader};
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

use crate::errors::from_table;
use crate::source::{self, ReadOptions, Source};
use crate::table::from_arrow;

/// A diagnostic: what is wrong in a record, and where.
///
/// >>> import pdn
/// >>> for found in pdn.check(b"1. 32-28 19-23 2. 33-29 *"):
/// ...     print(found)
/// <bytes>:1:19: error R003: a quiet move where a capture is compulsory: the side to move must capture
#[pyclass(frozen, get_all, module = "pdn")]
#[derive(Clone, Debug)]
pub(crate) struct Diagnostic {
    /// The path of the file.
    file: String,
    /// The number of the record in the file, from 1.
    record: u64,
    /// The code, such as `R001`.
    code: String,
    /// `error`, `warning` or `style`.
    severity: String,
    /// The line of the first byte, from 1.
    line: u32,
    /// The column of the first byte, in characters from 1.
    column: u32,
    /// The offset of the first byte in the unpacked file, from 0.
    at: u64,
    /// The length in bytes; 0 for a place between two bytes.
    length: u64,
    /// What is wrong.
    message: String,
    /// How to fix it.
    help: Option<String>,
}

impl Diagnostic {
    /// Sets the number of the record.
    pub(crate) fn with_record(self, record: u64) -> Self {
        Self { record, ..self }
    }
}

#[pymethods]
impl Diagnostic {
    fn __str__(&self) -> String {
        let Self { file, line, column, severity, code, message, .. } = self;
        format!("{file}:{line}:{column}: {severity} {code}: {message}")
    }

    fn __repr__(&self) -> String {
        format!("<pdn.Diagnostic {}>", self.__str__())
    }
}

/// Reads the rows of a batch of the table of diagnostics, with all columns.
pub(crate) fn read_diagnostics(batch: &RecordBatch) -> Vec<Diagnostic> {
    let column = |name: &str| batch.column_by_name(name).expect("all columns are selected");
    let text = |name: &str, row: usize| -> Option<String> {
        let column = column(name);
        if let Some(words) = column.as_any_dictionary_opt() {
            let row = words.normalized_keys().get(row).copied()?;
            return Some(words.values().as_string::<i32>().value(row).to_owned());
        }
        let texts = column.as_string::<i32>();
        texts.is_valid(row).then(|| texts.value(row).to_owned())
    };
    let long = |name: &str, row: usize| column(name).as_primitive::<UInt64Type>().value(row);
    let short = |name: &str, row: usize| column(name).as_primitive::<UInt32Type>().value(row);
    let diagnostic = |row: usize| Diagnostic {
        file: text("file", row).unwrap_or_default(),
        record: short("record", row).into(),
        code: text("code", row).unwrap_or_default(),
        severity: text("severity", row).unwrap_or_default(),
        line: short("line", row),
        column: short("column", row),
        at: long("at", row),
        length: long("length", row),
        message: text("message", row).unwrap_or_default(),
        help: text("help", row),
    };
    (0..batch.num_rows()).map(diagnostic).collect()
}

/// The iterator over the diagnostics of an archive.
#[pyclass(frozen, module = "pdn")]
#[derive(Debug)]
pub(crate) struct DiagnosticIterator(Mutex<(TableReader, std::vec::IntoIter<Diagnostic>)>);

#[pymethods]
impl DiagnosticIterator {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Diagnostic>> {
        loop {
            let next = py.detach(|| {
                let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(found) = state.1.next() {
                    return Ok(Ok(found));
                }
                match state.0.next() {
                    None => Ok(Err(true)),
                    Some(Ok(batch)) => {
                        state.1 = read_diagnostics(&batch).into_iter();
                        Ok(Err(false))
                    }
                    Some(Err(error)) => Err(error),
                }
            });
            match next.map_err(|error| from_arrow(py, &error))? {
                Ok(found) => return Ok(Some(found)),
                Err(true) => return Ok(None),
                Err(false) => py.check_signals()?,
            }
        }
    }
}

/// Checks an archive: returns an iterator over its diagnostics, in text order. `strict` includes those of severity `style`.
///
/// The other arguments are those of `pdn.open`.
#[pyfunction]
#[pyo3(signature = (source, *, strict=false, variant=None, encoding=None, threads=None, mmap=false))]
pub(crate) fn check(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    strict: bool,
    variant: Option<&str>,
    encoding: Option<&str>,
    threads: Option<usize>,
    mmap: bool,
) -> PyResult<DiagnosticIterator> {
    let mut options = TableOptions::new();
    let mut reading = ReadOptions::new(py, variant, encoding, mmap)?;
    let rows = Source::of(source, &mut reading)?.rows;
    options.open = reading.open;
    options.threads = source::threads(py, threads)?;
    options.strings = StringsType::Plain;
    // Small batches, so that the first diagnostics come soon.
    options.batch_bytes = Some(512 << 10);
    options.export = ExportOptions::new().replay(ReplayOptions::new().variant(reading.variant)).style(strict);
    let table = ArrowTable::new(rows, ColumnSelection::of(Table::Diagnostics), options);
    let table = table.map_err(|error| from_table(py, &error))?;
    Ok(DiagnosticIterator(Mutex::new((table.reader(), Vec::new().into_iter()))))
}
