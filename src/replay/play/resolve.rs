//! Resolves a written move to the legal move that it means, in the cases that the fast path of the player does not
//! handle: several readings, several captures, split captures, missing moves and setups.
//!
//! Moves of two squares that are legal as they stand never get here. Nothing is allocated except in reused lists of
//! legal moves.

use super::{LineContext, Reading};
use crate::board::Square;
use crate::diag::Code;
use crate::movegen::{
    CaptureLimit, FindError, MoveError, MoveList, capture_passes, find_captured, illegal_reason,
    legal_moves_shared,
};
use crate::notation::{MoveForm, MoveText, SquareCode};
use crate::position::{Move, Position, State};
use crate::replay::StopReason;
use crate::replay::line::{LineToken, LineTokenKind};
use crate::rules::{BitsOf, Ruleset};
use crate::value::Fen;
use pdn_rules::internal::board::Bits;

/// The meaning of the tokens from one index on.
pub(super) enum Resolved<B> {
    /// A legal move, written in `tokens` tokens, with the diagnostic that its text deserves.
    Move { mv: Move<B>, tokens: usize, diagnostic: Option<Code> },
    /// Several legal moves match one token.
    Many(MoveChoices<B>),
    /// This number of tokens has no effect.
    Skip(usize),
    /// A null move, in one token.
    Null,
    /// A setup, in one token.
    Setup(State<B>),
    /// The token cannot be played.
    Stop(StopReason),
}

/// The legal moves that match one written move, at most [`MAX_CHOICES`], without allocation.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveChoices<B> {
    moves: [Option<Move<B>>; MAX_CHOICES],
    len: usize,
}

/// Maximum number of [`MoveChoices`]: more than the captures between the same two squares of any real position.
const MAX_CHOICES: usize = 12;

impl<B: Bits> MoveChoices<B> {
    fn new() -> Self {
        Self { moves: [None; MAX_CHOICES], len: 0 }
    }

    /// Adds a move unless it is contained already. Moves beyond [`MAX_CHOICES`] are dropped.
    fn add(&mut self, mv: Move<B>) {
        if self.len < MAX_CHOICES && !self.iter().any(|&other| other == mv) {
            self.moves[self.len] = Some(mv);
            self.len += 1;
        }
    }

    /// Iterates over the moves in the order in which they were added.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Move<B>> {
        self.moves[..self.len].iter().flatten()
    }
}

/// A square that is on no board: a reading with it is skipped.
const OFF_BOARD: Square = Square(255);

/// The result of matching one reading: `None` if no legal move matches, else the diagnostic that its text deserves.
type MatchResult = Result<Option<Option<Code>>, CaptureLimit>;

