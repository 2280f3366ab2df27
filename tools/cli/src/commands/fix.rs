//! `pdn fix`: repairs damaged games where a replay proves the repair.

use std::cmp::Reverse;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;
use pdn::archive::GameRef;
use pdn::diag::Code;
use pdn::edit::{TextEdit, undo_file_until};
use pdn::fix::Applicability;
use pdn_app::ask::numbers::{Count, count};
use pdn_app::write::fix::{FixAnswer, FixEvent, FixFiles, FixRequest, FixRules, FoundRepair};
use pdn_app::{AppError, ErrorCode, Result};
use serde_json::json;

use crate::args::options::OptionArgs;
use crate::args::shared::{FormatArgs, InputArgs};
use crate::output::{CommandResult, Exit, Output, interrupt, sanitize};

pub(crate) const AFTER_HELP: &str = "\
Safe repairs keep the moves and the meaning of every tag; a replay before and after proves it. Unsafe repairs change \
the meaning of a damaged game: each is the only single mistake of a writer with which the rest of the game replays, for \
ten plies or to its end. Where several repairs fit, all are shown and none is written. Bytes outside of repairs stay as \
they are.

Without --write nothing is changed: the repairs are printed as a unified diff, which `patch` reads. With --write each \
file is replaced as a whole, and FILE.undo lists the changes; `pdn fix --undo FILE.undo` takes them back. Files of any \
size take little memory. With `-`, \
--write prints the repaired text.

The summary counts the repairs by code. Most of those of an old archive only change how it is written; --select damage leaves \
these out.

--names changes players, events and sites to the names that a file lists (see `pdn names`), in the encoding of each game. No \
replay can prove that, but you have read the file. To change nothing but names, add --select names.

Exit codes: 0 if there is nothing to repair or everything chosen is written; 1 if repairs are printed only; 2 if a \
file cannot be read or replaced.";

#[derive(Args, Debug)]
pub(crate) struct FixArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    pub(crate) files: OptionArgs<FixFiles>,

    #[command(flatten)]
    rules: OptionArgs<FixRules>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,

    /// Take back the changes that a journal lists; takes no archives
    #[arg(long, value_name = "JOURNAL", exclusive = true)]
    pub(crate) undo: Option<PathBuf>,
}

impl FixArgs {
    /// Returns what the options ask for.
    ///
    /// # Errors
    ///
    /// If the file of names cannot be read.
    pub(crate) fn read(&self) -> Result<FixRequest> {
        let diff = !self.files.write && !self.format.is_json();
        let request = FixRequest::with(self.input.read(), &self.files, self.rules.clone())?;
        Ok(FixRequest { diff, ..request })
    }
}

/// Maximum number of candidates that a line of text names.
const MAX_CANDIDATES: usize = 5;

/// Runs `pdn fix`.
pub(crate) fn run(args: &FixArgs, out: &mut Output) -> CommandResult {
    if let Some(journal) = &args.undo {
        let undone = undo_file_until(journal, &interrupt::handle());
        let undone = undone.map_err(AppError::from).map_err(|error| match error.code {
            ErrorCode::Stopped => error.saying("stopped; nothing is undone"),
            _ => error,
        })?;
        let (path, changes) = (sanitize::path(&undone.path), count(undone.changes, "change"));
        out.print_error(&format!("{path}: {changes} taken back"));
        return Ok(Exit::Success);
    }
    let request = args.read()?;
    let is_json = args.format.is_json();
    if args.files.write && is_json && request.inputs.paths.iter().any(|path| path == Path::new("-")) {
        let message = "the repairs and the repaired text cannot both go to standard output";
        return Err(AppError::plain(ErrorCode::InvalidValue, message).in_field("json").into());
    }
    if args.files.write {
        out.discard_unread();
    }
    let mut messages = out.messages();
    let notes = out.messages();
    let mut printed = Ok(());
    let mut print = |event: FixEvent<'_>| {
        printed = match event {
            FixEvent::Repair(repair) if is_json => writeln!(out, "{}", sanitize::json(repair)),
            FixEvent::Name(name) if is_json => writeln!(out, "{}", sanitize::json(name)),
            FixEvent::Repair(repair) if !repair.is_applied && repair.is_selected && !notes.is_quiet() => {
                notes.print_error(&text(repair));
                Ok(())
            }
            FixEvent::Diff(text) | FixEvent::Text(text) => out.write_all(text),
            FixEvent::Repair(_) | FixEvent::Name(_) => Ok(()),
        };
        if printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let answer = request.run(&mut print, &mut messages.context());
    printed?;
    let answer = answer?;
    if is_json {
        writeln!(out, "{}", sanitize::json(&json!({ "summary": answer })))?;
    } else if !out.is_quiet() {
        out.print_error(&summary(&answer, args));
    }
    Ok(match (answer.complete, answer.changes() > 0 && !args.files.write) {
        (false, _) => Exit::Failure,
        (true, true) => Exit::Negative,
        (true, false) => Exit::Success,
    })
}

