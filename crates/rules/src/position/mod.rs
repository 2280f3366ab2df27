//! Positions: pieces, the side to move, FEN in and out, play and undo, keys.
//!
//! [`Position`] knows its [`GameRules`] and works on every board. `State` is the bare core for code that is
//! compiled for one ruleset. Neither knows which moves are legal; [`movegen`](crate::movegen) does.
//!
//! ```
//! use pdn_rules::position::Position;
//! use pdn_rules::rules::Variant;
//!
//! let position = Position::parse_fen(Variant::International, "W:W28,32:BK5,13")?;
//! assert_eq!(position.counts().kings, [0, 1]);
//! assert_eq!(position.to_string(), "W:W28,32:BK5,13");
//! println!("{position:#}"); // a diagram of the board
//! # Ok::<(), pdn_rules::position::ParseFenError>(())
//! ```

mod ply;
pub(crate) mod state;
pub(crate) mod key;
pub(crate) mod fen;
mod diagram;

pub use fen::{ParseFenError, PositionError};
pub use key::StableKey;
pub use ply::Move;
pub use state::Piece;

pub(crate) use state::{State, Streak};

use crate::board::{Bits, Board, Square, SquareNames, SquareSet};
use crate::rules::{GameRules, Rules};
use crate::value::Colour;

/// A position in a game: pieces, side to move, king counters, and the rules and numbering of the game.
///
/// ```
/// use pdn_rules::position::Position;
/// use pdn_rules::rules::Variant;
///
/// let position = Position::start(Variant::International);
/// assert_eq!(position.fen_with_ranges(), "W:W31-50:B1-20");
/// ```
#[doc(alias = "fen", alias = "board")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    game: GameRules,
    state: State<u128>,
}

/// The number of pieces of each kind.
///
/// Two other types hold the same counts: `index::PackedPieceCounts` is the number in a column of an index, made from
/// this type by `From`. `pack::RunningPieceCounts` is kept up to date by a scan of packed moves, without
/// counting bits; it is compared as it is.
///
/// ```
/// use pdn_rules::{Position, Variant};
///
/// let counts = Position::parse_fen(Variant::International, "W:W28,32:BK5,13")?.counts();
/// assert_eq!((counts.men, counts.kings), ([2, 1], [0, 1]));
/// # Ok::<(), pdn_rules::position::ParseFenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct PieceCounts {
    /// The men of White, then of Black.
    pub men: [u8; 2],
    /// The kings of White, then of Black.
    pub kings: [u8; 2],
}

impl PieceCounts {
    /// Counts the pieces of a state.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn of<B: Bits>(state: &State<B>) -> Self {
        Self {
            men: Colour::ALL.map(|colour| state.men(colour).count() as u8),
            kings: Colour::ALL.map(|colour| state.kings(colour).count() as u8),
        }
    }
}

impl Position {
    /// Creates the start position of a game, such as a [`Variant`](crate::rules::Variant).
    pub fn start(game: impl Into<GameRules>) -> Self {
        let game = game.into();
        Self { game, state: State::start(&game.rules, game.numbering.start) }
    }

    /// Creates a position from its pieces, such as those of a board on a screen; [`pieces`](Self::pieces) gives them back.
    /// As in [`from_fen_lenient`](Self::from_fen_lenient), a man may stand on its promotion row, a side may have any number of
    /// pieces, and the board may be empty.
    ///
    /// ```
    /// use pdn_rules::{Position, Variant};
    ///
    /// let position = Position::parse_fen(Variant::Frisian, "B:W28,K5:B19,23")?;
    /// let same = Position::from_pieces(Variant::Frisian, position.turn(), position.pieces());
    /// assert_eq!(same, Ok(position));
    /// let (square, piece) = position.pieces().next().expect("a piece");
    /// let twice = [(square, piece), (square, piece)];
    /// assert_eq!(Position::from_pieces(Variant::Frisian, position.turn(), twice), Err(square));
    /// # Ok::<(), pdn_rules::position::ParseFenError>(())
    /// ```
    ///
    /// # Errors
    /// The first square that the board does not have or that already has a piece.
    pub fn from_pieces(
        game: impl Into<GameRules>,
        turn: Colour,
        pieces: impl IntoIterator<Item = (Square, Piece)>,
    ) -> Result<Self, Square> {
        let game = game.into();
        let mut state = State::<u128>::empty(turn);
        for (square, piece) in pieces {
            if game.rules.board.cell(square).is_none() || state.occupied().has(square.0) {
                return Err(square);
            }
            let bit = u128::one(square.0);
            state.pieces[piece.colour as usize] |= bit;
            state.kings |= bit & u128::all_if(piece.king);
        }
        Ok(Self { game, state })
    }

