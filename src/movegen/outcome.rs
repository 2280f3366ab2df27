//! Who has won, and whether the draw rules apply. Draws are reported, never enforced.

use super::generate::can_capture;
use super::jumps::Jumps;
use super::side::{View, for_side};
use crate::board::{Bits, Geometry};
use crate::position::{Move, Position, StableKey};
use crate::rules::{DrawReason, DrawRule, Ending, Ruleset, WithRules};
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
                    let view = View::<<R::Geometry as Geometry>::Bits>::of::<S>(&state);
                    let jumps = Jumps::of::<R, S>(rules, view);
                    can_capture::<R, S>(rules, view, &jumps)
                        || super::generate::has_quiet::<R, S>(rules, view, blocked)
                })
            }
        }
        self.rules().with(HasMove(self))
    }
}

/// Follows a game and tells when one of its draw rules applies.
///
/// A look-up a ply in the history since the last capture or move of a man, which is short.
#[derive(Clone, Debug, Default)]
pub struct DrawWatch {
    /// Keys since the last irreversible move.
    keys: Vec<StableKey>,
    quiet_plies: u16,
    /// Plies since the ending against a lone king of this rule was reached, by rule.
    lone_king: [u16; 8],
}

impl DrawWatch {
    /// A watch that starts at this position.
    pub fn new(start: &Position) -> Self {
        Self { keys: vec![start.key()], ..Self::default() }
    }

    /// Takes note of a move that led from `before` to `after`, and tells which draw rule applies now, if any.
    pub fn played(&mut self, before: &Position, mv: &Move, after: &Position) -> Option<DrawReason> {
        let irreversible = mv.is_capture() || !before.state().kings.has(mv.from.0);
        if irreversible {
            self.keys.clear();
            self.quiet_plies = 0;
        } else {
            self.quiet_plies = self.quiet_plies.saturating_add(1);
        }
        let key = after.key();
        self.keys.push(key);
        let mut reason = None;
        for (rule, since) in after.rules().draws.iter().zip(0..) {
            let applies = match *rule {
                DrawRule::Repetition(times) => {
                    let seen = self.keys.iter().filter(|&&other| other == key).count();
                    (seen >= usize::from(times)).then_some(DrawReason::Repetition)
                }
                DrawRule::QuietPlies(plies) => (self.quiet_plies >= plies).then_some(DrawReason::QuietPlies),
                DrawRule::OneAgainstOne => {
                    let counts = after.counts();
                    let pieces = |side: usize| counts.men[side] + counts.kings[side];
                    (pieces(0) == 1 && pieces(1) == 1).then_some(DrawReason::OneAgainstOne)
                }
                DrawRule::LoneKing { against, plies } => {
                    let matches = |position: &Position| {
                        let counts = position.counts();
                        [0, 1].into_iter().any(|lone: usize| {
                            let strong = 1 - lone;
                            counts.men[lone] == 0
                                && counts.kings[lone] == 1
                                && counts.men[strong] + counts.kings[strong] == against.pieces
                                && counts.kings[strong] >= against.least_kings
                        })
                    };
                    let since: &mut u16 = &mut self.lone_king[since & 7];
                    // The count begins when the material is on the board and runs with every ply after.
                    *since = if matches(before) && matches(after) { since.saturating_add(1) } else { 0 };
                    (*since >= plies).then_some(DrawReason::LoneKing)
                }
            };
            reason = reason.or(applies);
        }
        reason
    }
}
