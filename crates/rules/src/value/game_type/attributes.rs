//! The attributes of a GameType tag: starting side, board and notation of squares.

use core::fmt;

use crate::value::Colour;

/// The attributes that may follow the number of a game type.
///
/// ```
/// use pdn_rules::value::{Colour, GameType};
///
/// let attributes = GameType::parse(b"20,W,10,10,N2,0")?.attributes.expect("they are written");
/// assert_eq!((attributes.start, attributes.board()), (Colour::White, Some((10, 10))));
/// # Ok::<(), pdn_rules::value::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GameTypeAttributes {
    /// The side that starts.
    pub start: Colour,
    /// Number of columns of the board; 0 if the text leaves it open.
    pub width: u8,
    /// Number of rows of the board; 0 if the text leaves it open.
    pub height: u8,
    /// The notation of squares.
    pub notation: Notation,
    /// `true` if the bottom left corner, seen from White, is *not* a playing square; `None` if the flag is missing.
    /// In PDN 1.0 the flag means "on light squares".
    pub inverted: Option<bool>,
}

impl GameTypeAttributes {
    /// Returns the numbers of columns and rows; `None` unless both are given.
    pub fn board(&self) -> Option<(u8, u8)> {
        (self.width != 0 && self.height != 0).then_some((self.width, self.height))
    }

    /// Returns `true` if the size of the board and the corner are given, as PDN 3.0 requires.
    pub fn is_complete(&self) -> bool {
        self.board().is_some() && self.notation.corner.is_some()
    }
}

/// How squares are named, and in which corner the names begin.
///
/// ```
/// use pdn_rules::internal::value::{Corner, Notation, NotationStyle};
///
/// let notation = Notation { style: NotationStyle::Algebraic, corner: Some(Corner::BottomLeft) };
/// assert_eq!(notation.to_string(), "A0");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Notation {
    /// The style of square names: algebraic or numeric.
    pub style: NotationStyle,
    /// The corner of the first square (a1 or 1), seen from the starting player; `None` if the digit is missing, as in
    /// `20,W,0,0,N,0`.
    pub corner: Option<Corner>,
}

/// Writes the letter and the digit, such as `N2`.
impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.style.letter())?;
        self.corner.map_or(Ok(()), |corner| write!(f, "{}", corner as u8))
    }
}

/// The style of square names.
///
/// ```
/// use pdn_rules::internal::value::NotationStyle;
///
/// assert_eq!(NotationStyle::Numeric.letter(), 'N');
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum NotationStyle {
    /// `A`: a letter and a digit as in chess, `c3-d4`.
    Algebraic,
    /// `N`: numbers, `32-28`.
    Numeric,
    /// `S`: short algebraic notation (SAN), used for chess only.
    San,
}

impl NotationStyle {
    /// Returns `A`, `N` or `S`.
    pub const fn letter(self) -> char {
        match self {
            Self::Algebraic => 'A',
            Self::Numeric => 'N',
            Self::San => 'S',
        }
    }
}

/// The corner of the first square, seen from the starting player. The discriminant is the digit of the GameType tag.
///
/// ```
/// use pdn_rules::internal::value::Corner;
///
/// assert_eq!(Corner::TopLeft as u8, 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[repr(u8)]
pub enum Corner {
    /// `0`.
    BottomLeft = 0,
    /// `1`.
    BottomRight = 1,
    /// `2`.
    TopLeft = 2,
    /// `3`.
    TopRight = 3,
}
