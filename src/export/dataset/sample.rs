//! One position of a training set.

use crate::position::split_mix;

/// An evaluation that is missing.
pub(super) const NO_EVAL: i16 = i16::MIN;

/// A position with the result of its game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Sample {
    /// White's men and kings and Black's men and kings, by square number.
    pub(super) boards: [u128; 4],
    pub(super) black_to_move: bool,
    /// White's score in halves: 0, 1 or 2.
    pub(super) halves: u8,
    /// Evaluation in hundredths of a man; [`NO_EVAL`] if there is none.
    pub(super) eval: i16,
    pub(super) ply: u16,
}

impl Sample {
    /// A position without pieces.
    pub(super) const EMPTY: Self =
        Self { boards: [0; 4], black_to_move: false, halves: 0, eval: NO_EVAL, ply: 0 };

    /// Length in bytes of a stored sample on boards with up to 64 squares, and on larger ones.
    pub(super) const LENGTHS: [usize; 2] = [4 * 8 + 8, 4 * 16 + 8];

    /// Returns the same position seen from the other side, on a board with this number of squares.
    // Twin: `State::turned`; test: `turned_samples_are_turned_positions`.
    pub(super) fn turned(self, squares: u32) -> Self {
        let turn = |set: u128| set.reverse_bits() >> (128 - squares);
        let [white_men, white_kings, black_men, black_kings] = self.boards.map(turn);
        Self {
            boards: [black_men, black_kings, white_men, white_kings],
            black_to_move: !self.black_to_move,
            halves: 2 - self.halves,
            eval: if self.eval == NO_EVAL { NO_EVAL } else { -self.eval },
            ply: self.ply,
        }
    }

    /// Returns a hash of the position.
    pub(super) fn hash(&self, seed: u64) -> u64 {
        let mut hash = split_mix(seed, u64::from(self.black_to_move));
        for board in self.boards {
            hash = split_mix(hash, board as u64 ^ split_mix(hash, (board >> 64) as u64));
        }
        hash
    }

    /// Appends the sample to a buffer.
    pub(super) fn store(&self, wide: bool, out: &mut Vec<u8>) {
        store_boards(&self.boards, wide, out);
        out.extend([self.halves, u8::from(self.black_to_move)]);
        out.extend(self.eval.to_le_bytes());
        out.extend(self.ply.to_le_bytes());
        out.extend([0; 2]);
    }

    /// Reads a stored sample; `None` if the bytes are too few.
    pub(super) fn load(bytes: &[u8], wide: bool) -> Option<Self> {
        let width = if wide { 16 } else { 8 };
        let board = |n: usize| {
            let mut board = [0; 16];
            board[..width].copy_from_slice(bytes.get(n * width..(n + 1) * width)?);
            Some(u128::from_le_bytes(board))
        };
        let &[halves, black, eval_low, eval_high, ply_low, ply_high, ..] = bytes.get(4 * width..)? else {
            return None;
        };
        Some(Self {
            boards: [board(0)?, board(1)?, board(2)?, board(3)?],
            black_to_move: black != 0,
            halves,
            eval: i16::from_le_bytes([eval_low, eval_high]),
            ply: u16::from_le_bytes([ply_low, ply_high]),
        })
    }
}

/// Appends four bitboards, of 16 bytes each if `wide`, else of 8.
pub(super) fn store_boards(boards: &[u128; 4], wide: bool, out: &mut Vec<u8>) {
    for board in boards {
        out.extend_from_slice(&board.to_le_bytes()[..if wide { 16 } else { 8 }]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Geometry, WithBoard};
    use crate::export::squares::SquareTable;
    use crate::movegen::MoveList;
    use crate::position::{Position, State};
    use crate::rules::Variant;
    use crate::value::Colour;

    fn sample(table: &SquareTable, state: &State<u128>) -> Sample {
        let boards = [
            state.men(Colour::White),
            state.kings(Colour::White),
            state.men(Colour::Black),
            state.kings(Colour::Black),
        ];
        let black_to_move = state.turn == Colour::Black;
        Sample { boards: boards.map(|set| table.by_number(set)), black_to_move, halves: 2, eval: 5, ply: 7 }
    }

    #[test]
    fn turned_samples_are_turned_positions() {
        struct Turn(State<u128>);
        impl WithBoard for Turn {
            type Output = State<u128>;
            fn run<G: Geometry>(self) -> State<u128> {
                self.0.resized::<G::Bits>().turned::<G>().resized()
            }
        }
        for &variant in Variant::ALL {
            let table = SquareTable::new(variant.into());
            let squares = variant.board().layout().valid().count_ones();
            let mut position = Position::start(variant);
            for n in 0..60 {
                let own = sample(&table, position.state());
                let other = sample(&table, &variant.board().with(Turn(*position.state())));
                let turned = own.turned(squares);
                assert_eq!(
                    (turned.boards, turned.black_to_move),
                    (other.boards, other.black_to_move),
                    "{variant}"
                );
                assert_eq!((turned.halves, turned.eval), (0, -5));
                assert_eq!(turned.turned(squares), own);
                let wide = squares > 64;
                let mut bytes = Vec::new();
                own.store(wide, &mut bytes);
                assert_eq!(
                    (bytes.len(), Sample::load(&bytes, wide)),
                    (Sample::LENGTHS[usize::from(wide)], Some(own))
                );
                let mut moves = MoveList::new();
                position.legal_moves(&mut moves).expect("few captures");
                let Some(mv) = moves.get(n * 7 % moves.len().max(1)) else { break };
                position = position.after(mv);
            }
        }
    }
}
