//! The GameType tag: which game is played, on what board, and how its squares are named.
//!
//! Knows the standard's table as data and nothing about rules: that 25 is Russian draughts, writes captures with
//! `:` and names squares from a1, but not how a king moves. Reading costs one pass over a few bytes.

use std::fmt;

use super::Colour;
use super::error::{UnexpectedByte, ValueError, span, trimmed};
use super::result_format::ResultFormat;

/// A game type as written: a number, and what the text adds to it.
///
/// PDN 3.0, chapter "GameType tag". The attributes override what the number stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct GameType {
    /// The type of the game, such as 20 for International draughts.
    pub number: u16,
    /// The full details, where they are given.
    pub attributes: Option<GameTypeAttributes>,
}

impl GameType {
    /// Reads a number alone, the full form, and the forms in between that occur: sizes of zero, a notation
    /// without its corner, the swapped last fields of PDN 1.0, blanks, lower case.
    ///
    /// # Errors
    /// The first field without a meaning; see [`GameTypeErrorKind`]. [`GameType::number_in`] may still find the
    /// number.
    pub fn parse(text: &[u8]) -> Result<Self, GameTypeError> {
        let mut fields = Fields { text, at: 0, done: false };
        let number = fields.number()?;
        if fields.done {
            return Ok(Self { number, attributes: None });
        }
        let start = fields.start_colour()?;
        let width = fields.size()?;
        let height = fields.size()?;
        // PDN 1.0 prints chess as `0,W,8,8,0,S0`: the invert flag before the notation.
        let inverted_first = if fields.next_is_digit() { Some(fields.flag()?) } else { None };
        let notation = fields.notation()?;
        let inverted = match inverted_first {
            None if !fields.done => Some(fields.flag()?),
            first => first,
        };
        fields.end()?;
        Ok(Self { number, attributes: Some(GameTypeAttributes { start, width, height, notation, inverted }) })
    }

    /// The number at the beginning of a text that may be unreadable behind it.
    pub fn number_in(text: &[u8]) -> Option<u16> {
        let text = text.trim_ascii_start();
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        decimal(&text[..digits])
    }

    /// A bare number.
    pub const fn of_number(number: u16) -> Self {
        Self { number, attributes: None }
    }

    /// The row of the table for this game type: the one with the same attributes where there is one, as for
    /// Jamaican draughts, else the first with the same number.
    pub fn row(&self) -> Option<&'static GameTypeRow> {
        let same = || GAME_TYPES.iter().filter(|row| row.number == self.number);
        same()
            .find(|row| self.attributes.is_some() && row.attributes == self.attributes)
            .or_else(|| same().next())
    }

    /// The name of the game, or of what the standard reserves the number for.
    pub fn name(&self) -> Option<&'static str> {
        self.row().map(|row| row.name).or(match self.number {
            2..=19 => Some("future chess expansion"),
            32..=39 | 42..=49 => Some("future draughts expansion"),
            _ => None,
        })
    }

    /// What kind of game this is.
    pub fn status(&self) -> GameTypeStatus {
        match (self.number, self.row()) {
            (0 | 1 | 50, Some(row)) => GameTypeStatus::OtherGame(row.name),
            (_, Some(_)) => GameTypeStatus::Draughts,
            (2..=19 | 32..=39 | 42..=49, None) => GameTypeStatus::Reserved,
            (_, None) => GameTypeStatus::Unknown,
        }
    }

    /// The results that the standard's table allows for this number, where it says so.
    pub fn result_system(&self) -> Option<ResultFormat> {
        self.row().and_then(|row| row.results)
    }

    /// What separates the squares of a capture when written, where the standard says so.
    pub fn capture_separator(&self) -> Option<char> {
        self.row().and_then(|row| row.capture)
    }

    /// The attributes as written, or else those that the number stands for.
    pub fn details(&self) -> Option<GameTypeAttributes> {
        self.attributes.or_else(|| self.row().and_then(|row| row.attributes))
    }

    /// Whether the board written is of a size that this number has in the table; so is one that the text leaves open.
    pub fn has_table_board(&self) -> bool {
        let Some(board) = self.attributes.and_then(|attributes| attributes.board()) else { return true };
        let rows = || GAME_TYPES.iter().filter(|row| row.number == self.number);
        let mut boards = rows().filter_map(|row| row.attributes?.board()).peekable();
        boards.peek().is_none() || boards.any(|known| known == board)
    }

    /// The side that starts, by the text or by the table; results count from it.
    pub fn start(&self) -> Option<Colour> {
        self.details().map(|attributes| attributes.start)
    }
}

