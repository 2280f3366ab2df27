//! Names of squares in one byte, and the tables that map them to the squares of a game.

use core::fmt;

use crate::board::{Square, SquareName, SquareNames};

/// The written name of a square in one byte: a number up to 99, or a file up to l and a rank up to 12.
///
/// ```
/// use pdn_rules::internal::notation::SquareCode;
///
/// let code = SquareCode::of_cell(2, 3).expect("on the largest board");
/// assert!(code.is_algebraic());
/// assert_eq!(code.name().to_string(), "c3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SquareCode(pub u8);

impl SquareCode {
    const FIRST_CELL: u8 = 100;
    pub(super) const FILES: u8 = 12;

    /// Returns the code of a number; `None` above 99, where no board has squares.
    pub const fn of_number(number: u16) -> Option<Self> {
        if number < Self::FIRST_CELL as u16 { Some(Self(number as u8)) } else { None }
    }

    /// Returns the code of a file (0 for a) and a rank (from 1); `None` beyond the file l or the rank 12.
    pub const fn of_cell(file: u8, rank: u8) -> Option<Self> {
        if file < Self::FILES && rank >= 1 && rank <= 12 { Some(Self::cell(file, rank)) } else { None }
    }

    pub(super) const fn cell(file: u8, rank: u8) -> Self {
        Self(Self::FIRST_CELL.wrapping_add(rank.wrapping_sub(1).wrapping_mul(Self::FILES)).wrapping_add(file))
    }

    /// Returns the name in parts. The number 0 is a name too, although no board has that square.
    pub const fn name(self) -> SquareName {
        match self.0.checked_sub(Self::FIRST_CELL) {
            None => SquareName::Number(self.0),
            Some(cell) => SquareName::Algebraic { file: cell % Self::FILES, rank: cell / Self::FILES + 1 },
        }
    }

    /// Returns `true` for a name with a letter.
    pub const fn is_algebraic(self) -> bool {
        self.0 >= Self::FIRST_CELL
    }
}

impl fmt::Debug for SquareCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.name(), f)
    }
}

/// The square of a game for each name. A lookup is one load.
///
/// ```
/// use pdn_rules::Variant;
/// use pdn_rules::internal::notation::{SquareCode, SquareCodes};
///
/// let names = Variant::Russian.names();
/// let codes = SquareCodes::new(names);
/// let c3 = SquareCode::of_cell(2, 3).unwrap();
/// assert_eq!(codes.square(c3), names.of_algebraic(2, 3));
/// ```
#[derive(Clone)]
pub struct SquareCodes([u8; 256]);

impl SquareCodes {
    /// The bit of names without a square; no board has it.
    pub const NOWHERE: u8 = 255;

    /// Creates the table for the square names of a game, numbers and letters.
    pub fn new(names: &SquareNames) -> Self {
        let mut squares = [Self::NOWHERE; 256];
        for (code, square) in (0..=u8::MAX).zip(&mut squares) {
            let named = match SquareCode(code).name() {
                SquareName::Number(number) => names.of_number(number.into()),
                SquareName::Algebraic { file, rank } => names.of_algebraic(file, rank),
            };
            *square = named.map_or(Self::NOWHERE, Square::bit);
        }
        Self(squares)
    }

    /// Returns the square with a name; `None` if the game has none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn square(&self, code: SquareCode) -> Option<Square> {
        let bit = self.bit(code);
        if bit == Self::NOWHERE { None } else { Some(Square(bit)) }
    }

    /// Returns the bits of all names; [`NOWHERE`](Self::NOWHERE) for names without a square.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn bits(&self) -> &[u8; 256] {
        &self.0
    }

    /// Returns the bit of a name, or [`NOWHERE`](Self::NOWHERE).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn bit(&self, code: SquareCode) -> u8 {
        self.0[code.0 as usize]
    }
}

impl fmt::Debug for SquareCodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let squares = self.0.iter().filter(|&&bit| bit != Self::NOWHERE).count();
        write!(f, "SquareCodes({squares} names)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn codes_map_both_kinds_of_names_to_squares() {
        for &variant in Variant::ALL {
            let names = variant.names();
            let codes = SquareCodes::new(names);
            for number in 0..=99 {
                let code = SquareCode::of_number(number).expect("below 100");
                assert_eq!(codes.square(code), names.of_number(number), "{variant} {number}");
            }
            for (file, rank) in (0..12).flat_map(|file| (1..=12).map(move |rank| (file, rank))) {
                let code = SquareCode::of_cell(file, rank).expect("on the largest board");
                assert_eq!(codes.square(code), names.of_algebraic(file, rank), "{variant} {code:?}");
            }
        }
    }
}
