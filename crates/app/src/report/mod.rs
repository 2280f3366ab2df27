//! Numbers of whole archives: counts, players, events and openings.

#[cfg(feature = "index")]
pub mod stats;
#[cfg(feature = "index")]
pub mod same_names;
#[cfg(feature = "index")]
pub mod people;
#[cfg(feature = "index")]
pub mod score;
#[cfg(feature = "index")]
pub mod groups;
#[cfg(feature = "index")]
pub mod overview;
#[cfg(feature = "index")]
pub mod player;
#[cfg(feature = "index")]
pub mod event;
#[cfg(feature = "index")]
pub mod endings;
