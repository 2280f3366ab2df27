//! Positions as text: the FEN tag and the setups in the movetext.
//!
//! Accepts every form that occurs: colours in either order or only one of them, ranges of men and of kings, a final
//! dot, whitespace, an unknown side to move, empty boards, null moves, algebraic squares in either case, and the
//! counters that lidraughts appends. What then remains is tried with other separators and letters, and as a position of the Hub protocol. The size of the board and its playing squares are not checked here, because they
//! depend on the game type. Parsing is linear in the text, does not allocate, and yields at most [`Fen::MAX_PIECES`]
//! pieces from any text.

use core::fmt;
use core::iter::FusedIterator;

use super::Colour;
use super::error::{ValueError, span};

mod form;
mod piece;
mod scan;
mod write;

pub use form::{FenForm, FenForms};
pub use piece::{FenPiece, FenSquare};
pub use write::{FenStyle, FenWriter};

use scan::{Grammar, SQUARE_TWICE, Scanner, SquareRange, TOO_MANY_PIECES};

/// A validated position text. [`pieces`](Fen::pieces) reads the squares from the text.
///
/// PDN 3.0, chapter "FEN tag". `==` and `Hash` compare the texts.
///
/// ```
/// use pdn_rules::value::{Colour, Fen};
///
/// let fen = Fen::parse(b"w:w31-33,k46:b1.")?;
/// assert_eq!((fen.turn(), fen.len()), (Some(Colour::White), 5));
/// assert_eq!(fen.to_string(), "W:W31,32,33,K46:B1");
/// assert!(!fen.is_canonical());
/// # Ok::<(), pdn_rules::value::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fen<'a> {
    text: &'a [u8],
    turn: Option<Colour>,
    /// The side that the first letter names, if a second letter names the other one.
    other_turn: Option<Colour>,
    /// Offset of the first colon in the text.
    body: u32,
    pieces: u16,
    algebraic: bool,
    null_move: bool,
    forms: FenForms,
    grammar: Grammar,
}

impl<'a> Fen<'a> {
    /// Maximum number of pieces that a text may name. Real boards have at most 144 squares.
    pub const MAX_PIECES: u16 = piece::MAX_PIECES;
    /// Highest square number. Real boards end at 72, or at 144 if every square is a playing square.
    pub const MAX_SQUARE: u16 = piece::MAX_SQUARE;

    /// Parses the value of a FEN tag, or the text after `FEN "` in a setup.
    ///
    /// In a text with algebraic squares `k1` is a square of file k, elsewhere it is a king on square 1.
    ///
    /// # Errors
    /// The first part without a meaning. There are no partial results, because a position with
    /// missing pieces is a different position.
    pub fn parse(text: &'a [u8]) -> Result<Self, ValueError> {
        match Scanner::new(text).and_then(Self::read) {
            Ok(fen) => Ok(fen),
            Err(error) => Self::parse_unusual(text).ok_or(error),
        }
    }

    /// Reads a text in another grammar; `None` unless it has exactly one meaning.
    #[cold]
    fn parse_unusual(text: &'a [u8]) -> Option<Self> {
        if let Some(scanner) = Scanner::hub(text) {
            return Self::read(scanner).ok();
        }
        let algebraic: &[bool] = if scan::is_algebraic(text) { &[false, true] } else { &[false] };
        let mut found = algebraic
            .iter()
            .flat_map(|&algebraic| Scanner::free(text, algebraic))
            .filter_map(|scanner| Self::read(scanner).ok())
            // A typing error after a letter is no empty board.
            .filter(|fen| !fen.is_empty());
        found.next().filter(|fen| !fen.is_canonical() && found.next().is_none())
    }

    /// Reads what follows the side to move.
    fn read(mut scanner: Scanner<'a>) -> Result<Self, ValueError> {
        let (text, grammar) = (scanner.text(), scanner.grammar());
        let body = scanner.at();
        let mut occupants = [0u8; Self::MAX_SQUARE as usize + 1];
        let mut pieces = 0u16;
        while let Some(range) = scanner.next_range()? {
            let occupant = 1 + 2 * range.colour as u8 + u8::from(range.king);
            for earlier in &mut occupants[range.first.index()..=range.last.index()] {
                if *earlier != 0 && *earlier != occupant {
                    return Err(ValueError::new(SQUARE_TWICE, range.span));
                }
                if *earlier != 0 {
                    scanner.flag(FenForm::RepeatedSquare, range.span);
                }
                *earlier = occupant;
                pieces += 1;
                if pieces > Self::MAX_PIECES {
                    return Err(ValueError::new(TOO_MANY_PIECES, range.span));
                }
            }
        }
        let (algebraic, names_colours) = (scanner.algebraic(), scanner.names_colours());
        let (mut turn, mut other_turn) = (scanner.turn(), None);
        let mut forms = scanner.finish();
        if forms.contains(FenForm::RepeatedColour)
            && let Some((second, span)) = scan::second_turn(text)
        {
            forms.replace(FenForm::RepeatedColour, FenForm::SecondTurn, span);
            other_turn = turn.filter(|first| *first != second);
            turn = Some(second);
        }
        Ok(Self {
            text,
            turn,
            other_turn,
            body: span(0, body).end,
            pieces,
            algebraic,
            null_move: pieces == 0 && !names_colours,
            forms,
            grammar,
        })
    }

