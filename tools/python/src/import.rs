//! Makes indexes.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use pdn::index::{ImportOptions, SegmentOptions, import_with};
use pdn::replay::ReplayOptions;
use pdn_tables::ArchiveInput;
use pyo3::prelude::*;

use crate::errors::{error, from_pdn};
use crate::index::Index;
use crate::reading::{self, ReadOptions};
use crate::source::Source;

/// Indexes archives and returns the index, which is kept in the folder `path`.
///
/// Every game is replayed, at about a gigabyte a second on two cores. An index that is there already is replaced, or with
/// `append=True` extended by files that are new or have changed. `embed=True` keeps the text of the games in the index.
/// `variant` is the variant of games without a GameType tag.
///
/// A file that cannot be read to its end is an error after the import: the index then has the games of the others.
#[pyfunction]
#[pyo3(signature = (source, path, *, append=false, embed=false, variant=None, encoding=None, threads=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn index(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    path: PathBuf,
    append: bool,
    embed: bool,
    variant: Option<&str>,
    encoding: Option<&str>,
    threads: Option<usize>,
) -> PyResult<Index> {
    let mut reading = ReadOptions::new(py, variant, encoding, true)?;
    let archives = Source::of(source, &mut reading)?.archives(py)?;
    let options = ImportOptions::new()
        .append(append)
        .threads(reading::threads(py, threads)?)
        .open(reading.open)
        .replay(ReplayOptions::new().variant(reading.variant))
        .segments(SegmentOptions::new().embed(embed));
    let mut files = Vec::new();
    for archive in archives {
        match archive {
            ArchiveInput::File(path) => files.push(path),
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
    if let Some(failure) = summary.failures.first() {
        let failed = from_pdn(py, &failure.error);
        let others = summary.failures.len() - 1;
        let note = format!("{others} more files could not be read; the index has the games that could");
        failed.value(py).call_method1("add_note", (note,))?;
        return Err(failed);
    }
    Index::new(py, path)
}
