//! The public replayer: records a game, chooses its variant, plays it and summarises the result.

use super::line::MainLine;
use super::play::{DiagnosticLog, PlayBuffers};
use super::variant::{ChosenVariant, ReplayingVariants, VariantChooser, VariantTables, VariantTrial};
use super::{
    CandidateGame, FilePrior, GameStatus, PlySink, ReplayOptions, ReplayStop, ReplaySummary, StopReason,
};
use crate::diag::{Code, Diagnostic};
use crate::movegen::MoveError;
use crate::parse::{Visitor, forward_to, walk_with};
use crate::rules::Variant;
use crate::view::GameView;

/// Replays the main lines of games, one after the other, in reused memory.
///
/// [`replay`](Self::replay) handles a whole record. A program that needs other parts of the record in the same walk
/// passes its visitor and the replayer as [`Both`](crate::parse::Both), between [`clear`](Self::clear) and
/// [`finish`](Self::finish).
#[derive(Debug)]
pub struct Replayer {
    options: ReplayOptions,
    line: MainLine,
    buffers: PlayBuffers,
    tables: VariantTables,
    log: DiagnosticLog,
    /// Number of diagnostics of the last record that are those of the walk.
    walk_diagnostic_count: usize,
}

impl Default for Replayer {
    fn default() -> Self {
        Self::new(ReplayOptions::default())
    }
}

impl Replayer {
    /// Creates a replayer. Builds tables for all variants in some ten microseconds; create one per thread.
    pub fn new(options: ReplayOptions) -> Self {
        let max_diagnostics = options.limits.diagnostics;
        Self {
            options,
            line: MainLine { max_diagnostics, ..MainLine::default() },
            buffers: PlayBuffers::default(),
            tables: VariantTables::new(),
            log: DiagnosticLog::new(max_diagnostics),
            walk_diagnostic_count: 0,
        }
    }

    /// Returns the options.
    pub fn options(&self) -> &ReplayOptions {
        &self.options
    }

    /// Sets the prior of the file that the next games come from.
    pub fn set_prior(&mut self, prior: FilePrior) {
        self.options.prior = prior;
    }

    /// Sets the game of the next records without a GameType tag: a variant with its numbering of the squares; `None` to infer it.
    pub fn set_game(&mut self, game: Option<CandidateGame>) {
        self.options.variant = game;
    }

