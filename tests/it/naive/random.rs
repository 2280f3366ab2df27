//! Makes positions for comparing two generators: random numbers, placements, men promoted to kings.

use super::board::{Board, Cell, Colour, Piece, Rank};
use super::rules::Rules;

/// Reproducible random numbers (xorshift64*), for tests only.
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        // Any state except zero will do; the multiplication spreads small seeds.
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        (high % bound as u64) as usize
    }
}

/// Places at most this number of pieces of each side on random squares, of which about `kings` in a hundred are
/// kings.
pub(crate) fn placement(
    rules: &Rules,
    random: &mut Random,
    white: usize,
    black: usize,
    kings: usize,
) -> Board {
    let turn = if random.below(2) == 0 { Colour::White } else { Colour::Black };
    let mut board = Board::empty(rules, turn);
    let squares = rules.squares();
    for (colour, pieces) in [(Colour::White, white), (Colour::Black, black)] {
        for _ in 0..pieces {
            let cell = squares[random.below(squares.len())];
            let rank = if random.below(100) < kings { Rank::King } else { Rank::Man };
            if board.at(cell).is_none() && !(rank == Rank::Man && is_promotion_square(rules, colour, cell)) {
                board.put(cell, Some(Piece { colour, rank }));
            }
        }
    }
    board
}

/// Returns the position with about `kings` in a hundred pieces made kings.
pub(crate) fn with_kings(board: &Board, random: &mut Random, kings: usize) -> Board {
    let mut board = board.clone();
    board.king_streaks = [None, None];
    for colour in [Colour::White, Colour::Black] {
        for (cell, _) in board.pieces(colour) {
            if random.below(100) < kings {
                board.put(cell, Some(Piece { colour, rank: Rank::King }));
            }
        }
    }
    board
}

fn is_promotion_square(rules: &Rules, colour: Colour, cell: Cell) -> bool {
    match colour {
        Colour::White => cell.y == rules.height - 1,
        Colour::Black => cell.y == 0,
    }
}
