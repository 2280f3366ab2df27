//! `pdn bench`: how fast each stage is on this machine and this archive, beside a floor, all in one run.
//!
//! It measures what the library offers to anybody, so a figure here is one that a program of one's own can have. Every
//! stage counts what it sees, and a figure counts only if all counts agree.

mod report;
mod stage;

use std::fs;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use pdn::pool;
use pdn::source::{self, Bytes, Container, InputBytes, OpenOptions};

use self::report::{Run, disagreements, json, table};
use self::stage::Bench;
pub(crate) use self::stage::Stage;
use crate::args::BenchArgs;
use crate::clean;
use crate::exit::{Exit, complain};
use crate::output::Output;

/// Runs `pdn bench`.
pub(crate) fn run(args: &BenchArgs, out: &mut Output) -> io::Result<Exit> {
    let bytes = match whole(args) {
        Ok(bytes) => bytes,
        Err(problem) => {
            complain(&clean::clean(&problem));
            return Ok(Exit::Failed);
        }
    };
    let most = args.threads.unwrap_or_else(pool::default_threads).get();
    let bench = Bench::new(&args.archive, bytes, OpenOptions::new());
    let runs = match measure(&bench, &threads(most), args, out) {
        Ok(runs) => runs,
        Err(error) => {
            out.progress_done();
            complain(&clean::clean(&error.to_string()));
            return Ok(Exit::Failed);
        }
    };
    let wrong = disagreements(&runs);
    if args.json {
        writeln!(out, "{}", clean::json(&json(args, &bench, &runs, &wrong)))?;
    } else {
        write!(out, "{}", table(args, &bench, &runs))?;
    }
    for problem in &wrong {
        out.complain(problem);
    }
    Ok(if wrong.is_empty() { Exit::Done } else { Exit::Findings })
}

/// The archive in one piece, which a fair floor needs; why not, if it cannot be had.
fn whole(args: &BenchArgs) -> Result<Bytes, String> {
    let path = clean::path(&args.archive);
    let options = OpenOptions::new();
    let mut inputs = source::open(&args.archive, &options).map_err(|error| error.to_string())?;
    match inputs.next() {
        Some(Err(error)) => Err(error.to_string()),
        Some(Ok(input)) => match input.source {
            InputBytes::Whole(bytes) if input.kind == Container::Plain => Ok(bytes),
            _ if fs::metadata(&args.archive).is_ok_and(|found| found.is_file() && found.len() == 0) => {
                Err(format!("{path}: is empty"))
            }
            _ => Err(format!(
                "{path}: is packed, UTF-16 or no regular file; what is measured has to be plain text on disk"
            )),
        },
        None => Err(format!("{path}: is empty")),
    }
}

/// One, twice as many each time, and all.
fn threads(most: usize) -> Vec<usize> {
    let doubled = std::iter::successors(Some(1), |n| Some(2 * n)).take_while(|&n| n < most);
    doubled.chain([most]).collect()
}

/// Every stage on every number of threads, round by round, so that what disturbs the machine disturbs all alike.
fn measure(bench: &Bench, threads: &[usize], args: &BenchArgs, out: &mut Output) -> pdn::Result<Vec<Run>> {
    // In their own order, each once; the floor is there whoever asks, for all are compared with it.
    let asked =
        |stage: &Stage| args.stages.is_empty() || *stage == Stage::Floor || args.stages.contains(stage);
    let stages = Stage::value_variants().iter().filter(|stage| asked(stage));
    let mut runs: Vec<Run> = threads
        .iter()
        .flat_map(|&threads| {
            stages.clone().map(move |&stage| Run { stage, threads, counts: Vec::new(), times: Vec::new() })
        })
        .collect();
    let enough = args.seconds.map(Duration::from_secs);
    out.progress(Some(bench.len() * runs.len() as u64 * u64::from(args.rounds)));
    // The first look at a file is the disk's business.
    let _ = bench.run(Stage::Floor, 1)?;
    let mut done = 0;
    for _ in 0..args.rounds {
        for run in &mut runs {
            done += bench.len();
            if enough.is_some_and(|enough| run.times.iter().sum::<Duration>() > enough) {
                continue;
            }
            let start = Instant::now();
            let counts = bench.run(run.stage, run.threads)?;
            run.add(start.elapsed(), counts);
            out.say(run.stage.name());
            out.at(done);
        }
    }
    out.progress_done();
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_double_up_to_all() {
        for (most, expected) in
            [(1, &[1][..]), (2, &[1, 2]), (3, &[1, 2, 3]), (8, &[1, 2, 4, 8]), (12, &[1, 2, 4, 8, 12])]
        {
            assert_eq!(threads(most), expected);
        }
    }
}
