//! Reports on records as `pdn check` does: checks the text, replays the moves, and merges the diagnostics of both.
//!
//! A [`Checker`] knows no rules, and a [`Replayer`] reports only on moves. A [`RecordReporter`] puts their diagnostics in
//! text order, without what both say.
//!
//! ```
//! use pdn::diag::{Code, Severity};
//! use pdn::replay::Replayer;
//! use pdn::report::RecordReporter;
//!
//! let record = b"[Date \"2003.13.01\"]\n\n1. 32-28 19-23 2. 28x18 *\n";
//! let (mut reporter, mut replayer) = (RecordReporter::default(), Replayer::default());
//! let report = reporter.report(&record[..], &mut replayer);
//! let codes: Vec<Code> = report.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
//! assert_eq!(codes, [Code::BadDate, Code::IllegalMove]);
//! assert_eq!(report.count(Severity::Error), 1);
//! ```

use crate::archive::InputRecord;
use crate::check::{CheckOptions, CheckReport, Checker};
use crate::diag::{Code, Diagnostic, Severity};
use crate::replay::{ReplaySummary, Replayer};
use crate::value::ScoreOrder;

/// Length in bytes of the longest record whose variations are replayed, which takes up to 200 times as much memory. Of
/// longer records only the main line is replayed; no known game is nearly as long.
pub const MAX_ANNOTATED_BYTES: usize = 256 << 10;

/// Reports on records, one after the other, in reused memory.
///
/// ```
/// use pdn::archive::{Archive, InputLines};
/// use pdn::replay::Replayer;
/// use pdn::report::RecordReporter;
/// use pdn::source::OpenOptions;
///
/// let text = &b"[GameType \"20\"]\n1. 32-28 19-23 *\n\n[GameType \"20\"]\n1. 32-28 19-23\n2. 28x18 *\n"[..];
/// let mut reporter = RecordReporter::default();
/// let (mut replayer, mut lines) = (Replayer::default(), InputLines::new());
/// let mut found = Vec::new();
/// for game in Archive::from_reader(text, "games.pdn", &OpenOptions::new())? {
///     let game = game?;
///     let mut lines = lines.pass(&game);
///     for diagnostic in reporter.report(&game, &mut replayer).diagnostics {
///         found.push(diagnostic.display(lines.at(diagnostic.span.start)).to_string());
///     }
/// }
/// assert_eq!(found, ["6:4: error[R001]: an illegal move"]);
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Debug)]
pub struct RecordReporter {
    checker: Checker,
    style: bool,
    /// Findings about the whole file are reported with its first record that shows them.
    of_file: bool,
    /// The diagnostics of the last record in text order.
    diagnostics: Vec<Diagnostic>,
}

impl Default for RecordReporter {
    fn default() -> Self {
        Self::new(&CheckOptions::default())
    }
}

impl RecordReporter {
    /// Creates a reporter.
    pub fn new(options: &CheckOptions) -> Self {
        Self { checker: Checker::new(options), style: options.style, of_file: true, diagnostics: Vec::new() }
    }

    /// Reports nothing that is about the file as a whole, which an index cannot know.
    #[doc(hidden)]
    #[must_use]
    pub fn of_records_alone(self) -> Self {
        Self { of_file: false, ..self }
    }

    /// Replays a record and reports on it. Variations are replayed if there are any and the record has at most
    /// [`MAX_ANNOTATED_BYTES`]. Time is linear in the length of the record.
    pub fn report<'r, 'g>(
        &'r mut self,
        game: impl Into<InputRecord<'g>>,
        replayer: &mut Replayer,
    ) -> RecordReport<'r, 'g> {
        let game = game.into();
        let summary = replayer.summary(game);
        self.report_replayed(game, Some((replayer, summary)))
    }

