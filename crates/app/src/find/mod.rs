//! Games and positions that are looked for: the games that match a filter, opening trees, novelties, and one game as it is shown.

#[cfg(feature = "index")]
pub(crate) mod no_match;
#[cfg(feature = "index")]
pub mod records;
#[cfg(feature = "index")]
pub mod games;
#[cfg(feature = "index")]
pub mod tree;
#[cfg(feature = "index")]
pub mod repertoire;
#[cfg(feature = "index")]
pub mod novelty;
pub mod show;
#[cfg(feature = "index")]
pub mod openings;
