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
    /// For each bit of a bitboard: bit `n - 1` for number `n`.
    by_bit: Box<[u128; 128]>,
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
        let by_bit = Box::new(std::array::from_fn(|at| of_bit(at as u8)));
        Self { candidate, names, texts, by_byte: (0..bytes).map(byte_table).collect(), by_bit }
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

    /// Returns a function that does the same for bitboards of consecutive positions, from the squares that change.
    // Twin: `by_number`; test: `bitboards_by_changes_are_those_of_whole_boards`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn by_changes(&self) -> impl FnMut(u128) -> u128 {
        let (mut last, mut numbered) = (0u128, 0u128);
        move |set| {
            let mut changed = std::mem::replace(&mut last, set) ^ set;
            if changed.count_ones() > 4 {
                numbered = self.by_number(set);
            } else {
                while changed != 0 {
                    numbered ^= self.by_bit[changed.trailing_zeros() as usize & 127];
                    changed &= changed - 1;
                }
            }
            numbered
        }
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
    fn bitboards_by_changes_are_those_of_whole_boards() {
        for &variant in Variant::ALL {
            let table = SquareTable::new(variant.into());
            let valid = variant.board().layout().valid();
            let (mut by_changes, mut set) = (table.by_changes(), 0u128);
            for seed in 0..300 {
                let random = (u128::from(split_mix(seed, 0)) << 64 | u128::from(split_mix(seed, 1))) & valid;
                // A whole board now and then, else a few squares.
                let kept = (0..seed % 6).fold(random, |kept, n| {
                    kept & (u128::from(split_mix(seed, n + 2)) << 64 | u128::from(split_mix(seed, n + 9)))
                });
                set ^= kept;
                assert_eq!(by_changes(set), table.by_number(set), "{variant}");
            }
        }
    }

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
