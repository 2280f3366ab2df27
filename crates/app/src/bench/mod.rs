//! How fast an archive is read on this machine, stage by stage.
//!
//! Only the public library is measured, so that any program can reach the same speed. The stage `floor` is the lower bound
//! for reading all bytes once. Every stage counts what it visits, and a measurement is valid only if all counts agree.

mod stage;
mod runs;

use std::fs;
use std::iter;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use pdn::internal::simd;
use pdn::internal::source::{Container, InputBytes, path_text};
use pdn::source::Bytes;
use serde::Serialize;

use self::runs::{StageRuns, disagreements, of_floor, scaling, total};
use self::stage::StageRunner;
use crate::context::Context;
use crate::error::{AppError, ErrorCode, Result};
use crate::inputs::open_options;
use crate::named::Named;

pub use pdn::internal::simd::INSTRUCTION_SETS;
pub use stage::Stage;

/// Asks how fast each stage reads an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BenchRequest {
    /// The archive: a text file on disk, neither compressed nor UTF-16. It is mapped into memory.
    pub archive: PathBuf,
    /// The stages; none for all. The floor is always measured, because all others are compared with it.
    pub stages: Vec<Stage>,
    /// The largest number of threads. One thread is measured, two, four and so on up to this number.
    pub threads: NonZeroUsize,
    /// Number of rounds, at least 1. Each runs every stage on every number of threads.
    pub rounds: u32,
    /// The name of the instruction set to use, one of [`INSTRUCTION_SETS`]; `None` for the best one of this processor.
    pub instruction_set: Option<String>,
    /// The time after which a stage starts no further round on a number of threads; `None` for no limit.
    pub time_limit: Option<Duration>,
}

/// How fast each stage reads an archive.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Benchmark {
    /// The path of the archive.
    pub archive: String,
    /// Length of the archive in bytes.
    pub bytes: u64,
    /// Number of games; this and the next three are null if no stage that was measured counts them.
    pub games: Option<u64>,
    /// Number of tags in tag sections.
    pub tags: Option<u64>,
    /// Number of written moves of main lines.
    pub moves: Option<u64>,
    /// Number of legal plies of main lines.
    pub plies: Option<u64>,
    /// Number of processors of this machine.
    pub processors: usize,
    /// The name of the instruction set that was used, such as `avx2`. The floor always uses the best one.
    pub instruction_set: &'static str,
    /// Number of rounds that were asked for.
    pub rounds: u32,
    /// The measurements, by number of threads and in the order of the stages.
    pub stages: Vec<StageSpeed>,
    /// A sentence for each count that differs between two measurements, which makes all of them invalid.
    pub disagreements: Vec<String>,
}

/// The speed of a stage on a number of threads: that of the whole archive in the median round.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StageSpeed {
    /// The stage.
    pub stage: Stage,
    /// Number of threads.
    pub threads: usize,
    /// Number of rounds that were measured.
    pub rounds: usize,
    /// The time of the median round, in seconds.
    pub seconds: f64,
    /// Billions (10^9) of bytes a second.
    pub gb_per_second: f64,
    /// Games a second, if they were counted.
    pub games_per_second: Option<f64>,
    /// Legal plies of main lines a second, if they were counted.
    pub plies_per_second: Option<f64>,
    /// The speed as a share of that of the floor on as many threads.
    pub of_floor: f64,
    /// The speed as a multiple of that on one thread.
    pub scaling: f64,
}

impl BenchRequest {
    /// Measures the stages, round by round, so that a disturbance of the machine affects all of them.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read, is empty, or is not a text file on disk, if an index of it cannot be written to a temporary folder,
    /// or the work was stopped.
    pub fn run(&self, context: &mut Context<'_>) -> Result<Benchmark> {
        if let Some(name) = self.instruction_set.as_deref().filter(|name| !simd::use_instruction_set(name)) {
            let message = format!("this processor does not have the instruction set {name}");
            return Err(AppError::plain(ErrorCode::InvalidValue, message).in_field("simd"));
        }
        let bytes = self.open_mapped()?;
        let runner = StageRunner::new(&self.archive, bytes, open_options(None, true));
        let measured = self.measure(&runner, context);
        context.events.end();
        Ok(self.answer(runner.len(), &measured?))
    }

