//! How fast an archive is read on this machine, stage by stage.
//!
//! Only the public library is measured, so that any program can reach the same speed. The stage `floor` is the lower bound
//! for reading all bytes once. Every stage counts what it visits, and a measurement is valid only if all counts agree.

mod stage;
mod runs;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use std::{fs, iter};

use clap::Args;
use clap::builder::PossibleValuesParser;
use pdn::default_threads;
use pdn::internal::simd::{self, INSTRUCTION_SETS};
use pdn::internal::source::{Container, InputBytes, path_text};
use pdn::source::Bytes;
use pdn_app::ask::context::Context;
use pdn_app::ask::error::{AppError, ErrorCode, Result};
use pdn_app::ask::named::Named;
use pdn_app::ask::numbers::{count, parse_threads, plies, rounded, size};
use pdn_app::read::inputs::ReadOptions;
use serde::Serialize;

use self::runs::{StageRuns, disagreements, index_of_file, of_floor, one_thread_share, scaling, total};
use self::stage::{Stage, StageRunner};
use crate::args::shared::{FormatArgs, choice, number};
use crate::output::table::Column;
use crate::output::{CommandResult, Exit, Output, sanitize, table};

pub(crate) const AFTER_HELP: &str = "\
Stages: `floor` counts line feeds with memchr; `source` opens the archive again and touches every page; `split` finds the \
records; `tags` reads the tags of every game; `walk` reads every token; `tree` builds a syntax tree of every game; `replay` \
plays every move by the rules; `file` does so too, but opens and maps the file first; `write` rewrites every game in canonical form, in memory; \
`index` opens, maps and replays the file, and writes an index to a temporary folder, which is removed afterwards. From `tags` on, \
the time includes splitting. The file is mapped into memory before the other stages run. So `index` beside `file` is what an index costs \
more than a replay. Speeds are those of the whole archive in the median round, in bytes, games and legal plies of main lines. \
Games, tags, moves and plies must be equal in all stages that count them, on any number of threads; otherwise the exit \
code is 1.

The archive should be as large as memory allows, a gigabyte or more, and the machine otherwise idle. A file that was just written lies in \
small pages of memory, which take longer to map than those of a file that was read from the disk.";

#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    /// Text file, neither compressed nor UTF-16
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,

    /// Largest number of threads; 1, 2, 4 and so on up to this number are measured [default: number of processors]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Stages to measure, separated by commas [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = choice::<Stage>())]
    pub(crate) stages: Vec<Stage>,

    /// Number of rounds; the median is reported
    #[arg(long, value_name = "N", default_value = "3", value_parser = number::<u32>(1..=99))]
    pub(crate) rounds: u32,

    /// Instruction set to use, to measure what other processors have; the floor always uses the best one
    /// [default: the best one of this processor]
    #[arg(long, value_name = "SET", value_parser = PossibleValuesParser::new(INSTRUCTION_SETS))]
    pub(crate) simd: Option<String>,

    /// Time limit in seconds for the rounds of one stage on one number of threads; no further round starts after it
    #[arg(long, value_name = "S", value_parser = number::<u64>(0..=u64::MAX))]
    pub(crate) seconds: Option<u64>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

impl BenchArgs {
    /// Returns the request of the options.
    fn read(&self) -> BenchRequest {
        BenchRequest {
            archive: self.archive.clone(),
            stages: self.stages.clone(),
            threads: self.threads.unwrap_or_else(default_threads),
            rounds: self.rounds,
            instruction_set: self.simd.clone(),
            time_limit: self.seconds.map(Duration::from_secs),
        }
    }
}

/// Runs `pdn bench`.
pub(crate) fn run(args: &BenchArgs, out: &mut Output) -> CommandResult {
    let answer = args.read().run(&mut out.context())?;
    if args.format.is_json() {
        writeln!(out, "{}", sanitize::json(&answer))?;
    } else {
        write!(out, "{}", text(args, &answer))?;
    }
    for problem in &answer.disagreements {
        out.print_error(problem);
    }
    Ok(if answer.disagreements.is_empty() { Exit::Success } else { Exit::Negative })
}

/// Formats the measurements as a table after a sentence about the archive.
fn text(args: &BenchArgs, answer: &Benchmark) -> String {
    let titles = ["stage", "threads", "GB/s", "games/s", "plies/s", "ns/ply", "of floor", "x 1 thread"];
    let columns = titles.map(|title| Column::new(title, title != "stage")).into();
    let rows = answer.stages.iter().map(|speed| row(speed, answer.plies)).collect();
    let lines: String = table::lines(columns, rows).iter().map(|line| format!(" {line}\n")).collect();
    let totals = [answer.games.map(|games| count(games, "game")), answer.plies.map(plies)];
    let totals: String = totals.into_iter().flatten().map(|total| format!(", {total}")).collect();
    format!(
        "{}: {}{totals}; {} processors, {}, median of up to {}.\n\n{lines}{}",
        sanitize::path(&args.archive),
        size(answer.bytes),
        answer.processors,
        answer.instruction_set,
        count(u64::from(answer.rounds), "round"),
        of_index(answer),
    )
}

