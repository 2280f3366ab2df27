//! `pdn check`: reports every diagnostic of every game, in one of four formats.

mod selection;
mod counts;
mod github;
mod human;
mod json;
mod sarif;

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use pdn::archive::Batch;
use pdn::diag::{Code, Diagnostic};
use pdn::fix::{Fixer, Repair};
use pdn::replay::{AnnotatedGame, Replayer};
use pdn::rules::Variant;
use pdn::source::{Encoding, LineCounter, Utf16Offsets, count_line_ends};
use pdn::span::LineColumn;
use pdn::split::Record;

use self::counts::{AllCounts, CodeCounts};
use self::selection::Selection;
use crate::args::{CheckArgs, CheckFormat, Group};
use crate::findings::explanation::Explanation;
use crate::input::totals::Totals;
use crate::output::exit::print_error;
use crate::output::{CommandError, CommandResult, Exit, Output};
use pdn_app::Context;
use pdn_app::inputs::{self, BatchConsumer, BatchWork};
use pdn_app::report::{ReportOptions, Reporter, annotate};

/// Runs `pdn check`.
pub(crate) fn run(args: &CheckArgs, out: &mut Output) -> CommandResult {
    let format = args.format();
    if args.by.is_some() && matches!(format, CheckFormat::Sarif | CheckFormat::Github) {
        print_error("--by: this format has no groups; use `--format human` or `--format json`");
        return Ok(Exit::Failure);
    }
    let Some(selection) = Selection::new(args) else { return Ok(Exit::Failure) };
    let printer: Box<dyn DiagnosticPrinter> = match format {
        CheckFormat::Human => Box::new(human::Human::new(args.by, args.quiet)),
        CheckFormat::Json => Box::new(json::Json),
        CheckFormat::Sarif => Box::new(sarif::Sarif::default()),
        CheckFormat::Github => Box::new(github::Github),
    };
    let max_per_code = args.max_findings.unwrap_or(if format == CheckFormat::Human { 5 } else { 0 });
    let options = args.replay.read(selection.style);
    let prints_diagnostics = !args.quiet && args.by.is_none();
    let work = CheckWork { options, keeps_diagnostics: prints_diagnostics, selection };
    let mut messages = out.messages();
    let mut consumer = CheckConsumer {
        out,
        printer,
        prints_diagnostics,
        by: args.by,
        max_per_code: if max_per_code == 0 { u64::MAX } else { max_per_code },
        code_counts: vec![0; Code::ALL.len()],
        file_counts: FileCounts::default(),
        all_counts: AllCounts::default(),
        lines: LineCounter::new(),
        totals: Totals { replayed: options.replay, ..Totals::default() },
        replayer: options.replay.then(|| Replayer::new(options.replay_options())),
        fixer: (options.replay && format == CheckFormat::Human).then(|| Fixer::new(options.replay_options())),
    };
    consumer.printer.begin(consumer.out)?;
    let complete = inputs::process(&args.input.read(), None, &work, &mut consumer, &mut messages.context())?;
    if args.by == Some(Group::Code) {
        consumer.printer.codes(&consumer.all_counts, consumer.out)?;
    }
    consumer.printer.end(&consumer.totals, &consumer.all_counts, consumer.out)?;
    Ok(match (complete, consumer.totals.diagnostics()) {
        (false, _) => Exit::Failure,
        (true, 0) => Exit::Success,
        (true, _) => Exit::Negative,
    })
}

/// Checks the records of a batch, on many threads.
struct CheckWork {
    options: ReportOptions,
    /// `true` if diagnostics are kept; otherwise they are only counted.
    keeps_diagnostics: bool,
    selection: Selection,
}

/// The diagnostics of a batch.
struct BatchDiagnostics {
    totals: Totals,
    counts: CodeCounts,
    /// For each code that occurs, the index of the first game with it.
    first: Vec<(Code, usize)>,
    /// Diagnostics with the index of their game in the batch.
    diagnostics: Vec<(usize, Diagnostic)>,
}

impl BatchWork for CheckWork {
    type Scratch = Reporter;
    type Product = BatchDiagnostics;

    fn scratch(&self) -> Reporter {
        Reporter::new(self.options)
    }

