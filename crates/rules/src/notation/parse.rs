//! Finds the legal move that a text means, in one position.

use alloc::vec::Vec;
use core::fmt;

use super::read::{MoveForm, MoveText};
use super::square_code::{SquareCode, SquareCodes};
use crate::board::Square;
use crate::movegen::{CaptureLimit, FindError};
use crate::position::{Move, Position};

/// The reason why a text does not mean one legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum ParseMoveError {
    /// The text does not have the form of a move.
    NotAMove,
    /// The text names a square that the board does not have.
    NoSuchSquare,
    /// No legal move leads from the first square to the last.
    Illegal,
    /// A legal move leads from the first square to the last, but not over the other squares in the text.
    OtherPath,
    /// Several legal moves match the text.
    Ambiguous,
    /// The captures of the position need more search nodes than the default limits allow.
    Limit,
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotAMove => "this text is not a move",
            Self::NoSuchSquare => "the board has no such square",
            Self::Illegal => "no legal move leads there",
            Self::OtherPath => "no legal move leads over these squares",
            Self::Ambiguous => "several legal moves match",
            Self::Limit => return CaptureLimit.fmt(f),
        })
    }
}

impl core::error::Error for ParseMoveError {}

impl From<FindError> for ParseMoveError {
    fn from(error: FindError) -> Self {
        match error {
            FindError::Illegal => Self::Illegal,
            FindError::OtherPath => Self::OtherPath,
            FindError::Ambiguous => Self::Ambiguous,
            FindError::Limit => Self::Limit,
        }
    }
}

impl Position {
    /// Parses a written move and returns the legal move that it means.
    ///
    /// All forms that [`MoveText::read`] understands are accepted, with numbers or letters in every game: `32-28`,
    /// `c3:e5`, `26x17x10`, `3228`. A text with several readings means the one that is legal: `718` may be 7-18 or
    /// 71-8, and `ab4` any move from the file a to b4. Captured squares may follow, `47x36 <42,29,14,31>`; they select
    /// among captures with the same first and last square. Whitespace around the text is ignored.
    ///
    /// Builds the table of square names on every call, a few hundred nanoseconds.
    ///
    /// ```
    /// use pdn_rules::position::Position;
    /// use pdn_rules::rules::Variant;
    ///
    /// let position = Position::parse_fen(Variant::International, "W:W27,18:B7")?;
    /// let mv = position.parse_move("27-21")?;
    /// assert_eq!(position.after(&mv).fen(), "B:W18,21:B7");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`ParseMoveError`]. If no reading is legal, the error is that of the reading which came nearest.
    pub fn parse_move(&self, text: impl AsRef<[u8]>) -> Result<Move, ParseMoveError> {
        parse(self, text.as_ref().trim_ascii())
    }
}

fn parse(position: &Position, text: &[u8]) -> Result<Move, ParseMoveError> {
    let split = text.iter().position(|&byte| byte == b'<').unwrap_or(text.len());
    let (text, list) = (text[..split].trim_ascii_end(), &text[split..]);
    let codes = SquareCodes::new(&position.names());
    let square = |&code: &SquareCode| codes.square(code).ok_or(ParseMoveError::NoSuchSquare);

    let read = MoveText::read(text).ok_or(ParseMoveError::NotAMove)?;
    let captured: Vec<Square> = match list {
        [] => Vec::new(),
        _ => {
            let list = MoveText::read_captured(list).ok_or(ParseMoveError::NotAMove)?;
            list.squares().iter().map(square).collect::<Result<_, _>>()?
        }
    };
    let find = |from, to, between: &[Square]| {
        let mv = position.find(from, to, if between.is_empty() { &captured } else { between })?;
        let set = captured.iter().fold(0u128, |set, square| set | 1 << square.bit());
        if captured.is_empty() || mv.captured == set { Ok(mv) } else { Err(FindError::OtherPath) }
    };
    match read.form() {
        MoveForm::Squares => {
            let squares: Vec<Square> = read.squares().iter().map(square).collect::<Result<_, _>>()?;
            // A text of this form has at least two squares.
            let [from, between @ .., to] = &squares[..] else { return Err(ParseMoveError::NotAMove) };
            Ok(find(*from, *to, between)?)
        }
        MoveForm::ThreeDigits => {
            let readings = read.squares().chunks_exact(2).filter_map(|pair| {
                let (from, to) = (codes.square(pair[0])?, codes.square(pair[1])?);
                Some(find(from, to, &[]))
            });
            only_legal(readings).unwrap_or(Err(ParseMoveError::NoSuchSquare))
        }
        MoveForm::File(file) => {
            let to = read.squares().first().ok_or(ParseMoveError::NotAMove).and_then(square)?;
            let readings = (1..=12).filter_map(|rank| {
                let from = codes.square(SquareCode::of_cell(file, rank)?)?;
                Some(find(from, to, &[]))
            });
            only_legal(readings).unwrap_or(Err(ParseMoveError::NoSuchSquare))
        }
    }
}

