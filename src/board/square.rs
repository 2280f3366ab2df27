//! Squares and boards as values, for code that learns the board at run time.

use super::layout::BitLayout;

/// One of the boards that draughts is played on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Board {
    /// 8x8, every second cell: 32 squares.
    Eight,
    /// 8x8, every cell: 64 squares.
    EightFull,
    /// 10 wide and 8 high, every second cell: 40 squares.
    TenByEight,
    /// 10x10, every second cell: 50 squares.
    Ten,
    /// 12x12, every second cell: 72 squares.
    Twelve,
}

impl Board {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Eight, Self::EightFull, Self::TenByEight, Self::Ten, Self::Twelve];

    /// Where the squares of this board lie in a word.
    pub const fn layout(self) -> BitLayout {
        let (width, height, pitch, full) = match self {
            Self::Eight => (8, 8, 9, false),
            Self::EightFull => (8, 8, 8, true),
            Self::TenByEight => (10, 8, 11, false),
            // 11 would do for diagonals; 13 leaves a ghost after every row, so that straight steps need no mask.
            Self::Ten => (10, 10, 13, false),
            Self::Twelve => (12, 12, 13, false),
        };
        BitLayout { width, height, pitch, full }
    }

    /// Columns.
    pub const fn width(self) -> u8 {
        self.layout().width
    }

    /// Rows.
    pub const fn height(self) -> u8 {
        self.layout().height
    }

    /// How many squares it has.
    pub const fn squares(self) -> u8 {
        self.layout().squares()
    }

    /// The most pieces of one side that a game on this board can ever see: what fits in front of two free rows.
    /// Turkish draughts leaves one row free on each side instead, and compositions go up to 20.
    pub const fn max_pieces(self) -> u8 {
        match self {
            Self::EightFull => 24,
            _ => (self.squares() - self.width()) / 2,
        }
    }

    /// The square in a row and column, both counted from 0: rows from Black's side, columns from the left as
    /// White sees the board whose lower left corner is a playing square.
    pub const fn square(self, row: u8, column: u8) -> Option<Square> {
        if row > 100 || column > 100 {
            return None;
        }
        match self.layout().bit(row as i8, column as i8) {
            Some(bit) => Some(Square(bit)),
            None => None,
        }
    }

    /// The row and column of a square, counted as [`Board::square`] does; `None` for a square of another board.
    pub const fn cell(self, square: Square) -> Option<(u8, u8)> {
        match self.layout().cell(square.0) {
            Some((row, column)) => Some((row as u8, column as u8)),
            None => None,
        }
    }
}

/// A square: the bit it owns in the [`BitLayout`] of its board.
///
/// What it is called in PDN depends on the game and is told by [`SquareNames`](super::SquareNames).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Square(pub u8);

impl Square {
    /// The bit in a set of squares.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn bit(self) -> u8 {
        self.0
    }
}
