//! Makes indexes.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use pdn_app::ask::options::GivenOptions;
use pdn_app::read::inputs::Threads;
use pdn_index::{ImportOptions, import_with};
use pdn_tables::arrow::{ArchiveInput, TableArchive};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{error, from_pdn, warn_skipped};
use crate::index::Index;
use crate::options::{self, read_all};
use crate::reading::ReadOptions;
use crate::source::Source;

/// Indexes archives and returns the index, which is kept in the folder `path`.
///
/// Every game is replayed, at about a gigabyte a second on two cores. An index that is there already is replaced, or with
/// `append=True` extended by files that are new or have changed. `embed=True` keeps the text of the games in the index.
/// `variant` is the variant of games without a GameType tag.
///
/// A file that cannot be read to its end is an error after the import: the index then has the games of the others. With
/// `errors="skip"`, and for files that were found in a folder, it is listed in `skipped` of the index instead.
#[pyfunction]
// begin signature of index
#[pyo3(signature = (source, path, *, append=false, embed=false, **options), text_signature = "(source, path, *, append=False, embed=False, variant=None, encoding=None, scores=None, errors=None, threads=None)")]
// end signature of index
pub(crate) fn index(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    path: PathBuf,
    append: bool,
    embed: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Index> {
    let mut given = options::given(options)?;
    let mut reading = ReadOptions::take_mapped(py, &mut given, true)?;
    let threads = read_all(py, given, GivenOptions::group::<Threads>)?.number();
    let source = Source::of(source, &mut reading)?;
    let skipped = source.skipped.clone();
    let archives = source.archives(py)?;
    let options = ImportOptions::new()
        .append(append)
        .threads(threads)
        .open(reading.open)
        .replay(reading.replay())
        .embed(embed);
    let (mut files, mut skippable) = (Vec::new(), Vec::new());
    for TableArchive { input, skips } in archives {
        match input {
            ArchiveInput::File(path) => {
                if skips {
                    skippable.push(path.clone());
                }
                files.push(path);
            }
            ArchiveInput::Remote(_) => {
                return Err(error(
                    py,
                    "an index is made from local files, not from URLs; copy the files to this machine first",
                ));
            }
            ArchiveInput::Memory(..) | ArchiveInput::Part(..) | ArchiveInput::RemotePart(..) => {
                return Err(error(py, "an index is made of files, not of bytes in memory or parts of files"));
            }
        }
    }
    let mut interrupted = None;
    let imported = py.detach(|| {
        let mut checked = Instant::now();
        import_with(files, &path, &options, |_| {
            if checked.elapsed() < Duration::from_millis(50) {
                return ControlFlow::Continue(());
            }
            checked = Instant::now();
            match Python::attach(|py| py.check_signals()) {
                Ok(()) => ControlFlow::Continue(()),
                Err(signal) => {
                    interrupted = Some(signal);
                    ControlFlow::Break(())
                }
            }
        })
    });
    if let Some(signal) = interrupted {
        return Err(signal);
    }
    let summary = imported.map_err(|error| from_pdn(py, &error))?;
    let mut failures = Vec::new();
    for failure in summary.failures {
        // The entries of a zip have names below that of the zip.
        match skippable.iter().any(|path| failure.name.starts_with(path)) {
            true => skipped.push(failure.error),
            false => failures.push(failure.error),
        }
    }
    if let Some(failure) = failures.first() {
        let failed = from_pdn(py, failure);
        let others = failures.len() - 1;
        let note = format!("{others} more files could not be read; the index has the games that could");
        failed.value(py).call_method1("add_note", (note,))?;
        return Err(failed);
    }
    warn_skipped(py, &skipped)?;
    Ok(Index::new(py, path)?.with_skipped(skipped))
}