/// Returns the only legal move among the readings of a text, or the nearest error; `None` if there are no readings.
fn only_legal(
    readings: impl Iterator<Item = Result<Move, FindError>>,
) -> Option<Result<Move, ParseMoveError>> {
    readings.map(|found| found.map_err(ParseMoveError::from)).reduce(|one, other| match (one, other) {
        (Ok(one), Ok(other)) if one != other => Err(ParseMoveError::Ambiguous),
        (Err(ParseMoveError::Ambiguous), _) | (_, Err(ParseMoveError::Ambiguous)) => {
            Err(ParseMoveError::Ambiguous)
        }
        (Ok(mv), _) | (_, Ok(mv)) => Ok(mv),
        (Err(one), Err(ParseMoveError::Illegal)) => Err(one),
        (Err(_), other) => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::MoveStyle;
    use crate::rules::Variant;

    /// `expected`: the move in the shortest form, or the error.
    #[track_caller]
    fn check(variant: Variant, fen: &str, text: &str, expected: Result<&str, ParseMoveError>) {
        let position = Position::parse_fen(variant, fen).expect("a position");
        let parsed = position.parse_move(text);
        let shown = parsed.map(|mv| position.move_text(&mv, MoveStyle::Shortest));
        assert_eq!(shown.as_deref(), expected.as_ref().map(|text| *text), "{variant} {fen} {text}");
    }

    #[test]
    fn texts_parse_to_the_legal_move_they_mean() {
        let start = "W:W31-50:B1-20";
        for text in ["32-28", "32x28", "3228", " 32 - 28 "] {
            check(Variant::International, start, text, Ok("32-28"));
        }
        check(Variant::Russian, "W:Wc3,e3:Bh8", "c3-d4", Ok("c3-d4"));
        check(Variant::Russian, "W:Wc3:Bh8", "cd4", Ok("c3-d4"));
        check(Variant::Russian, "W:Wc3:Bh8", "22-18", Ok("c3-d4"));
        check(Variant::International, "W:W18:B7", "187", Err(ParseMoveError::Illegal));
        check(Variant::International, "B:W40:B7", "712", Ok("7-12"));
        check(Variant::International, "W:W12:B40", "127", Ok("12-7"));
    }

    #[test]
    fn captured_squares_select_a_capture() {
        let fen = "B:W6,7,14,15:B3";
        check(Variant::Italian, fen, "3x19", Err(ParseMoveError::Ambiguous));
        check(Variant::Italian, fen, "3x10x19", Ok("3x10x19"));
        check(Variant::Italian, fen, "3x19 <7,15>", Ok("3x12x19"));
        check(Variant::Italian, fen, "3x19 <6,14>", Ok("3x10x19"));
        check(Variant::Italian, fen, "3x10x19 <7,15>", Err(ParseMoveError::OtherPath));
        check(Variant::Italian, fen, "3x19 <99>", Err(ParseMoveError::NoSuchSquare));
        check(Variant::Italian, fen, "3x19 <", Err(ParseMoveError::NotAMove));
    }

    #[test]
    fn other_texts_are_refused_with_their_reason() {
        let start = "W:W31-50:B1-20";
        for (text, error) in [
            ("", ParseMoveError::NotAMove),
            ("1-0x", ParseMoveError::NotAMove),
            ("hello", ParseMoveError::NotAMove),
            ("32-99", ParseMoveError::NoSuchSquare),
            ("0-0", ParseMoveError::NoSuchSquare),
            ("32-27x", ParseMoveError::NotAMove),
            ("32-26", ParseMoveError::Illegal),
            ("32-27-28", ParseMoveError::OtherPath),
        ] {
            check(Variant::International, start, text, Err(error));
        }
        check(Variant::Russian, "W:Wa3,c3:Bh8", "l1-b4", Err(ParseMoveError::NoSuchSquare));
        check(Variant::Russian, "W:Wa3,c3:Bh8", "lb4", Err(ParseMoveError::NoSuchSquare));
        check(Variant::International, "W:W28,37:B22,23", "28x10x17", Err(ParseMoveError::OtherPath));
    }

    /// Styles that name a capture completely are parsed back as the same move.
    #[test]
    fn written_moves_parse_to_themselves() {
        for (variant, fen) in [
            (Variant::Italian, "B:W6,7,14,15:B3"),
            (Variant::Turkish, "W:WKa1,Kh1:Ba4,c4,h5"),
            (Variant::International, "W:WK48:B7,8,31,34,K42,44"),
            (Variant::Frisian, "W:W28:B22,23,32,33"),
        ] {
            let position = Position::parse_fen(variant, fen).expect("a position");
            for mv in position.moves().expect("few captures") {
                for style in [MoveStyle::Shortest, MoveStyle::Captured] {
                    let text = position.move_text(&mv, style);
                    assert_eq!(position.parse_move(&text), Ok(mv), "{variant} {text}");
                }
            }
        }
    }
}
