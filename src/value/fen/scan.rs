//! The grammar of position texts: one pass, one run of squares at a time.

use std::fmt;

use super::{Fen, FenForm, FenForms, FenSquare};
use crate::span::Span;
use crate::value::Colour;
use crate::value::error::{UnexpectedByte, ValueError, span};

/// Why a position cannot be read.
pub type FenError = ValueError<FenErrorKind>;

/// What is wrong with the text of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum FenErrorKind {
    /// No text, or blanks only.
    Empty,
    /// The text begins with something else than the side to move.
    BadTurn(UnexpectedByte),
    /// Something else stands where a section should begin.
    MissingColon(UnexpectedByte),
    /// A section begins with something else than a colour.
    BadColour(UnexpectedByte),
    /// Pieces in a section whose colour is given as `?` or not at all.
    PiecesWithoutColour,
    /// Something else stands where a square should.
    BadSquare(UnexpectedByte),
    /// A number above [`Fen::MAX_SQUARE`], the number 0, or a rank outside 1 to 12.
    SquareOutOfRange,
    /// Numbers and names of squares in one text.
    MixedNotations,
    /// A range that ends below its start.
    BackwardRange,
    /// Two different pieces on one square.
    SquareTwice,
    /// More than [`Fen::MAX_PIECES`] pieces.
    TooManyPieces,
}

impl fmt::Display for FenErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the position is empty, expected a side to move such as `W:`"),
            Self::BadTurn(found) => write!(f, "expected the side to move, `W`, `B` or `?`, found {found}"),
            Self::MissingColon(found) => write!(f, "expected `:` before the pieces of a side, found {found}"),
            Self::BadColour(found) => {
                write!(f, "expected the colour of the pieces, `W` or `B`, found {found}")
            }
            Self::PiecesWithoutColour => {
                write!(f, "expected `W` or `B` before the pieces, found pieces of no colour")
            }
            Self::BadSquare(found) => {
                write!(f, "expected a square such as `31`, `K4` or `a3`, found {found}")
            }
            Self::SquareOutOfRange => {
                write!(f, "found a square on no board, expected 1 to {} or a1 to l12", Fen::MAX_SQUARE)
            }
            Self::MixedNotations => {
                write!(f, "found a number and a name such as `a3` as squares, expected only one of them")
            }
            Self::BackwardRange => {
                write!(f, "found a range that runs backwards, expected the lower square first")
            }
            Self::SquareTwice => write!(f, "found a second piece on a square, expected one piece a square"),
            Self::TooManyPieces => {
                write!(f, "found more than {} pieces, expected no more than a board holds", Fen::MAX_PIECES)
            }
        }
    }
}

/// A piece, or a range of like pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) colour: Colour,
    pub(super) king: bool,
    pub(super) first: FenSquare,
    pub(super) last: FenSquare,
    pub(super) span: Span,
}

/// Where in the text the scanner stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before the first colon, or after a dot or a counter: only a colon may follow.
    Outside,
    /// In a section that names no colour, or `?`.
    Bare,
    /// In the section of a colour.
    Pieces(Colour),
}

/// The last thing in a section, which decides what a comma means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    Start,
    Square,
    Comma,
}

#[derive(Clone, Debug)]
pub(super) struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    turn: Option<Colour>,
    algebraic: bool,
    state: State,
    last: Last,
    /// Colours met so far, as bits.
    colours: u8,
    /// First section without a colour.
    bare: Option<Span>,
    forms: FenForms,
}

impl<'a> Scanner<'a> {
    /// Reads the side to move.
    pub(super) fn new(text: &'a [u8]) -> Result<Self, FenError> {
        let mut this = Self::resume(text, 0, names_squares(text));
        this.skip_blanks();
        let at = this.at;
        this.turn = match this.peek() {
            None => return Err(ValueError::new(FenErrorKind::Empty, span(0, at))),
            Some(b'?') => None,
            Some(letter) => match Colour::from_letter(letter) {
                Some(colour) => Some(colour),
                None => return Err(this.error(FenErrorKind::BadTurn)),
            },
        };
        this.flag_lower_case(at);
        this.at += 1;
        this.skip_blanks();
        if this.peek() == Some(b':') { Ok(this) } else { Err(this.error(FenErrorKind::MissingColon)) }
    }

