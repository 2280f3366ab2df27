//! Training sets; `pdn._dataset` reads what is written here.

use std::path::PathBuf;

use pdn::rules::Variant;
use pdn_app::ask::endings::EndingOptions;
use pdn_app::ask::named::Named;
use pdn_app::ask::options::Given;
use pdn_app::write::dataset::{DatasetRequest, DatasetRules, EvalSource};
use pdn_tables::DatasetReader;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict};
use serde_json::json;

use crate::errors::{error, from_pdn};
use crate::options::{self, filter, read_all};
use crate::writing::{Call, choice, stoppable};

/// Writes a training set into a folder; see `pdn.dataset`.
#[pyfunction]
#[pyo3(signature = (source, folder, *, eval=false, **options))]
pub(crate) fn dataset<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    folder: PathBuf,
    eval: bool,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let mut given = options::given(options)?;
    let call = Call::take(source, &mut given)?;
    if eval {
        given.push("eval", Given::Text(EvalSource::Tag.name().to_owned()));
    }
    let request = read_all(py, given, |given| {
        Ok(DatasetRequest {
            inputs: call.inputs.clone(),
            filter: filter(given)?.tables(given.group::<EndingOptions>()?.open()?),
            options: given.group::<DatasetRules>()?.options(None),
            output: folder,
        })
    })?;
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
