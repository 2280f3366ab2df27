//! One position of a training set.

use crate::position::split_mix;
use crate::rules::Variant;

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

    /// Writes the sample to `out`, which must have one of the [`LENGTHS`](Self::LENGTHS).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn store(&self, out: &mut [u8]) {
        const NARROW: usize = Sample::LENGTHS[0];
        const WIDE: usize = Sample::LENGTHS[1];
        match out.len() {
            NARROW => self.store_in::<8>(out),
            WIDE => self.store_in::<16>(out),
            _ => debug_assert!(false, "{} bytes", out.len()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn store_in<const BOARD: usize>(&self, out: &mut [u8]) {
        let (boards, rest) = out.split_at_mut(4 * BOARD);
        for (board, out) in self.boards.iter().zip(boards.as_chunks_mut::<BOARD>().0) {
            out.copy_from_slice(&board.to_le_bytes()[..BOARD]);
        }
        let ([eval_low, eval_high], [ply_low, ply_high]) = (self.eval.to_le_bytes(), self.ply.to_le_bytes());
        let black = u8::from(self.black_to_move);
        rest.copy_from_slice(&[self.halves, black, eval_low, eval_high, ply_low, ply_high, 0, 0]);
    }

    /// Reads a stored sample; `None` if the bytes have none of the [`LENGTHS`](Self::LENGTHS).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn load(bytes: &[u8]) -> Option<Self> {
        const NARROW: usize = Sample::LENGTHS[0];
        const WIDE: usize = Sample::LENGTHS[1];
        match bytes.len() {
            NARROW => Self::load_from::<8>(bytes),
            WIDE => Self::load_from::<16>(bytes),
            _ => None,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn load_from<const BOARD: usize>(bytes: &[u8]) -> Option<Self> {
        let (boards, rest) = bytes.split_at_checked(4 * BOARD)?;
        let &[halves, black, eval_low, eval_high, ply_low, ply_high, ..] = rest else { return None };
        let mut sample = Self {
            boards: [0; 4],
            black_to_move: black != 0,
            halves,
            eval: i16::from_le_bytes([eval_low, eval_high]),
            ply: u16::from_le_bytes([ply_low, ply_high]),
        };
        for (board, bytes) in sample.boards.iter_mut().zip(boards.as_chunks::<BOARD>().0) {
            let mut whole = [0; 16];
            whole[..BOARD].copy_from_slice(bytes);
            *board = u128::from_le_bytes(whole);
        }
        Some(sample)
    }

    /// Returns `true` if this is the position of the other sample.
    pub(super) fn is_position_of(&self, other: &Self) -> bool {
        self.boards == other.boards && self.black_to_move == other.black_to_move
    }
}

/// Appends four bitboards, of 16 bytes each if `wide`, else of 8.
pub(super) fn store_boards(boards: &[u128; 4], wide: bool, out: &mut Vec<u8>) {
    for board in boards {
        out.extend_from_slice(&board.to_le_bytes()[..if wide { 16 } else { 8 }]);
    }
}

/// Returns `true` if the boards of a variant have more than 64 squares, so that a bitboard takes 16 bytes.
pub(super) fn is_wide(variant: Variant) -> bool {
    variant.board().layout().valid().count_ones() > 64
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
                let mut bytes = vec![1; Sample::LENGTHS[usize::from(is_wide(variant))]];
                own.store(&mut bytes);
                assert_eq!((bytes.last(), Sample::load(&bytes)), (Some(&0), Some(own)));
                assert_eq!(Sample::load(&bytes[1..]), None);
                let mut moves = MoveList::new();
                position.legal_moves(&mut moves).expect("few captures");
                let Some(mv) = moves.get(n * 7 % moves.len().max(1)) else { break };
                position = position.after(mv);
            }
        }
    }
}
