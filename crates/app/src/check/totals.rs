//! Adds up the reports on all games: the summary of a check, and the first table of the statistics.

use std::borrow::Cow;
use std::ops::AddAssign;

use pdn::diag::Severity;
use pdn::replay::{GameStatus, ReplaySummary};
use pdn::rules::Variant;
use pdn::value::GameType;
use pdn_rules::internal::value::GameTypeStatus;
use serde::Serialize;

use crate::check::counts_by_name::{CountsByName, NameCounter};
use crate::check::reporter::RecordReport;

/// Number of variants.
const VARIANT_COUNT: usize = Variant::ALL.len();

/// Counts over all games that were read.
#[derive(Clone, Default, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Totals {
    /// Inputs: files, streams and entries of zips.
    pub files: u64,
    /// Bytes of text.
    pub bytes: u64,
    /// Games.
    pub games: u64,
    /// Legal plies of main lines; without a replay, written moves.
    pub plies: u64,
    /// Games whose moves are all legal.
    pub legal: u64,
    /// Games with an illegal move.
    pub illegal: u64,
    /// Games with a move that could be several.
    pub ambiguous: u64,
    /// Games whose text is damaged where the replay stops.
    pub damaged: u64,
    /// Records with neither a position nor moves.
    pub empty: u64,
    /// Games that are not draughts.
    pub unsupported: u64,
    /// Records with a position and no moves.
    pub problems: u64,
    /// Diagnostics of severity `error`.
    pub errors: u64,
    /// Diagnostics of severity `warning`.
    pub warnings: u64,
    /// Diagnostics of severity `style`; 0 unless they were asked for.
    pub styles: u64,
    /// Written moves of main lines, including marks of missing moves.
    pub written: u64,
    /// Whether moves were replayed.
    pub replayed: bool,
    /// Diagnostics beyond the limit per record; counted by severity above, but not listed.
    #[serde(skip)]
    pub not_kept: u64,
    /// Number of games by variant, and how many of them have an inferred variant.
    #[serde(skip)]
    pub variants: [(u64, u64); VARIANT_COUNT],
    /// Number of the other games, by the name of their game.
    #[serde(skip)]
    pub(crate) other_games: NameCounter,
}

impl Totals {
    /// Adds one game.
    pub fn add(&mut self, report: &RecordReport<'_, '_>) {
        let written = u64::from(report.text().summary.counts.plies);
        self.games += 1;
        self.written += written;
        match variant_or_game(report.text().summary.game_type, report.replay()) {
            Ok((variant, is_inferred)) => {
                let (games, inferred) = &mut self.variants[variant as usize];
                *games += 1;
                *inferred += u64::from(is_inferred);
            }
            Err(name) => self.other_games.add(&name),
        }
        match report.replay() {
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
            }
            None => {
                self.plies += written;
                match report.text().summary.status {
                    pdn::internal::check::RecordStatus::Damaged => self.damaged += 1,
                    pdn::internal::check::RecordStatus::Empty => self.empty += 1,
                    pdn::internal::check::RecordStatus::Problem => self.problems += 1,
                    pdn::internal::check::RecordStatus::Unsupported => self.unsupported += 1,
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
    pub fn add_diagnostic(&mut self, severity: Severity) {
        *match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
            Severity::Style => &mut self.styles,
        } += 1;
    }

    /// Returns the number of diagnostics of every severity.
    pub fn diagnostics(&self) -> u64 {
        self.errors + self.warnings + self.styles
    }

    /// Returns the number of games by status. They add up to all games if moves were replayed.
    pub fn statuses(&self) -> [(&'static str, u64); 7] {
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
    pub fn by_variant(&self) -> impl Iterator<Item = (Variant, u64, u64)> {
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

    /// Returns the number of games by variant, most frequent first: under the name of another game what is no draughts, and under
    /// `unknown` what nothing says. They add up to all games.
    pub fn games_by_variant(&self) -> CountsByName {
        let mut all = self.other_games.clone();
        self.by_variant().for_each(|(variant, games, _)| all.add_games(variant.name(), games));
        all.sorted()
    }

    /// Returns the number of games whose variant is inferred, by variant in the same order, without those that have none.
    pub fn inferred_by_variant(&self) -> CountsByName {
        let counts = self.by_variant().map(|(variant, _, inferred)| (variant.name().to_owned(), inferred));
        CountsByName(counts.filter(|(_, games)| *games > 0).collect())
    }
}

impl AddAssign<&Self> for Totals {
    fn add_assign(&mut self, other: &Self) {
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
        self.other_games.merge(&other.other_games);
    }
}

/// Returns the variant of a game, and whether its moves show it; or the name of another game, such as `chess` or `game type 60`, and
/// `unknown` if nothing says it.
fn variant_or_game(
    game_type: Option<GameType>,
    replay: Option<&ReplaySummary>,
) -> Result<(Variant, bool), Cow<'static, str>> {
    if let Some(GameTypeStatus::OtherGame(name)) = game_type.map(|game_type| game_type.status()) {
        return Err(name.to_lowercase().into());
    }
    let known = replay.and_then(|replay| Some((replay.known_variant()?, replay.basis.is_inferred())));
    if let Some(known) = known {
        return Ok(known);
    }
    let Some(GameType { number, .. }) = game_type else { return Err("unknown".into()) };
    Variant::from_number(number)
        .map(|variant| (variant, false))
        .ok_or_else(|| format!("game type {number}").into())
}
