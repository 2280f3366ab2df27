//! The archive boiled down.

pub mod packed;
