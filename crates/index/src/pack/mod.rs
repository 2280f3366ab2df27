//! Packs games into about one byte per ply, and plays packed games fast enough to search them.
//!
//! The bytes of a game say which moves were played, nothing else. The moves were proved legal when they were packed, so
//! unpacking never generates moves. A byte leads to an entry of a table, and the pieces on the board distinguish a quiet
//! move from a jump. Every op can be checked against the position on the way. Damaged bytes therefore give
//! [`CorruptMoves`] or a game of well-formed moves, never a panic.
//!
//! Comments and clocks are not packed; they stay in the archive. Each variation of an index is packed by itself. Checksums are those of the
//! [index](crate).
//!
//! # Codes
//! The codes depend on the board alone, not on the rules. The *main directions* are the four diagonals, on the
//! board with 64 squares the four straight ones, each in the order of [`Direction`]. Squares are the bits of the
//! board's [`BitLayout`](pdn_rules::internal::board::BitLayout). A game is a sequence of these ops until its bytes end:
//!
//! | first byte | then | meaning |
//! |---|---|---|
//! | a pair: the square `s` and a main direction whose neighbour `n` is on the board, numbered by square, then direction | | a piece on `s` moves to `n`, or, if an enemy stands on `n`, jumps it and lands on the next square |
//! | `chain2 + d` | a pair | a jump, then another in main direction `d` |
//! | `slide + (k - 2) + d * (m - 1)` | a square | from the square `k` squares in main direction `d`, capturing every enemy in between; `m` is the longest such distance on the board |
//! | `side + d` | a square | a jump in the straight direction `d`, landing on the square after the captured piece |
//! | `chain3 + 4 * d + e` | a pair | a jump, then others in main directions `d` and `e` |
//! | 253 | a square, `n + 32 * d`, then `n - 1` directions of 4 bits, low half first | `n` jumps, the first in direction `d` of all eight |
//! | 254 | two squares | from one to the other on a line, capturing every enemy in between |
//! | 255, 0 | | a null move |
//! | 255, 1 | flags, White, Black, kings, counters | a setup. Flags: bit 0 means Black to move; bit 1 means that king counters follow: square and moves of White's, then of Black's. The bitboards have 8 bytes each, on 12x12 16 |
//! | 255, 2 | from, to, `n + 128 * promotes`, `n` squares | any other move, with the captured squares |
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
//! A man that ends its move on the last row promotes, and no other piece does, except in the last op of the first
//! table. All numbers are little endian. The writer uses the shortest form; a reader accepts any.

pub(crate) mod codes;
mod decode;
mod encode;
mod scanned_ply;
mod scan;
mod batch;
pub(crate) mod game;

pub(crate) use codes::Codecs;
pub use codes::MoveCodec;
pub use decode::{CorruptMoves, Decoded, PackedOp};
pub use game::{UnpackedPly, pack, unpack, unpack_position};
pub use scanned_ply::{RunningPieceCounts, ScannedPly};

#[cfg(test)]
mod tests;

#[expect(unused_imports, reason = "the documentation links to it")]
use pdn_rules::internal::board::Direction;
