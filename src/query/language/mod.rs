//! The query language: the type of a query, and how it is written and read.

mod query;
mod contradiction;
mod display;
mod parse;

pub use query::{Condition, Field, GameCondition, Query, RatedPlayer};
