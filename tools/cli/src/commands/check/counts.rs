//! Numbers of diagnostics by code, and how they are printed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use pdn::diag::{Code, Severity};
use serde_json::{Map, Value, json};

use crate::output::sanitize;
use pdn_app::numbers::{Count, count};

/// Number of diagnostics of a code, by severity: a code may be less severe in a variation.
pub(super) type SeverityCounts = [u64; 3];

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
    pub(super) fn severity(&self, severity: Severity) -> u64 {
        self.0.iter().map(|counts| counts[severity as usize]).sum()
    }

    /// Returns the codes that occur, most frequent first, each with its number of diagnostics.
    pub(super) fn sorted(&self) -> Vec<(Code, u64)> {
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

    /// Returns the counts as a JSON object, most frequent first.
    pub(super) fn json(&self) -> Value {
        let counts = self.sorted().into_iter().map(|(code, count)| (code.id().to_owned(), count.into()));
        Value::Object(counts.collect::<Map<_, _>>())
    }

    /// Returns the severity of the most severe diagnostic of a code.
    fn greatest_severity(&self, code: Code) -> Severity {
        let severities = Severity::ALL.iter().rev();
        let counts = &self.0[code as usize];
        severities.copied().find(|&severity| counts[severity as usize] > 0).unwrap_or(code.severity())
    }
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

    /// Formats a line for each code, with the number of files if there are several, and where the first one is if
    /// `has_examples`.
    pub(super) fn lines(&self, files: u64, has_examples: bool) -> String {
        let sorted = self.codes.sorted();
        let numbers: Vec<_> = sorted.iter().map(|(_, number)| Count(*number).to_string()).collect();
        let width = numbers.iter().map(String::len).max().unwrap_or(0);
        let mut text = String::new();
        for ((code, _), number) in sorted.iter().zip(&numbers) {
            let severity = self.codes.greatest_severity(*code).name();
            let _ = write!(text, "{code}  {severity:<7}  {number:>width$}  {}", code.title());
            let places = &self.places[*code as usize];
            if files > 1 {
                let _ = write!(text, ", in {}", count(places.files, "file"));
            }
            text.push('\n');
            if let Some((file, record)) = places.first.as_ref().filter(|_| has_examples) {
                let _ = writeln!(text, "      first in {}, game {}", sanitize::path(file), Count(*record));
            }
        }
        text
    }

    /// Returns a JSON object for each code.
    pub(super) fn objects(&self) -> impl Iterator<Item = Value> {
        self.codes.sorted().into_iter().map(|(code, number)| {
            let places = &self.places[code as usize];
            let first = places.first.as_ref();
            json!({
                "code": code.id(),
                "severity": self.codes.greatest_severity(code).name(),
                "title": code.title(),
                "diagnostics": number,
                "files": places.files,
                "file": first.map(|(file, _)| file.to_string_lossy()),
                "record": first.map(|(_, record)| record),
            })
        })
    }
}
