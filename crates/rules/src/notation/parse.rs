//! Finds the legal move that a text means, in one position.

use super::read::{MoveForm, MoveText};
use super::square_code::{SquareCode, SquareCodes};
use crate::board::Square;
use crate::movegen::{FindError, MoveError};
use crate::position::{Move, Position};
use alloc::vec::Vec;

impl Position {
    /// Parses a written move and returns the legal move that it means.
    ///
    /// All forms that `MoveText::read` understands are accepted, with numbers or letters in every game: `32-28`,
    /// `c3:e5`, `26x17x10`, `3228`. A text with several readings means the one that is legal: `718` may be 7-18 or
    /// 71-8, and `ab4` any move from the file a to b4. Captured squares may follow, `47x36 <42,29,14,31>`; they select
    /// among captures with the same first and last square. They may also follow as the Hub protocol writes them: `47x36x42x29`.
    /// Whitespace around the text is ignored.
    ///
    /// Builds the table of square names on every call, a few hundred nanoseconds.
    ///
    /// ```
    /// use pdn_rules::position::Position;
    /// use pdn_rules::rules::Variant;
    ///
    /// let position = Position::parse_fen(Variant::International, "W:W27,18:B7")?;
    /// let mv = position.parse_move("27-21")?;
    /// assert_eq!(position.after(&mv)?.fen(), "B:W18,21:B7");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`MoveError`]. If no reading is legal, the error is that of the reading which came nearest.
    pub fn parse_move(&self, text: impl AsRef<[u8]>) -> Result<Move, MoveError> {
        parse(self, text.as_ref().trim_ascii())
    }
}

fn parse(position: &Position, text: &[u8]) -> Result<Move, MoveError> {
    let split = text.iter().position(|&byte| byte == b'<').unwrap_or(text.len());
    let (text, list) = (text[..split].trim_ascii_end(), &text[split..]);
    let codes = SquareCodes::new(&position.names());
    let square = |&code: &SquareCode| codes.square(code).ok_or(MoveError::NoSuchSquare);

    let read = MoveText::read(text).ok_or(MoveError::Unreadable)?;
    let captured: Vec<Square> = match list {
        [] => Vec::new(),
        _ => {
            let list = MoveText::read_captured(list).ok_or(MoveError::Unreadable)?;
            list.squares().iter().map(square).collect::<Result<_, _>>()?
        }
    };
    let find = |from, to, between: &[Square]| {
        let via = if between.is_empty() { &captured } else { between };
        let mv = match position.find(from, to, via) {
            // Longer captures have further squares to tell them apart.
            Err(FindError::Ambiguous) if via.is_empty() => {
                let same_ends = |mv: &&Move| (mv.from, mv.to) == (from, to) && mv.is_single_jump();
                position.moves()?.iter().find(same_ends).copied().ok_or(FindError::Ambiguous)?
            }
            found => found?,
        };
        let set = captured.iter().fold(0u128, |set, square| set | 1 << square.bit());
        if captured.is_empty() || mv.captured == set { Ok(mv) } else { Err(FindError::OtherPath) }
    };
    let explained = |from, to, between: &[Square]| {
        find(from, to, between).map_err(|error| match error {
            FindError::Illegal => position.illegal_reason(from, to, between),
            error => error.into(),
        })
    };
    match read.form() {
        MoveForm::Squares => {
            let squares: Vec<Square> = read.squares().iter().map(square).collect::<Result<_, _>>()?;
            // A text of this form has at least two squares.
            let [from, between @ .., to] = &squares[..] else { return Err(MoveError::Unreadable) };
            match explained(*from, *to, between) {
                Ok(mv) => Ok(mv),
                Err(error) if captured.is_empty() => position.find_captured(&squares).map_err(|_| error),
                Err(error) => Err(error),
            }
        }
        MoveForm::ThreeDigits => {
            let readings = read.squares().chunks_exact(2).filter_map(|pair| {
                let (from, to) = (codes.square(pair[0])?, codes.square(pair[1])?);
                Some(explained(from, to, &[]))
            });
            only_legal(readings).unwrap_or(Err(MoveError::NoSuchSquare))
        }
        MoveForm::File(file) => {
            let to = read.squares().first().ok_or(MoveError::Unreadable).and_then(square)?;
            let readings = (1..=12).filter_map(|rank| {
                let from = codes.square(SquareCode::of_cell(file, rank)?)?;
                Some(find(from, to, &[]).map_err(MoveError::from))
            });
            only_legal(readings).unwrap_or(Err(MoveError::NoSuchSquare))
        }
    }
}

