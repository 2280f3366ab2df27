//! Adds up the reports on all games: the summary at the end of `pdn check` and the first table of `pdn stats`.

use std::ops::AddAssign;

use pdn::check;
use pdn::diag::Severity;
use pdn::replay::GameStatus;
use pdn::rules::Variant;
use serde_json::{Map, Value, json};

use pdn_app::report::RecordReport;

/// Number of variants.
const VARIANT_COUNT: usize = Variant::ALL.len();

/// Counts over all games that were read.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Totals {
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    pub(crate) games: u64,
    /// Legal plies of main lines; without a replay, written moves.
    pub(crate) plies: u64,
    /// Written moves of main lines, including marks of missing moves.
    pub(crate) written: u64,
    pub(crate) legal: u64,
    pub(crate) illegal: u64,
    pub(crate) ambiguous: u64,
    pub(crate) damaged: u64,
    pub(crate) empty: u64,
    pub(crate) unsupported: u64,
    /// Records with a position and no moves.
    pub(crate) problems: u64,
    pub(crate) errors: u64,
    pub(crate) warnings: u64,
    pub(crate) styles: u64,
    /// Diagnostics beyond the limit per record; counted by severity above, but not listed.
    pub(crate) not_kept: u64,
    /// `true` if moves were replayed.
    pub(crate) replayed: bool,
    /// Number of games by variant, and how many of them have an inferred variant.
    pub(crate) variants: [(u64, u64); VARIANT_COUNT],
}

impl Totals {
    /// Adds one game.
    pub(crate) fn add(&mut self, report: &RecordReport<'_, '_>) {
        let written = u64::from(report.text().summary.counts.plies);
        self.games += 1;
        self.written += written;
        match &report.replay {
            Some(replay) => {
                self.replayed = true;
                self.plies += u64::from(replay.plies);
                *match replay.status {
                    GameStatus::Legal => &mut self.legal,
                    GameStatus::Illegal => &mut self.illegal,
                    GameStatus::Ambiguous => &mut self.ambiguous,
                    GameStatus::Damaged => &mut self.damaged,
                    GameStatus::Empty => &mut self.empty,
                    GameStatus::Problem => &mut self.problems,
                    _ => &mut self.unsupported,
                } += 1;
                if let Some(variant) = replay.known_variant() {
                    let (games, inferred) = &mut self.variants[variant as usize];
                    *games += 1;
                    *inferred += u64::from(replay.basis.is_inferred());
                }
            }
            None => {
                self.plies += written;
                match report.text().summary.status {
                    check::RecordStatus::Damaged => self.damaged += 1,
                    check::RecordStatus::Empty => self.empty += 1,
                    check::RecordStatus::Problem => self.problems += 1,
                    check::RecordStatus::Unsupported => self.unsupported += 1,
                    _ => {}
                }
            }
        }
        self.errors += u64::from(report.severity_count(Severity::Error));
        self.warnings += u64::from(report.severity_count(Severity::Warning));
        self.styles += u64::from(report.severity_count(Severity::Style));
        self.not_kept += u64::from(report.text().not_kept());
    }

    /// Adds one diagnostic.
    pub(crate) fn add_diagnostic(&mut self, severity: Severity) {
        *match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
            Severity::Style => &mut self.styles,
        } += 1;
    }

    /// Returns the number of diagnostics of every severity.
    pub(crate) fn diagnostics(&self) -> u64 {
        self.errors + self.warnings + self.styles
    }

    /// Returns the number of games by status. They add up to all games if moves were replayed.
    pub(crate) fn statuses(&self) -> [(&'static str, u64); 7] {
        [
            ("legal", self.legal),
            ("illegal", self.illegal),
            ("ambiguous", self.ambiguous),
            ("damaged", self.damaged),
            ("empty", self.empty),
            ("unsupported", self.unsupported),
            ("problems", self.problems),
        ]
    }

    /// Iterates over variants, most frequent first, with the number of games and how many of these have an inferred variant.
    pub(crate) fn by_variant(&self) -> impl Iterator<Item = (Variant, u64, u64)> {
        let mut all: Vec<_> = Variant::ALL
            .iter()
            .zip(self.variants)
            .filter(|(_, (games, _))| *games > 0)
            .map(|(variant, (games, inferred))| (*variant, games, inferred))
            .collect();
        // The sort is stable: variants with the same number of games keep the order of the rules table.
        all.sort_by_key(|(_, games, _)| std::cmp::Reverse(*games));
        all.into_iter()
    }

    /// Returns the totals as a JSON object.
    pub(crate) fn json(&self) -> Map<String, Value> {
        let object = |number: fn(u64, u64) -> u64| -> Map<String, Value> {
            self.by_variant()
                .map(|(variant, games, inferred)| (variant.name().to_owned(), number(games, inferred)))
                .filter(|(_, number)| *number > 0)
                .map(|(name, number)| (name, number.into()))
                .collect()
        };
        let value = json!({
            "files": self.files,
            "bytes": self.bytes,
            "games": self.games,
            "plies": self.plies,
            "legal": self.legal,
            "illegal": self.illegal,
            "ambiguous": self.ambiguous,
            "damaged": self.damaged,
            "empty": self.empty,
            "unsupported": self.unsupported,
            "problems": self.problems,
            "errors": self.errors,
            "warnings": self.warnings,
            "styles": self.styles,
            "written": self.written,
            "replayed": self.replayed,
            "variants": object(|games, _| games),
            "inferred": object(|_, inferred| inferred),
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
        self.written += other.written;
        self.legal += other.legal;
        self.illegal += other.illegal;
        self.ambiguous += other.ambiguous;
        self.damaged += other.damaged;
        self.empty += other.empty;
        self.unsupported += other.unsupported;
        self.problems += other.problems;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.styles += other.styles;
        self.not_kept += other.not_kept;
        self.replayed |= other.replayed;
        for (mine, more) in self.variants.iter_mut().zip(other.variants) {
            mine.0 += more.0;
            mine.1 += more.1;
        }
    }
}
