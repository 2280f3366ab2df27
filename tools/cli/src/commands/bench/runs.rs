//! The rounds of all stages: their times, and whether their counts agree.

use std::collections::BTreeMap;
use std::time::Duration;

use pdn_app::ask::named::Named;
use pdn_app::ask::numbers::count;

use super::stage::{Stage, StageCounts};

/// All rounds of a stage on one number of threads.
#[derive(Debug)]
pub(super) struct StageRuns {
    pub(super) stage: Stage,
    pub(super) threads: usize,
    /// Different counts of the rounds: exactly one if the rounds agree.
    counts: Vec<StageCounts>,
    times: Vec<Duration>,
    /// The time of all rounds in which only one thread could work.
    one_thread: Duration,
}

impl StageRuns {
    /// Creates the rounds of a stage, of which there is none yet.
    pub(super) fn new(stage: Stage, threads: usize) -> Self {
        Self { stage, threads, counts: Vec::new(), times: Vec::new(), one_thread: Duration::ZERO }
    }

    /// Adds a round: its time, what it counted, and the time in which only one thread could work.
    pub(super) fn add(&mut self, time: Duration, (counts, one_thread): (StageCounts, Duration)) {
        self.times.push(time);
        self.one_thread += one_thread;
        if !self.counts.contains(&counts) {
            self.counts.push(counts);
        }
    }

    /// Returns the number of rounds.
    pub(super) fn rounds(&self) -> usize {
        self.times.len()
    }

    /// Returns the time of all rounds together.
    pub(super) fn time(&self) -> Duration {
        self.times.iter().sum()
    }

    /// Returns the time of the median round in seconds.
    pub(super) fn seconds(&self) -> f64 {
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
pub(super) fn of_floor(runs: &[StageRuns], run: &StageRuns) -> f64 {
    find_runs(runs, Stage::Floor, run.threads).map_or(f64::NAN, |floor| floor.seconds() / run.seconds())
}

/// Returns the ratio of the speed to that on one thread.
pub(super) fn scaling(runs: &[StageRuns], run: &StageRuns) -> f64 {
    find_runs(runs, run.stage, 1).map_or(f64::NAN, |one| one.seconds() / run.seconds())
}

/// Returns the speed of the index as a share of that of the stage `file` on as many threads; `None` if one of them was not measured.
pub(super) fn index_of_file(runs: &[StageRuns]) -> Option<f64> {
    let index = find_runs(runs, Stage::Index, 1)?;
    Some(find_runs(runs, Stage::File, 1)?.seconds() / index.seconds())
}

/// Returns the time of the index, in its measurement on most threads, in which one of them works for all, as a share of the time on one
/// thread; `None` if it was not measured.
pub(super) fn one_thread_share(runs: &[StageRuns]) -> Option<f64> {
    let alone = find_runs(runs, Stage::Index, 1)?;
    let index = runs.iter().rfind(|run| run.stage == Stage::Index)?;
    Some(index.one_thread.as_secs_f64() / index.rounds() as f64 / alone.seconds())
}

/// Returns the first value of the count `name`; `None` if no selected stage counts it.
pub(super) fn total(runs: &[StageRuns], name: &str) -> Option<u64> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn run(stage: Stage, threads: usize, games: u64, plies: Option<u64>) -> StageRuns {
        let counts = StageCounts { games: Some(games), plies, ..StageCounts::default() };
        StageRuns {
            counts: vec![counts],
            times: vec![Duration::from_secs(1)],
            ..StageRuns::new(stage, threads)
        }
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
            (StageCounts { games: Some(7), plies: Some(51), ..StageCounts::default() }, Duration::ZERO),
        );
        assert_eq!(disagreements(&rounds).len(), 1);
    }

    #[test]
    fn index_is_compared_with_the_file_and_with_its_own_thread() {
        let mut runs = vec![run(Stage::File, 1, 1, None), run(Stage::Index, 1, 1, None)];
        assert_eq!((index_of_file(&runs[..1]), one_thread_share(&runs[..1])), (None, None));
        runs[1].times = [4, 2, 2].map(Duration::from_secs).to_vec();
        runs[1].one_thread = Duration::from_secs(3);
        assert_eq!((index_of_file(&runs), one_thread_share(&runs)), (Some(0.5), Some(0.5)));
        runs.push(run(Stage::Index, 2, 1, None));
        runs[2].one_thread = Duration::from_millis(500);
        assert_eq!(one_thread_share(&runs), Some(0.25));
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
