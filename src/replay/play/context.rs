//! What all moves of one line share, and the search for one legal move.

use super::search_budget::SearchBudget;
use crate::board::{Bits, Square};
use crate::movegen::{FindError, find, find_via, paths};
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

/// Returns `true` if a capture lands on the squares `via` in this order, or captures the pieces on all of them.
///
/// Returns `false` if the budget does not allow to search for the paths of the capture.
pub(super) fn capture_passes<R: Ruleset>(
    rules: R,
    state: &State<BitsOf<R>>,
    mv: &Move<BitsOf<R>>,
    via: &[Square],
    budget: &SearchBudget,
) -> bool {
    let captures_all = !via.is_empty() && via.iter().all(|square| mv.captured.has(square.0));
    captures_all
        || paths(rules, state, mv, budget.path_nodes()).is_ok_and(|paths| {
            paths.iter().any(|path| {
                let mut landings = path.squares[1..path.squares.len() - 1].iter();
                via.iter().all(|square| landings.any(|landing| landing == square))
            })
        })
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
