//! Legal moves of a [`Position`], whose rules are known at run time.

use super::capture_paths::{self, CapturePath};
use super::capture_search::{CaptureLimit, DEFAULT_CAPTURE_NODES};
use super::find::{find, find_captured, find_via};
use super::generate;
use super::illegal_reason::illegal_reason;
use super::move_error::{FindError, MoveError};
use super::move_list::MoveList;
use super::perft::perft;
use super::search_budget::SearchBudget;
use crate::board::{Bits, Geometry, Square};
use crate::position::{Move, Position};
use crate::rules::{BitsOf, Ruleset, WithRules};
use alloc::vec::Vec;

impl Position {
    /// Returns all legal moves, each once.
    ///
    /// Use [`legal_moves`](Self::legal_moves) to fill the same list again and again without allocating.
    ///
    /// ```
    /// use pdn_rules::position::Position;
    /// use pdn_rules::rules::Variant;
    ///
    /// let position = Position::start(Variant::International);
    /// assert_eq!(position.moves()?.len(), 9);
    /// # Ok::<(), pdn_rules::movegen::CaptureLimit>(())
    /// ```
    ///
    /// # Errors
    /// [`CaptureLimit`] if the captures need more than [`DEFAULT_CAPTURE_NODES`] search nodes; no position of a real
    /// game comes near.
    pub fn moves(&self) -> Result<MoveList, CaptureLimit> {
        let mut list = MoveList::new();
        self.legal_moves(&mut list)?;
        Ok(list)
    }

    /// Returns the number of sequences of `depth` moves; see [`perft`](fn@super::perft).
    ///
    /// # Errors
    /// [`CaptureLimit`] as for [`moves`](Self::moves), at any position on the way.
    pub fn perft(&self, depth: u32) -> Result<u64, CaptureLimit> {
        perft(self, depth, DEFAULT_CAPTURE_NODES)
    }

    /// Fills `list` with all legal moves, each once.
    ///
    /// # Errors
    /// The same as [`moves`](Self::moves); the content of the list has then no meaning.
    pub fn legal_moves(&self, list: &mut MoveList) -> Result<(), CaptureLimit> {
        self.legal_moves_within(DEFAULT_CAPTURE_NODES, list)
    }

