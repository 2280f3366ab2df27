//! What the solving side wants to reach.

use pdn::value::Colour;
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::{Ending, Rules};

/// What the side that solves a composition wants to reach.
///
/// ```
/// use pdn_solve::Goal;
///
/// assert_eq!(Goal::Lead(3).to_string(), "a lead of 3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Goal {
    /// To win by the end of the game: the other side has no piece or no move, or what else ends the game in the variant.
    End,
    /// To have so many more pieces than the other side, a man counted as 1, and a king as 3 if kings move over any distance and as
    /// 2 if not. No capture may be pending, and the other side must be unable to lessen the lead in the next four plies. To win by
    /// the end of the game reaches this goal, too.
    Lead(i32),
}

/// Writes `the end of the game` or `a lead of 3`.
impl std::fmt::Display for Goal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::End => f.pad("the end of the game"),
            Self::Lead(lead) => f.pad(&format!("a lead of {lead}")),
        }
    }
}

/// Returns how many more pieces a side has than the other one; see [`Goal::Lead`].
pub(super) fn lead(rules: &Rules, state: &State<u128>, side: Colour) -> i32 {
    let king = if rules.movement.flying { 3 } else { 2 };
    let value = |side| state.men(side).count_ones() as i32 + king * state.kings(side).count_ones() as i32;
    value(side) - value(!side)
}

/// Returns the winner if the game is over: `is_stuck` says whether the side to move has no move.
pub(super) fn winner(ending: Ending, state: &State<u128>, is_stuck: bool) -> Option<Colour> {
    let turn = state.turn;
    if ending == Ending::FirstKingWins {
        // The side that moved last has just won.
        let has_king = |side: &Colour| state.kings(*side) != 0;
        if let Some(side) = [!turn, turn].into_iter().find(has_king) {
            return Some(side);
        }
    }
    is_stuck.then_some(if ending == Ending::NoMoveWins { turn } else { !turn })
}
