//! `pdn convert`: writes games of any archives as one clean archive, or several.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use pdn_app::convert::ConvertAnswer;
use pdn_app::numbers::{Count, count};
use pdn_app::{AppError, ErrorCode};

use crate::args::ConvertArgs;
use crate::output::{CommandResult, Exit, Messages, Output, sanitize};

/// Runs `pdn convert`.
pub(crate) fn run(args: &ConvertArgs, out: &mut Output) -> CommandResult {
    let request = args.read()?;
    if args.json && request.output.is_none() {
        let error = AppError::plain(
            ErrorCode::InvalidValue,
            "the summary and the games cannot both go to standard output",
        )
        .in_field("json");
        return Err(error.cured_by("output", "names a file for the games").into());
    }
    if request.has_files() {
        out.discard_unread();
    }
    let mut messages = out.messages();
    let mut printed = Ok(());
    let mut print = |text: &[u8]| {
        printed = out.write_all(text);
        if printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let answer = request.run(&mut print, &mut messages.context());
    printed?;
    let answer = answer?;
    out.flush()?;
    if args.json {
        writeln!(out, "{}", sanitize::json(&answer))?;
    } else if !out.is_quiet() {
        print_summary(&answer, &messages);
    }
    Ok(match (answer.complete && answer.unreadable == 0, answer.is_whole()) {
        (false, _) => Exit::Failure,
        (true, false) => Exit::Negative,
        (true, true) => Exit::Success,
    })
}

/// Prints the summary to standard error: standard output may be the games.
fn print_summary(answer: &ConvertAnswer, messages: &Messages) {
    let mut text = format!(
        "{} read: {} written, {} rejected, {} left out",
        count(answer.read, "game"),
        Count(answer.written),
        Count(answer.rejected),
        Count(answer.left_out),
    );
    if answer.is_cut {
        text += "; reading stopped at the limit";
    }
    let mut reasons: Vec<_> = answer.rejected_by.iter().collect();
    reasons.sort_by_key(|(reason, games)| (std::cmp::Reverse(**games), **reason));
    for (reason, games) in reasons {
        text += &format!("\n{:>10}  {reason}", Count(*games).to_string());
    }
    messages.print_error(&text);
    let note = |games: u64, what: &str| {
        if games > 0 {
            messages.print_error(&format!("note: {} {what}", count(games, "game")));
        }
    };
    note(answer.copies, "written to a second file, that of the other player");
    note(answer.repaired, "repaired, with the same meaning");
    note(answer.repaired_unsafely, "repaired, with another meaning");
    note(answer.renamed, "with other names of players, events or sites");
    note(answer.inferred_game_types, "received a GameType tag with an inferred variant");
    note(answer.text_variations, "with a variation kept as text in comments, because it cannot be played");
    for (encoding, games) in &answer.encodings {
        note(*games, &format!("converted from {encoding}"));
    }
    note(
        answer.unseparated,
        "of those kept as they are cannot be told from the next or the previous game by a reader of the file",
    );
    if answer.rejects.is_none() && answer.rejected > 0 {
        messages.print_error(
            "note: rejected games are in no file; `--rejects FILE` takes them, and `--fix` repairs some",
        );
    }
    let place = |path: &Path, what: String| {
        messages.print_error(&format!("{}: {what}", sanitize::path(path)));
    };
    match &answer.files[..] {
        [file] if file.file == Path::new("-") => {}
        [file] => place(&file.file, count(file.games, "game")),
        files => {
            if let Some(dir) = files.first().and_then(|file| file.file.parent()) {
                place(dir, count(files.len() as u64, "file"));
            }
        }
    }
    for file in [&answer.rejects, &answer.others].into_iter().flatten() {
        place(&file.file, count(file.games, "game"));
    }
    if let Some(list) = answer.rejects_list.as_ref().filter(|_| answer.rejected > 0) {
        place(list, "where they were, and why they are rejected".to_owned());
    }
}
