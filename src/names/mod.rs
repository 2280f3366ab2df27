//! Names of players and events, which archives spell in many ways.
//!
//! [`fold`] returns the form in which names are compared. [`NamePattern`] is a name that a user asks for: exact, by
//! its beginning, by its words, or misspelt. Index dictionaries, query conditions and sorting all use this module, so
//! that they agree on which names are equal.
//!
//! Tag names are not here but in [`value`](crate::value).

mod fold;
mod pattern;

pub use fold::fold;
pub(crate) use fold::fold_into;
pub use pattern::{NameMatch, NamePattern};
