//! `pdn check`: reports every diagnostic of every game, in one of four formats.

mod github;
mod human;
mod json;
mod sarif;

use std::io;
use std::path::Path;
use std::sync::Arc;

use pdn::archive::Batch;
use pdn::diag::{Code, Diagnostic};
use pdn::replay::{AnnotatedGame, Replayer};
use pdn::rules::Variant;
use pdn::source::{Encoding, LineCounter, Utf16Offsets, count_line_ends};
use pdn::span::LineColumn;
use pdn::split::Record;

use crate::args::{CheckArgs, CheckFormat};
use crate::findings::explanation::Explanation;
use crate::input::files::{self, BatchConsumer, BatchWork};
use crate::input::head::InputHead;
use crate::input::report::{ReportOptions, Reporter, annotate, apply_prior};
use crate::input::totals::Totals;
use crate::output::{Exit, Output};

/// Runs `pdn check`.
pub(crate) fn run(args: &CheckArgs, out: &mut Output) -> io::Result<Exit> {
    let format = args.format();
    let printer: Box<dyn DiagnosticPrinter> = match format {
        CheckFormat::Human => Box::new(human::Human::default()),
        CheckFormat::Json => Box::new(json::Json),
        CheckFormat::Sarif => Box::new(sarif::Sarif::default()),
        CheckFormat::Github => Box::new(github::Github),
    };
    let max_per_code = args.max_findings.unwrap_or(if format == CheckFormat::Human { 5 } else { 0 });
    let options = ReportOptions::new(&args.replay, args.strict);
    let work = CheckWork { options, keeps_diagnostics: !args.quiet };
    let mut consumer = CheckConsumer {
        printer,
        quiet: args.quiet,
        max_per_code: if max_per_code == 0 { u64::MAX } else { max_per_code },
        code_counts: vec![0; Code::ALL.len()],
        lines: LineCounter::new(),
        totals: Totals { replayed: options.replay, ..Totals::default() },
        replayer: options.replay.then(|| Replayer::new(options.replay_options())),
        head: None,
    };
    consumer.printer.begin(out)?;
    let complete = files::process(&args.input, &work, &mut consumer, out)?;
    consumer.printer.end(&consumer.totals, out)?;
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
}

/// The diagnostics of a batch.
struct BatchDiagnostics {
    totals: Totals,
    /// Diagnostics with the index of their game in the batch.
    diagnostics: Vec<(usize, Diagnostic)>,
    head: Arc<InputHead>,
}

impl BatchWork for CheckWork {
    type Scratch = Reporter;
    type Product = BatchDiagnostics;

    fn scratch(&self) -> Reporter {
        Reporter::new(self.options)
    }

    fn work(&self, reporter: &mut Reporter, batch: &Batch, head: &Arc<InputHead>) -> BatchDiagnostics {
        let (mut totals, mut diagnostics) = (Totals::default(), Vec::new());
        for (number, game) in batch.games().enumerate() {
            let report = reporter.report(&game.view().record(), head);
            totals.add(&report);
            if self.keeps_diagnostics {
                diagnostics.extend(report.diagnostics.iter().map(|diagnostic| (number, *diagnostic)));
            }
        }
        BatchDiagnostics { totals, diagnostics, head: Arc::clone(head) }
    }
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
    fn offset(&self) -> u64 {
        self.original(self.diagnostic.span.start)
    }

    /// Converts an offset in the record to an offset in the input.
    fn original(&self, at: u32) -> u64 {
        let offset = self.record.offset + u64::from(at);
        self.offsets.map_or(offset, |offsets| offsets.original_offset(offset))
    }

    /// Returns the length in bytes of the input.
    fn length(&self) -> u64 {
        self.original(self.diagnostic.span.end).saturating_sub(self.offset())
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
    /// Writes the summary.
    fn end(&mut self, totals: &Totals, out: &mut Output) -> io::Result<()>;
}

/// Prints diagnostics in the order of the archives.
struct CheckConsumer {
    printer: Box<dyn DiagnosticPrinter>,
    quiet: bool,
    /// Maximum number of diagnostics of one code printed for one file.
    max_per_code: u64,
    /// Number of diagnostics so far in this file, by code.
    code_counts: Vec<u64>,
    /// Line and column at the end of the last batch.
    lines: LineCounter,
    totals: Totals,
    /// Replays records a second time to explain their diagnostics.
    replayer: Option<Replayer>,
    /// The head whose prior `replayer` uses.
    head: Option<Arc<InputHead>>,
}

impl BatchConsumer<BatchDiagnostics> for CheckConsumer {
    fn begin_input(&mut self, _: &Path, _: &mut Output) -> io::Result<()> {
        self.code_counts.fill(0);
        self.lines = LineCounter::new();
        Ok(())
    }

    fn batch(&mut self, batch: &Batch, found: BatchDiagnostics, out: &mut Output) -> io::Result<()> {
        self.totals += found.totals;
        self.totals.bytes += batch.bytes().len() as u64;
        if self.quiet {
            return Ok(());
        }
        let bytes = batch.bytes();
        let mut passed = 0;
        // The game of the last diagnostic with its encoding, and with its second replay if an explanation took one: a
        // record with several diagnostics is decoded and replayed once.
        let mut last_encoding: Option<(usize, Encoding)> = None;
        let mut last_annotated: Option<(usize, AnnotatedGame<'_>)> = None;
        if let Some(replayer) = &mut self.replayer
            && !found.diagnostics.is_empty()
        {
            apply_prior(replayer, &mut self.head, &found.head);
        }
        for (number, diagnostic) in &found.diagnostics {
            let code_count = &mut self.code_counts[diagnostic.code as usize];
            *code_count += 1;
            if *code_count > self.max_per_code {
                continue;
            }
            let Some(record) = batch.get(*number).map(|game| game.view().record()) else { continue };
            let encoding = match last_encoding {
                Some((last, encoding)) if last == *number => encoding,
                _ => batch.decoder().guess(record.bytes).encoding,
            };
            last_encoding = Some((*number, encoding));
            // Diagnostics are in text order, so every byte is passed once.
            let start = (record.offset - batch.offset()) as usize + diagnostic.span.start as usize;
            self.lines.pass(&bytes[passed..start], encoding);
            passed = start;
            let explanation = Explanation::of(record.bytes, diagnostic, || {
                let replayer = self.replayer.as_mut()?;
                if last_annotated.as_ref().is_none_or(|(last, _)| last != number) {
                    last_annotated = Some((*number, annotate(replayer, record.bytes)));
                }
                last_annotated.as_ref().map(|(_, annotated)| annotated)
            });
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
            self.printer.diagnostic(&located, out)?;
        }
        let encoding = last_encoding.map_or(Encoding::UTF_8, |(_, encoding)| encoding);
        self.lines.pass(&bytes[passed..], encoding);
        Ok(())
    }

    fn end_input(&mut self, name: &Path, out: &mut Output) -> io::Result<()> {
        self.totals.files += 1;
        for (code, count) in Code::ALL.iter().zip(&self.code_counts) {
            if let Some(rest) = count.checked_sub(self.max_per_code)
                && rest > 0
            {
                self.printer.omitted(name, *code, rest, out)?;
            }
        }
        Ok(())
    }
}
