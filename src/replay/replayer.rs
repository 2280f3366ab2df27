//! The replayer: hears a game, decides which one it is, plays it.

use super::candidates::{INFERENCE_ORDER, SquareClues, TagCandidates};
use super::effort::SearchBudget;
use super::games::VariantTables;
use super::line::MainLine;
use super::resolve::Context;
use super::run::{LineOutcome, LinePlayer, Scratch};
use super::{
    CandidateGame, GameStatus, PlySink, ReplayOptions, ReplayStop, ReplaySummary, StopReason, VariantBasis,
    WrittenResult,
};
use crate::diag::{Code, Diagnostic};
use crate::parse::{
    Comment, Flow, MissingMove, MoveRun, SetupCommand, TagPair, Terminator, VariationAction, VariationMark,
    Visitor, WrittenMove, walk_with,
};
use crate::position::{Position, State};
use crate::rules::Variant;
use crate::span::Span;
use crate::value::{Fen, GameResult, Outcome};

/// Replays the main lines of games, one after the other, with memory that is used again.
///
/// [`replay`](Self::replay) does all for one game. A program that wants to hear of the game itself writes a visitor
/// that passes every call on to the replayer, between [`clear`](Self::clear) and [`finish`](Self::finish).
#[derive(Debug)]
pub struct Replayer {
    options: ReplayOptions,
    line: MainLine,
    scratch: Scratch,
    games: VariantTables,
    /// How many of the findings are the walk's.
    heard: usize,
    /// The nodes that a search for captures may take now.
    capture_nodes: u32,
}

/// Nodes of a capture search while variants are tried.
const TRIAL_NODES: u32 = 20_000;

impl Replayer {
    /// A replayer. Builds tables for all variants, some ten microseconds; make one a thread.
    pub fn new(options: ReplayOptions) -> Self {
        let line = MainLine { limit: options.limits.diagnostics, ..MainLine::default() };
        let capture_nodes = options.limits.capture_nodes;
        Self {
            options,
            line,
            scratch: Scratch::default(),
            games: VariantTables::new(),
            heard: 0,
            capture_nodes,
        }
    }

    /// What the caller said.
    pub fn options(&self) -> &ReplayOptions {
        &self.options
    }

    /// Sets what is known about the file that the next games come from.
    pub fn set_prior(&mut self, prior: super::FilePrior) {
        self.options.prior = prior;
    }

    /// Replays a record, as [`split`](crate::split) finds them.
    pub fn replay<K: PlySink>(&mut self, game: &[u8], sink: &mut K) -> ReplaySummary {
        self.clear();
        let limits = self.options.limits;
        // The line never breaks off.
        let _ = walk_with(game, &limits, &mut self.line);
        self.finish(game, sink)
    }

    /// Forgets the game before. To be called before a walk.
    pub fn clear(&mut self) {
        self.line.clear();
    }

    /// Plays what was heard since [`clear`](Self::clear). `game` is the record that was walked over.
    pub fn finish<K: PlySink>(&mut self, game: &[u8], sink: &mut K) -> ReplaySummary {
        self.heard = self.line.diagnostics.len();
        let choice = self.choose(game, sink);
        self.report(&choice);
        self.summary(game, &choice)
    }

