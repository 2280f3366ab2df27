//! The rules of every variant in plain, slow, obvious code: the twin that the library's bitboards are tested
//! against.
//!
//! A board is an array of cells and a piece is an enum. A capture search is a recursive walk over every path, and
//! the rules of precedence are a filter over the complete paths. The twin shares nothing with the library, not even
//! the squares or the FEN reader, so that a mistake cannot hide in both. `tests/it/naive_referees.rs` certifies it
//! against outside referees.
//!
//! Deliberately absent: speed (it may take exponential time on boards full of kings), validation of positions, draw
//! rules.

pub(crate) mod board;
pub(crate) mod rules;
pub(crate) mod fen;
pub(crate) mod moves;
pub(crate) mod random;