impl LineContext<'_> {
    /// Returns the meaning of the tokens from `at` on in this position.
    #[cold]
    #[inline(never)]
    pub(super) fn resolve<R: Ruleset>(
        &self,
        rules: R,
        state: &State<BitsOf<R>>,
        at: usize,
        list: &mut MoveList,
    ) -> Resolved<BitsOf<R>> {
        let token = self.tokens.token(at);
        match token.kind {
            LineTokenKind::Pair | LineTokenKind::OtherMove => self.resolve_move(rules, state, at, list),
            LineTokenKind::Captures | LineTokenKind::StrayText => Resolved::Skip(1),
            LineTokenKind::Ellipsis | LineTokenKind::Dash => self.resolve_missing(rules, state, at, list),
            LineTokenKind::Setup => self.resolve_setup(state, token),
        }
    }

    /// Resolves a mark for a missing move. It is skipped if no move follows, or if the next move is legal without it.
    fn resolve_missing<R: Ruleset>(
        &self,
        rules: R,
        state: &State<BitsOf<R>>,
        at: usize,
        list: &mut MoveList,
    ) -> Resolved<BitsOf<R>> {
        let mut rest = self.tokens.range(at..self.tokens.len());
        let next = rest.position(|token| token.kind.is_move() || token.kind == LineTokenKind::Setup);
        let Some(next) = next else { return Resolved::Skip(self.tokens.len() - at) };
        if self.tokens.token(at + next).kind == LineTokenKind::Setup {
            return Resolved::Skip(next);
        }
        let has_no_dash = (at..at + next).all(|at| self.tokens.token(at).kind != LineTokenKind::Dash);
        if has_no_dash && !matches!(self.resolve_move(rules, state, at + next, list), Resolved::Stop(_)) {
            return Resolved::Skip(next);
        }
        Resolved::Stop(StopReason::MissingMove)
    }

    fn resolve_setup<B: Bits>(&self, state: &State<B>, token: LineToken) -> Resolved<B> {
        let Ok(fen) = Fen::parse(token.span.of(self.text)) else {
            return Resolved::Stop(StopReason::BadPosition);
        };
        if fen.is_null_move() {
            // A null move that names the side already to move changes nothing.
            let same_turn = fen.turn() == Some(state.turn);
            return if same_turn { Resolved::Setup(*state) } else { Resolved::Null };
        }
        match Position::from_fen_lenient(*self.game, &fen, |_| {}) {
            Ok(position) => Resolved::Setup(position.state().resized()),
            Err(_) => Resolved::Stop(StopReason::BadPosition),
        }
    }

    fn resolve_move<R: Ruleset>(
        &self,
        rules: R,
        state: &State<BitsOf<R>>,
        at: usize,
        list: &mut MoveList,
    ) -> Resolved<BitsOf<R>> {
        let token = self.tokens.token(at);
        let pair;
        let text = if token.kind == LineTokenKind::Pair {
            pair = [token.from, token.to];
            None
        } else {
            pair = [SquareCode(0); 2];
            match MoveText::read(token.span.of(self.text)) {
                Some(text) => Some(text),
                None => return Resolved::Stop(StopReason::Move(MoveError::Unreadable)),
            }
        };
        let codes = text.as_ref().map_or(&pair[..], MoveText::squares);
        let mut squares = [Square(0); MoveText::MAX_SQUARES];
        for (square, &code) in squares.iter_mut().zip(codes) {
            match self.codes.square(code) {
                Some(named) => *square = named,
                // One reading of `718` may name a square off the board while the other does not.
                None if text.is_some_and(|text| text.form() == MoveForm::ThreeDigits) => *square = OFF_BOARD,
                None => return Resolved::Stop(StopReason::Move(MoveError::NoSuchSquare)),
            }
        }
        let squares = &squares[..codes.len()];
        let mut choices = MoveChoices::new();
        let mut limit_reached = false;
        let mut illegal_reading = None;
        let mut diagnostic = None;
        let mut try_reading = |reading, choices: &mut MoveChoices<BitsOf<R>>| match self
            .add_matching(rules, state, &reading, list, choices)
        {
            Ok(Some(code)) => diagnostic = diagnostic.or(code),
            Ok(None) => illegal_reading = Some(reading),
            Err(CaptureLimit) => limit_reached = true,
        };
        match text.map_or(MoveForm::Squares, |text| text.form()) {
            MoveForm::Squares => {
                let (from, to) = (squares[0], squares[squares.len() - 1]);
                try_reading(Reading { from, to, via: &squares[1..squares.len() - 1] }, &mut choices);
            }
            MoveForm::ThreeDigits => {
                for pair in squares.chunks_exact(2).filter(|pair| pair[0].0 < 128 && pair[1].0 < 128) {
                    try_reading(Reading { from: pair[0], to: pair[1], via: &[] }, &mut choices);
                }
            }
            MoveForm::File(file) => {
                let ranks = (1..=12).filter_map(|rank| self.codes.square(SquareCode::of_cell(file, rank)?));
                for from in ranks.filter(|from| state.side(state.turn).has(from.0)) {
                    try_reading(Reading { from, to: squares[0], via: &[] }, &mut choices);
                }
            }
        }
        if choices.len > 1 {
            self.keep_listed_captures(at, &mut choices);
        }
        let form = text.map_or(MoveForm::Squares, |text| text.form());
        let is_known = choices.len > 0 || !limit_reached;
        if form == MoveForm::Squares
            && is_known
            && let Some((mv, tokens)) = self.join_capture(rules, state, at, squares)
        {
            return Resolved::Move { mv, tokens, diagnostic: Some(Code::SplitCapture) };
        }
        match (choices.len, choices.moves[0]) {
            (1, Some(mv)) => Resolved::Move { mv, tokens: 1, diagnostic },
            (2.., _) => Resolved::Many(choices),
            _ if limit_reached => Resolved::Stop(StopReason::Move(MoveError::CaptureLimit)),
            _ => {
                if form == MoveForm::Squares
                    && let Some(mv) = self.find_in_any_order(rules, state, squares, list)
                {
                    return Resolved::Move { mv, tokens: 1, diagnostic: Some(Code::CaptureOrder) };
                }
                let reason =
                    illegal_reading.map(|reading| self.stop_reason(rules, state, &reading, at, list));
                Resolved::Stop(reason.unwrap_or(StopReason::Move(MoveError::Impossible)))
            }
        }
    }

    /// Returns the capture that the Hub protocol writes with these squares; else the only legal one that has them in any order: two are its first and its last square, and
    /// it captures or lands on each of the others. `None` if no capture has them, or several have.
    #[cold]
    fn find_in_any_order<R: Ruleset>(
        &self,
        rules: R,
        state: &State<BitsOf<R>>,
        squares: &[Square],
        list: &mut MoveList,
    ) -> Option<Move<BitsOf<R>>> {
        if squares.len() < 3 {
            return None;
        }
        let is_limit = |result: &Result<_, _>| matches!(result, Err(FindError::Limit));
        let hub = self.budget.search(|nodes| find_captured(rules, state, squares, nodes), is_limit);
        if let Ok(mv) = hub {
            return Some(mv);
        }
        let written = squares.iter().fold(BitsOf::<R>::NONE, |set, square| set | BitsOf::<R>::one(square.0));
        self.budget.search(|nodes| legal_moves_shared(rules, state, nodes, list), Result::is_err).ok()?;
        let is_written = |mv: &Move<BitsOf<R>>| {
            let ends = [mv.from, mv.to];
            let mut between = squares.iter().filter(|square| !ends.contains(square));
            ends.iter().all(|end| written.has(end.0))
                && mv.is_capture()
                && between.all(|&square| capture_passes(rules, state, mv, &[square], self.budget))
        };
        let mut fitting = list.iter().map(|mv| mv.resized()).filter(is_written);
        let only = fitting.next()?;
        fitting.next().is_none().then_some(only)
    }

    /// Returns the reason why no legal move matches a reading of the token at `at`.
    #[cold]
    fn stop_reason<R: Ruleset>(
        &self,
        rules: R,
        state: &State<BitsOf<R>>,
        reading: &Reading<'_>,
        at: usize,
        list: &mut MoveList,
    ) -> StopReason {
        let since_last_move = self.tokens.range(0..at).rev().take_while(|token| !token.kind.is_move());
        let is_after = |kind| since_last_move.clone().any(|token| token.kind == kind);
        if is_after(LineTokenKind::StrayText) {
            return StopReason::LostText;
        }
        let &Reading { from, to, via } = reading;
        match illegal_reason(rules, state, [from, to], via, self.budget, list) {
            MoveError::OtherSide if is_after(LineTokenKind::Ellipsis) => StopReason::MissingMove,
            reason => reason.into(),
        }
    }

    /// Adds the legal moves that match a reading to `choices`.
    ///
    /// # Errors
    /// If the search budget does not suffice.
    fn add_matching<R: Ruleset>(
        &self,
        rules: R,
        state: &State<BitsOf<R>>,
        reading: &Reading<'_>,
        list: &mut MoveList,
        choices: &mut MoveChoices<BitsOf<R>>,
    ) -> MatchResult {
        let &Reading { from, to, via } = reading;
        let (result, diagnostic) = match self.find_move(rules, state, reading) {
            // The first and last squares are right and those between are not: better than losing the rest of the game.
            Err(FindError::OtherPath) => {
                (self.find_move(rules, state, &Reading { via: &[], ..*reading }), Some(Code::CaptureSquares))
            }
            exact => (exact, None),
        };
        match result {
            Ok(mv) => choices.add(mv),
            Err(FindError::Ambiguous) => {
                self.budget.search(|nodes| legal_moves_shared(rules, state, nodes, list), Result::is_err)?;
                let len_before = choices.len;
                let same_ends =
                    || list.iter().filter(|mv| mv.from == from && mv.to == to).map(|mv| mv.resized());
                let ignores_via = via.is_empty() || diagnostic.is_some();
                same_ends()
                    .filter(|mv| ignores_via || capture_passes(rules, state, mv, via, self.budget))
                    .for_each(|mv| choices.add(mv));
                if choices.len == len_before {
                    same_ends().for_each(|mv| choices.add(mv));
                }
            }
            Err(FindError::Limit) => return Err(CaptureLimit),
            Err(_) => return Ok(None),
        }
        Ok(Some(diagnostic))
    }

    /// Keeps those of several captures that capture exactly the squares listed after the move, if there are any.
    fn keep_listed_captures<B: Bits>(&self, at: usize, choices: &mut MoveChoices<B>) {
        let Some(token) = self.tokens.get(at + 1).filter(|token| token.kind == LineTokenKind::Captures)
        else {
            return;
        };
        let Some(listed) = MoveText::read_captured(token.span.of(self.text)) else { return };
        let mut captured = B::NONE;
        for &code in listed.squares() {
            captured |= self.codes.square(code).map_or(B::NONE, |square| B::one(square.0));
        }
        let mut kept = MoveChoices::new();
        choices.iter().filter(|mv| mv.captured == captured).for_each(|&mv| kept.add(mv));
        if kept.len > 0 {
            *choices = kept;
        }
    }
}
