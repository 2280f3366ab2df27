//! Opens archives.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::archive::Archive;
use crate::reading::ReadOptions;
use crate::source::Source;

/// Opens an archive. Iterating over it gives its games.
///
/// `source` is a path, a pattern such as `games/*.pdn`, a folder, bytes, a file object, or a list, set or generator of these. Files may be
/// packed as .gz, .zst, .bz2 or .zip. A URL such as `s3://bucket/games.pdn`, or a pattern of URLs, takes the module fsspec; its
/// file is read as a stream. A file object is read to its end at once. `variant` is the variant of games without
/// a GameType tag; without it, it is inferred. `scores` is the side that the first number of a score belongs to: `"first"`, the one that
/// starts, or `"white"`; without it, the first games of each file that end on the board show it.
///
/// A named file that cannot be read is an error. Of a folder, such files are left out, and `skipped` of the archive lists their errors
/// once it was read; a zip in it without PDN files is no archive. `errors="raise"` and `errors="skip"` say it for both. `mmap=True` maps files into memory instead of reading them, which is up to a
/// tenth faster; but if another program cuts such a file off meanwhile, the operating system ends this process.
///
/// >>> import pdn
/// >>> for game in pdn.open(b'[White "Ames"] 1. 32-28 19-23 *'):
/// ...     print(game.white, game.moves)
/// Ames ['32-28', '19-23']
#[pyfunction]
// begin signature of open
#[pyo3(signature = (source, **options), text_signature = "(source, *, variant=None, encoding=None, scores=None, errors=None, mmap=False)")]
// end signature of open
pub(crate) fn open(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Archive> {
    let mut options = ReadOptions::read(py, options)?;
    let source = Source::of(source, &mut options)?;
    let (name, skipped) = (source.name.clone(), source.skipped.clone());
    Ok(Archive::new(source.archives(py)?, name, options, skipped))
}
