//! Everything that is wrong in archives: each diagnostic of each game, with its place and an explanation.
//!
//! The modules are what a check reports on and counts, and what else is proved of games: whether a problem has one solution.

pub mod safe_text;
pub mod explain;
pub mod counts_by_name;
pub mod reporter;
pub mod totals;
#[cfg(feature = "index")]
pub mod lengths;
#[cfg(feature = "index")]
pub mod caption;
#[cfg(feature = "index")]
pub mod solve;
#[cfg(feature = "index")]
mod judge;
mod counts;
mod explanation;
mod text;

pub use counts::{CodeGroup, FileGroup};
pub use explanation::{Explanation, UnplayableMove};
pub use text::{
    CheckFindings, CheckedText, Excerpt, FindingArguments, OfferedRepair, TextChange, TextFinding, check_text,
};

use std::ops::ControlFlow;
use std::path::Path;
#[cfg(feature = "index")]
use std::sync::Arc;

use self::counts::{AllCounts, CodeCounts};
use crate::ask::context::Context;
#[cfg(feature = "index")]
use crate::ask::endings::EndingTables;
use crate::ask::error::{AppError, ErrorCode};
use crate::ask::named::Named;
use crate::ask::options::options;
use crate::check::counts_by_name::CountsByName;
use crate::check::explain::{code_id, severity_name};
use crate::check::reporter::{ReportOptions, Reporter, annotate};
use crate::check::totals::Totals;
use crate::read::inputs::{self, BatchConsumer, BatchWork, Inputs, ReadOptions};
use pdn::archive::{Batch, GameRef};
use pdn::diag::{Code, Diagnostic, Severity};
use pdn::fix::{Fixer, Repair};
use pdn::internal::source::{LineCounter, TextOffsets, count_line_ends, path_text};
use pdn::replay::{AnnotatedGame, ReplaySummary, Replayer};
use pdn::rules::Variant;
use pdn::source::Encoding;
use pdn::span::LineColumn;
use pdn::split::Record;
use serde::Serialize;

/// Asks what is wrong in archives.
#[derive(Clone, Debug)]
pub struct CheckRequest {
    /// The archives.
    pub inputs: Inputs,
    /// What is checked, and which diagnostics are looked for.
    pub options: CheckOptions,
}

options! {
    /// Which diagnostics are reported and counted.
    #[derive(Eq)]
    pub struct CheckRules in "" {
        /// Also report style: text that is understood but deviates from PDN 3.0
        strict: bool;
        /// Report only these codes: a code such as T005 or its beginning such as T or R0, separated by commas
        code: Vec<String>, value "CODES";
        /// Report only diagnostics that are at least as severe [default: warning, or style with {strict}]
        severity: Option<Severity>, value "SEVERITY", flag "min_severity";
        /// Print at most this many diagnostics per code and file, 0 for no limit; the summary counts all [default: 5 if they are printed
        /// for people, else 0]
        max_per_code: Option<u64>, value "N", flag "max_findings";
    }
}

/// What is checked, and which diagnostics are looked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckOptions {
    /// The diagnostics that are reported and counted.
    pub selection: Selection,
    /// Whether moves are replayed.
    pub replay: bool,
    /// The greatest number of diagnostics of one code in one file that are reported; `None` for all. The numbers count all.
    pub max_per_code: Option<u64>,
    /// Whether single diagnostics are reported; otherwise they are only counted.
    pub findings: bool,
    /// Whether explanations say what a repair would do.
    pub repairs: bool,
}

/// A diagnostic with its place and its explanation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// Name of the input: a path, `-`, or `archive.zip/entry.pdn`. Left out if there is only one text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Number of the record in its file, from 1.
    pub record: u64,
    /// Offset of the record in bytes.
    pub offset: u64,
    /// Length of the record in bytes.
    pub length: u64,
    /// Line of the first byte, from 1.
    pub line: u64,
    /// Column of the first byte in characters, from 1.
    pub column: u64,
    /// Offset of the first byte.
    pub at: u64,
    /// Number of bytes.
    pub span: u64,
    /// The code, such as `R001`.
    #[serde(serialize_with = "code_id")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub code: Code,
    /// The severity: `error`, `warning` or `style`.
    #[serde(serialize_with = "severity_name")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub severity: Severity,
    /// The title of the code and the explanation, on one line.
    pub message: String,
    /// The move that cannot be played, if the diagnostic is about one.
    #[serde(flatten)]
    pub unplayable: Option<FoundMove>,
}

