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
mod bits;
mod direction;
mod layout;
mod square;
mod numbering;
mod geometry;

use sealed::Sealed;

pub use bits::Bits;
pub use numbering::{SquareName, SquareNames, SquareNaming};
pub use square::{Board, Square};

unstable! {
    use bits::Squares;
    use direction::{Direction, Directions};
    use geometry::{BoardFamily, Eight, EightFull, Geometry, PerBoard, Ten, TenByEight, Twelve, WithBoard};
    use layout::BitLayout;
    use numbering::Numbering;
}
