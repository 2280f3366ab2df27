//! `pdn dataset`: writes positions with the results of their games.

use std::path::Path;

use pdn_app::numbers::count;
use pdn_app::{AppError, ErrorCode};
use pdn_tables::DatasetSummary;

use crate::args::DatasetArgs;
use crate::output::{CommandResult, Exit, Output, sanitize};

/// Runs `pdn dataset`.
pub(crate) fn run(args: &DatasetArgs, out: &mut Output) -> CommandResult {
    if args.output == Path::new("-") {
        let message = "`--output` takes a folder; the files of a training set cannot go to standard output";
        return Err(AppError::plain(ErrorCode::InvalidValue, message).into());
    }
    let answer = args.read()?.run(&mut out.context())?;
    if !out.is_quiet() {
        report(args, &answer.summary, out);
    }
    Ok(match (answer.is_complete, answer.summary.written) {
        (false, _) => Exit::Failure,
        (true, [0, 0]) => Exit::Negative,
        (true, _) => Exit::Success,
    })
}

/// Reports what was written and which games were left out.
fn report(args: &DatasetArgs, summary: &DatasetSummary, out: &Output) {
    let [train, valid] = summary.written;
    let variant = summary.variant.map_or(String::new(), |variant| format!(" of {}", variant.name()));
    let mut message = format!(
        "{}: {} for training, {} for validation, from {}{variant}",
        sanitize::path(&args.output),
        count(train, "position"),
        count(valid, "position"),
        count(summary.used_games(), "game"),
    );
    let counts = &summary.counts;
    for (number, what, why) in [
        (counts.games_of_other_variants, "game", "of other variants"),
        (counts.games_between_parts, "game", "between players of both parts"),
        (counts.positions_with_many_pieces, "position", "with more pieces than a record holds"),
        (counts.positions_without_evaluation, "position", "without an evaluation"),
        (counts.positions_beyond_evaluation, "position", "with an evaluation beyond what a record holds"),
    ] {
        if number > 0 {
            message += &format!("; {} {why} left out", count(number, what));
        }
    }
    out.print_error(&message);
}
