//! `pdn fmt`: rewrites archives in canonical form, in place, as a filter, or only to see what would change.

use std::io::Write;
use std::ops::ControlFlow;

use pdn_app::fmt::{FmtAnswer, FmtEvent, FmtMode};
use pdn_app::numbers::{Count, count};

use crate::args::FmtArgs;
use crate::output::{CommandResult, Exit, Output, sanitize};

/// Runs `pdn fmt`.
pub(crate) fn run(args: &FmtArgs, out: &mut Output) -> CommandResult {
    let request = args.read();
    let mut messages = out.messages();
    let mut printed = Ok(());
    let mut print = |event: FmtEvent<'_>| {
        printed = match event {
            FmtEvent::Changes(path) => writeln!(out, "{}", sanitize::path(path)),
            FmtEvent::Text(text) => out.write_all(text),
        };
        if printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let answer = request.run(&mut print, &mut messages.context());
    printed?;
    let answer = answer?;
    if !out.is_quiet() {
        print_summary(&answer, request.mode, out);
    }
    Ok(match (answer.complete, answer.changed_files) {
        (false, _) => Exit::Failure,
        (true, changed) if changed > 0 && request.mode != FmtMode::Write => Exit::Negative,
        _ => Exit::Success,
    })
}

/// Prints the summary to standard error: standard output may be the text of a file.
fn print_summary(answer: &FmtAnswer, mode: FmtMode, out: &Output) {
    let done = if mode == FmtMode::Write { "rewritten" } else { "would change" };
    let kept: u64 = answer.kept.values().sum();
    let mut text = format!(
        "{}, {} {done}; {}, {} {done}",
        count(answer.files, "file"),
        Count(answer.changed_files),
        count(answer.games, "game"),
        Count(answer.changed_games),
    );
    if kept > 0 {
        text += &format!(", {} kept as they are:", Count(kept));
        let mut reasons: Vec<_> = answer.kept.iter().collect();
        reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(**count), **reason));
        for (reason, count) in reasons {
            text += &format!("\n{:>10}  {reason}", Count(*count).to_string());
        }
    }
    out.print_error(&text);
}