/// As PDN 3.0 writes it, apart from what is missing.
impl fmt::Display for GameType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number)?;
        let Some(GameTypeAttributes { start, width, height, notation, inverted }) = self.attributes else {
            return Ok(());
        };
        write!(f, ",{},{width},{height},{notation}", start.letter())?;
        inverted.map_or(Ok(()), |inverted| write!(f, ",{}", u8::from(inverted)))
    }
}

/// What may follow the number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct GameTypeAttributes {
    /// The side that starts.
    pub start: Colour,
    /// Columns of the board; 0 where the text leaves it open.
    pub width: u8,
    /// Rows of the board; 0 where the text leaves it open.
    pub height: u8,
    /// How squares are named.
    pub notation: Notation,
    /// Whether the bottom left corner, seen from White, is *not* a playing square; `None` where the text says
    /// nothing. PDN 1.0 read the flag as "on light squares".
    pub inverted: Option<bool>,
}

impl GameTypeAttributes {
    /// Columns and rows, where both are given.
    pub fn board(&self) -> Option<(u8, u8)> {
        (self.width != 0 && self.height != 0).then_some((self.width, self.height))
    }

    /// Whether the text is complete and says something definite, as PDN 3.0 demands.
    pub fn is_complete(&self) -> bool {
        self.board().is_some() && self.notation.corner.is_some()
    }
}

/// How squares are named, and where naming begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Notation {
    /// Letters and digits, or numbers.
    pub style: NotationStyle,
    /// Where the first square (a1 or 1) is, from the perspective of the starting player; `None` where the digit is
    /// missing, as in `20,W,0,0,N,0`.
    pub corner: Option<Corner>,
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.style.letter())?;
        self.corner.map_or(Ok(()), |corner| write!(f, "{}", corner as u8))
    }
}

/// The letter of the notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum NotationStyle {
    /// `A`: as in chess, `c3-d4`.
    Algebraic,
    /// `N`: numbers, `32-28`.
    Numeric,
    /// `S`: the short form of chess.
    San,
}

impl NotationStyle {
    /// `A`, `N` or `S`.
    pub const fn letter(self) -> char {
        match self {
            Self::Algebraic => 'A',
            Self::Numeric => 'N',
            Self::San => 'S',
        }
    }
}

/// Where the first square is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Corner {
    /// 0.
    BottomLeft = 0,
    /// 1.
    BottomRight = 1,
    /// 2.
    TopLeft = 2,
    /// 3.
    TopRight = 3,
}

/// What a number of the table stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum GameTypeStatus {
    /// A draughts game of the standard's table, or one of lidraughts' numbers 96 to 99.
    Draughts,
    /// A game of the table that is not draughts.
    OtherGame(&'static str),
    /// Kept free by the standard for more games.
    Reserved,
    /// Nothing known by this number.
    Unknown,
}

/// A row of the standard's table, or of what is in use beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameTypeRow {
    /// The number.
    pub number: u16,
    /// The name of the game.
    pub name: &'static str,
    /// The full details.
    pub attributes: Option<GameTypeAttributes>,
    /// The results allowed.
    pub results: Option<ResultFormat>,
    /// The separator of captures.
    pub capture: Option<char>,
}