    /// What is wrong with the last game: the findings of the walk, then those of the replay. At most
    /// [`Limits::diagnostics`](crate::limits::Limits::diagnostics).
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.line.diagnostics
    }

    /// What is wrong with the moves of the last game: the findings of the replay alone.
    pub fn move_diagnostics(&self) -> &[Diagnostic] {
        &self.line.diagnostics[self.heard.min(self.line.diagnostics.len())..]
    }

    // -- which game

    /// Finds out which game it is, and plays it into `sink`.
    fn choose<K: PlySink>(&mut self, text: &[u8], sink: &mut K) -> ChosenVariant {
        let fen = self.line.fen.map(|span| Fen::parse(span.of(text)));
        let fen = match fen {
            None => Start::Usual,
            Some(Ok(fen)) => Start::Fen(fen),
            Some(Err(_)) => Start::Unreadable,
        };
        if let Some(span) = self.line.game_type {
            match self.games.tagged(span.of(text)) {
                TagCandidates::Games(games) => return self.choose_tagged(text, &fen, games, sink),
                TagCandidates::OtherGame => {
                    // Whatever its moves look like, none of them is a legal ply.
                    let candidate = CandidateGame::from(Variant::International);
                    let attempt = VariantTrial::not_played(candidate, self.games.start(&candidate));
                    self.scratch.notes.clear();
                    return ChosenVariant {
                        attempt,
                        basis: VariantBasis::Guess,
                        other_variant: None,
                        draughts: false,
                    };
                }
                TagCandidates::Nothing => {}
            }
        }
        if let Some(variant) = self.options.variant {
            let attempt = self.attempt(text, &fen, variant.into(), sink);
            return ChosenVariant {
                attempt,
                basis: VariantBasis::Caller,
                other_variant: None,
                draughts: true,
            };
        }
        self.infer(text, &fen, sink)
    }

    fn choose_tagged<K: PlySink>(
        &mut self,
        text: &[u8],
        fen: &Start<'_>,
        games: [Option<CandidateGame>; 4],
        sink: &mut K,
    ) -> ChosenVariant {
        let first = games[0].unwrap_or(Variant::International.into());
        let attempt = self.attempt(text, fen, first, sink);
        let mut choice =
            ChosenVariant { attempt, basis: VariantBasis::Tag, other_variant: None, draughts: true };
        if attempt.is_complete() {
            return choice;
        }
        for candidate in games.into_iter().flatten().skip(1) {
            let other = self.attempt(text, fen, candidate, &mut ());
            if other.fit() > choice.attempt.fit() {
                choice.attempt = other;
            }
        }
        if choice.attempt.is_wrong_game() && self.line.written >= 4 {
            let other = self.best(text, fen, &INFERENCE_ORDER);
            if let Some(other) = other.filter(|other| other.is_complete()) {
                choice.other_variant = Some(other.candidate.variant);
                // With hardly a legal move under the tag, the moves are the better witness.
                if choice.attempt.played.plies < 4 {
                    (choice.attempt, choice.basis) = (other, VariantBasis::Moves);
                }
            }
        }
        if choice.attempt.candidate != first {
            choice.attempt = self.attempt(text, fen, choice.attempt.candidate, sink);
        }
        choice
    }

    fn infer<K: PlySink>(&mut self, text: &[u8], fen: &Start<'_>, sink: &mut K) -> ChosenVariant {
        let ranking = std::mem::take(&mut self.options.prior.ranking);
        let known = !ranking.is_empty();
        let order = if known { &ranking[..] } else { &INFERENCE_ORDER[..] };
        let top = self.attempt(text, fen, order[0].into(), sink);
        let guess = self.line.tokens.is_empty() && matches!(fen, Start::Usual | Start::Unreadable);
        let mut choice = ChosenVariant {
            attempt: top,
            basis: if guess {
                VariantBasis::Guess
            } else if known {
                VariantBasis::File
            } else {
                VariantBasis::Game
            },
            other_variant: None,
            draughts: true,
        };
        // In a known file the names are as they are; a single game is looked at more closely.
        if guess || top.is_complete() && (known || self.suits(fen, order[0])) {
            self.options.prior.ranking = ranking;
            return choice;
        }
        let best = self.best(text, fen, order);
        let firm = self.options.prior.firm && top.is_possible();
        if let Some(best) = best.filter(|best| best.candidate != top.candidate) {
            let switch = if firm {
                best.is_complete() && top.is_wrong_game()
            } else {
                best.fit() > top.fit() || !known
            };
            if switch {
                let attempt = self.attempt(text, fen, best.candidate, sink);
                choice.attempt = attempt;
                if known {
                    choice.basis = if firm { VariantBasis::Moves } else { VariantBasis::Game };
                }
            }
            if firm && best.is_complete() {
                choice.other_variant = Some(best.candidate.variant);
            }
        }
        self.options.prior.ranking = ranking;
        choice
    }

    /// The variant that fits best, the first of equals.
    fn best(&mut self, text: &[u8], fen: &Start<'_>, order: &[Variant]) -> Option<VariantTrial> {
        let names = self.names(fen);
        let usual = self.cap_trials();
        let best = self.best_within(text, fen, order, &names);
        self.capture_nodes = usual;
        best
    }

    /// Trials may spend little on captures: a position with so many is no game's. Answers with the usual limit.
    fn cap_trials(&mut self) -> u32 {
        std::mem::replace(&mut self.capture_nodes, self.options.limits.capture_nodes.min(TRIAL_NODES))
    }

    fn best_within(
        &mut self,
        text: &[u8],
        fen: &Start<'_>,
        order: &[Variant],
        names: &SquareClues,
    ) -> Option<VariantTrial> {
        let mut best: Option<(VariantTrial, (u8, u32))> = None;
        for &variant in order {
            let attempt = self.attempt(text, fen, variant.into(), &mut ());
            if !attempt.is_possible() {
                continue;
            }
            let fit = (attempt.fit_with(names.suit(variant)), attempt.played.plies);
            if best.is_none_or(|(_, other)| fit > other) {
                best = Some((attempt, fit));
            }
            if fit.0 == VariantTrial::PERFECT {
                return Some(attempt);
            }
        }
        best.map(|(attempt, _)| attempt)
    }

    fn names(&self, fen: &Start<'_>) -> SquareClues {
        let fen = if let Start::Fen(fen) = fen { Some(fen) } else { None };
        SquareClues::of(&self.line, fen)
    }

    #[cold]
    fn suits(&self, fen: &Start<'_>, variant: Variant) -> bool {
        self.names(fen).suit(variant)
    }

    /// For a poll: under which variants a game replays from beginning to end.
    pub(super) fn fits(&mut self, text: &[u8]) -> FittingVariants {
        self.clear();
        let usual = self.cap_trials();
        let fits = self.fits_within(text);
        self.capture_nodes = usual;
        fits
    }

    fn fits_within(&mut self, text: &[u8]) -> FittingVariants {
        let limits = self.options.limits;
        let _ = walk_with(text, &limits, &mut self.line);
        let moves = self.line.written > 0;
        let mut fits = FittingVariants { moves, tagged: false, variants: [false; INFERENCE_ORDER.len()] };
        let fen = match self.line.fen.map(|span| Fen::parse(span.of(text))) {
            None => Start::Usual,
            Some(Ok(fen)) => Start::Fen(fen),
            Some(Err(_)) => return fits,
        };
        if !moves && matches!(fen, Start::Usual) {
            return fits;
        }
        if let Some(span) = self.line.game_type
            && let TagCandidates::Games(games) = self.games.tagged(span.of(text))
        {
            let candidates: Vec<CandidateGame> = games.into_iter().flatten().collect();
            let best =
                candidates.into_iter().find(|&one| self.attempt(text, &fen, one, &mut ()).is_complete());
            for (slot, &variant) in fits.variants.iter_mut().zip(&INFERENCE_ORDER) {
                *slot = best.is_some_and(|best| best.variant == variant);
            }
            fits.tagged = true;
            return fits;
        }
        let names = self.names(&fen);
        let mut places = [0; INFERENCE_ORDER.len()];
        for (slot, &variant) in places.iter_mut().zip(&INFERENCE_ORDER) {
            let attempt = self.attempt(text, &fen, variant.into(), &mut ());
            *slot = attempt.fit_with(names.suit(variant));
        }
        let most = places.iter().copied().max().unwrap_or(0);
        for (slot, place) in fits.variants.iter_mut().zip(places) {
            *slot = place == most && most >= VariantTrial::PERFECT - 1;
        }
        fits
    }

    /// Plays the line as a game of this kind.
    fn attempt<K: PlySink>(
        &mut self,
        text: &[u8],
        fen: &Start<'_>,
        candidate: CandidateGame,
        sink: &mut K,
    ) -> VariantTrial {
        let mut odd = false;
        let mut start = match fen {
            Start::Usual => self.games.start(&candidate),
            Start::Unreadable => {
                return VariantTrial::without_position(candidate, self.games.start(&candidate));
            }
            Start::Fen(fen) => {
                let read =
                    Position::from_fen_named(candidate.game(), &candidate.names(), fen, |_| odd = true);
                match read {
                    Ok(position) => *position.state(),
                    Err(_) => return VariantTrial::without_position(candidate, self.games.start(&candidate)),
                }
            }
        };
        let unknown_turn = matches!(fen, Start::Fen(fen) if fen.turn().is_none());
        let mut turned = false;
        if unknown_turn && !self.line.tokens.is_empty() {
            // Whoever can make the first move is to move; both can only where the squares tell nothing.
            let starter = self.play(text, &candidate, &start, &mut ());
            let other = State { turn: !start.turn, ..start };
            if starter.plies == 0 && self.play(text, &candidate, &other, &mut ()).plies > 0 {
                start = other;
            }
            turned = true;
        }
        let played = self.play(text, &candidate, &start, sink);
        VariantTrial { candidate, start, played, odd: odd && !unknown_turn, turned, possible: true }
    }

    fn play<K: PlySink>(
        &mut self,
        text: &[u8],
        candidate: &CandidateGame,
        start: &State<u128>,
        sink: &mut K,
    ) -> LineOutcome {
        let game = candidate.game();
        let effort = SearchBudget::new(self.capture_nodes);
        let context = Context {
            text,
            tokens: &self.line.tokens,
            codes: self.games.codes(candidate),
            game: &game,
            effort: &effort,
        };
        game.rules.with(LinePlayer { context, candidate, start, sink, scratch: &mut self.scratch })
    }

    // -- what came of it

    fn report(&mut self, choice: &ChosenVariant) {
        let VariantTrial { played, odd, possible, turned, .. } = choice.attempt;
        let clean = played.stop.is_none()
            && self.scratch.notes.is_empty()
            && choice.other_variant.is_none()
            && !odd
            && !turned
            && possible;
        if clean {
            return;
        }
        let fen = self.line.fen.unwrap_or_default();
        if !possible {
            self.line.report(Diagnostic::new(Code::BadPosition, fen));
            return;
        }
        if odd {
            self.line.report(Diagnostic::new(Code::OddPosition, fen));
        }
        if turned {
            self.line.report(Diagnostic::new(Code::OtherSideMoves, fen));
        }
        if choice.other_variant.is_some() {
            let span = self.line.game_type.or(self.line.tokens.get(0).map(|token| token.span));
            self.line.report(Diagnostic::new(Code::OtherVariant, span.unwrap_or_default()));
        }
        for &(code, span) in &self.scratch.notes {
            self.line.report(Diagnostic::new(code, span));
        }
        if let Some((span, reason)) = played.stop
            && choice.draughts
        {
            self.line.report(Diagnostic::new(reason.code(), span));
        }
    }

    fn summary(&self, text: &[u8], choice: &ChosenVariant) -> ReplaySummary {
        let line = &self.line;
        let VariantTrial { candidate, start, played, .. } = choice.attempt;
        let hidden = line.unclosed.filter(|_| line.terminator.is_none());
        let stop = if !choice.draughts {
            Some((line.game_type.unwrap_or_default(), StopReason::NotDraughts))
        } else if !choice.attempt.possible {
            Some((line.fen.unwrap_or_default(), StopReason::BadPosition))
        } else {
            played.stop.or(hidden.map(|span| (span, StopReason::UnclosedComment)))
        };
        let stop = stop.map(|(span, reason)| ReplayStop { ply: played.plies, span, reason });
        let status = match stop {
            Some(stop) => stop.reason.status(),
            None if line.written == 0 => GameStatus::Empty,
            None => GameStatus::Legal,
        };
        let verdict = |span: Span| WrittenResult { span, outcome: outcome(span.of(text)) };
        ReplaySummary {
            status,
            variant: candidate.variant,
            numbering: candidate.numbering,
            basis: choice.basis,
            other_variant: choice.other_variant,
            plies: played.plies,
            written: line.written,
            from_fen: line.fen.is_some() && choice.attempt.possible,
            has_setups: played.has_setups,
            start,
            last: played.last,
            stop,
            terminator: line.terminator.map(verdict),
            result_tag: line.result.map(verdict),
        }
    }
}

