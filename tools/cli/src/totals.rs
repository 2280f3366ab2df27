//! What all games together come to: the summary that ends `check` and opens `stats`.

use std::ops::AddAssign;

use pdn::check::{Report, Status};
use pdn::diag::Severity;
use serde_json::{Map, Value, json};

/// Counts over all games read.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Totals {
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    pub(crate) games: u64,
    pub(crate) plies: u64,
    pub(crate) damaged: u64,
    pub(crate) empty: u64,
    pub(crate) unsupported: u64,
    pub(crate) errors: u64,
    pub(crate) warnings: u64,
    pub(crate) styles: u64,
    /// Findings of games that have too many of them; counted above, but not told one by one.
    pub(crate) not_kept: u64,
}

impl Totals {
    /// Counts a game in.
    pub(crate) fn add(&mut self, report: &Report<'_, '_>) {
        self.games += 1;
        self.plies += u64::from(report.summary.counts.plies);
        match report.summary.status {
            Status::Damaged => self.damaged += 1,
            Status::Empty => self.empty += 1,
            Status::Unsupported => self.unsupported += 1,
            _ => {}
        }
        self.errors += u64::from(report.found(Severity::Error));
        self.warnings += u64::from(report.found(Severity::Warning));
        self.styles += u64::from(report.found(Severity::Style));
        self.not_kept += u64::from(report.not_kept());
    }

    /// Findings of every severity.
    pub(crate) fn findings(&self) -> u64 {
        self.errors + self.warnings + self.styles
    }

    /// The keys of the contract. Moves are not replayed yet, so nothing counts as legal or illegal.
    pub(crate) fn json(&self) -> Map<String, Value> {
        let value = json!({
            "files": self.files,
            "bytes": self.bytes,
            "games": self.games,
            "plies": self.plies,
            "legal": 0,
            "illegal": 0,
            "ambiguous": 0,
            "damaged": self.damaged,
            "empty": self.empty,
            "unsupported": self.unsupported,
            "errors": self.errors,
            "warnings": self.warnings,
            "styles": self.styles,
            "replayed": false,
        });
        match value {
            Value::Object(map) => map,
            _ => Map::new(),
        }
    }
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.games += other.games;
        self.plies += other.plies;
        self.damaged += other.damaged;
        self.empty += other.empty;
        self.unsupported += other.unsupported;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.styles += other.styles;
        self.not_kept += other.not_kept;
    }
}

/// `1 game`, `4,689 games`.
pub(crate) fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", indicatif::HumanCount(number))
}

/// `2.01 MiB`.
pub(crate) fn size(bytes: u64) -> String {
    indicatif::HumanBytes(bytes).to_string()
}
