//! Squares as a question names them, before it is known on which board they lie.

use std::fmt;

use crate::board::{SquareName, SquareNames};
use crate::value::FenSquare;

/// A square by the name that a game gives it, or by its place on the drawn board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
pub enum SquareRef {
    /// The number, from 1.
    Number(u8),
    /// File, 0 for a, and rank, from 1.
    Algebraic {
        /// 0 for a.
        file: u8,
        /// From 1.
        rank: u8,
    },
    /// Row and column from 0 as White sees the board, from the upper left corner.
    Cell {
        /// From Black's side.
        row: u8,
        /// From the left.
        column: u8,
    },
}

/// Squares of the largest board.
pub(super) const MOST: u8 = 72;

impl SquareRef {
    /// Reads `32` or `c3`.
    pub fn parse(text: &str) -> Option<Self> {
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return text.parse().ok().filter(|number| (1..=MOST).contains(number)).map(Self::Number);
        }
        let (file, rank) = text.split_at_checked(1)?;
        let file = file.bytes().next()?.to_ascii_lowercase().checked_sub(b'a').filter(|&file| file < 12)?;
        let digits = !rank.starts_with('+');
        let rank = rank.parse().ok().filter(|rank| digits && (1..=12).contains(rank))?;
        Some(Self::Algebraic { file, rank })
    }

    /// The bit of the square; `None` where the board has no such square.
    pub fn bit(self, names: &SquareNames) -> Option<u8> {
        let square = match self {
            Self::Number(number) => names.of_number(number.into()),
            Self::Algebraic { file, rank } => names.of_algebraic(file, rank),
            Self::Cell { row, column } => {
                let layout = names.board().layout();
                // Bits are laid out for the board whose lower left corner is played on.
                let mirrored = names.numbering().inverted && !layout.full;
                let column = if mirrored { layout.width.checked_sub(1 + column)? } else { column };
                names.board().square(row, column)
            }
        };
        square.map(|square| square.bit())
    }
}

impl From<FenSquare> for SquareRef {
    fn from(square: FenSquare) -> Self {
        match square {
            // No FEN has a greater number than a board of 12x12.
            FenSquare::Number(number) => Self::Number(u8::try_from(number).unwrap_or(u8::MAX)),
            FenSquare::Algebraic { file, rank } => Self::Algebraic { file, rank },
        }
    }
}

impl fmt::Display for SquareRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Number(number) => SquareName::Number(number).fmt(f),
            Self::Algebraic { file, rank } => SquareName::Algebraic { file, rank }.fmt(f),
            Self::Cell { row, column } => write!(f, "row {}, column {}", row + 1, column + 1),
        }
    }
}
