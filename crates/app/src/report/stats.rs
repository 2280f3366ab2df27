//! Counts games by variant, result, length, tag and encoding.

use std::ops::{AddAssign, ControlFlow};
use std::path::Path;

use pdn::archive::Batch;
use pdn::internal::check::{PartCounts, RecordSummary, TextKind};
use pdn::parse::unescape;
use pdn::value::GameResult;
use serde::Serialize;

use crate::ask::context::Context;
use crate::ask::error::{AppError, Result};
use crate::check::counts_by_name::{CountsByName, NameCounter};
use crate::check::lengths::{Lengths, LengthsAnswer};
use crate::check::reporter::{ReportOptions, Reporter};
use crate::check::totals::Totals;
use crate::read::inputs::{self, BatchConsumer, BatchWork, Inputs};

/// Asks for numbers of games.
#[derive(Clone, Debug)]
pub struct StatsRequest {
    /// The archives.
    pub inputs: Inputs,
    /// Whether moves are replayed.
    pub replay: bool,
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
    /// Games by result, most frequent first; `none` without one.
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
        counts.totals.replayed = self.replay;
        let variant = self.inputs.read.variant;
        let work = CountWork(ReportOptions { style: false, replay: self.replay, variant });
        let is_complete = inputs::process(&self.inputs, None, &work, &mut counts, context)?;
        Ok(Statistics {
            variants: counts.totals.games_by_variant(),
            inferred: counts.totals.inferred_by_variant(),
            totals: counts.totals,
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
            let RecordSummary { counts, text: kind, has_fen, .. } = checked.summary;
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
            stats.lengths.add(report.replay().map_or(counts.plies, |replay| replay.plies), 1);
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
        self.totals += &counts.totals;
        self.results.merge(&counts.results);
        self.tags.merge(&counts.tags);
        self.encodings.merge(&counts.encodings);
        self.lengths.merge(&counts.lengths);
        self.parts += counts.parts;
        Ok(ControlFlow::Continue(()))
    }

    fn end_input(&mut self, _: &Path, _: &mut Context<'_>) -> Result<()> {
        self.totals.files += 1;
        Ok(())
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
