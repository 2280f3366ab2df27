//! `pdn check`: every finding of every game, in one of four formats.

mod github;
mod human;
mod json;
mod sarif;

use std::io;

use pdn::check::{Checker, Options, detail};
use pdn::diag::{Code, Diagnostic};
use pdn::source::Encoding;
use pdn::split::GameSlice;

use crate::args::{CheckArgs, Format};
use crate::exit::Exit;
use crate::input::{self, File, Reader};
use crate::output::Output;
use crate::place::{Lines, Place};
use crate::totals::Totals;

/// Runs the subcommand.
pub(crate) fn run(args: &CheckArgs, out: &mut Output) -> io::Result<Exit> {
    let format = args.format();
    let printer: Box<dyn Printer> = match format {
        Format::Human => Box::new(human::Human::default()),
        Format::Json => Box::new(json::Json),
        Format::Sarif => Box::new(sarif::Sarif::default()),
        Format::Github => Box::new(github::Github),
    };
    let most = args.max_findings.unwrap_or(if format == Format::Human { 5 } else { 0 });
    let mut check = Check {
        checker: Checker::new(Options::new().style(args.strict)),
        printer,
        quiet: args.quiet,
        most: if most == 0 { u64::MAX } else { most },
        of_code: vec![0; Code::ALL.len()],
        lines: Lines::new(),
        number: 0,
        totals: Totals::default(),
    };
    check.printer.begin(out)?;
    let complete = input::read(&args.input, &mut check, out)?;
    check.printer.end(&check.totals, out)?;
    Ok(match (complete, check.totals.findings()) {
        (false, _) => Exit::Failed,
        (true, 0) => Exit::Done,
        (true, _) => Exit::Findings,
    })
}

/// A finding with everything that a format may want to say of it.
struct Finding<'a> {
    file: &'a File,
    /// Number of the game in its file, from 1.
    number: u64,
    game: &'a GameSlice<'a>,
    /// Encoding of the game's text.
    encoding: Encoding,
    diagnostic: &'a Diagnostic,
    start: Place,
    end: Place,
    /// What is to be said beyond the title of the code.
    detail: Option<String>,
}

impl Finding<'_> {
    /// Offset of the first byte in the file.
    fn offset(&self) -> u64 {
        self.file.offset(self.game.offset + u64::from(self.diagnostic.span.start))
    }

    /// Length in bytes of the file.
    fn length(&self) -> u64 {
        self.file.offset(self.game.offset + u64::from(self.diagnostic.span.end)) - self.offset()
    }

    /// One line that says what was found.
    fn message(&self) -> String {
        let title = self.diagnostic.code.title();
        match &self.detail {
            Some(detail) => format!("{title}: {detail}"),
            None => title.to_owned(),
        }
    }
}

/// A way to print findings.
trait Printer {
    fn begin(&mut self, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
    fn finding(&mut self, finding: &Finding<'_>, out: &mut Output) -> io::Result<()>;
    /// So many findings of a code in a file were not printed.
    fn omitted(&mut self, _file: &File, _code: Code, _number: u64, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
    fn end(&mut self, totals: &Totals, out: &mut Output) -> io::Result<()>;
}

struct Check {
    checker: Checker,
    printer: Box<dyn Printer>,
    quiet: bool,
    /// Most findings of one code printed for one file.
    most: u64,
    /// Findings so far in this file, by code.
    of_code: Vec<u64>,
    lines: Lines,
    /// Games so far in this file.
    number: u64,
    totals: Totals,
}

impl Reader for Check {
    fn open(&mut self, _: &File, _: &mut Output) -> io::Result<()> {
        self.of_code.fill(0);
        self.lines = Lines::new();
        self.number = 0;
        Ok(())
    }

    fn game(&mut self, file: &File, game: &GameSlice<'_>, out: &mut Output) -> io::Result<()> {
        let report = self.checker.check(game);
        self.totals.add(&report);
        self.number += 1;
        let mut encoding = None;
        for diagnostic in report.findings {
            let so_far = &mut self.of_code[diagnostic.code as usize];
            *so_far += 1;
            if self.quiet || *so_far > self.most {
                continue;
            }
            let encoding = *encoding.get_or_insert_with(|| file.decoder.guess(game.bytes).encoding);
            let place = |at: u32| self.lines.place(game.bytes, at as usize, encoding);
            let finding = Finding {
                file,
                number: self.number,
                game,
                encoding,
                diagnostic,
                start: place(diagnostic.span.start),
                end: place(diagnostic.span.end),
                detail: detail(game.bytes, diagnostic),
            };
            self.printer.finding(&finding, out)?;
        }
        self.lines.pass(game.bytes);
        Ok(())
    }

    fn close(&mut self, file: &File, bytes: u64, out: &mut Output) -> io::Result<()> {
        self.totals.files += 1;
        self.totals.bytes += bytes;
        if self.quiet {
            return Ok(());
        }
        for (code, number) in Code::ALL.iter().zip(&self.of_code) {
            if let Some(rest) = number.checked_sub(self.most)
                && rest > 0
            {
                self.printer.omitted(file, *code, rest, out)?;
            }
        }
        Ok(())
    }
}