/// Returns the sentences that compare the index with a replay of the same file.
fn of_index(answer: &Benchmark) -> String {
    let percent = |share: f64| 100.0 * share;
    let of_file = answer.index_of_file.map(|share| {
        format!(
            "\nAn index is made at {:.0} % of the speed of a replay that opens its file.\n",
            percent(share)
        )
    });
    let one_thread = answer.one_thread_share.filter(|share| *share > 0.0).map(|share| {
        let threads = (1.0 / share).floor();
        format!(
            "One thread writes what all have replayed, {:.1} % of the work, so that it is at most {threads} times as fast on many.\n",
            percent(share)
        )
    });
    [of_file, one_thread].into_iter().flatten().collect()
}

/// Returns the cells of a measurement. `plies` is the number of plies of the archive.
fn row(speed: &StageSpeed, plies: Option<u64>) -> Vec<String> {
    let mut row =
        vec![speed.stage.name().to_owned(), speed.threads.to_string(), format!("{:.3}", speed.gb_per_second)];
    // These stages do not visit games.
    let has_no_games = matches!(speed.stage, Stage::Floor | Stage::Source);
    let ns_per_ply = |plies: u64| format!("{:.1}", speed.seconds * 1e9 / plies as f64);
    let cells = [
        speed.games_per_second.map(rounded),
        speed.plies_per_second.map(rounded),
        plies.filter(|&plies| plies > 0).map(ns_per_ply),
    ];
    row.extend(cells.map(|cell| cell.filter(|_| !has_no_games).unwrap_or_default()));
    row.push(format!("{:.1} %", 100.0 * speed.of_floor));
    row.push(format!("{:.2}", speed.scaling));
    row
}

/// Asks how fast each stage reads an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
struct BenchRequest {
    /// The archive: a text file on disk, neither compressed nor UTF-16. It is mapped into memory.
    archive: PathBuf,
    /// The stages; none for all. The floor is always measured, because all others are compared with it.
    stages: Vec<Stage>,
    /// The largest number of threads. One thread is measured, two, four and so on up to this number.
    threads: NonZeroUsize,
    /// Number of rounds, at least 1. Each runs every stage on every number of threads.
    rounds: u32,
    /// The name of the instruction set to use, one of [`INSTRUCTION_SETS`]; `None` for the best one of this processor.
    instruction_set: Option<String>,
    /// The time after which a stage starts no further round on a number of threads; `None` for no limit.
    time_limit: Option<Duration>,
}

/// How fast each stage reads an archive.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Benchmark {
    /// The path of the archive.
    archive: String,
    /// Length of the archive in bytes.
    bytes: u64,
    /// Number of games; this and the next three are null if no stage that was measured counts them.
    games: Option<u64>,
    /// Number of tags in tag sections.
    tags: Option<u64>,
    /// Number of written moves of main lines.
    moves: Option<u64>,
    /// Number of legal plies of main lines.
    plies: Option<u64>,
    /// Number of processors of this machine.
    processors: usize,
    /// The name of the instruction set that was used, such as `avx2`. The floor always uses the best one.
    instruction_set: &'static str,
    /// Number of rounds that were asked for.
    rounds: u32,
    /// The measurements, by number of threads and in the order of the stages.
    stages: Vec<StageSpeed>,
    /// The speed of `index` as a share of that of `file`, on one thread; null if one of them was not measured.
    index_of_file: Option<f64>,
    /// The time of `index` in which one thread writes what all have replayed, as a share of the time on one thread; null if it was not
    /// measured. No number of threads makes it faster than that.
    one_thread_share: Option<f64>,
    /// A sentence for each count that differs between two measurements, which makes all of them invalid.
    disagreements: Vec<String>,
}

/// The speed of a stage on a number of threads: that of the whole archive in the median round.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct StageSpeed {
    /// The name of the stage.
    #[cfg_attr(test, schemars(with = "String"))]
    stage: Stage,
    /// Number of threads.
    threads: usize,
    /// Number of rounds that were measured.
    rounds: usize,
    /// The time of the median round, in seconds.
    seconds: f64,
    /// Billions (10^9) of bytes a second.
    gb_per_second: f64,
    /// Games a second, if they were counted.
    games_per_second: Option<f64>,
    /// Legal plies of main lines a second, if they were counted.
    plies_per_second: Option<f64>,
    /// The speed as a share of that of the floor on as many threads.
    of_floor: f64,
    /// The speed as a multiple of that on one thread.
    scaling: f64,
}

impl BenchRequest {
    /// Measures the stages, round by round, so that a disturbance of the machine affects all of them.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read, is empty, or is not a text file on disk, if an index of it cannot be written to a temporary folder,
    /// or the work was stopped.
    fn run(&self, context: &mut Context<'_>) -> Result<Benchmark> {
        if let Some(name) = self.instruction_set.as_deref().filter(|name| !simd::use_instruction_set(name)) {
            let message = format!("this processor does not have the instruction set {name}");
            return Err(AppError::plain(ErrorCode::InvalidValue, message).in_field("simd"));
        }
        let bytes = self.open_mapped()?;
        let runner = StageRunner::new(&self.archive, bytes, ReadOptions::default().open(true));
        let measured = self.measure(&runner, context);
        context.events.end();
        Ok(self.answer(runner.len(), &measured?))
    }

    /// Opens the archive as one slice of bytes, which the floor needs.
    fn open_mapped(&self) -> Result<Bytes> {
        let refused = |message: &str| Err(AppError::path(ErrorCode::Unreadable, &self.archive, message));
        let mut inputs = pdn::internal::source::open(&self.archive, &ReadOptions::default().open(true))?;
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
            index_of_file: index_of_file(runs),
            one_thread_share: one_thread_share(runs),
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