/// What a result means; the usual ones without a look at all systems.
fn outcome(text: &[u8]) -> Outcome {
    match text {
        b"2-0" | b"1-0" => Outcome::FirstWins,
        b"0-2" | b"0-1" => Outcome::SecondWins,
        b"1-1" | b"1/2-1/2" => Outcome::Draw,
        b"*" => Outcome::Unknown,
        text => GameResult::parse(text).outcome(),
    }
}

/// Every call is passed on to the main line.
impl<'g> Visitor<'g> for Replayer {
    const NUMBERS: bool = false;

    #[inline]
    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        self.line.tag(tag)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        Visitor::written_move(&mut self.line, mv)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn move_run(&mut self, moves: MoveRun<'g>) -> Flow {
        self.line.move_run(moves)
    }
    #[inline]
    fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
        self.line.captures(list)
    }
    #[inline]
    fn missing(&mut self, missing: MissingMove) -> Flow {
        self.line.missing(missing)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        self.line.comment(comment)
    }
    #[inline]
    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        self.line.setup(setup)
    }
    #[inline]
    fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
        self.line.begin_variation(variation)
    }
    #[inline]
    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.line.terminator(terminator)
    }
    #[inline]
    fn text(&mut self, text: &'g [u8], span: Span) -> Flow {
        self.line.text(text, span)
    }
    #[inline]
    fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        self.line.diagnostic(diagnostic)
    }
}