/// Returns one line about a repair that is not applied.
fn text(found: &FoundRepair<'_>) -> String {
    let FoundRepair { start, repair, .. } = found;
    let place = format!("{}:{start}: {}", sanitize::path(found.file), repair.code);
    let change = |edits: &[TextEdit]| {
        let changes: Vec<String> = edits.iter().take(2).map(|edit| change_text(found.game, edit)).collect();
        let more = if edits.len() > 2 { format!(" and {} more", edits.len() - 2) } else { String::new() };
        changes.join(", ") + &more
    };
    match repair.applicability {
        Applicability::Display => {
            let candidates = repair.candidates.iter().take(MAX_CANDIDATES);
            let changes: Vec<String> = candidates.map(|candidate| change(&candidate.edits)).collect();
            let number = repair.candidates.len().max(1);
            let more = if number > MAX_CANDIDATES { " or others" } else { "" };
            format!("{place}: {number} repairs fit: {}{more}", changes.join(" or "))
        }
        Applicability::Unsafe => {
            format!("{place}: unsafe: {}; {}", change(&repair.edits), repair.proof)
        }
        _ => format!("{place}: not made: {}", change(&repair.edits)),
    }
}

/// Returns what an edit does: `32-27 -> 32-28`.
fn change_text(game: &GameRef<'_>, edit: &TextEdit) -> String {
    let old = game.decode(&game.raw()[edit.range.clone()]);
    let new = game.decode(&edit.new);
    let (old, new) = (sanitize::text(old.trim()).into_owned(), sanitize::text(new.trim()).into_owned());
    match (old.is_empty(), new.is_empty()) {
        (true, _) => format!("insert `{new}`"),
        (_, true) => format!("remove `{old}`"),
        _ => format!("`{old}` -> `{new}`"),
    }
}

/// Returns the summary for people.
fn summary(answer: &FixAnswer, args: &FixArgs) -> String {
    let verb = if args.files.write { "made" } else { "possible" };
    let mut text = format!(
        "{} in {}: {} {verb}, in {}",
        count(answer.games, "game"),
        count(answer.files, "file"),
        count(answer.applied, "repair"),
        count(answer.repaired, "game"),
    );
    if args.files.names.is_some() {
        text += &format!("; {}", count(answer.names, "name"));
    }
    let found = answer.safe + answer.unsafe_repairs;
    if answer.unsafe_repairs > 0 && !args.rules.unsafe_repairs {
        let more = found.saturating_sub(answer.applied).min(answer.unsafe_repairs);
        text += &format!("; {} more with --unsafe", Count(more));
    }
    if answer.display > 0 {
        text += &format!("; {} where several repairs fit", count(answer.display, "place"));
    }
    let mut rows: Vec<(u64, &str, &str)> = Vec::new();
    for (code, counts) in &answer.by_code {
        let by_applicability =
            [(counts.safe, "safe"), (counts.unsafe_repairs, "unsafe"), (counts.display, "several fit")];
        rows.extend(by_applicability.into_iter().filter(|(n, _)| *n > 0).map(|(n, name)| (n, *code, name)));
    }
    rows.sort_by_key(|(n, code, name)| (Reverse(*n), *code, *name));
    for (n, code, name) in rows {
        let title = Code::from_id(code).map_or("", Code::title);
        text += &format!("\n{:>10}  {code} {name}: {title}", Count(n).to_string());
    }
    text
}
