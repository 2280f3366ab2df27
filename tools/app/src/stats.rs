//! Counts games by variant, result, length, tag and encoding.

use std::collections::HashMap;
use std::ops::{AddAssign, ControlFlow};
use std::path::Path;

use pdn::archive::Batch;
use pdn::check::{PartCounts, RecordSummary, TextKind};
use pdn::parse::unescape;
use pdn::replay;
use pdn::rules::Variant;
use pdn::value::{GameResult, GameType, GameTypeStatus};
use serde::Serialize;

use crate::context::Context;
use crate::error::{AppError, Result};
use crate::inputs::{self, BatchConsumer, BatchWork, Inputs};
use crate::lengths::{Lengths, LengthsAnswer};
use crate::report::{ReportOptions, Reporter};
use crate::totals::{CountsByName, Totals};

/// Asks for numbers of games.
#[derive(Clone, Debug)]
pub struct StatsRequest {
    /// The archives.
    pub inputs: Inputs,
    /// Whether and how moves are replayed.
    pub options: ReportOptions,
}

/// Numbers of games.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Statistics {
    /// Games by status, and diagnostics by severity.
    #[serde(flatten)]
    pub totals: Totals,
    /// Games by variant, or by the name of another game, most frequent first.
    pub variants: CountsByName,
    /// Games whose variant is inferred, by variant.
    pub inferred: CountsByName,
    /// Games by result, most frequent first.
    pub results: CountsByName,
    /// Captures, comments and other parts.
    #[serde(flatten)]
    pub parts: PartTotals,
    /// Games by encoding, most frequent first.
    pub encodings: CountsByName,
    /// Games by length.
    pub lengths: LengthsAnswer,
    /// Games by name of a tag that they have, most frequent first.
    pub tags: CountsByName,
    /// Whether all inputs could be read completely.
    #[serde(skip)]
    pub is_complete: bool,
}

impl StatsRequest {
    /// Counts the games. Inputs that cannot be read are problems of the context.
    ///
    /// # Errors
    ///
    /// If the work was stopped.
    pub fn run(&self, context: &mut Context<'_>) -> Result<Statistics> {
        let mut counts = Counts::default();
        counts.totals.replayed = self.options.replay;
        let work = CountWork(self.options);
        let is_complete = inputs::process(&self.inputs, None, &work, &mut counts, context)?;
        Ok(Statistics {
            totals: counts.totals,
            variants: counts.variants.sorted(),
            inferred: counts.totals.inferred_by_variant(),
            results: counts.results.sorted(),
            parts: counts.parts,
            encodings: counts.encodings.sorted(),
            lengths: LengthsAnswer::of(&counts.lengths),
            tags: counts.tags.sorted(),
            is_complete,
        })
    }
}

/// All counts.
#[derive(Default, Debug)]
struct Counts {
    totals: Totals,
    variants: NameCounter,
    results: NameCounter,
    tags: NameCounter,
    encodings: NameCounter,
    lengths: Lengths,
    parts: PartTotals,
}

/// Number of parts of games other than tags and moves.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartTotals {
    /// Captures among the legal plies.
    pub captures: u64,
    /// Comments.
    pub comments: u64,
    /// Variations.
    pub variations: u64,
    /// Moves in variations.
    pub variation_plies: u64,
    /// Games with a FEN tag.
    pub setups: u64,
    /// Setups and null moves in movetext.
    pub movetext_setups: u64,
    /// Annotations such as `!` and `$1`.
    pub nags: u64,
}

impl AddAssign<PartCounts> for PartTotals {
    fn add_assign(&mut self, counts: PartCounts) {
        self.comments += u64::from(counts.comments);
        self.variations += u64::from(counts.variations);
        self.variation_plies += u64::from(counts.variation_plies);
        self.movetext_setups += u64::from(counts.setups);
        self.nags += u64::from(counts.nags);
    }
}

impl AddAssign for PartTotals {
    fn add_assign(&mut self, other: Self) {
        self.comments += other.comments;
        self.variations += other.variations;
        self.variation_plies += other.variation_plies;
        self.setups += other.setups;
        self.movetext_setups += other.movetext_setups;
        self.nags += other.nags;
        self.captures += other.captures;
    }
}

/// Number of games by name. Names come from the archive: beyond a limit, further names are counted together, so that a
/// hostile archive cannot exhaust memory.
#[derive(Default, Debug)]
struct NameCounter {
    counts: HashMap<String, u64>,
    /// Number of games whose names are not kept.
    others: u64,
}

impl NameCounter {
    /// Maximum number of names.
    const MAX_NAMES: usize = 10_000;
    /// Maximum length of a name in bytes.
    const MAX_NAME_BYTES: usize = 256;

    /// Counts one game.
    fn add(&mut self, name: &str) {
        match self.counts.get_mut(name) {
            Some(count) => *count += 1,
            None => self.add_new(name.to_owned(), 1),
        }
    }

    /// Adds a name that is not in the map, within the limits.
    fn add_new(&mut self, name: String, games: u64) {
        if self.counts.len() < Self::MAX_NAMES && name.len() <= Self::MAX_NAME_BYTES {
            self.counts.insert(name, games);
        } else {
            self.others += games;
        }
    }

