//! Squares as a game names them: numbers, names in moves, and bitboards by number.

use pdn::board::{Square, SquareNames};
use pdn::internal::replay::CandidateGame;
use pdn::position::Move;
use pdn_rules::internal::board::Bits;

/// Tables of the squares of one game type.
#[derive(Debug)]
pub(super) struct SquareTable {
    candidate: CandidateGame,
    names: SquareNames,
    /// The name of each bit in moves, such as `32` or `c3`, and its length.
    texts: Box<[([u8; 3], usize); 128]>,
    /// What stands between the squares of a quiet move, and of a capture.
    separators: [u8; 2],
    /// For each byte of a bitboard and each value of it: the same squares with bit `n - 1` for number `n`.
    by_byte: Vec<[u128; 256]>,
    /// For each bit of a bitboard: bit `n - 1` for number `n`.
    by_bit: Box<[u128; 128]>,
}

impl SquareTable {
    /// Creates the tables of a game type, in some ten microseconds.
    pub(super) fn new(candidate: CandidateGame) -> Self {
        let names = candidate.names();
        let valid = candidate.variant.board().valid();
        let text = |at: usize| {
            let name = names.name(Square(at as u8)).to_string();
            let (mut text, len) = ([0; 3], name.len().min(3));
            text[..len].copy_from_slice(&name.as_bytes()[..len]);
            (text, len)
        };
        let texts = Box::new(std::array::from_fn(text));
        let separators = [b'-', candidate.variant.rules().capture_separator as u8];
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
        Self { candidate, names, texts, separators, by_byte: (0..bytes).map(byte_table).collect(), by_bit }
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

    /// Returns `true` if the board has up to 64 squares and its bitboards fit into words of 64 bits.
    #[inline]
    pub(super) fn is_narrow(&self) -> bool {
        self.by_byte.len() <= 8
    }

    /// Appends the names of the first and the last square of a move, with the sign of a quiet move or a capture between them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn write_ends(&self, mv: &Move, out: &mut Vec<u8>) {
        let name = |square: Square| self.texts[usize::from(square.0 & 127)];
        let (([a, b, c], from_len), ([d, e, f], to_len)) = (name(mv.from), name(mv.to));
        let word = |bytes: [u8; 4]| u64::from(u32::from_le_bytes(bytes));
        let separator = self.separators[usize::from(mv.is_capture())];
        let from = word([a, b, c, 0]) | u64::from(separator) << (8 * from_len);
        let text = from | word([d, e, f, 0]) << (8 * (from_len + 1));
        let len = out.len() + from_len + 1 + to_len;
        // Eight bytes are one store.
        out.extend_from_slice(&text.to_le_bytes());
        out.truncate(len);
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
    pub(super) fn by_changes<B: Bits>(&self) -> impl FnMut(B) -> B {
        let (mut last, mut numbered) = (B::NONE, B::NONE);
        move |set| {
            let mut changed = std::mem::replace(&mut last, set) ^ set;
            if changed.count() > 4 {
                numbered = B::narrow(self.by_number(set.widen()));
            } else {
                while changed.any() {
                    numbered ^= B::narrow(self.by_bit[usize::from(changed.lowest() & 127)]);
                    changed = changed.without_lowest();
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
    use pdn::rules::Variant;
    use pdn_rules::internal::position::split_mix;

    #[test]
    fn bitboards_by_changes_are_those_of_whole_boards() {
        for &variant in Variant::ALL {
            let table = SquareTable::new(variant.into());
            let valid = variant.board().valid();
            let (mut by_changes, mut set) = (table.by_changes(), 0u128);
            let mut narrow_by_changes = table.by_changes::<u64>();
            assert_eq!(table.is_narrow(), valid >> 64 == 0, "{variant}");
            for seed in 0..300 {
                let random = (u128::from(split_mix(seed, 0)) << 64 | u128::from(split_mix(seed, 1))) & valid;
                // A whole board now and then, else a few squares.
                let kept = (0..seed % 6).fold(random, |kept, n| {
                    kept & (u128::from(split_mix(seed, n + 2)) << 64 | u128::from(split_mix(seed, n + 9)))
                });
                set ^= kept;
                let expected = table.by_number(set);
                assert_eq!(by_changes(set), expected, "{variant}");
                if table.is_narrow() {
                    assert_eq!(u128::from(narrow_by_changes(set as u64)), expected, "{variant}");
                }
            }
        }
    }

    #[test]
    fn bitboards_by_number_are_those_of_single_squares() {
        for &variant in Variant::ALL {
            let table = SquareTable::new(variant.into());
            let valid = variant.board().valid();
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
