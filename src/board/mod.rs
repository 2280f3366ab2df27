//! Boards: squares, sets of squares as machine words, steps as constant shifts, and what squares are called.
//!
//! Knows no rules and no pieces. Every table is computed at compile time; looking one up costs a load.

mod bits;
mod direction;
mod geometry;
mod layout;
mod numbering;
mod square;

pub use bits::{Bits, Squares};
pub use direction::{Direction, Directions};
pub use geometry::{Eight, EightFull, Geometry, Ten, TenByEight, Twelve};
pub use layout::BitLayout;
pub use numbering::{Numbering, SquareName, SquareNames, SquareNaming};
pub use square::{Board, Square};
