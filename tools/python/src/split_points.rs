//! Divides files into parts.

use std::num::NonZeroUsize;
use std::path::Path;

use pdn::internal::replay::ArchiveHead;
use pdn::replay::ReplayOptions;
use pdn::source::OpenOptions;
use pdn::{Archive, Error};
use pdn_app::ask::options::GivenOptions;
use pdn_app::read::inputs::Threads;
use pdn_tables::arrow::{ArchiveInput, TableArchive};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{error, file_error, from_pdn, warn_skipped};
use crate::options::{self, read_all};
use crate::part::{Part, Piece};
use crate::reading::ReadOptions;
use crate::remote;
use crate::source::Source;

/// Divides files into about `n` parts of about equal length, which can be read alone and join to the whole.
///
/// `source` is a path, a pattern, a folder, a URL or a list of these. A part has some records of one
/// large file, or one or more small files as a whole, in their order. The parts of a file begin
/// where records do, at starts of lines; such a file is passed once, in chunks of at most 16 MiB.
/// Of a file that is not divided nothing is read. A packed file and one in UTF-16 is never
/// divided. `errors` is as in `pdn.open`: a file that may be skipped and cannot be divided is one
/// part, and reading that part skips it. What is no file, such as a dead link in a folder, is in no
/// part; an `IncompleteWarning` lists it.
///
/// >>> import pdn
/// >>> [(part.start, part.record) for part in pdn.split_points("corpora/specs/*.pdn", 1)]
/// [(0, 1)]
#[pyfunction]
// begin signature of split_points
#[pyo3(signature = (source, n, **options), text_signature = "(source, n, *, encoding=None, errors=None, threads=None)")]
// end signature of split_points
pub(crate) fn split_points(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    n: usize,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Part>> {
    let n = NonZeroUsize::new(n).ok_or_else(|| error(py, "n: at least 1"))?;
    let mut given = options::given(options)?;
    let mut reading = ReadOptions::take_mapped(py, &mut given, false)?;
    let threads = read_all(py, given, GivenOptions::group::<Threads>)?.number();
    let source = Source::of(source, &mut reading)?;
    warn_skipped(py, &source.skipped)?;
    let inputs = source.archives(py)?;
    let options = reading.open;
    let mut files = Vec::new();
    for TableArchive { input, skips } in inputs {
        match input {
            ArchiveInput::File(path) if !pdn::internal::source::is_stream(&path) => {
                let len = path.metadata().map_or(0, |metadata| metadata.len());
                files.push((path, len, skips));
            }
            ArchiveInput::Remote(file) => {
                let len = remote::file_len(py, file.name())?;
                files.push((file.name().clone(), len, skips));
            }
            other => return Err(file_error(py, other.name(), "only a file has parts")),
        }
    }
    let total: u64 = files.iter().map(|(_, len, _)| len).sum();
    let part_len = total.div_ceil(n.get() as u64).max(1);
    let mut parts = Vec::new();
    // Whole files that share a part, and their length.
    let (mut whole, mut whole_len) = (Vec::new(), 0);
    for (file, len, skips) in files {
        py.check_signals()?;
        // To the nearest number.
        let share = (u128::from(len) * n.get() as u128 + u128::from(total / 2)) / u128::from(total.max(1));
        let share = usize::try_from(share).ok().and_then(NonZeroUsize::new).unwrap_or(NonZeroUsize::MIN);
        if share == NonZeroUsize::MIN {
            if !whole.is_empty() && whole_len + len / 2 > part_len {
                parts.push(Part(std::mem::take(&mut whole)));
                whole_len = 0;
            }
            whole.push(Piece::whole(file, len, skips));
            whole_len += len;
            continue;
        }
        if !whole.is_empty() {
            parts.push(Part(std::mem::take(&mut whole)));
            whole_len = 0;
        }
        let found: pdn::Result<_> = py.detach(|| {
            // Some storages of fsspec give the same file to all readers, with one position.
            let threads = if remote::is_url(&file.to_string_lossy()) { NonZeroUsize::MIN } else { threads };
            let open = |start| remote::open_at(&file, start, len);
            let ranges = pdn::internal::archive::find_ranges(open, &file, len, share, &options, threads)?;
            let head = match ranges.first().is_some_and(|range| range.end.is_some()) {
                true => head(&file, len, &options)?,
                false => String::new(),
            };
            Ok((ranges, head))
        });
        match found {
            Ok((ranges, head)) => parts.extend(
                ranges
                    .into_iter()
                    .map(|range| Part(vec![Piece { file: file.clone(), range, head: head.clone(), skips }])),
            ),
            // The reader of this part skips it and lists its error.
            Err(_) if skips => parts.push(Part(vec![Piece::whole(file, len, skips)])),
            Err(error) => return Err(from_pdn(py, &error)),
        }
    }
    if !whole.is_empty() {
        parts.push(Part(whole));
    }
    Ok(parts)
}

/// Returns what the first records of a file decide, as text.
fn head(file: &Path, len: u64, options: &OpenOptions) -> pdn::Result<String> {
    let reader = remote::open_at(file, 0, len).map_err(|error| Error::from(error).at(file))?;
    let archive = Archive::from_reader(reader, file, options)?;
    ArchiveHead::of(archive, &ReplayOptions::new()).map(|head| head.to_string())
}
