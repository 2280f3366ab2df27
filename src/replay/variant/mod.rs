//! Decides which variant a record is of: by its tag, the caller or trials, which play the main line.

mod clues;
mod tables;

pub(super) use clues::INFERENCE_ORDER;
pub(super) use tables::VariantTables;

use self::clues::{Candidates, SquareClues, TagCandidates};
use super::line::MainLine;
use super::play::{DiagnosticLog, LineContext, LineOutcome, LinePlayer, PlayBuffers, Searches};
use super::{CandidateGame, FilePrior, PlySink, StopReason, VariantBasis};
use crate::diag::Diagnostic;
use crate::movegen::MoveError;
use crate::position::{Position, State};
use crate::rules::Variant;
use crate::span::Span;
use crate::value::Fen;

/// Maximum number of nodes of a capture search while variants are tried. A position that needs more is not from a game.
const MAX_TRIAL_NODES: u32 = 20_000;
/// Minimum number of written moves from which other variants are tried against the GameType tag.
const MIN_MOVES_AGAINST_TAG: u32 = 4;
/// Number of legal plies under the GameType tag from which the tag is believed although another variant replays.
const MIN_PLIES_FOR_TAG: u32 = 4;

/// Chooses the variant of one record.
pub(crate) struct VariantChooser<'a> {
    /// The bytes of the record.
    text: &'a [u8],
    line: &'a MainLine,
    start: LineStart<'a>,
    searches: &'a Searches,
    /// The game of a record that no tag names; `None` to infer it.
    untagged: Option<CandidateGame>,
    tables: &'a mut VariantTables,
    buffers: &'a mut PlayBuffers,
    log: &'a mut DiagnosticLog,
}

/// The start position of a record, before the variant is known.
enum LineStart<'a> {
    /// The start position of the variant.
    Standard,
    /// The position of a FEN tag.
    Fen(Fen<'a>),
    /// A FEN tag that is not a FEN.
    Unreadable,
}

impl<'a> VariantChooser<'a> {
    /// Creates a chooser for a record and the main line recorded from it. Clears the log.
    pub(crate) fn new(
        text: &'a [u8],
        line: &'a MainLine,
        searches: &'a Searches,
        untagged: Option<CandidateGame>,
        tables: &'a mut VariantTables,
        buffers: &'a mut PlayBuffers,
        log: &'a mut DiagnosticLog,
    ) -> Self {
        log.clear();
        let start = match line.fen.map(|span| Fen::parse(span.of(text))) {
            None => LineStart::Standard,
            Some(Ok(fen)) => LineStart::Fen(fen),
            Some(Err(_)) => LineStart::Unreadable,
        };
        Self { text, line, start, searches, untagged, tables, buffers, log }
    }

    /// Plays the main line into `sink` under the variant that a tag or the caller names. `None` if it has to be inferred.
    pub(crate) fn choose_named<K: PlySink>(&mut self, sink: &mut K) -> Option<ChosenVariant> {
        if self.line.game_type.is_some() || self.line.variant.is_some() {
            match self.tag_candidates() {
                TagCandidates::Games(games) => return Some(self.choose_tagged(games, sink)),
                TagCandidates::OtherGame => {
                    // Its moves are not plies of draughts, even if they look like them.
                    let candidate = CandidateGame::from(Variant::International);
                    let trial = VariantTrial::not_played(candidate, self.tables.start(&candidate));
                    return Some(ChosenVariant {
                        is_draughts: false,
                        ..ChosenVariant::new(trial, VariantBasis::Guess)
                    });
                }
                TagCandidates::Unknown => {}
            }
        }
        let trial = self.untagged.map(|game| self.play(game, sink))?;
        Some(ChosenVariant::new(trial, VariantBasis::Caller))
    }

    /// Returns `true` if a tag or the caller names the variant: [`choose_named`](Self::choose_named) chooses one.
    pub(crate) fn is_named(&mut self) -> bool {
        self.untagged.is_some() || !matches!(self.tag_candidates(), TagCandidates::Unknown)
    }

    /// Returns the variants under which the record replays to its end; for a poll.
    pub(crate) fn replaying_variants(&mut self) -> ReplayingVariants {
        let has_moves = self.line.written_moves > 0;
        let mut result =
            ReplayingVariants { has_moves, tagged: false, variants: [false; INFERENCE_ORDER.len()] };
        match self.start {
            LineStart::Unreadable => return result,
            LineStart::Standard if !has_moves => return result,
            _ => {}
        }
        if let TagCandidates::Games(games) = self.tag_candidates() {
            let replaying =
                games.into_iter().flatten().find(|&candidate| self.try_out(candidate).is_complete());
            for (slot, &variant) in result.variants.iter_mut().zip(INFERENCE_ORDER) {
                *slot = replaying.is_some_and(|candidate| candidate.variant == variant);
            }
            result.tagged = true;
            return result;
        }
        let clues = self.clues();
        let mut grades = [0; INFERENCE_ORDER.len()];
        for (slot, &variant) in grades.iter_mut().zip(INFERENCE_ORDER) {
            *slot = self.try_out(variant.into()).grade(clues.suit(variant));
        }
        let best = grades.iter().copied().max().unwrap_or(0);
        for (slot, grade) in result.variants.iter_mut().zip(grades) {
            *slot = grade == best && best >= VariantTrial::BEST_GRADE - 1;
        }
        result
    }

