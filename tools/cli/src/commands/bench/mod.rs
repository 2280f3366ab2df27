//! `pdn bench`: measures the speed of every stage on one machine and archive in one run.
//!
//! Only the public library is measured, so that any program can reach the same speed. The stage `floor` is the lower bound
//! for reading all bytes once. Every stage counts what it visits, and a measurement is valid only if all counts agree.

mod stage;
mod report;

use std::fs;
use std::io::Write;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use pdn::pool;
use pdn::source::{self, Bytes, Container, InputBytes};

use self::report::{StageRuns, disagreements, json, table};
use self::stage::StageRunner;
use crate::args::{BenchArgs, Stage};
use crate::output::{CommandResult, Exit, Output, sanitize};
use pdn_app::inputs::open_options;
use pdn_app::{AppError, ErrorCode, Events};

/// Runs `pdn bench`.
pub(crate) fn run(args: &BenchArgs, out: &mut Output) -> CommandResult {
    let bytes = open_mapped(args)?;
    let max_threads = args.threads.unwrap_or_else(pool::default_threads).get();
    let runner = StageRunner::new(&args.archive, bytes, open_options(None, true));
    let measured = measure(&runner, &thread_counts(max_threads), args, out);
    out.end();
    let runs = measured?;
    let problems = disagreements(&runs);
    if args.format.is_json() {
        writeln!(out, "{}", sanitize::json(&json(args, &runner, &runs, &problems)))?;
    } else {
        write!(out, "{}", table(args, &runner, &runs))?;
    }
    for problem in &problems {
        out.print_error(problem);
    }
    Ok(if problems.is_empty() { Exit::Success } else { Exit::Negative })
}

/// Opens the archive as one slice of bytes, which stage `floor` needs.
///
/// # Errors
///
/// If it cannot be read, is empty, or is not a text file on disk.
fn open_mapped(args: &BenchArgs) -> pdn_app::Result<Bytes> {
    let refused = |message: &str| Err(AppError::path(ErrorCode::Unreadable, &args.archive, message));
    let mut inputs = source::open(&args.archive, &open_options(None, true))?;
    match inputs.next() {
        Some(Err(error)) => Err(error.into()),
        Some(Ok(input)) => match input.source {
            InputBytes::Whole(bytes) if input.kind == Container::Plain => Ok(bytes),
            _ if fs::metadata(&args.archive)
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

/// Returns 1, 2, 4 and so on, and `max` at the end.
fn thread_counts(max: usize) -> Vec<usize> {
    let doubled = std::iter::successors(Some(1), |n| Some(2 * n)).take_while(|&n| n < max);
    doubled.chain([max]).collect()
}

/// Runs every stage on every number of threads, round by round, so that a disturbance of the machine affects all stages.
fn measure(
    runner: &StageRunner,
    threads: &[usize],
    args: &BenchArgs,
    out: &mut Output,
) -> pdn::Result<Vec<StageRuns>> {
    // Stages run in their own order, each once; `floor` always runs, because all others are compared with it.
    let is_selected =
        |stage: &Stage| args.stages.is_empty() || *stage == Stage::Floor || args.stages.contains(stage);
    let stages = Stage::value_variants().iter().filter(|stage| is_selected(stage));
    let mut runs: Vec<StageRuns> = threads
        .iter()
        .flat_map(|&threads| {
            stages.clone().map(move |&stage| StageRuns {
                stage,
                threads,
                counts: Vec::new(),
                times: Vec::new(),
            })
        })
        .collect();
    let time_limit = args.seconds.map(Duration::from_secs);
    out.begin(Some(runner.len() * runs.len() as u64 * u64::from(args.rounds)));
    // This run reads the file from disk into memory and is not measured.
    let _ = runner.run(Stage::Floor, 1)?;
    let mut done = 0;
    for _ in 0..args.rounds {
        for run in &mut runs {
            done += runner.len();
            if time_limit.is_some_and(|limit| run.times.iter().sum::<Duration>() > limit) {
                continue;
            }
            let start = Instant::now();
            let counts = runner.run(run.stage, run.threads)?;
            run.add(start.elapsed(), counts);
            out.progress(done, run.stage.name());
        }
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thread_counts_double_up_to_the_maximum() {
        for (max, expected) in
            [(1, &[1][..]), (2, &[1, 2]), (3, &[1, 2, 3]), (8, &[1, 2, 4, 8]), (12, &[1, 2, 4, 8, 12])]
        {
            assert_eq!(thread_counts(max), expected);
        }
    }
}