    fn work(&self, reporter: &mut Reporter, batch: &Batch) -> BatchDiagnostics {
        let (mut totals, mut counts) = (Totals::default(), CodeCounts::default());
        let (mut diagnostics, mut first) = (Vec::new(), Vec::new());
        for (number, game) in batch.games().enumerate() {
            let report = reporter.report(game);
            let before = totals;
            totals.add(&report);
            if self.selection.is_partial {
                // Only what is selected counts.
                (totals.errors, totals.warnings, totals.styles) =
                    (before.errors, before.warnings, before.styles);
            }
            for diagnostic in report.diagnostics() {
                if !self.selection.contains(diagnostic) {
                    continue;
                }
                if self.selection.is_partial {
                    totals.add_diagnostic(diagnostic.severity);
                }
                if counts.of(diagnostic.code) == 0 {
                    first.push((diagnostic.code, number));
                }
                counts.add(diagnostic.code, diagnostic.severity);
                if self.keeps_diagnostics {
                    diagnostics.push((number, *diagnostic));
                }
            }
        }
        BatchDiagnostics { totals, counts, first, diagnostics }
    }
}

/// The numbers of diagnostics of the current file.
#[derive(Default)]
struct FileCounts {
    games: u64,
    codes: CodeCounts,
    /// For each code that occurs, the number of the first record with it.
    first: Vec<(Code, u64)>,
}

/// A diagnostic with everything that a format may print about it.
struct LocatedDiagnostic<'a> {
    /// Name of the input: a path, `-`, or `archive.zip/entry.pdn`.
    file: &'a Path,
    /// Maps offsets in the text to offsets in the file, if the text was transcoded from UTF-16.
    offsets: Option<&'a Utf16Offsets>,
    /// Number of the game in its file, from 1.
    number: u64,
    record: &'a Record<'a>,
    /// Encoding of the record.
    encoding: Encoding,
    diagnostic: &'a Diagnostic,
    /// Line and column of the first byte of the span.
    start: LineColumn,
    /// Line and column after the last byte of the span.
    end: LineColumn,
    /// The replayed variant, if the explanation took a replay.
    variant: Option<Variant>,
    explanation: Explanation,
}

impl LocatedDiagnostic<'_> {
    /// Returns the offset of the first byte in the input.
    fn at(&self) -> u64 {
        self.original(self.diagnostic.span.start)
    }

    /// Converts an offset in the record to an offset in the input.
    fn original(&self, at: u32) -> u64 {
        let offset = self.record.offset + u64::from(at);
        self.offsets.map_or(offset, |offsets| offsets.original_offset(offset))
    }

    /// Returns the length of the span in bytes of the input.
    fn span(&self) -> u64 {
        self.original(self.diagnostic.span.end).saturating_sub(self.at())
    }

    /// Returns the length of the record in bytes of the input.
    fn record_length(&self) -> u64 {
        let end = u32::try_from(self.record.bytes.len()).unwrap_or(u32::MAX);
        self.original(end).saturating_sub(self.original(0))
    }

    /// Returns the line of the last byte that is not whitespace.
    fn last_line(&self) -> u64 {
        let bytes = self.diagnostic.span.of(self.record.bytes).trim_ascii_end();
        self.start.line + count_line_ends(bytes)
    }

    /// Returns the title of the code and the explanation, on one line.
    fn message(&self) -> String {
        let title = self.diagnostic.code.title();
        match self.explanation.one_line() {
            Some(detail) => format!("{title}: {detail}"),
            None => title.to_owned(),
        }
    }
}

