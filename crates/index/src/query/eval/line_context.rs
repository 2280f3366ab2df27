//! What is known of a line besides its positions, when a query is evaluated on it.

use super::position_set::PositionSet;

/// What is known of a line besides its positions.
#[derive(Clone, Copy, Debug)]
pub(in crate::query) struct LineContext<'a> {
    /// For each set of games of the query, whether it contains the game.
    pub(in crate::query) membership: &'a [bool],
    /// The sets of marked positions. Positions are counted from the first one of the line.
    pub(in crate::query) marked: &'a [PositionSet],
    /// The number of plies before the first position of the line.
    pub(in crate::query) first_ply: u32,
    /// The number of earlier games that have each position of the line; empty if it is unknown, or if the query does not ask for it.
    pub(in crate::query) earlier: &'a [u32],
}

impl<'a> LineContext<'a> {
    /// Creates the context of a main line without marks.
    pub(in crate::query) const fn unmarked(membership: &'a [bool]) -> Self {
        Self { membership, marked: &[], first_ply: 0, earlier: &[] }
    }
}