    /// A scanner that stands at the first colon of a text that was read before.
    pub(super) fn resume(text: &'a [u8], at: usize, algebraic: bool) -> Self {
        Self {
            text,
            at,
            turn: None,
            algebraic,
            state: State::Outside,
            last: Last::Start,
            colours: 0,
            bare: None,
            forms: FenForms::default(),
        }
    }

    /// The next piece or range, or `None` at the end of the text.
    pub(super) fn next_run(&mut self) -> Result<Option<Run>, FenError> {
        loop {
            self.skip_blanks();
            let at = self.at;
            match (self.peek(), self.state) {
                (None, _) => {
                    self.end_section();
                    return Ok(None);
                }
                (Some(b':'), _) => {
                    self.end_section();
                    self.at += 1;
                    self.section()?;
                }
                (_, State::Outside) => return Err(self.error(FenErrorKind::MissingColon)),
                (Some(b'.'), _) => {
                    self.end_section();
                    self.at += 1;
                    self.state = State::Outside;
                    self.flag(FenForm::FinalDot, span(at, self.at));
                }
                (Some(b','), _) => {
                    self.at += 1;
                    if self.last != Last::Square {
                        self.flag(FenForm::ExtraComma, span(at, self.at));
                    }
                    self.last = Last::Comma;
                }
                (Some(_), State::Bare) => {
                    // Only a square is pieces without a colour; anything else is a wrong colour.
                    let kind = match self.square() {
                        Ok(_) => FenErrorKind::PiecesWithoutColour,
                        Err(_) => FenErrorKind::BadColour(UnexpectedByte::at(self.text, at)),
                    };
                    return Err(ValueError::new(kind, span(at, (at + 1).max(self.at))));
                }
                (Some(_), State::Pieces(colour)) => return self.run(colour).map(Some),
            }
        }
    }

    /// The beginning of a section, after its colon.
    fn section(&mut self) -> Result<(), FenError> {
        self.skip_blanks();
        let at = self.at;
        self.last = Last::Start;
        self.state = State::Bare;
        let Some(letter) = self.peek() else {
            self.bare.get_or_insert(span(at, at));
            return Ok(());
        };
        if let Some(colour) = Colour::from_letter(letter) {
            self.flag_lower_case(at);
            self.at += 1;
            if self.colours & 1 << colour as u8 != 0 {
                self.flag(FenForm::RepeatedColour, span(at, self.at));
            }
            self.colours |= 1 << colour as u8;
            self.state = State::Pieces(colour);
        } else if letter == b'?' {
            self.at += 1;
        } else if matches!(letter, b'H' | b'F' | b'+')
            && self.text.get(at + 1).is_some_and(u8::is_ascii_digit)
        {
            self.at += 1;
            while self.peek().is_some_and(|byte| byte.is_ascii_digit() || byte == b'+') {
                self.at += 1;
            }
            self.state = State::Outside;
            self.flag(FenForm::Counters, span(at, self.at));
        } else if matches!(letter, b':' | b'.') {
            self.bare.get_or_insert(span(at, at));
        }
        Ok(())
    }

    fn run(&mut self, colour: Colour) -> Result<Run, FenError> {
        let start = self.at;
        let missing_comma = self.last == Last::Square;
        let king = self.king();
        let first = self.square()?;
        let mut end = self.at;
        self.skip_blanks();
        let mut last = first;
        if let (Some(b'-'), FenSquare::Number(low)) = (self.peek(), first) {
            self.at += 1;
            self.skip_blanks();
            let second = self.at;
            if king && self.king() {
                self.flag(FenForm::KingTwice, span(second, second + 1));
            }
            last = self.square()?;
            end = self.at;
            if let FenSquare::Number(high) = last
                && high < low
            {
                return Err(ValueError::new(FenErrorKind::BackwardRange, span(start, end)));
            }
        }
        if missing_comma {
            self.flag(FenForm::MissingComma, span(start, start));
        }
        self.last = Last::Square;
        Ok(Run { colour, king, first, last, span: span(start, end) })
    }

