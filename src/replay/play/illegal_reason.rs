//! Explains why a written move matches no legal move.

use super::context::{LineContext, Reading, capture_passes};
use super::search_budget::SearchBudget;
use crate::board::Bits;
use crate::movegen::{CaptureLimit, FindError, MoveList, find, find_via, legal_moves};
use crate::position::{Move, State};
use crate::replay::StopReason;
use crate::replay::line::LineTokenKind;
use crate::rules::{BitsOf, Custom, Movement, Precedence, Ruleset};

impl LineContext<'_> {
    /// Returns the reason why no legal move matches a reading of the token at `at`.
    #[cold]
    pub(super) fn illegal_reason<R: Ruleset>(
        &self,
        rules: R,
        state: &State<BitsOf<R>>,
        reading: &Reading<'_>,
        at: usize,
        list: &mut MoveList,
    ) -> StopReason {
        let from = reading.from;
        let since_last_move = self.tokens.range(0..at).rev().take_while(|token| !token.kind.is_move());
        if since_last_move.clone().any(|token| token.kind == LineTokenKind::StrayText) {
            return StopReason::LostText;
        }
        if !state.side(state.turn).has(from.0) {
            let is_other_side = state.side(!state.turn).has(from.0);
            if is_other_side && since_last_move.clone().any(|token| token.kind == LineTokenKind::Ellipsis) {
                return StopReason::MissingMove;
            }
            return if is_other_side { StopReason::OtherSide } else { StopReason::NoPiece };
        }
        piece_reason(rules, state, reading, self.budget, list).unwrap_or(StopReason::CaptureLimit)
    }
}

/// Returns the reason why the piece on the first square of a reading cannot make the move.
#[cold]
#[inline(never)]
fn piece_reason<R: Ruleset>(
    rules: R,
    state: &State<BitsOf<R>>,
    reading: &Reading<'_>,
    budget: &SearchBudget,
    list: &mut MoveList,
) -> Result<StopReason, CaptureLimit> {
    let &Reading { from, to, via } = reading;
    let movement = rules.movement();
    budget.search(|nodes| legal_moves(rules, state, nodes, list), Result::is_err)?;
    let nodes = budget.free_nodes();
    // With all pieces on the side to move nothing can be captured, and the same squares are empty: exactly the quiet
    // moves remain.
    let mut without_enemies = *state;
    without_enemies.pieces[state.turn as usize] = state.occupied();
    without_enemies.pieces[!state.turn as usize] = Bits::NONE;
    let is_quiet_move = find(rules, &without_enemies, from, to, nodes).is_ok();
    if !list.first().is_some_and(Move::is_capture) {
        let no_streak = Custom::<R::Geometry>::new(Movement { king_streak: 0, ..movement });
        let is_legal_without_streak = find(no_streak, &without_enemies, from, to, nodes).is_ok();
        return Ok(if is_legal_without_streak && !is_quiet_move {
            StopReason::KingStreak
        } else {
            StopReason::Impossible
        });
    }
    if is_quiet_move {
        return Ok(StopReason::MustCapture);
    }
    let no_precedence = Custom::<R::Geometry>::new(Movement { precedence: Precedence::Free, ..movement });
    let capture = if via.is_empty() {
        find(no_precedence, state, from, to, nodes)
    } else {
        find_via(no_precedence, state, from, to, via, nodes)
    };
    if matches!(capture, Ok(_) | Err(FindError::Ambiguous)) {
        return Ok(StopReason::Precedence);
    }
    budget.search(|nodes| legal_moves(no_precedence, state, nodes, list), Result::is_err)?;
    let is_unfinished = list
        .iter()
        .filter(|mv| mv.from == from)
        .any(|mv| capture_passes(no_precedence, state, &mv.resized(), &[to], budget));
    Ok(if is_unfinished { StopReason::Unfinished } else { StopReason::Impossible })
}
