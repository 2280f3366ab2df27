//! The bare position: three words, who moves, and the counters of kings.
//!
//! This is what whole games are replayed on. It knows its board only through the types of the functions that
//! are called on it; [`Position`](super::Position) is the comfortable version that knows its game.

use super::ply::Move;
use crate::board::{Bits, Board, Geometry, Square};
use crate::rules::{Rules, Ruleset, StartSetup};
use crate::value::Colour;

/// Pieces, side to move and king counters. `Copy`: the way to undo a move is to keep the old state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct State<B> {
    /// All pieces of White, all pieces of Black.
    pub pieces: [B; 2],
    /// The kings of both.
    pub kings: B,
    /// Who is to move.
    pub turn: Colour,
    /// For each side the king that moved last, and how often in a row. Kept only where the rules limit it.
    pub streaks: [Streak; 2],
}

/// How many quiet moves in a row a side has made with one king.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Streak {
    /// Where that king stands, as a bit.
    pub square: u8,
    /// Its moves; 0 when the last move was something else.
    pub moves: u8,
}

/// What a square holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Piece {
    /// Whose it is.
    pub colour: Colour,
    /// Whether it is a king.
    pub king: bool,
}

impl<B: Bits> State<B> {
    /// No pieces.
    pub fn empty(turn: Colour) -> Self {
        Self { pieces: [B::NONE; 2], kings: B::NONE, turn, streaks: [Streak::default(); 2] }
    }

    /// The start position of a game.
    pub fn start(rules: &Rules, turn: Colour) -> Self {
        let [white, black] = start_rows(rules.board, rules.setup);
        Self { pieces: [B::narrow(white), B::narrow(black)], ..Self::empty(turn) }
    }

    /// All pieces.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn occupied(&self) -> B {
        self.pieces[0] | self.pieces[1]
    }

    /// The pieces of a side.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn side(&self, colour: Colour) -> B {
        self.pieces[colour as usize]
    }

    /// The men of a side.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn men(&self, colour: Colour) -> B {
        self.side(colour) & !self.kings
    }

    /// The kings of a side.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn kings(&self, colour: Colour) -> B {
        self.side(colour) & self.kings
    }

    /// What stands on a square.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        let colour = Colour::ALL.into_iter().find(|&colour| self.side(colour).has(square.0))?;
        Some(Piece { colour, king: self.kings.has(square.0) })
    }

    /// Plays a legal move of the side to move. With an illegal one the state becomes nonsense, but no function
    /// of the library panics on it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn play<R: Ruleset>(&mut self, rules: R, mv: &Move<B>) {
        if rules.movement().king_streak != 0 {
            self.count_streak(mv);
        }
        self.play_uncounted(mv);
    }

    /// The same with the other side to move: a null move, which ends what a king has made in a row.
    #[must_use]
    pub fn passed(mut self) -> Self {
        self.streaks[self.turn as usize] = Streak::default();
        self.turn = !self.turn;
        self
    }

    /// [`play`](Self::play) where no king counters are kept.
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

    /// Keeps the king counter of the side to move; to be called before the move is played.
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

    /// The king that the side to move may not move because it has made `limit` quiet moves in a row and its
    /// side still has a man.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn blocked_king(&self, limit: u8) -> B {
        let streak = self.streaks[self.turn as usize];
        let blocked = limit != 0 && streak.moves >= limit && self.men(self.turn).any();
        B::one(streak.square) & B::all_if(blocked)
    }

    /// The same state in a wider or narrower word.
    pub fn resized<O: Bits>(&self) -> State<O> {
        State {
            pieces: self.pieces.map(|set| O::narrow(set.widen())),
            kings: O::narrow(self.kings.widen()),
            turn: self.turn,
            streaks: self.streaks,
        }
    }

    /// The same position seen from the other side: the board turned by half a turn and the colours swapped.
    #[must_use]
    pub fn turned<G: Geometry<Bits = B>>(&self) -> Self {
        let layout = G::LAYOUT;
        let turn_square = |at: u8| {
            layout
                .cell(at)
                .and_then(|(row, column)| {
                    layout.bit(layout.height as i8 - 1 - row, layout.width as i8 - 1 - column)
                })
                .unwrap_or(at)
        };
        let turn_set = |set: B| set.squares().fold(B::NONE, |turned, at| turned | B::one(turn_square(at)));
        Self {
            pieces: [turn_set(self.pieces[1]), turn_set(self.pieces[0])],
            kings: turn_set(self.kings),
            turn: !self.turn,
            streaks: [self.streaks[1], self.streaks[0]]
                .map(|streak| Streak { square: turn_square(streak.square), ..streak }),
        }
    }
}

/// The men of White and of Black at the start.
const fn start_rows(board: Board, setup: StartSetup) -> [u128; 2] {
    let layout = board.layout();
    let (mut white, mut black) = (0, 0);
    let mut row = setup.free;
    while row < setup.free + setup.rows && row < layout.height / 2 {
        black |= layout.row(row as i8);
        white |= layout.row((layout.height - 1 - row) as i8);
        row += 1;
    }
    [white, black]
}
