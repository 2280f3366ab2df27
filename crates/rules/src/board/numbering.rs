//! The names of the squares of a game: PDN 3.0, chapter "GameType tag", attributes Notation and Invert-flag.
//!
//! A numbering is independent of the rules: American pool, unified pool and Jamaican draughts are the same game
//! under three numberings. Both kinds of names are always available, because real files have numeric FEN in
//! algebraic games and algebraic FEN in numeric games.

use alloc::format;
use alloc::string::String;
use core::fmt;

use super::square::{Board, Square};
use crate::value::{Colour, Corner};

/// The kind of square names that a game prefers: letters or numbers.
///
/// ```
/// use pdn_rules::Variant;
/// use pdn_rules::board::SquareNaming;
///
/// assert_eq!(Variant::Russian.game().numbering.letters, SquareNaming::Algebraic);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum SquareNaming {
    /// A file and a rank as in chess, `c3`.
    Algebraic,
    /// A number from 1, `32`.
    Numeric,
}

/// The attributes of a GameType tag that give the names of the squares and the side that starts.
///
/// ```
/// use pdn_rules::board::{Board, SquareNames, SquareNaming};
/// use pdn_rules::internal::board::Numbering;
/// use pdn_rules::value::Colour;
/// use pdn_rules::internal::value::Corner;
///
/// let numbering = Numbering::new(Colour::White, SquareNaming::Algebraic, Corner::BottomLeft, false);
/// assert_eq!(numbering.notation(), "A0");
/// let names = SquareNames::new(Board::Eight, numbering);
/// let square = names.of_algebraic(2, 3).expect("c3");
/// assert_eq!((names.name(square).to_string(), names.number(square)), ("c3".to_owned(), 22));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct Numbering {
    /// The side that starts. [`corner`](Self::corner) is named as this side sees the board.
    pub start: Colour,
    /// The kind of names that the game prefers.
    pub letters: SquareNaming,
    /// The corner of the first square: number 1 or a1.
    pub corner: Corner,
    /// `true` if the lower left corner is *not* a playing square.
    pub inverted: bool,
}

impl Numbering {
    /// Creates a numbering; see the fields.
    pub const fn new(start: Colour, letters: SquareNaming, corner: Corner, inverted: bool) -> Self {
        Self { start, letters, corner, inverted }
    }

    /// Returns the Notation attribute, such as `N2` or `A0`.
    pub fn notation(self) -> String {
        let letter = if self.letters == SquareNaming::Algebraic { 'A' } else { 'N' };
        format!("{letter}{}", self.corner as u8)
    }

    /// Returns the same numbering with the other kind of names. In algebraic names a1 is White's lower left corner;
    /// in numeric names 1 is in White's upper row at the left, which is how Russian archives number their squares.
    #[must_use]
    pub const fn with_letters(self, letters: SquareNaming) -> Self {
        if self.letters as u8 == letters as u8 {
            return self;
        }
        let corner = match (letters, self.start) {
            (SquareNaming::Algebraic, Colour::White) => Corner::BottomLeft,
            (SquareNaming::Numeric, Colour::White) => Corner::TopLeft,
            (SquareNaming::Algebraic, Colour::Black) => Corner::TopRight,
            (SquareNaming::Numeric, Colour::Black) => Corner::BottomRight,
        };
        Self { letters, corner, ..self }
    }
}

/// The name of a square as a game writes it: `32` or `c3`.
///
/// ```
/// use pdn_rules::board::SquareName;
///
/// assert_eq!(SquareName::Number(32).to_string(), "32");
/// assert_eq!(SquareName::Algebraic { file: 2, rank: 3 }.to_string(), "c3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SquareName {
    /// The number, from 1.
    Number(u8),
    /// File and rank.
    Algebraic {
        /// File, 0 for a.
        file: u8,
        /// Rank, from 1.
        rank: u8,
    },
}

impl fmt::Display for SquareName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Algebraic { file, rank } => write!(f, "{}{rank}", char::from(b'a' + file)),
        }
    }
}

