//! Names of players and events, which archives spell in many ways.
//!
//! [`fold`] returns the form in which names are compared. [`NamePattern`] is a name that a user asks for: exact, by
//! its beginning, by its words, or misspelt. Index dictionaries, query conditions and sorting all use this module, so
//! that they agree on which names are equal.
//!
//! [`same_person`] says whether two spellings can mean one person, and why. Names in Cyrillic letters are compared with
//! their spellings in other languages by [`Romanisation`].
//!
//! Tag names are not here but in [`value`](crate::value).

mod fold;
mod romanisation;
mod word;
mod pattern;
mod person;

pub use fold::fold;
pub(crate) use fold::fold_into;
pub use pattern::{NameMatch, NamePattern};
pub use person::{Likeness, NameSimilarity, blocking_keys, same_person};
pub use romanisation::Romanisation;