/// Where a game starts.
enum Start<'a> {
    Usual,
    Fen(Fen<'a>),
    Unreadable,
}

/// A replay as a game of one kind.
#[derive(Clone, Copy, Debug)]
struct VariantTrial {
    candidate: CandidateGame,
    start: State<u128>,
    played: LineOutcome,
    /// The position is one that no game leads to.
    odd: bool,
    /// The side to move was found out.
    turned: bool,
    /// There is a position at all.
    possible: bool,
}

impl VariantTrial {
    const PERFECT: u8 = 3;

    fn not_played(candidate: CandidateGame, start: State<u128>) -> Self {
        let played = LineOutcome { plies: 0, last: start, has_setups: false, stop: None };
        Self { candidate, start, played, odd: false, turned: false, possible: true }
    }

    fn without_position(candidate: CandidateGame, start: State<u128>) -> Self {
        Self { possible: false, ..Self::not_played(candidate, start) }
    }

    const fn is_possible(&self) -> bool {
        self.possible
    }

    /// Whether all moves are legal.
    const fn is_complete(&self) -> bool {
        self.possible && self.played.stop.is_none()
    }

    /// How well it fits, to be compared.
    fn fit(&self) -> (u8, u32) {
        (self.fit_with(true), self.played.plies)
    }

    const fn fit_with(&self, suits: bool) -> u8 {
        match (self.possible, self.is_complete()) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => Self::PERFECT - (self.odd || !suits) as u8,
        }
    }

    /// Whether it stopped at a move that no piece of this game makes. Missed captures and disregarded precedence
    /// happen to players; they do not speak for another game.
    const fn is_wrong_game(&self) -> bool {
        match self.played.stop {
            None => !self.possible,
            Some((_, reason)) => matches!(
                reason,
                StopReason::NoPiece
                    | StopReason::OtherSide
                    | StopReason::Impossible
                    | StopReason::NoSuchSquare
                    | StopReason::OtherPath
            ),
        }
    }
}

/// Which game it is, and how it was played.
struct ChosenVariant {
    attempt: VariantTrial,
    basis: VariantBasis,
    other_variant: Option<Variant>,
    draughts: bool,
}

/// Under which variants a game replays from beginning to end.
pub(super) struct FittingVariants {
    pub(super) moves: bool,
    pub(super) tagged: bool,
    pub(super) variants: [bool; INFERENCE_ORDER.len()],
}
