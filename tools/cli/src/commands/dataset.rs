//! `pdn dataset`: writes positions with the results of their games.

use std::path::{Path, PathBuf};

use clap::Args;
use pdn::rules::Variant;
use pdn_app::ask::numbers::count;
use pdn_app::ask::values::parse_variant;
use pdn_app::write::dataset::{DatasetRequest, DatasetRules};
use pdn_app::{AppError, ErrorCode, Result};
use pdn_tables::DatasetSummary;

use crate::args::filter::{GameArgs, PositionArgs, read_filter};
use crate::args::options::OptionArgs;
use crate::args::shared::InputArgs;
use crate::output::{CommandResult, Exit, Output, sanitize};

pub(crate) const AFTER_HELP: &str = "\
Uses games of one variant that are legal to their end and have a result. Of these, positions are left out that come too \
early, in which the side to move has a capture (unless --with-captures), or that have too few pieces. Games are divided between \
training and validation by their moves, so that a game that occurs twice is not in both; with --split-by player by their \
players. Filters choose games, not positions.

The folder gets files such as train-00000-of-00001.txt and manifest.json, which counts what was left out and why. The same \
input and options give the same bytes. Positions are in random order if equal ones are joined, otherwise in the order of \
the games.

text: a line for each position with FEN;result;evaluation;count;ply. The result is White's score from 0 to 1, the count \
that of equal positions. bin and npy: records of 48 bytes, on 12x12 of 80. With --tables, these three have the value of each position \
that tables of endings prove, for the side to move, and the plies to the end. jnnw, jnnt and those of bullet are layouts of \
trainers. They hold a win, a draw or a loss, so that equal positions are not averaged, and a score for every position: \
with --eval tag, positions without an evaluation are left out, otherwise all scores are 0. bullet-chess and \
bullet-ataxx see every position from the side to move. The page `tables` of the guide has all layouts.

Evaluations are those of `eval` commands in comments, taken as White's advantage in men; --flip changes their sign.

PATH is a file, folder or `-`, or one folder of an index. An index needs no archive unless --eval is given.";

#[derive(Args, Debug)]
pub(crate) struct DatasetArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Folder to write to; it must be empty or not exist
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: PathBuf,

    /// Variant of the games: a name, a GameType number or a GameType value [default: that of the first game used]
    #[arg(long, short = 'g', value_name = "VARIANT", value_parser = parse_variant)]
    pub(crate) variant: Option<Variant>,

    #[command(flatten)]
    rules: OptionArgs<DatasetRules>,

    #[command(flatten)]
    pub(crate) filter: GameArgs,

    #[command(flatten)]
    pub(crate) position: PositionArgs,
}

impl DatasetArgs {
    /// Returns the request.
    ///
    /// # Errors
    ///
    /// If a filter cannot be read.
    pub(crate) fn read(&self) -> Result<DatasetRequest> {
        Ok(DatasetRequest {
            inputs: self.input.read(),
            filter: read_filter(Some(&self.filter), None, Some(&self.position))?,
            options: self.rules.options(self.variant),
            output: self.output.clone(),
        })
    }
}

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
    if counts.positions_proven > 0 {
        message += &format!("; {} with a proven value", count(counts.positions_proven, "position"));
    }
    out.print_error(&message);
}
