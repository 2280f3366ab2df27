//! `pdn convert`: writes games of any archives as one clean archive, or several.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use clap::Args;
use pdn_app::ask::numbers::{Count, count};
use pdn_app::write::convert::{ConvertAnswer, ConvertOrder, ConvertOutputs, ConvertRequest};
use pdn_app::write::written_form::WrittenForm;
use pdn_app::{AppError, ErrorCode, Result};

use crate::args::filter::SelectionArgs;
use crate::args::options::OptionArgs;
use crate::args::shared::InputArgs;
use crate::output::{CommandResult, Exit, Messages, Output, sanitize};

pub(crate) const AFTER_HELP: &str = "\
Writes games of any archives as one clean archive: UTF-8, canonical PDN 3.0, one empty line between games, in the order of \
the input. Read again, it gives the same tags, moves, comments, variations, NAGs and results. PATH is a file, folder or `-`, \
or one folder of an index.

A game that cannot be written without losing or changing something is rejected: one with an illegal move, for example. \
`--rejects bad.pdn` takes such games as they are, and bad.jsonl next to it says where each was and why; without it they \
are only counted, by reason. Games that the filters leave out go to `--others FILE`. Every game that was read is written, rejected or left out, and the summary adds up.

A game without a GameType tag gets one if its variant is known, because it may stand among games of another variant now; the \
summary counts those that were inferred. `--keep-untagged` adds none.

Filters on positions, files and other tags, `then`, `for` and the like in --query, and `--add Novelty`, take an index: for other input one \
is made in a temporary folder. All filters see the games as they are read, before repairs.

--sort and --shuffle use temporary files beyond --memory. Names and events are compared without case, accents and \
punctuation. Unknown values come last, and games with equal keys keep their order.

Files are written under a temporary name and renamed when all games are written. An input is never overwritten.

Exit codes: 0 if no game is lost; 1 if games were rejected and --rejects is not given, or no game was written; 2 if an \
input cannot be read or a file cannot be written.

Examples: `pdn convert old/ -o clean.pdn --rejects bad.pdn`, `pdn convert games.pdn --player sijbrands --fix --sort date \
-o sijbrands.pdn`, `pdn convert all.pdn --split year,variant -o years`.";

#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) outputs: OptionArgs<ConvertOutputs>,

    #[command(flatten)]
    form: OptionArgs<WrittenForm>,

    #[command(flatten)]
    order: OptionArgs<ConvertOrder>,

    /// Print the summary as JSON on standard output
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
}

impl ConvertArgs {
    /// Returns what the options ask for.
    ///
    /// # Errors
    ///
    /// If an option cannot be read.
    fn read(&self) -> Result<ConvertRequest> {
        let mut outputs = self.outputs.clone();
        outputs.output = outputs.output.filter(|path| path != Path::new("-"));
        Ok(ConvertRequest {
            inputs: self.input.read(),
            filter: self.selection.read()?,
            outputs,
            form: self.form.clone(),
            order: self.order.clone(),
        })
    }
}

/// Runs `pdn convert`.
pub(crate) fn run(args: &ConvertArgs, out: &mut Output) -> CommandResult {
    let request = args.read()?;
    if args.json && request.outputs.output.is_none() {
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
    if answer.variations > 0 {
        messages
            .print_error(&format!("note: {} as games of their own", count(answer.variations, "variation")));
    }
    note(answer.repaired, "repaired, with the same meaning");
    note(answer.repaired_unsafely, "repaired, with another meaning");
    note(answer.renamed, "with other names of players, events or sites");
    note(answer.inferred_game_types, "received a GameType tag with an inferred variant");
    note(answer.text_variations, "with a variation kept as text in comments, because it cannot be played");
    note(answer.exchanged_scores, "whose score had the number of White first, and has that of Black first");
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
