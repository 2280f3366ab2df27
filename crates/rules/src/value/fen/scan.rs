//! The grammar of position texts: one pass, a square or a range of squares at a time.

use super::form::{FenForm, FenForms};
use super::piece::{FenSquare, MAX_SQUARE};
use crate::value::Colour;
use crate::value::Span;
use crate::value::error::{Problem, UnexpectedByte, ValueError, span};

// What a position text must have where another byte was found.
pub(super) const TURN: &str = "the side to move, `W`, `B` or `?`";
pub(super) const COLON: &str = "`:` before the pieces of a side";
pub(super) const COLOUR: &str = "the colour of the pieces, `W` or `B`";
pub(super) const SQUARE: &str = "a square such as `31`, `K4` or `a3`";

// What else can be wrong with it.
pub(super) const EMPTY: Problem =
    Problem::Message("the position is empty, expected a side to move such as `W:`");
pub(super) const PIECES_WITHOUT_COLOUR: Problem =
    Problem::Message("expected `W` or `B` before the pieces, found pieces of no colour");
/// A number above [`MAX_SQUARE`], the number 0, or a rank outside 1 to 12.
pub(super) const SQUARE_OUT_OF_RANGE: Problem =
    Problem::Message("found a square on no board, expected 1 to 999 or a1 to l12");
pub(super) const MIXED_NOTATIONS: Problem =
    Problem::Message("found a number and a name such as `a3` as squares, expected only one of them");
pub(super) const BACKWARD_RANGE: Problem =
    Problem::Message("found a range that runs backwards, expected the lower square first");
pub(super) const SQUARE_TWICE: Problem =
    Problem::Message("found a second piece on a square, expected one piece per square");
/// More than [`Fen::MAX_PIECES`](super::Fen::MAX_PIECES).
pub(super) const TOO_MANY_PIECES: Problem =
    Problem::Message("found more than 2000 pieces, expected no more than a board holds");

/// A piece, or like pieces on a range of squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct SquareRange {
    pub(super) colour: Colour,
    pub(super) king: bool,
    pub(super) first: FenSquare,
    /// Last square of the range; equal to `first` for a single piece.
    pub(super) last: FenSquare,
    pub(super) span: Span,
}

/// How a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Grammar {
    /// That of PDN 3.0, with untidy writing.
    Sections,
    /// The same parts in the same order, with these letters for White and Black, and any separators.
    Free([u8; 2]),
    /// A letter for each square.
    Hub,
}

/// The letters for White and Black in the languages that write positions, as capitals.
const SIDE_LETTERS: [[u8; 2]; 6] = [*b"WB", *b"WZ", *b"WS", *b"BN", *b"BP", *b"BC"];

/// The numbers of playing squares of all boards.
const HUB_SQUARES: [usize; 5] = [32, 40, 50, 64, 72];

/// The part of the text at which the scanner is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before the first colon, or after a dot or a counter. Only a colon may follow.
    Outside,
    /// A section without a colour, or with `?`.
    Colourless,
    /// A section with a colour.
    Pieces(Colour),
}

/// The last token of a section, which decides whether a comma is missing or superfluous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LastToken {
    Start,
    Square,
    Comma,
}

/// Reads a position text token by token and notes its non-standard forms.
#[derive(Clone, Debug)]
pub(super) struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    turn: Option<Colour>,
    algebraic: bool,
    grammar: Grammar,
    state: State,
    last: LastToken,
    /// One bit per colour named so far.
    colours: u8,
    /// Span of the first section without a colour.
    colourless: Option<Span>,
    forms: FenForms,
}

