//! `pdn verify`: verifies the checksums of an index and that its archives have not changed.

use std::io::{self, Write};
use std::ops::ControlFlow;

use pdn::error::ErrorKind;
use pdn::index::{self, Index, IndexProblem, VerifyOptions};
use serde_json::{Value, json};

use crate::args::VerifyArgs;
use crate::output::exit::{fail, print_error};
use crate::output::{CommandResult, Exit, Output, sanitize};
use pdn_app::numbers::{count, plies, size};

/// Runs `pdn verify`.
pub(crate) fn run(args: &VerifyArgs, out: &mut Output) -> CommandResult {
    let mut options = VerifyOptions::new().replay(args.replay || args.full).texts(args.full);
    options.threads = args.threads;
    let mut has_progress = false;
    let verified = index::verify_with(&args.dir, &options, |done, total| {
        if !has_progress {
            out.start_progress(Some(total));
            has_progress = true;
        }
        out.set_progress(done);
        ControlFlow::Continue(())
    });
    out.end_progress();
    let report = match verified {
        Ok(report) => report,
        Err(error) => {
            let exit = fail(&error);
            if let ErrorKind::Io(cause) = error.kind() {
                print_error(&format!("the index was not verified; it may be sound. {}", remedy(cause)));
            }
            return Ok(exit);
        }
    };
    let bytes = Index::open(&args.dir).map_or(report.bytes, |index| index.disk_bytes());
    if args.format.is_json() {
        let list = |problems: &[IndexProblem]| -> Value { problems.iter().map(problem_json).collect() };
        let value = json!({
            "dir": args.dir.to_string_lossy(),
            "sound": report.is_sound(),
            "segments": report.segments,
            "games": report.games,
            "plies": options.replay.then_some(report.plies),
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
            (true, false) => "sound, but archives have changed or cannot be read",
            (false, _) => "damaged; index the archives again",
        };
        let replayed = match options.replay {
            true => format!(", {} replayed", plies(report.plies)),
            false => String::new(),
        };
        writeln!(
            out,
            "{}: {state}. {}, {}, {}{replayed}.",
            sanitize::path(&args.dir),
            count(report.segments, "segment"),
            count(report.games, "game"),
            size(bytes),
        )?;
    }
    Ok(if report.is_sound() { Exit::Success } else { Exit::Negative })
}

/// Returns what a user can do about an error of the operating system.
fn remedy(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::OutOfMemory => "Free memory or raise its limit (`ulimit -v`), then verify again.",
        io::ErrorKind::PermissionDenied => "Verify it as a user who may read all its files.",
        _ => "Make this file readable, then verify again.",
    }
}

/// Returns a problem as a JSON object.
fn problem_json(problem: &IndexProblem) -> Value {
    json!({
        "file": problem.path.to_string_lossy(),
        "section": problem.section,
        "problem": problem.problem,
    })
}
