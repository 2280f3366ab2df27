//! Numbers of diagnostics by code and by file.

use std::path::{Path, PathBuf};

use pdn::diag::{Code, Severity};
use pdn::internal::source::path_text;
use serde::Serialize;

use crate::check::counts_by_name::CountsByName;
use crate::check::explain::{code_id, severity_name};

/// Number of diagnostics of a code, by severity: a code may be less severe in a variation.
type SeverityCounts = [u64; 3];

/// Number of diagnostics of each code in one batch or file.
#[derive(Clone, Debug)]
pub(super) struct CodeCounts(Vec<SeverityCounts>);

impl Default for CodeCounts {
    fn default() -> Self {
        Self(vec![[0; 3]; Code::ALL.len()])
    }
}

impl CodeCounts {
    /// Counts a diagnostic.
    pub(super) fn add(&mut self, code: Code, severity: Severity) {
        self.0[code as usize][severity as usize] += 1;
    }

    /// Adds all counts of `other`.
    pub(super) fn merge(&mut self, other: &Self) {
        for (mine, more) in self.0.iter_mut().zip(&other.0) {
            mine.iter_mut().zip(more).for_each(|(mine, more)| *mine += more);
        }
    }

    /// Sets all counts to 0.
    pub(super) fn clear(&mut self) {
        self.0.fill([0; 3]);
    }

    /// Returns the number of diagnostics of a severity.
    fn severity(&self, severity: Severity) -> u64 {
        self.0.iter().map(|counts| counts[severity as usize]).sum()
    }

    /// Returns the codes that occur, most frequent first, each with its number of diagnostics.
    fn sorted(&self) -> Vec<(Code, u64)> {
        let mut all: Vec<_> = Code::ALL.iter().map(|&code| (code, self.of(code))).collect();
        all.retain(|(_, count)| *count > 0);
        // The sort is stable: equal counts keep the order of the codes.
        all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        all
    }

    /// Returns the number of diagnostics of a code.
    pub(super) fn of(&self, code: Code) -> u64 {
        self.0[code as usize].iter().sum()
    }

    /// Returns the counts with the codes as names, most frequent first.
    pub(super) fn by_name(&self) -> CountsByName {
        CountsByName(self.sorted().into_iter().map(|(code, count)| (code.id().to_owned(), count)).collect())
    }

    /// Returns the severity of the most severe diagnostic of a code.
    fn greatest_severity(&self, code: Code) -> Severity {
        let severities = Severity::ALL.iter().rev();
        let counts = &self.0[code as usize];
        severities.copied().find(|&severity| counts[severity as usize] > 0).unwrap_or(code.severity())
    }
}

/// The diagnostics of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileGroup {
    /// The file.
    pub file: String,
    /// Number of its games.
    pub games: u64,
    /// Diagnostics of severity `error`.
    pub errors: u64,
    /// Diagnostics of severity `warning`.
    pub warnings: u64,
    /// Diagnostics of severity `style`.
    pub styles: u64,
    /// Diagnostics by code, most frequent first.
    pub codes: CountsByName,
}

impl FileGroup {
    /// Counts the diagnostics of a file; `None` if there are none.
    pub(super) fn of(file: &Path, games: u64, counts: &CodeCounts) -> Option<Self> {
        let codes = counts.by_name();
        (!codes.0.is_empty()).then(|| Self {
            file: path_text(file).into_owned(),
            games,
            errors: counts.severity(Severity::Error),
            warnings: counts.severity(Severity::Warning),
            styles: counts.severity(Severity::Style),
            codes,
        })
    }
}

/// The diagnostics of a code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CodeGroup {
    /// The code.
    #[serde(serialize_with = "code_id")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub code: Code,
    /// The severity of the most severe of them.
    #[serde(serialize_with = "severity_name")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub severity: Severity,
    /// What the code means, in a few words.
    pub title: &'static str,
    /// Their number.
    pub diagnostics: u64,
    /// The number of files that have any.
    pub files: u64,
    /// The file of the first one.
    pub file: Option<String>,
    /// The number of its record in the file, from 1.
    pub record: Option<u64>,
}

/// Numbers of diagnostics by code over all files.
#[derive(Default, Debug)]
pub(super) struct AllCounts {
    pub(super) codes: CodeCounts,
    /// For each code, the number of files and the first record with a diagnostic of this code.
    places: Vec<CodePlaces>,
}

/// Where diagnostics of a code are.
#[derive(Clone, Default, Debug)]
struct CodePlaces {
    files: u64,
    /// File and number of the record.
    first: Option<(PathBuf, u64)>,
}

impl AllCounts {
    /// Adds the counts of a file. `first` returns the number of the first record with a diagnostic of a code.
    pub(super) fn add_file(&mut self, file: &Path, counts: &CodeCounts, first: impl Fn(Code) -> Option<u64>) {
        self.codes.merge(counts);
        self.places.resize(Code::ALL.len(), CodePlaces::default());
        for (code, _) in counts.sorted() {
            let places = &mut self.places[code as usize];
            places.files += 1;
            if places.first.is_none() {
                places.first = first(code).map(|record| (file.to_owned(), record));
            }
        }
    }

    /// Returns the codes that occur, most frequent first.
    pub(super) fn groups(&self) -> Vec<CodeGroup> {
        let group = |(code, diagnostics): (Code, u64)| {
            let places = &self.places[code as usize];
            let first = places.first.as_ref();
            CodeGroup {
                code,
                severity: self.codes.greatest_severity(code),
                title: code.title(),
                diagnostics,
                files: places.files,
                file: first.map(|(file, _)| path_text(file).into_owned()),
                record: first.map(|(_, record)| *record),
            }
        };
        self.codes.sorted().into_iter().map(group).collect()
    }
}