    /// Returns the variant under which the record replays to its end, if it is the only one of those that can be inferred.
    /// Tags are ignored. `None` if the record has no moves.
    pub(crate) fn only_complete(&mut self) -> Option<Variant> {
        let is_readable = !matches!(self.start, LineStart::Unreadable);
        if !is_readable || self.line.written_moves == 0 {
            return None;
        }
        let mut only = None;
        for &variant in INFERENCE_ORDER {
            if self.try_out(variant.into()).is_complete() && only.replace(variant).is_some() {
                return None;
            }
        }
        only
    }

    /// Returns the games that the tags may mean.
    fn tag_candidates(&mut self) -> TagCandidates {
        let value = |span: Option<Span>| span.map(|span| span.of(self.text));
        self.tables.tag_candidates(value(self.line.game_type), value(self.line.variant))
    }

    fn choose_tagged<K: PlySink>(&mut self, games: Candidates, sink: &mut K) -> ChosenVariant {
        let first = games[0].unwrap_or(Variant::International.into());
        let mut choice = ChosenVariant::new(self.play(first, sink), VariantBasis::Tag);
        if choice.trial.is_complete() {
            return choice;
        }
        for candidate in games.into_iter().flatten().skip(1) {
            let other = self.play_unseen(candidate, self.searches.max_nodes);
            if other.rank() > choice.trial.rank() {
                choice.trial = other;
            }
        }
        if choice.trial.contradicts_variant() && self.line.written_moves >= MIN_MOVES_AGAINST_TAG {
            let best = self.best_trial(INFERENCE_ORDER);
            if let Some(best) = best.filter(VariantTrial::is_complete) {
                choice.other_variant = Some(best.candidate.variant);
                // With hardly a legal move under the tag, the moves are the better evidence.
                if choice.trial.outcome.plies < MIN_PLIES_FOR_TAG {
                    (choice.trial, choice.basis) = (best, VariantBasis::Moves);
                }
            }
        }
        if choice.trial.candidate != first {
            choice.trial = self.play(choice.trial.candidate, sink);
        }
        choice
    }

    /// Infers the variant and plays the main line under it into `sink`.
    pub(crate) fn infer<K: PlySink>(&mut self, prior: &FilePrior, sink: &mut K) -> ChosenVariant {
        let has_prior = !prior.ranking.is_empty();
        let order = if has_prior { &prior.ranking[..] } else { INFERENCE_ORDER };
        let top = self.play(order[0].into(), sink);
        // A position without moves may be of any game with enough squares, and moves without their start say nothing, so that only the file
        // can show the variant.
        let has_moves = self.line.written_moves > 0 && !top.is_fragment;
        let is_shown = has_moves || prior.shown && top.has_position;
        let basis = if !is_shown {
            VariantBasis::Guess
        } else if has_prior {
            VariantBasis::File
        } else {
            VariantBasis::Game
        };
        let mut choice = ChosenVariant::new(top, basis);
        // With a prior the square names are those of the file; without one they must suit the variant too.
        let has_position = matches!(self.start, LineStart::Fen(_)) || self.line.draw.is_some();
        let is_empty = self.line.tokens.is_empty() && !has_position;
        if is_empty || top.is_fragment || top.is_complete() && (has_prior || self.suits(order[0])) {
            return choice;
        }
        let best = self.best_trial(order);
        let is_firm = prior.firm && top.has_position;
        if let Some(best) = best.filter(|best| best.candidate != top.candidate) {
            let switch = if is_firm {
                best.is_complete() && top.contradicts_variant()
            } else {
                best.rank() > top.rank() || !has_prior
            };
            if switch {
                choice.trial = self.play(best.candidate, sink);
                if has_prior && has_moves {
                    choice.basis = if is_firm { VariantBasis::Moves } else { VariantBasis::Game };
                }
            }
            if is_firm && best.is_complete() {
                choice.other_variant = Some(best.candidate.variant);
            }
        }
        choice
    }

