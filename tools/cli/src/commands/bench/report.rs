//! Formats measurements as a table and as JSON, and checks that all counts agree.

use std::collections::BTreeMap;
use std::time::Duration;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use pdn::pool;
use serde_json::{Value, json};

use super::stage::{StageCounts, StageRunner};
use crate::args::{BenchArgs, Stage};
use crate::output::sanitize;
use pdn_app::numbers::{Count, count, size};

/// All rounds of a stage on one number of threads.
#[derive(Debug)]
pub(super) struct StageRuns {
    pub(super) stage: Stage,
    pub(super) threads: usize,
    /// Different counts of the rounds: exactly one if the rounds agree.
    pub(super) counts: Vec<StageCounts>,
    pub(super) times: Vec<Duration>,
}

impl StageRuns {
    /// Adds a round.
    pub(super) fn add(&mut self, time: Duration, counts: StageCounts) {
        self.times.push(time);
        if !self.counts.contains(&counts) {
            self.counts.push(counts);
        }
    }

    /// Returns the time of the median round in seconds.
    fn seconds(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort();
        times.get(times.len() / 2).map_or(f64::NAN, Duration::as_secs_f64).max(1e-9)
    }
}

/// Returns the rounds of a stage on a number of threads.
fn find_runs(runs: &[StageRuns], stage: Stage, threads: usize) -> Option<&StageRuns> {
    runs.iter().find(|run| run.stage == stage && run.threads == threads)
}

/// Returns the ratio of the speed to that of `floor` on as many threads.
fn of_floor(runs: &[StageRuns], run: &StageRuns) -> f64 {
    find_runs(runs, Stage::Floor, run.threads).map_or(f64::NAN, |floor| floor.seconds() / run.seconds())
}

/// Returns the ratio of the speed to that on one thread.
fn scaling(runs: &[StageRuns], run: &StageRuns) -> f64 {
    find_runs(runs, run.stage, 1).map_or(f64::NAN, |one| one.seconds() / run.seconds())
}

/// Returns the first value of the count `name`; `None` if no selected stage counts it.
fn total(runs: &[StageRuns], name: &str) -> Option<u64> {
    let mut counts = runs.iter().flat_map(|run| &run.counts).flat_map(|counts| counts.all());
    counts.find_map(|(other, number)| number.filter(|_| other == name))
}

/// Returns a sentence for each count that differs from the same count of an earlier run.
pub(super) fn disagreements(runs: &[StageRuns]) -> Vec<String> {
    let mut first_counts: BTreeMap<&str, (u64, String)> = BTreeMap::new();
    let mut problems = Vec::new();
    for run in runs {
        let name = format!("{} on {}", run.stage.name(), count(run.threads as u64, "thread"));
        for (what, number) in run.counts.iter().flat_map(|counts| counts.all()) {
            let Some(number) = number else { continue };
            let (first, first_name) = first_counts.entry(what).or_insert_with(|| (number, name.clone()));
            if *first != number {
                problems.push(format!(
                    "{name} found {number} {what}, {first_name} found {first}: the measurement is invalid"
                ));
            }
        }
    }
    problems
}

/// Returns the measurements as one JSON object.
pub(super) fn json(args: &BenchArgs, runner: &StageRunner, runs: &[StageRuns], problems: &[String]) -> Value {
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
                "gb_per_second": rate(runner.len()) / 1e9,
                "games_per_second": rates[0],
                "plies_per_second": rates[1],
                "of_floor": of_floor(runs, run),
                "scaling": scaling(runs, run),
            })
        })
        .collect();
    json!({
        "archive": args.archive.to_string_lossy(),
        "bytes": runner.len(),
        "games": games,
        "tags": total(runs, "tags"),
        "moves": total(runs, "moves"),
        "plies": plies,
        "processors": pool::default_threads(),
        "rounds": args.rounds,
        "stages": stages,
        "disagreements": problems,
    })
}

/// Formats the measurements as a table after a sentence about the archive.
pub(super) fn table(args: &BenchArgs, runner: &StageRunner, runs: &[StageRuns]) -> String {
    let (games, plies) = (total(runs, "games"), total(runs, "plies"));
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header(["stage", "threads", "GB/s", "games/s", "plies/s", "ns/ply", "of floor", "x 1 thread"]);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for run in runs {
        let seconds = run.seconds();
        let rate = |number: u64| Count((number as f64 / seconds) as u64).to_string();
        let mut row = vec![
            run.stage.name().to_owned(),
            run.threads.to_string(),
            format!("{:.3}", runner.len() as f64 / seconds / 1e9),
        ];
        // These stages do not visit games.
        let has_no_games = matches!(run.stage, Stage::Floor | Stage::Source);
        let ns_per_ply = |plies: u64| format!("{:.1}", seconds * 1e9 / plies as f64);
        let cells = [games.map(rate), plies.map(rate), plies.filter(|&plies| plies > 0).map(ns_per_ply)];
        row.extend(cells.map(|cell| cell.filter(|_| !has_no_games).unwrap_or_default()));
        row.push(format!("{:.1} %", 100.0 * of_floor(runs, run)));
        row.push(format!("{:.2}", scaling(runs, run)));
        table.add_row(row);
    }
    let lines: String = table.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    let totals = [games.map(|games| count(games, "game")), plies.map(pdn_app::numbers::plies)];
    let totals: String = totals.into_iter().flatten().map(|total| format!(", {total}")).collect();
    format!(
        "{}: {}{totals}; {} processors, median of up to {}.\n\n{lines}",
        sanitize::path(&args.archive),
        size(runner.len()),
        pool::default_threads(),
        count(u64::from(args.rounds), "round"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(stage: Stage, threads: usize, games: u64, plies: Option<u64>) -> StageRuns {
        let counts = StageCounts { games: Some(games), plies, ..StageCounts::default() };
        StageRuns { stage, threads, counts: vec![counts], times: vec![Duration::from_secs(1)] }
    }

    #[test]
    fn disagreements_report_differing_counts() {
        let agreeing = [
            run(Stage::Split, 1, 7, None),
            run(Stage::Replay, 1, 7, Some(50)),
            run(Stage::Index, 2, 7, Some(50)),
        ];
        assert_eq!(disagreements(&agreeing), [""; 0]);
        let games = [run(Stage::Split, 1, 7, None), run(Stage::Walk, 2, 8, None)];
        assert_eq!(
            disagreements(&games),
            ["walk on 2 threads found 8 games, split on 1 thread found 7: the measurement is invalid"]
        );
        let plies = [run(Stage::Replay, 1, 7, Some(50)), run(Stage::Index, 1, 7, Some(49))];
        assert_eq!(disagreements(&plies).len(), 1);
        let mut rounds = [run(Stage::Replay, 1, 7, Some(50))];
        rounds[0].add(
            Duration::from_secs(1),
            StageCounts { games: Some(7), plies: Some(51), ..StageCounts::default() },
        );
        assert_eq!(disagreements(&rounds).len(), 1);
    }

    #[test]
    fn median_round_is_compared_with_floor_and_one_thread() {
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
