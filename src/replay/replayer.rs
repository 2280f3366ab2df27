//! The public replayer: records a game, chooses its variant, plays it and summarises the result.

use super::line::{DrawnStart, LineTokenKind, MainLine};
use super::memory::{ReplayMemory, VariationPlayer};
use super::play::{LineContext, Searches};
use super::prior_cache::{EvidenceCache, PriorCache};
use super::reading::{Asides, Reading};
use super::score_poll::ScoreEvidence;
use super::sink::Positions;
use super::variant::{ChosenVariant, VariantTrial};
use super::{
    CandidateGame, FilePrior, GameStatus, PlySink, PositionSink, ReplayOptions, ReplayStop, ReplaySummary,
    StopReason, VariantBasis, WrittenResult,
};
use crate::archive::InputRecord;
use crate::diag::{Code, Diagnostic};
use crate::limits::Limits;
use crate::movegen::MoveError;
use crate::parse::{Both, Visitor, walk_with};
use crate::position::Position;
use crate::rules::Variant;
use crate::value::{Colour, ScoreOrder};

/// Minimum number of plies of a game whose variant its moves can prove.
const MIN_PLIES_OF_VARIANT: u32 = 10;

/// Replays the main lines of games, one after the other, in reused memory.
///
/// [`replay`](Self::replay) handles a whole record. A program that needs other parts of the record, too, passes its visitor to
/// [`replay_with`](Self::replay_with), so that the record is read once.
#[derive(Debug)]
pub struct Replayer {
    options: ReplayOptions,
    memory: ReplayMemory,
    prior: PriorCache,
    evidence: EvidenceCache,
    /// Number of diagnostics of the last record that are those of the walk.
    walk_diagnostic_count: usize,
    /// The text as which the last record was read, if some of its signs count as blanks.
    reading: Option<Reading>,
}

impl Default for Replayer {
    fn default() -> Self {
        Self::new(&ReplayOptions::default())
    }
}

impl Replayer {
    /// Creates a replayer. Builds tables for all variants in some ten microseconds; create one per thread.
    pub fn new(options: &ReplayOptions) -> Self {
        let memory = ReplayMemory::new();
        let options = options.clone();
        let (prior, evidence) = (PriorCache::default(), EvidenceCache::default());
        Self { options, memory, prior, evidence, walk_diagnostic_count: 0, reading: None }
    }

    /// Returns the options.
    pub fn options(&self) -> &ReplayOptions {
        &self.options
    }

    /// Sets the prior of the file that the next records come from, if they come without their input, as from
    /// [`split`](crate::split).
    #[doc(hidden)]
    pub fn set_prior(&mut self, prior: FilePrior) {
        self.options.prior = prior;
    }

    /// Sets the game of the next records without a GameType tag: a variant with its numbering of the squares; `None` to infer it.
    #[doc(hidden)]
    pub fn set_game(&mut self, game: Option<CandidateGame>) {
        self.options.variant = game;
    }

