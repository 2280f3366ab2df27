//! Parts of archives, which are read alone: on several threads, in several processes or on several machines.

use std::path::PathBuf;
use std::sync::Arc;

use pdn::internal::archive::RecordRange;
use pdn::internal::source::{path_of_text, path_text};
use pdn_tables::arrow::{ArchiveInput, TableArchive};
use pyo3::prelude::*;

use crate::errors::error;
use crate::remote::{self, UrlFile};

/// Consecutive records of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Piece {
    pub(crate) file: PathBuf,
    pub(crate) range: RecordRange,
    /// What the first records of the file decide, as text.
    pub(crate) head: String,
    /// Whether it is left out if it cannot be read, as a file that was found in a folder.
    pub(crate) skips: bool,
}

impl Piece {
    /// Returns a whole file, of which nothing has been read.
    pub(crate) fn whole(file: PathBuf, len: u64, skips: bool) -> Self {
        Self { file, range: RecordRange::new(0, None, 0, 1, len), head: String::new(), skips }
    }

    /// Returns the piece as an archive.
    fn archive(&self, py: Python<'_>) -> PyResult<TableArchive> {
        let head = self.head.parse().map_err(|unknown| error(py, format!("head: {unknown}")))?;
        let input = if remote::is_url(&self.file.to_string_lossy()) {
            let file = UrlFile::new(self.file.clone(), Some(self.range.file_len));
            ArchiveInput::RemotePart(Arc::new(file), self.range, head)
        } else {
            ArchiveInput::Part(self.file.clone(), self.range, head)
        };
        Ok(TableArchive::new(input, self.skips))
    }
}

/// Consecutive records of a file, or several whole files, which can be read without the others; `pdn.split_points` makes them.
///
/// Every function that takes a path takes a part too. Numbers, lines, encodings and variants are those of the whole files.
/// A part is small and can be pickled, to be sent to where it is read.
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
pub(crate) struct Part(pub(crate) Vec<Piece>);

impl Part {
    /// Returns the archives of the part.
    pub(crate) fn archives(&self, py: Python<'_>) -> PyResult<Vec<TableArchive>> {
        self.0.iter().map(|piece| piece.archive(py)).collect()
    }

    /// Returns the range of the first file; a part has at least one.
    fn first(&self) -> RecordRange {
        self.0[0].range
    }

    /// Returns the name of the part in messages.
    pub(crate) fn name(&self) -> String {
        let [first, others @ ..] = &*self.0 else { return String::new() };
        match others.len() {
            0 => format!("{} {}", first.file.display(), first.range),
            more => format!("{} and {more} more", first.file.display()),
        }
    }
}

/// The fields of a piece, as pickle passes them: path, start, end, first record, line, length of the file, head, and whether it is skipped.
type PickledPiece = (String, u64, Option<u64>, u64, u64, u64, String, bool);

#[pymethods]
impl Part {
    #[new]
    fn new(py: Python<'_>, pieces: Vec<PickledPiece>) -> PyResult<Self> {
        if pieces.is_empty() {
            return Err(error(py, "pieces: at least one"));
        }
        let piece = |(file, start, end, record, line, file_len, head, skips): PickledPiece| Piece {
            file: path_of_text(file.as_ref()).into_owned(),
            range: RecordRange::new(start, end, record.saturating_sub(1), line, file_len),
            head,
            skips,
        };
        Ok(Self(pieces.into_iter().map(piece).collect()))
    }

    /// The paths of the files: one, or several that are in the part as a whole.
    #[getter]
    fn files(&self) -> Vec<String> {
        self.0.iter().map(|piece| path_text(&piece.file).into_owned()).collect()
    }

    /// The offset of the first byte in the first file.
    #[getter]
    fn start(&self) -> u64 {
        self.first().start
    }

    /// The offset after the last byte; None for whole files.
    #[getter]
    fn end(&self) -> Option<u64> {
        self.first().end
    }

    /// The number of the first record in the first file, from 1.
    #[getter]
    fn record(&self) -> u64 {
        self.first().first + 1
    }

    /// The line in which the part begins, from 1.
    #[getter]
    fn line(&self) -> u64 {
        self.first().line
    }

    fn __getnewargs__(&self) -> (Vec<PickledPiece>,) {
        let fields = |Piece { file, range, head, skips }: &Piece| {
            let RecordRange { start, end, first, line, file_len, .. } = *range;
            (path_text(file).into_owned(), start, end, first + 1, line, file_len, head.clone(), *skips)
        };
        (self.0.iter().map(fields).collect(),)
    }

    fn __repr__(&self) -> String {
        format!("<pdn.Part {}>", self.name())
    }
}
