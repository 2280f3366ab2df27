//! Reports on the records of inputs. Each thread has one [`Reporter`].

use pdn::archive::{GameRef, InputRecord};
use pdn::check::{self, CheckReport};
use pdn::diag::{Diagnostic, Severity};
use pdn::internal::replay::{CandidateGame, PlySink};
use pdn::replay;
use pdn::replay::{AnnotatedGame, Replayer};
use pdn::report::{self, MAX_ANNOTATED_BYTES, RecordReporter};
use pdn_rules::internal::rules::BitsOf;

/// What a report contains.
#[derive(Clone, Copy, Debug)]
pub struct ReportOptions {
    /// `true` if diagnostics of severity `style` are included.
    pub style: bool,
    /// `true` if moves are replayed.
    pub replay: bool,
    /// The variant of games that no tag names; `None` to infer it.
    pub variant: Option<CandidateGame>,
}

impl ReportOptions {
    /// Returns the options of the replay.
    pub fn replay_options(&self) -> replay::ReplayOptions {
        replay::ReplayOptions::new().game(self.variant)
    }
}

/// Reports on records, one after the other.
#[derive(Debug)]
pub struct Reporter {
    options: ReportOptions,
    reporter: RecordReporter,
    replayer: Replayer,
}

/// The report on one record.
#[derive(Debug)]
pub struct RecordReport<'j, 'g> {
    /// Number of captures among the legal plies.
    pub captures: u32,
    /// The check of the text and the merged diagnostics.
    report: report::RecordReport<'j, 'g>,
}

impl<'j, 'g> RecordReport<'j, 'g> {
    /// Returns the result of checking the text.
    pub fn text(&self) -> &CheckReport<'j, 'g> {
        &self.report.text
    }

    /// Returns the result of the replay, if there was one.
    pub fn replay(&self) -> Option<&replay::ReplaySummary> {
        self.report.replay.as_ref()
    }

    /// Returns the diagnostics of the text and the replay, in text order.
    pub fn diagnostics(&self) -> &'j [Diagnostic] {
        self.report.diagnostics
    }

    /// Returns the number of diagnostics of a severity, including those beyond the limit per record.
    pub fn severity_count(&self, severity: Severity) -> u32 {
        self.report.count(severity)
    }
}

impl Reporter {
    /// Creates a reporter.
    pub fn new(options: ReportOptions) -> Self {
        Self {
            options,
            reporter: RecordReporter::new(&check::CheckOptions::new().style(options.style)),
            replayer: Replayer::new(&options.replay_options()),
        }
    }

    /// Reports on a game.
    pub fn report<'g>(&mut self, game: impl Into<InputRecord<'g>>) -> RecordReport<'_, 'g> {
        let game = game.into();
        let mut captures = CaptureCounter(0);
        let replay = self.options.replay.then(|| self.replayer.replay_into(game, &mut captures));
        let replayed = replay.map(|summary| (&mut self.replayer, summary));
        RecordReport { report: self.reporter.report_replayed(game, replayed), captures: captures.0 }
    }
}

/// Replays a record with its variations, to explain its diagnostics. Without plies and variations if it is longer than
/// [`MAX_ANNOTATED_BYTES`].
pub fn annotate<'g>(replayer: &mut Replayer, game: GameRef<'g>) -> AnnotatedGame<'g> {
    if game.raw().len() <= MAX_ANNOTATED_BYTES {
        return replayer.replay_annotated(game);
    }
    let summary = replayer.summary(game);
    AnnotatedGame::without_plies(summary, replayer.move_diagnostics().to_vec())
}

/// Counts the captures of a replay.
struct CaptureCounter(u32);

impl PlySink for CaptureCounter {
    fn begin<R: pdn_rules::internal::rules::Ruleset>(
        &mut self,
        _: R,
        _: &CandidateGame,
        _: &pdn_rules::internal::position::State<BitsOf<R>>,
    ) {
        self.0 = 0;
    }

    fn ply<R: pdn_rules::internal::rules::Ruleset>(
        &mut self,
        _: R,
        _: &pdn_rules::internal::position::State<BitsOf<R>>,
        mv: &pdn::position::Move<BitsOf<R>>,
    ) {
        self.0 += u32::from(mv.is_capture());
    }
}
