//! Checks the text of a record and replays its moves, and merges the diagnostics of both.
//!
//! The library's checker looks at the text and knows no rules. A replay resolves the moves of the main line, and of
//! variations if there are any. Each thread has one [`Reporter`].

use std::sync::Arc;

use pdn::check::{self, CheckReport, Checker};
use pdn::diag::{Code, Diagnostic, Severity};
use pdn::replay::{self, AnnotatedGame, CandidateGame, PlySink, Replayer};
use pdn::rules::BitsOf;
use pdn::split::Record;

use super::head::InputHead;
use crate::args::ReplayArgs;

/// What a report contains.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReportOptions {
    /// `true` if diagnostics of severity `style` are included.
    pub(crate) style: bool,
    /// `true` if moves are replayed.
    pub(crate) replay: bool,
    /// The variant of games that no tag names; `None` to infer it.
    pub(crate) variant: Option<CandidateGame>,
}

impl ReportOptions {
    /// Creates options from those of the command line.
    pub(crate) fn new(args: &ReplayArgs, style: bool) -> Self {
        Self { style, replay: !args.no_replay, variant: args.variant }
    }

    /// Returns the options of the replay.
    pub(crate) fn replay_options(&self) -> replay::ReplayOptions {
        let mut options = replay::ReplayOptions::default();
        options.variant = self.variant;
        options
    }
}

/// Reports on records, one after the other.
#[derive(Debug)]
pub(crate) struct Reporter {
    options: ReportOptions,
    checker: Checker,
    replayer: Replayer,
    /// The head whose prior the replayer uses.
    head: Option<Arc<InputHead>>,
    /// Diagnostics of the replay of the last record.
    move_diagnostics: Vec<Diagnostic>,
    /// Diagnostics of the text and the replay in text order, if there are any of the replay.
    merged: Vec<Diagnostic>,
}

/// The report on one record.
pub(crate) struct RecordReport<'j, 'g> {
    /// The result of checking the text.
    pub(crate) text: CheckReport<'j, 'g>,
    /// The result of the replay, if there was one.
    pub(crate) replay: Option<replay::ReplaySummary>,
    /// Number of captures among the legal plies.
    pub(crate) captures: u32,
    /// The diagnostics of both, in text order.
    pub(crate) diagnostics: &'j [Diagnostic],
    /// Number of diagnostics by severity, including those beyond the limit per record.
    severity_counts: [u32; 3],
}

impl RecordReport<'_, '_> {
    /// Returns the number of diagnostics of a severity, including those beyond the limit per record.
    pub(crate) fn severity_count(&self, severity: Severity) -> u32 {
        self.severity_counts[severity as usize]
    }
}

impl Reporter {
    /// Creates a reporter without a head.
    pub(crate) fn new(options: ReportOptions) -> Self {
        Self {
            options,
            checker: Checker::new(check::CheckOptions::new().style(options.style)),
            replayer: Replayer::new(options.replay_options()),
            head: None,
            move_diagnostics: Vec::new(),
            merged: Vec::new(),
        }
    }

    /// Reports on a record of the input that `head` belongs to.
    pub(crate) fn report<'g>(&mut self, record: &Record<'g>, head: &Arc<InputHead>) -> RecordReport<'_, 'g> {
        let text = self.checker.check(*record);
        let mut severity_counts =
            [Severity::Style, Severity::Warning, Severity::Error].map(|severity| text.count(severity));
        let (mut replay_summary, mut captures) = (None, CaptureCounter(0));
        self.move_diagnostics.clear();
        if self.options.replay {
            apply_prior(&mut self.replayer, &mut self.head, head);
            let summary = self.replayer.replay(record.bytes, &mut captures);
            let annotated = text.summary.counts.variations > 0 || self.options.style;
            if annotated && record.bytes.len() <= MAX_ANNOTATED_BYTES {
                self.move_diagnostics.extend(self.replayer.replay_annotated(record.bytes).diagnostics);
            } else {
                self.move_diagnostics.extend_from_slice(self.replayer.move_diagnostics());
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
            let style = self.options.style;
            self.move_diagnostics.retain(|diagnostic| {
                (style || diagnostic.severity > Severity::Style) && !repeats_bad_fen(diagnostic)
            });
            self.move_diagnostics.extend(summary.result_diagnostic());
            replay_summary = Some(summary);
        }
        for diagnostic in &self.move_diagnostics {
            severity_counts[diagnostic.severity as usize] += 1;
        }
        let diagnostics = if self.move_diagnostics.is_empty() {
            text.diagnostics
        } else {
            self.merged.clear();
            self.merged.extend_from_slice(text.diagnostics);
            self.merged.extend_from_slice(&self.move_diagnostics);
            self.merged.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
            &self.merged
        };
        RecordReport { text, replay: replay_summary, captures: captures.0, diagnostics, severity_counts }
    }
}

/// Length in bytes of the longest record whose annotated game is built, which takes up to 200 times as much memory. Of
/// longer records only the main line is replayed; no known game is nearly as long.
const MAX_ANNOTATED_BYTES: usize = 256 << 10;

/// Replays a record with its variations, to explain its diagnostics. Without plies and variations if it is longer than
/// [`MAX_ANNOTATED_BYTES`].
pub(crate) fn annotate<'g>(replayer: &mut Replayer, record: &'g [u8]) -> AnnotatedGame<'g> {
    if record.len() <= MAX_ANNOTATED_BYTES {
        return replayer.replay_annotated(record);
    }
    let summary = replayer.replay(record, &mut ());
    AnnotatedGame::without_plies(summary, replayer.move_diagnostics().to_vec())
}

/// Gives the replayer the prior of `head`. `current` is the head whose prior it has already.
pub(crate) fn apply_prior(
    replayer: &mut Replayer,
    current: &mut Option<Arc<InputHead>>,
    head: &Arc<InputHead>,
) {
    if current.as_ref().is_some_and(|current| Arc::ptr_eq(current, head)) {
        return;
    }
    let prior = head.prior(replayer.options()).clone();
    replayer.set_prior(prior);
    *current = Some(Arc::clone(head));
}

/// Counts the captures of a replay.
struct CaptureCounter(u32);

impl PlySink for CaptureCounter {
    fn begin<R: pdn::rules::Ruleset>(
        &mut self,
        _: R,
        _: &CandidateGame,
        _: &pdn::position::State<BitsOf<R>>,
    ) {
        self.0 = 0;
    }

    fn ply<R: pdn::rules::Ruleset>(
        &mut self,
        _: R,
        _: &pdn::position::State<BitsOf<R>>,
        mv: &pdn::position::Move<BitsOf<R>>,
    ) {
        self.0 += u32::from(mv.is_capture());
    }
}
