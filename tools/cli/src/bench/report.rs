//! What was measured, for people and for programs.

use std::collections::BTreeMap;
use std::time::Duration;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use indicatif::HumanCount;
use pdn::pool;
use serde_json::{Value, json};

use super::stage::{Bench, Counts, Stage};
use crate::args::BenchArgs;
use crate::clean;
use crate::totals::{count, size};

/// A stage on so many threads, over all rounds.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) stage: Stage,
    pub(super) threads: usize,
    /// What it saw, once unless rounds contradict each other.
    pub(super) counts: Vec<Counts>,
    pub(super) times: Vec<Duration>,
}

impl Run {
    /// Notes a round.
    pub(super) fn add(&mut self, time: Duration, counts: Counts) {
        self.times.push(time);
        if !self.counts.contains(&counts) {
            self.counts.push(counts);
        }
    }

    /// Seconds in the median round.
    fn seconds(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort();
        times.get(times.len() / 2).map_or(f64::NAN, Duration::as_secs_f64).max(1e-9)
    }
}

/// The run of a stage on so many threads.
fn of(runs: &[Run], stage: Stage, threads: usize) -> Option<&Run> {
    runs.iter().find(|run| run.stage == stage && run.threads == threads)
}

/// Part of the floor's speed on as many threads.
fn of_floor(runs: &[Run], run: &Run) -> f64 {
    of(runs, Stage::Floor, run.threads).map_or(f64::NAN, |floor| floor.seconds() / run.seconds())
}

/// How many times as fast as on one thread.
fn scaling(runs: &[Run], run: &Run) -> f64 {
    of(runs, run.stage, 1).map_or(f64::NAN, |one| one.seconds() / run.seconds())
}

/// A count that some run saw; `None` if no stage that was asked for counts it.
fn total(runs: &[Run], name: &str) -> Option<u64> {
    let all = runs.iter().flat_map(|run| &run.counts).flat_map(|counts| counts.all());
    all.filter(|(other, _)| *other == name).find_map(|(_, number)| number)
}

/// Counts that should be equal and are not, a sentence each.
pub(super) fn disagreements(runs: &[Run]) -> Vec<String> {
    let mut seen: BTreeMap<&str, (u64, String)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for run in runs {
        let name = format!("{} on {}", run.stage.name(), count(run.threads as u64, "thread"));
        for (what, number) in run.counts.iter().flat_map(|counts| counts.all()) {
            let Some(number) = number else { continue };
            let (first, by) = seen.entry(what).or_insert_with(|| (number, name.clone()));
            if *first != number {
                wrong
                    .push(format!("{name} found {number} {what}, {by} found {first}: no figure here counts"));
            }
        }
    }
    wrong
}

/// One object.
pub(super) fn json(args: &BenchArgs, bench: &Bench, runs: &[Run], wrong: &[String]) -> Value {
    let (games, plies) = (total(runs, "games"), total(runs, "plies"));
    let stages: Vec<_> = runs
        .iter()
        .map(|run| {
            let seconds = run.seconds();
            let rate = |number: u64| number as f64 / seconds;
            let rates = [games, plies].map(|number| number.map(rate));
            json!({
                "stage": run.stage.name(),
                "threads": run.threads,
                "rounds": run.times.len(),
                "seconds": seconds,
                "gb_per_second": rate(bench.len()) / 1e9,
                "games_per_second": rates[0],
                "plies_per_second": rates[1],
                "of_floor": of_floor(runs, run),
                "scaling": scaling(runs, run),
            })
        })
        .collect();
    json!({
        "archive": args.archive.to_string_lossy(),
        "bytes": bench.len(),
        "games": games,
        "tags": total(runs, "tags"),
        "moves": total(runs, "moves"),
        "plies": plies,
        "processors": pool::default_threads(),
        "rounds": args.rounds,
        "stages": stages,
        "disagreements": wrong,
    })
}

/// A table with a sentence before it.
pub(super) fn table(args: &BenchArgs, bench: &Bench, runs: &[Run]) -> String {
    let (games, plies) = (total(runs, "games"), total(runs, "plies"));
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header(["stage", "threads", "GB/s", "games/s", "plies/s", "ns/ply", "of floor", "x 1 thread"]);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for run in runs {
        let seconds = run.seconds();
        let rate = |number: u64| HumanCount((number as f64 / seconds) as u64).to_string();
        let mut row = vec![
            run.stage.name().to_owned(),
            run.threads.to_string(),
            format!("{:.3}", bench.len() as f64 / seconds / 1e9),
        ];
        // Nobody has seen a game or a ply there.
        let blank = matches!(run.stage, Stage::Floor | Stage::Source);
        let each = |plies| format!("{:.1}", seconds * 1e9 / plies as f64);
        let shown = [games.map(rate), plies.map(rate), plies.filter(|&plies| plies > 0).map(each)];
        row.extend(shown.map(|cell| cell.filter(|_| !blank).unwrap_or_default()));
        row.push(format!("{:.1} %", 100.0 * of_floor(runs, run)));
        row.push(format!("{:.2}", scaling(runs, run)));
        table.add_row(row);
    }
    let lines: String = table.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    let seen =
        [games.map(|games| count(games, "game")), plies.map(|plies| format!("{} plies", HumanCount(plies)))];
    let seen: String = seen.into_iter().flatten().map(|seen| format!(", {seen}")).collect();
    format!(
        "{}: {}{seen}; {} processors, median of up to {}.\n\n{lines}",
        clean::path(&args.archive),
        size(bench.len()),
        pool::default_threads(),
        count(u64::from(args.rounds), "round"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(stage: Stage, threads: usize, games: u64, plies: Option<u64>) -> Run {
        let counts = Counts { games: Some(games), plies, ..Counts::default() };
        Run { stage, threads, counts: vec![counts], times: vec![Duration::from_secs(1)] }
    }

    #[test]
    fn counts_that_differ_are_told() {
        let sound = [
            run(Stage::Split, 1, 7, None),
            run(Stage::Replay, 1, 7, Some(50)),
            run(Stage::Index, 2, 7, Some(50)),
        ];
        assert_eq!(disagreements(&sound), [""; 0]);
        let games = [run(Stage::Split, 1, 7, None), run(Stage::Walk, 2, 8, None)];
        assert_eq!(
            disagreements(&games),
            ["walk on 2 threads found 8 games, split on 1 thread found 7: no figure here counts"]
        );
        let plies = [run(Stage::Replay, 1, 7, Some(50)), run(Stage::Index, 1, 7, Some(49))];
        assert_eq!(disagreements(&plies).len(), 1);
        let mut rounds = [run(Stage::Replay, 1, 7, Some(50))];
        rounds[0]
            .add(Duration::from_secs(1), Counts { games: Some(7), plies: Some(51), ..Counts::default() });
        assert_eq!(disagreements(&rounds).len(), 1);
    }

    #[test]
    fn the_median_round_counts_beside_floor_and_one_thread() {
        let mut runs = vec![
            run(Stage::Floor, 1, 1, None),
            run(Stage::Walk, 1, 1, None),
            run(Stage::Walk, 2, 1, None),
            run(Stage::Floor, 2, 1, None),
        ];
        for (run, times) in runs.iter_mut().zip([[1, 1, 9], [4, 40, 3], [2, 1, 2], [1, 1, 1]]) {
            run.times = times.map(Duration::from_secs).to_vec();
        }
        assert_eq!(runs[1].seconds(), 4.0);
        assert_eq!(of_floor(&runs, &runs[1]), 0.25);
        assert_eq!(scaling(&runs, &runs[2]), 2.0);
    }
}
