//! Boards: as text, as pictures, and as sheets of problems; and the legal moves of a position.

pub mod board;
pub mod moves;
#[cfg(feature = "index")]
pub mod sheet;
