//! `pdn sheet`: draws the diagrams of all records on pages to print.

use std::io::Write;

use pdn_app::numbers::count;

use crate::args::SheetArgs;
use crate::output::{CommandResult, Exit, Output, sanitize};

/// Runs `pdn sheet`.
pub(crate) fn run(args: &SheetArgs, out: &mut Output) -> CommandResult {
    let request = args.read();
    let answer = request.run(&mut out.context())?;
    if args.format.is_json() {
        writeln!(out, "{}", sanitize::json(&answer))?;
    } else {
        let (diagrams, pages) = (count(answer.diagrams, "diagram"), count(answer.pages, "page"));
        let place = match &answer.files[..] {
            [] => String::new(),
            [file] => format!(": {}", sanitize::path(file)),
            [first, .., last] => format!(": {} to {}", sanitize::path(first), sanitize::path(last)),
        };
        let records = count(answer.records, "record");
        writeln!(out, "{diagrams} of {records} on {pages}{place}")?;
    }
    Ok(match (answer.is_complete, answer.files.is_empty()) {
        (false, _) => Exit::Failure,
        (true, true) => Exit::Negative,
        (true, false) => Exit::Success,
    })
}