/// A move that cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FoundMove {
    /// Number of plies before the move that cannot be played. Diagnostics without such a move lack this key
    /// and the next five.
    pub ply: u32,
    /// The written move.
    #[serde(rename = "move")]
    pub text: String,
    /// The name of the replayed variant.
    pub variant: Option<&'static str>,
    /// The position before it, as a FEN.
    pub fen: String,
    /// The legal moves.
    pub legal: Vec<String>,
    /// The legal moves that may be meant.
    pub meant: Vec<String>,
}

/// What a diagnostic is about, for a program that shows the text.
#[derive(Debug)]
pub struct FindingText<'a> {
    /// The record.
    pub record: &'a [u8],
    /// Its encoding.
    pub encoding: Encoding,
    /// The diagnostic.
    pub diagnostic: &'a Diagnostic,
    /// Line and column after the last byte.
    pub end: LineColumn,
    /// Line of the last byte that is not whitespace.
    pub last_line: u64,
    /// The explanation.
    pub explanation: Explanation,
}

/// The numbers of a whole check.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckSummary {
    /// Games and diagnostics.
    #[serde(flatten)]
    pub totals: Totals,
    /// Games by variant, most frequent first; `unknown` if nothing shows it, and another game under its name.
    pub variants: CountsByName,
    /// Games whose variant is inferred, by variant.
    pub inferred: CountsByName,
    /// Diagnostics by code, most frequent first.
    pub codes: CountsByName,
    /// Diagnostics that are not listed, because their records have more than a thousand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_listed: Option<u64>,
}

/// What is known after a check.
#[derive(Clone, Debug)]
pub struct CheckAnswer {
    /// The numbers.
    pub summary: CheckSummary,
    /// The codes that occur, most frequent first.
    pub codes: Vec<CodeGroup>,
    /// Whether all inputs could be read completely, and the tables of endings are of a variant of the games.
    pub is_complete: bool,
}

/// Receives what a check finds, in the order of the archives.
pub trait CheckSink {
    /// Why it takes no more.
    type Error: From<AppError>;

    /// Receives a diagnostic.
    ///
    /// # Errors
    ///
    /// If the check shall end.
    fn finding(&mut self, finding: Finding, text: &FindingText<'_>) -> Result<(), Self::Error>;

    /// Learns that so many diagnostics of a code in a file were not reported.
    ///
    /// # Errors
    ///
    /// If the check shall end.
    fn omitted(&mut self, file: &Path, code: Code, number: u64) -> Result<(), Self::Error> {
        let _ = (file, code, number);
        Ok(())
    }

    /// Receives the numbers of a file that has diagnostics.
    ///
    /// # Errors
    ///
    /// If the check shall end.
    fn file(&mut self, group: FileGroup) -> Result<(), Self::Error> {
        let _ = group;
        Ok(())
    }
}

impl CheckRequest {
    /// Checks the archives and passes what is found to `sink`. Inputs that cannot be read are problems of the context, and so are tables of
    /// endings that judge no game because all games are of other variants.
    ///
    /// # Errors
    ///
    /// The first error of `sink`, or that the work was stopped.
    pub fn run<S: CheckSink>(
        &self,
        sink: &mut S,
        context: &mut Context<'_>,
    ) -> Result<CheckAnswer, S::Error> {
        let work = CheckWork(&self.options, self.inputs.read);
        let mut consumer = CheckConsumer::new(&work, sink);
        let is_complete = inputs::process(&self.inputs, None, &work, &mut consumer, context)?;
        let mut answer = consumer.finish(is_complete);
        if let Err(problem) = self.options.selection.check_tables(&answer.summary.totals) {
            context.events.problem(&problem);
            answer.is_complete = false;
        }
        Ok(answer)
    }
}

/// Checks the records of a batch, on many threads.
struct CheckWork<'a>(&'a CheckOptions, ReadOptions);

impl CheckWork<'_> {
    /// Returns the options of the reports on single records.
    fn report(&self) -> ReportOptions {
        let Self(options, read) = self;
        ReportOptions { style: options.selection.style, replay: options.replay, variant: read.variant }
    }
}

