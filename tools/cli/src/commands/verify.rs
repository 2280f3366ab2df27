//! `pdn verify`: verifies the checksums of an index and that its archives have not changed.

use std::io::{self, Write};

use pdn::index::{self, Index, IndexProblem, VerifyOptions};
use serde_json::{Value, json};

use crate::args::VerifyArgs;
use crate::output::exit::fail;
use crate::output::numbers::{count, plies, size};
use crate::output::{Exit, Output, sanitize};

/// Runs `pdn verify`.
pub(crate) fn run(args: &VerifyArgs, out: &mut Output) -> io::Result<Exit> {
    let options = if args.full { VerifyOptions::ALL } else { VerifyOptions::default() };
    let report = match index::verify(&args.dir, &options) {
        Ok(report) => report,
        Err(error) => return Ok(fail(&error)),
    };
    let bytes = Index::open(&args.dir).map_or(report.bytes, |index| index.disk_bytes());
    if args.format.is_json() {
        let list = |problems: &[IndexProblem]| -> Value { problems.iter().map(problem_json).collect() };
        let value = json!({
            "dir": args.dir.to_string_lossy(),
            "sound": report.is_sound(),
            "segments": report.segments,
            "games": report.games,
            "plies": report.plies,
            "index_bytes": bytes,
            "index": list(&report.problems),
            "archives": list(&report.archive_problems),
        });
        writeln!(out, "{}", sanitize::json(&value))?;
    } else {
        for problem in report.problems.iter().chain(&report.archive_problems) {
            let section =
                if problem.section.is_empty() { String::new() } else { format!(" ({})", problem.section) };
            let text = sanitize::text(&problem.problem);
            writeln!(out, "{}{section}: {text}", sanitize::path(&problem.path))?;
        }
        let state = match (report.problems.is_empty(), report.archive_problems.is_empty()) {
            (true, true) => "sound",
            (true, false) => "sound, but archives have changed",
            (false, _) => "damaged; index the archives again",
        };
        writeln!(
            out,
            "{}: {state}. {}, {}, {} replayed, {}.",
            sanitize::path(&args.dir),
            count(report.segments, "segment"),
            count(report.games, "game"),
            plies(report.plies),
            size(bytes),
        )?;
    }
    Ok(if report.is_sound() { Exit::Success } else { Exit::Negative })
}

/// Returns a problem as a JSON object.
fn problem_json(problem: &IndexProblem) -> Value {
    json!({
        "file": problem.path.to_string_lossy(),
        "section": problem.section,
        "problem": problem.problem,
    })
}
