//! Squares as a query names them, before the board is known, and what they may hold.

use std::fmt;

use pdn::board::{SquareName, SquareNames};
use pdn::internal::message::Message;
use pdn_rules::internal::value::FenSquare;

/// A square by its name, or by its place on the board. Which square it is depends on the numbering of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
pub enum SquareRef {
    /// A square number, from 1.
    Number(u8),
    /// A file and a rank, such as `c3`.
    Algebraic {
        /// The file, from 0 for `a`.
        file: u8,
        /// The rank, from 1.
        rank: u8,
    },
    /// A playing square by its row and its place in the row, as White sees the board.
    InRow {
        /// The row, from 0 at the top, which is Black's side.
        row: u8,
        /// The number of playing squares to the left of it in the row.
        place: u8,
    },
}

/// The greatest square number of any board: 72, on 12x12.
pub(super) const MAX_SQUARE_NUMBER: u8 = 72;

impl SquareRef {
    /// Parses a square number (1 to 72) or a file and a rank (`a1` to `l12`); `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return text
                .parse()
                .ok()
                .filter(|number| (1..=MAX_SQUARE_NUMBER).contains(number))
                .map(Self::Number);
        }
        let (file, rank) = text.split_at_checked(1)?;
        let file = file.bytes().next()?.to_ascii_lowercase().checked_sub(b'a').filter(|&file| file < 12)?;
        let digits = !rank.starts_with('+');
        let rank = rank.parse().ok().filter(|rank| digits && (1..=12).contains(rank))?;
        Some(Self::Algebraic { file, rank })
    }

    /// Returns the bit of the square in bitboards; `None` if the board has no such square.
    pub fn bit(self, names: &SquareNames) -> Option<u8> {
        let square = match self {
            Self::Number(number) => names.of_number(number.into()),
            Self::Algebraic { file, rank } => names.of_algebraic(file, rank),
            Self::InRow { row, place } => {
                let board = names.board();
                let layout = board.layout();
                // The bit layout is that of a board whose lower left cell is a playing square. A variant whose lower
                // right cell is one sees that board mirrored, so that its places count from the other end.
                let mirrored = names.numbering().inverted && !layout.full;
                let mut playing = (0..layout.width).filter_map(|column| board.square(row, column));
                if mirrored { playing.nth_back(place.into()) } else { playing.nth(place.into()) }
            }
        };
        square.map(|square| square.bit())
    }
}

impl From<FenSquare> for SquareRef {
    fn from(square: FenSquare) -> Self {
        match square {
            // Numbers above 72 lie on no board; 255 keeps them invalid.
            FenSquare::Number(number) => Self::Number(u8::try_from(number).unwrap_or(u8::MAX)),
            FenSquare::Algebraic { file, rank } => Self::Algebraic { file, rank },
        }
    }
}

impl fmt::Display for SquareRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Number(number) => SquareName::Number(number).fmt(f),
            Self::Algebraic { file, rank } => SquareName::Algebraic { file, rank }.fmt(f),
            Self::InRow { row, place } => write!(f, "row {}, square {}", row + 1, place + 1),
        }
    }
}

/// Returns the message that a square was expected.
pub(in crate::query) fn square_expected() -> Message {
    message!("expected_examples", "expected a square, such as {examples}", examples = &["32", "c3"][..])
}

/// What a square may hold, as a set of the five possible contents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct SquareContents(u8);

impl SquareContents {
    /// A white man.
    pub const WHITE_MAN: Self = Self(1);
    /// A white king.
    pub const WHITE_KING: Self = Self(2);
    /// A black man.
    pub const BLACK_MAN: Self = Self(4);
    /// A black king.
    pub const BLACK_KING: Self = Self(8);
    /// No piece.
    pub const EMPTY: Self = Self(16);
    /// Any piece or none.
    pub const ANY: Self = Self(31);
    /// The set without contents, which no square matches.
    pub(in crate::query) const NOTHING: Self = Self(0);

    /// Returns the contents of either set.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the contents of both sets.
    #[must_use]
    pub(in crate::query) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the contents that are not in the set.
    #[must_use]
    pub const fn not(self) -> Self {
        Self(31 & !self.0)
    }

    /// Returns the set as bits: white man (bit 0), white king, black man, black king, empty (bit 4).
    pub(in crate::query) const fn bits(self) -> u8 {
        self.0
    }

    /// Returns the contents that a letter of a pattern stands for; `None` for other characters.
    ///
    /// | letter | contents | letter | contents |
    /// |---|---|---|---|
    /// | `w`, `W` | a white man, a white king | `m` | any man |
    /// | `b`, `B` | a black man, a black king | `k` | any king |
    /// | `o` | any white piece | `p` | any piece |
    /// | `x` | any black piece | `.` | no piece |
    /// | | | `?` | anything |
    pub const fn of_letter(letter: char) -> Option<Self> {
        Some(Self(match letter {
            'w' => 1,
            'W' => 2,
            'b' => 4,
            'B' => 8,
            '.' => 16,
            '?' => 31,
            'o' => 3,
            'x' => 12,
            'm' => 5,
            'k' => 10,
            'p' => 15,
            _ => return None,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_numbers_or_files_and_ranks() {
        let cell = |file, rank| Some(SquareRef::Algebraic { file, rank });
        for (text, expected) in [
            ("1", Some(SquareRef::Number(1))),
            ("72", Some(SquareRef::Number(72))),
            ("0", None),
            ("73", None),
            ("a1", cell(0, 1)),
            ("L12", cell(11, 12)),
            ("m1", None),
            ("a0", None),
            ("a13", None),
            ("a+1", None),
            ("a-1", None),
            ("a", None),
            ("", None),
        ] {
            assert_eq!(SquareRef::parse(text), expected, "{text}");
        }
    }
}