    /// Creates a position with these pieces. Bits that belong to no square are dropped, and so are kings without a
    /// piece.
    #[doc(hidden)]
    pub fn from_state(game: impl Into<GameRules>, state: State<u128>) -> Self {
        let game = game.into();
        let valid = game.rules.board.valid();
        let pieces = [state.pieces[0] & valid, state.pieces[1] & valid & !state.pieces[0]];
        Self { game, state: State { pieces, kings: state.kings & (pieces[0] | pieces[1]), ..state } }
    }

    /// Returns the rules and the numbering of the game.
    #[inline]
    pub const fn game(&self) -> &GameRules {
        &self.game
    }

    /// Returns the rules of the game.
    #[doc(hidden)]
    #[inline]
    pub const fn rules(&self) -> &Rules {
        &self.game.rules
    }

    /// Returns the board of the game.
    #[inline]
    pub const fn board(&self) -> Board {
        self.game.rules.board
    }

    /// Returns the names of the squares. They are built on every call, in about 100 ns.
    pub const fn names(&self) -> SquareNames {
        self.game.names()
    }

    /// Returns the bare position.
    #[doc(hidden)]
    #[inline]
    pub const fn state(&self) -> &State<u128> {
        &self.state
    }

    /// Returns the side to move.
    #[inline]
    pub const fn turn(&self) -> Colour {
        self.state.turn
    }

    /// Returns the same pieces with this side to move.
    #[must_use]
    pub const fn with_turn(mut self, turn: Colour) -> Self {
        self.state.turn = turn;
        self
    }

