//! Reports when a draw rule applies. Draws are reported, never enforced.

use crate::board::Bits;
use crate::position::{Move, Position, StableKey};
use crate::rules::{DrawReason, DrawRule};
use alloc::vec;
use alloc::vec::Vec;

/// Follows a game and reports when one of its draw rules applies.
///
/// Each ply costs one pass over the keys since the last capture or move of a man to another row, which are few.
///
/// ```
/// use pdn_rules::internal::movegen::DrawWatch;
/// use pdn_rules::rules::DrawReason;
/// use pdn_rules::{Position, Variant};
///
/// let before = Position::parse_fen(Variant::Turkish, "W:WK1:BK64")?;
/// let mv = before.parse_move("1-2")?;
/// let drawn = DrawWatch::new(&before).played(&before, &mv, &before.after(&mv)?);
/// assert_eq!(drawn, Some(DrawReason::OneAgainstOne));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct DrawWatch {
    /// The keys of the positions since the last capture or move of a man to another row.
    keys: Vec<StableKey>,
    quiet_plies: u16,
    /// For each draw rule of the game, the number of plies since its ending against a lone king was reached.
    lone_king: Vec<u16>,
}

impl DrawWatch {
    /// Creates a watch that starts at this position.
    pub fn new(start: &Position) -> Self {
        Self { keys: vec![start.key()], ..Self::default() }
    }

    /// Records a move that led from `before` to `after`. Returns the draw rule that applies now, if any.
    pub fn played(&mut self, before: &Position, mv: &Move, after: &Position) -> Option<DrawReason> {
        let is_man = !before.state().kings.has(mv.from.0);
        // Men of Turkish draughts step sideways, too, and back again.
        let rank = |square| before.names().algebraic(square).1;
        if mv.is_capture() || is_man && rank(mv.from) != rank(mv.to) {
            self.keys.clear();
        }
        if mv.is_capture() || is_man {
            self.quiet_plies = 0;
        } else {
            self.quiet_plies = self.quiet_plies.saturating_add(1);
        }
        let key = after.key();
        self.keys.push(key);
        let mut reason = None;
        self.lone_king.resize(after.rules().draws.len(), 0);
        for (rule, since) in after.rules().draws.iter().zip(&mut self.lone_king) {
            let applies = match *rule {
                DrawRule::Repetition(times) => {
                    let count = self.keys.iter().filter(|&&other| other == key).count();
                    (count >= usize::from(times)).then_some(DrawReason::Repetition)
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
                                && counts.kings[strong] >= against.min_kings
                        })
                    };
                    // The count is 0 when the material arises and grows with every ply after that.
                    *since = if matches(before) && matches(after) { since.saturating_add(1) } else { 0 };
                    (*since >= plies).then_some(DrawReason::LoneKing)
                }
            };
            reason = reason.or(applies);
        }
        reason
    }
}
