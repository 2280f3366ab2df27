//! Archives and the iteration over their games.

use std::sync::{Arc, Mutex, PoisonError};
use std::{io, process};

use pdn::archive::Batch;
use pdn::internal::source::path_text;
use pdn_tables::arrow::{ArchiveBatches, SkippedArchives, TableArchive};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{self, from_pdn, warn_skipped};
use crate::game::{Game, GameContext, Origin};
use crate::reading::ReadOptions;
use crate::recipe;

/// The bytes of text that are read at a time.
const BATCH_BYTES: usize = 512 << 10;

/// An archive: a file, a folder, bytes, or several of them. Iterating over it gives its games, as often as wanted.
#[pyclass(frozen, module = "pdn")]
#[derive(Debug)]
pub(crate) struct Archive {
    archives: Vec<TableArchive>,
    name: String,
    options: ReadOptions,
    skipped: SkippedArchives,
    context: Arc<GameContext>,
}

impl Archive {
    /// Creates an archive of these inputs; `name` stands for them in messages.
    pub(crate) fn new(
        archives: Vec<TableArchive>,
        name: String,
        options: ReadOptions,
        skipped: SkippedArchives,
    ) -> Self {
        let context = Arc::new(GameContext::new(options));
        Self { archives, name, options, skipped, context }
    }

    pub(crate) fn archives(&self) -> &[TableArchive] {
        &self.archives
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn skipped_archives(&self) -> &SkippedArchives {
        &self.skipped
    }

    pub(crate) fn options(&self) -> ReadOptions {
        self.options
    }
}

#[pymethods]
impl Archive {
    fn __iter__(&self) -> GameIterator {
        let batches =
            ArchiveBatches::new(self.archives.clone(), self.options.open, BATCH_BYTES, self.skipped.clone());
        let state = IterationState { batches, current: None, process: process::id() };
        let skipped = self.skipped.clone();
        GameIterator { state: Mutex::new(state), context: Arc::clone(&self.context), skipped }
    }

    /// The names of the files.
    #[getter]
    fn files(&self) -> Vec<String> {
        self.archives.iter().map(|archive| path_text(archive.input.name()).into_owned()).collect()
    }

    /// The errors of the files that were skipped so far, or not read to their end; see `errors` of `pdn.open`.
    #[getter]
    fn skipped(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        errors::skipped(py, &self.skipped)
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// Nothing is open between two iterations, so there is nothing to close.
    #[pyo3(signature = (*_args))]
    fn __exit__(&self, _args: &Bound<'_, pyo3::types::PyTuple>) {}

    /// What `pdn.open` was given. A file object was read to its end, so an archive of one has its bytes.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Py<PyAny>)> {
        let recipe = recipe::pickled(py, &self.archives)?;
        let arguments = (recipe, &self.name, self.options.arguments(py)?);
        Ok((py.import("pdn._pdn")?.getattr("restore_archive")?, arguments.into_py_any(py)?))
    }

    fn __repr__(&self) -> String {
        format!("<pdn.Archive: {}>", self.name)
    }
}

/// The iterator over the games of an archive.
#[pyclass(frozen, module = "pdn")]
#[derive(Debug)]
pub(crate) struct GameIterator {
    state: Mutex<IterationState>,
    context: Arc<GameContext>,
    skipped: SkippedArchives,
}

#[derive(Debug)]
struct IterationState {
    batches: ArchiveBatches,
    current: Option<CurrentBatch>,
    /// The process that began to read. Its copies (`fork`) share its places in files.
    process: u32,
}

#[derive(Debug)]
struct CurrentBatch {
    batch: Arc<Batch>,
    next: usize,
    len: usize,
}

/// A batch and the index of a game in it.
type GamePlace = (Arc<Batch>, usize);

impl IterationState {
    /// Returns the place of the next game.
    fn next(&mut self) -> Option<pdn::Result<GamePlace>> {
        loop {
            if let Some(current) = self.current.as_mut().filter(|current| current.next < current.len) {
                current.next += 1;
                return Some(Ok((Arc::clone(&current.batch), current.next - 1)));
            }
            self.current = None;
            if process::id() != self.process {
                let message = "this process is a copy (fork) of the one that began to read; begin anew in it";
                return Some(Err(io::Error::other(message).into()));
            }
            match self.batches.next()? {
                Ok(batch) => {
                    let len = batch.len();
                    self.current = Some(CurrentBatch { batch: Arc::new(batch), next: 0, len });
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }

    /// Returns `true` if the next game is known without reading.
    fn is_ready(&self) -> bool {
        self.current.as_ref().is_some_and(|current| current.next < current.len)
    }
}

#[pymethods]
impl GameIterator {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        let next = match self.state.try_lock() {
            Ok(mut state) if state.is_ready() => state.next(),
            // Reads, perhaps from a slow disk, or waits for another thread that does.
            lock => {
                drop(lock);
                py.detach(|| self.state.lock().unwrap_or_else(PoisonError::into_inner).next())
            }
        };
        match next {
            None => warn_skipped(py, &self.skipped).map(|()| None),
            Some(Ok((batch, at))) => {
                let context = Arc::clone(&self.context);
                Ok(Some(Origin::Archive { batch, at, context }.into()))
            }
            Some(Err(error)) => Err(from_pdn(py, &error)),
        }
    }
}

/// Returns an archive that was pickled.
#[pyfunction]
pub(crate) fn restore_archive(
    py: Python<'_>,
    recipe: Vec<Bound<'_, PyAny>>,
    name: String,
    options: &Bound<'_, PyDict>,
) -> PyResult<Archive> {
    let options = ReadOptions::read(py, Some(options))?;
    Ok(Archive::new(recipe::restored(&recipe)?, name, options, SkippedArchives::default()))
}
