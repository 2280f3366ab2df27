//! Games as bytes: about one byte a ply, and fast enough to be searched by replaying.
//!
//! The bytes of a game say which moves were played, nothing else. They were proved legal when they were packed,
//! so unpacking never generates moves: a byte leads to a line of a table, and what stands on the board tells
//! a step from a jump. Every op can be checked against the position in passing, so damaged bytes give [`CorruptMoves`]
//! or a game of legal shape, never a panic.
//!
//! Not here: comments, variations and clocks (they stay in the archive), and checksums (the
//! [segment](super) has them).
//!
//! # Codes
//! The codes depend on the board alone, not on the rules. The *main directions* are the four diagonals, on the
//! board with 64 squares the four straight ones, each in the order of [`Direction`]; squares are the bits of the
//! board's [`Layout`](crate::board::BitLayout). A game is a sequence of these ops until its bytes end:
//!
//! | first byte | then | means |
//! |---|---|---|
//! | a pair: the square `s` and a main direction whose neighbour `n` is on the board, numbered by square, then direction | | a piece on `s` steps to `n`, or, where an enemy stands on `n`, jumps it and lands right behind |
//! | `chain2 + d` | a pair | a jump, then another in main direction `d` |
//! | `slide + (k - 2) + d * (m - 1)` | a square | from the square `k` squares in main direction `d`, taking every enemy in between; `m` is the longest way on the board |
//! | `side + d` | a square | a jump in the straight direction `d`, landing right behind |
//! | `chain3 + 4 * d + e` | a pair | a jump, then others in main directions `d` and `e` |
//! | 253 | a square, `n + 32 * d`, then `n - 1` directions of 4 bits, low half first | `n` jumps, the first in direction `d` of all eight |
//! | 254 | two squares | from one to the other on a line, taking every enemy in between |
//! | 255, 0 | | a null move |
//! | 255, 1 | flags, White, Black, kings, counters | a new position: bit 0 of the flags says Black to move, bit 1 that king counters follow (square and moves of White's, of Black's); words of 8 bytes, on 12x12 of 16 |
//! | 255, 2 | from, to, `n + 128 * promotes`, `n` squares | anything else, with the squares captured |
//!
//! Groups follow the pairs in the order of the table; a group that does not fit below 253 is left out:
//!
//! | board | pairs | chain2 | slide | side | chain3 |
//! |---|---|---|---|---|---|
//! | 8x8 | 98 | 98 | 102 | 126 | 130 |
//! | 10x8 | 126 | 126 | 130 | 154 | 158 |
//! | 10x10 | 162 | 162 | 166 | 198 | 202 |
//! | 12x12 | 242 | 242 | - | 246 | - |
//! | 8x8, 64 squares | 224 | 224 | 228 | - | - |
//!
//! Except in the last op a man that ends its move on the last row is crowned, and nobody else is.
//! All numbers are little endian. The writer takes the shortest form; a reader takes any.

mod boards;
mod codes;
mod decode;
mod encode;
mod game;
mod man_codes;
mod scan;
mod batch;

pub(crate) use boards::{Codecs, WithCodec};
pub use codes::MoveCodec;
pub use decode::{CorruptMoves, Decoded, PackedOp};
pub use game::{UnpackedPly, pack, unpack};
pub use scan::{RunningPieceCounts, ScannedPly};

#[cfg(test)]
mod tests;

#[expect(unused_imports, reason = "the documentation links to it")]
use crate::board::Direction;
