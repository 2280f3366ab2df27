//! Searches for one exact position.

mod goal;
mod seek;

pub use goal::{PositionEvent, PositionTarget};
pub use seek::Hit;

use super::keys::table::KeyTable;
use super::row::summary_bits::is_continuous;

#[cfg(test)]
mod tests;
