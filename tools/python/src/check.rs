//! Checks of archives.

use std::sync::{Mutex, PoisonError};

use pdn_app::check::CheckRules;
use pdn_app::read::inputs::Threads;
use pdn_tables::arrow::{ArrowTable, SkippedArchives, StringsType, TableOptions, TableReader};
use pdn_tables::{ColumnSelection, ExportOptions, Table};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::CHECK_OPTIONS;
use crate::diagnostic::{Diagnostic, read_diagnostics};
use crate::errors::{self, from_arrow, from_table, warn_skipped};
use crate::options::{self, read_all};
use crate::reading::ReadOptions;
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
// begin signature of check
#[pyo3(signature = (source, **options), text_signature = "(source, *, strict=False, variant=None, encoding=None, scores=None, errors=None, threads=None, mmap=False)")]
// end signature of check
pub(crate) fn check(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<DiagnosticIterator> {
    let mut given = options::given(options)?;
    let mut reading = ReadOptions::take(py, &mut given)?;
    let (strict, threads) = read_all(py, given, |given| {
        let strict = options::some::<CheckRules>(given, CHECK_OPTIONS)?.strict;
        Ok((strict, given.group::<Threads>()?.number()))
    })?;
    let mut options = TableOptions::new();
    let Source { rows, skipped, .. } = Source::of(source, &mut reading)?;
    (options.open, options.skipped) = (reading.open, skipped.clone());
    options.threads = threads;
    options.strings = StringsType::Plain;
    // Small batches, so that the first diagnostics come soon.
    options.batch_bytes = Some(512 << 10);
    options.export = ExportOptions::new().replay(reading.replay()).style(strict);
    let table = ArrowTable::new(rows, ColumnSelection::of(Table::Diagnostics), options);
    let table = table.map_err(|error| from_table(py, &error))?;
    let reader = table.reader().stop_if(raises_signal);
    Ok(DiagnosticIterator { state: Mutex::new((reader, Vec::new().into_iter())), skipped })
}
