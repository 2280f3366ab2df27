//! Plays the tokens of a line by the rules: from written moves to legal moves.

mod split_capture;
mod resolve;
mod cursor;
mod ambiguity;
mod player;

pub(super) use ambiguity::LookAhead;
pub(super) use cursor::{LineCursor, Step};
pub(super) use player::{DiagnosticLog, LineOutcome, LinePlayer, PlayBuffers};

use std::cell::Cell;

use super::line::LineTokens;
use crate::board::Square;
use crate::movegen::{FindError, SearchBudget, find, find_via};
use crate::notation::SquareCodes;
use crate::position::{Move, State};
use crate::rules::{BitsOf, GameRules, Ruleset};

/// The capture searches that replays may make.
#[derive(Debug, Default)]
pub(crate) struct Searches {
    /// Maximum number of nodes of one search.
    pub(crate) max_nodes: u32,
    /// Nodes that are left for replays that share one budget; `None` if each has its own.
    shared: Cell<Option<u32>>,
}

impl Searches {
    /// Lets all replays share what so many of a text of so many bytes may use, until [`end_sharing`](Self::end_sharing).
    pub(crate) fn share(&self, replays: u32, bytes: usize) {
        let of_text = SearchBudget::of_text(u32::MAX, bytes).rest();
        self.shared.set(Some(of_text.saturating_mul(replays)));
    }

    /// Gives each replay a budget of its own again.
    pub(crate) fn end_sharing(&self) {
        self.shared.set(None);
    }

    /// Returns `true` if replays share a budget of which too little is left for a search that is counted.
    pub(crate) fn are_used_up(&self) -> bool {
        self.shared.get().is_some_and(|rest| rest < SearchBudget::LEAST_COUNTED)
    }

    /// Returns the budget of a replay of a text of so many bytes, in which a search may use at most `max_nodes` nodes.
    pub(crate) fn budget(&self, max_nodes: u32, bytes: usize) -> SearchBudget {
        match self.shared.get() {
            Some(rest) => {
                SearchBudget::with_rest(max_nodes, rest.min(SearchBudget::of_text(max_nodes, bytes).rest()))
            }
            None => SearchBudget::of_text(max_nodes, bytes),
        }
    }

    /// Takes what a replay used from the budget that replays share. `given` is what its budget had at first.
    pub(crate) fn take(&self, given: u32, budget: &SearchBudget) {
        let used = given - budget.rest();
        self.shared.set(self.shared.get().map(|rest| rest.saturating_sub(used)));
    }
}

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
struct Reading<'v> {
    /// The first square.
    from: Square,
    /// The last square.
    to: Square,
    /// The squares between them, in the order written.
    via: &'v [Square],
}

impl LineContext<'_> {
    /// Finds the legal move of a reading, as [`find`] and [`find_via`] do, within the search budget of the game.
    fn find_move<R: Ruleset>(
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
