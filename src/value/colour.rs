//! The two sides.

use std::ops::Not;

/// A side. Which of them starts depends on the game type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum Colour {
    /// The light pieces.
    White = 0,
    /// The dark pieces; "Red" in older English writing.
    Black = 1,
}

impl Colour {
    /// Both sides, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The opponent.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// `W` or `B`, as FEN and GameType write it.
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'W',
            Self::Black => 'B',
        }
    }

    /// The colour that `W`, `w`, `B` or `b` stands for.
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
