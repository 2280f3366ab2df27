//! Checks the text of a record and replays its moves, and merges the diagnostics of both: what `pdn check` reports.

use crate::check::{CheckOptions, Checker};
use crate::diag::{Code, Diagnostic, Severity};
use crate::limits::Limits;
use crate::replay::{ReplaySummary, Replayer};
use crate::view::GameView;

/// Length in bytes of the longest record whose variations are replayed, which takes up to 200 times as much memory.
pub(super) const MAX_ANNOTATED_BYTES: usize = 256 << 10;

/// Counts of a record.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ReportCounts {
    pub(super) variations: u32,
    pub(super) comments: u32,
    pub(super) errors: u32,
    pub(super) warnings: u32,
}

/// Reports on records, one after the other.
#[derive(Debug)]
pub(super) struct RecordReporter {
    checker: Checker,
    style: bool,
    /// The diagnostics of the last record in text order.
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) counts: ReportCounts,
}

impl RecordReporter {
    /// Creates a reporter; with `style` it also reports diagnostics of severity `style`.
    pub(super) fn new(style: bool, limits: Limits) -> Self {
        let checker = Checker::new(CheckOptions::new().style(style).limits(limits));
        Self { checker, style, diagnostics: Vec::new(), counts: ReportCounts::default() }
    }

    /// Reports on a record that `replayer` has just replayed with this summary.
    pub(super) fn report(&mut self, view: &GameView<'_>, replayer: &mut Replayer, summary: &ReplaySummary) {
        let style = self.style;
        let text = self.checker.check(*view);
        let parts = text.summary.counts;
        let annotated = (parts.variations > 0 || style) && view.raw().len() <= MAX_ANNOTATED_BYTES;
        let moves = match annotated {
            true => replayer.replay_annotated(*view).diagnostics,
            false => replayer.move_diagnostics().to_vec(),
        };
        // A position that cannot be read is reported once, by the diagnostic that has the reason.
        let repeats_bad_fen = |diagnostic: &Diagnostic| {
            diagnostic.code == Code::BadPosition
                && text.diagnostics.iter().any(|other| {
                    other.code == Code::BadFen
                        && other.span.start >= diagnostic.span.start
                        && other.span.end <= diagnostic.span.end
                })
        };
        let is_wanted = |diagnostic: &Diagnostic| {
            (style || diagnostic.severity > Severity::Style) && !repeats_bad_fen(diagnostic)
        };
        self.diagnostics.clear();
        self.diagnostics.extend(moves.into_iter().filter(is_wanted));
        self.diagnostics.extend(summary.result_diagnostic());
        let of_moves =
            |severity| self.diagnostics.iter().filter(|found| found.severity == severity).count() as u32;
        self.counts = ReportCounts {
            variations: parts.variations,
            comments: parts.comments,
            errors: text.count(Severity::Error) + of_moves(Severity::Error),
            warnings: text.count(Severity::Warning) + of_moves(Severity::Warning),
        };
        self.diagnostics.extend_from_slice(text.diagnostics);
        self.diagnostics.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
    }
}
