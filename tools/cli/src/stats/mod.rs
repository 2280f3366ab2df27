//! `pdn stats`: what an archive consists of.

mod lengths;
mod show;

use std::collections::HashMap;
use std::io::{self, Write};

use pdn::check::{Checker, Options, Summary, TextKind};
use pdn::split::GameSlice;
use pdn::value::{GameResult, GameType, GameTypeStatus};

use crate::args::StatsArgs;
use crate::exit::Exit;
use crate::input::{self, File, Reader};
use crate::output::Output;
use crate::totals::Totals;
use lengths::Lengths;

/// Runs the subcommand.
pub(crate) fn run(args: &StatsArgs, out: &mut Output) -> io::Result<Exit> {
    let mut stats = Stats::default();
    let mut reader = Gather { checker: Checker::new(Options::new()), stats: &mut stats };
    let complete = input::read(&args.input, &mut reader, out)?;
    if args.json {
        writeln!(out, "{}", show::json(&stats))?;
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
    comments: u64,
    variations: u64,
    variation_plies: u64,
    setups: u64,
    annotations: u64,
}

/// Counts by name. Names are those of the archive, so there may be many of them: past a bound further ones are counted
/// together, so that a hostile archive cannot fill the memory.
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
        if let Some(count) = self.counts.get_mut(name) {
            *count += 1;
        } else if self.counts.len() < Self::MOST && name.len() <= Self::LONGEST {
            self.counts.insert(name.to_owned(), 1);
        } else {
            self.others += 1;
        }
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

struct Gather<'s> {
    checker: Checker,
    stats: &'s mut Stats,
}

impl Reader for Gather<'_> {
    fn open(&mut self, _: &File, _: &mut Output) -> io::Result<()> {
        Ok(())
    }

    fn game(&mut self, file: &File, game: &GameSlice<'_>, _: &mut Output) -> io::Result<()> {
        let report = self.checker.check(game);
        let stats = &mut *self.stats;
        stats.totals.add(&report);
        let Summary { counts, text, game_type, .. } = report.summary;
        stats.variants.add(&variant(game_type));
        stats.results.add(&result(&report.summary, file, game));
        for name in report.tag_names {
            stats.tags.add(&file.decoder.text(game.bytes, name.of(game.bytes)));
        }
        stats.encodings.add(match text {
            TextKind::Ascii => "ascii",
            TextKind::Utf8 => "utf-8",
            TextKind::Other => file.decoder.guess(game.bytes).encoding.name(),
        });
        stats.lengths.add(counts.plies);
        stats.comments += u64::from(counts.comments);
        stats.variations += u64::from(counts.variations);
        stats.variation_plies += u64::from(counts.variation_plies);
        stats.setups += u64::from(counts.setups);
        stats.annotations += u64::from(counts.nags);
        Ok(())
    }

    fn close(&mut self, _: &File, bytes: u64, _: &mut Output) -> io::Result<()> {
        self.stats.totals.files += 1;
        self.stats.totals.bytes += bytes;
        Ok(())
    }
}

/// The name of the variant that the GameType tag gives, `unknown` where there is none.
fn variant(game_type: Option<GameType>) -> String {
    let Some(game_type) = game_type else { return "unknown".to_owned() };
    let name = match game_type.number {
        20 => "international",
        21 => "english",
        22 => "italian",
        23 => "pool",
        24 => "spanish",
        25 => "russian",
        26 => "brazilian",
        27 => "canadian",
        28 => "portuguese",
        29 => "czech",
        30 => "turkish",
        31 => "thai",
        40 => "frisian",
        41 => "spantsiretti",
        96 => "breakthrough",
        97 => "frysk",
        98 => "antidraughts",
        number => {
            return match game_type.status() {
                GameTypeStatus::OtherGame(name) => name.to_lowercase(),
                _ => format!("game type {number}"),
            };
        }
    };
    name.to_owned()
}

/// The result as PDN 3.0 writes it; `none` where nothing is said, free text as it stands.
fn result(summary: &Summary<'_>, file: &File, game: &GameSlice<'_>) -> String {
    match summary.outcome_text() {
        None | Some(GameResult::Unknown) => "none".to_owned(),
        Some(GameResult::Text(text)) => file.decoder.text(game.bytes, text).into_owned(),
        Some(result) => result.to_string(),
    }
}