    /// Returns the side to move; `None` if it is given as `?`. Of two letters, as programs wrote `W:B:W31:B1`, the second one
    /// counts: it belongs to the position, while the first was always `W`.
    pub fn turn(&self) -> Option<Colour> {
        self.turn
    }

    /// Returns the side that the first of two letters names, if the second one names the other side. Then only the moves
    /// show which of them is to move.
    #[doc(hidden)]
    pub fn other_turn(&self) -> Option<Colour> {
        self.other_turn
    }

    /// Iterates over the pieces in the order of the text, with ranges expanded. A square written twice is yielded
    /// twice.
    #[doc(hidden)]
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = FenPiece> + FusedIterator + Clone + use<'a> {
        Pieces {
            scanner: Scanner::resume(self.text, self.body as usize, self.algebraic, self.grammar),
            range: None,
            remaining: self.len(),
        }
    }

    /// Returns the number of pieces that [`pieces`](Self::pieces) yields.
    pub fn len(&self) -> usize {
        usize::from(self.pieces)
    }

    /// Returns `true` if the text names no piece.
    pub fn is_empty(&self) -> bool {
        self.pieces == 0
    }

    /// Returns `true` if the text only names the side to move, as in `B:::` or `W::.`: the position stays and the
    /// turn passes. `W:W:B` names both sides and is an empty board.
    pub fn is_null_move(&self) -> bool {
        self.null_move
    }

    /// Returns `true` if squares are written as `a1`, not as numbers. A text without pieces counts as numeric.
    pub fn is_algebraic(&self) -> bool {
        self.algebraic
    }

    /// Returns `true` if the text has the form that PDN 3.0 requires.
    pub fn is_canonical(&self) -> bool {
        self.forms.is_empty()
    }

    /// Returns the non-standard forms that the text uses, each once, and the span of the first.
    #[doc(hidden)]
    pub fn forms(&self) -> FenForms {
        self.forms
    }

    /// Returns the number of squares of the board, if the text has a letter for each of them.
    pub(crate) fn board_squares(&self) -> Option<usize> {
        (self.grammar == Grammar::Hub).then(|| self.text.trim_ascii().len() - 1)
    }

    /// Returns the text.
    pub fn text(&self) -> &'a [u8] {
        self.text
    }
}

/// Writes the position as PDN 3.0 does, with squares listed one by one.
impl fmt::Display for Fen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.null_move {
            return write!(f, "{}:::", write::turn_letter(self.turn));
        }
        FenWriter::new(self.turn, self.pieces()).fmt(f)
    }
}

impl<'a> TryFrom<&'a str> for Fen<'a> {
    type Error = ValueError;

    fn try_from(text: &'a str) -> Result<Self, ValueError> {
        Self::parse(text.as_bytes())
    }
}

impl fmt::Debug for Fen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fen(\"{}\", {} pieces)", self.text.escape_ascii(), self.pieces)
    }
}

/// Expands the ranges of a validated text.
#[derive(Clone, Debug)]
struct Pieces<'a> {
    scanner: Scanner<'a>,
    /// Rest of a range that is being expanded.
    range: Option<SquareRange>,
    /// Number of pieces not yet yielded.
    remaining: usize,
}

impl Iterator for Pieces<'_> {
    type Item = FenPiece;

    fn next(&mut self) -> Option<FenPiece> {
        let range = match self.range.take() {
            Some(range) => range,
            None => self.scanner.next_range().ok().flatten()?,
        };
        self.remaining = self.remaining.saturating_sub(1);
        if let (FenSquare::Number(first), FenSquare::Number(last)) = (range.first, range.last)
            && first < last
        {
            self.range = Some(SquareRange { first: FenSquare::Number(first + 1), ..range });
        }
        Some(FenPiece { colour: range.colour, king: range.king, square: range.first, span: range.span })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }
}

impl ExactSizeIterator for Pieces<'_> {}
impl FusedIterator for Pieces<'_> {}

#[cfg(test)]
mod tests;