    /// Replays a record, as [`split`](crate::split) finds them, and passes its plies to `sink`.
    ///
    /// Takes a [`GameView`], a [`Record`](crate::split::Record) or bytes. Time is linear in the length of the record.
    /// Nothing is allocated once the buffers have grown to the longest record.
    ///
    /// ```
    /// use pdn::replay::Replayer;
    ///
    /// let text = b"1. 32-28 19-23 2-0\n\n1. 33-29 *\n";
    /// let mut replayer = Replayer::default();
    /// let plies: Vec<u32> =
    ///     pdn::split::games(text).map(|record| replayer.replay(record, &mut ()).plies).collect();
    /// assert_eq!(plies, [2, 1]);
    /// ```
    pub fn replay<'g, K: PlySink>(&mut self, game: impl Into<GameView<'g>>, sink: &mut K) -> ReplaySummary {
        self.replay_bytes(game.into().raw(), sink)
    }

    /// Replays a game as [`replay`](Self::replay) does, where only the summary matters.
    pub fn summary<'g>(&mut self, game: impl Into<GameView<'g>>) -> ReplaySummary {
        self.summary_of(game.into().raw())
    }

    /// Returns the summary of a replay. Compiled once, not in each crate that uses it.
    #[inline(never)]
    fn summary_of(&mut self, record: &[u8]) -> ReplaySummary {
        self.replay_bytes(record, &mut ())
    }

    fn replay_bytes<K: PlySink>(&mut self, record: &[u8], sink: &mut K) -> ReplaySummary {
        self.record_line(record);
        self.finish(record, sink)
    }

    /// Walks over a record and records its main line. Compiled once, not in each crate that replays games.
    #[inline(never)]
    fn record_line(&mut self, record: &[u8]) {
        self.clear();
        let limits = self.options.limits;
        // The main line never breaks off a walk.
        let _ = walk_with(record, &limits, &mut self.line);
    }

    /// Discards the previous record. To be called before a walk.
    pub fn clear(&mut self) {
        self.line.clear();
    }

    /// Returns the tag that a tag name means, as [`recognise_tag`](crate::parse::recognise_tag) does, and remembers it.
    #[cfg(feature = "index")]
    pub(crate) fn recognise_tag(&mut self, name: &[u8]) -> Option<crate::value::TagName> {
        self.line.names.find(name)
    }

    /// Plays what was recorded since [`clear`](Self::clear). `game` is the record that was walked over.
    pub fn finish<K: PlySink>(&mut self, game: &[u8], sink: &mut K) -> ReplaySummary {
        self.walk_diagnostic_count = self.line.diagnostics.len();
        let choice = self.chooser(game).choose(sink);
        self.report(&choice);
        self.summarise(&choice)
    }

    /// Returns the diagnostics of the last record: those of the walk, then those of the replay. At most
    /// [`Limits::diagnostics`](crate::limits::Limits::diagnostics).
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.line.diagnostics
    }

    /// Returns the diagnostics of the last replay, without those of the walk.
    pub fn move_diagnostics(&self) -> &[Diagnostic] {
        &self.line.diagnostics[self.walk_diagnostic_count.min(self.line.diagnostics.len())..]
    }

    /// Returns the variants under which a record replays to its end; for a poll.
    pub(super) fn replaying_variants(&mut self, record: &[u8]) -> ReplayingVariants {
        self.record_line(record);
        self.chooser(record).replaying_variants()
    }

    /// Returns the only variant under which a record replays to its end, whatever its tags say.
    pub(crate) fn only_complete_variant(&mut self, record: &[u8]) -> Option<Variant> {
        self.record_line(record);
        self.chooser(record).only_complete()
    }

    fn chooser<'a>(&'a mut self, record: &'a [u8]) -> VariantChooser<'a> {
        let Self { options, line, tables, buffers, log, .. } = self;
        VariantChooser::new(record, line, options, tables, buffers, log)
    }

    /// Appends the diagnostics of the chosen replay to those of the walk.
    fn report(&mut self, choice: &ChosenVariant) {
        let VariantTrial { outcome, is_odd, has_position, turn_inferred, .. } = choice.trial;
        let is_clean = outcome.stop.is_none()
            && choice.trial.diagnostics(&self.log).is_empty()
            && choice.other_variant.is_none()
            && !is_odd
            && !turn_inferred
            && has_position;
        if is_clean {
            return;
        }
        let fen = self.line.fen.unwrap_or_default();
        if !has_position {
            self.line.report(Diagnostic::new(Code::BadPosition, fen));
            return;
        }
        if is_odd {
            self.line.report(Diagnostic::new(Code::OddPosition, fen));
        }
        if turn_inferred {
            self.line.report(Diagnostic::new(Code::OtherSideMoves, fen));
        }
        if choice.other_variant.is_some() {
            let first = || self.line.tokens.get(0).map(|token| token.span);
            let span = self.line.game_type.or(self.line.variant).or_else(first);
            self.line.report(Diagnostic::new(Code::OtherVariant, span.unwrap_or_default()));
        }
        for &diagnostic in choice.trial.diagnostics(&self.log) {
            self.line.report(diagnostic);
        }
        if let Some((span, reason)) = outcome.stop
            && choice.is_draughts
        {
            self.line.report(Diagnostic::new(reason.code(), span));
        }
    }

    fn summarise(&self, choice: &ChosenVariant) -> ReplaySummary {
        let line = &self.line;
        let VariantTrial { candidate, start, outcome, has_position, .. } = choice.trial;
        let hiding_comment = line.unclosed_comment.filter(|_| line.terminator.is_none());
        let stop = if !choice.is_draughts {
            Some((line.game_type.or(line.variant).unwrap_or_default(), StopReason::NotDraughts))
        } else if !has_position {
            Some((line.fen.unwrap_or_default(), StopReason::BadPosition))
        } else {
            let hidden = hiding_comment.map(|span| (span, StopReason::UnclosedComment));
            outcome
                .stop
                .or(hidden)
                .or_else(|| line.lost_moves().map(|span| (span, StopReason::Move(MoveError::Unreadable))))
        };
        let stop = stop.map(|(span, reason)| ReplayStop { ply: outcome.plies, span, reason });
        let status = match stop {
            Some(stop) => stop.reason.status(),
            None if line.written_moves > 0 => GameStatus::Legal,
            None if line.has_position() => GameStatus::Problem,
            None => GameStatus::Empty,
        };
        ReplaySummary {
            status,
            variant: candidate.variant,
            numbering: candidate.numbering,
            basis: choice.basis,
            other_variant: choice.other_variant,
            plies: outcome.plies,
            written: line.written_moves,
            from_fen: line.fen.is_some() && has_position,
            has_setups: outcome.has_setups,
            start,
            last: outcome.last,
            stop,
            terminator: line.terminator,
            result_tag: line.result,
        }
    }
}

/// Records the main line.
impl<'g> Visitor<'g> for Replayer {
    const NUMBERS: bool = false;

    forward_to! { all, self => self.line }
}