    /// Tries the variants in this order and returns the best trial, the first of equals; `None` if the start position
    /// exists under none of them.
    fn best_trial(&mut self, order: &[Variant]) -> Option<VariantTrial> {
        let clues = self.clues();
        let mut best: Option<(VariantTrial, (u8, u32))> = None;
        for &variant in order {
            let trial = self.try_out(variant.into());
            if !trial.has_position {
                continue;
            }
            let rank = (trial.grade(clues.suit(variant)), trial.outcome.plies);
            if best.is_none_or(|(_, other)| rank > other) {
                best = Some((trial, rank));
            }
            if rank.0 == VariantTrial::BEST_GRADE {
                return Some(trial);
            }
        }
        best.map(|(trial, _)| trial)
    }

    fn clues(&self) -> SquareClues {
        let fen = if let LineStart::Fen(fen) = &self.start { Some(fen) } else { None };
        SquareClues::of(self.line, fen)
    }

    #[cold]
    fn suits(&self, variant: Variant) -> bool {
        self.clues().suit(variant)
    }

    /// Plays the line as a game of the candidate, with all nodes that the options allow.
    fn play<K: PlySink>(&mut self, candidate: CandidateGame, sink: &mut K) -> VariantTrial {
        self.play_within(candidate, self.searches.max_nodes, sink)
    }

    /// Plays the line as a game of the candidate, with few nodes and without a sink.
    fn try_out(&mut self, candidate: CandidateGame) -> VariantTrial {
        self.play_unseen(candidate, self.searches.max_nodes.min(MAX_TRIAL_NODES))
    }

    /// Plays the line as a game of the candidate, with this many nodes and without a sink. Compiled once, not for each sink of a caller.
    #[inline(never)]
    fn play_unseen(&mut self, candidate: CandidateGame, max_nodes: u32) -> VariantTrial {
        self.play_within(candidate, max_nodes, &mut ())
    }

    fn play_within<K: PlySink>(
        &mut self,
        candidate: CandidateGame,
        max_nodes: u32,
        sink: &mut K,
    ) -> VariantTrial {
        let mut is_odd = false;
        let mut start = match &self.start {
            LineStart::Standard => {
                let start = self.tables.start(&candidate);
                let drawn = match &self.line.draw {
                    None => Some(start),
                    Some(draw) => draw.position(&candidate, self.tables.codes(&candidate), &start),
                };
                match drawn {
                    Some(start) => start,
                    None => return VariantTrial::without_position(candidate, start),
                }
            }
            LineStart::Unreadable => {
                return VariantTrial::without_position(candidate, self.tables.start(&candidate));
            }
            LineStart::Fen(fen) => {
                let read =
                    Position::from_fen_named(candidate.game(), &candidate.names(), fen, |_| is_odd = true);
                match read {
                    Ok(position) => *position.state(),
                    Err(_) => {
                        return VariantTrial::without_position(candidate, self.tables.start(&candidate));
                    }
                }
            }
        };
        if matches!(self.start, LineStart::Standard)
            && self.line.draw.is_none()
            && let Some(first) = self.first_move_of_fragment()
            && self.play_line(&candidate, &start, max_nodes, &mut ()).stop.is_some()
        {
            let mut outcome = LineOutcome::not_played(start);
            outcome.stop = Some((first, StopReason::MissingMove));
            return VariantTrial { outcome, is_fragment: true, ..VariantTrial::not_played(candidate, start) };
        }
        let turn_unknown = matches!(&self.start, LineStart::Fen(fen) if fen.turn().is_none());
        let has_two_turns = matches!(&self.start, LineStart::Fen(fen) if fen.other_turn().is_some());
        let mut turn_inferred = false;
        if (turn_unknown || has_two_turns) && !self.line.tokens.is_empty() {
            // The side that can make the first move is to move. If neither can, the second letter counts, or else the starting
            // side of the variant.
            let other = State { turn: !start.turn, ..start };
            let can_move = self.plies_from(&candidate, &start, max_nodes) > 0;
            let other_can_move = self.plies_from(&candidate, &other, max_nodes) > 0;
            if !can_move && other_can_move {
                start = other;
            }
            turn_inferred = can_move != other_can_move;
        }
        let outcome = self.play_line(&candidate, &start, max_nodes, sink);
        let is_odd = is_odd && !turn_unknown;
        VariantTrial {
            candidate,
            start,
            outcome,
            is_odd,
            turn_inferred,
            has_position: true,
            is_fragment: false,
        }
    }

    /// Returns the first move if its number is greater than 1, as in `32. 38-33`: then the moves before it are not known.
    fn first_move_of_fragment(&self) -> Option<Span> {
        let first = self.line.tokens.get(0).filter(|token| token.kind.is_move())?.span;
        let before = self.text[..first.start as usize].trim_ascii_end().strip_suffix(b".")?;
        let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let number = &before[before.len() - digits..];
        let significant = number.iter().position(|&digit| digit != b'0')?;
        (number[significant..] != *b"1").then_some(first)
    }

