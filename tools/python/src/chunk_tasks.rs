//! The steps in which tasks on several machines find the parts of a file; `pdn.spark` puts them together.

use std::num::NonZeroU64;
use std::path::PathBuf;

use pdn::internal::archive::{ChunkChain, ChunkScan};
use pyo3::prelude::*;

use crate::chunks::{chunk_count, head, scan};
use crate::errors::{error, from_pdn};
use crate::part::Part;
use crate::reading::ReadOptions;

/// Returns the chunks in which the parts of a file are found, as pairs of offsets.
#[pyfunction]
pub(crate) fn chunks(py: Python<'_>, len: u64, n: u64) -> PyResult<Vec<(u64, u64)>> {
    let n = NonZeroU64::new(n).ok_or_else(|| error(py, "n: at least 1"))?;
    Ok(ChunkChain::chunks(len, chunk_count(len, n)).map(|chunk| (chunk.start, chunk.end)).collect())
}

/// Returns what the first records of a file decide, as text; None if the file cannot be divided.
#[pyfunction]
pub(crate) fn file_head(
    py: Python<'_>,
    file: PathBuf,
    len: u64,
    encoding: Option<&str>,
) -> PyResult<Option<String>> {
    let options = ReadOptions::new(py, None, encoding, None, false)?.open;
    let head = py.detach(|| head(&file, len, &options)).map_err(|error| from_pdn(py, &error))?;
    Ok(head.map(|head| head.to_string()))
}

/// Scans the chunk from `start` to `end` of a file of `len` bytes, and returns what is found as text. `record` is the offset of
/// a record in it, if one is known.
#[pyfunction]
#[pyo3(signature = (file, len, start, end, record=None))]
pub(crate) fn scan_chunk(
    py: Python<'_>,
    file: PathBuf,
    len: u64,
    start: u64,
    end: u64,
    record: Option<u64>,
) -> PyResult<String> {
    if start > end || end > len || record.is_some_and(|record| !(start..end).contains(&record)) {
        return Err(error(py, "no chunk of this file"));
    }
    let found = py.detach(|| scan(&file, start..end, len, record)).map_err(|error| from_pdn(py, &error))?;
    Ok(found.to_string())
}

/// Chains the scans of all chunks of a file to at most `n` parts. `rescan` is called with the number of a chunk and the offset
/// of a record in it where a scan has guessed wrong, and returns another scan.
#[pyfunction]
pub(crate) fn chain_chunks(
    py: Python<'_>,
    file: PathBuf,
    len: u64,
    n: u64,
    head: String,
    scans: Vec<String>,
    rescan: &Bound<'_, PyAny>,
) -> PyResult<Vec<Part>> {
    let parse =
        |text: &str| text.parse::<ChunkScan>().map_err(|unknown| error(py, format!("scans: {unknown}")));
    let misplaced = || error(py, "scans: expected the chunks of the file in their order");
    let mut chain = ChunkChain::new(len);
    let mut next = 0;
    for (number, text) in scans.iter().enumerate() {
        let mut found = parse(text)?;
        if found.chunk().start != next {
            return Err(misplaced());
        }
        if let Some(record) = chain.push(&found) {
            found = parse(&rescan.call1((number, record))?.extract::<String>()?)?;
            if found.chunk().start != next || chain.push(&found).is_some() {
                return Err(misplaced());
            }
        }
        next = found.chunk().end;
    }
    if next != len {
        return Err(misplaced());
    }
    Ok(chain.finish(n).into_iter().map(|range| Part::of_range(file.clone(), range, head.clone())).collect())
}
