//! Proven endings.

use std::path::{Path, PathBuf};

use pdn_app::ask::endings::{EndingTables, value_word};
use pdn_index::internal::query::ProvenValues;
use pyo3::prelude::*;

use crate::errors::{from_app, from_pdn};
use crate::position::Position;

/// The endings that `pdn endgame build` has proved, in a folder.
///
/// >>> import pdn
/// >>> endings = pdn.Endgame("endings")  # doctest: +SKIP
/// >>> endings.probe(pdn.Position("english", "W:WK7:BK12"))  # doctest: +SKIP
/// ('won', 3)
#[pyclass(frozen, module = "pdn")]
#[derive(Debug)]
pub(crate) struct Endgame(EndingTables);

#[pymethods]
impl Endgame {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        EndingTables::open(&path).map(Self).map_err(|failed| from_app(py, &failed))
    }

    /// The folder.
    #[getter]
    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Returns what a position is worth for the side to move when both sides play as well as they can: `"won"`, `"drawn"` or `"lost"`, and
    /// the number of plies to the end of the game, None for a draw. Returns None if the position is in no file of the folder, because it
    /// has too many pieces or its variant was not built.
    fn probe(&self, py: Python<'_>, position: &Position) -> PyResult<Option<(&'static str, Option<u16>)>> {
        let value = py.detach(|| self.0.value(position.kind(), position.get()));
        let value = value.map_err(|failed| from_pdn(py, &failed))?;
        Ok(value.map(|value| (value_word(value), value.plies)))
    }

    /// The folder is opened anew.
    fn __getnewargs__(&self) -> (&Path,) {
        (self.path(),)
    }

    fn __repr__(&self) -> String {
        format!("<pdn.Endgame: {}>", self.path().display())
    }
}
