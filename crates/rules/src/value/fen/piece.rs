//! The pieces and squares that a position text names.

use core::fmt;

use crate::value::Colour;
use crate::value::Span;

/// Maximum number of pieces that a text may name.
pub(super) const MAX_PIECES: u16 = 2_000;

/// Highest square number.
pub(super) const MAX_SQUARE: u16 = 999;

/// A piece of a position.
///
/// ```
/// use pdn_rules::value::{Colour, Fen};
/// use pdn_rules::internal::value::{FenPiece, FenSquare};
///
/// let fen = Fen::parse(b"W:WK5:B1")?;
/// let first = fen.pieces().next().expect("two pieces");
/// assert_eq!((first.colour, first.king, first.square), (Colour::White, true, FenSquare::Number(5)));
/// # Ok::<(), pdn_rules::value::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FenPiece {
    /// The side of the piece.
    pub colour: Colour,
    /// `true` for a king, `false` for a man.
    pub king: bool,
    /// The square of the piece.
    pub square: FenSquare,
    /// The bytes that name the piece, relative to the start of the text. For a square of a range, the whole range.
    pub span: Span,
}

impl FenPiece {
    /// Creates a piece that was not read from a text; its span is empty.
    pub const fn new(colour: Colour, king: bool, square: FenSquare) -> Self {
        Self { colour, king, square, span: Span::at(0) }
    }
}

/// A square as FEN names it, whatever the board.
///
/// ```
/// use pdn_rules::internal::value::FenSquare;
///
/// assert_eq!(FenSquare::Algebraic { file: 0, rank: 3 }.to_string(), "a3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum FenSquare {
    /// A square number, from 1 to [`Fen::MAX_SQUARE`](super::Fen::MAX_SQUARE).
    Number(u16),
    /// A file and a rank, from a1 to l12.
    Algebraic {
        /// The file, from 0 for file a to 11 for file l.
        file: u8,
        /// The rank, from 1 to 12.
        rank: u8,
    },
}

impl FenSquare {
    /// Returns an index at most [`MAX_SQUARE`], unique among square numbers and among names. One text does not
    /// contain both.
    pub(super) fn index(self) -> usize {
        match self {
            Self::Number(number) => usize::from(number),
            Self::Algebraic { file, rank } => usize::from(rank) * 12 + usize::from(file),
        }
    }
}

impl fmt::Display for FenSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Algebraic { file, rank } => write!(f, "{}{rank}", char::from(b'a' + file)),
        }
    }
}
