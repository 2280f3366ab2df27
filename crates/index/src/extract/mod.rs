//! Extracts: what the published copy of an index has in addition, so that those who read it by ranges read less.
//!
//! In a segment, the values of a game lie in many columns, far from each other, and the games of a player are found by reading a whole column.
//! That is fast in memory and slow over a network. The extract of a segment has the values of each game that lists, reports and trees
//! need in one place, the games of each player and event, and the number of games of each kind. Answers are the same without it. Only
//! indexes that are read by ranges use it.

pub(crate) mod table;
pub(super) mod writer;
