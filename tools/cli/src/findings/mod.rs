//! Explains diagnostics to people: why a move is illegal, what was meant, and the line of text with the span marked.

pub(crate) mod explanation;
pub(crate) mod snippet;