/// Tables of both kinds of names for all squares of a board under a numbering. A lookup is one load.
///
/// ```
/// use pdn_rules::Variant;
///
/// let names = Variant::Russian.names();
/// let c3 = names.of_algebraic(2, 3).expect("a playing square");
/// assert_eq!(names.of_number(names.number(c3).into()), Some(c3));
/// assert_eq!(names.of_algebraic(0, 2), None, "a2 is not played on");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SquareNames {
    numbering: Numbering,
    board: Board,
    /// The bit of each number; `NOWHERE` for numbers without a square.
    by_number: [u8; 256],
    /// The bit of each cell, indexed by 16 times the rank plus the file, both from 0; `NOWHERE` for cells that are
    /// not played on.
    by_cell: [u8; 256],
    /// The number of each bit, from 1; 0 for bits without a square.
    number: [u8; 128],
    cell: [u8; 128],
}

const NOWHERE: u8 = 255;

impl SquareNames {
    /// Creates the tables for a board under a numbering.
    #[doc(hidden)]
    pub const fn new(board: Board, numbering: Numbering) -> Self {
        let mut names = Self {
            numbering,
            board,
            by_number: [NOWHERE; 256],
            by_cell: [NOWHERE; 256],
            number: [0; 128],
            cell: [NOWHERE; 128],
        };
        let layout = board.layout();
        let numeric = numbering.with_letters(SquareNaming::Numeric);
        let algebraic = numbering.with_letters(SquareNaming::Algebraic);
        let mut number = 0;
        let mut down = 0;
        while down < layout.height {
            let mut along = 0;
            while along < layout.width {
                if let Some(bit) = bit_from(numeric, board, down, along) {
                    number += 1;
                    names.by_number[number as usize] = bit;
                    names.number[bit as usize] = number;
                }
                if let Some(bit) = bit_from(algebraic, board, down, along) {
                    let cell = down << 4 | along;
                    names.by_cell[cell as usize] = bit;
                    names.cell[bit as usize] = cell;
                }
                along += 1;
            }
            down += 1;
        }
        names
    }

    /// Returns the numbering of these names.
    #[doc(hidden)]
    pub const fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// Returns the board of these names.
    pub const fn board(&self) -> Board {
        self.board
    }

    /// Returns the square with a number (from 1); `None` if there is none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn of_number(&self, number: u16) -> Option<Square> {
        if number > 255 {
            return None;
        }
        let bit = self.by_number[number as usize];
        if bit == NOWHERE { None } else { Some(Square(bit)) }
    }

    /// Returns the square with a file (0 for a) and a rank (from 1). `None` off the board and for cells that are
    /// not played on.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn of_algebraic(&self, file: u8, rank: u8) -> Option<Square> {
        let rank = rank.wrapping_sub(1);
        if file > 15 || rank > 15 {
            return None;
        }
        let bit = self.by_cell[(rank << 4 | file) as usize];
        if bit == NOWHERE { None } else { Some(Square(bit)) }
    }

    /// Returns the number of a square, from 1; 0 for a square of another board.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn number(&self, square: Square) -> u8 {
        self.number[(square.0 & 127) as usize]
    }

    /// Returns the file (0 for a) and the rank (from 1) of a square.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn algebraic(&self, square: Square) -> (u8, u8) {
        let cell = self.cell[(square.0 & 127) as usize];
        (cell & 15, (cell >> 4) + 1)
    }

    /// Returns the name of a square in the kind of names that the game prefers.
    pub const fn name(&self, square: Square) -> SquareName {
        self.name_in(square, self.numbering.letters)
    }

    /// Returns the name of a square as a number or with a letter.
    pub const fn name_in(&self, square: Square, letters: SquareNaming) -> SquareName {
        match letters {
            SquareNaming::Numeric => SquareName::Number(self.number(square)),
            SquareNaming::Algebraic => {
                let (file, rank) = self.algebraic(square);
                SquareName::Algebraic { file, rank }
            }
        }
    }
}

impl fmt::Debug for SquareNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SquareNames({:?}, {:?})", self.board, self.numbering)
    }
}

