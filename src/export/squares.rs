//! Squares as a game names them: numbers, names in moves, and bitboards by number.

use crate::board::{Bits, Square, SquareNames};
use crate::replay::CandidateGame;

/// Tables of the squares of one game type.
#[derive(Debug)]
pub(super) struct SquareTable {
    candidate: CandidateGame,
    names: SquareNames,
    /// The name of each bit in moves, such as `32` or `c3`.
    texts: Vec<String>,
    /// For each byte of a bitboard and each value of it: the same squares with bit `n - 1` for number `n`.
    by_byte: Vec<[u128; 256]>,
}

impl SquareTable {
    /// Creates the tables of a game type, in some ten microseconds.
    pub(super) fn new(candidate: CandidateGame) -> Self {
        let names = candidate.names();
        let valid = candidate.variant.board().layout().valid();
        let texts = (0..128).map(|at| names.name(Square(at)).to_string()).collect();
        let of_bit = |at: u8| match valid.has(at) {
            true => 1u128 << (names.number(Square(at)) - 1),
            false => 0,
        };
        let bytes = valid.highest() / 8 + 1;
        let byte_table = |byte: u8| {
            let mut table = [0; 256];
            for value in 1..256usize {
                let rest = value & (value - 1);
                table[value] = table[rest] | of_bit(8 * byte + value.trailing_zeros() as u8);
            }
            table
        };
        Self { candidate, names, texts, by_byte: (0..bytes).map(byte_table).collect() }
    }

    /// Returns the game type.
    pub(super) fn candidate(&self) -> &CandidateGame {
        &self.candidate
    }

    /// Returns the number of a square, from 1.
    #[inline]
    pub(super) fn number(&self, square: Square) -> u8 {
        self.names.number(square)
    }

    /// Returns the name of a square in moves.
    #[inline]
    pub(super) fn text(&self, square: Square) -> &str {
        &self.texts[usize::from(square.0 & 127)]
    }

    /// Returns a bitboard with bit `n - 1` for the square with number `n`.
    #[inline]
    // Twin: the number of each square; test: `bitboards_by_number_are_those_of_single_squares`.
    pub(super) fn by_number(&self, set: u128) -> u128 {
        let bytes = set.to_le_bytes();
        self.by_byte.iter().zip(bytes).fold(0, |all, (table, byte)| all | table[usize::from(byte)])
    }

    /// Iterates over the numbers of the squares of a bitboard, in ascending order.
    pub(super) fn numbers(&self, set: u128) -> impl Iterator<Item = u8> + use<> {
        self.by_number(set).squares().map(|bit| bit + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::split_mix;
    use crate::rules::Variant;

    #[test]
    fn bitboards_by_number_are_those_of_single_squares() {
        for &variant in Variant::ALL {
            let table = SquareTable::new(variant.into());
            let valid = variant.board().layout().valid();
            for seed in 0..100 {
                let set = (u128::from(split_mix(seed, 0)) << 64 | u128::from(split_mix(seed, 1))) & valid;
                let expected =
                    set.squares().fold(0, |all, at| all | 1u128 << (variant.names().number(Square(at)) - 1));
                assert_eq!(table.by_number(set), expected, "{variant}");
                let numbers: Vec<u8> = table.numbers(set).collect();
                assert!(numbers.is_sorted() && numbers.len() == set.count() as usize);
            }
        }
    }
}
