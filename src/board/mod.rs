//! Boards: squares, sets of squares as machine words, steps as constant shifts, and what squares are called.
//!
//! Knows no rules and no pieces. Every table is computed at compile time; looking one up costs a load.

mod bits;
mod direction;
mod layout;
mod square;
mod numbering;
mod geometry;

pub use bits::{Bits, Squares};
pub use direction::{Direction, Directions};
pub use geometry::{BoardFamily, Eight, EightFull, Geometry, PerBoard, Ten, TenByEight, Twelve, WithBoard};
pub use layout::BitLayout;
pub use numbering::{Numbering, SquareName, SquareNames, SquareNaming};
pub use square::{Board, Square};