impl<'a> Scanner<'a> {
    /// Creates a scanner and reads the side to move.
    ///
    /// # Errors
    /// An empty text, another letter, or no colon after it.
    pub(super) fn new(text: &'a [u8]) -> Result<Self, ValueError> {
        let mut scanner = Self::resume(text, 0, is_algebraic(text), Grammar::Sections);
        scanner.skip_whitespace();
        let at = scanner.at;
        scanner.turn = match scanner.peek() {
            None => return Err(ValueError::new(EMPTY, span(0, at))),
            Some(b'?') => None,
            Some(letter) => match Colour::from_letter(letter) {
                Some(colour) => Some(colour),
                None => return Err(scanner.error(TURN)),
            },
        };
        scanner.flag_lower_case(at);
        scanner.at += 1;
        scanner.skip_whitespace();
        if scanner.peek() == Some(b':') { Ok(scanner) } else { Err(scanner.error(COLON)) }
    }

    /// Creates scanners of other separators and letters, one for each pair of letters that the side to move may be one of. There must be
    /// a separator after it, and pieces of both sides.
    pub(super) fn free(text: &'a [u8], algebraic: bool) -> impl Iterator<Item = Self> {
        let start = text.len() - text.trim_ascii_start().len();
        let letter = text.get(start).copied().unwrap_or_default();
        let is_apart = text.get(start + 1).copied().is_some_and(is_separator);
        SIDE_LETTERS.into_iter().filter(move |_| is_apart).filter_map(move |letters| {
            let mut scanner = Self::resume(text, start + 1, algebraic, Grammar::Free(letters));
            scanner.turn = match letter {
                b'?' => None,
                letter => Some(scanner.side_of(letter)?),
            };
            scanner.flag_letter(start, scanner.turn);
            Some(scanner)
        })
    }

    /// Creates a scanner of a position as engines exchange them: the side to move, then a letter for each square.
    pub(super) fn hub(text: &'a [u8]) -> Option<Self> {
        let start = text.len() - text.trim_ascii_start().len();
        let (letter, squares) = text.trim_ascii().split_first()?;
        let turn = match letter {
            b'W' => Colour::White,
            b'B' => Colour::Black,
            _ => return None,
        };
        let is_hub = HUB_SQUARES.contains(&squares.len())
            && squares.iter().all(|byte| matches!(byte, b'e' | b'w' | b'b' | b'W' | b'B'));
        is_hub.then(|| {
            let mut scanner = Self::resume(text, start + 1, false, Grammar::Hub);
            scanner.turn = Some(turn);
            scanner.colours = 0b11;
            scanner.flag(FenForm::Hub, span(start, start + 1 + squares.len()));
            scanner
        })
    }

    /// Creates a scanner at `at`, the place after the side to move of a validated text.
    pub(super) fn resume(text: &'a [u8], at: usize, algebraic: bool, grammar: Grammar) -> Self {
        Self {
            text,
            at,
            turn: None,
            algebraic,
            grammar,
            state: State::Outside,
            last: LastToken::Start,
            colours: 0,
            colourless: None,
            forms: FenForms::default(),
        }
    }

    /// Returns the next piece or range; `None` at the end of the text.
    pub(super) fn next_range(&mut self) -> Result<Option<SquareRange>, ValueError> {
        match self.grammar {
            Grammar::Sections => self.next_of_sections(),
            Grammar::Free(_) => self.next_free(),
            Grammar::Hub => Ok(self.next_of_hub()),
        }
    }

    fn next_of_sections(&mut self) -> Result<Option<SquareRange>, ValueError> {
        loop {
            self.skip_whitespace();
            let at = self.at;
            match (self.peek(), self.state) {
                (None, _) => {
                    self.end_section();
                    return Ok(None);
                }
                (Some(b':'), _) => {
                    self.end_section();
                    self.at += 1;
                    self.begin_section()?;
                }
                (_, State::Outside) => return Err(self.error(COLON)),
                (Some(b'.'), _) => {
                    self.end_section();
                    self.at += 1;
                    self.state = State::Outside;
                    self.flag(FenForm::FinalDot, span(at, self.at));
                }
                (Some(b','), _) => {
                    self.at += 1;
                    if self.last != LastToken::Square {
                        self.flag(FenForm::ExtraComma, span(at, self.at));
                    }
                    self.last = LastToken::Comma;
                }
                (Some(_), State::Colourless) => {
                    // A square means pieces without a colour; any other byte is a wrong colour.
                    let problem = match self.square() {
                        Ok(_) => PIECES_WITHOUT_COLOUR,
                        Err(_) => Problem::Unexpected(COLOUR, UnexpectedByte::at(self.text, at)),
                    };
                    return Err(ValueError::new(problem, span(at, (at + 1).max(self.at))));
                }
                (Some(_), State::Pieces(colour)) => return self.range(colour).map(Some),
            }
        }
    }

