//! The arguments of functions that say how archives are read.

use std::path::Path;

use pdn::replay::ReplayOptions;
use pdn::rules::Variant;
use pdn::source::{Encoding, OpenOptions};
use pdn::value::ScoreOrder;
use pdn_app::ask::named::Named;
use pdn_app::ask::options::{Given, GivenOptions};
use pdn_app::read::inputs;
use pdn_app::write::name_map;
use pdn_names::NameMap;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{Errors, Failures, Mapping};
use crate::errors::{error, from_app};
use crate::options::{self, take};

/// How archives are read, as the arguments of a function say, or as an archive was opened before.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct ReadOptions {
    pub(crate) open: OpenOptions,
    /// The variant of games without a GameType tag.
    pub(crate) variant: Option<Variant>,
    /// What happens to files that cannot be read, if the caller says it.
    pub(crate) errors: Option<Errors>,
}

impl ReadOptions {
    /// Takes the arguments `variant`, `encoding`, `scores`, `errors` and `mmap`.
    pub(crate) fn take(py: Python<'_>, given: &mut GivenOptions) -> PyResult<Self> {
        let maps_files = options::read(py, given, GivenOptions::group::<Mapping>)?.mmap;
        Self::take_mapped(py, given, maps_files)
    }

    /// Takes the arguments `variant`, `encoding`, `scores` and `errors`.
    pub(crate) fn take_mapped(py: Python<'_>, given: &mut GivenOptions, maps_files: bool) -> PyResult<Self> {
        if let Some(label) = take::<String>(py, given, "encoding")? {
            given.push("encoding", Given::Text(encoding(py, label)));
        }
        let variant = take::<String>(py, given, "variant")?.map(|name| variant(py, &name)).transpose()?;
        options::read(py, given, |given| {
            let (read, errors) = (given.group::<inputs::ReadOptions>()?, given.group::<Failures>()?.errors);
            Ok(Self { open: read.open(maps_files), variant, errors })
        })
    }

    /// Reads the arguments of a function that has only these.
    pub(crate) fn read(py: Python<'_>, arguments: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut given = options::given(arguments)?;
        let read = Self::take(py, &mut given)?;
        options::end(py, given)?;
        Ok(read)
    }

    /// Returns the arguments for archives that are read as this one.
    pub(crate) fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let arguments = PyDict::new(py);
        arguments.set_item("variant", self.variant.map(Variant::name))?;
        arguments.set_item("encoding", self.open.encoding.map(|encoding| encoding.to_string()))?;
        arguments.set_item("scores", self.open.scores.map(ScoreOrder::name))?;
        arguments.set_item("errors", self.errors.map(Named::name))?;
        Ok(arguments)
    }

    /// Returns how games are replayed.
    pub(crate) fn replay(&self) -> ReplayOptions {
        ReplayOptions::new().variant(self.variant)
    }

    /// Returns `true` if files that cannot be read are left out: those that were `found` in a folder, unless the caller says otherwise.
    pub(crate) fn skips(&self, found: bool) -> bool {
        match self.errors {
            None => found,
            Some(errors) => errors == Errors::Skip,
        }
    }

    /// Takes the variant, the encoding and the order of scores that the archives of a source were opened with, unless an argument says
    /// otherwise.
    pub(crate) fn inherit(&mut self, py: Python<'_>, opened: &[Self]) -> PyResult<()> {
        let Some(first) = opened.first() else { return Ok(()) };
        let differ = |name: &str| {
            let message =
                format!("{name}: the archives were opened with different ones; give the argument `{name}`");
            Err(error(py, message))
        };
        if self.variant.is_none() {
            if opened.iter().any(|other| other.variant != first.variant) {
                return differ("variant");
            }
            self.variant = first.variant;
        }
        if self.open.encoding.is_none() {
            if opened.iter().any(|other| other.open.encoding != first.open.encoding) {
                return differ("encoding");
            }
            self.open.encoding = first.open.encoding;
        }
        if self.open.scores.is_none() {
            if opened.iter().any(|other| other.open.scores != first.open.scores) {
                return differ("scores");
            }
            self.open.scores = first.open.scores;
        }
        Ok(())
    }
}

/// Returns the name that the library has for an encoding that Python knows under another one, such as `latin-1`; otherwise the same.
fn encoding(py: Python<'_>, label: String) -> String {
    if label.parse::<Encoding>().is_ok() {
        return label;
    }
    let codec = py.import("codecs").and_then(|codecs| codecs.call_method1("lookup", (&label,)));
    let name = codec.and_then(|codec| codec.getattr("name")?.extract::<String>()).unwrap_or_default();
    let name = match &*name {
        // A mark at the start is no part of the text, whatever the encoding is called.
        "utf-8-sig" => "utf-8".to_owned(),
        "utf-16-le" | "utf-16-be" => name.replace("16-", "16"),
        "mac-cyrillic" => "x-mac-cyrillic".to_owned(),
        "cp949" => "euc-kr".to_owned(),
        _ => name.replace("iso8859", "iso-8859").replace("cp125", "windows-125"),
    };
    if name.parse::<Encoding>().is_ok() { name } else { label }
}

/// Reads the name of a variant.
pub(crate) fn variant(py: Python<'_>, name: &str) -> PyResult<Variant> {
    name.parse().map_err(|unknown: pdn::rules::ParseVariantError| error(py, format!("variant: {unknown}")))
}

/// Reads a file of names.
pub(crate) fn read_names(py: Python<'_>, path: Option<&Path>) -> PyResult<Option<NameMap>> {
    path.map(name_map::read).transpose().map_err(|failed| from_app(py, &failed))
}
