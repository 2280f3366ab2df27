//! A game being played: its positions, its moves, and its end by the rules.
//!
//! [`Position`] knows no history. A [`Game`] keeps it, so that moves can be taken back and draws by repetition are noticed.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::movegen::{DrawWatch, GameEnd, MoveError};
use crate::position::{Move, Position};
use crate::rules::{DrawReason, GameRules};
use crate::value::Colour;

/// A game: the start position, the moves since then, and the end.
///
/// ```
/// use pdn_rules::game::Game;
/// use pdn_rules::Variant;
///
/// let mut game = Game::new(Variant::International);
/// for text in ["32-28", "19-23", "28x19", "14x23"] {
///     game.play(text)?;
/// }
/// assert_eq!(game.moves().len(), 4);
/// assert!(game.play("31-36").is_err());
/// assert_eq!(game.outcome(), None);
///
/// game.undo();
/// assert_eq!(game.position().fen_with_ranges(), "B:W19,31,33-50:B1-18,20");
/// # Ok::<(), pdn_rules::movegen::MoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    /// The start position and the position after each move.
    positions: Vec<Position>,
    moves: Vec<Move>,
    watch: DrawWatch,
    /// The draw rule that applies now.
    draw: Option<DrawReason>,
}

/// The outcome of a game by its rules.
///
/// ```
/// use pdn_rules::game::{Game, GameOutcome};
/// use pdn_rules::{Position, Variant};
///
/// let mut game = Game::from_position(Position::parse_fen(Variant::Turkish, "W:WK1:BK64")?);
/// game.play("1-2")?;
/// assert!(matches!(game.outcome(), Some(GameOutcome::Drawn(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum GameOutcome {
    /// A side has won.
    Won(GameEnd),
    /// The game is drawn.
    Drawn(DrawReason),
}

impl GameOutcome {
    /// Returns the side that has won; `None` for a draw.
    pub const fn winner(&self) -> Option<Colour> {
        match self {
            Self::Won(end) => Some(end.winner),
            Self::Drawn(_) => None,
        }
    }
}

/// Writes the outcome and its reason: `White has won: Black has no legal move`, `draw: a position has occurred too often`.
impl fmt::Display for GameOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Won(end) => end.fmt(f),
            Self::Drawn(reason) => write!(f, "draw: {reason}"),
        }
    }
}

impl Game {
    /// Starts a game, such as one of a [`Variant`](crate::rules::Variant), from its start position.
    pub fn new(game: impl Into<GameRules>) -> Self {
        Self::from_position(Position::start(game))
    }

    /// Starts a game from a position. Draw rules count from there.
    pub fn from_position(position: Position) -> Self {
        Self { positions: vec![position], moves: Vec::new(), watch: DrawWatch::new(&position), draw: None }
    }

    /// Returns the position after the last move.
    pub fn position(&self) -> &Position {
        // There is always the start position.
        &self.positions[self.moves.len()]
    }

    /// Returns the start position and the position after each move.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Returns the moves from the first to the last.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays a written move, in any form that [`Position::parse_move`] understands, and returns it. Moves may follow a draw: rules
    /// leave it to the players whether they claim one.
    ///
    /// # Errors
    /// The reason why the text is no legal move; the game does not change.
    pub fn play(&mut self, text: impl AsRef<[u8]>) -> Result<Move, MoveError> {
        let mv = self.position().parse_move(text)?;
        self.push(mv, self.position().after_unchecked(&mv));
        Ok(mv)
    }

    /// Plays a move, such as one of [`Position::moves`].
    ///
    /// ```
    /// use pdn_rules::game::Game;
    /// use pdn_rules::Variant;
    ///
    /// // Always the first legal move.
    /// let mut game = Game::new(Variant::English);
    /// while game.outcome().is_none() {
    ///     let moves = game.position().moves()?;
    ///     game.play_move(&moves[0])?;
    /// }
    /// println!("{} after {} plies", game.outcome().unwrap(), game.moves().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The reason why the move is not legal; the game does not change.
    pub fn play_move(&mut self, mv: &Move) -> Result<(), MoveError> {
        let after = self.position().after(mv)?;
        self.push(*mv, after);
        Ok(())
    }

