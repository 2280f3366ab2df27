//! What `check` and `stats` add up.

pub(crate) mod totals;