    /// Eats a `K` that means a king: before a name, or before a number where squares have numbers.
    fn king(&mut self) -> bool {
        let at = self.at;
        if !self.peek().is_some_and(|byte| byte.eq_ignore_ascii_case(&b'k')) {
            return false;
        }
        if self.algebraic && self.text.get(at + 1).is_some_and(u8::is_ascii_digit) {
            return false;
        }
        if self.text[at] == b'k' {
            self.flag(FenForm::LetterCase, span(at, at + 1));
        }
        self.at += 1;
        self.skip_blanks();
        true
    }

    fn square(&mut self) -> Result<FenSquare, FenError> {
        let at = self.at;
        let letter = self.peek().map(|byte| byte.to_ascii_lowercase());
        match letter {
            Some(b'0'..=b'9') if !self.algebraic => {
                let number = self.number();
                self.in_range(at, number, Fen::MAX_SQUARE).map(FenSquare::Number)
            }
            Some(b'0'..=b'9') => {
                self.number();
                Err(ValueError::new(FenErrorKind::MixedNotations, span(at, self.at)))
            }
            Some(file @ b'a'..=b'l')
                if self.algebraic && self.text.get(at + 1).is_some_and(u8::is_ascii_digit) =>
            {
                if self.text[at].is_ascii_uppercase() {
                    self.flag(FenForm::LetterCase, span(at, at + 1));
                }
                self.at += 1;
                let rank = self.number();
                let rank = self.in_range(at, rank, 12)?;
                Ok(FenSquare::Algebraic { file: file - b'a', rank: rank as u8 })
            }
            _ => Err(self.error(FenErrorKind::BadSquare)),
        }
    }

    /// Eats all digits; the value saturates.
    fn number(&mut self) -> u16 {
        let start = self.at;
        let mut value = 0u16;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value.saturating_mul(10).saturating_add(u16::from(digit - b'0'));
            self.at += 1;
        }
        if self.text[start] == b'0' && self.at > start + 1 {
            self.flag(FenForm::LeadingZero, span(start, self.at));
        }
        value
    }

    fn in_range(&self, start: usize, number: u16, most: u16) -> Result<u16, FenError> {
        if (1..=most).contains(&number) {
            Ok(number)
        } else {
            Err(ValueError::new(FenErrorKind::SquareOutOfRange, span(start, self.at)))
        }
    }

    fn end_section(&mut self) {
        if self.last == Last::Comma {
            self.flag(FenForm::ExtraComma, span(self.at, self.at));
        }
        self.last = Last::Start;
    }

    fn skip_blanks(&mut self) {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
        if self.at > start {
            self.flag(FenForm::Blank, span(start, self.at));
        }
    }

    fn flag_lower_case(&mut self, at: usize) {
        if self.text[at].is_ascii_lowercase() {
            self.flag(FenForm::LetterCase, span(at, at + 1));
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    #[cold]
    fn error(&self, kind: fn(UnexpectedByte) -> FenErrorKind) -> FenError {
        let end = (self.at + 1).min(self.text.len());
        ValueError::new(kind(UnexpectedByte::at(self.text, self.at)), span(self.at, end))
    }

    pub(super) fn flag(&mut self, form: FenForm, span: Span) {
        self.forms.add(form, span);
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn turn(&self) -> Option<Colour> {
        self.turn
    }

    pub(super) fn algebraic(&self) -> bool {
        self.algebraic
    }

    pub(super) fn names_colours(&self) -> bool {
        self.colours != 0
    }

    /// The unusual forms of the whole text, at its end.
    pub(super) fn finish(mut self) -> FenForms {
        if let Some(place) = self.bare
            && !self.text.trim_ascii().ends_with(b":::")
        {
            self.flag(FenForm::BareSection, place);
        }
        self.forms
    }
}

/// Whether the text names squares as `a1`: a letter of a file with a digit behind it. Right after a
/// colon or a dot a letter is a colour,
/// and a single `k` is a king: it counts only behind another `k`.
fn names_squares(text: &[u8]) -> bool {
    let mut before = b':';
    text.iter().zip(text.iter().skip(1)).any(|(byte, next)| {
        let letter = byte.to_ascii_lowercase();
        let file = letter.is_ascii_lowercase() && letter <= b'l' && (letter != b'k' || before == b'k');
        let found = file && !matches!(before, b':' | b'.') && next.is_ascii_digit();
        if !byte.is_ascii_whitespace() {
            before = letter;
        }
        found
    })
}
