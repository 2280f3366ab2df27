//! Divides files into parts.

use std::num::NonZeroUsize;

use pdn::internal::archive::RecordRange;
use pdn_app::ask::options::GivenOptions;
use pdn_app::read::inputs::Threads;
use pdn_tables::arrow::{ArchiveInput, TableArchive};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::chunks;
use crate::errors::{error, file_error, from_pdn};
use crate::options::{self, read_all};
use crate::part::Part;
use crate::reading::ReadOptions;
use crate::remote;
use crate::source::Source;

/// Divides files into about `n` parts of about equal length, which can be read alone and join to the whole.
///
/// `source` is a path, a pattern, a folder, a URL or a list of these. Several files share the parts
/// by their lengths; each has at least one. The parts of a file begin where records do, at starts
/// of lines. A packed file and one in UTF-16 is one part. Each file is passed once, in chunks of at
/// most 16 MiB. `errors` is as in `pdn.open`: a file that may be skipped and cannot be divided is
/// one part, and reading that part skips it.
///
/// >>> import pdn
/// >>> [(part.start, part.record) for part in pdn.split_points("corpora/specs/*.pdn", 1)][:1]
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
    let inputs = Source::of(source, &mut reading)?.archives(py)?;
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
    let mut parts = Vec::new();
    for (file, len, skips) in files {
        py.check_signals()?;
        let share = u128::from(len) * n.get() as u128 / u128::from(total.max(1));
        let share = usize::try_from(share).ok().and_then(NonZeroUsize::new).unwrap_or(NonZeroUsize::MIN);
        let found: pdn::Result<_> = py.detach(|| {
            // Some storages of fsspec give the same file to all readers, with one position.
            let threads = if remote::is_url(&file.to_string_lossy()) { NonZeroUsize::MIN } else { threads };
            let open = |start| remote::open_at(&file, start, len);
            let ranges = pdn::internal::archive::find_ranges(open, &file, len, share, &options, threads)?;
            let head = match ranges.first().is_some_and(|range| range.end.is_some()) {
                true => chunks::head(&file, len, &options)?,
                false => String::new(),
            };
            Ok((ranges, head))
        });
        let (ranges, head) = match found {
            Ok(found) => found,
            // The reader of this part skips it and lists its error.
            Err(_) if skips => (vec![RecordRange::new(0, None, 0, 1, len)], String::new()),
            Err(error) => return Err(from_pdn(py, &error)),
        };
        let part = |range| Part::of_range(file.clone(), range, head.clone()).skipping(skips);
        parts.extend(ranges.into_iter().map(part));
    }
    Ok(parts)
}
