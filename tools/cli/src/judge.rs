//! What is found in a game by its text and by the rules together.
//!
//! The text is looked at by the library's checker, which knows no rules; moves are judged by a replay, variations too
//! where there are any. One of these works on each thread.

use std::sync::Arc;

use pdn::check::{self, CheckReport, Checker};
use pdn::diag::{Code, Diagnostic, Severity};
use pdn::replay::{self, AnnotatedGame, AnnotatedLine, GameStatus, PlySink, Replayer};
use pdn::rules::Variant;
use pdn::split::Record;
use pdn::value::Outcome;

use crate::args::ReplayArgs;
use crate::head::Head;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// Findings of style too.
    pub(crate) style: bool,
    /// Moves are replayed.
    pub(crate) replay: bool,
    /// The variant of games without a GameType tag.
    pub(crate) variant: Option<Variant>,
}

impl Wanted {
    pub(crate) fn new(args: &ReplayArgs, style: bool) -> Self {
        Self { style, replay: !args.no_replay, variant: args.variant }
    }

    /// As the library takes it.
    pub(crate) fn options(&self) -> replay::ReplayOptions {
        let mut options = replay::ReplayOptions::default();
        options.variant = self.variant;
        options
    }
}

/// Judges games one after the other.
#[derive(Debug)]
pub(crate) struct Judge {
    wanted: Wanted,
    checker: Checker,
    replayer: Replayer,
    /// The head whose prior the replayer has.
    head: Option<Arc<Head>>,
    /// What the replay found in the last game.
    moves: Vec<Diagnostic>,
    /// Findings of both kinds, in order, where there are both.
    all: Vec<Diagnostic>,
}

/// What came of a game.
pub(crate) struct Judged<'j, 'g> {
    /// What the text says.
    pub(crate) report: CheckReport<'j, 'g>,
    /// What the replay says, if there was one.
    pub(crate) played: Option<replay::ReplaySummary>,
    /// Captures among the plies played.
    pub(crate) captures: u32,
    /// The findings of both, in the order of the text.
    pub(crate) findings: &'j [Diagnostic],
    /// How many there are by severity, those not kept included.
    found: [u32; 3],
}

impl Judged<'_, '_> {
    /// How many findings there are of a severity, those not kept included.
    pub(crate) fn found(&self, severity: Severity) -> u32 {
        self.found[severity as usize]
    }
}

impl Judge {
    pub(crate) fn new(wanted: Wanted) -> Self {
        Self {
            wanted,
            checker: Checker::new(check::CheckOptions::new().style(wanted.style)),
            replayer: Replayer::new(wanted.options()),
            head: None,
            moves: Vec::new(),
            all: Vec::new(),
        }
    }

    /// Everything about a game of the input with this head.
    pub(crate) fn judge<'g>(&mut self, game: &Record<'g>, head: &Arc<Head>) -> Judged<'_, 'g> {
        let report = self.checker.check(*game);
        let mut found =
            [Severity::Style, Severity::Warning, Severity::Error].map(|severity| report.count(severity));
        let (mut played, mut captures) = (None, Captures(0));
        self.moves.clear();
        if self.wanted.replay {
            know(&mut self.replayer, &mut self.head, head);
            let summary = self.replayer.replay(game.bytes, &mut captures);
            let more = report.summary.counts.variations > 0 || self.wanted.style;
            if more && game.bytes.len() <= TREE_BYTES {
                self.moves.extend(self.replayer.replay_annotated(game.bytes).diagnostics);
            } else {
                self.moves.extend_from_slice(self.replayer.move_diagnostics());
            }
            // A position that cannot be read is told once, with the reason.
            let unread = |finding: &Diagnostic| {
                finding.code == Code::BadPosition
                    && report.diagnostics.iter().any(|other| {
                        other.code == Code::BadFen
                            && other.span.start >= finding.span.start
                            && other.span.end <= finding.span.end
                    })
            };
            let style = self.wanted.style;
            self.moves.retain(|finding| (style || finding.severity > Severity::Style) && !unread(finding));
            self.moves.extend(against_board(&summary));
            played = Some(summary);
        }
        for finding in &self.moves {
            found[finding.severity as usize] += 1;
        }
        let findings = if self.moves.is_empty() {
            report.diagnostics
        } else {
            self.all.clear();
            self.all.extend_from_slice(report.diagnostics);
            self.all.extend_from_slice(&self.moves);
            self.all.sort_by_key(|finding| (finding.span, finding.code));
            &self.all
        };
        Judged { report, played, captures: captures.0, findings, found }
    }
}

/// A result that cannot be true if the game ended on the board: a side that cannot move has lost, or won where that is
/// the aim.
fn against_board(summary: &replay::ReplaySummary) -> Option<Diagnostic> {
    let mut told = [summary.terminator, summary.result_tag].into_iter().flatten();
    let verdict = told.find(|verdict| verdict.outcome != Outcome::Unknown)?;
    if summary.status != GameStatus::Legal || summary.plies == 0 {
        return None;
    }
    let winner = summary.last_position().outcome()?.winner;
    let agrees = verdict.outcome.winner(summary.numbering.start) == Some(winner);
    (!agrees).then(|| Diagnostic::new(Code::ResultAgainstBoard, verdict.span))
}

/// The longest record that is made a tree of, which takes up to two hundred times its size. In longer ones the main line
/// alone is judged; no game is nearly as long.
const TREE_BYTES: usize = 256 << 10;

/// A game as a tree, to explain what was found in it; without its plies where it is too long.
pub(crate) fn tree<'g>(replayer: &mut Replayer, game: &'g [u8]) -> AnnotatedGame<'g> {
    if game.len() <= TREE_BYTES {
        return replayer.replay_annotated(game);
    }
    let summary = replayer.replay(game, &mut ());
    let main = AnnotatedLine {
        comments: Vec::new(),
        plies: Vec::new(),
        last: summary.last_position(),
        stop: summary.stop,
        rest: Vec::new(),
    };
    AnnotatedGame { summary, main, diagnostics: replayer.move_diagnostics().to_vec() }
}

/// Tells the replayer what the head says, unless it knows.
pub(crate) fn know(replayer: &mut Replayer, known: &mut Option<Arc<Head>>, head: &Arc<Head>) {
    if known.as_ref().is_some_and(|known| Arc::ptr_eq(known, head)) {
        return;
    }
    let prior = head.prior(replayer.options()).clone();
    replayer.set_prior(prior);
    *known = Some(Arc::clone(head));
}

/// Counts captures.
struct Captures(u32);

impl PlySink for Captures {
    fn begin<R: pdn::rules::Ruleset>(
        &mut self,
        _: R,
        _: &replay::CandidateGame,
        _: &pdn::position::State<replay::BitsOf<R>>,
    ) {
        self.0 = 0;
    }

    fn ply<R: pdn::rules::Ruleset>(
        &mut self,
        _: R,
        _: &pdn::position::State<replay::BitsOf<R>>,
        mv: &pdn::position::Move<replay::BitsOf<R>>,
    ) {
        self.0 += u32::from(mv.is_capture());
    }
}
