//! Positions as text: the FEN tag and the setups inside games.
//!
//! Reads every form that occurs: colours in either order or only one of them, ranges of men and of kings, a final
//! dot, blanks, unknown turn, empty boards, null moves, algebraic squares in either case, the counters that
//! lidraughts appends. Does not know how large a board is nor which squares are dark; that is the business of
//! whoever knows the game type. Linear in the text, never allocates, and never hands out more than
//! [`Fen::MAX_PIECES`] pieces however the text is crafted.

use std::fmt;
use std::iter::FusedIterator;

use super::Colour;
use super::error::{ValueError, span};
use crate::span::Span;

mod form;
mod scan;
mod write;

pub use form::{FenForm, FenForms};
pub use scan::{FenError, FenErrorKind};
pub use write::FenWriter;

use scan::{Run, Scanner};

/// A position as written, proved readable; [`pieces`](Fen::pieces) reads the squares off the text.
///
/// PDN 3.0, chapter "FEN tag".
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fen<'a> {
    text: &'a [u8],
    turn: Option<Colour>,
    /// Offset of the first colon.
    body: u32,
    pieces: u16,
    algebraic: bool,
    null_move: bool,
    forms: FenForms,
}

impl<'a> Fen<'a> {
    /// Most pieces that a text may name. Real boards have 144 squares at most.
    pub const MAX_PIECES: u16 = 2_000;
    /// Highest number of a square. Real boards end at 72, or 144 where every square is played on.
    pub const MAX_SQUARE: u16 = 999;

    /// Reads the value of a FEN tag, or what stands after `FEN "` in a setup.
    ///
    /// In a text that names algebraic squares `k1` is the square of file k, elsewhere it is a king on 1.
    ///
    /// # Errors
    /// The first place that has no meaning; see [`FenErrorKind`]. The text is read as a whole or not at all,
    /// because a position with pieces missing is a different position.
    pub fn parse(text: &'a [u8]) -> Result<Self, FenError> {
        let mut scanner = Scanner::new(text)?;
        let body = scanner.at();
        let mut seen = [0u8; Self::MAX_SQUARE as usize + 1];
        let mut pieces = 0u16;
        while let Some(run) = scanner.next_run()? {
            let occupant = 1 + 2 * run.colour as u8 + u8::from(run.king);
            for before in &mut seen[run.first.index()..=run.last.index()] {
                if *before != 0 && *before != occupant {
                    return Err(ValueError::new(FenErrorKind::SquareTwice, run.span));
                }
                if *before != 0 {
                    scanner.flag(FenForm::RepeatedSquare, run.span);
                }
                *before = occupant;
                pieces += 1;
                if pieces > Self::MAX_PIECES {
                    return Err(ValueError::new(FenErrorKind::TooManyPieces, run.span));
                }
            }
        }
        Ok(Self {
            text,
            turn: scanner.turn(),
            body: span(0, body).end,
            pieces,
            algebraic: scanner.algebraic(),
            null_move: pieces == 0 && !scanner.names_colours(),
            forms: scanner.finish(),
        })
    }

    /// The side to move, or `None` where the text says `?`.
    pub fn turn(&self) -> Option<Colour> {
        self.turn
    }

    /// The pieces in the order of the text, ranges expanded. A square written twice is handed out twice.
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = FenPiece> + FusedIterator + Clone + use<'a> {
        Pieces {
            scanner: Scanner::resume(self.text, self.body as usize, self.algebraic),
            run: None,
            left: self.len(),
        }
    }

    /// Number of pieces that [`pieces`](Self::pieces) gives.
    pub fn len(&self) -> usize {
        usize::from(self.pieces)
    }

    /// Whether there is no piece on the board.
    pub fn is_empty(&self) -> bool {
        self.pieces == 0
    }

    /// Whether the text says only whose turn it is, as in `B:::` or `W::.`: the position stays, the turn passes.
    /// `W:W:B` names both sides and is an empty board.
    pub fn is_null_move(&self) -> bool {
        self.null_move
    }

    /// Whether squares are written as `a1` instead of numbers. A text without pieces counts as numeric.
    pub fn is_algebraic(&self) -> bool {
        self.algebraic
    }

    /// Whether the text is what PDN 3.0 allows to write.
    pub fn is_canonical(&self) -> bool {
        self.forms.is_empty()
    }

    /// What PDN 3.0 would write otherwise, each form once, and the first place where one occurs.
    pub fn forms(&self) -> FenForms {
        self.forms
    }

    /// The text read.
    pub fn text(&self) -> &'a [u8] {
        self.text
    }
}

/// The same position as PDN 3.0 writes it, squares listed one by one.
impl fmt::Display for Fen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.null_move {
            return write!(f, "{}:::", write::turn_letter(self.turn));
        }
        FenWriter::new(self.turn, self.pieces()).fmt(f)
    }
}

impl fmt::Debug for Fen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fen(\"{}\", {} pieces)", self.text.escape_ascii(), self.pieces)
    }
}

/// One piece of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct FenPiece {
    /// Whose piece.
    pub colour: Colour,
    /// A king, else a man.
    pub king: bool,
    /// Where it stands.
    pub square: FenSquare,
    /// The bytes that say so, counted from the start of the text; the whole range for a square of a range.
    pub span: Span,
}

impl FenPiece {
    /// A piece that comes from no text.
    pub const fn new(colour: Colour, king: bool, square: FenSquare) -> Self {
        Self { colour, king, square, span: Span::at(0) }
    }
}

/// A square as FEN names it, with no board in mind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum FenSquare {
    /// The number of a square, from 1 to [`Fen::MAX_SQUARE`].
    Number(u16),
    /// File and rank, from a1 to l12.
    Algebraic {
        /// 0 for file a, to 11 for file l.
        file: u8,
        /// From 1 to 12.
        rank: u8,
    },
}

impl FenSquare {
    /// A place in the table of squares seen; numbers and names do not occur together.
    fn index(self) -> usize {
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

/// Expands the runs of a text that was proved readable.
#[derive(Clone, Debug)]
struct Pieces<'a> {
    scanner: Scanner<'a>,
    run: Option<Run>,
    left: usize,
}

impl Iterator for Pieces<'_> {
    type Item = FenPiece;

    fn next(&mut self) -> Option<FenPiece> {
        let run = match self.run.take() {
            Some(run) => run,
            None => self.scanner.next_run().ok().flatten()?,
        };
        self.left = self.left.saturating_sub(1);
        if let (FenSquare::Number(first), FenSquare::Number(last)) = (run.first, run.last)
            && first < last
        {
            self.run = Some(Run { first: FenSquare::Number(first + 1), ..run });
        }
        Some(FenPiece { colour: run.colour, king: run.king, square: run.first, span: run.span })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Pieces<'_> {}
impl FusedIterator for Pieces<'_> {}

#[cfg(test)]
mod tests;