    fn push(&mut self, mv: Move, after: Position) {
        let before = *self.position();
        self.draw = self.watch.played(&before, &mv, &after);
        self.moves.push(mv);
        self.positions.push(after);
    }

    /// Takes the last move back and returns it; `None` at the start. Takes time in proportion to the length of the game.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        (self.watch, self.draw) = (DrawWatch::new(&self.positions[0]), None);
        for (pair, mv) in self.positions.windows(2).zip(&self.moves) {
            self.draw = self.watch.played(&pair[0], mv, &pair[1]);
        }
        Some(mv)
    }

    /// Returns the outcome if the side to move has lost or won, or if a draw rule applies now; `None` if the game goes on.
    pub fn outcome(&self) -> Option<GameOutcome> {
        self.position().end().map(GameOutcome::Won).or(self.draw.map(GameOutcome::Drawn))
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;
    use crate::rules::Variant;

    fn game(variant: Variant, fen: &str, moves: &[&str]) -> Game {
        let mut game = Game::from_position(Position::parse_fen(variant, fen).expect("a position"));
        for text in moves {
            game.play(text).expect("a legal move");
        }
        game
    }

    #[test]
    fn games_end_by_win_or_draw() {
        for (variant, fen, moves, expected) in [
            (Variant::International, "W:W28:B23", &["28x19"][..], Some("White has won: Black has no piece")),
            (Variant::Antidraughts, "W:W28:B23", &["28x19"], Some("Black has won: Black has no piece")),
            (Variant::Breakthrough, "W:W7:B20", &["7-1"], Some("White has won: White has a king")),
            (Variant::Turkish, "W:WK1:BK64", &["1-2"], Some("draw: one piece is left on each side")),
            (Variant::International, "W:W28:B20", &["28-22"], None),
        ] {
            let outcome = game(variant, fen, moves).outcome().map(|outcome| outcome.to_string());
            assert_eq!(outcome.as_deref(), expected, "{variant} {fen}");
        }
    }

    #[test]
    fn repetition_is_noticed_and_taken_back() {
        let cycle = ["46-41", "3-9", "41-46", "9-3"];
        let mut game = game(Variant::International, "W:WK46,40:BK3,11", &cycle);
        for text in cycle {
            assert_eq!(game.outcome(), None);
            game.play(text).expect("a legal move");
        }
        assert_eq!(game.outcome(), Some(GameOutcome::Drawn(DrawReason::Repetition)));
        assert_eq!(game.outcome().and_then(|outcome| outcome.winner()), None);
        let last = game.undo().expect("eight moves");
        assert_eq!((game.moves().len(), game.positions().len(), game.outcome()), (7, 8, None));
        game.play_move(&last).expect("the same move");
        assert_eq!(game.outcome(), Some(GameOutcome::Drawn(DrawReason::Repetition)));
        while game.undo().is_some() {}
        assert_eq!(game.position(), &game.positions()[0]);
    }

    #[test]
    fn men_that_step_sideways_repeat_positions() {
        let cycle = ["a3-b3", "h6-g6", "b3-a3", "g6-h6"];
        let mut game = game(Variant::Turkish, "W:Wa3,d2:Bh6,d7", &cycle);
        for text in cycle {
            assert_eq!(game.outcome(), None);
            game.play(text).expect("a legal move");
        }
        assert_eq!(game.outcome(), Some(GameOutcome::Drawn(DrawReason::Repetition)));
    }

    #[test]
    fn illegal_moves_change_nothing() {
        let mut game = Game::new(Variant::International);
        let other = Position::start(Variant::English).moves().expect("few captures")[0];
        assert!(game.play_move(&other).is_err(), "a move of another variant");
        for (text, error) in [
            ("19-23", MoveError::OtherSide),
            ("28-23", MoveError::NoPiece),
            ("32-23", MoveError::Impossible),
            ("32-99", MoveError::NoSuchSquare),
            ("x", MoveError::Unreadable),
        ] {
            assert_eq!(game.play(text), Err(error), "{text}");
        }
        assert_eq!((game.moves().len(), game.position()), (0, &Position::start(Variant::International)));
    }
}
