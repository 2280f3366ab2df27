//! From a written move to the legal one it means, where that takes more than a look: several readings, several
//! captures, captures in several texts, marks for missing moves, setups.
//!
//! Nothing here is on the way of an ordinary move; see [`run`](super::run). Nothing is allocated but in lists of
//! legal moves, which are used again.

use super::effort::SearchBudget;
use super::tokens::{LineTokenKind, Token, Tokens};
use super::{BitsOf, StopReason};
use crate::board::{Bits, Square};
use crate::movegen::{CaptureLimit, FindError, MoveList, find, find_via, legal_moves, paths};
use crate::notation::{MoveForm, MoveText, SquareCode, SquareCodes};
use crate::position::{Move, Position, State};
use crate::rules::{Custom, GameRules, Movement, Precedence, Ruleset};
use crate::value::Fen;

/// What all moves of a game have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context<'a> {
    /// The bytes of the game.
    pub(super) text: &'a [u8],
    pub(super) tokens: &'a Tokens,
    pub(super) codes: &'a SquareCodes,
    pub(super) game: &'a GameRules,
    pub(super) effort: &'a SearchBudget,
}

/// What stands at a place of the line.
pub(super) enum Resolved<B> {
    /// A legal move, in so many tokens.
    Move { mv: Move<B>, tokens: usize, note: Option<MoveRemark> },
    /// Several legal moves.
    Many(MoveChoices<B>),
    /// Nothing that matters, in so many tokens.
    Pass(usize),
    /// A null move, in one token.
    Null,
    /// A new position, in one token.
    Position(State<B>),
    /// Nothing that could be played.
    Stop(StopReason),
}

/// What is remarkable about the text of a legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveRemark {
    /// It names squares that the capture does not pass.
    OtherSquares,
    /// It is the first of several for one capture.
    Split,
}

/// A few moves, without allocation.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveChoices<B> {
    moves: [Option<Move<B>>; MOST],
    len: usize,
}

/// More captures with the same squares than any real position has.
const MOST: usize = 12;

impl<B: Bits> MoveChoices<B> {
    fn new() -> Self {
        Self { moves: [None; MOST], len: 0 }
    }

    /// Adds a move that is not there yet; beyond [`MOST`] they are forgotten.
    fn add(&mut self, mv: Move<B>) {
        if self.len < MOST && !self.iter().any(|&other| other == mv) {
            self.moves[self.len] = Some(mv);
            self.len += 1;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Move<B>> {
        self.moves[..self.len].iter().flatten()
    }
}

/// A way to read a text: first square, last square, squares between.
#[derive(Clone, Copy)]
struct Reading<'v> {
    from: Square,
    to: Square,
    via: &'v [Square],
}

impl<'a> Context<'a> {
    /// What the tokens from `at` on mean in this position.
    #[cold]
    #[inline(never)]
    pub(super) fn resolve<R: Ruleset>(
        &self,
        rules: R,
        state: &State<BitsOf<R>>,
        at: usize,
        list: &mut MoveList,
    ) -> Resolved<BitsOf<R>> {
        let token = self.tokens.at(at);
        match token.kind {
            LineTokenKind::Pair | LineTokenKind::Text => self.resolve_move(rules, state, at, list),
            LineTokenKind::Captures | LineTokenKind::Lost => Resolved::Pass(1),
            LineTokenKind::Ellipsis | LineTokenKind::Dash => self.missing(rules, state, at, list),
            LineTokenKind::Setup => self.set_up(state, token),
        }
    }

    /// A mark for a missing move: harmless where nothing follows or the next move fits all the same.
    fn missing<R: Ruleset>(
        &self,
        rules: R,
        state: &State<BitsOf<R>>,
        at: usize,
        list: &mut MoveList,
    ) -> Resolved<BitsOf<R>> {
        let mut rest = self.tokens.within(at..self.tokens.len());
        let next = rest.position(|token| token.kind.is_move() || token.kind == LineTokenKind::Setup);
        let Some(next) = next else { return Resolved::Pass(self.tokens.len() - at) };
        if self.tokens.at(at + next).kind == LineTokenKind::Setup {
            return Resolved::Pass(next);
        }
        let only_dots = (at..at + next).all(|at| self.tokens.at(at).kind != LineTokenKind::Dash);
        if only_dots && !matches!(self.resolve_move(rules, state, at + next, list), Resolved::Stop(_)) {
            return Resolved::Pass(next);
        }
        Resolved::Stop(StopReason::MissingMove)
    }

