//! The GameType tag: which game is played, on which board, and how its squares are named.
//!
//! Holds the standard's table as data, without rules: number 25 is Russian draughts, writes captures with `:` and
//! names squares from a1, but how a king moves is not defined here. Parsing is one pass over a few bytes.

mod attributes;
mod table;
mod fields;
mod names;

use core::fmt;
use core::str::FromStr;

use super::Colour;
use super::error::ValueError;
use super::result_format::ResultFormat;
use fields::{Fields, decimal};

pub use attributes::{Corner, GameTypeAttributes, Notation, NotationStyle};
pub(crate) use table::draughts_games;
pub use table::{GAME_TYPES, GameTypeRow, GameTypeStatus};

/// A game type as written: a number and optional attributes, which override those that the number implies.
///
/// PDN 3.0, chapter "GameType tag".
///
/// ```
/// use pdn_rules::value::{Colour, GameType};
///
/// let game_type: GameType = "25,W,8,8,A0,0".parse()?;
/// assert_eq!(game_type.name(), Some("Russian draughts"));
/// assert_eq!((game_type.start(), game_type.capture_separator()), (Some(Colour::White), Some(':')));
/// # Ok::<(), pdn_rules::value::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct GameType {
    /// The number, such as 20 for International draughts.
    pub number: u16,
    /// The attributes, if they are written.
    #[doc(hidden)]
    pub attributes: Option<GameTypeAttributes>,
}

impl GameType {
    /// Parses a number alone, the full form, and the incomplete forms that occur in files: sizes of 0, a notation
    /// without its corner, the swapped last fields of PDN 1.0, whitespace, lower case.
    ///
    /// # Errors
    /// The first field without a meaning. [`GameType::number_in`] may still find the
    /// number.
    pub fn parse(text: &[u8]) -> Result<Self, ValueError> {
        let mut fields = Fields::new(text);
        let number = fields.number()?;
        if fields.is_done() {
            return Ok(Self { number, attributes: None });
        }
        let start = fields.start_colour()?;
        let width = fields.size()?;
        let height = fields.size()?;
        // PDN 1.0 writes chess as `0,W,8,8,0,S0`: the invert flag before the notation.
        let inverted_first = if fields.next_is_digit() { Some(fields.flag()?) } else { None };
        let notation = fields.notation()?;
        let inverted = match inverted_first {
            None if !fields.is_done() => Some(fields.flag()?),
            first => first,
        };
        fields.end()?;
        Ok(Self { number, attributes: Some(GameTypeAttributes { start, width, height, notation, inverted }) })
    }

    /// Returns the number at the start of a text, whatever follows it; `None` if there is none up to 65535.
    pub fn number_in(text: &[u8]) -> Option<u16> {
        let text = text.trim_ascii_start();
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        decimal(&text[..digits])
    }

    /// Returns `true` if a value gives no number of a game: it has none, or one without a meaning or reserved for the future.
    #[doc(hidden)]
    pub fn is_unnumbered(text: &[u8]) -> bool {
        let number =
            Self::parse(text).ok().map(|game_type| game_type.number).or_else(|| Self::number_in(text));
        number.is_none_or(|number| {
            matches!(Self::of_number(number).status(), GameTypeStatus::Reserved | GameTypeStatus::Unknown)
        })
    }

    /// Creates a game type without attributes.
    pub const fn of_number(number: u16) -> Self {
        Self { number, attributes: None }
    }

    /// Returns the row of the table for this game type: the row with the same number and attributes, as for Jamaican
    /// draughts, else the first row with the same number.
    #[doc(hidden)]
    pub fn row(&self) -> Option<&'static GameTypeRow> {
        let same_number = || GAME_TYPES.iter().filter(|row| row.number == self.number);
        same_number()
            .find(|row| self.attributes.is_some() && row.attributes == self.attributes)
            .or_else(|| same_number().next())
    }

    /// Returns the name of the game, or of the use for which the standard reserves the number; `None` for other
    /// numbers.
    pub fn name(&self) -> Option<&'static str> {
        self.row().map(|row| row.name).or(match self.number {
            2..=19 => Some("future chess expansion"),
            32..=39 | 42..=49 => Some("future draughts expansion"),
            _ => None,
        })
    }

    /// Returns the kind of game.
    #[doc(hidden)]
    pub fn status(&self) -> GameTypeStatus {
        match (self.number, self.row()) {
            (0 | 1 | 50, Some(row)) => GameTypeStatus::OtherGame(row.name),
            (_, Some(_)) => GameTypeStatus::Draughts,
            (2..=19 | 32..=39 | 42..=49, None) => GameTypeStatus::Reserved,
            (_, None) => GameTypeStatus::Unknown,
        }
    }

    /// Returns the number of the game that has the board and the moves of this one: another number only for games that
    /// differ in their aim or their start position, such as 20 for antidraughts.
    #[doc(hidden)]
    pub const fn parent_number(&self) -> u16 {
        match self.number {
            96 | 98 => 20,
            97 => 40,
            number => number,
        }
    }

    /// Returns the result format of this game type; `None` if the table gives none.
    #[doc(hidden)]
    pub fn result_system(&self) -> Option<ResultFormat> {
        self.row().and_then(|row| row.results)
    }

    /// Returns the separator between the squares of a capture; `None` if the table gives none.
    pub fn capture_separator(&self) -> Option<char> {
        self.row().and_then(|row| row.capture)
    }

    /// Returns the attributes as written, or else those that the number implies.
    #[doc(hidden)]
    pub fn details(&self) -> Option<GameTypeAttributes> {
        self.attributes.or_else(|| self.row().and_then(|row| row.attributes))
    }

    /// Returns `true` unless the written board size differs from every size that the table has for this number. A
    /// text that leaves the size open agrees with the table, and so does every size if the table gives none.
    pub fn has_table_board(&self) -> bool {
        let Some(board) = self.attributes.and_then(|attributes| attributes.board()) else { return true };
        let rows = || GAME_TYPES.iter().filter(|row| row.number == self.number);
        let mut boards = rows().filter_map(|row| row.attributes?.board()).peekable();
        boards.peek().is_none() || boards.any(|listed| listed == board)
    }

    /// Returns the side that starts, by the text or else by the table. The first score of a result belongs to it.
    pub fn start(&self) -> Option<Colour> {
        self.details().map(|attributes| attributes.start)
    }
}

/// Writes the game type as PDN 3.0 does. Missing parts stay missing.
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

impl FromStr for GameType {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        Self::parse(text.as_bytes())
    }
}

#[cfg(test)]
mod tests;