    /// Returns the number of legal plies of the line from a start position. Compiled once, as [`play_unseen`](Self::play_unseen) is.
    #[inline(never)]
    fn plies_from(&mut self, candidate: &CandidateGame, start: &State<u128>, max_nodes: u32) -> u32 {
        self.play_line(candidate, start, max_nodes, &mut ()).plies
    }

    fn play_line<K: PlySink>(
        &mut self,
        candidate: &CandidateGame,
        start: &State<u128>,
        max_nodes: u32,
        sink: &mut K,
    ) -> LineOutcome {
        let game = candidate.game();
        let budget = self.searches.budget(max_nodes, self.text.len());
        let given = budget.rest();
        let context = LineContext {
            text: self.text,
            tokens: &self.line.tokens,
            codes: self.tables.codes(candidate),
            game: &game,
            budget: &budget,
        };
        let outcome = game.rules.with(LinePlayer {
            context,
            candidate,
            start,
            sink,
            buffers: &mut *self.buffers,
            log: &mut *self.log,
        });
        self.searches.take(given, &budget);
        outcome
    }
}

/// The result of playing a line as a game of one candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VariantTrial {
    pub(crate) candidate: CandidateGame,
    /// The position before the first ply.
    pub(crate) start: State<u128>,
    pub(crate) outcome: LineOutcome,
    /// `true` if no game can lead to the start position.
    pub(crate) is_odd: bool,
    /// `true` if the FEN leaves the side to move open and the moves decided.
    pub(crate) turn_inferred: bool,
    /// `false` if the start position does not exist on the board; nothing is played then.
    pub(crate) has_position: bool,
    /// `true` if the game begins with a later move, so that its start position is not known; nothing is played then.
    is_fragment: bool,
}

impl VariantTrial {
    /// The grade of a complete trial with ordinary position and suitable square names; see [`grade`](Self::grade).
    const BEST_GRADE: u8 = 3;

    fn not_played(candidate: CandidateGame, start: State<u128>) -> Self {
        let outcome = LineOutcome::not_played(start);
        Self {
            candidate,
            start,
            outcome,
            is_odd: false,
            turn_inferred: false,
            has_position: true,
            is_fragment: false,
        }
    }

    fn without_position(candidate: CandidateGame, start: State<u128>) -> Self {
        Self { has_position: false, ..Self::not_played(candidate, start) }
    }

    /// Returns the diagnostics of the moves that it played, in the order of play.
    pub(crate) fn diagnostics<'l>(&self, log: &'l DiagnosticLog) -> &'l [Diagnostic] {
        log.of(&self.outcome)
    }

    /// Returns `true` if all written moves are legal.
    const fn is_complete(&self) -> bool {
        self.has_position && self.outcome.stop.is_none()
    }

    /// Returns a rank by which trials are compared; a higher one is better.
    fn rank(&self) -> (u8, u32) {
        (self.grade(true), self.outcome.plies)
    }

    /// Returns 0 without a position, 1 if a move cannot be played, 2 if all can but the position is odd or the square
    /// names do not suit the variant, else [`BEST_GRADE`](Self::BEST_GRADE).
    const fn grade(&self, names_suit: bool) -> u8 {
        match (self.has_position, self.is_complete()) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => Self::BEST_GRADE - (self.is_odd || !names_suit) as u8,
        }
    }

    /// Returns `true` if it stopped at a move that no piece of this variant makes.
    ///
    /// Missed captures and violated capture precedence are mistakes of players. They are no evidence for another
    /// variant.
    const fn contradicts_variant(&self) -> bool {
        match self.outcome.stop {
            None => !self.has_position,
            Some((_, reason)) => matches!(
                reason,
                StopReason::Move(
                    MoveError::NoPiece
                        | MoveError::OtherSide
                        | MoveError::Impossible
                        | MoveError::NoSuchSquare
                        | MoveError::OtherPath
                )
            ),
        }
    }
}

/// The chosen variant and the replay under it.
pub(crate) struct ChosenVariant {
    pub(crate) trial: VariantTrial,
    pub(crate) basis: VariantBasis,
    pub(crate) other_variant: Option<Variant>,
    /// `false` if the GameType tag names a game other than draughts.
    pub(crate) is_draughts: bool,
}

impl ChosenVariant {
    fn new(trial: VariantTrial, basis: VariantBasis) -> Self {
        Self { trial, basis, other_variant: None, is_draughts: true }
    }
}

/// The variants under which one record replays to its end.
pub(crate) struct ReplayingVariants {
    /// `true` if the record contains a written move.
    pub(crate) has_moves: bool,
    /// `true` if a GameType tag names the variant.
    pub(crate) tagged: bool,
    /// By the place of the variant in [`INFERENCE_ORDER`].
    pub(crate) variants: [bool; INFERENCE_ORDER.len()],
}
