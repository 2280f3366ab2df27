//! `pdn check`: reports every diagnostic of every game, in one of four formats.

mod snippet;
mod github;
mod human;
mod json;
mod sarif;

use std::io;
use std::path::Path;

use pdn::diag::Code;
use pdn_app::check::{CheckAnswer, CheckSink, FileGroup, Finding, FindingText};

use crate::args::{CheckArgs, CheckFormat, Group};
use crate::output::{CommandError, CommandResult, Exit, Output};

/// Runs `pdn check`.
pub(crate) fn run(args: &CheckArgs, out: &mut Output) -> CommandResult {
    let request = args.read()?;
    let mut printer: Box<dyn DiagnosticPrinter> = match args.format() {
        CheckFormat::Human => Box::new(human::Human::new(args.by, args.summary)),
        CheckFormat::Json => Box::new(json::Json),
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
