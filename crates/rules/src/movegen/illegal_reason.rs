//! Explains why a move is not legal.

use super::capture_paths::paths;
use super::capture_search::CaptureLimit;
use super::find::{find, find_via};
use super::generate::legal_moves;
use super::move_error::{FindError, MoveError};
use super::move_list::MoveList;
use super::search_budget::SearchBudget;
use crate::board::{Bits, Board, Geometry, Square, WithBoard};
use crate::position::{Move, State};
use crate::rules::{BitsOf, Custom, Movement, Precedence, Ruleset};

/// Returns the reason why no legal move leads from one square to another; if `via` is not empty, over these squares. All rulesets of a
/// board share the code.
#[cold]
#[inline(never)]
pub fn illegal_reason<R: Ruleset>(
    rules: R,
    state: &State<BitsOf<R>>,
    [from, to]: [Square; 2],
    via: &[Square],
    budget: &SearchBudget,
    list: &mut MoveList,
) -> MoveError {
    if state.side(!state.turn).has(from.0) {
        return MoveError::OtherSide;
    }
    if !state.side(state.turn).has(from.0) {
        return MoveError::NoPiece;
    }
    let reason = PieceReason {
        movement: rules.movement(),
        state: &state.resized(),
        ends: [from, to],
        via,
        budget,
        list,
    };
    reason.on_board(R::Geometry::BOARD).unwrap_or(MoveError::CaptureLimit)
}

/// Finds the reason why the piece on the first of two squares cannot make a move.
struct PieceReason<'a> {
    movement: Movement,
    state: &'a State<u128>,
    ends: [Square; 2],
    via: &'a [Square],
    budget: &'a SearchBudget,
    list: &'a mut MoveList,
}

impl PieceReason<'_> {
    #[inline(never)]
    fn on_board(self, board: Board) -> Result<MoveError, CaptureLimit> {
        board.with(self)
    }
}

impl WithBoard for PieceReason<'_> {
    type Output = Result<MoveError, CaptureLimit>;

    fn run<G: Geometry>(self) -> Self::Output {
        let Self { movement, state, ends: [from, to], via, budget, list } = self;
        let (rules, state) = (Custom::<G>::new(movement), &state.resized());
        budget.search(|nodes| legal_moves(rules, state, nodes, list), Result::is_err)?;
        let nodes = budget.free_nodes();
        // With all pieces on the side to move nothing can be captured, and the same squares are empty: exactly the quiet
        // moves remain.
        let mut without_enemies = *state;
        without_enemies.pieces[state.turn as usize] = state.occupied();
        without_enemies.pieces[!state.turn as usize] = Bits::NONE;
        let is_quiet_move = find(rules, &without_enemies, from, to, nodes).is_ok();
        if !list.first().is_some_and(Move::is_capture) {
            let no_streak = Custom::<G>::new(Movement { king_streak: 0, ..movement });
            let is_legal_without_streak = find(no_streak, &without_enemies, from, to, nodes).is_ok();
            return Ok(if is_legal_without_streak && !is_quiet_move {
                MoveError::KingStreak
            } else {
                MoveError::Impossible
            });
        }
        if is_quiet_move {
            return Ok(MoveError::MustCapture);
        }
        let no_precedence = Custom::<G>::new(Movement { precedence: Precedence::Free, ..movement });
        let capture = if via.is_empty() {
            find(no_precedence, state, from, to, nodes)
        } else {
            find_via(no_precedence, state, from, to, via, nodes)
        };
        if matches!(capture, Ok(_) | Err(FindError::Ambiguous)) {
            return Ok(MoveError::Precedence);
        }
        budget.search(|nodes| legal_moves(no_precedence, state, nodes, list), Result::is_err)?;
        let is_unfinished = list
            .iter()
            .filter(|mv| mv.from == from)
            .any(|mv| capture_passes(no_precedence, state, &mv.resized(), &[to], budget));
        Ok(if is_unfinished { MoveError::Unfinished } else { MoveError::Impossible })
    }
}