    /// Returns the piece on a square; `None` if the square is empty.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.state.piece(square)
    }

    /// Iterates over the pieces and their squares, in the order of the squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + use<> {
        let state = self.state;
        SquareSet(state.occupied()).filter_map(move |square| Some((square, state.piece(square)?)))
    }

    /// Returns the squares of a side's men.
    pub fn men(&self, colour: Colour) -> SquareSet {
        SquareSet(self.state.men(colour))
    }

    /// Returns the squares of a side's kings.
    pub fn kings(&self, colour: Colour) -> SquareSet {
        SquareSet(self.state.kings(colour))
    }

    /// Returns the squares without a piece.
    pub fn empty_squares(&self) -> SquareSet {
        SquareSet(self.board().valid() & !self.state.occupied())
    }

    /// Counts the pieces of each kind.
    pub fn counts(&self) -> PieceCounts {
        PieceCounts::of(&self.state)
    }

    /// Returns the key of the position, the same in every version and on every machine; see [`StableKey`].
    pub fn key(&self) -> StableKey {
        self.state.key_on(self.board())
    }

    /// Returns the key after a legal move that has not been played yet, from the `key` before it, in a few nanoseconds: the
    /// [`key`](Self::key) of the position that [`after_unchecked`](Self::after_unchecked) returns.
    ///
    /// ```
    /// use pdn_rules::{Position, Variant};
    ///
    /// let position = Position::start(Variant::Russian);
    /// let key = position.key();
    /// for mv in &position.moves()? {
    ///     assert_eq!(position.key_after(key, mv), position.after_unchecked(mv).key());
    /// }
    /// # Ok::<(), pdn_rules::movegen::CaptureLimit>(())
    /// ```
    pub fn key_after(&self, key: StableKey, mv: &Move) -> StableKey {
        self.state.key_after_on(self.board(), key, mv)
    }

    /// Returns the number of quiet moves in a row that a side has made with one king, and the square of that king.
    #[doc(hidden)]
    pub fn streak(&self, colour: Colour) -> Streak {
        self.state.streaks[colour as usize]
    }

    /// Returns the same position with a king counter set, as some servers append it to a FEN.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_streak(mut self, colour: Colour, streak: Streak) -> Self {
        self.state.streaks[colour as usize] = streak;
        self
    }

    /// Plays a move that is known to be legal, in a few nanoseconds; [`play`](Self::play) checks that. After an illegal move the
    /// position has no meaning, but nothing panics.
    ///
    /// To take the move back, keep a copy of the position.
    pub fn play_unchecked(&mut self, mv: &Move) {
        if self.game.rules.movement.king_streak != 0 {
            self.state.count_streak(mv);
        }
        self.state.play_uncounted(mv);
    }

    /// Returns the position after a move that is known to be legal; [`after`](Self::after) checks that.
    #[must_use]
    pub fn after_unchecked(mut self, mv: &Move) -> Self {
        self.play_unchecked(mv);
        self
    }

    /// Passes the turn to the other side: a null move, as analyses contain them.
    pub fn pass(&mut self) {
        self.state = self.state.passed();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    #[test]
    fn start_positions_have_the_men_of_their_variant() {
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

    /// Plays the last legal move of each position for a while, with captures and promotions in every variant.
    #[test]
    fn keys_sets_and_pieces_follow_the_moves() {
        for &variant in Variant::ALL {
            let mut position = Position::start(variant);
            let mut list = crate::movegen::MoveList::new();
            for ply in 0..120 {
                position.legal_moves(&mut list).expect("few captures");
                let Some(mv) = list.get(ply * 7 % list.len().max(1)) else { break };
                let after = position.after_unchecked(mv);
                assert_eq!(position.key_after(position.key(), mv), after.key(), "{after:?}");
                let pieces = after.pieces().collect::<Vec<_>>();
                let built = Position::from_pieces(variant, after.turn(), pieces.iter().copied());
                assert_eq!(built.map(|built| built.fen()), Ok(after.fen()));
                for (square, piece) in pieces {
                    let set = if piece.king { after.kings(piece.colour) } else { after.men(piece.colour) };
                    assert!(set.contains(square) && !after.empty_squares().contains(square));
                }
                let counts = after.counts();
                let sets = |colour| (after.men(colour).len(), after.kings(colour).len());
                for colour in Colour::ALL {
                    let n = colour as usize;
                    assert_eq!(sets(colour), (counts.men[n].into(), counts.kings[n].into()));
                }
                let all = Colour::ALL.map(|colour| after.men(colour) | after.kings(colour));
                let squares = after.empty_squares().chain(all[0]).chain(all[1]).collect::<SquareSet>();
                assert_eq!(squares.len(), usize::from(after.board().squares()));
                position = after;
            }
        }
        let square = Square(200);
        assert!(
            [square].into_iter().collect::<SquareSet>().is_empty() && !SquareSet(u128::MAX).contains(square)
        );
        let man = Piece { colour: Colour::White, king: false };
        assert_eq!(Position::from_pieces(Variant::English, Colour::White, [(square, man)]), Err(square));
    }

    /// These keys were published once and never change, because indexes store them. `PDN_BLESS=1` adds those of new variants.
    #[test]
    fn start_position_keys_never_change() {
        let keys: Vec<String> = Variant::ALL
            .iter()
            .map(|&variant| format!("{variant} {}", Position::start(variant).key()))
            .collect();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/position/keys.txt");
        let published = std::fs::read_to_string(path).expect("the keys");
        for line in published.lines() {
            assert!(keys.iter().any(|key| key == line), "{line}");
        }
        if std::env::var_os("PDN_BLESS").is_some() {
            std::fs::write(path, keys.join("\n") + "\n").expect("the file is writable");
        } else {
            assert_eq!(keys, published.lines().collect::<Vec<_>>());
        }
    }
}
