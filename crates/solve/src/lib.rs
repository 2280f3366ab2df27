//! Proves by search, within limits, whether the first move of a composition is the only one that reaches its goal.
//!
//! A composition has a solution: legal moves from its position, of which the first is the *key*. The [`Goal`] is what the solution
//! reaches: the end of the game, or a lead in pieces. [`solve`] plays every first move of the position, and looks for a way to the same
//! goal that no reply prevents. A first move that has one, other than the key, is a second solution, and comes with the moves that
//! prove it. What the limits leave open is said, never guessed: see [`MoveAnswer::Unproven`].
//!
//! Tables that know how positions of a few pieces end, see [`ProvenEnds`], prove what leads to these without a limit of plies.
//!
//! There is no evaluation of positions here beyond counting pieces, and no choice between moves that reach the goal. The page on problems in
//! the guide shows the command.
//!
//! ```
//! use pdn_solve::{Goal, SolveOptions, Verdict, solve};
//! use pdn::{Position, Variant};
//!
//! // White gives the man on 30, and takes both black men with the new king.
//! let start = Position::parse_fen(Variant::International, "W:W6,30:B12,25")?;
//! let mut solution = Vec::new();
//! let mut position = start;
//! for text in ["6-1", "25x34", "1x45"] {
//!     let mv = position.parse_move(text)?;
//!     position.play(&mv)?;
//!     solution.push(mv);
//! }
//! let solved = solve(&start, &solution, &SolveOptions::new())?.expect("the solution ends the game");
//! assert_eq!((solved.goal, solved.verdict()), (Goal::End, Verdict::Unique));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works
//!
//! The search is depth first and goes one and two plies deeper each time, so that the first way found is a shortest one. It remembers
//! positions without a way in a table of fixed size, and takes memory for one line of moves besides. Captures that are pending at the
//! greatest depth are played out. Of the nodes of a first move, one half may be spent on *forcing lines*: those in which each move of
//! the solving side leaves the other side a capture or two moves at most. They reach far deeper than a search through all moves, and most second
//! solutions are among them. Each first move is searched alone, so results do not depend on the number of threads.

mod search;
mod first_moves;

pub use crate::search::{Goal, ProvenEnd, ProvenEnds};
pub use first_moves::{FirstMove, MoveAnswer, SolveOptions, Solved, Verdict, solve};

#[cfg(test)]
mod tests;

/// The examples in README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