    /// Opens the archive as one slice of bytes, which the floor needs.
    fn open_mapped(&self) -> Result<Bytes> {
        let refused = |message: &str| Err(AppError::path(ErrorCode::Unreadable, &self.archive, message));
        let mut inputs = pdn::internal::source::open(&self.archive, &open_options(None, true))?;
        match inputs.next() {
            Some(Err(error)) => Err(error.into()),
            Some(Ok(input)) => match input.source {
                InputBytes::Whole(bytes) if input.kind == Container::Plain => Ok(bytes),
                _ if fs::metadata(&self.archive)
                    .is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0) =>
                {
                    refused("is empty")
                }
                _ => refused(
                    "is compressed, UTF-16 or not a regular file; only text files on disk can be measured",
                ),
            },
            None => refused("is empty"),
        }
    }

    /// Runs every stage on every number of threads.
    fn measure(&self, runner: &StageRunner, context: &mut Context<'_>) -> Result<Vec<StageRuns>> {
        // Stages run in their own order, each once.
        let is_selected =
            |stage: &Stage| self.stages.is_empty() || *stage == Stage::Floor || self.stages.contains(stage);
        let stages: Vec<Stage> = Stage::ALL.iter().map(|(stage, ..)| *stage).filter(is_selected).collect();
        let mut runs: Vec<StageRuns> = thread_counts(self.threads.get())
            .flat_map(|threads| stages.iter().map(move |&stage| StageRuns::new(stage, threads)))
            .collect();
        context.events.begin(Some(runner.len() * runs.len() as u64 * u64::from(self.rounds)));
        // This run reads the file from disk into memory and is not measured.
        let _ = runner.run(Stage::Floor, 1, context)?;
        let mut done = 0;
        for _ in 0..self.rounds.max(1) {
            for run in &mut runs {
                done += runner.len();
                if self.time_limit.is_some_and(|limit| run.time() > limit) {
                    continue;
                }
                context.check()?;
                let start = Instant::now();
                let counts = runner.run(run.stage, run.threads, context)?;
                run.add(start.elapsed(), counts);
                context.events.progress(done, run.stage.name());
            }
        }
        Ok(runs)
    }

    /// Returns the answer for an archive of `bytes` bytes.
    fn answer(&self, bytes: u64, runs: &[StageRuns]) -> Benchmark {
        let (games, plies) = (total(runs, "games"), total(runs, "plies"));
        let speed = |run: &StageRuns| {
            let seconds = run.seconds();
            let rate = |number: u64| number as f64 / seconds;
            StageSpeed {
                stage: run.stage,
                threads: run.threads,
                rounds: run.rounds(),
                seconds,
                gb_per_second: rate(bytes) / 1e9,
                games_per_second: games.map(rate),
                plies_per_second: plies.map(rate),
                of_floor: of_floor(runs, run),
                scaling: scaling(runs, run),
            }
        };
        Benchmark {
            archive: path_text(&self.archive).into_owned(),
            bytes,
            games,
            tags: total(runs, "tags"),
            moves: total(runs, "moves"),
            plies,
            processors: pdn::default_threads().get(),
            instruction_set: simd::instruction_set(),
            rounds: self.rounds,
            stages: runs.iter().map(speed).collect(),
            disagreements: disagreements(runs),
        }
    }
}

/// Returns 1, 2, 4 and so on, and `max` at the end.
fn thread_counts(max: usize) -> impl Iterator<Item = usize> {
    let doubled = iter::successors(Some(1), |n| Some(2 * n)).take_while(move |&n| n < max);
    doubled.chain([max])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thread_counts_double_up_to_the_maximum() {
        for (max, expected) in
            [(1, &[1][..]), (2, &[1, 2]), (3, &[1, 2, 3]), (8, &[1, 2, 4, 8]), (12, &[1, 2, 4, 8, 12])]
        {
            assert_eq!(thread_counts(max).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn a_stopped_benchmark_has_no_answer() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, "1. 32-28 19-23 1-1\n").unwrap();
        let request = BenchRequest {
            archive: file.path().to_owned(),
            stages: vec![Stage::Walk],
            instruction_set: None,
            threads: NonZeroUsize::MIN,
            rounds: 1,
            time_limit: None,
        };
        let stop = pdn::stop::Stop::new();
        let answer = request.run(&mut Context::new(&stop, &mut ())).unwrap();
        let measured: Vec<_> = answer.stages.iter().map(|speed| (speed.stage, speed.rounds)).collect();
        assert_eq!(measured, [(Stage::Floor, 1), (Stage::Walk, 1)]);
        assert_eq!((answer.games, answer.moves, answer.plies), (Some(1), Some(2), None));
        stop.request();
        assert_eq!(request.run(&mut Context::new(&stop, &mut ())).unwrap_err().code, ErrorCode::Stopped);
    }
}
