//! `pdn verify`: verifies the checksums of an index and that its archives have not changed.

use std::io::Write;

use pdn_app::numbers::{count, plies, size};
use pdn_app::verify::VerifyRequest;

use crate::args::VerifyArgs;
use crate::output::{CommandResult, Exit, Output, sanitize};

/// Runs `pdn verify`.
pub(crate) fn run(args: &VerifyArgs, out: &mut Output) -> CommandResult {
    let request =
        VerifyRequest { dir: args.dir.clone(), replay: args.replay, full: args.full, threads: args.threads };
    let verified = request.run(&mut out.context())?;
    let exit = if verified.sound { Exit::Success } else { Exit::Negative };
    if args.format.is_json() {
        writeln!(out, "{}", sanitize::json(&verified))?;
        return Ok(exit);
    }
    for problem in verified.index.iter().chain(&verified.archives) {
        let section =
            if problem.section.is_empty() { String::new() } else { format!(" ({})", problem.section) };
        writeln!(out, "{}{section}: {}", sanitize::text(&problem.file), sanitize::text(&problem.problem))?;
    }
    let state = match (verified.index.is_empty(), verified.archives.is_empty()) {
        (true, true) => "sound",
        (true, false) => "sound, but archives have changed or cannot be read",
        (false, _) => "damaged; index the archives again",
    };
    let replayed = verified.plies.map_or_else(String::new, |played| format!(", {} replayed", plies(played)));
    writeln!(
        out,
        "{}: {state}. {}, {}, {}{replayed}.",
        sanitize::path(&args.dir),
        count(verified.segments, "segment"),
        count(verified.games, "game"),
        size(verified.index_bytes),
    )?;
    Ok(exit)
}
