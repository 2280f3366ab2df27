//! Where text and rules meet: moves in PDN.
//!
//! [`write`] names a legal move. Which legal move a written one means is decided by
//! [`movegen::find_via`](crate::movegen::find_via).

pub mod write;

pub use write::{MoveStyle, move_text, write_move};
