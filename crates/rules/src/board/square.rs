//! Squares and boards as values, for code that learns the board at run time.

use super::layout::BitLayout;

/// A board that draughts is played on.
///
/// ```
/// use pdn_rules::board::Board;
///
/// assert_eq!((Board::Ten.width(), Board::Ten.squares(), Board::EightFull.squares()), (10, 50, 64));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Board {
    /// 8x8 using every second cell: 32 squares.
    Eight,
    /// 8x8 using every cell: 64 squares.
    EightFull,
    /// 10 wide and 8 high, using every second cell: 40 squares.
    TenByEight,
    /// 10x10 using every second cell: 50 squares.
    Ten,
    /// 12x12 using every second cell: 72 squares.
    Twelve,
}

impl Board {
    /// All boards.
    pub const ALL: &'static [Self] =
        &[Self::Eight, Self::EightFull, Self::TenByEight, Self::Ten, Self::Twelve];

    /// Returns the position of the board's squares in a word.
    #[doc(hidden)]
    pub const fn layout(self) -> BitLayout {
        let (width, height, pitch, full) = match self {
            Self::Eight => (8, 8, 9, false),
            Self::EightFull => (8, 8, 8, true),
            Self::TenByEight => (10, 8, 11, false),
            // A pitch of 11 would do for diagonals. With 13 there is a ghost after every row, so that straight
            // steps need no mask.
            Self::Ten => (10, 10, 13, false),
            Self::Twelve => (12, 12, 13, false),
        };
        BitLayout { width, height, pitch, full }
    }

    /// Returns the set of all playing squares, in one load.
    #[doc(hidden)]
    pub const fn valid(self) -> u128 {
        const VALID: [u128; Board::ALL.len()] = {
            let mut sets = [0; Board::ALL.len()];
            let mut n = 0;
            while n < sets.len() {
                sets[n] = Board::ALL[n].layout().valid();
                n += 1;
            }
            sets
        };
        VALID[self as usize]
    }

    /// Returns the number of columns.
    pub const fn width(self) -> u8 {
        self.layout().width
    }

    /// Returns the number of rows.
    pub const fn height(self) -> u8 {
        self.layout().height
    }

    /// Returns the number of playing squares.
    pub const fn squares(self) -> u8 {
        self.layout().squares()
    }

    /// Returns the largest number of pieces of one side in any game on this board: half of the squares outside two
    /// free rows. On the board of Turkish draughts, where compositions have up to 20 pieces, it is 24.
    pub const fn max_pieces(self) -> u8 {
        match self {
            Self::EightFull => 24,
            _ => (self.squares() - self.width()) / 2,
        }
    }

    /// Returns the square in a row and column; `None` for cells that are not played on. Both count from 0: rows
    /// from Black's side, columns from the left as White sees the board whose lower left corner is a playing
    /// square.
    pub const fn square(self, row: u8, column: u8) -> Option<Square> {
        if row > 100 || column > 100 {
            return None;
        }
        match self.layout().bit(row as i8, column as i8) {
            Some(bit) => Some(Square(bit)),
            None => None,
        }
    }

    /// Returns the row and column of a square, counted as in [`Board::square`]; `None` for a square of another
    /// board.
    pub const fn cell(self, square: Square) -> Option<(u8, u8)> {
        match self.layout().cell(square.0) {
            Some((row, column)) => Some((row as u8, column as u8)),
            None => None,
        }
    }
}

/// A square: the bit that it owns in the `BitLayout` of its board.
///
/// Its name in PDN depends on the game; see [`SquareNames`](super::SquareNames).
///
/// ```
/// use pdn_rules::Variant;
/// use pdn_rules::board::Board;
///
/// let names = Variant::International.names();
/// let square = names.of_number(32).expect("a square");
/// assert_eq!(Board::Ten.cell(square), Some((6, 3)));
/// assert_eq!(names.name(square).to_string(), "32");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Square(pub u8);

impl Square {
    /// Returns the bit of the square in a bitboard.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn bit(self) -> u8 {
        self.0
    }
}