/// The diagnostics of a batch.
struct BatchDiagnostics {
    totals: Totals,
    counts: CodeCounts,
    /// For each code that occurs, the index of the first game with it.
    first: Vec<(Code, usize)>,
    /// Diagnostics with the index of their game in the batch.
    diagnostics: Vec<(usize, Diagnostic)>,
    /// Why a table of endings could not be read.
    failure: Option<AppError>,
}

impl BatchWork for CheckWork<'_> {
    type Scratch = Reporter;
    type Product = BatchDiagnostics;

    fn scratch(&self) -> Reporter {
        Reporter::new(self.report())
    }

    fn work(&self, reporter: &mut Reporter, batch: &Batch) -> BatchDiagnostics {
        let selection = &self.0.selection;
        let (mut totals, mut counts) = (Totals::default(), CodeCounts::default());
        let (mut diagnostics, mut first, mut failure) = (Vec::new(), Vec::new(), None);
        for (number, game) in batch.games().enumerate() {
            let report = reporter.report(game);
            let before = (totals.errors, totals.warnings, totals.styles);
            totals.add(&report);
            if selection.is_partial {
                // Only what is selected counts.
                (totals.errors, totals.warnings, totals.styles) = before;
            }
            let judged = report.replay().map_or(Ok(None), |summary| selection.judge(game, summary));
            let judged = judged.unwrap_or_else(|error| {
                failure.get_or_insert(error);
                None
            });
            let judged = judged.map(|(diagnostic, _)| diagnostic);
            // In text order.
            let after = judged.map_or(0, |judged| {
                report
                    .diagnostics()
                    .partition_point(|other| (other.span, other.code) < (judged.span, judged.code))
            });
            let (before, after) = report.diagnostics().split_at(after);
            for diagnostic in before.iter().chain(&judged).chain(after) {
                if !selection.contains(diagnostic) {
                    continue;
                }
                if selection.is_partial || diagnostic.code == Code::ResultAgainstTables {
                    totals.add_diagnostic(diagnostic.severity);
                }
                if counts.of(diagnostic.code) == 0 {
                    first.push((diagnostic.code, number));
                }
                counts.add(diagnostic.code, diagnostic.severity);
                if self.0.findings {
                    diagnostics.push((number, *diagnostic));
                }
            }
        }
        BatchDiagnostics { totals, counts, first, diagnostics, failure }
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

/// A record of a batch.
struct LocatedRecord<'a> {
    batch: &'a Batch,
    record: Record<'a>,
}

impl LocatedRecord<'_> {
    /// Converts an offset in the record to an offset in the input.
    fn original(&self, at: u32) -> u64 {
        let offset = self.record.offset + u64::from(at);
        let offsets: Option<&TextOffsets> = self.batch.offsets();
        offsets.map_or(offset, |offsets| offsets.original_offset(offset))
    }

    /// Returns the finding of a diagnostic that begins at `start` in the file.
    fn finding(
        &self,
        number: u64,
        diagnostic: &Diagnostic,
        start: LineColumn,
        variant: Option<Variant>,
        explanation: &Explanation,
    ) -> Finding {
        let offset = self.original(0);
        let end = u32::try_from(self.record.bytes.len()).unwrap_or(u32::MAX);
        let at = self.original(diagnostic.span.start);
        let title = diagnostic.code.title();
        let message = match explanation.one_line() {
            Some(detail) => format!("{title}: {detail}"),
            None => title.to_owned(),
        };
        Finding {
            file: Some(path_text(self.batch.name()).into_owned()),
            record: number,
            offset,
            length: self.original(end).saturating_sub(offset),
            line: start.line,
            column: start.column,
            at,
            span: self.original(diagnostic.span.end).saturating_sub(at),
            code: diagnostic.code,
            severity: diagnostic.severity,
            message,
            unplayable: explanation.unplayable.as_ref().map(|mv| FoundMove {
                ply: mv.ply,
                text: String::from_utf8_lossy(&mv.text).into_owned(),
                variant: variant.map(Variant::name),
                fen: mv.position.fen(),
                legal: mv.legal.clone(),
                meant: mv.meant.clone(),
            }),
        }
    }
}

/// Explains diagnostics and passes them on in the order of the archives.
struct CheckConsumer<'a, S> {
    sink: &'a mut S,
    options: &'a CheckOptions,
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
    /// Finds what a repair would do about the diagnostics.
    fixer: Option<Fixer>,
}

