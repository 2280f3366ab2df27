//! Archives and the iteration over their games.

use std::sync::{Arc, Mutex, PoisonError};

use pdn::archive::Batch;
use pdn::replay::ReplayOptions;
use pdn_tables::{ArchiveBatches, ArchiveInput};
use pyo3::prelude::*;

use crate::errors::from_pdn;
use crate::game::{Game, GameContext, Origin};
use crate::reading::ReadOptions;

/// The bytes of text that are read at a time.
const BATCH_BYTES: usize = 512 << 10;

/// An archive: a file, a folder, bytes, or several of them. Iterating over it gives its games, as often as wanted.
#[pyclass(frozen, module = "pdn")]
#[derive(Debug)]
pub(crate) struct Archive {
    archives: Vec<ArchiveInput>,
    name: String,
    options: ReadOptions,
    context: Arc<GameContext>,
}

impl Archive {
    /// Creates an archive of these inputs; `name` stands for them in messages.
    pub(crate) fn new(archives: Vec<ArchiveInput>, name: String, options: ReadOptions) -> Self {
        let context = Arc::new(GameContext::new(ReplayOptions::new().variant(options.variant)));
        Self { archives, name, options, context }
    }

    pub(crate) fn archives(&self) -> &[ArchiveInput] {
        &self.archives
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn options(&self) -> ReadOptions {
        self.options
    }
}

#[pymethods]
impl Archive {
    fn __iter__(&self) -> GameIterator {
        let batches = ArchiveBatches::new(self.archives.clone(), self.options.open, BATCH_BYTES);
        let state = IterationState { batches, current: None };
        GameIterator { state: Mutex::new(state), context: Arc::clone(&self.context) }
    }

    /// The names of the files.
    #[getter]
    fn files(&self) -> Vec<String> {
        self.archives.iter().map(|archive| archive.name().to_string_lossy().into_owned()).collect()
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// Nothing is open between two iterations, so there is nothing to close.
    #[pyo3(signature = (*_args))]
    fn __exit__(&self, _args: &Bound<'_, pyo3::types::PyTuple>) {}

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
}

#[derive(Debug)]
struct IterationState {
    batches: ArchiveBatches,
    current: Option<CurrentBatch>,
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
            None => Ok(None),
            Some(Ok((batch, at))) => {
                let context = Arc::clone(&self.context);
                Ok(Some(Origin::Archive { batch, at, context }.into()))
            }
            Some(Err(error)) => Err(from_pdn(py, &error)),
        }
    }
}
