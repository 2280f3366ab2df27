//! Who has won, and whether the draw rules apply. Draws are reported, never enforced.

use super::generate::can_capture;
use super::jumps::Jumps;
use super::side::{View, for_side};

use crate::position::Position;
use crate::rules::{BitsOf, Ending, Ruleset, WithRules};
use crate::value::Colour;

/// How a game has ended on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct GameEnd {
    /// Who has won.
    pub winner: Colour,
    /// Why.
    pub reason: GameEndReason,
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum GameEndReason {
    /// The side to move has pieces but no move.
    NoMove,
    /// The side to move has no piece left.
    NoPiece,
    /// A side has got a king where that is the aim.
    Breakthrough,
}

impl Position {
    /// Whether the game is over here, and who has won. Draws are another matter: see [`DrawWatch`].
    pub fn outcome(&self) -> Option<GameEnd> {
        let turn = self.turn();
        let ending = self.rules().ending;
        if ending == Ending::FirstKingWins {
            // The side that moved last has just got its king, if both have one.
            if let Some(winner) = [!turn, turn].into_iter().find(|&side| self.state().kings(side) != 0) {
                return Some(GameEnd { winner, reason: GameEndReason::Breakthrough });
            }
        }
        let reason = if self.state().side(turn) == 0 {
            GameEndReason::NoPiece
        } else if !self.has_move() {
            GameEndReason::NoMove
        } else {
            return None;
        };
        Some(GameEnd { winner: if ending == Ending::NoMoveWins { turn } else { !turn }, reason })
    }

    /// Whether the side to move has a legal move. Never searches captures to their end, so there is no limit
    /// to hit.
    pub fn has_move(&self) -> bool {
        struct HasMove<'a>(&'a Position);
        impl WithRules for HasMove<'_> {
            type Output = bool;
            fn run<R: Ruleset>(self, rules: R) -> bool {
                let state = self.0.state().resized();
                let blocked = state.blocked_king(rules.movement().king_streak);
                for_side!(state.turn, S => {
                    let view = View::<BitsOf<R>>::of::<S>(&state);
                    let jumps = Jumps::of::<R, S>(rules, view);
                    can_capture::<R, S>(rules, view, &jumps)
                        || super::generate::has_quiet_move::<R, S>(rules, view, blocked)
                })
            }
        }
        self.rules().with(HasMove(self))
    }
}