    /// Replays a game and passes its plies to `sink`. For a `Vec<Move>`, which keeps the moves alone, no positions are made.
    ///
    /// Takes a game of an [`Archive`](crate::archive::Archive), a [`RecordView`](crate::view::RecordView), a
    /// [`Record`](crate::split::Record) or bytes. What the first games of an input say about the variant of the others is used
    /// for games of an archive; for all else only if [`ReplayOptions::prior`] says it. Time is linear in the length of the record.
    /// Nothing is allocated once the buffers have grown to the longest record.
    ///
    /// ```
    /// use pdn::archive::Archive;
    /// use pdn::replay::Replayer;
    /// use pdn::source::OpenOptions;
    ///
    /// // The second game is legal in many variants, the first only in some.
    /// let text = &b"1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20 2-0\n\n1. 9-13 *\n"[..];
    /// let mut replayer = Replayer::default();
    /// let mut variants = Vec::new();
    /// for game in Archive::from_reader(text, "two games", &OpenOptions::new())?.games() {
    ///     variants.push(replayer.summary(&game?).variant.name());
    /// }
    /// assert_eq!(variants, ["english", "english"]);
    /// # Ok::<(), pdn::Error>(())
    /// ```
    pub fn replay<'g>(
        &mut self,
        game: impl Into<InputRecord<'g>>,
        sink: &mut dyn PositionSink,
    ) -> ReplaySummary {
        self.replay_positions(game.into(), sink)
    }

    /// Replays a game and passes its positions to `sink`. Compiled once, not in each crate that uses it.
    #[inline(never)]
    fn replay_positions(&mut self, game: InputRecord<'_>, sink: &mut dyn PositionSink) -> ReplaySummary {
        self.memory.record_line(game.raw(), game.limits(self.options.limits));
        self.finish_positions(game, sink)
    }

    /// Replays a game as [`replay`](Self::replay) does, with a sink that is compiled for the rules of each game: for speed.
    #[doc(hidden)]
    pub fn replay_into<'g, K: PlySink>(
        &mut self,
        game: impl Into<InputRecord<'g>>,
        sink: &mut K,
    ) -> ReplaySummary {
        self.replay_game(game.into(), sink)
    }

    /// Replays a game as [`replay`](Self::replay) does, where only the summary matters. Faster than with a sink.
    pub fn summary<'g>(&mut self, game: impl Into<InputRecord<'g>>) -> ReplaySummary {
        self.summary_of(game.into())
    }

    /// Returns the summary of a replay. Compiled once, not in each crate that uses it.
    #[inline(never)]
    fn summary_of(&mut self, game: InputRecord<'_>) -> ReplaySummary {
        self.replay_game(game, &mut ())
    }

    /// Replays a game as [`replay`](Self::replay) does, and passes the parts of the record to `visitor` in the same walk. A visitor that
    /// breaks off receives nothing more; the game is replayed all the same.
    ///
    /// ```
    /// use pdn::parse::{Comment, Flow, Visitor};
    /// use pdn::replay::Replayer;
    ///
    /// /// Counts comments.
    /// struct Comments(u32);
    ///
    /// impl<'g> Visitor<'g> for Comments {
    ///     fn comment(&mut self, _: Comment<'g>) -> Flow {
    ///         self.0 += 1;
    ///         Flow::Continue(())
    ///     }
    /// }
    ///
    /// let mut comments = Comments(0);
    /// let record = b"1. 32-28 {the classical start} 19-23 2. 28x19 14x23 *";
    /// let summary = Replayer::default().replay_with(record, &mut comments, &mut ());
    /// assert_eq!((comments.0, summary.plies), (1, 4));
    /// ```
    pub fn replay_with<'g>(
        &mut self,
        game: impl Into<InputRecord<'g>>,
        visitor: &mut impl Visitor<'g>,
        sink: &mut dyn PositionSink,
    ) -> ReplaySummary {
        let game = game.into();
        self.record_with(game, visitor);
        self.finish_positions(game, sink)
    }

    /// Replays as [`replay_with`](Self::replay_with) does, with a sink that is compiled for the rules of each game: for speed.
    pub(crate) fn replay_into_with<'g, K: PlySink>(
        &mut self,
        game: InputRecord<'g>,
        visitor: &mut impl Visitor<'g>,
        sink: &mut K,
    ) -> ReplaySummary {
        self.record_with(game, visitor);
        self.finish_into(game, sink)
    }

    /// Walks over a record for a visitor and for the replay.
    fn record_with<'g>(&mut self, game: InputRecord<'g>, visitor: &mut impl Visitor<'g>) {
        let (limits, line) = self.begin(game);
        // The main line never breaks off a walk.
        let _ = walk_with(game.raw(), &limits, &mut Both::new(visitor, line));
    }

    fn replay_game<K: PlySink>(&mut self, game: InputRecord<'_>, sink: &mut K) -> ReplaySummary {
        self.memory.record_line(game.raw(), game.limits(self.options.limits));
        self.finish_into(game, sink)
    }

    /// Discards the previous game. The main line of the next one is recorded in the returned memory by a walk within the returned limits,
    /// and played by [`finish_into`](Self::finish_into) of the same game.
    #[doc(hidden)]
    pub fn begin<'g>(&mut self, game: impl Into<InputRecord<'g>>) -> (Limits, &mut MainLine) {
        let limits = game.into().limits(self.options.limits);
        self.memory.begin(limits);
        (limits, &mut self.memory.line)
    }

    /// Returns the limits of the game that was begun last.
    pub(crate) const fn limits(&self) -> &Limits {
        self.memory.limits()
    }

    /// Returns what the capture searches of replays may use. Replays of changed texts of one record
    /// [share](Searches::share) one budget.
    pub(crate) const fn searches(&self) -> &Searches {
        &self.memory.searches
    }

    /// Returns the tag that a tag name means, as [`recognise_tag`](crate::parse::recognise_tag) does, and remembers it.
    #[doc(hidden)]
    pub fn recognise_tag(&mut self, name: &[u8]) -> Option<crate::value::TagName> {
        self.memory.line.recognise_tag(name)
    }

    /// Returns a player of variations of a record that was replayed with `summary`, the last one.
    #[doc(hidden)]
    pub fn variation_player<'a>(
        &'a mut self,
        record: &'a [u8],
        summary: &ReplaySummary,
    ) -> VariationPlayer<'a> {
        VariationPlayer::new(&mut self.memory, record, summary)
    }

    /// Plays the recorded game. Compiled once, not in each crate that uses it.
    #[inline(never)]
    fn finish_positions(&mut self, game: InputRecord<'_>, sink: &mut dyn PositionSink) -> ReplaySummary {
        match sink.as_moves() {
            Some(moves) => self.finish_into(game, moves),
            None => self.finish_into(game, &mut Positions::of(sink)),
        }
    }

    /// Plays the recorded game. `game` is the one that was [begun](Self::begin), with a sink that is compiled for the rules of each game.
    #[doc(hidden)]
    pub fn finish_into<'g, K: PlySink>(
        &mut self,
        game: impl Into<InputRecord<'g>>,
        sink: &mut K,
    ) -> ReplaySummary {
        let game = game.into();
        self.walk_diagnostic_count = self.memory.line.diagnostics.len();
        self.reading = None;
        let mut choice = self.choose(game, sink);
        if choice.trial.outcome.stop.is_some() {
            choice = self.read_again(game, choice, sink);
        }
        self.report(&choice);
        for &diagnostic in self.reading.iter().flat_map(|reading| &reading.diagnostics) {
            self.memory.line.report(diagnostic);
        }
        let start = choice.trial.candidate.numbering.start;
        let scores = if start == Colour::Black { self.score_order(game) } else { ScoreOrder::First };
        self.summarise(&choice, game.raw(), scores)
    }

    /// Returns the order of the numbers of the score of a game that Black starts.
    #[cold]
    fn score_order(&mut self, game: InputRecord<'_>) -> ScoreOrder {
        if let Some(said) = game.scores() {
            return said;
        }
        let line = &self.memory.line;
        // Most games of many files; they need no evidence.
        let is_even = |result: &WrittenResult| {
            matches!(result.span.of(game.raw()), b"*" | b"1/2-1/2" | b"1-1" | b"0-0" | b"")
        };
        match game.input() {
            Some(input) if !line.result.iter().chain(&line.terminator).all(is_even) => {
                self.evidence.of(input, &self.options).order()
            }
            _ => ScoreOrder::First,
        }
    }

    /// Returns what the first records of the input of a game show about the order of the numbers of its scores; `None` without an input,
    /// and where the caller says which order it is.
    fn score_evidence(&mut self, game: InputRecord<'_>) -> Option<&ScoreEvidence> {
        let input = game.input().filter(|_| game.scores().is_none())?;
        Some(self.evidence.of(input, &self.options))
    }

    /// Returns a diagnostic if a game is the first of its input that shows that scores give the number of White first: one for each input.
    /// `summary` is that of its replay.
    #[cold]
    pub(crate) fn scores_diagnostic(
        &mut self,
        game: InputRecord<'_>,
        summary: &ReplaySummary,
    ) -> Option<Diagnostic> {
        let offset = game.view().record().offset;
        let result = summary.result()?;
        let evidence = self.score_evidence(game)?;
        let is_first = evidence.places().first() == Some(&offset);
        is_first.then(|| Diagnostic::new(Code::ScoresOfWhite, result.span))
    }

    /// Plays the recorded line under the variant that is named or inferred.
    #[inline(always)]
    fn choose<K: PlySink>(&mut self, game: InputRecord<'_>, sink: &mut K) -> ChosenVariant {
        let Self { options, memory, prior, .. } = &mut *self;
        let mut chooser = memory.chooser(game.raw(), options);
        match chooser.choose_named(sink) {
            Some(choice) => choice,
            None => chooser.infer(prior.of(game.input(), options), sink),
        }
    }

    /// Plays another reading of the record.
    #[cold]
    #[inline(never)]
    fn choose_again<K: PlySink>(&mut self, game: InputRecord<'_>, sink: &mut K) -> ChosenVariant {
        self.choose(game, sink)
    }

    /// Reads a record whose main line stops with the moves of its asides as play where they fit and the rest does not fit without
    /// them. `first` is the choice that stopped.
    #[cold]
    #[inline(never)]
    fn read_again<K: PlySink>(
        &mut self,
        game: InputRecord<'_>,
        first: ChosenVariant,
        sink: &mut K,
    ) -> ChosenVariant {
        let first = self.read_draw(game, first, sink);
        if self.reading.is_some() {
            return first;
        }
        let (record, limits) = (game.raw(), *self.limits());
        let asides =
            if first.is_draughts && first.trial.has_position { Asides::of(record, &limits) } else { None };
        let Some(asides) = asides else { return first };
        let whole = asides.blanked(record, |_| true);
        self.record_line(&whole.text, limits);
        let choice = self.choose_again(game, &mut ());
        let is_whole = choice.trial.outcome.stop.is_none();
        let reading = if is_whole { whole } else { self.decided(record, &asides, &choice) };
        if !reading.diagnostics.is_empty() {
            self.record_line(&reading.text, limits);
            let choice = self.choose_again(game, sink);
            if choice.trial.outcome.plies > first.trial.outcome.plies {
                self.reading = Some(reading);
                return choice;
            }
        }
        self.record_line(record, limits);
        self.choose_again(game, sink)
    }

    /// Reads a record whose first moves cannot be played as the draw of its start position where the rest is legal then.
    fn read_draw<K: PlySink>(
        &mut self,
        game: InputRecord<'_>,
        first: ChosenVariant,
        sink: &mut K,
    ) -> ChosenVariant {
        let VariantTrial { candidate, outcome, .. } = first.trial;
        let may_be = first.is_draughts
            && outcome.plies <= 1
            && self.memory.line.fen.is_none()
            && (DrawnStart::is_of(candidate.variant) || first.basis.is_inferred());
        if !may_be {
            return first;
        }
        let (record, limits) = (game.raw(), *self.limits());
        // Two moves are a draw as a whole; one is, if only one side's men are lifted.
        let draws = [2, 1].map(|len| DrawnStart::of(record, &self.memory.line.tokens, len));
        if draws.iter().all(Option::is_none) {
            return first;
        }
        for draw in draws.into_iter().flatten() {
            let text = draw.blanked(record);
            self.record_line(&text, limits);
            self.memory.line.draw = Some(draw);
            let choice = self.choose_again(game, &mut ());
            let VariantTrial { candidate, start, outcome, has_position, .. } = choice.trial;
            let is_proved = outcome.stop.is_none() || outcome.plies >= DrawnStart::MIN_PLIES;
            // Nothing but a draw is one only in a game that is named.
            let is_named = matches!(choice.basis, VariantBasis::Tag | VariantBasis::Caller);
            let is_game = match outcome.plies {
                0 => is_named && draw.may_stand_alone(record),
                _ => is_named || choice.basis.is_known(),
            };
            if has_position && is_proved && is_game {
                let start = Position::from_state(candidate.game(), start);
                let written = Some(draw.written(record, &start, &limits));
                let diagnostics = vec![draw.diagnostic(outcome.plies)];
                self.reading = Some(Reading { text, diagnostics, written });
                return self.choose_again(game, sink);
            }
        }
        self.record_line(record, limits);
        self.choose_again(game, sink)
    }

    /// Returns the reading in which those asides are played that fit. The line with all of them must be recorded; `choice` is how it was
    /// played.
    fn decided(&mut self, record: &[u8], asides: &Asides, choice: &ChosenVariant) -> Reading {
        let VariantTrial { candidate, start, .. } = choice.trial;
        let budget = self.searches().budget(self.limits().capture_nodes, record.len());
        let (game, given) = (candidate.game(), budget.rest());
        // The tables and the tokens are parts of the same memory.
        let tokens = std::mem::take(&mut self.memory.line.tokens);
        let (codes, ..) = self.memory.playing(&candidate);
        let context = LineContext { text: record, tokens: &tokens, codes, game: &game, budget: &budget };
        let played = asides.played(context, &start);
        self.memory.line.tokens = tokens;
        self.searches().take(given, &budget);
        asides.blanked(record, |number| played[number])
    }

    fn record_line(&mut self, text: &[u8], limits: Limits) {
        self.memory.record_line(text, limits);
        self.walk_diagnostic_count = self.memory.line.diagnostics.len();
    }

    /// Returns the text as which the last record was read: the record itself unless some of its signs count as blanks.
    pub(super) fn read_text<'t>(&'t self, record: &'t [u8]) -> &'t [u8] {
        self.reading.as_ref().map_or(record, |reading| &reading.text)
    }

    /// Returns the text as which the last record was read, if some of its signs count as blanks: replies in parentheses are moves of the
    /// main line in it. It has the length of the record.
    #[doc(hidden)]
    pub fn take_reading(&mut self) -> Option<Vec<u8>> {
        self.reading.take().map(|reading| reading.text)
    }

    /// Returns the record as which the last one is written, if it has another text by the letter of PDN: with replies in parentheses as moves,
    /// or with the start position that its first moves describe.
    pub(crate) fn take_written_reading(&mut self) -> Option<Vec<u8>> {
        self.reading.take().map(|reading| reading.written.unwrap_or(reading.text))
    }

    /// Returns the diagnostics of the last record: those of the walk, then those of the replay. At most
    /// [`Limits::diagnostics`](crate::limits::Limits::diagnostics).
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.memory.line.diagnostics
    }

    /// Returns the diagnostics of the last replay, without those of the walk.
    pub fn move_diagnostics(&self) -> &[Diagnostic] {
        &self.memory.line.diagnostics[self.walk_diagnostic_count.min(self.memory.line.diagnostics.len())..]
    }

    /// Returns `true` if a move of the main line is not written as two squares: a capture in full, for example.
    pub(crate) fn has_moves_of_other_forms(&self) -> bool {
        self.memory.line.tokens.first_other(LineTokenKind::OtherMove).is_some()
    }

    /// Returns `true` if a tag of the record or the caller names its variant, so that nothing else of its file decides about it.
    /// Plays no move.
    pub fn names_variant(&mut self, record: &[u8]) -> bool {
        self.memory.record_line(record, self.options.limits.unwrap_or_default());
        self.memory.chooser(record, &self.options).is_named()
    }

    /// Returns the variant of a game whose tags do not name it, or name another one, if all of its moves prove it: of all
    /// variants that can be inferred, only this one replays the record to its end. `summary` is that of its replay.
    pub(crate) fn proven_variant(&mut self, record: &[u8], summary: &ReplaySummary) -> Option<Variant> {
        let is_candidate = summary.basis.is_inferred()
            && summary.status == GameStatus::Legal
            && summary.plies >= MIN_PLIES_OF_VARIANT;
        if !is_candidate {
            return None;
        }
        self.memory.record_line(record, self.options.limits.unwrap_or_default());
        let only = self.memory.chooser(record, &self.options).only_complete();
        only.filter(|&variant| variant == summary.variant)
    }

    /// Returns the value of the GameType tag of the last record.
    pub(crate) fn game_type<'g>(&self, record: &'g [u8]) -> Option<&'g [u8]> {
        self.memory.line.game_type.map(|span| span.of(record))
    }

    /// Appends the diagnostics of the chosen replay to those of the walk.
    fn report(&mut self, choice: &ChosenVariant) {
        let VariantTrial { outcome, is_odd, has_position, turn_inferred, .. } = choice.trial;
        let is_clean = outcome.stop.is_none()
            && choice.trial.diagnostics(&self.memory.log).is_empty()
            && choice.other_variant.is_none()
            && !is_odd
            && !turn_inferred
            && has_position;
        if is_clean {
            return;
        }
        let fen = self.memory.line.fen.unwrap_or_default();
        if !has_position {
            self.memory.line.report(Diagnostic::new(Code::BadPosition, fen));
            return;
        }
        if is_odd {
            self.memory.line.report(Diagnostic::new(Code::OddPosition, fen));
        }
        if turn_inferred {
            self.memory.line.report(Diagnostic::new(Code::OtherSideMoves, fen));
        }
        if choice.other_variant.is_some() {
            let first = || self.memory.line.tokens.get(0).map(|token| token.span);
            let span = self.memory.line.game_type.or(self.memory.line.variant).or_else(first);
            self.memory.line.report(Diagnostic::new(Code::OtherVariant, span.unwrap_or_default()));
        }
        for &diagnostic in choice.trial.diagnostics(&self.memory.log) {
            self.memory.line.report(diagnostic);
        }
        if let Some((span, reason)) = outcome.stop
            && choice.is_draughts
        {
            self.memory.line.report(Diagnostic::new(reason.code(), span));
        }
    }

    fn summarise(&self, choice: &ChosenVariant, record: &[u8], scores: ScoreOrder) -> ReplaySummary {
        let line = &self.memory.line;
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
        let read = |result: WrittenResult| match scores {
            ScoreOrder::First => result,
            ScoreOrder::White => result.exchanged(),
        };
        ReplaySummary {
            status,
            variant: candidate.variant,
            numbering: candidate.numbering,
            basis: choice.basis,
            other_variant: choice.other_variant,
            plies: outcome.plies,
            written: line.written_moves,
            from_fen: (line.fen.is_some() || line.draw.is_some()) && has_position,
            has_setups: outcome.has_setups,
            start,
            last: outcome.last,
            stop,
            terminator: line.terminator.map(|end| read(end).of_words(record, candidate.numbering.start)),
            result_tag: line.result.map(|tag| read(tag).of_words(record, candidate.numbering.start)),
            scores,
        }
    }
}
