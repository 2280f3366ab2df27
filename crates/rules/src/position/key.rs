//! Position keys: 64-bit Zobrist hashes, the same in every version and on every machine.

use core::fmt;

use super::ply::Move;
use super::state::State;
use crate::board::{Bits, Board, Geometry};
use crate::value::Colour;

/// The key of a position: a 64-bit Zobrist hash, the same in every version and on every machine.
///
/// # Definition
/// ```text
/// mix(n)   = the n-th output (from 0) of SplitMix64 seeded with 0:
///            z = (n + 1) * 0x9e3779b97f4a7c15         all arithmetic modulo 2^64
///            z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
///            z = (z ^ (z >> 27)) * 0x94d049bb133111eb
///            z ^ (z >> 31)
/// kind     = 0 white man, 1 white king, 2 black man, 3 black king
/// cell     = 16 * row + column, both from 0, rows from Black's edge, columns from White's left
/// key      = xor of mix(256 * kind + cell) over all pieces, and of mix(1024) if Black is to move
/// ```
/// Boards whose lower left corner is not a playing square are mirrored left to right first, so that the same
/// pool position has one key under all numberings. The key depends on nothing else: not on the variant, the size
/// of the board, or king counters. It is 0 for an empty board with White to move. Two positions share a key by
/// accident with a chance of 2^-64; compare the positions themselves where that is too likely.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct StableKey(pub u64);

impl fmt::Display for StableKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for StableKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StableKey({self})")
    }
}

/// Returns the n-th output (from 0) of the pseudo-random generator SplitMix64 with a seed.
#[doc(hidden)]
pub const fn split_mix(seed: u64, n: u64) -> u64 {
    let mut z = seed.wrapping_add(n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn mix(n: u64) -> u64 {
    split_mix(0, n)
}

const BLACK_TO_MOVE: u64 = mix(1024);

/// The keys of pieces, indexed by kind and bit.
type Table = [[u64; 128]; 4];

const fn table(board: Board) -> Table {
    let layout = board.layout();
    let mut table = [[0; 128]; 4];
    let mut row = 0;
    while row < layout.height {
        let mut column = 0;
        while column < layout.width {
            if let Some(bit) = layout.bit(row as i8, column as i8) {
                let mut kind = 0;
                while kind < 4 {
                    table[kind][bit as usize] = mix(256 * kind as u64 + 16 * row as u64 + column as u64);
                    kind += 1;
                }
            }
            column += 1;
        }
        row += 1;
    }
    table
}

static TABLES: [Table; 5] = [
    table(Board::Eight),
    table(Board::EightFull),
    table(Board::TenByEight),
    table(Board::Ten),
    table(Board::Twelve),
];

#[cfg_attr(not(debug_assertions), inline(always))]
fn piece_key(board: Board, colour: Colour, king: bool, at: u8) -> u64 {
    TABLES[board as usize][2 * colour as usize + usize::from(king)][at as usize & 127]
}

impl<B: Bits> State<B> {
    /// Returns the key of this position on a board, in about one nanosecond per piece.
    pub fn key_on(&self, board: Board) -> StableKey {
        let mut key = if self.turn == Colour::Black { BLACK_TO_MOVE } else { 0 };
        for colour in Colour::ALL {
            for at in self.men(colour).squares() {
                key ^= piece_key(board, colour, false, at);
            }
            for at in self.kings(colour).squares() {
                key ^= piece_key(board, colour, true, at);
            }
        }
        StableKey(key)
    }

    /// Returns the key after a move that has not been played yet, from the key before it: four loads for a quiet
    /// move.
    // Twin: `key_on`; test: `typed_core_agrees_with_position`.
    #[inline]
    pub fn key_after<G: Geometry<Bits = B>>(&self, key: StableKey, mv: &Move<B>) -> StableKey {
        self.key_after_on(G::BOARD, key, mv)
    }

    /// Does the same as [`key_after`](Self::key_after) on a board that is known at run time.
    #[inline]
    pub fn key_after_on(&self, board: Board, key: StableKey, mv: &Move<B>) -> StableKey {
        let king = self.kings.has(mv.from.0);
        let mut key = key.0
            ^ BLACK_TO_MOVE
            ^ piece_key(board, self.turn, king, mv.from.0)
            ^ piece_key(board, self.turn, king | mv.promotes, mv.to.0);
        for at in mv.captured.squares() {
            key ^= piece_key(board, !self.turn, self.kings.has(at), at);
        }
        StableKey(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mix_equals_splitmix64() {
        // The first outputs of the reference implementation seeded with 0.
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(mix(1), 0x6e78_9e6a_a1b9_65f4);
        assert_eq!(mix(2), 0x06c4_5d18_8009_454f);
    }
}
