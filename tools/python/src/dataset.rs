//! Training sets; `pdn._dataset` reads what is written here.

use std::path::PathBuf;

use pdn::export::{DatasetFormat, DatasetOptions};
use pdn_app::dataset::DatasetRequest;
use pdn_app::filter::Filter;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;

use crate::errors::{error, from_app};
use crate::writing::{Call, choice, stoppable};

/// Writes a training set as arrays of NumPy into a folder; see `pdn.dataset`.
#[pyfunction]
#[pyo3(signature = (
    source, folder, *, r#where, captures, skip_plies, min_pieces, max_per_game, dedup, flip, eval, training_share, seed, shards,
    variant, encoding, threads, mmap,
))]
#[expect(clippy::too_many_arguments, reason = "they are those of the function in Python")]
pub(crate) fn dataset<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    folder: PathBuf,
    r#where: Option<&str>,
    captures: bool,
    skip_plies: u32,
    min_pieces: u32,
    max_per_game: Option<u32>,
    dedup: &str,
    flip: bool,
    eval: bool,
    training_share: f64,
    seed: u64,
    shards: u32,
    variant: Option<&str>,
    encoding: Option<&str>,
    threads: Option<usize>,
    mmap: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let call = Call::new(source, variant, encoding, threads, mmap)?;
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
    options.format = DatasetFormat::Npy;
    options.captures = captures;
    options.skip_plies = skip_plies;
    options.min_pieces = min_pieces;
    options.max_per_game = max_per_game;
    options.dedup = choice(py, "dedup", dedup)?;
    options.flip = flip;
    options.eval = eval;
    options.split = training_share;
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
