//! `pdn stats`: counts games by variant, result, length, tag and encoding.

mod print;

use std::collections::HashMap;
use std::io::Write;
use std::ops::{AddAssign, ControlFlow};
use std::path::Path;

use pdn::archive::Batch;
use pdn::check::{PartCounts, RecordSummary, TextKind};
use pdn::parse::unescape;
use pdn::replay;
use pdn::rules::Variant;
use pdn::value::{GameResult, GameType, GameTypeStatus};

use crate::args::StatsArgs;
use crate::input::totals::Totals;
use crate::output::{CommandResult, Exit, Output, sanitize};
use pdn_app::inputs::{self, BatchConsumer, BatchWork};
use pdn_app::lengths::Lengths;
use pdn_app::report::{ReportOptions, Reporter};
use pdn_app::{AppError, Context};

/// Runs `pdn stats`.
pub(crate) fn run(args: &StatsArgs, out: &mut Output) -> CommandResult {
    let mut stats = Stats::default();
    let work = CountWork(args.replay.read(false));
    stats.totals.replayed = work.0.replay;
    let complete = inputs::process(&args.input.read(), None, &work, &mut stats, &mut out.context())?;
    if args.format.is_json() {
        writeln!(out, "{}", sanitize::json(&print::json(&stats)))?;
    } else {
        write!(out, "{}", print::tables(&stats))?;
    }
    Ok(if complete { Exit::Success } else { Exit::Failure })
}

/// All counts.
#[derive(Default, Debug)]
struct Stats {
    totals: Totals,
    variants: NameCounts,
    results: NameCounts,
    tags: NameCounts,
    encodings: NameCounts,
    lengths: Lengths,
    parts: PartTotals,
}

/// Number of parts of games other than tags and moves.
#[derive(Clone, Copy, Default, Debug)]
struct PartTotals {
    comments: u64,
    variations: u64,
    variation_plies: u64,
    /// Number of games with a FEN tag.
    setups: u64,
    /// Number of setups and null moves in movetext.
    movetext_setups: u64,
    nags: u64,
    /// Number of captures among the legal plies.
    captures: u64,
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
struct NameCounts {
    counts: HashMap<String, u64>,
    /// Number of games whose names are not kept.
    others: u64,
}

impl NameCounts {
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
    fn sorted(&self) -> Vec<(&str, u64)> {
        let mut all: Vec<_> = self.counts.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        all.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        if self.others > 0 {
            all.push(("(others)", self.others));
        }
        all
    }
}

/// Counts the games of a batch, on many threads.
struct CountWork(ReportOptions);

impl BatchWork for CountWork {
    type Scratch = Reporter;
    type Product = Box<Stats>;

    fn scratch(&self) -> Reporter {
        Reporter::new(self.0)
    }

    fn work(&self, reporter: &mut Reporter, batch: &Batch) -> Box<Stats> {
        let mut stats = Box::<Stats>::default();
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

impl BatchConsumer<Box<Stats>> for Stats {
    type Error = AppError;

    fn batch(
        &mut self,
        _: &Batch,
        counts: Box<Stats>,
        _: &mut Context<'_>,
    ) -> Result<ControlFlow<()>, AppError> {
        self.totals += counts.totals;
        self.variants.merge(counts.variants);
        self.results.merge(counts.results);
        self.tags.merge(counts.tags);
        self.encodings.merge(counts.encodings);
        self.lengths.merge(&counts.lengths);
        self.parts += counts.parts;
        Ok(ControlFlow::Continue(()))
    }

    fn end_input(&mut self, _: &Path, _: &mut Context<'_>) -> Result<(), AppError> {
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
            let mut counts = NameCounts::default();
            names.iter().for_each(|name| counts.add(name));
            counts
        };
        let long = "x".repeat(NameCounts::MAX_NAME_BYTES + 1);
        let whole = counted(&["a", &long, "b", &long, "a", &long]);
        assert_eq!(whole.sorted(), [("a", 2), ("b", 1), ("(others)", 3)]);
        for cut in 0..=6 {
            let names = ["a", &long, "b", &long, "a", &long];
            let mut parts = counted(&names[..cut]);
            parts.merge(counted(&names[cut..]));
            assert_eq!(parts.sorted(), whole.sorted(), "cut after {cut}");
        }
    }
}
