//! `pdn check`: reports every diagnostic of every game, in one of four formats.

mod snippet;
mod github;
mod human;
mod sarif;

use std::io;
use std::io::Write;
use std::path::Path;

use clap::{Args, ValueEnum};
use pdn::diag::Code;
use pdn_app::ask::endings::EndingOptions;
use pdn_app::check::{
    CheckAnswer, CheckOptions, CheckRequest, CheckRules, CheckSink, FileGroup, Finding, FindingText,
    Selection,
};
use pdn_app::{AppError, ErrorCode, Result};
use serde_json::json;

use crate::args::options::OptionArgs;
use crate::args::shared::{InputArgs, ReplayArgs};
use crate::output::{CommandError, CommandResult, Exit, Output, sanitize};

pub(crate) const AFTER_HELP: &str = "\
Every game is replayed by the rules of its variant: that of its GameType or Variant tag, or that of --untagged, or the variant \
inferred from the file. A game is legal if every move of its main line is legal; illegal or ambiguous if a move is; \
damaged if text is lost where the replay stops; unsupported if it is not draughts. A record with a position and no moves is a \
problem; one with neither is empty. Plies are \
legal plies of main lines. Illegal moves in variations are warnings and do not change the status of the game. Variations \
of records longer than 256 KiB are not replayed.

With --no-replay only the text is checked: a game with moves is damaged if it has a diagnostic of severity `error`, plies are the \
written moves, and `legal`, `illegal` and `ambiguous` are 0.

--tables compares results with the proven values of last positions (R014), as `pdn endgame build` proves them.

--code and --min-severity choose the diagnostics that are printed and counted, and that make the exit code 1; statuses of \
games do not depend on them. `pdn check archive --by code` gives an overview of many files.

Lines and columns count from 1, columns in characters; offsets and lengths are in bytes.";

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) replay: ReplayArgs,

    #[command(flatten)]
    pub(crate) rules: OptionArgs<CheckRules>,

    #[command(flatten)]
    pub(crate) tables: OptionArgs<EndingOptions>,

    /// Print the number of diagnostics of each code or file instead of the diagnostics
    #[arg(long, value_name = "GROUP", conflicts_with = "summary")]
    pub(crate) by: Option<Group>,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: CheckFormat,

    /// Short for `--format json`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,

    /// Print the summary only
    #[arg(long)]
    pub(crate) summary: bool,
}

impl CheckArgs {
    /// Returns the request.
    ///
    /// # Errors
    ///
    /// If no code begins as `--code` says, or the format has no groups.
    pub(crate) fn read(&self) -> Result<CheckRequest> {
        let is_human = self.format() == CheckFormat::Human;
        let has_groups = is_human || self.format() == CheckFormat::Json;
        if self.by.is_some() && !has_groups {
            let error = AppError::plain(ErrorCode::Contradiction, "this format has no groups").in_field("by");
            return Err(error.help("the formats `human` and `json` have groups"));
        }
        if self.tables.tables.is_some() && self.replay.no_replay {
            let error =
                AppError::plain(ErrorCode::Contradiction, "judges last positions, which only a replay has");
            return Err(error.in_field("tables"));
        }
        let max_per_code = self.rules.max_per_code.unwrap_or(if is_human { 5 } else { 0 });
        let options = CheckOptions {
            selection: Selection::new(&self.rules)?.judged_by(self.tables.open()?),
            replay: !self.replay.no_replay,
            max_per_code: Some(max_per_code).filter(|number| *number > 0),
            findings: !self.summary && self.by.is_none(),
            repairs: is_human,
        };
        Ok(CheckRequest { inputs: self.input.read(), options })
    }

    /// Returns the format chosen by `--format` or `--json`.
    pub(crate) fn format(&self) -> CheckFormat {
        if self.json { CheckFormat::Json } else { self.format }
    }
}

/// What diagnostics are counted by.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Group {
    /// A line for each code
    Code,
    /// A line for each file that has diagnostics
    File,
}

/// Output format of `pdn check`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CheckFormat {
    /// Text with the line, the marked span and an explanation
    #[value(aliases = ["text", "table"])]
    Human,
    /// One JSON object per line; the last line is the summary
    #[value(alias = "jsonl")]
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
}

/// Runs `pdn check`.
pub(crate) fn run(args: &CheckArgs, out: &mut Output) -> CommandResult {
    let request = args.read()?;
    let mut printer: Box<dyn DiagnosticPrinter> = match args.format() {
        CheckFormat::Human => Box::new(human::Human::new(args.by, args.summary)),
        CheckFormat::Json => Box::new(Json),
        CheckFormat::Sarif => Box::new(sarif::Sarif::default()),
        CheckFormat::Github => Box::new(github::Github),
    };
    printer.begin(out)?;
    let mut messages = out.messages();
    let mut printed = Printed { printer: &mut *printer, by: args.by, out };
    let answer = request.run(&mut printed, &mut messages.context())?;
    if args.by == Some(Group::Code) {
        printer.codes(&answer, out)?;
    }
    printer.end(&answer, out)?;
    Ok(match (answer.is_complete, answer.summary.totals.diagnostics()) {
        (false, _) => Exit::Failure,
        (true, 0) => Exit::Success,
        (true, _) => Exit::Negative,
    })
}

/// Prints diagnostics in one format.
trait DiagnosticPrinter {
    /// Writes what precedes all diagnostics.
    fn begin(&mut self, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
    /// Writes one diagnostic.
    fn finding(&mut self, finding: &Finding, text: &FindingText<'_>, out: &mut Output) -> io::Result<()>;
    /// Writes that so many diagnostics of a code in a file were not printed.
    fn omitted(&mut self, _file: &Path, _code: Code, _number: u64, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
    /// Writes the numbers of diagnostics of a file.
    fn file(&mut self, _: &FileGroup, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
    /// Writes the number of diagnostics of each code.
    fn codes(&mut self, _: &CheckAnswer, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
    /// Writes the summary.
    fn end(&mut self, answer: &CheckAnswer, out: &mut Output) -> io::Result<()>;
}

/// Prints what a check finds.
struct Printed<'a> {
    printer: &'a mut dyn DiagnosticPrinter,
    by: Option<Group>,
    out: &'a mut Output,
}

impl CheckSink for Printed<'_> {
    type Error = CommandError;

    fn finding(&mut self, finding: Finding, text: &FindingText<'_>) -> CommandResult<()> {
        Ok(self.printer.finding(&finding, text, self.out)?)
    }

    fn omitted(&mut self, file: &Path, code: Code, number: u64) -> CommandResult<()> {
        Ok(self.printer.omitted(file, code, number, self.out)?)
    }

    fn file(&mut self, group: FileGroup) -> CommandResult<()> {
        if self.by == Some(Group::File) {
            self.printer.file(&group, self.out)?;
        }
        Ok(())
    }
}

/// The printer of `--format json`.
pub(super) struct Json;

impl DiagnosticPrinter for Json {
    fn finding(&mut self, finding: &Finding, _: &FindingText<'_>, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{}", sanitize::json(finding))
    }

    fn file(&mut self, group: &FileGroup, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{}", sanitize::json(group))
    }

    fn codes(&mut self, answer: &CheckAnswer, out: &mut Output) -> io::Result<()> {
        answer.codes.iter().try_for_each(|group| writeln!(out, "{}", sanitize::json(group)))
    }

    fn end(&mut self, answer: &CheckAnswer, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{}", sanitize::json(&json!({ "summary": answer.summary })))
    }
}
