//! The two sides of a game.

use core::fmt;
use core::ops::Not;
use core::str::FromStr;

use crate::value::UnknownName;

/// A side. Which side starts depends on the game type.
///
/// ```
/// use pdn_rules::value::Colour;
///
/// assert_eq!((!Colour::White, Colour::from_letter(b'w')), (Colour::Black, Some(Colour::White)));
/// assert_eq!((Colour::Black.to_string(), "b".parse()), ("Black".to_owned(), Ok(Colour::Black)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum Colour {
    /// The light pieces.
    White = 0,
    /// The dark pieces, called "Red" in older English texts.
    Black = 1,
}

impl Colour {
    /// Both sides, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// Returns the opponent.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// Returns `White` or `Black`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
        }
    }

    /// Returns `W` or `B`, as FEN and GameType write it.
    #[inline]
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'W',
            Self::Black => 'B',
        }
    }

    /// Returns the colour with this letter, in either case; `None` for other bytes.
    #[inline]
    pub const fn from_letter(letter: u8) -> Option<Self> {
        match letter {
            b'W' | b'w' => Some(Self::White),
            b'B' | b'b' => Some(Self::Black),
            _ => None,
        }
    }
}

impl Not for Colour {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        self.other()
    }
}

/// Writes the [name](Colour::name).
impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses the [name](Colour::name) or the [letter](Colour::letter), in either case.
impl FromStr for Colour {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let colour = match text.as_bytes() {
            [letter] => Self::from_letter(*letter),
            _ => Self::ALL.into_iter().find(|colour| colour.name().eq_ignore_ascii_case(text)),
        };
        colour.ok_or(UnknownName { expected: "a colour: `White` or `Black`" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn colour_is_displayed_and_parsed_by_name_or_letter() {
        for colour in Colour::ALL {
            assert_eq!(colour.to_string().parse(), Ok(colour));
            assert_eq!(colour.letter().to_string().to_lowercase().parse(), Ok(colour));
        }
        assert!("red".parse::<Colour>().is_err());
    }
}
