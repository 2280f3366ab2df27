//! Checks of archives.

use std::sync::{Mutex, PoisonError};

use pdn::replay::ReplayOptions;
use pdn_tables::arrow::{ArrowTable, SkippedArchives, StringsType, TableOptions, TableReader};
use pdn_tables::{ColumnSelection, ExportOptions, Table};
use pyo3::prelude::*;

use crate::diagnostic::{Diagnostic, read_diagnostics};
use crate::errors::{self, from_arrow, from_table, warn_skipped};
use crate::reading::{self, ReadOptions};
use crate::signals::raises_signal;
use crate::source::Source;

/// The iterator over the diagnostics of an archive.
#[pyclass(frozen, module = "pdn")]
#[derive(Debug)]
pub(crate) struct DiagnosticIterator {
    state: Mutex<(TableReader, std::vec::IntoIter<Diagnostic>)>,
    skipped: SkippedArchives,
}

#[pymethods]
impl DiagnosticIterator {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// The errors of the files that were skipped so far, or not read to their end; see `errors` of `pdn.open`.
    #[getter]
    fn skipped(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        errors::skipped(py, &self.skipped)
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Diagnostic>> {
        loop {
            let next = py.detach(|| {
                let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
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
            // The exception of a signal that came while the reader waited.
            if let Some(raised) = PyErr::take(py) {
                return Err(raised);
            }
            match next.map_err(|error| from_arrow(py, &error))? {
                Ok(found) => return Ok(Some(found)),
                Err(true) => return warn_skipped(py, &self.skipped).map(|()| None),
                Err(false) => py.check_signals()?,
            }
        }
    }
}

/// Checks an archive: returns an iterator over its diagnostics, in text order. `strict` includes those of severity `style`.
///
/// The other arguments are those of `pdn.open`.
#[pyfunction]
#[pyo3(signature = (source, *, strict=false, variant=None, encoding=None, scores=None, errors=None, threads=None, mmap=false))]
#[expect(clippy::too_many_arguments, reason = "they are those of the function in Python")]
pub(crate) fn check(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    strict: bool,
    variant: Option<&str>,
    encoding: Option<&str>,
    scores: Option<&str>,
    errors: Option<&str>,
    threads: Option<usize>,
    mmap: bool,
) -> PyResult<DiagnosticIterator> {
    let mut options = TableOptions::new();
    let mut reading = ReadOptions::new(py, variant, encoding, scores, errors, mmap)?;
    let Source { rows, skipped, .. } = Source::of(source, &mut reading)?;
    (options.open, options.skipped) = (reading.open, skipped.clone());
    options.threads = reading::threads(py, threads)?;
    options.strings = StringsType::Plain;
    // Small batches, so that the first diagnostics come soon.
    options.batch_bytes = Some(512 << 10);
    options.export = ExportOptions::new().replay(ReplayOptions::new().variant(reading.variant)).style(strict);
    let table = ArrowTable::new(rows, ColumnSelection::of(Table::Diagnostics), options);
    let table = table.map_err(|error| from_table(py, &error))?;
    let reader = table.reader().stop_if(raises_signal);
    Ok(DiagnosticIterator { state: Mutex::new((reader, Vec::new().into_iter())), skipped })
}