    /// Returns the next piece or range of a text with any separators.
    #[cold]
    fn next_free(&mut self) -> Result<Option<SquareRange>, ValueError> {
        loop {
            let start = self.at;
            while self.peek().is_some_and(is_separator) {
                self.at += 1;
            }
            let at = self.at;
            let Some(letter) = self.peek() else {
                self.flag_separators(start, b"");
                return if self.colours == 0b11 { Ok(None) } else { Err(self.error(COLON)) };
            };
            // In a text with names of squares a letter before a digit is a file.
            let is_file = self.algebraic && self.text.get(at + 1).is_some_and(u8::is_ascii_digit);
            if let Some(side) = self.side_of(letter).filter(|_| !is_file) {
                self.flag_separators(start, b":");
                // The letter of a side stands apart from that of the other one.
                let is_glued =
                    start == at && matches!(self.state, State::Pieces(_)) && self.last == LastToken::Start;
                if is_glued || self.colours & 1 << side as u8 != 0 {
                    return Err(self.error(SQUARE));
                }
                self.flag_letter(at, Some(side));
                self.colours |= 1 << side as u8;
                self.state = State::Pieces(side);
                self.last = LastToken::Start;
                self.at += 1;
                continue;
            }
            let State::Pieces(colour) = self.state else { return Err(self.error(COLON)) };
            self.flag_separators(start, if self.last == LastToken::Start { b"" } else { b"," });
            self.last = LastToken::Comma;
            return self.range(colour).map(Some);
        }
    }

    /// Returns the next piece of a position with a letter for each square.
    fn next_of_hub(&mut self) -> Option<SquareRange> {
        let first = self.text.len() - self.text.trim_ascii_start().len() + 1;
        let skipped =
            self.text[self.at..].iter().position(|byte| byte.is_ascii_alphabetic() && *byte != b'e')?;
        let at = self.at + skipped;
        self.at = at + 1;
        let letter = self.text[at];
        let square = FenSquare::Number((at - first + 1) as u16);
        let colour = Colour::from_letter(letter)?;
        let king = letter.is_ascii_uppercase();
        Some(SquareRange { colour, king, first: square, last: square, span: span(at, at + 1) })
    }

    /// Returns the side that a letter stands for in a text with any separators.
    fn side_of(&self, letter: u8) -> Option<Colour> {
        let Grammar::Free(letters) = self.grammar else { return None };
        let letter = letter.to_ascii_uppercase();
        letters.iter().position(|own| *own == letter).map(|index| Colour::ALL[index])
    }

    /// Notes the form of a letter at `at` that stands for a side.
    fn flag_letter(&mut self, at: usize, side: Option<Colour>) {
        self.flag_lower_case(at);
        if side.is_some_and(|side| side.letter() as u8 != self.text[at].to_ascii_uppercase()) {
            self.flag(FenForm::OtherLetter, span(at, at + 1));
        }
    }

    /// Notes separators from `start` up to here that are not `expected`.
    fn flag_separators(&mut self, start: usize, expected: &[u8]) {
        if self.text[start..self.at] != *expected {
            self.flag(FenForm::OtherSeparator, span(start, self.at));
        }
    }