/// Prints diagnostics in one format.
trait DiagnosticPrinter {
    /// Writes what precedes all diagnostics.
    fn begin(&mut self, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
    /// Writes one diagnostic.
    fn diagnostic(&mut self, located: &LocatedDiagnostic<'_>, out: &mut Output) -> io::Result<()>;
    /// Writes that `_count` diagnostics of a code in a file were not printed.
    fn omitted(&mut self, _file: &Path, _code: Code, _count: u64, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
    /// Writes the numbers of diagnostics of a file with this many games.
    fn file(&mut self, _name: &Path, _games: u64, _counts: &CodeCounts, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
    /// Writes the number of diagnostics of each code.
    fn codes(&mut self, _: &AllCounts, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
    /// Writes the summary.
    fn end(&mut self, totals: &Totals, counts: &AllCounts, out: &mut Output) -> io::Result<()>;
}

/// Prints diagnostics in the order of the archives.
struct CheckConsumer<'a> {
    out: &'a mut Output,
    printer: Box<dyn DiagnosticPrinter>,
    /// `true` if single diagnostics are printed.
    prints_diagnostics: bool,
    by: Option<Group>,
    /// Maximum number of diagnostics of one code printed for one file.
    max_per_code: u64,
    /// Number of diagnostics so far in this file, by code.
    code_counts: Vec<u64>,
    /// Numbers of diagnostics in this file, and in all files before it.
    file_counts: FileCounts,
    all_counts: AllCounts,
    /// Line and column at the end of the last batch.
    lines: LineCounter,
    totals: Totals,
    /// Replays records a second time to explain their diagnostics.
    replayer: Option<Replayer>,
    /// Finds what `pdn fix` would do about the diagnostics that are printed as text.
    fixer: Option<Fixer>,
}

impl BatchConsumer<BatchDiagnostics> for CheckConsumer<'_> {
    type Error = CommandError;

    fn begin_input(&mut self, _: &Path, _: &mut Context<'_>) -> CommandResult<()> {
        self.code_counts.fill(0);
        self.file_counts.games = 0;
        self.file_counts.codes.clear();
        self.file_counts.first.clear();
        self.lines = LineCounter::new();
        Ok(())
    }

    fn batch(
        &mut self,
        batch: &Batch,
        found: BatchDiagnostics,
        _: &mut Context<'_>,
    ) -> CommandResult<ControlFlow<()>> {
        self.totals += found.totals;
        self.totals.bytes += batch.bytes().len() as u64;
        let file = &mut self.file_counts;
        file.games += batch.len() as u64;
        for (code, number) in &found.first {
            if file.codes.of(*code) == 0 {
                file.first.push((*code, batch.first() + *number as u64 + 1));
            }
        }
        file.codes.merge(&found.counts);
        if !self.prints_diagnostics {
            return Ok(ControlFlow::Continue(()));
        }
        let bytes = batch.bytes();
        let mut passed = 0;
        // The game of the last diagnostic with its encoding, and with its second replay if an explanation took one: a
        // record with several diagnostics is decoded and replayed once.
        let mut last_encoding: Option<(usize, Encoding)> = None;
        let mut last_annotated: Option<(usize, AnnotatedGame<'_>)> = None;
        let mut last_repairs: Option<(usize, Vec<Repair>)> = None;
        for (number, diagnostic) in &found.diagnostics {
            let code_count = &mut self.code_counts[diagnostic.code as usize];
            *code_count += 1;
            if *code_count > self.max_per_code {
                continue;
            }
            let Some(game) = batch.get(*number) else { continue };
            let record = game.view().record();
            let encoding = match last_encoding {
                Some((last, encoding)) if last == *number => encoding,
                _ => batch.decoder().guess(record.bytes).encoding,
            };
            last_encoding = Some((*number, encoding));
            // Diagnostics are in text order, so every byte is passed once.
            let start = (record.offset - batch.offset()) as usize + diagnostic.span.start as usize;
            self.lines.pass(&bytes[passed..start], encoding);
            passed = start;
            let mut explanation = Explanation::of(record.bytes, diagnostic, || {
                let replayer = self.replayer.as_mut()?;
                if last_annotated.as_ref().is_none_or(|(last, _)| last != number) {
                    last_annotated = Some((*number, annotate(replayer, game)));
                }
                last_annotated.as_ref().map(|(_, annotated)| annotated)
            });
            if let Some(fixer) = &mut self.fixer {
                let repairs = match last_repairs.take() {
                    Some((last, repairs)) if last == *number => repairs,
                    _ => fixer.find(game),
                };
                let decode = |part: &[u8]| encoding.decode(part).into_owned();
                explanation.add_repair(record.bytes, diagnostic, &repairs, decode);
                last_repairs = Some((*number, repairs));
            }
            let annotated = last_annotated.as_ref().filter(|(last, _)| last == number);
            let located = LocatedDiagnostic {
                file: batch.name(),
                offsets: batch.offsets(),
                number: batch.first() + *number as u64 + 1,
                record: &record,
                encoding,
                diagnostic,
                start: self.lines.position(),
                end: self.lines.position_after(diagnostic.span.of(record.bytes), encoding),
                variant: annotated.map(|(_, annotated)| annotated.summary.variant),
                explanation,
            };
            self.printer.diagnostic(&located, self.out)?;
        }
        let encoding = last_encoding.map_or(Encoding::UTF_8, |(_, encoding)| encoding);
        self.lines.pass(&bytes[passed..], encoding);
        Ok(ControlFlow::Continue(()))
    }

    fn end_input(&mut self, name: &Path, _: &mut Context<'_>) -> CommandResult<()> {
        self.totals.files += 1;
        let FileCounts { games, codes, first } = &self.file_counts;
        let first_of = |code| first.iter().find(|(other, _)| *other == code).map(|(_, record)| *record);
        self.all_counts.add_file(name, codes, first_of);
        if self.by == Some(Group::File) && !codes.sorted().is_empty() {
            self.printer.file(name, *games, codes, self.out)?;
        }
        for (code, count) in Code::ALL.iter().zip(&self.code_counts) {
            if let Some(rest) = count.checked_sub(self.max_per_code)
                && rest > 0
            {
                self.printer.omitted(name, *code, rest, self.out)?;
            }
        }
        Ok(())
    }
}
