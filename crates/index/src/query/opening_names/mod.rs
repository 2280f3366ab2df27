//! Names the opening that the moves of a game show, whatever its Opening tag says.
//!
//! The folder `openings` of the repository has a file for each variant whose openings have names. A query defines a name:
//!
//! - `line "11-15 23-19"` defines a *named position*, to which any order of moves may lead.
//! - `ply 8..40 and pattern "w27,28,32 b19,23,24"` defines a *structure*: contents of squares that a game has at some ply of
//!   the range.
//!
//! An opening has up to two names: that of the last named position of the game within its first 24 plies, and that of its
//! structure, of several the first in the file. Structures count in games that begin with the start position.
//!
//! Naming a game takes some hundred nanoseconds, because only its first plies are played.
//!
//! Not here: the Opening tag; and the `openings` of an index, which are beginnings that its games have in common.

mod definitions;
mod named_positions;
mod names;
mod opening_test;

pub use names::{OpeningNames, PlayedOpening};
pub(super) use opening_test::OpeningTest;
pub use opening_test::played_opening;

#[cfg(test)]
mod tests;
