//! Parts of files, which are read alone: on several threads, in several processes or on several machines.

use std::path::PathBuf;
use std::sync::Arc;

use pdn::internal::archive::RecordRange;
use pdn::internal::source::{path_of_text, path_text};
use pdn_tables::arrow::ArchiveInput;
use pyo3::prelude::*;

use crate::errors::error;
use crate::remote::{self, UrlFile};

/// Consecutive records of a file, which can be read without the rest of it; `pdn.split_points` makes them.
///
/// Every function that takes a path takes a part too. Numbers, lines, encodings and variants are those of the whole file.
/// A part is small and can be pickled, to be sent to where it is read. `end` is None for the whole of a file that cannot
/// be divided.
///
/// >>> import pdn, tempfile, pathlib
/// >>> path = pathlib.Path(tempfile.mkdtemp()) / "games.pdn"
/// >>> _ = path.write_text('[White "Ames"] 1. 32-28 *\n' * 100)
/// >>> first, second = pdn.split_points(path, 2)
/// >>> second.start, second.end, second.record, second.line
/// (1300, 2600, 51, 51)
/// >>> [game.record for game in pdn.open(second)][:3]
/// [51, 52, 53]
#[pyclass(frozen, eq, hash, module = "pdn")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Part {
    file: PathBuf,
    range: RecordRange,
    /// What the first records of the file decide, as text.
    head: String,
    /// Whether it is left out if it cannot be read, as a file that was found in a folder.
    skips: bool,
}

impl Part {
    /// Returns the part as an input.
    pub(crate) fn input(&self, py: Python<'_>) -> PyResult<ArchiveInput> {
        let head = self.head.parse().map_err(|unknown| error(py, format!("head: {unknown}")))?;
        if remote::is_url(&self.file.to_string_lossy()) {
            let file = UrlFile::new(self.file.clone(), Some(self.range.file_len));
            return Ok(ArchiveInput::RemotePart(Arc::new(file), self.range, head));
        }
        Ok(ArchiveInput::Part(self.file.clone(), self.range, head))
    }

    /// Creates the part of a file with this range; `head` is what the first records of the file decide.
    pub(crate) fn of_range(file: PathBuf, range: RecordRange, head: String) -> Self {
        Self { file, range, head, skips: false }
    }

    /// Returns the part, which is left out if it `skips` and cannot be read.
    pub(crate) fn skipping(self, skips: bool) -> Self {
        Self { skips, ..self }
    }

    /// Returns `true` if the part is left out if it cannot be read.
    pub(crate) fn skips(&self) -> bool {
        self.skips
    }

    /// Returns the name of the part in messages.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.file.display(), self.range)
    }
}

/// The arguments of [`Part::new`].
type NewArguments = (String, u64, Option<u64>, u64, u64, u64, String, bool);

#[pymethods]
impl Part {
    #[new]
    #[pyo3(signature = (file, start, end, record, line, file_len, head, skips=false))]
    #[expect(clippy::too_many_arguments, reason = "pickle passes all fields")]
    fn new(
        file: PathBuf,
        start: u64,
        end: Option<u64>,
        record: u64,
        line: u64,
        file_len: u64,
        head: String,
        skips: bool,
    ) -> Self {
        let range = RecordRange::new(start, end, record.saturating_sub(1), line, file_len);
        Self { file: path_of_text(&file).into_owned(), range, head, skips }
    }

    /// The path of the file.
    #[getter]
    fn file(&self) -> String {
        path_text(&self.file).into_owned()
    }

    /// The offset of the first byte.
    #[getter]
    fn start(&self) -> u64 {
        self.range.start
    }

    /// The offset after the last byte; None for the whole of a file that cannot be divided.
    #[getter]
    fn end(&self) -> Option<u64> {
        self.range.end
    }

    /// The number of the first record in the file, from 1.
    #[getter]
    fn record(&self) -> u64 {
        self.range.first + 1
    }

    /// The line in which the part begins, from 1.
    #[getter]
    fn line(&self) -> u64 {
        self.range.line
    }

    fn __getnewargs__(&self) -> NewArguments {
        let RecordRange { start, end, line, file_len, .. } = self.range;
        (self.file(), start, end, self.record(), line, file_len, self.head.clone(), self.skips)
    }

    fn __repr__(&self) -> String {
        format!("<pdn.Part {}>", self.name())
    }
}
