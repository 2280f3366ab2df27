//! `pdn fmt`: rewrites archives in canonical form, in place, as a filter, or only to see what would change.

use std::io::Write;
use std::ops::ControlFlow;

use clap::Args;
use pdn_app::ask::numbers::{Count, count};
use pdn_app::ask::position::FenStyleOption;
use pdn_app::write::fmt::{FmtAnswer, FmtEvent, FmtForm, FmtMode, FmtRequest};

use crate::args::options::OptionArgs;
use crate::args::shared::InputArgs;
use crate::output::{CommandResult, Exit, Output, sanitize};

pub(crate) const AFTER_HELP: &str = "\
Files are rewritten in place. `-` reads standard input and writes standard output. Only the form changes: the order and \
the names of tags, dates, FEN and results in the forms of PDN 3.0, move numbers, the notation of moves, and line breaks \
between moves. Comments are copied byte for byte. The result moves into the Result tag, and every game ends with `*`.

A game that cannot be rewritten without losing or changing something stays as it is, byte for byte: one with an illegal \
move, for example. The summary counts such games by reason. A game that is in canonical form already is not replayed, \
so its moves may be illegal; `pdn check` reports them. Files that are compressed or in UTF-16, lists of positions, \
JSON and HTML are refused.

A file is replaced as a whole when its new text is on disk; if the process is killed or the disk is full, the old text \
stays. Links, permissions and owners stay too, and extended attributes on Linux.

The exit code is 1 if `--check` or `--diff` finds a file to rewrite, and 2 if a file cannot be read or written.";

#[derive(Args, Debug)]
pub(crate) struct FmtArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    form: OptionArgs<FmtForm>,

    #[command(flatten)]
    fen: OptionArgs<FenStyleOption>,
}

/// Runs `pdn fmt`.
pub(crate) fn run(args: &FmtArgs, out: &mut Output) -> CommandResult {
    let request = FmtRequest { inputs: args.input.read(), form: *args.form, fen: *args.fen };
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
        print_summary(&answer, request.form.mode(), out);
    }
    Ok(match (answer.complete, answer.changed_files) {
        (false, _) => Exit::Failure,
        (true, changed) if changed > 0 && request.form.mode() != FmtMode::Write => Exit::Negative,
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