    fn set_up<B: Bits>(&self, state: &State<B>, token: Token) -> Resolved<B> {
        let Ok(fen) = Fen::parse(token.span.of(self.text)) else {
            return Resolved::Stop(StopReason::BadPosition);
        };
        if fen.is_null_move() {
            // One that says who is to move already changes nothing.
            let same = fen.turn() == Some(state.turn);
            return if same { Resolved::Position(*state) } else { Resolved::Null };
        }
        match Position::from_fen_lenient(*self.game, &fen, |_| {}) {
            Ok(position) => Resolved::Position(position.state().resized()),
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
        let token = self.tokens.at(at);
        let bare;
        let text = if token.kind == LineTokenKind::Pair {
            bare = [token.from, token.to];
            None
        } else {
            bare = [SquareCode(0); 2];
            match MoveText::read(token.span.of(self.text)) {
                Some(text) => Some(text),
                None => return Resolved::Stop(StopReason::Unreadable),
            }
        };
        let codes = text.as_ref().map_or(&bare[..], MoveText::squares);
        let mut squares = [Square(0); MoveText::MAX_SQUARES];
        for (square, &code) in squares.iter_mut().zip(codes) {
            match self.codes.square(code) {
                Some(named) => *square = named,
                // One reading of `718` may lie off the board while the other does not.
                None if text.is_some_and(|text| text.form() == MoveForm::ThreeDigits) => {
                    *square = Square(255)
                }
                None => return Resolved::Stop(StopReason::NoSuchSquare),
            }
        }
        let squares = &squares[..codes.len()];
        let mut found = MoveChoices::new();
        let mut limit = false;
        let mut wrong = None;
        let mut note = None;
        let mut read = |reading, found: &mut MoveChoices<BitsOf<R>>| match self
            .matching(rules, state, &reading, list, found)
        {
            Ok(Some(noted)) => note = note.or(noted),
            Ok(None) => wrong = Some(reading),
            Err(CaptureLimit) => limit = true,
        };
        match text.map_or(MoveForm::Squares, |text| text.form()) {
            MoveForm::Squares => {
                let (from, to) = (squares[0], squares[squares.len() - 1]);
                read(Reading { from, to, via: &squares[1..squares.len() - 1] }, &mut found);
            }
            MoveForm::ThreeDigits => {
                for pair in squares.chunks_exact(2).filter(|pair| pair[0].0 < 128 && pair[1].0 < 128) {
                    read(Reading { from: pair[0], to: pair[1], via: &[] }, &mut found);
                }
            }
            MoveForm::File(file) => {
                let ranks = (1..=12).filter_map(|rank| self.codes.square(SquareCode::of_cell(file, rank)?));
                for from in ranks.filter(|from| state.side(state.turn).has(from.0)) {
                    read(Reading { from, to: squares[0], via: &[] }, &mut found);
                }
            }
        }
        if found.len > 1 {
            self.keep_listed(at, &mut found);
        }
        match (found.len, found.moves[0]) {
            (1, Some(mv)) => Resolved::Move { mv, tokens: 1, note },
            (2.., _) => Resolved::Many(found),
            _ if limit => Resolved::Stop(StopReason::CaptureLimit),
            _ => self.joined(rules, state, at, squares).unwrap_or_else(|| {
                let explained = wrong.map(|reading| self.explain(rules, state, &reading, at, list));
                Resolved::Stop(explained.unwrap_or(StopReason::Impossible))
            }),
        }
    }

    /// Adds the legal moves that answer to a reading, and says what is remarkable about it; `None` if there are none.
    fn matching<R: Ruleset>(
        &self,
        rules: R,
        state: &State<BitsOf<R>>,
        reading: &Reading<'_>,
        list: &mut MoveList,
        found: &mut MoveChoices<BitsOf<R>>,
    ) -> Result<Option<Option<MoveRemark>>, CaptureLimit> {
        let &Reading { from, to, via } = reading;
        let ask = |via: &[Square]| self.find(rules, state, from, to, via);
        let exact = ask(via);
        let (result, note) = match exact {
            // The ends are right and the squares between are not: better than losing the game.
            Err(FindError::OtherPath) => (ask(&[]), Some(MoveRemark::OtherSquares)),
            exact => (exact, None),
        };
        match result {
            Ok(mv) => found.add(mv),
            Err(FindError::Ambiguous) => {
                self.effort.search(|nodes| legal_moves(rules, state, nodes, list), Result::is_err)?;
                let before = found.len;
                let moves = || list.iter().filter(|mv| mv.from == from && mv.to == to).map(|mv| mv.resized());
                let written = via.is_empty() || note.is_some();
                moves()
                    .filter(|mv| written || passes(rules, state, mv, via, self.effort))
                    .for_each(|mv| found.add(mv));
                if found.len == before {
                    moves().for_each(|mv| found.add(mv));
                }
            }
            Err(FindError::Limit) => return Err(CaptureLimit),
            Err(_) => return Ok(None),
        }
        Ok(Some(note))
    }

    /// [`find_via`], as far as the game may go for it.
    fn find<R: Ruleset>(
        &self,
        rules: R,
        state: &State<BitsOf<R>>,
        from: Square,
        to: Square,
        via: &[Square],
    ) -> Result<Move<BitsOf<R>>, FindError> {
        let search = |nodes| match via {
            [] => find(rules, state, from, to, nodes),
            _ => find_via(rules, state, from, to, via, nodes),
        };
        self.effort.search(search, |found| matches!(found, Err(FindError::Limit)))
    }

    /// Of several captures those whose captured squares are listed behind the move.
    fn keep_listed<B: Bits>(&self, at: usize, found: &mut MoveChoices<B>) {
        let Some(token) = self.tokens.get(at + 1).filter(|token| token.kind == LineTokenKind::Captures)
        else {
            return;
        };
        let Some(listed) = MoveText::read_captured(token.span.of(self.text)) else { return };
        let mut set = B::NONE;
        for &code in listed.squares() {
            set |= self.codes.square(code).map_or(B::NONE, |square| B::one(square.0));
        }
        let mut kept = MoveChoices::new();
        found.iter().filter(|mv| mv.captured == set).for_each(|&mv| kept.add(mv));
        if kept.len > 0 {
            *found = kept;
        }
    }

    /// A capture in several texts, each of which goes on where the one before ended (PDN 1.0: `11x18 18x25`).
    fn joined<R: Ruleset>(
        &self,
        rules: R,
        state: &State<BitsOf<R>>,
        at: usize,
        first: &[Square],
    ) -> Option<Resolved<BitsOf<R>>> {
        let mut path = [Square(0); 2 * MoveText::MAX_SQUARES];
        path[..first.len()].copy_from_slice(first);
        let mut len = first.len();
        // No legal capture ends where the first text does, or it would have been found.
        if len < 2 || !state.side(state.turn).has(first[0].0) {
            return None;
        }
        for tokens in 2..=16 {
            let token = self.tokens.get(at + tokens - 1)?;
            let pair;
            let text;
            let codes = match token.kind {
                LineTokenKind::Pair => {
                    pair = [token.from, token.to];
                    &pair[..]
                }
                LineTokenKind::Text => {
                    text = MoveText::read(token.span.of(self.text))
                        .filter(|text| text.form() == MoveForm::Squares)?;
                    text.squares()
                }
                _ => return None,
            };
            let (&from, onward) = codes.split_first()?;
            let (&to, between) = onward.split_last()?;
            if self.codes.square(from) != Some(path[len - 1]) {
                return None;
            }
            for &code in between {
                *path.get_mut(len)? = self.codes.square(code)?;
                len += 1;
            }
            let to = self.codes.square(to)?;
            let via = &path[1..len];
            match self.find(rules, state, path[0], to, via) {
                Ok(mv) if mv.is_capture() => {
                    return Some(Resolved::Move { mv, tokens, note: Some(MoveRemark::Split) });
                }
                _ => {}
            }
            *path.get_mut(len)? = to;
            len += 1;
        }
        None
    }

    /// How many tokens from `at` on go on with a capture that has been played already: of one in several texts the
    /// first may lead from its first square to its last, when it passes that square twice.
    #[cold]
    pub(super) fn repeated_capture_len(&self, at: usize, to: Square) -> Option<usize> {
        let mut here = to;
        let near = at..self.tokens.len().min(at + 16);
        for (place, token) in self.tokens.within(near).enumerate() {
            if token.kind != LineTokenKind::Pair || self.codes.square(token.from) != Some(here) {
                return None;
            }
            here = self.codes.square(token.to)?;
            if here == to {
                return Some(place + 1);
            }
        }
        None
    }

    /// Why no legal move answers to a reading.
    #[cold]
    fn explain<R: Ruleset>(
        &self,
        rules: R,
        state: &State<BitsOf<R>>,
        reading: &Reading<'_>,
        at: usize,
        list: &mut MoveList,
    ) -> StopReason {
        let &Reading { from, to, via } = reading;
        let lost = self.tokens.within(0..at).rev().take_while(|token| !token.kind.is_move());
        if lost.clone().any(|token| token.kind == LineTokenKind::Lost) {
            return StopReason::LostText;
        }
        if !state.side(state.turn).has(from.0) {
            let other = state.side(!state.turn).has(from.0);
            if other && lost.clone().any(|token| token.kind == LineTokenKind::Ellipsis) {
                return StopReason::MissingMove;
            }
            return if other { StopReason::OtherSide } else { StopReason::NoPiece };
        }
        why_illegal(rules, state, from, to, via, self.effort, list).unwrap_or(StopReason::CaptureLimit)
    }
}

/// Why the piece on `from` may not go to `to`.
#[cold]
#[inline(never)]
pub(super) fn why_illegal<R: Ruleset>(
    rules: R,
    state: &State<BitsOf<R>>,
    from: Square,
    to: Square,
    via: &[Square],
    effort: &SearchBudget,
    list: &mut MoveList,
) -> Result<StopReason, CaptureLimit> {
    let movement = rules.movement();
    effort.search(|nodes| legal_moves(rules, state, nodes, list), Result::is_err)?;
    let nodes = effort.free();
    // Were all pieces of one side, there would be nothing to capture and the same squares would be free.
    let mut peaceful = *state;
    peaceful.pieces[state.turn as usize] = state.occupied();
    peaceful.pieces[!state.turn as usize] = Bits::NONE;
    let steps = find(rules, &peaceful, from, to, nodes).is_ok();
    if !list.first().is_some_and(Move::is_capture) {
        let free = Custom::<R::Geometry>::new(Movement { king_streak: 0, ..movement });
        let tired = find(free, &peaceful, from, to, nodes).is_ok();
        return Ok(if tired && !steps { StopReason::KingStreak } else { StopReason::Impossible });
    }
    if steps {
        return Ok(StopReason::MustCapture);
    }
    let free = Custom::<R::Geometry>::new(Movement { precedence: Precedence::Free, ..movement });
    let any = if via.is_empty() {
        find(free, state, from, to, nodes)
    } else {
        find_via(free, state, from, to, via, nodes)
    };
    if matches!(any, Ok(_) | Err(FindError::Ambiguous)) {
        return Ok(StopReason::Precedence);
    }
    effort.search(|nodes| legal_moves(free, state, nodes, list), Result::is_err)?;
    let passes_there =
        list.iter().filter(|mv| mv.from == from).any(|mv| passes(free, state, &mv.resized(), &[to], effort));
    Ok(if passes_there { StopReason::Unfinished } else { StopReason::Impossible })
}

/// Whether a capture lands on these squares in this order, or captures them all.
pub(super) fn passes<R: Ruleset>(
    rules: R,
    state: &State<BitsOf<R>>,
    mv: &Move<BitsOf<R>>,
    via: &[Square],
    effort: &SearchBudget,
) -> bool {
    let taken = !via.is_empty() && via.iter().all(|square| mv.captured.has(square.0));
    taken
        || paths(rules, state, mv, effort.path()).is_ok_and(|paths| {
            paths.iter().any(|path| {
                let mut landings = path.squares[1..path.squares.len() - 1].iter();
                via.iter().all(|square| landings.any(|landing| landing == square))
            })
        })
}
