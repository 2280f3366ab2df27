//! The query language: the type of a query, and how it is written and read.

mod query;
mod transforms;
mod contradiction;
mod display;
mod definitions;
pub(crate) mod parse;

pub use definitions::Definitions;
pub use query::{Condition, Field, GameCondition, Query, QueryOfGame, RatedPlayer};
