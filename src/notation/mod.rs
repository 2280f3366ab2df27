//! Where text and rules meet: moves in PDN.
//!
//! [`mod@write`] names a legal move, [`mod@read`] takes a written one apart. Which legal move it means is decided by
//! [`movegen::find_via`](crate::movegen::find_via); what to do where that
//! does not tell is the business of whoever knows the whole game.

pub mod read;
pub mod write;

pub(crate) use read::short_pair;
pub use read::{MoveForm, MoveText, SquareCode, SquareCodes, pair};
pub use write::{MoveStyle, move_text, write_move};
