//! The bare position: three words, the side to move, and the counters of kings.
//!
//! Whole games are replayed on it. It knows its board only through the type parameters of its functions;
//! [`Position`](super::Position) is the convenient form that knows its game.

use super::ply::Move;
use crate::board::{BitLayout, Bits, Board, Geometry, Square};
use crate::rules::{Rules, Ruleset, StartSetup};
use crate::value::Colour;

/// Pieces, side to move and king counters. It is `Copy`: to undo a move, keep the old state.
///
/// ```
/// use pdn_rules::internal::position::State;
/// use pdn_rules::rules::Variant;
/// use pdn_rules::value::Colour;
///
/// let state = State::<u64>::start(&Variant::International.rules(), Colour::White);
/// assert_eq!(state.men(Colour::Black).count_ones(), 20);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct State<B> {
    /// All pieces of White, then all pieces of Black.
    pub pieces: [B; 2],
    /// The kings of both sides.
    pub kings: B,
    /// The side to move.
    pub turn: Colour,
    /// For White, then for Black: the king that moved last and the number of its moves. Updated only if the rules
    /// limit it.
    pub streaks: [Streak; 2],
}

/// The number of quiet moves in a row that a side has made with one king.
///
/// ```
/// use pdn_rules::value::Colour;
/// use pdn_rules::{Position, Variant};
///
/// // Frisian draughts limits the moves in a row that a king makes while its side has a man.
/// let mut position = Position::parse_fen(Variant::Frisian, "W:WK46,40:BK5,11")?;
/// position.play(&position.parse_move("46-41")?)?;
/// assert_eq!(position.streak(Colour::White).moves, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Streak {
    /// The bit of that king's square.
    pub square: u8,
    /// The number of its moves; 0 if the last move was any other.
    pub moves: u8,
}

/// A piece on a square.
///
/// ```
/// use pdn_rules::value::Colour;
/// use pdn_rules::{Position, Variant};
///
/// let position = Position::parse_fen(Variant::International, "W:WK5:B1")?;
/// let piece = position.names().of_number(5).and_then(|square| position.piece(square)).expect("a king");
/// assert!(piece.king && piece.colour == Colour::White);
/// # Ok::<(), pdn_rules::position::ParseFenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Piece {
    /// The side of the piece.
    pub colour: Colour,
    /// `true` for a king, `false` for a man.
    pub king: bool,
}

impl<B: Bits> State<B> {
    /// Creates a state without pieces.
    pub fn empty(turn: Colour) -> Self {
        Self { pieces: [B::NONE; 2], kings: B::NONE, turn, streaks: [Streak::default(); 2] }
    }

    /// Creates the start position of a game.
    pub fn start(rules: &Rules, turn: Colour) -> Self {
        let [white, black] = start_rows(rules.board, rules.setup);
        Self { pieces: [B::narrow(white), B::narrow(black)], ..Self::empty(turn) }
    }

