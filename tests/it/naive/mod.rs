//! The rules of every variant in plain, slow, obvious code: the twin the library's bitboards are tested against.
//!
//! A board is an array of cells, a piece an enum, a capture search a recursive walk over every path, and the rules
//! of precedence a filter over the finished paths. It shares nothing with the library, not even the squares or the
//! FEN reader, so that a mistake cannot hide in both. It is certified by itself against outside referees in
//! `tests/naive_referees.rs`.
//!
//! Deliberately absent: speed (it may take exponential time on boards full of kings), validation of positions, draw
//! rules.

pub(crate) mod board;
pub(crate) mod rules;
pub(crate) mod fen;
pub(crate) mod moves;
pub(crate) mod random;