/// The standard's table, its rows in its order, then the numbers that lidraughts uses.
///
/// A number alone means its first row: `23` is American pool checkers.
pub const GAME_TYPES: &[GameTypeRow] = {
    use Colour::{Black, White};
    use Corner::{BottomLeft as C0, BottomRight as C1, TopLeft as C2};
    use NotationStyle::{Algebraic as A, Numeric as N};
    use ResultFormat::{Default as Dft, International as Int};
    &[
        other(0, "Chess"),
        other(1, "Chinese chess"),
        row(20, "International draughts", White, (10, 10), (N, C2), false, Int, 'x'),
        row(21, "English draughts", Black, (8, 8), (N, C1), false, Dft, 'x'),
        row(22, "Italian draughts", White, (8, 8), (N, C2), true, Dft, 'x'),
        row(23, "American pool checkers", Black, (8, 8), (N, C1), false, Dft, 'x'),
        row(23, "Pool checkers (unified)", White, (8, 8), (A, C0), false, Dft, 'x'),
        row(23, "Zimbabwean pool checkers", White, (8, 8), (A, C0), false, Dft, 'x'),
        row(23, "Jamaican draughts", White, (8, 8), (A, C1), true, Dft, 'x'),
        row(24, "Spanish draughts", White, (8, 8), (N, C1), true, Dft, 'x'),
        row(25, "Russian draughts", White, (8, 8), (A, C0), false, Dft, ':'),
        row(26, "Brazilian draughts", White, (8, 8), (A, C0), false, Dft, 'x'),
        row(27, "Canadian draughts", White, (12, 12), (N, C2), false, Int, 'x'),
        row(28, "Portuguese draughts", White, (8, 8), (N, C1), true, Dft, 'x'),
        row(29, "Czech draughts", White, (8, 8), (A, C0), false, Dft, 'x'),
        row(30, "Turkish draughts", White, (8, 8), (A, C0), false, Dft, 'x'),
        row(31, "Thai draughts", Black, (8, 8), (N, C2), false, Dft, '-'),
        row(40, "Frisian draughts", White, (10, 10), (N, C2), false, Dft, 'x'),
        row(41, "Spantsiretti draughts", White, (10, 8), (A, C0), false, Dft, ':'),
        other(50, "Othello"),
        other(96, "Breakthrough draughts"),
        other(97, "Frysk!"),
        other(98, "Antidraughts"),
        other(99, "draughts from a position"),
    ]
};

#[expect(clippy::too_many_arguments, reason = "the columns of the standard's table")]
const fn row(
    number: u16,
    name: &'static str,
    start: Colour,
    (width, height): (u8, u8),
    (style, corner): (NotationStyle, Corner),
    inverted: bool,
    results: ResultFormat,
    capture: char,
) -> GameTypeRow {
    let notation = Notation { style, corner: Some(corner) };
    let attributes = Some(GameTypeAttributes { start, width, height, notation, inverted: Some(inverted) });
    GameTypeRow { number, name, attributes, results: Some(results), capture: Some(capture) }
}

const fn other(number: u16, name: &'static str) -> GameTypeRow {
    GameTypeRow { number, name, attributes: None, results: None, capture: None }
}

/// Why a game type cannot be read.
pub type GameTypeError = ValueError<GameTypeErrorKind>;

/// What is wrong with the text of a game type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum GameTypeErrorKind {
    /// The text begins with something else than a number up to 65535.
    BadNumber(UnexpectedByte),
    /// The starting side is not `W` or `B`.
    BadStart(UnexpectedByte),
    /// A width or height that is not a number up to 255.
    BadSize(UnexpectedByte),
    /// The notation is not `A`, `N` or `S` followed by 0 to 3.
    BadNotation(UnexpectedByte),
    /// The invert flag is not 0 or 1.
    BadInvertFlag(UnexpectedByte),
    /// A field after the last one.
    ExtraField(UnexpectedByte),
    /// A number above 65535, or a size of the board above 255.
    TooLarge,
}