    /// Returns all pieces of both sides.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn occupied(&self) -> B {
        self.pieces[0] | self.pieces[1]
    }

    /// Returns the pieces of a side.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn side(&self, colour: Colour) -> B {
        self.pieces[colour as usize]
    }

    /// Returns the men of a side.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn men(&self, colour: Colour) -> B {
        self.side(colour) & !self.kings
    }

    /// Returns the kings of a side.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn kings(&self, colour: Colour) -> B {
        self.side(colour) & self.kings
    }

    /// Returns the piece on a square; `None` if the square is empty.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        let colour = Colour::ALL.into_iter().find(|&colour| self.side(colour).has(square.0))?;
        Some(Piece { colour, king: self.kings.has(square.0) })
    }

    /// Plays a legal move of the side to move. After an illegal move the state has no meaning, but no function of
    /// the library panics on it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn play<R: Ruleset>(&mut self, rules: R, mv: &Move<B>) {
        if rules.movement().king_streak != 0 {
            self.count_streak(mv);
        }
        self.play_uncounted(mv);
    }

    /// Returns the state after a null move: the same pieces with the other side to move. It ends the king counter
    /// of the side that passes.
    #[must_use]
    pub fn passed(mut self) -> Self {
        self.streaks[self.turn as usize] = Streak::default();
        self.turn = !self.turn;
        self
    }

    /// Does the same as [`play`](Self::play) without updating king counters.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn play_uncounted(&mut self, mv: &Move<B>) {
        let (from, to) = (B::one(mv.from.0), B::one(mv.to.0));
        let own = &mut self.pieces[self.turn as usize];
        *own = (*own & !from) | to;
        self.pieces[!self.turn as usize] &= !mv.captured;
        let king = (self.kings & from).any() | mv.promotes;
        self.kings = (self.kings & !from & !mv.captured) | (to & B::all_if(king));
        self.turn = !self.turn;
    }

    /// Updates the king counter of the side to move. Call it before the move is played.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn count_streak(&mut self, mv: &Move<B>) {
        let streak = &mut self.streaks[self.turn as usize];
        let counts = self.kings.has(mv.from.0) && !mv.captured.any();
        let goes_on = streak.moves != 0 && streak.square == mv.from.0;
        *streak = match (counts, goes_on) {
            (false, _) => Streak::default(),
            (true, false) => Streak { square: mv.to.0, moves: 1 },
            (true, true) => Streak { square: mv.to.0, moves: streak.moves.saturating_add(1) },
        };
    }

    /// Returns the king that the side to move may not move, because it has made `limit` quiet moves in a row and
    /// its side still has a man; else the empty set.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn blocked_king(&self, limit: u8) -> B {
        let streak = self.streaks[self.turn as usize];
        let blocked = limit != 0 && streak.moves >= limit && self.men(self.turn).any();
        B::one(streak.square) & B::all_if(blocked)
    }

    /// Returns the same state in a wider or narrower word.
    pub fn resized<O: Bits>(&self) -> State<O> {
        State {
            pieces: self.pieces.map(|set| O::narrow(set.widen())),
            kings: O::narrow(self.kings.widen()),
            turn: self.turn,
            streaks: self.streaks,
        }
    }

    /// Returns the same position seen from the other side: the board rotated by 180 degrees and the colours
    /// swapped.
    #[must_use]
    pub fn turned<G: Geometry<Bits = B>>(&self) -> Self {
        let Self { pieces: [black, white], kings, turn, streaks: [black_streak, white_streak] } =
            self.on_squares(const { &G::LAYOUT.turned() });
        Self { pieces: [white, black], kings, turn: !turn, streaks: [white_streak, black_streak] }
    }

    /// Returns the mirror image of the position, with left and right exchanged. Boards that use every second cell have none:
    /// the position stays as it is.
    #[must_use]
    pub fn mirrored<G: Geometry<Bits = B>>(&self) -> Self {
        self.on_squares(const { &G::LAYOUT.mirrored() })
    }

    /// Returns the position with each piece on the square that `moved` has for its own.
    fn on_squares(&self, moved: &[u8; BitLayout::MAX]) -> Self {
        let square = |at: u8| moved[usize::from(at) % BitLayout::MAX];
        let set = |set: B| set.squares().fold(B::NONE, |moved, at| moved | B::one(square(at)));
        Self {
            pieces: self.pieces.map(set),
            kings: set(self.kings),
            turn: self.turn,
            streaks: self.streaks.map(|streak| Streak { square: square(streak.square), ..streak }),
        }
    }
}

/// Returns the men of White and of Black at the start.
const fn start_rows(board: Board, setup: StartSetup) -> [u128; 2] {
    let layout = board.layout();
    let (mut white, mut black) = (0, 0);
    let mut row = setup.free();
    while row < setup.free() + setup.rows() && row < layout.height / 2 {
        black |= layout.row(row as i8);
        white |= layout.row((layout.height - 1 - row) as i8);
        row += 1;
    }
    [white, black]
}