    /// Reports as [`report`](Self::report) does on a record that `replayed` has just replayed, with the summary of that; without it,
    /// only the text is checked.
    #[doc(hidden)]
    pub fn report_replayed<'r, 'g>(
        &'r mut self,
        game: impl Into<InputRecord<'g>>,
        replayed: Option<(&mut Replayer, ReplaySummary)>,
    ) -> RecordReport<'r, 'g> {
        let game = game.into();
        let style = self.style;
        let text = self.checker.check(game);
        let mut severity_counts =
            [Severity::Style, Severity::Warning, Severity::Error].map(|severity| text.count(severity));
        let diagnostics = &mut self.diagnostics;
        diagnostics.clear();
        let (mut draw, mut replay) = (None, None);
        if let Some((replayer, summary)) = replayed {
            replay = Some(summary);
            draw = replayer.move_diagnostics().iter().find(|found| found.code == Code::DrawnStart).copied();
            let is_annotated = text.summary.counts.variations > 0 || style;
            if is_annotated && game.raw().len() <= MAX_ANNOTATED_BYTES {
                diagnostics.extend(replayer.replay_annotated(game).diagnostics);
            } else {
                diagnostics.extend_from_slice(replayer.move_diagnostics());
            }
            // A position that cannot be read is reported once, by the diagnostic that has the reason.
            let repeats_bad_fen = |diagnostic: &Diagnostic| {
                diagnostic.code == Code::BadPosition
                    && text.diagnostics.iter().any(|other| {
                        other.code == Code::BadFen
                            && other.span.start >= diagnostic.span.start
                            && other.span.end <= diagnostic.span.end
                    })
            };
            diagnostics.retain(|diagnostic| {
                (style || diagnostic.severity > Severity::Style) && !repeats_bad_fen(diagnostic)
            });
            diagnostics.extend(summary.result_diagnostic());
            let of_file = (self.of_file && summary.scores == ScoreOrder::White)
                .then(|| replayer.scores_diagnostic(game, &summary));
            diagnostics.extend(of_file.flatten());
        }
        for diagnostic in &*diagnostics {
            severity_counts[diagnostic.severity as usize] += 1;
        }
        let has_moves = !diagnostics.is_empty();
        let played =
            diagnostics.iter().filter(|found| found.code == Code::MoveSeparator).map(|found| found.span);
        let played: Vec<_> = played.collect();
        let is_comment = |found: &&Diagnostic| {
            let is_played = matches!(found.code, Code::MovesInComment | Code::LineComment)
                && played.contains(&found.span);
            // `---` for a side whose men stay.
            let is_drawn = found.code == Code::MissingMove
                && draw.is_some_and(|draw| {
                    draw.span.start <= found.span.start && found.span.end <= draw.span.end
                });
            let is_replaced = is_played || is_drawn;
            severity_counts[found.severity as usize] -= u32::from(is_replaced);
            !is_replaced
        };
        diagnostics.extend(text.diagnostics.iter().filter(is_comment));
        if has_moves {
            diagnostics.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
        }
        RecordReport { text, replay, diagnostics, severity_counts }
    }

    /// Returns the diagnostics of the last record in text order.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

/// The report on one record.
///
/// The page of [`report`](self) has an example.
#[derive(Debug)]
#[non_exhaustive]
pub struct RecordReport<'r, 'g> {
    /// The result of checking the text.
    pub text: CheckReport<'r, 'g>,
    /// What the replay found. [`RecordReporter::report`] always replays; only what checks the text alone leaves it out.
    pub replay: Option<ReplaySummary>,
    /// The diagnostics of the text and the replay, in text order.
    pub diagnostics: &'r [Diagnostic],
    /// Numbers of diagnostics by severity, including those beyond the limit per record.
    severity_counts: [u32; 3],
}

impl RecordReport<'_, '_> {
    /// Returns the number of diagnostics of a severity, including those beyond the limit per record.
    pub fn count(&self, severity: Severity) -> u32 {
        self.severity_counts[severity as usize]
    }
}
