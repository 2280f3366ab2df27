//! Boards: squares, bitboards, steps as constant shifts, and the names of squares.
//!
//! Rules and pieces are unknown here. Every table is computed at compile time; a lookup is one load.
//!
//! ```
//! use pdn_rules::board::Board;
//! use pdn_rules::rules::Variant;
//!
//! // Rows count from Black's side and columns from White's left, both from 0.
//! let square = Board::Eight.square(7, 0).expect("a playing square");
//! assert_eq!(Variant::Russian.names().name(square).to_string(), "a1");
//! assert_eq!(Variant::Russian.names().number(square), 29);
//! assert_eq!(Variant::English.names().name(square).to_string(), "29");
//! assert_eq!(Variant::Russian.names().of_algebraic(0, 1), Some(square));
//! ```

mod sealed {
    /// What keeps other crates from implementing a trait.
    pub trait Sealed {}
}
pub(crate) mod bits;
pub(crate) mod direction;
pub(crate) mod layout;
mod square;
mod square_set;
pub(crate) mod numbering;
pub(crate) mod geometry;

use sealed::Sealed;

pub(crate) use bits::Bits;
pub use numbering::{SquareName, SquareNames, SquareNaming};
pub use square::{Board, Square};
pub use square_set::SquareSet;

pub(crate) use direction::Directions;
pub(crate) use geometry::{Eight, EightFull, Geometry, Ten, TenByEight, Twelve, WithBoard};
pub(crate) use layout::BitLayout;
pub(crate) use numbering::Numbering;
