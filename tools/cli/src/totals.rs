//! What all games together come to: the summary that ends `check` and opens `stats`.

use std::ops::AddAssign;

use pdn::check;
use pdn::diag::Severity;
use pdn::replay::{GameStatus, VariantBasis};
use pdn::rules::Variant;
use serde_json::{Map, Value, json};

use crate::judge::Judged;

const VARIANTS: usize = Variant::ALL.len();

/// Counts over all games read.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Totals {
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    pub(crate) games: u64,
    /// Legal plies; without a replay, moves as written.
    pub(crate) plies: u64,
    /// Moves of main lines as written, marks for missing ones included.
    pub(crate) written: u64,
    pub(crate) legal: u64,
    pub(crate) illegal: u64,
    pub(crate) ambiguous: u64,
    pub(crate) damaged: u64,
    pub(crate) empty: u64,
    pub(crate) unsupported: u64,
    pub(crate) errors: u64,
    pub(crate) warnings: u64,
    pub(crate) styles: u64,
    /// Findings of games that have too many of them; counted above, but not told one by one.
    pub(crate) not_kept: u64,
    /// Moves were replayed.
    pub(crate) replayed: bool,
    /// Games by variant, and those of them whose variant neither a tag nor the caller names.
    pub(crate) variants: [(u64, u64); VARIANTS],
}

impl Totals {
    /// Counts a game in.
    pub(crate) fn add(&mut self, judged: &Judged<'_, '_>) {
        let report = &judged.report;
        let written = u64::from(report.summary.counts.plies);
        self.games += 1;
        self.written += written;
        match &judged.played {
            Some(played) => {
                self.replayed = true;
                self.plies += u64::from(played.plies);
                *match played.status {
                    GameStatus::Legal => &mut self.legal,
                    GameStatus::Illegal => &mut self.illegal,
                    GameStatus::Ambiguous => &mut self.ambiguous,
                    GameStatus::Damaged => &mut self.damaged,
                    GameStatus::Empty => &mut self.empty,
                    _ => &mut self.unsupported,
                } += 1;
                if played.basis != VariantBasis::Guess {
                    let (games, inferred) = &mut self.variants[played.variant as usize];
                    *games += 1;
                    *inferred += u64::from(played.basis.is_inferred());
                }
            }
            None => {
                self.plies += written;
                match report.summary.status {
                    check::RecordStatus::Damaged => self.damaged += 1,
                    check::RecordStatus::Empty => self.empty += 1,
                    check::RecordStatus::Unsupported => self.unsupported += 1,
                    _ => {}
                }
            }
        }
        self.errors += u64::from(judged.found(Severity::Error));
        self.warnings += u64::from(judged.found(Severity::Warning));
        self.styles += u64::from(judged.found(Severity::Style));
        self.not_kept += u64::from(report.not_kept());
    }

    /// Findings of every severity.
    pub(crate) fn findings(&self) -> u64 {
        self.errors + self.warnings + self.styles
    }

    /// Games by status. They add up to all games where these were replayed.
    pub(crate) fn statuses(&self) -> [(&'static str, u64); 6] {
        [
            ("legal", self.legal),
            ("illegal", self.illegal),
            ("ambiguous", self.ambiguous),
            ("damaged", self.damaged),
            ("empty", self.empty),
            ("unsupported", self.unsupported),
        ]
    }

    /// Variants with their games and how many of these were inferred, the most frequent first.
    pub(crate) fn by_variant(&self) -> impl Iterator<Item = (Variant, u64, u64)> {
        let mut all: Vec<_> = Variant::ALL
            .iter()
            .zip(self.variants)
            .filter(|(_, (games, _))| *games > 0)
            .map(|(variant, (games, inferred))| (*variant, games, inferred))
            .collect();
        // Stable, so that those of the same number keep the order of the table.
        all.sort_by_key(|(_, games, _)| std::cmp::Reverse(*games));
        all.into_iter()
    }

    /// The keys of the contract, and more.
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

/// `1 game`, `4,689 games`.
pub(crate) fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", indicatif::HumanCount(number))
}

/// `2.01 MiB`.
pub(crate) fn size(bytes: u64) -> String {
    indicatif::HumanBytes(bytes).to_string()
}
