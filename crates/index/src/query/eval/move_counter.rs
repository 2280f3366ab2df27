//! Numbers of legal moves, from the move generator.

use pdn::board::Bits;
use pdn::movegen::{DEFAULT_CAPTURE_NODES, MoveList};
use pdn_rules::internal::movegen::{MoveGenerator, move_generator};
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::Rules;

/// Numbers of the legal moves of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MoveNumbers {
    /// The number of legal moves.
    pub(super) moves: u32,
    /// The number of them that capture.
    pub(super) captures: u32,
    /// The most pieces that one of them captures.
    pub(super) best: u32,
}

/// Counts legal moves by the rules of a variant.
#[derive(Debug)]
pub(super) struct MoveCounter(Box<dyn MoveGenerator>);

impl MoveCounter {
    /// Creates the counter for some rules.
    pub(super) fn new(rules: &Rules) -> Self {
        Self(move_generator(rules))
    }

    /// Returns the numbers of legal moves of a position; `None` if its captures are too many to be searched. `list` is
    /// overwritten.
    pub(super) fn count<B: Bits>(&self, state: &State<B>, list: &mut MoveList) -> Option<MoveNumbers> {
        self.0.fill(&state.resized(), DEFAULT_CAPTURE_NODES, list).ok()?;
        let moves = list.as_slice();
        // Captures are compulsory, so that all moves capture or none.
        let best = moves.iter().map(|mv| mv.captured.count_ones()).max().unwrap_or(0);
        let captures = if best > 0 { moves.len() } else { 0 };
        Some(MoveNumbers { moves: moves.len() as u32, captures: captures as u32, best })
    }
}
