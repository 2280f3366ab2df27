//! The arguments of functions that say how archives are read.

use std::num::NonZeroUsize;
use std::path::Path;

use pdn::rules::Variant;
use pdn::source::{Encoding, OpenOptions};
use pdn_app::ask::options::{Given, GivenOptions};
use pdn_app::read::inputs;
use pdn_app::write::name_map;
use pdn_names::NameMap;
use pyo3::prelude::*;

use crate::errors::{error, from_app};
use crate::options::{self, take};

/// The largest number of threads that a caller may ask for. Each takes memory before it does anything.
const MAX_THREADS: usize = 1024;

/// How archives are read, as the arguments of a function say, or as an archive was opened before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadOptions {
    pub(crate) open: OpenOptions,
    /// The variant of games without a GameType tag.
    pub(crate) variant: Option<Variant>,
    /// What happens to files that cannot be read, if the caller says it.
    pub(crate) errors: Option<Errors>,
}

impl Errors {
    /// Returns the text of the argument.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Raise => "raise",
            Self::Skip => "skip",
        }
    }
}

/// What happens to files that cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Errors {
    /// The first one is an error.
    Raise,
    /// They are left out and listed.
    Skip,
}

impl ReadOptions {
    /// Reads the arguments `variant`, `encoding`, `scores`, `errors` and `mmap`.
    pub(crate) fn new(
        py: Python<'_>,
        variant: Option<&str>,
        encoding: Option<&str>,
        scores: Option<&str>,
        errors: Option<&str>,
        mmap: bool,
    ) -> PyResult<Self> {
        let mut given = GivenOptions::default();
        let texts = [("variant", variant), ("encoding", encoding), ("scores", scores), ("errors", errors)];
        for (name, text) in texts {
            text.into_iter().for_each(|text| given.push(name, Given::Text(text.to_owned())));
        }
        given.push("mmap", Given::Switch(mmap));
        Self::take(py, &mut given)
    }

    /// Takes the options `variant`, `encoding`, `scores`, `errors` and `mmap`.
    pub(crate) fn take(py: Python<'_>, given: &mut GivenOptions) -> PyResult<Self> {
        let errors = take::<String>(py, given, "errors")?;
        let errors = match errors.as_deref() {
            None => None,
            Some("raise") => Some(Errors::Raise),
            Some("skip") => Some(Errors::Skip),
            Some(other) => {
                return Err(error(py, format!("errors: expected \"raise\" or \"skip\", not {other:?}")));
            }
        };
        let mmap = take(py, given, "mmap")?.unwrap_or_default();
        if let Some(label) = take::<String>(py, given, "encoding")? {
            given.push("encoding", Given::Text(encoding(py, label)));
        }
        let variant = take::<String>(py, given, "variant")?.map(|name| variant(py, &name)).transpose()?;
        let read: inputs::ReadOptions = options::read(py, given, GivenOptions::group)?;
        Ok(Self { open: read.open(mmap), variant, errors })
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

/// Reads the number of threads.
pub(crate) fn threads(py: Python<'_>, threads: Option<usize>) -> PyResult<NonZeroUsize> {
    match threads {
        None => Ok(pdn::default_threads()),
        Some(threads) if threads > MAX_THREADS => Err(error(py, format!("threads: at most {MAX_THREADS}"))),
        Some(threads) => threads.try_into().map_err(|_| error(py, "threads: at least 1")),
    }
}

/// Reads a file of names.
pub(crate) fn read_names(py: Python<'_>, path: Option<&Path>) -> PyResult<Option<NameMap>> {
    path.map(name_map::read).transpose().map_err(|failed| from_app(py, &failed))
}