/// Returns `true` if a capture lands on the squares `via` in this order, or captures the pieces on all of them.
///
/// Returns `false` if the budget does not allow to search for the paths of the capture.
pub fn capture_passes<R: Ruleset>(
    rules: R,
    state: &State<BitsOf<R>>,
    mv: &Move<BitsOf<R>>,
    via: &[Square],
    budget: &SearchBudget,
) -> bool {
    let captures_all = !via.is_empty() && via.iter().all(|square| mv.captured.has(square.0));
    if captures_all {
        return true;
    }
    let lands =
        LandsOn { movement: rules.movement(), state: &state.resized(), mv: &mv.resized(), via, budget };
    lands.on_board(R::Geometry::BOARD)
}

/// Finds out whether a capture lands on some squares in this order.
struct LandsOn<'a> {
    movement: Movement,
    state: &'a State<u128>,
    mv: &'a Move,
    via: &'a [Square],
    budget: &'a SearchBudget,
}

impl LandsOn<'_> {
    #[inline(never)]
    fn on_board(self, board: Board) -> bool {
        board.with(self)
    }
}

impl WithBoard for LandsOn<'_> {
    type Output = bool;

    fn run<G: Geometry>(self) -> bool {
        let Self { movement, state, mv, via, budget } = self;
        let rules = Custom::<G>::new(movement);
        paths(rules, &state.resized(), &mv.resized(), budget.path_nodes()).is_ok_and(|paths| {
            paths.iter().any(|path| {
                let mut landings = path.squares[1..path.squares.len() - 1].iter();
                via.iter().all(|square| landings.any(|landing| landing == square))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::MoveList;
    use crate::position::Position;
    use crate::rules::{Variant, WithRules};
    use crate::value::Fen;

    struct Passes<'a>(&'a Position, &'a Move, &'a [Square]);

    impl WithRules for Passes<'_> {
        type Output = bool;
        fn run<R: Ruleset>(self, rules: R) -> bool {
            let Self(position, mv, via) = self;
            let budget = SearchBudget::new(1 << 16);
            capture_passes(rules, &position.state().resized(), &mv.resized(), via, &budget)
        }
    }

    /// Does the same as [`capture_passes`]: looks for every way to leave squares out of a path.
    fn passes_naive(position: &Position, mv: &Move, via: &[Square]) -> bool {
        fn leads_over(landings: &[Square], via: &[Square]) -> bool {
            match (landings.split_first(), via.split_first()) {
                (_, None) => true,
                (None, Some(_)) => false,
                (Some((landing, rest)), Some((square, others))) => {
                    landing == square && leads_over(rest, others) || leads_over(rest, via)
                }
            }
        }
        !via.is_empty() && via.iter().all(|square| mv.captured & 1 << square.0 != 0)
            || position
                .paths(mv)
                .unwrap()
                .iter()
                .any(|path| leads_over(&path.squares[1..path.squares.len() - 1], via))
    }

    #[test]
    fn squares_of_a_capture_count_in_the_order_written() {
        let mut compared = [0; 2];
        for fen in [
            "W:W48:B42,33,23,13",
            "W:WK46:B41,32,22,12,9,14,24,35",
            "W:WK47:B38,29,19,13,8,11,21,31,42",
            "W:W37:B31,21,11,22,23,32,33",
        ] {
            let position =
                Position::from_fen(Variant::International, &Fen::parse(fen.as_bytes()).unwrap()).unwrap();
            let mut list = MoveList::new();
            position.legal_moves(&mut list).unwrap();
            for mv in list.iter().filter(|mv| mv.is_capture()) {
                for path in position.paths(mv).unwrap() {
                    let inner = &path.squares[1..path.squares.len() - 1];
                    for (i, a) in inner.iter().enumerate() {
                        for b in inner.iter().skip(i + 1) {
                            for via in [[*a, *b], [*b, *a], [*a, *a]] {
                                let expected = passes_naive(&position, mv, &via);
                                let found = position.rules().with(Passes(&position, mv, &via));
                                assert_eq!(found, expected, "{fen} {mv:?} {via:?}");
                                compared[usize::from(expected)] += 1;
                            }
                        }
                    }
                }
            }
        }
        assert!(compared[0] > 5 && compared[1] > 5, "{compared:?}");
    }
}