impl<'a, S: CheckSink> CheckConsumer<'a, S> {
    fn new(work: &CheckWork<'a>, sink: &'a mut S) -> Self {
        let options = work.0;
        let replay = work.1.replay();
        Self {
            sink,
            options,
            max_per_code: options.max_per_code.unwrap_or(u64::MAX),
            code_counts: vec![0; Code::ALL.len()],
            file_counts: FileCounts::default(),
            all_counts: AllCounts::default(),
            lines: LineCounter::new(),
            totals: Totals { replayed: options.replay, ..Totals::default() },
            replayer: options.replay.then(|| Replayer::new(&replay)),
            fixer: (options.replay && options.repairs).then(|| Fixer::new(&replay)),
        }
    }

    /// Returns the answer after the last batch.
    fn finish(self, is_complete: bool) -> CheckAnswer {
        let summary = CheckSummary {
            variants: self.totals.games_by_variant(),
            inferred: self.totals.inferred_by_variant(),
            codes: self.all_counts.codes.by_name(),
            not_listed: Some(self.totals.not_kept),
            totals: self.totals,
        };
        CheckAnswer { summary, codes: self.all_counts.groups(), is_complete }
    }

    /// Explains the diagnostics of a batch and passes them on.
    fn report(&mut self, batch: &Batch, found: &BatchDiagnostics) -> Result<(), S::Error> {
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
            let mut explanation = Explanation::of(game.into(), diagnostic, || {
                let replayer = self.replayer.as_mut()?;
                if last_annotated.as_ref().is_none_or(|(last, _)| last != number) {
                    last_annotated = Some((*number, annotate(replayer, game)));
                }
                last_annotated.as_ref().map(|(_, annotated)| annotated)
            });
            if diagnostic.code == Code::ResultAgainstTables
                && let Some((_, annotated)) = &last_annotated
            {
                let judged = self.options.selection.judge(game, &annotated.summary)?;
                explanation.detail = judged.map(|(_, proved)| proved);
            }
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
            let variant = annotated.map(|(_, annotated)| annotated.summary.variant);
            let (start, marked) = (self.lines.position(), diagnostic.span.of(record.bytes));
            let located = LocatedRecord { batch, record };
            let number = batch.first() + *number as u64 + 1;
            let finding = located.finding(number, diagnostic, start, variant, &explanation);
            let text = FindingText {
                record: record.bytes,
                encoding,
                diagnostic,
                end: self.lines.position_after(marked, encoding),
                last_line: start.line + count_line_ends(marked.trim_ascii_end()),
                explanation,
            };
            self.sink.finding(finding, &text)?;
        }
        let encoding = last_encoding.map_or(Encoding::UTF_8, |(_, encoding)| encoding);
        self.lines.pass(&bytes[passed..], encoding);
        Ok(())
    }
}

impl<S: CheckSink> BatchConsumer<BatchDiagnostics> for CheckConsumer<'_, S> {
    type Error = S::Error;

    fn begin_input(&mut self, _: &Path, _: Option<&Batch>, _: &mut Context<'_>) -> Result<(), S::Error> {
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
    ) -> Result<ControlFlow<()>, S::Error> {
        if let Some(failure) = found.failure {
            return Err(failure.into());
        }
        self.totals += &found.totals;
        self.totals.bytes += batch.bytes().len() as u64;
        let file = &mut self.file_counts;
        file.games += batch.len() as u64;
        for (code, number) in &found.first {
            if file.codes.of(*code) == 0 {
                file.first.push((*code, batch.first() + *number as u64 + 1));
            }
        }
        file.codes.merge(&found.counts);
        if self.options.findings {
            self.report(batch, &found)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn end_input(&mut self, name: &Path, _: &mut Context<'_>) -> Result<(), S::Error> {
        self.totals.files += 1;
        let FileCounts { games, codes, first } = &self.file_counts;
        let first_of = |code| first.iter().find(|(other, _)| *other == code).map(|(_, record)| *record);
        self.all_counts.add_file(name, codes, first_of);
        if let Some(group) = FileGroup::of(name, *games, codes) {
            self.sink.file(group)?;
        }
        for (code, count) in Code::ALL.iter().zip(&self.code_counts) {
            if let Some(rest @ 1..) = count.checked_sub(self.max_per_code) {
                self.sink.omitted(name, *code, rest)?;
            }
        }
        Ok(())
    }
}

impl Named for Severity {
    const ALL: &'static [(Self, &'static str, &'static str)] =
        &[(Self::Style, "style", ""), (Self::Warning, "warning", ""), (Self::Error, "error", "")];
}

/// Which diagnostics are reported and counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    /// For each code, whether it is selected.
    codes: Vec<bool>,
    min_severity: Severity,
    /// The severity was chosen.
    is_severity_given: bool,
    /// `true` if any diagnostic that is looked for is excluded.
    is_partial: bool,
    /// `true` if diagnostics of severity `style` are looked for.
    style: bool,
    /// The tables of endings that judge results.
    #[cfg(feature = "index")]
    tables: Option<Arc<EndingTables>>,
}

