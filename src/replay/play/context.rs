//! What all moves of one line share, and the search for one legal move.

use crate::board::Square;
use crate::movegen::{FindError, SearchBudget, find, find_via};
use crate::notation::SquareCodes;
use crate::position::{Move, State};
use crate::replay::line::LineTokens;
use crate::rules::{BitsOf, GameRules, Ruleset};

/// What all moves of one line share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineContext<'a> {
    /// The bytes of the record.
    pub(crate) text: &'a [u8],
    pub(crate) tokens: &'a LineTokens,
    /// The squares that written names stand for.
    pub(crate) codes: &'a SquareCodes,
    pub(crate) game: &'a GameRules,
    pub(crate) budget: &'a SearchBudget,
}

/// One reading of a written move.
#[derive(Clone, Copy)]
pub(super) struct Reading<'v> {
    /// The first square.
    pub(super) from: Square,
    /// The last square.
    pub(super) to: Square,
    /// The squares between them, in the order written.
    pub(super) via: &'v [Square],
}

impl LineContext<'_> {
    /// Finds the legal move of a reading, as [`find`] and [`find_via`] do, within the search budget of the game.
    pub(super) fn find_move<R: Ruleset>(
        &self,
        rules: R,
        state: &State<BitsOf<R>>,
        reading: &Reading<'_>,
    ) -> Result<Move<BitsOf<R>>, FindError> {
        let &Reading { from, to, via } = reading;
        let search = |nodes| match via {
            [] => find(rules, state, from, to, nodes),
            _ => find_via(rules, state, from, to, via, nodes),
        };
        self.budget.search(search, |result| matches!(result, Err(FindError::Limit)))
    }
}
