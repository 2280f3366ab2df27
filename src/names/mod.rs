//! Names of players and events, which are spelt in many ways.
//!
//! [`fold`] gives the form in which names are compared, [`NamePattern`] is a name that somebody asks for: exact, by its
//! beginning, by its words, or misspelt. Dictionaries of an index, conditions of a query and sorting all use this module,
//! so that they agree on which names are equal.
//!
//! Not here: the names of tags, which are in [`value`](crate::value).

mod fold;
mod pattern;

pub use fold::fold;
pub(crate) use fold::fold_into;
pub use pattern::{NameMatch, NamePattern};