/// Returns the only legal move among the readings of a text, or the nearest error; `None` if there are no readings.
fn only_legal(readings: impl Iterator<Item = Result<Move, MoveError>>) -> Option<Result<Move, MoveError>> {
    // That a piece cannot go there, or that there is none, says least.
    let is_far = |error| matches!(error, MoveError::Impossible | MoveError::NoPiece | MoveError::OtherSide);
    readings.reduce(|one, other| match (one, other) {
        (Ok(one), Ok(other)) if one != other => Err(MoveError::Ambiguous),
        (Err(MoveError::Ambiguous), _) | (_, Err(MoveError::Ambiguous)) => Err(MoveError::Ambiguous),
        (Ok(mv), _) | (_, Ok(mv)) => Ok(mv),
        (Err(one), Err(other)) if is_far(other) => Err(one),
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
    fn check(variant: Variant, fen: &str, text: &str, expected: Result<&str, MoveError>) {
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
        check(Variant::International, "W:W18:B7", "187", Err(MoveError::Impossible));
        check(Variant::International, "B:W40:B7", "712", Ok("7-12"));
        check(Variant::International, "W:W12:B40", "127", Ok("12-7"));
    }

    #[test]
    fn captured_squares_select_a_capture() {
        let fen = "B:W6,7,14,15:B3";
        check(Variant::Italian, fen, "3x19", Err(MoveError::Ambiguous));
        check(Variant::Italian, fen, "3x10x19", Ok("3x10x19"));
        check(Variant::Italian, fen, "3x19 <7,15>", Ok("3x12x19"));
        check(Variant::Italian, fen, "3x19 <6,14>", Ok("3x10x19"));
        check(Variant::Italian, fen, "3x10x19 <7,15>", Err(MoveError::OtherPath));
        check(Variant::Italian, fen, "3x19 <99>", Err(MoveError::NoSuchSquare));
        check(Variant::Italian, fen, "3x19 <", Err(MoveError::Unreadable));
    }

    #[test]
    fn two_squares_mean_the_single_jump_between_them() {
        let fen = "B:Wd2,d4,d6,f6:BKe3";
        check(Variant::Russian, fen, "e3:c1", Ok("e3:c1"));
        check(Variant::Russian, fen, "ec1", Ok("e3:c1"));
        check(Variant::Russian, fen, "e3:g5:c1", Ok("e3:c5:e7:g5:c1"));
    }

    #[test]
    fn other_texts_are_refused_with_their_reason() {
        let start = "W:W31-50:B1-20";
        for (text, error) in [
            ("", MoveError::Unreadable),
            ("1-0x", MoveError::Unreadable),
            ("hello", MoveError::Unreadable),
            ("32-99", MoveError::NoSuchSquare),
            ("0-0", MoveError::NoSuchSquare),
            ("32-27x", MoveError::Unreadable),
            ("32-26", MoveError::Impossible),
            ("32-27-28", MoveError::OtherPath),
        ] {
            check(Variant::International, start, text, Err(error));
        }
        check(Variant::Russian, "W:Wa3,c3:Bh8", "l1-b4", Err(MoveError::NoSuchSquare));
        check(Variant::Russian, "W:Wa3,c3:Bh8", "lb4", Err(MoveError::NoSuchSquare));
        check(Variant::International, "W:W28,37:B22,23", "28x10x17", Err(MoveError::OtherPath));
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
                for style in [MoveStyle::Shortest, MoveStyle::Captured, MoveStyle::Hub] {
                    let text = position.move_text(&mv, style);
                    assert_eq!(position.parse_move(&text), Ok(mv), "{variant} {text}");
                }
            }
        }
    }
}
