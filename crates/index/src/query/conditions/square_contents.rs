//! Sets of what a square may hold.

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
