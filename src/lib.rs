//! Archives of draughts games, read at memory speed.
//!
//! This page is the architecture: a module uses only modules declared above it, and the text side never names
//! the rules side nor the reverse.

// -- vocabulary
pub mod span;
pub mod error;
pub mod limits;
pub mod diag;
pub mod value;
mod simd;

// -- text side: knows no rules
pub mod source;
pub mod shape;
pub mod split;
pub mod lex;
pub mod parse;
pub mod view;
pub mod ast;
pub mod check;
pub mod pool;
pub mod archive;

// -- rules side: knows no text
pub mod board;
pub mod rules;
pub mod position;
pub mod movegen;

// -- where they meet
pub mod notation;

pub use error::{Error, Result};
