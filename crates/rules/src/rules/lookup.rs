//! Finds the game of a GameType number and its attributes. The text of the tag is parsed by
//! [`GameType`](crate::value::GameType).

use core::fmt;

use super::variant::{GameRules, Variant};
use crate::board::SquareNaming;
use crate::value::{Corner, GameTypeAttributes, NotationStyle};

/// The reason why no game belongs to a GameType tag.
///
/// ```
/// use pdn_rules::rules::GameRules;
/// use pdn_rules::internal::rules::LookupError;
///
/// assert_eq!(GameRules::from_attributes(0, None), Err(LookupError::UnknownNumber), "0 is chess");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum LookupError {
    /// The number is not in the table.
    UnknownNumber,
    /// The game is not played on a board of that size.
    WrongBoard,
}

impl fmt::Display for LookupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownNumber => "no draughts game has this GameType number",
            Self::WrongBoard => "this game is not played on a board of that size",
        })
    }
}

impl core::error::Error for LookupError {}

impl GameRules {
    /// Returns the game of a GameType number and attributes: the row of the number, with the values of the
    /// attributes in place of its own.
    ///
    /// The attributes are not questioned. Some programs write `20,W,10,10,N1,0` over games that use the common
    /// numbering N2. A reader that meets an illegal first move should try [`Variant::from_number`] instead.
    ///
    /// # Errors
    /// [`LookupError::UnknownNumber`] for a number that no variant has, [`LookupError::WrongBoard`] for another
    /// board size.
    #[doc(hidden)]
    pub fn from_attributes(
        number: u16,
        attributes: Option<&GameTypeAttributes>,
    ) -> Result<Self, LookupError> {
        let mut game = Variant::from_number(number).ok_or(LookupError::UnknownNumber)?.game();
        let Some(attributes) = attributes else { return Ok(game) };
        let differs = |given: u8, own: u8| given != 0 && given != own;
        if differs(attributes.width, game.rules.board.width())
            || differs(attributes.height, game.rules.board.height())
        {
            return Err(LookupError::WrongBoard);
        }
        let numbering = &mut game.numbering;
        // Unless a digit gives the first corner, names of the other kind begin in their default corner.
        *numbering = numbering.with_letters(match attributes.notation.style {
            NotationStyle::Algebraic | NotationStyle::San => SquareNaming::Algebraic,
            NotationStyle::Numeric => SquareNaming::Numeric,
        });
        match attributes.notation.corner {
            // The corner is named as the starting player sees the board; the same tag says who that is.
            Some(corner) => numbering.corner = corner,
            None if attributes.start != numbering.start => numbering.corner = opposite(numbering.corner),
            None => {}
        }
        numbering.start = attributes.start;
        numbering.inverted = attributes.inverted.unwrap_or(numbering.inverted);
        Ok(game)
    }
}

/// Returns the same corner as the player on the other side of the board sees it.
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
    use crate::internal::value::Notation;
    use crate::value::Colour::{self, Black, White};

    fn attributes(
        start: Colour,
        board: (u8, u8),
        notation: &[u8],
        inverted: Option<bool>,
    ) -> GameTypeAttributes {
        let style = if notation[0] == b'A' { NotationStyle::Algebraic } else { NotationStyle::Numeric };
        let corner = notation.get(1).map(|digit| {
            [Corner::BottomLeft, Corner::BottomRight, Corner::TopLeft, Corner::TopRight]
                [usize::from(digit - b'0')]
        });
        GameTypeAttributes {
            start,
            width: board.0,
            height: board.1,
            notation: Notation { style, corner },
            inverted,
        }
    }

    #[test]
    fn attributes_override_the_row_of_the_number() {
        for (number, attributes, expected) in [
            (20, None, Ok(Variant::International)),
            (23, None, Ok(Variant::Pool)),
            (23, Some(attributes(Black, (8, 8), b"N1", Some(false))), Ok(Variant::Pool)),
            (23, Some(attributes(White, (8, 8), b"A0", Some(false))), Ok(Variant::UnifiedPool)),
            (23, Some(attributes(White, (8, 8), b"A1", Some(true))), Ok(Variant::Jamaican)),
            (30, Some(attributes(White, (8, 8), b"A0", Some(false))), Ok(Variant::Turkish)),
            (20, Some(attributes(White, (0, 0), b"N", Some(false))), Ok(Variant::International)),
            (97, None, Ok(Variant::Frysk)),
            (20, Some(attributes(White, (8, 8), b"N2", Some(false))), Err(LookupError::WrongBoard)),
            (0, None, Err(LookupError::UnknownNumber)),
            (65535, None, Err(LookupError::UnknownNumber)),
        ] {
            let game = GameRules::from_attributes(number, attributes.as_ref());
            assert_eq!(game, expected.map(Variant::game), "{number} {attributes:?}");
        }
    }

    #[test]
    fn other_starting_side_keeps_the_names_of_squares() {
        let white_first = attributes(White, (8, 8), b"N", None);
        let game = GameRules::from_attributes(21, Some(&white_first)).expect("English with White first");
        let (changed, table) = (game.names(), Variant::English.names());
        for number in 1..=32 {
            assert_eq!(changed.of_number(number), table.of_number(number));
        }
    }
}
