//! Solves endings of draughts: which positions of a few pieces are won, drawn or lost, and how far the end is.
//!
//! [`Endings::build`] works out all positions of up to [`MAX_PIECES`] pieces, by retrograde analysis: from the ends of games back to the
//! positions that lead to them. It knows no variant by its name and reads the fields of its rules. The results are files of a folder, and
//! [`Endings::probe`] looks a position up. Distances are those of best play: the winning side hurries, and the losing side delays.
//!
//! ```
//! use std::num::NonZeroUsize;
//! use std::ops::ControlFlow;
//! use pdn_endgame::{Endings, Value};
//! use pdn_rules::{Position, Variant};
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! let endings = Endings::open(folder, Variant::English)?;
//! let built = endings.build(2, NonZeroUsize::MIN, |_| ControlFlow::Continue(()))?;
//! assert!(built.refused.is_empty() && !built.stopped);
//!
//! // After 7-11, each move of the black king lets itself be captured.
//! let position = Position::parse_fen(Variant::English, "W:WK7:BK12")?;
//! assert_eq!(endings.probe(&position)?, Some(Value::Win { plies: 3 }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is solved
//!
//! - A side to move without a legal move or a piece has lost, or has won where the rules say so. Where the first king wins, a promotion
//!   ends the game. These are the rules of [`Position::end`](pdn_rules::Position::end).
//! - Draws that depend on the moves before are left out: repetitions, numbers of quiet moves, and limits of an ending against a lone
//!   king. A position from which no side can force the end is drawn.
//! - Where the rules limit the moves in a row of a king whose side has a man, a position alone does not say which moves are legal.
//!   Endings that have such a side, or may come to have one, are [refused](Slice::needs_streaks).
//!
//! # How it works
//!
//! A [`Slice`] is all positions with the same numbers of men and kings on each side. Captures and promotions lead to slices that are
//! solved before: those of fewer pieces, and of fewer men. What is left are quiet moves to and fro between a slice and the one with the
//! sides exchanged, so these two are solved together. First every position is looked at once: its captures and promotions are read from
//! the finished slices, and its other moves are counted. Then pass *d* takes each position that ends in *d* plies and takes back the quiet
//! moves that lead to it. One before a loss is a win; one of which each move leads to a win of the other side is a loss. A position
//! that no pass reaches is drawn. Results depend neither on the number of threads nor on their timing.
//!
//! Memory holds three bytes for each position of the two slices, and two for each one of the slices that they lead to.
//!
//! Positions are stored with White to move. One with Black to move has the value of the same one with colours exchanged and the board
//! turned by 180 degrees, because the rules of both sides are the same.

mod slice;
mod error;
mod numbers;
mod source;
mod pack;
mod table;
mod solve;
mod endings;

pub use endings::{Built, Endings};
pub use error::EndgameError;
pub use numbers::PositionNumbers;
pub use slice::{MAX_PIECES, Slice};
pub use source::EndingSource;
pub use table::{SliceSummary, Value};

#[cfg(test)]
mod tests;

/// The examples in README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
