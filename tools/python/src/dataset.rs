//! Training sets; `pdn._dataset` reads what is written here.

use std::path::PathBuf;

use pdn::rules::Variant;
use pdn_app::ask::filter::Filter;
use pdn_app::write::dataset::DatasetRequest;
use pdn_tables::{DatasetOptions, DatasetReader};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict};
use serde_json::json;

use crate::errors::{error, from_app, from_pdn};
use crate::writing::{Call, choice, stoppable};

/// Writes a training set into a folder; see `pdn.dataset`.
#[pyfunction]
#[pyo3(signature = (
    source, folder, *, format, r#where, captures, skip_plies, min_pieces, max_per_game, dedup, flip, eval, training_share, split_by, seed,
    shards, variant, encoding, scores, threads, mmap,
))]
#[expect(clippy::too_many_arguments, reason = "they are those of the function in Python")]
pub(crate) fn dataset<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    folder: PathBuf,
    format: &str,
    r#where: Option<&str>,
    captures: bool,
    skip_plies: u32,
    min_pieces: u32,
    max_per_game: Option<u32>,
    dedup: Option<&str>,
    flip: bool,
    eval: bool,
    training_share: f64,
    split_by: &str,
    seed: u64,
    shards: u32,
    variant: Option<&str>,
    encoding: Option<&str>,
    scores: Option<&str>,
    threads: Option<usize>,
    mmap: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let call = Call::new(source, variant, encoding, scores, threads, mmap)?;
    let mut filter = Filter::default();
    if let Some(text) = r#where {
        filter.set("query", text).map_err(|failed| from_app(py, &failed))?;
    }
    if !(0.0..=1.0).contains(&training_share) {
        return Err(error(py, "training_share: from 0 to 1"));
    }
    if !(1..=DatasetOptions::MAX_SHARDS).contains(&shards) {
        return Err(error(py, format!("shards: from 1 to {}", DatasetOptions::MAX_SHARDS)));
    }
    let mut options = DatasetOptions::new();
    options.format = choice(py, "format", format)?;
    options.captures = captures;
    options.skip_plies = skip_plies;
    options.min_pieces = min_pieces;
    options.max_per_game = max_per_game;
    options.dedup = dedup.map(|dedup| choice(py, "dedup", dedup)).transpose()?;
    options.flip = flip;
    options.eval = eval;
    options.split = training_share;
    options.split_by = choice(py, "split_by", split_by)?;
    options.seed = seed;
    options.shards = shards;
    let request = DatasetRequest {
        inputs: call.inputs.clone(),
        filter,
        untagged: call.variant.map(Into::into),
        options,
        output: folder,
    };
    let (answer, told) = stoppable(py, move |context| {
        let answer = request.run(context)?;
        Ok((json!({}), answer.is_complete))
    })?;
    call.result(py, answer, &told)
}

/// The batches of a training set in a random order, each as a `bytearray` of whole records; see `DatasetPart.batches`.
#[pyclass(module = "pdn._pdn")]
#[derive(Debug)]
pub(crate) struct DatasetBatches {
    batches: pdn_tables::DatasetBatches,
    record_len: usize,
}

#[pymethods]
impl DatasetBatches {
    /// Opens files of a format, whose positions are of this variant.
    #[new]
    #[pyo3(signature = (files, format, variant, size, seed, epoch))]
    fn new(
        py: Python<'_>,
        files: Vec<PathBuf>,
        format: &str,
        variant: &str,
        size: usize,
        seed: u64,
        epoch: u64,
    ) -> PyResult<Self> {
        let format = choice(py, "format", format)?;
        let known = Variant::from_name(variant);
        let variant =
            known.ok_or_else(|| error(py, format!("variant: `{variant}`: no variant has this name")))?;
        let opened = DatasetReader::open(files, format, variant)
            .and_then(|reader| Ok((reader.batches(size, seed, epoch)?, reader.record_len())));
        let (batches, record_len) = opened.map_err(|error| from_pdn(py, &error))?;
        Ok(Self { batches, record_len })
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyByteArray>>> {
        // Other threads of Python run while a window is read; drawing its records takes less time than a change of threads.
        let records = py.detach(|| self.batches.prepare()).map_err(|error| from_pdn(py, &error))?;
        if records == 0 {
            return Ok(None);
        }
        let fill = |bytes: &mut [u8]| {
            self.batches.fill(bytes);
            Ok(())
        };
        PyByteArray::new_with(py, records * self.record_len, fill).map(Some)
    }
}
