//! The steps in which tasks on several machines find the parts of a file that no machine reads as a
//! whole; `pdn.spark` puts them together.

use std::path::{Path, PathBuf};

use pdn::internal::archive::{ChunkChain, ChunkScan};
use pdn::internal::replay::ArchiveHead;
use pdn::replay::ReplayOptions;
use pdn::source::OpenOptions;
use pdn::{Archive, Error};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::from_pdn;
use crate::part::Part;
use crate::reading::ReadOptions;
use crate::remote;

/// The greatest length of a chunk in bytes.
const CHUNK_BYTES: u64 = 64 << 20;

/// The fields of [`ChunkScan`], to be sent to another machine.
type Scan = (u64, u64, Vec<u64>, u64, u64, bool, u64, u64);

/// Returns the chunks in which the parts of a file are found, as pairs of offsets.
#[pyfunction]
pub(crate) fn chunks(len: u64, n: u64) -> Vec<(u64, u64)> {
    ChunkChain::new(len, n).chunks(CHUNK_BYTES).map(|chunk| (chunk.start, chunk.end)).collect()
}

/// Returns what the first records of a file decide, as text; None if the file cannot be divided.
#[pyfunction]
pub(crate) fn file_head(
    py: Python<'_>,
    file: PathBuf,
    len: u64,
    encoding: Option<&str>,
) -> PyResult<Option<String>> {
    let arguments = PyDict::new(py);
    arguments.set_item("encoding", encoding)?;
    let options = ReadOptions::read(py, Some(&arguments))?.open;
    let found = py.detach(|| {
        let reader = remote::open_at(&file, 0, len)?;
        if pdn::internal::archive::is_divisible(reader, &options)? {
            head(&file, len, &options).map(Some)
        } else {
            Ok(None)
        }
    });
    found.map_err(|error| from_pdn(py, &error.at(&file)))
}

/// Returns what the first records of a file decide, as text.
pub(crate) fn head(file: &Path, len: u64, options: &OpenOptions) -> pdn::Result<String> {
    let reader = remote::open_at(file, 0, len).map_err(|error| Error::from(error).at(file))?;
    let archive = Archive::from_reader(reader, file, options)?;
    ArchiveHead::of(archive, &ReplayOptions::new()).map(|head| head.to_string())
}

/// Scans the chunk from `start` to `end` of a file of `len` bytes. `record` is the offset of a
/// record in it, if one is known.
#[pyfunction]
#[pyo3(signature = (file, len, start, end, record=None))]
pub(crate) fn scan_chunk(
    py: Python<'_>,
    file: PathBuf,
    len: u64,
    start: u64,
    end: u64,
    record: Option<u64>,
) -> PyResult<Scan> {
    let found = py.detach(|| ChunkScan::read(remote::open_at(&file, start, len)?, start..end, len, record));
    let scan = found.map_err(|error| from_pdn(py, &Error::from(error).at(&file)))?;
    let ChunkScan { chunk, starts, records, exit, exit_begins_line, line_ends, exit_line_ends } = scan;
    Ok((chunk.start, chunk.end, starts, records, exit, exit_begins_line, line_ends, exit_line_ends))
}

/// Chains the scans of all chunks of a file to at most `n` parts. `rescan` is called with the
/// number of a chunk and the offset of a record in it where a scan has guessed wrong, and returns
/// another scan.
#[pyfunction]
pub(crate) fn chain_chunks(
    file: PathBuf,
    len: u64,
    n: u64,
    head: String,
    scans: Vec<Scan>,
    rescan: &Bound<'_, PyAny>,
) -> PyResult<Vec<Part>> {
    let mut chain = ChunkChain::new(len, n);
    for (number, scan) in scans.into_iter().enumerate() {
        let again =
            |record| -> PyResult<ChunkScan> { Ok(of_fields(rescan.call1((number, record))?.extract()?)) };
        chain.push(of_fields(scan), again)?;
    }
    Ok(chain.finish().into_iter().map(|range| Part::of_range(file.clone(), range, head.clone())).collect())
}

/// Returns the scan with these fields.
fn of_fields(fields: Scan) -> ChunkScan {
    let (start, end, starts, records, exit, exit_begins_line, line_ends, exit_line_ends) = fields;
    ChunkScan { chunk: start..end, starts, records, exit, exit_begins_line, line_ends, exit_line_ends }
}