    /// Adds all counts of `other`, in the order of names: beyond the limit, the same names are kept in every run.
    fn merge(&mut self, other: Self) {
        let mut counts: Vec<_> = other.counts.into_iter().collect();
        counts.sort_unstable();
        for (name, games) in counts {
            match self.counts.get_mut(&name) {
                Some(count) => *count += games,
                None => self.add_new(name, games),
            }
        }
        self.others += other.others;
    }

    /// Returns names and counts, most frequent first; `(others)` comes last.
    fn sorted(self) -> CountsByName {
        let mut all: Vec<_> = self.counts.into_iter().collect();
        all.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        if self.others > 0 {
            all.push(("(others)".to_owned(), self.others));
        }
        CountsByName(all)
    }
}

/// Counts the games of a batch, on many threads.
struct CountWork(ReportOptions);

impl BatchWork for CountWork {
    type Scratch = Reporter;
    type Product = Box<Counts>;

    fn scratch(&self) -> Reporter {
        Reporter::new(self.0)
    }

    fn work(&self, reporter: &mut Reporter, batch: &Batch) -> Box<Counts> {
        let mut stats = Box::<Counts>::default();
        for game in batch.games() {
            let report = reporter.report(game);
            let checked = report.text();
            let bytes = game.raw();
            let decode = |part: &[u8]| batch.decoder().text(bytes, part).into_owned();
            stats.totals.add(&report);
            let RecordSummary { counts, text: kind, game_type, has_fen, .. } = checked.summary;
            stats.variants.add(&variant_name(game_type, report.replay.as_ref()));
            stats.results.add(&result_text(&checked.summary, decode));
            for name in checked.tag_names {
                let name = name.of(bytes);
                match std::str::from_utf8(name) {
                    Ok(name) => stats.tags.add(name),
                    Err(_) => stats.tags.add(&decode(name)),
                }
            }
            stats.encodings.add(match kind {
                TextKind::Ascii => "ascii",
                TextKind::Utf8 => "utf-8",
                TextKind::Other => batch.decoder().guess(bytes).encoding.name(),
            });
            stats.lengths.add(report.replay.map_or(counts.plies, |replay| replay.plies), 1);
            stats.parts += counts;
            stats.parts.setups += u64::from(has_fen);
            stats.parts.captures += u64::from(report.captures);
        }
        stats.totals.bytes = batch.bytes().len() as u64;
        stats
    }
}

impl BatchConsumer<Box<Counts>> for Counts {
    type Error = AppError;

    fn batch(&mut self, _: &Batch, counts: Box<Counts>, _: &mut Context<'_>) -> Result<ControlFlow<()>> {
        self.totals += counts.totals;
        self.variants.merge(counts.variants);
        self.results.merge(counts.results);
        self.tags.merge(counts.tags);
        self.encodings.merge(counts.encodings);
        self.lengths.merge(&counts.lengths);
        self.parts += counts.parts;
        Ok(ControlFlow::Continue(()))
    }

    fn end_input(&mut self, _: &Path, _: &mut Context<'_>) -> Result<()> {
        self.totals.files += 1;
        Ok(())
    }
}

/// Returns the name of the game of another GameType, of the replayed variant, or of the variant of the GameType tag;
/// `unknown` without any of these.
fn variant_name(game_type: Option<GameType>, replay: Option<&replay::ReplaySummary>) -> String {
    let other_game = game_type.and_then(|game_type| match game_type.status() {
        GameTypeStatus::OtherGame(name) => Some(name.to_lowercase()),
        _ => None,
    });
    if let Some(name) = other_game {
        return name;
    }
    match (replay.and_then(replay::ReplaySummary::known_variant), game_type) {
        (Some(variant), _) => variant.name().to_owned(),
        (None, None) => "unknown".to_owned(),
        (None, Some(game_type)) => match Variant::from_number(game_type.number) {
            Some(variant) => variant.name().to_owned(),
            None => format!("game type {}", game_type.number),
        },
    }
}

/// Returns the result as PDN 3.0 writes it, other text unchanged, and `none` if there is no result.
fn result_text(summary: &RecordSummary<'_>, decode: impl Fn(&[u8]) -> String) -> String {
    match summary.outcome_text() {
        None | Some(GameResult::Unknown) => "none".to_owned(),
        Some(GameResult::Text(text)) => decode(&unescape(text)),
        Some(result) => result.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_beyond_the_limits_are_counted_together_in_any_order_of_parts() {
        let counted = |names: &[&str]| {
            let mut counts = NameCounter::default();
            names.iter().for_each(|name| counts.add(name));
            counts
        };
        let long = "x".repeat(NameCounter::MAX_NAME_BYTES + 1);
        let whole = counted(&["a", &long, "b", &long, "a", &long]);
        let whole = whole.sorted();
        let expected = [("a", 2), ("b", 1), ("(others)", 3)];
        assert_eq!(whole.0, expected.map(|(name, games)| (name.to_owned(), games)));
        for cut in 0..=6 {
            let names = ["a", &long, "b", &long, "a", &long];
            let mut parts = counted(&names[..cut]);
            parts.merge(counted(&names[cut..]));
            assert_eq!(parts.sorted(), whole, "cut after {cut}");
        }
    }
}