    /// Reads the beginning of a section, after its colon.
    fn begin_section(&mut self) -> Result<(), ValueError> {
        self.skip_whitespace();
        let at = self.at;
        self.last = LastToken::Start;
        self.state = State::Colourless;
        let Some(letter) = self.peek() else {
            self.colourless.get_or_insert(span(at, at));
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
            if self.peek() == Some(b'.') {
                self.at += 1;
                self.flag(FenForm::FinalDot, span(self.at - 1, self.at));
            }
        } else if matches!(letter, b':' | b'.') {
            self.colourless.get_or_insert(span(at, at));
        }
        Ok(())
    }

    /// Reads a piece or a range of pieces.
    fn range(&mut self, colour: Colour) -> Result<SquareRange, ValueError> {
        let start = self.at;
        let missing_comma = self.last == LastToken::Square;
        let king = self.king();
        let first = self.square()?;
        let mut end = self.at;
        self.skip_whitespace();
        let mut last = first;
        if let (Some(b'-'), FenSquare::Number(low)) = (self.peek(), first) {
            self.at += 1;
            self.skip_whitespace();
            let second = self.at;
            if king && self.king() {
                self.flag(FenForm::KingTwice, span(second, second + 1));
            }
            last = self.square()?;
            end = self.at;
            if let FenSquare::Number(high) = last
                && high < low
            {
                return Err(ValueError::new(BACKWARD_RANGE, span(start, end)));
            }
        }
        if missing_comma {
            self.flag(FenForm::MissingComma, span(start, start));
        }
        self.last = LastToken::Square;
        Ok(SquareRange { colour, king, first, last, span: span(start, end) })
    }

    /// Skips a `K` that means a king: before a name, or before a number in a text with square numbers. Other languages write `D`. Returns
    /// `true` if it was there.
    fn king(&mut self) -> bool {
        let at = self.at;
        let is_free = matches!(self.grammar, Grammar::Free(_));
        let is_king =
            |byte: u8| byte.eq_ignore_ascii_case(&b'k') || is_free && byte.eq_ignore_ascii_case(&b'd');
        if !self.peek().is_some_and(is_king) {
            return false;
        }
        if self.algebraic && self.text.get(at + 1).is_some_and(u8::is_ascii_digit) {
            return false;
        }
        self.flag_lower_case(at);
        if !self.text[at].eq_ignore_ascii_case(&b'k') {
            self.flag(FenForm::OtherLetter, span(at, at + 1));
        }
        self.at += 1;
        self.skip_whitespace();
        true
    }

    /// Reads a square in the notation of the text.
    fn square(&mut self) -> Result<FenSquare, ValueError> {
        let at = self.at;
        let letter = self.peek().map(|byte| byte.to_ascii_lowercase());
        match letter {
            Some(b'0'..=b'9') if !self.algebraic => {
                let number = self.number();
                self.check_range(at, number, MAX_SQUARE).map(FenSquare::Number)
            }
            Some(b'0'..=b'9') => {
                self.number();
                Err(ValueError::new(MIXED_NOTATIONS, span(at, self.at)))
            }
            Some(file @ b'a'..=b'l')
                if self.algebraic && self.text.get(at + 1).is_some_and(u8::is_ascii_digit) =>
            {
                if self.text[at].is_ascii_uppercase() {
                    self.flag(FenForm::LetterCase, span(at, at + 1));
                }
                self.at += 1;
                let rank = self.number();
                let rank = self.check_range(at, rank, 12)?;
                Ok(FenSquare::Algebraic { file: file - b'a', rank: rank as u8 })
            }
            _ => Err(self.error(SQUARE)),
        }
    }

    /// Reads all digits; the value saturates at 65535.
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

    /// Returns `number`, which starts at the offset `start`, if it lies in `1..=max`; an error otherwise.
    fn check_range(&self, start: usize, number: u16, max: u16) -> Result<u16, ValueError> {
        if (1..=max).contains(&number) {
            Ok(number)
        } else {
            Err(ValueError::new(SQUARE_OUT_OF_RANGE, span(start, self.at)))
        }
    }