impl Default for Selection {
    /// Selects all diagnostics but those of severity `style`.
    fn default() -> Self {
        Self {
            codes: vec![true; Code::ALL.len()],
            min_severity: Severity::Warning,
            is_severity_given: false,
            is_partial: false,
            style: false,
            #[cfg(feature = "index")]
            tables: None,
        }
    }
}

impl Selection {
    /// Selects the codes that begin with one of those of the rules, all if there are none, which are at least as severe as they say: by
    /// default `warning`, or `style` if they are strict.
    ///
    /// # Errors
    ///
    /// In the field `code` if no code begins so.
    pub fn new(rules: &CheckRules) -> crate::Result<Self> {
        let CheckRules { code: ref starts, severity: min_severity, strict: is_strict, .. } = *rules;
        let begins = |code: &Code, start: &str| {
            code.id().get(..start.len()).is_some_and(|id| id.eq_ignore_ascii_case(start))
        };
        let starts: Vec<_> = starts.iter().map(|start| start.trim()).collect();
        for start in &starts {
            if start.is_empty() || !Code::ALL.iter().any(|code| begins(code, start)) {
                let message = format!("no code begins with `{start}`; `pdn explain` lists all codes");
                return Err(AppError::plain(ErrorCode::InvalidValue, message).in_field("code"));
            }
        }
        let is_selected = |code: &Code| starts.is_empty() || starts.iter().any(|start| begins(code, start));
        let default = if is_strict { Severity::Style } else { Severity::Warning };
        Ok(Self {
            codes: Code::ALL.iter().map(is_selected).collect(),
            min_severity: min_severity.unwrap_or(default),
            is_severity_given: min_severity.is_some(),
            is_partial: !starts.is_empty() || min_severity.is_some_and(|min| min > default),
            style: is_strict || min_severity == Some(Severity::Style),
            #[cfg(feature = "index")]
            tables: None,
        })
    }

    /// Also looks for results that contradict tables of endings.
    #[cfg(feature = "index")]
    #[must_use]
    pub fn judged_by(self, tables: Option<Arc<EndingTables>>) -> Self {
        Self { tables, ..self }
    }

    /// Returns the diagnostic that the result of a game contradicts tables of endings, and what they prove.
    fn judge(
        &self,
        game: GameRef<'_>,
        summary: &ReplaySummary,
    ) -> crate::Result<Option<(Diagnostic, String)>> {
        #[cfg(feature = "index")]
        if let Some(tables) = &self.tables {
            return judge::judge(tables, game, summary);
        }
        #[cfg(not(feature = "index"))]
        let _ = (game, summary);
        Ok(None)
    }

    /// Fails if tables of endings judge no game because all are of other variants.
    fn check_tables(&self, totals: &Totals) -> crate::Result<()> {
        #[cfg(feature = "index")]
        if let Some(tables) = &self.tables {
            return tables.require(totals.by_variant().map(|(variant, ..)| variant));
        }
        #[cfg(not(feature = "index"))]
        let _ = totals;
        Ok(())
    }

    /// Returns `true` if a diagnostic is selected.
    pub fn contains(&self, diagnostic: &Diagnostic) -> bool {
        // Who gives tables asks for what they show, unless a severity says otherwise.
        let is_asked = diagnostic.code == Code::ResultAgainstTables && !self.is_severity_given;
        (diagnostic.severity >= self.min_severity || is_asked)
            && self.codes.get(diagnostic.code as usize).is_none_or(|&selected| selected)
    }
}
