//! `pdn stats`: what an archive consists of.

mod lengths;
mod show;

use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::AddAssign;
use std::path::Path;
use std::sync::Arc;

use pdn::archive::Batch;
use pdn::check::{PartCounts, RecordSummary, TextKind};
use pdn::replay::{self, VariantBasis};
use pdn::rules::Variant;
use pdn::value::{GameResult, GameType, GameTypeStatus};

use crate::args::StatsArgs;
use crate::clean;
use crate::exit::Exit;
use crate::head::Head;
use crate::input::{self, Consume, Work};
use crate::judge::{Judge, Wanted};
use crate::output::Output;
use crate::totals::Totals;
use lengths::Lengths;

/// Runs the subcommand.
pub(crate) fn run(args: &StatsArgs, out: &mut Output) -> io::Result<Exit> {
    let mut stats = Stats::default();
    let gather = Gather(Wanted::new(&args.replay, false));
    stats.totals.replayed = gather.0.replay;
    let complete = input::read(&args.input, &gather, &mut stats, out)?;
    if args.json {
        writeln!(out, "{}", clean::json(&show::json(&stats)))?;
    } else {
        write!(out, "{}", show::human(&stats))?;
    }
    Ok(if complete { Exit::Done } else { Exit::Failed })
}

/// Everything that is counted.
#[derive(Default, Debug)]
struct Stats {
    totals: Totals,
    variants: Tally,
    results: Tally,
    tags: Tally,
    encodings: Tally,
    lengths: Lengths,
    parts: Parts,
}

/// What games consist of beside tags and moves.
#[derive(Clone, Copy, Default, Debug)]
struct Parts {
    comments: u64,
    variations: u64,
    variation_plies: u64,
    setups: u64,
    nags: u64,
    /// Captures among the legal plies.
    captures: u64,
}

impl AddAssign<PartCounts> for Parts {
    fn add_assign(&mut self, counts: PartCounts) {
        self.comments += u64::from(counts.comments);
        self.variations += u64::from(counts.variations);
        self.variation_plies += u64::from(counts.variation_plies);
        self.setups += u64::from(counts.setups);
        self.nags += u64::from(counts.nags);
    }
}

impl AddAssign for Parts {
    fn add_assign(&mut self, more: Self) {
        self.comments += more.comments;
        self.variations += more.variations;
        self.variation_plies += more.variation_plies;
        self.setups += more.setups;
        self.nags += more.nags;
        self.captures += more.captures;
    }
}

/// Counts by name. Names are those of the archive, so there may be many of them: past a bound further ones
/// are counted together, so that a hostile archive cannot fill the memory.
#[derive(Default, Debug)]
struct Tally {
    counts: HashMap<String, u64>,
    others: u64,
}

impl Tally {
    /// Most names kept apart.
    const MOST: usize = 10_000;
    /// Longest name kept, in bytes.
    const LONGEST: usize = 256;

    fn add(&mut self, name: &str) {
        match self.counts.get_mut(name) {
            Some(count) => *count += 1,
            None => self.add_new(name.to_owned(), 1),
        }
    }

    fn add_new(&mut self, name: String, games: u64) {
        if self.counts.len() < Self::MOST && name.len() <= Self::LONGEST {
            self.counts.insert(name, games);
        } else {
            self.others += games;
        }
    }

    /// Counts another tally in. Names come in a fixed order, so that the same ones are kept apart each time.
    fn merge(&mut self, more: Self) {
        let mut more_counts: Vec<_> = more.counts.into_iter().collect();
        more_counts.sort_unstable();
        for (name, games) in more_counts {
            match self.counts.get_mut(&name) {
                Some(count) => *count += games,
                None => self.add_new(name, games),
            }
        }
        self.others += more.others;
    }

    /// Names and counts, the most frequent first; those counted together come last.
    fn sorted(&self) -> Vec<(&str, u64)> {
        let mut all: Vec<_> = self.counts.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        all.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        if self.others > 0 {
            all.push(("(others)", self.others));
        }
        all
    }
}

/// Counts batches, on many threads.
struct Gather(Wanted);

impl Work for Gather {
    type Scratch = Judge;
    type Product = Box<Stats>;

    fn scratch(&self) -> Judge {
        Judge::new(self.0)
    }

    fn work(&self, judge: &mut Judge, batch: &Batch, head: &Arc<Head>) -> Box<Stats> {
        let mut stats = Box::<Stats>::default();
        for game in batch.games() {
            let judged = judge.judge(&game.view().record(), head);
            let report = &judged.report;
            let bytes = game.raw();
            let text = |part: &[u8]| batch.decoder().text(bytes, part).into_owned();
            stats.totals.add(&judged);
            let RecordSummary { counts, text: kind, game_type, .. } = report.summary;
            stats.variants.add(&variant(game_type, judged.played.as_ref()));
            stats.results.add(&result(&report.summary, text));
            for name in report.tag_names {
                let name = name.of(bytes);
                match std::str::from_utf8(name) {
                    Ok(name) => stats.tags.add(name),
                    Err(_) => stats.tags.add(&text(name)),
                }
            }
            stats.encodings.add(match kind {
                TextKind::Ascii => "ascii",
                TextKind::Utf8 => "utf-8",
                TextKind::Other => batch.decoder().guess(bytes).encoding.name(),
            });
            stats.lengths.add(judged.played.map_or(counts.plies, |played| played.plies), 1);
            stats.parts += counts;
            stats.parts.captures += u64::from(judged.captures);
        }
        stats.totals.bytes = batch.bytes().len() as u64;
        stats
    }
}

impl Consume<Box<Stats>> for Stats {
    fn open(&mut self, _: &Path, _: &mut Output) -> io::Result<()> {
        Ok(())
    }

    fn batch(&mut self, _: &Batch, more: Box<Stats>, _: &mut Output) -> io::Result<()> {
        self.totals += more.totals;
        self.variants.merge(more.variants);
        self.results.merge(more.results);
        self.tags.merge(more.tags);
        self.encodings.merge(more.encodings);
        self.lengths.merge(&more.lengths);
        self.parts += more.parts;
        Ok(())
    }

    fn close(&mut self, _: &Path, _: &mut Output) -> io::Result<()> {
        self.totals.files += 1;
        Ok(())
    }
}

/// The name of the variant that was replayed, or that the GameType tag gives; `unknown` where nothing tells.
fn variant(game_type: Option<GameType>, played: Option<&replay::ReplaySummary>) -> String {
    let other_game = game_type.and_then(|game_type| match game_type.status() {
        GameTypeStatus::OtherGame(name) => Some(name.to_lowercase()),
        _ => None,
    });
    if let Some(name) = other_game {
        return name;
    }
    match (played, game_type) {
        (Some(played), _) if played.basis != VariantBasis::Guess => played.variant.name().to_owned(),
        (_, None) => "unknown".to_owned(),
        (_, Some(game_type)) => match Variant::from_number(game_type.number) {
            Some(variant) => variant.name().to_owned(),
            None => format!("game type {}", game_type.number),
        },
    }
}

/// The result as PDN 3.0 writes it; `none` where nothing is said, free text as it stands.
fn result(summary: &RecordSummary<'_>, decode: impl Fn(&[u8]) -> String) -> String {
    match summary.outcome_text() {
        None | Some(GameResult::Unknown) => "none".to_owned(),
        Some(GameResult::Text(text)) => decode(text),
        Some(result) => result.to_string(),
    }
}