impl fmt::Display for GameTypeErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (expected, found) = match self {
            Self::BadNumber(found) => ("a number such as `20`", found),
            Self::BadStart(found) => ("the side that starts, `W` or `B`", found),
            Self::BadSize(found) => ("the size of the board such as `10`", found),
            Self::BadNotation(found) => ("a notation such as `N2`, `A0` or `S0`", found),
            Self::BadInvertFlag(found) => ("the invert flag, `0` or `1`", found),
            Self::ExtraField(found) => ("nothing after the invert flag", found),
            Self::TooLarge => {
                return f.write_str("found a number too large, expected at most 65535, or 255 for a size");
            }
        };
        write!(f, "expected {expected}, found {found}")
    }
}

/// The fields between commas.
struct Fields<'a> {
    text: &'a [u8],
    at: usize,
    /// Whether the last field has been handed out.
    done: bool,
}

impl Fields<'_> {
    /// The next field without its blanks, and its place; empty after the last one.
    fn next(&mut self) -> (&[u8], usize) {
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest.iter().position(|&byte| byte == b',');
        self.done = length.is_none();
        let end = start + length.unwrap_or(rest.len());
        self.at = end + usize::from(!self.done);
        let (field, before) = trimmed(&self.text[start..end]);
        (field, start + before)
    }

    /// The value of the next field as `read` sees it. The first byte that `good` refuses for its place in the field
    /// is what is reported; if it refuses none, the field is empty or its number too large.
    fn field<T>(
        &mut self,
        kind: fn(UnexpectedByte) -> GameTypeErrorKind,
        good: fn(usize, u8) -> bool,
        read: fn(&[u8]) -> Option<T>,
    ) -> Result<T, GameTypeError> {
        let text = self.text;
        let (field, at) = self.next();
        read(field).ok_or_else(|| {
            let bad = field.iter().enumerate().position(|(i, &byte)| !good(i, byte));
            let kind = match bad {
                Some(bad) => kind(UnexpectedByte(Some(field[bad]))),
                None if field.is_empty() => kind(UnexpectedByte::at(text, at)),
                None => GameTypeErrorKind::TooLarge,
            };
            ValueError::new(kind, span(at, at + field.len()))
        })
    }

    fn number(&mut self) -> Result<u16, GameTypeError> {
        self.field(GameTypeErrorKind::BadNumber, |_, byte| byte.is_ascii_digit(), decimal)
    }

    fn size(&mut self) -> Result<u8, GameTypeError> {
        let read = |field: &[u8]| decimal(field).and_then(|size| u8::try_from(size).ok());
        self.field(GameTypeErrorKind::BadSize, |_, byte| byte.is_ascii_digit(), read)
    }

    fn start_colour(&mut self) -> Result<Colour, GameTypeError> {
        let read = |field: &[u8]| match field {
            [letter] => Colour::from_letter(*letter),
            _ => None,
        };
        self.field(GameTypeErrorKind::BadStart, |i, byte| i == 0 && Colour::from_letter(byte).is_some(), read)
    }

    fn notation(&mut self) -> Result<Notation, GameTypeError> {
        let good = |i, byte: u8| match i {
            0 => matches!(byte.to_ascii_uppercase(), b'A' | b'N' | b'S'),
            1 => matches!(byte, b'0'..=b'3'),
            _ => false,
        };
        self.field(GameTypeErrorKind::BadNotation, good, |field| {
            let (letter, digits) = field.split_first()?;
            let style = match letter.to_ascii_uppercase() {
                b'A' => NotationStyle::Algebraic,
                b'N' => NotationStyle::Numeric,
                b'S' => NotationStyle::San,
                _ => return None,
            };
            let corner = match digits {
                [] => None,
                b"0" => Some(Corner::BottomLeft),
                b"1" => Some(Corner::BottomRight),
                b"2" => Some(Corner::TopLeft),
                b"3" => Some(Corner::TopRight),
                _ => return None,
            };
            Some(Notation { style, corner })
        })
    }

    fn flag(&mut self) -> Result<bool, GameTypeError> {
        let read = |field: &[u8]| match field {
            b"0" => Some(false),
            b"1" => Some(true),
            _ => None,
        };
        self.field(GameTypeErrorKind::BadInvertFlag, |i, byte| i == 0 && matches!(byte, b'0' | b'1'), read)
    }

    fn next_is_digit(&self) -> bool {
        self.text[self.at..].trim_ascii_start().first().is_some_and(u8::is_ascii_digit)
    }

    fn end(&self) -> Result<(), GameTypeError> {
        if self.done {
            return Ok(());
        }
        let found = UnexpectedByte::at(self.text, self.at);
        Err(ValueError::new(GameTypeErrorKind::ExtraField(found), span(self.at, self.text.len())))
    }
}

