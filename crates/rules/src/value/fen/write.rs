//! Writes positions as text.

use core::fmt;

use super::piece::{FenPiece, FenSquare};
use crate::value::Colour;

/// How positions are written.
///
/// ```
/// use pdn_rules::value::FenStyle;
/// use pdn_rules::{Position, Variant};
///
/// let start = Position::start(Variant::English);
/// assert_eq!(start.fen_as(FenStyle::Hub), "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[non_exhaustive]
pub enum FenStyle {
    /// As PDN 3.0 has it, with squares listed one by one: `W:W31,32:B1,K2`.
    #[default]
    Pdn,
    /// The side to move, then a letter for each square in the order of their numbers: `w`, `b`, `W` and `B` for kings, `e` where it is
    /// empty. The Hub protocol, which engines speak.
    Hub,
}

/// Writes a position in canonical PDN 3.0: White's pieces before Black's, each side in the order given.
///
/// ```
/// use pdn_rules::value::Colour;
/// use pdn_rules::internal::value::{FenPiece, FenSquare, FenWriter};
///
/// let men = |colour, squares: std::ops::RangeInclusive<u16>| {
///     squares.map(move |n| FenPiece::new(colour, false, FenSquare::Number(n)))
/// };
/// let start = men(Colour::White, 31..=50).chain(men(Colour::Black, 1..=20));
/// let writer = FenWriter::new(Some(Colour::White), start).with_ranges();
/// assert_eq!(writer.to_string(), "W:W31-50:B1-20");
/// ```
#[derive(Clone, Debug)]
pub struct FenWriter<I> {
    turn: Option<Colour>,
    pieces: I,
    with_ranges: bool,
}

impl<I: Iterator<Item = FenPiece> + Clone> FenWriter<I> {
    /// Creates a writer of these pieces; `turn` is `None` if the side to move is unknown. The iterator is cloned and
    /// run twice, once for each colour.
    pub fn new(turn: Option<Colour>, pieces: I) -> Self {
        Self { turn, pieces, with_ranges: false }
    }

    /// Writes three or more like pieces on consecutive ascending square numbers as a range, such as `31-50`.
    #[must_use]
    pub fn with_ranges(mut self) -> Self {
        self.with_ranges = true;
        self
    }

    /// Writes the section of one colour.
    fn write_side(&self, f: &mut fmt::Formatter<'_>, colour: Colour) -> fmt::Result {
        write!(f, ":{}", colour.letter())?;
        let mut pieces = self.pieces.clone().filter(|piece| piece.colour == colour).peekable();
        let mut comma = "";
        while let Some(first) = pieces.next() {
            let mut last = first;
            while self.with_ranges
                && let Some(next) = pieces.next_if(|next| continues(&last, next))
            {
                last = next;
            }
            let king = if first.king { "K" } else { "" };
            write!(f, "{comma}{king}{}", first.square)?;
            comma = ",";
            match (first.square, last.square) {
                (FenSquare::Number(a), FenSquare::Number(b)) if b > a + 1 => write!(f, "-{b}")?,
                (FenSquare::Number(a), FenSquare::Number(b)) if b > a => write!(f, ",{king}{b}")?,
                _ => {}
            }
        }
        Ok(())
    }
}

impl<I: Iterator<Item = FenPiece> + Clone> fmt::Display for FenWriter<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", turn_letter(self.turn))?;
        self.write_side(f, Colour::White)?;
        self.write_side(f, Colour::Black)
    }
}

/// Returns `true` if `next` continues a range that ends with `last`.
fn continues(last: &FenPiece, next: &FenPiece) -> bool {
    match (last.square, next.square) {
        (FenSquare::Number(a), FenSquare::Number(b)) => {
            last.king == next.king && u32::from(b) == u32::from(a) + 1
        }
        _ => false,
    }
}

/// Returns `W`, `B` or `?`.
pub(super) fn turn_letter(turn: Option<Colour>) -> char {
    turn.map_or('?', Colour::letter)
}
