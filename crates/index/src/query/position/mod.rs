//! Finds one exact position in games: which games may have it, and at which plies they do.
//!
//! Games of the same rules count, however their squares are named. King counters are not compared.

mod target;
mod find;

pub use find::candidates;
pub(super) use find::{among_of_same_rules, listed, of_same_rules, targets, targets_of_segment};
pub(super) use target::seek_each;
pub use target::{PositionEvent, PositionTarget};