/// A number of digits only, up to 65535.
fn decimal(digits: &[u8]) -> Option<u16> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0u16, |value, &digit| {
        let digit = digit.is_ascii_digit().then(|| u16::from(digit - b'0'))?;
        value.checked_mul(10)?.checked_add(digit)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::span::Span;

    fn read(text: &str) -> GameType {
        GameType::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn every_row_of_the_standards_table_is_known() {
        let check = |text: &str, name: &str, results: ResultFormat, capture: char| {
            let full = read(text);
            assert_eq!(full.to_string(), text);
            assert_eq!(full.name(), Some(name), "{text}");
            assert_eq!(full.status(), GameTypeStatus::Draughts, "{text}");
            assert_eq!(full.result_system(), Some(results), "{text}");
            assert_eq!(full.capture_separator(), Some(capture), "{text}");
            assert!(full.details().unwrap().is_complete(), "{text}");
        };
        use ResultFormat::{Default, International};
        check("20,W,10,10,N2,0", "International draughts", International, 'x');
        check("21,B,8,8,N1,0", "English draughts", Default, 'x');
        check("22,W,8,8,N2,1", "Italian draughts", Default, 'x');
        check("23,B,8,8,N1,0", "American pool checkers", Default, 'x');
        check("23,W,8,8,A0,0", "Pool checkers (unified)", Default, 'x');
        check("23,W,8,8,A1,1", "Jamaican draughts", Default, 'x');
        check("24,W,8,8,N1,1", "Spanish draughts", Default, 'x');
        check("25,W,8,8,A0,0", "Russian draughts", Default, ':');
        check("26,W,8,8,A0,0", "Brazilian draughts", Default, 'x');
        check("27,W,12,12,N2,0", "Canadian draughts", International, 'x');
        check("28,W,8,8,N1,1", "Portuguese draughts", Default, 'x');
        check("29,W,8,8,A0,0", "Czech draughts", Default, 'x');
        check("30,W,8,8,A0,0", "Turkish draughts", Default, 'x');
        check("31,B,8,8,N2,0", "Thai draughts", Default, '-');
        check("40,W,10,10,N2,0", "Frisian draughts", Default, 'x');
        check("41,W,10,8,A0,0", "Spantsiretti draughts", Default, ':');
        for row in GAME_TYPES.iter().filter(|row| row.attributes.is_some()) {
            let text = GameType { number: row.number, attributes: row.attributes }.to_string();
            assert_eq!(read(&text).attributes, row.attributes);
        }
    }

    #[test]
    fn a_bare_number_stands_for_the_first_row() {
        assert_eq!(read("23").details(), read("23,B,8,8,N1,0").attributes);
        assert_eq!(read("21").start(), Some(Colour::Black));
        assert_eq!(read("23,W,8,8,A1,1").start(), Some(Colour::White));
        assert_eq!(read("96").start(), None);
    }

    #[test]
    fn numbers_outside_draughts_are_told_apart() {
        use GameTypeStatus::{Draughts, OtherGame, Reserved, Unknown};
        for (text, status, name) in [
            ("0", OtherGame("Chess"), Some("Chess")),
            ("1", OtherGame("Chinese chess"), Some("Chinese chess")),
            ("2", Reserved, Some("future chess expansion")),
            ("19", Reserved, Some("future chess expansion")),
            ("32", Reserved, Some("future draughts expansion")),
            ("49", Reserved, Some("future draughts expansion")),
            ("50", OtherGame("Othello"), Some("Othello")),
            ("51", Unknown, None),
            ("65535", Unknown, None),
            ("96", Draughts, Some("Breakthrough draughts")),
            ("98", Draughts, Some("Antidraughts")),
        ] {
            assert_eq!((read(text).status(), read(text).name()), (status, name), "{text}");
        }
    }

    #[test]
    fn odd_forms_are_read() {
        let check = |text: &str, canonical: &str| assert_eq!(read(text).to_string(), canonical, "{text}");
        check("20", "20");
        check(" 020 ", "20");
        check("20,W,10,10,N1,0", "20,W,10,10,N1,0");
        check("20,W,0,0,N,0", "20,W,0,0,N,0");
        check("0,W,8,8,S0", "0,W,8,8,S0");
        check("0,W,8,8,0,S0", "0,W,8,8,S0,0");
        check("21,B,10,10,N1,0", "21,B,10,10,N1,0");
        check("25, w, 8, 8, a0, 0", "25,W,8,8,A0,0");
        assert_eq!(read("20,W,0,0,N,0").attributes.unwrap().board(), None);
        assert!(!read("20,W,10,10,N,0").attributes.unwrap().is_complete());
        assert_eq!(read("21,B,10,10,N1,0").attributes.unwrap().board(), Some((10, 10)));
    }

    #[test]
    fn what_has_no_meaning_is_refused_with_its_place() {
        use GameTypeErrorKind as E;
        let check = |text: &str, kind: GameTypeErrorKind, start: u32, end: u32, number: Option<u16>| {
            let error = ValueError::new(kind, Span::new(start, end));
            assert_eq!(GameType::parse(text.as_bytes()), Err(error), "{text}");
            assert_eq!(GameType::number_in(text.as_bytes()), number, "{text}");
        };
        let found = |byte: u8| UnexpectedByte(Some(byte));
        check("", E::BadNumber(UnexpectedByte(None)), 0, 0, None);
        check("International", E::BadNumber(found(b'I')), 0, 13, None);
        check("65536", E::TooLarge, 0, 5, None);
        check("20 W", E::BadNumber(found(b' ')), 0, 4, Some(20));
        check("20,", E::BadStart(UnexpectedByte(None)), 3, 3, Some(20));
        check("20,X,10,10,N2,0", E::BadStart(found(b'X')), 3, 4, Some(20));
        check("20,W", E::BadSize(UnexpectedByte(None)), 4, 4, Some(20));
        check("20,W,1O,10,N2,0", E::BadSize(found(b'O')), 5, 7, Some(20));
        check("20,W,300,10,N2,0", E::TooLarge, 5, 8, Some(20));
        check("20,W,10,10,Q2,0", E::BadNotation(found(b'Q')), 11, 13, Some(20));
        check("20,W,10,10,N4,0", E::BadNotation(found(b'4')), 11, 13, Some(20));
        check("20,W,10,10", E::BadNotation(UnexpectedByte(None)), 10, 10, Some(20));
        check("20,W,10,10,N2,2", E::BadInvertFlag(found(b'2')), 14, 15, Some(20));
        check("20,W,10,10,N2,0,7", E::ExtraField(found(b'7')), 16, 17, Some(20));
        let error = GameType::parse(b"20,X").unwrap_err();
        assert_eq!(error.to_string(), "expected the side that starts, `W` or `B`, found `X`");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(text in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = GameType::parse(&text);
        }

        #[test]
        fn what_is_written_is_read_back(text in "[0-9]{1,3}(,[WBw],[0-9]{1,2},[0-9]{1,2},[ANSa][0-3]?(,[01])?)?") {
            let read = GameType::parse(text.as_bytes()).unwrap();
            prop_assert_eq!(GameType::parse(read.to_string().as_bytes()), Ok(read));
        }
    }
}
