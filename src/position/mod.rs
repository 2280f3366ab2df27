//! Positions: where the pieces stand and who moves; FEN in and out, play and undo, keys.
//!
//! [`Position`] knows its [`GameRules`] and works on every board. [`State`] is the bare core for code that is
//! compiled for one ruleset. Neither knows what is legal: that is [`movegen`](crate::movegen)'s business.

mod ply;
mod state;
pub mod key;
mod fen;
mod diagram;

pub use fen::{ParseFenError, PositionError, PositionErrorKind};
pub use key::StableKey;
pub use ply::Move;
pub use state::{Piece, State, Streak};

use crate::board::{Bits, Board, Square, SquareNames};
use crate::rules::{GameRules, Rules};
use crate::value::Colour;

/// A position in a game: pieces, side to move, king counters, and the rules and numbering it is played by.
///
/// ```
/// use pdn::position::Position;
/// use pdn::rules::Variant;
///
/// let position = Position::start(Variant::International);
/// assert_eq!(position.fen_with_ranges(), "W:W31-50:B1-20");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Position {
    game: GameRules,
    state: State<u128>,
}

/// What it takes to take a move back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use = "without it the move cannot be taken back"]
pub struct Undo(State<u128>);

/// How many pieces of each kind there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct PieceCounts {
    /// Men of White, men of Black.
    pub men: [u8; 2],
    /// Kings of White, kings of Black.
    pub kings: [u8; 2],
}

impl Position {
    /// The start position of a game; of a [`Variant`](crate::rules::Variant) too.
    pub fn start(game: impl Into<GameRules>) -> Self {
        let game = game.into();
        Self { game, state: State::start(&game.rules, game.numbering.start) }
    }

    /// A position with these pieces. Bits that belong to no square are dropped, and kings that are no pieces.
    pub fn from_state(game: impl Into<GameRules>, state: State<u128>) -> Self {
        let game = game.into();
        let valid = game.rules.board.layout().valid();
        let pieces = [state.pieces[0] & valid, state.pieces[1] & valid & !state.pieces[0]];
        Self { game, state: State { pieces, kings: state.kings & (pieces[0] | pieces[1]), ..state } }
    }

    /// The rules and the numbering.
    pub const fn game(&self) -> &GameRules {
        &self.game
    }

    /// The rules.
    pub const fn rules(&self) -> &Rules {
        &self.game.rules
    }

    /// The board.
    pub const fn board(&self) -> Board {
        self.game.rules.board
    }

    /// The names of the squares; built anew each time.
    pub const fn names(&self) -> SquareNames {
        self.game.names()
    }

    /// The bare position.
    pub const fn state(&self) -> &State<u128> {
        &self.state
    }

    /// Who is to move.
    pub const fn turn(&self) -> Colour {
        self.state.turn
    }

    /// The same pieces with this side to move.
    #[must_use]
    pub const fn with_turn(mut self, turn: Colour) -> Self {
        self.state.turn = turn;
        self
    }

    /// What stands on a square.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.state.piece(square)
    }

    /// How many pieces of each kind there are.
    pub fn counts(&self) -> PieceCounts {
        let mut counts = PieceCounts::default();
        for colour in Colour::ALL {
            counts.men[colour as usize] = self.state.men(colour).count() as u8;
            counts.kings[colour as usize] = self.state.kings(colour).count() as u8;
        }
        counts
    }

    /// The key of the position, the same for ever; see [`key`].
    pub fn key(&self) -> StableKey {
        self.state.key_on(self.board())
    }

    /// How many quiet moves in a row a side has made with one king, and with which.
    pub fn streak(&self, colour: Colour) -> Streak {
        self.state.streaks[colour as usize]
    }

    /// The same position with a king counter set, as servers write it behind a FEN.
    #[must_use]
    pub const fn with_streak(mut self, colour: Colour, streak: Streak) -> Self {
        self.state.streaks[colour as usize] = streak;
        self
    }

    /// Plays a legal move. An illegal one makes the position nonsense, but nothing panics on it.
    pub fn play(&mut self, mv: &Move) -> Undo {
        let before = Undo(self.state);
        if self.game.rules.movement.king_streak != 0 {
            self.state.count_streak(mv);
        }
        self.state.play_uncounted(mv);
        before
    }

    /// The position after a legal move.
    #[must_use]
    pub fn after(mut self, mv: &Move) -> Self {
        let _ = self.play(mv);
        self
    }

    /// Passes: the other side is to move. Null moves occur in analyses.
    pub fn pass(&mut self) -> Undo {
        let before = Undo(self.state);
        self.state = self.state.passed();
        before
    }

    /// Takes back the last move played.
    pub fn undo(&mut self, undo: Undo) {
        self.state = undo.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn start_positions_have_their_men() {
        for (variant, men) in [
            (Variant::International, 20),
            (Variant::English, 12),
            (Variant::Canadian, 30),
            (Variant::Turkish, 16),
            (Variant::Thai, 8),
            (Variant::Spantsiretti, 15),
            (Variant::Frysk, 5),
        ] {
            let counts = Position::start(variant).counts();
            assert_eq!((counts.men, counts.kings), ([men, men], [0, 0]), "{variant}");
        }
    }

    /// Published once, never to change: keys are written into indexes.
    #[test]
    fn start_keys_never_change() {
        let keys: Vec<String> = Variant::ALL
            .iter()
            .map(|&variant| format!("{variant} {}", Position::start(variant).key()))
            .collect();
        assert_eq!(keys, include_str!("keys.txt").lines().collect::<Vec<_>>());
    }
}
