//! From the parts of a GameType tag to a game. The text of the tag is read elsewhere.

use std::fmt;

use super::variant::{Game, Variant};
use crate::board::{Corner, Letters};
use crate::value::Colour;

/// The attributes that may follow the number in a GameType tag; what is absent comes from the number's row.
///
/// PDN 3.0, chapter "GameType tag".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Attributes {
    /// The side that starts.
    pub start: Option<Colour>,
    /// Columns. 0 is written by some programs and means nothing.
    pub width: u16,
    /// Rows, likewise.
    pub height: u16,
    /// `A`, `N` or `S`; anything else means nothing.
    pub notation: Option<u8>,
    /// The digit behind it, 0 to 3.
    pub corner: Option<u8>,
    /// The invert flag.
    pub inverted: Option<bool>,
}

/// Why no game belongs to a GameType tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum LookupError {
    /// The number is not in the table.
    UnknownNumber,
    /// The game is not played on a board of that size.
    WrongBoard,
    /// The digit of the notation is not 0 to 3.
    UnknownCorner,
}

impl fmt::Display for LookupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownNumber => "no draughts game has this GameType number",
            Self::WrongBoard => "this game is not played on a board of that size",
            Self::UnknownCorner => "the first square lies in corner 0, 1, 2 or 3",
        })
    }
}

impl std::error::Error for LookupError {}

impl Game {
    /// The game of a GameType number and attributes: the number's row with the attributes' values in place of
    /// its own.
    ///
    /// The attributes are taken at their word. Some programs write `20,W,10,10,N1,0` over games in the usual
    /// numbering; a reader that meets an illegal first move does well to try [`Variant::from_number`] instead.
    ///
    /// # Errors
    /// When the number is unknown, the board has another size, or the corner is not one of four.
    pub fn from_attributes(number: u16, attributes: &Attributes) -> Result<Self, LookupError> {
        let mut game = Variant::from_number(number).ok_or(LookupError::UnknownNumber)?.game();
        let differs = |given: u16, own: u8| given != 0 && given != u16::from(own);
        if differs(attributes.width, game.rules.board.width())
            || differs(attributes.height, game.rules.board.height())
        {
            return Err(LookupError::WrongBoard);
        }
        let numbering = &mut game.numbering;
        // Names of the other kind start in White's corner unless a digit says where.
        match attributes.notation.map(|letter| letter.to_ascii_uppercase()) {
            Some(b'A' | b'S') => *numbering = numbering.with_letters(Letters::Algebraic),
            Some(b'N') => *numbering = numbering.with_letters(Letters::Numeric),
            _ => {}
        }
        if let Some(digit) = attributes.corner {
            numbering.corner = Corner::from_digit(digit).ok_or(LookupError::UnknownCorner)?;
            // The digit is seen by the starting player that the same tag names.
            numbering.start = attributes.start.unwrap_or(numbering.start);
        } else if let Some(start) = attributes.start {
            if start != numbering.start {
                numbering.corner = opposite(numbering.corner);
                numbering.start = start;
            }
        }
        numbering.inverted = attributes.inverted.unwrap_or(numbering.inverted);
        Ok(game)
    }
}

/// The same corner as the player on the other side of the board sees it.
const fn opposite(corner: Corner) -> Corner {
    match corner {
        Corner::BottomLeft => Corner::TopRight,
        Corner::BottomRight => Corner::TopLeft,
        Corner::TopLeft => Corner::BottomRight,
        Corner::TopRight => Corner::BottomLeft,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attributes(start: Colour, width: u16, height: u16, notation: &[u8; 2], inverted: bool) -> Attributes {
        Attributes {
            start: Some(start),
            width,
            height,
            notation: Some(notation[0]),
            corner: Some(notation[1] - b'0'),
            inverted: Some(inverted),
        }
    }

    #[test]
    fn attributes_override_the_row() {
        use Colour::{Black, White};
        for (number, attributes, expected) in [
            (20, Attributes::default(), Ok(Variant::International)),
            (23, Attributes::default(), Ok(Variant::Pool)),
            (23, attributes(Black, 8, 8, b"N1", false), Ok(Variant::Pool)),
            (23, attributes(White, 8, 8, b"A0", false), Ok(Variant::UnifiedPool)),
            (23, attributes(White, 8, 8, b"A1", true), Ok(Variant::Jamaican)),
            (30, attributes(White, 8, 8, b"A0", false), Ok(Variant::Turkish)),
            (20, Attributes { start: Some(White), notation: Some(b'N'), ..Attributes::default() },
                Ok(Variant::International)),
            (97, Attributes::default(), Ok(Variant::Frysk)),
            (20, attributes(White, 8, 8, b"N2", false), Err(LookupError::WrongBoard)),
            (20, Attributes { corner: Some(7), ..Attributes::default() }, Err(LookupError::UnknownCorner)),
            (0, Attributes::default(), Err(LookupError::UnknownNumber)),
            (65535, Attributes::default(), Err(LookupError::UnknownNumber)),
        ] {
            assert_eq!(Game::from_attributes(number, &attributes), expected.map(Variant::game), "{number}");
        }
    }

    #[test]
    fn another_starter_leaves_the_names_where_they_are() {
        let white_first = Attributes { start: Some(Colour::White), ..Attributes::default() };
        let game = Game::from_attributes(21, &white_first).expect("English with White first");
        let (ours, usual) = (game.names(), Variant::English.names());
        for number in 1..=32 {
            assert_eq!(ours.of_number(number), usual.of_number(number));
        }
    }
}