/// Returns the bit of the cell that is `down` rows and `along` columns from the first corner, both towards the
/// middle of the board.
const fn bit_from(numbering: Numbering, board: Board, down: u8, along: u8) -> Option<u8> {
    let layout = board.layout();
    let black = matches!(numbering.start, Colour::Black);
    // Black sees the board rotated by 180 degrees.
    let top = matches!(numbering.corner, Corner::TopLeft | Corner::TopRight) != black;
    let right = matches!(numbering.corner, Corner::BottomRight | Corner::TopRight) != black;
    let row = if top { down } else { layout.height - 1 - down };
    let column = if right { layout.width - 1 - along } else { along };
    // Bits are laid out for the board whose lower left corner is played on; the other one is its mirror image.
    let mirrored = numbering.inverted && !layout.full;
    layout.bit(row as i8, if mirrored { layout.width - 1 - column } else { column } as i8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    /// Checks the names of the playing squares in some rows, listed as White sees them.
    fn check(
        board: Board,
        start: Colour,
        letters: SquareNaming,
        corner: Corner,
        inverted: bool,
        rows: &[(u8, &str)],
    ) {
        let names = SquareNames::new(board, Numbering { start, letters, corner, inverted });
        for &(row, expected) in rows {
            let mut columns: Vec<u8> = (0..board.width()).collect();
            if inverted {
                columns.reverse();
            }
            let seen: Vec<String> = columns
                .into_iter()
                .filter_map(|column| board.square(row, column))
                .map(|square| names.name(square).to_string())
                .collect();
            assert_eq!(seen.join(" "), expected, "row {row}");
        }
        for number in 1..=u16::from(board.squares()) {
            let square = names.of_number(number).expect("every number has a square");
            assert_eq!(u16::from(names.number(square)), number);
            let (file, rank) = names.algebraic(square);
            assert_eq!(names.of_algebraic(file, rank), Some(square));
        }
        assert_eq!(names.of_number(0), None);
        assert_eq!(names.of_number(u16::from(board.squares()) + 1), None);
        assert_eq!(names.of_algebraic(0, 0), None);
        assert_eq!(names.of_algebraic(board.width(), 1), None);
    }

    #[test]
    fn squares_have_the_names_of_published_diagrams() {
        use Colour::{Black, White};
        use Corner::*;
        use SquareNaming::*;
        check(Board::Ten, White, Numeric, TopLeft, false, &[(0, "1 2 3 4 5"), (9, "46 47 48 49 50")]);
        check(Board::Eight, Black, Numeric, BottomRight, false, &[(0, "1 2 3 4"), (7, "29 30 31 32")]);
        check(Board::Eight, White, Numeric, TopLeft, true, &[(0, "1 2 3 4"), (1, "5 6 7 8")]);
        check(Board::Eight, White, Numeric, BottomRight, true, &[(0, "32 31 30 29"), (7, "4 3 2 1")]);
        check(Board::Eight, Black, Numeric, TopLeft, false, &[(0, "32 31 30 29"), (7, "4 3 2 1")]);
        check(Board::Eight, White, Algebraic, BottomLeft, false, &[(0, "b8 d8 f8 h8"), (7, "a1 c1 e1 g1")]);
        check(Board::Eight, White, Algebraic, BottomRight, true, &[(0, "h8 f8 d8 b8"), (7, "g1 e1 c1 a1")]);
        check(
            Board::Twelve,
            White,
            Numeric,
            TopLeft,
            false,
            &[(0, "1 2 3 4 5 6"), (11, "67 68 69 70 71 72")],
        );
        check(Board::TenByEight, White, Algebraic, BottomLeft, false, &[(0, "b8 d8 f8 h8 j8")]);
        check(Board::EightFull, White, Algebraic, BottomLeft, false, &[(7, "a1 b1 c1 d1 e1 f1 g1 h1")]);
    }

    #[test]
    fn other_kind_of_names_is_seen_from_white() {
        let russian = Numbering {
            start: Colour::White,
            letters: SquareNaming::Algebraic,
            corner: Corner::BottomLeft,
            inverted: false,
        };
        let names = SquareNames::new(Board::Eight, russian);
        assert_eq!(names.of_number(1), names.of_algebraic(1, 8), "1 is b8");
        assert_eq!(names.of_number(32), names.of_algebraic(6, 1), "32 is g1");
        let thai = Numbering {
            start: Colour::Black,
            letters: SquareNaming::Numeric,
            corner: Corner::TopLeft,
            inverted: false,
        };
        let names = SquareNames::new(Board::Eight, thai);
        assert_eq!(names.of_number(1), names.of_algebraic(6, 1), "1 is g1");
        assert_eq!(names.of_number(32), names.of_algebraic(1, 8), "32 is b8");
        let spanish = Numbering {
            start: Colour::White,
            letters: SquareNaming::Numeric,
            corner: Corner::BottomRight,
            inverted: true,
        };
        let names = SquareNames::new(Board::Eight, spanish);
        assert_eq!(names.of_number(1), names.of_algebraic(7, 1), "1 is h1");
        assert_eq!(names.of_number(32), names.of_algebraic(0, 8), "32 is a8");
    }
}
