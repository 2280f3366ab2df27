//! Moves as text: where the notation of PDN meets the rules.
//!
//! [`Position::parse_move`](crate::position::Position::parse_move) finds the legal move that a text means, and
//! [`Position::move_text`](crate::position::Position::move_text) writes a legal move:
//!
//! ```
//! use pdn_rules::movegen::MoveError;
//! use pdn_rules::notation::MoveStyle;
//! use pdn_rules::position::Position;
//! use pdn_rules::rules::Variant;
//!
//! let mut position = Position::start(Variant::International);
//! for text in ["32-28", "1923", "28x19", "14:23"] {
//!     let mv = position.parse_move(text)?;
//!     position = position.after(&mv)?;
//! }
//! let mv = position.parse_move("37-32")?;
//! assert_eq!(position.move_text(&mv, MoveStyle::Shortest), "37-32");
//! assert_eq!(position.parse_move("1-2"), Err(MoveError::OtherSide));
//! # Ok::<(), MoveError>(())
//! ```
//!
//! Where several legal moves match a text, only the rest of the game can decide.

pub(crate) mod square_code;
pub(crate) mod read;
pub(crate) mod write;
mod parse;

pub use write::{MoveStyle, move_text};