    /// Does the same as [`legal_moves`](Self::legal_moves) with another limit on search nodes.
    ///
    /// # Errors
    /// [`CaptureLimit`] if the captures need more than `capture_nodes` search nodes.
    pub fn legal_moves_within(&self, capture_nodes: u32, list: &mut MoveList) -> Result<(), CaptureLimit> {
        struct Generate<'a>(&'a Position, u32, &'a mut MoveList);
        impl WithRules for Generate<'_> {
            type Output = Result<(), CaptureLimit>;
            fn run<R: Ruleset>(self, rules: R) -> Self::Output {
                generate::legal_moves(rules, &self.0.state().resized(), self.1, self.2)
            }
        }
        self.rules().with(Generate(self, capture_nodes, list))
    }

    /// Returns the only legal move between two squares; if `via` is not empty, the only one that leads over these
    /// squares.
    ///
    /// [`find_via`] defines which written squares match a move. [`parse_move`](Self::parse_move) does all this for
    /// a text.
    ///
    /// # Errors
    /// See [`FindError`].
    #[doc(hidden)]
    pub fn find(&self, from: Square, to: Square, via: &[Square]) -> Result<Move, FindError> {
        self.find_within(DEFAULT_CAPTURE_NODES, from, to, via)
    }

    /// Does the same as [`find`](Self::find) with another limit on search nodes.
    ///
    /// # Errors
    /// See [`FindError`].
    #[doc(hidden)]
    pub fn find_within(
        &self,
        capture_nodes: u32,
        from: Square,
        to: Square,
        via: &[Square],
    ) -> Result<Move, FindError> {
        struct Find<'a>(&'a Position, u32, Square, Square, &'a [Square]);
        impl WithRules for Find<'_> {
            type Output = Result<Move, FindError>;
            fn run<R: Ruleset>(self, rules: R) -> Self::Output {
                let Self(position, capture_nodes, from, to, via) = self;
                // The bit of a square that the board does not have could stand for another square.
                let is_on_board = |square: Square| {
                    u32::from(square.0) < BitsOf::<R>::SIZE && R::Geometry::VALID.has(square.0)
                };
                if !is_on_board(from) || !is_on_board(to) {
                    return Err(FindError::Illegal);
                }
                let state = position.state().resized();
                let found = if via.is_empty() {
                    find(rules, &state, from, to, capture_nodes)
                } else {
                    find_via(rules, &state, from, to, via, capture_nodes)
                };
                found.map(Move::resized)
            }
        }
        self.rules().with(Find(self, capture_nodes, from, to, via))
    }

    /// Returns the capture that the Hub protocol writes with these squares, as [`find_captured`] does.
    pub(crate) fn find_captured(&self, squares: &[Square]) -> Result<Move, FindError> {
        struct Find<'a>(&'a Position, &'a [Square]);
        impl WithRules for Find<'_> {
            type Output = Result<Move, FindError>;
            fn run<R: Ruleset>(self, rules: R) -> Self::Output {
                let state = self.0.state().resized();
                find_captured(rules, &state, self.1, DEFAULT_CAPTURE_NODES).map(Move::resized)
            }
        }
        self.rules().with(Find(self, squares))
    }

    /// Returns `true` if a move is legal, including its captured pieces and its promotion.
    ///
    /// # Errors
    /// [`CaptureLimit`] as for [`moves`](Self::moves).
    pub fn is_legal(&self, mv: &Move) -> Result<bool, CaptureLimit> {
        match self.find(mv.from, mv.to, &[]) {
            Ok(found) => Ok(found == *mv),
            Err(FindError::Ambiguous) => Ok(self.moves()?.contains(mv)),
            Err(FindError::Limit) => Err(CaptureLimit),
            Err(FindError::Illegal | FindError::OtherPath) => Ok(false),
        }
    }

    /// Plays a move. The position does not change if the move is not legal in it, such as a move of another position or variant.
    ///
    /// [`play_unchecked`](Self::play_unchecked) plays moves that are known to be legal. To take a move back, keep a copy of the
    /// position, or use a [`Game`](crate::game::Game).
    ///
    /// ```
    /// use pdn_rules::{Position, Variant};
    ///
    /// let mut position = Position::start(Variant::International);
    /// let moves = position.moves()?;
    /// position.play(&moves[0])?;
    /// assert!(position.play(&moves[0]).is_err(), "White has moved");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The reason why the move is not legal.
    pub fn play(&mut self, mv: &Move) -> Result<(), MoveError> {
        *self = self.after(mv)?;
        Ok(())
    }

    /// Returns the position after a move; see [`play`](Self::play).
    ///
    /// # Errors
    /// The reason why the move is not legal.
    pub fn after(&self, mv: &Move) -> Result<Self, MoveError> {
        if self.is_legal(mv)? {
            Ok(self.after_unchecked(mv))
        } else {
            Err(self.illegal_reason(mv.from, mv.to, &[]))
        }
    }

    /// Returns the reason why no legal move leads from one square to another; if `via` is not empty, over these squares. If one
    /// does, a move with other captured pieces or another promotion was meant, and the reason is [`MoveError::Impossible`].
    pub(crate) fn illegal_reason(&self, from: Square, to: Square, via: &[Square]) -> MoveError {
        struct Reason<'a>(&'a Position, [Square; 2], &'a [Square]);
        impl WithRules for Reason<'_> {
            type Output = MoveError;
            fn run<R: Ruleset>(self, rules: R) -> MoveError {
                let Self(position, ends, via) = self;
                let budget = SearchBudget::new(DEFAULT_CAPTURE_NODES);
                illegal_reason(rules, &position.state().resized(), ends, via, &budget, &mut MoveList::new())
            }
        }
        let is_on_board = |square| self.board().cell(square).is_some();
        match self.find(from, to, via) {
            Ok(_) => MoveError::Impossible,
            Err(FindError::Illegal) if is_on_board(from) && is_on_board(to) => {
                self.rules().with(Reason(self, [from, to], via))
            }
            Err(error) => error.into(),
        }
    }

    /// Returns all paths of a legal capture, or the only path of a quiet move.
    ///
    /// # Errors
    /// [`CaptureLimit`] as for [`moves`](Self::moves).
    pub fn paths(&self, mv: &Move) -> Result<Vec<CapturePath>, CaptureLimit> {
        struct Paths<'a>(&'a Position, &'a Move);
        impl WithRules for Paths<'_> {
            type Output = Result<Vec<CapturePath>, CaptureLimit>;
            fn run<R: Ruleset>(self, rules: R) -> Self::Output {
                let state = self.0.state().resized();
                capture_paths::paths(rules, &state, &self.1.resized(), DEFAULT_CAPTURE_NODES)
            }
        }
        self.rules().with(Paths(self, mv))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Directions};
    use crate::internal::board::Direction;
    use crate::internal::position::split_mix;
    use crate::position::State;
    use crate::rules::{
        Ending, GameRules, ItalianOrder, KingLanding, KingValue, MidPromotion, Precedence, Removal,
        StartSetup, Variant,
    };
    use crate::value::{Colour, Corner};

    /// Returns rules that no game has, by a number.
    fn odd_rules(n: u64) -> GameRules {
        let pick = |kind: u64, choices: usize| (split_mix(n, kind) % choices as u64) as usize;
        let directions = |kind| -> Directions {
            Direction::ALL.iter().copied().filter(|&d| split_mix(n, kind) >> d as u64 & 1 != 0).collect()
        };
        let mut game = Variant::ALL[pick(0, Variant::ALL.len())].game();
        let rules = &mut game.rules;
        rules.board = Board::ALL[pick(1, Board::ALL.len())];
        let rows = pick(2, usize::from(rules.board.height()) / 2 + 1) as u8;
        rules.setup = StartSetup::new(rules.board, 0, rows).expect("at most half of the board");
        let movement = &mut rules.movement;
        (movement.man_steps, movement.man_captures) = (directions(3), directions(4));
        (movement.king_moves, movement.king_captures) = (directions(5), directions(6));
        (movement.flying, movement.reversal) = (pick(7, 2) == 0, pick(8, 2) == 0);
        (movement.man_takes_king, movement.king_streak) = (pick(9, 2) == 0, pick(10, 3) as u8 * 127);
        movement.king_landing = [KingLanding::Anywhere, KingLanding::RightBehind][pick(11, 2)];
        movement.removal = [Removal::AtEnd, Removal::AtOnce][pick(12, 2)];
        movement.mid_promotion =
            [MidPromotion::GoesOnAsMan, MidPromotion::Stops, MidPromotion::GoesOnAsKing][pick(13, 3)];
        movement.precedence = [
            Precedence::Free,
            Precedence::MostPieces,
            Precedence::MostPiecesThenKings,
            Precedence::WithKing,
            Precedence::Italian(ItalianOrder::FirstKing),
            Precedence::Value(KingValue::ManAndHalf),
        ][pick(14, 6)];
        rules.ending = [Ending::NoMoveLoses, Ending::NoMoveWins, Ending::FirstKingWins][pick(15, 3)];
        game.numbering.start = Colour::ALL[pick(16, 2)];
        game.numbering.corner =
            [Corner::BottomLeft, Corner::BottomRight, Corner::TopLeft, Corner::TopRight][pick(17, 4)];
        game.numbering.inverted = pick(18, 2) == 0;
        game
    }

    #[test]
    fn odd_rules_and_positions_never_panic() {
        for n in 0..1_500 {
            let game = odd_rules(n);
            let word = |kind| u128::from(split_mix(n, kind)) << 64 | u128::from(split_mix(n, kind + 1));
            let sparse = |kind| word(kind) & word(kind + 2) & word(kind + 4);
            let mut state = State::empty(Colour::ALL[(n % 2) as usize]);
            (state.pieces, state.kings) = ([sparse(20), sparse(30)], sparse(40));
            for mut position in [Position::start(game), Position::from_state(game, state)] {
                let mut list = MoveList::new();
                for _ in 0..4 {
                    let found = position.legal_moves_within(2_000, &mut list);
                    let _ = (position.end(), perft(&position, 2, 500));
                    for (from, to) in [(0, 255), (255, 0), (127, 128), (1, 7), (65, 70)] {
                        let _ = position.find_within(500, Square(from), Square(to), &[Square(from ^ 1)]);
                    }
                    let (Ok(()), Some(&mv)) = (found, list.first()) else { break };
                    assert_eq!(position.play(&mv), Ok(()), "{n}");
                }
                let _ = (position.fen(), position.diagram(), position.key(), position.parse_move("718"));
            }
        }
    }

    #[test]
    fn moves_of_other_positions_are_refused() {
        let start = Position::start(Variant::International);
        for other in [Variant::English, Variant::Canadian, Variant::Turkish, Variant::Frysk] {
            for mv in &Position::start(other).moves().expect("few captures") {
                let is_listed = start.moves().expect("few captures").contains(mv);
                assert_eq!(start.after(mv).is_ok(), is_listed, "{other} {mv:?}");
            }
        }
        let mut mv = start.moves().expect("few captures")[0];
        mv.promotes = true;
        assert_eq!(start.after(&mv), Err(MoveError::Impossible));
        mv.from = Square(200);
        assert_eq!(start.after(&mv), Err(MoveError::Impossible));
    }
}