    /// Ends a section, before which a comma is superfluous.
    fn end_section(&mut self) {
        if self.last == LastToken::Comma {
            self.flag(FenForm::ExtraComma, span(self.at, self.at));
        }
        self.last = LastToken::Start;
    }

    /// Skips whitespace and notes its form.
    fn skip_whitespace(&mut self) {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
        if self.at > start {
            self.flag(FenForm::Whitespace, span(start, self.at));
        }
    }

    /// Notes the form of a letter at `at` that should be a capital.
    fn flag_lower_case(&mut self, at: usize) {
        if self.text[at].is_ascii_lowercase() {
            self.flag(FenForm::LetterCase, span(at, at + 1));
        }
    }

    /// Returns the next byte without consuming it.
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Returns the error of the next byte, in place of which something was expected.
    #[cold]
    fn error(&self, expected: &'static str) -> ValueError {
        let end = (self.at + 1).min(self.text.len());
        let found = UnexpectedByte::at(self.text, self.at);
        ValueError::new(Problem::Unexpected(expected, found), span(self.at, end))
    }

    /// Notes a non-standard form.
    pub(super) fn flag(&mut self, form: FenForm, span: Span) {
        self.forms.add(form, span);
    }

    /// Returns the offset of the next byte.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Returns the whole text.
    pub(super) fn text(&self) -> &'a [u8] {
        self.text
    }

    /// Returns how the text is read.
    pub(super) fn grammar(&self) -> Grammar {
        self.grammar
    }

    /// Returns the side to move; `None` for `?`.
    pub(super) fn turn(&self) -> Option<Colour> {
        self.turn
    }

    /// Returns `true` if squares are written as `a1`.
    pub(super) fn algebraic(&self) -> bool {
        self.algebraic
    }

    /// Returns `true` if a section with a colour was read.
    pub(super) fn names_colours(&self) -> bool {
        self.colours != 0
    }

    /// Returns the non-standard forms of the whole text. Must be called at its end.
    pub(super) fn finish(mut self) -> FenForms {
        if let Some(span) = self.colourless
            && !self.text.trim_ascii().ends_with(b":::")
        {
            self.flag(FenForm::BareSection, span);
        }
        self.forms
    }
}

/// Returns `true` for a byte that can stand between the parts of a text with any separators.
fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b':' | b';' | b',' | b'.' | b'/' | b'|')
}

/// Returns the second side to move of `W:B:W31:B1` and the place of its letter: a section without squares, before sections of both
/// sides.
#[cold]
pub(super) fn second_turn(text: &[u8]) -> Option<(Colour, Span)> {
    let mut sections = text.split(|&byte| byte == b':');
    let before = sections.next()?.len() + 1;
    let second = sections.next()?;
    let [letter] = second.trim_ascii() else { return None };
    let colour = Colour::from_letter(*letter)?;
    let sides = sections.filter_map(|section| Colour::from_letter(*section.trim_ascii_start().first()?));
    let at = before + second.len() - second.trim_ascii_start().len();
    (sides.fold(0u8, |named, side| named | 1 << side as u8) == 0b11).then_some((colour, span(at, at + 1)))
}

/// Returns `true` if the text names squares as `a1`: the letter of a file, followed by a digit.
///
/// A letter right after a colon or a dot is a colour, and a single `k` is a king: it counts only after another `k`.
pub(super) fn is_algebraic(text: &[u8]) -> bool {
    let mut before = b':';
    text.iter().zip(text.iter().skip(1)).any(|(byte, next)| {
        let letter = byte.to_ascii_lowercase();
        let file = letter.is_ascii_lowercase() && letter <= b'l' && (letter != b'k' || before == b'k');
        let is_square = file && !matches!(before, b':' | b'.') && next.is_ascii_digit();
        if !byte.is_ascii_whitespace() {
            before = letter;
        }
        is_square
    })
}
