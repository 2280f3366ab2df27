//! The end of a game on the board: no move, no piece, or a first king.

use core::fmt;

use super::generate::can_capture;
use super::jumps::Jumps;
use super::side::{View, for_side};

use crate::position::Position;
use crate::rules::{BitsOf, Ending, Ruleset, WithRules};
use crate::value::Colour;

/// The end of a game on the board: the winner and the reason.
///
/// ```
/// use pdn_rules::value::Colour;
/// use pdn_rules::{Position, Variant};
///
/// let end = Position::parse_fen(Variant::International, "W:W36:B27,31")?.end().expect("36 is blocked");
/// assert_eq!(end.winner, Colour::Black);
/// assert_eq!(end.to_string(), "Black has won: White has no legal move");
/// # Ok::<(), pdn_rules::position::ParseFenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct GameEnd {
    /// The side that has won.
    pub winner: Colour,
    /// The reason why the game is over.
    pub reason: GameEndReason,
    /// The side to move, which the reason concerns.
    pub turn: Colour,
}

/// Writes the winner and the reason: `White has won: Black has no legal move`.
impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} has won: ", self.winner)?;
        match self.reason {
            GameEndReason::Breakthrough => write!(f, "{} has {}", self.winner, self.reason),
            reason => write!(f, "{} has {reason}", self.turn),
        }
    }
}

/// The reason why a game is over.
///
/// ```
/// use pdn_rules::movegen::GameEndReason;
///
/// assert_eq!(GameEndReason::NoPiece.to_string(), "no piece");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum GameEndReason {
    /// The side to move has pieces but no move.
    NoMove,
    /// The side to move has no piece left.
    NoPiece,
    /// A side has got the first king in a variant where that wins.
    Breakthrough,
}

/// Writes what the side has or lacks: `no legal move`, `no piece`, `a king`.
impl fmt::Display for GameEndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::NoMove => "no legal move",
            Self::NoPiece => "no piece",
            Self::Breakthrough => "a king",
        })
    }
}

impl Position {
    /// Returns the winner if the game is over in this position. Draws depend on the positions before; a
    /// [`Game`](crate::game::Game) knows them.
    ///
    /// ```
    /// use pdn_rules::{Position, Variant};
    ///
    /// let position = Position::parse_fen(Variant::International, "B:W28:B")?;
    /// assert_eq!(position.end().map(|end| end.to_string()).as_deref(), Some("White has won: Black has no piece"));
    /// # Ok::<(), pdn_rules::position::ParseFenError>(())
    /// ```
    pub fn end(&self) -> Option<GameEnd> {
        let turn = self.turn();
        let ending = self.rules().ending;
        if ending == Ending::FirstKingWins {
            // The game ends with the first king, so if both sides have kings, the side that moved last has just won.
            if let Some(winner) = [!turn, turn].into_iter().find(|&side| self.state().kings(side) != 0) {
                return Some(GameEnd { winner, reason: GameEndReason::Breakthrough, turn });
            }
        }
        let reason = if self.state().side(turn) == 0 {
            GameEndReason::NoPiece
        } else if !self.has_move() {
            GameEndReason::NoMove
        } else {
            return None;
        };
        Some(GameEnd { winner: if ending == Ending::NoMoveWins { turn } else { !turn }, reason, turn })
    }

    /// Returns `true` if the side to move has a legal move. Captures are not searched to their end, so there is no
    /// limit to exceed.
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
