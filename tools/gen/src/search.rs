//! Computes the value of a move: the material after all forced captures.
//!
//! Captures are compulsory in every variant, so following them to their end finds most of what a player sees at once. Two
//! plies of this are the whole search. A quiet position costs a few dozen instructions: shifts decide whether a capture is
//! possible before any move is listed, and material is counted only where it changes.

use pdn::limits::Limits;
use pdn::movegen::MoveList;
use pdn::position::Move;
use pdn::value::Colour;
use pdn_rules::internal::board::{Bits, Geometry};
use pdn_rules::internal::movegen::legal_moves;
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::{Ending, Rules, Ruleset};

/// The bitboard type of a ruleset.
pub(crate) type Word<R> = <<R as Ruleset>::Geometry as Geometry>::Bits;

/// Value of a man, the unit of all values.
pub(crate) const MAN: i32 = 100;
/// Value of a win, above any material.
pub(crate) const WON: i32 = 100_000;
/// Maximum number of successive captures that are followed.
const MAX_DEPTH: usize = 8;
/// Maximum number of captures by flying kings that are examined in one position.
const MAX_WIDTH: usize = 6;

/// Values of pieces under the rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worth {
    man: i32,
    king: i32,
    promotion: i32,
}

impl Worth {
    pub(crate) fn new(rules: &Rules) -> Self {
        let king = if rules.movement.flying { 3 * MAN } else { 3 * MAN / 2 };
        match rules.ending {
            Ending::NoMoveWins => Self { man: -MAN, king: -king, promotion: MAN - king },
            Ending::FirstKingWins => Self { man: MAN, king, promotion: WON / 2 },
            // A side without a move has lost.
            _ => Self { man: MAN, king, promotion: king - MAN },
        }
    }

    /// Returns the material that a move gains immediately.
    #[inline]
    pub(crate) fn gain<B: Bits>(self, state: &State<B>, mv: &Move<B>) -> i32 {
        let mut gain = if mv.promotes { self.promotion } else { 0 };
        if mv.captured.any() {
            let kings = (mv.captured & state.kings).count() as i32;
            gain += self.man * (mv.captured.count() as i32 - kings) + self.king * kings;
        }
        gain
    }
}

/// Follows forced captures. Reuses its lists, so that nothing is allocated.
#[derive(Debug)]
pub(crate) struct Search<R: Ruleset> {
    rules: R,
    pub(crate) worth: Worth,
    lists: Vec<MoveList<Word<R>>>,
    /// Number of positions that may still be examined for the current move.
    budget: u32,
}

impl<R: Ruleset> Search<R> {
    pub(crate) fn new(rules: R, worth: Worth) -> Self {
        Self { rules, worth, lists: (0..MAX_DEPTH).map(|_| MoveList::new()).collect(), budget: 0 }
    }

    /// Lists the legal moves; none if the capture search exceeds its limit, which no generated position does.
    pub(crate) fn moves(&self, state: &State<Word<R>>, list: &mut MoveList<Word<R>>) {
        let found = legal_moves(self.rules, state, Limits::DEFAULT.capture_nodes, list);
        debug_assert!(found.is_ok(), "no position of a game comes near the limit");
    }

    /// Returns the value of a move for its side after the captures that it forces, and whether it forces any.
    #[inline]
    pub(crate) fn value(&mut self, state: &State<Word<R>>, mv: &Move<Word<R>>) -> (i32, bool) {
        let gain = self.worth.gain(state, mv);
        let mut after = *state;
        after.play_uncounted(mv);
        if !may_capture(self.rules, &after) {
            return (gain, false);
        }
        self.budget = 64;
        let (lost, forced) = self.settle(&after, 0);
        (gain - lost, forced)
    }

    /// Returns the material that forced captures gain for the side to move, and whether there are any.
    fn settle(&mut self, state: &State<Word<R>>, depth: usize) -> (i32, bool) {
        if depth == MAX_DEPTH || self.budget == 0 {
            return (0, true);
        }
        self.budget -= 1;
        let mut list = std::mem::take(&mut self.lists[depth]);
        self.moves(state, &mut list);
        let mut best = None;
        for mv in list.iter().take_while(|mv| mv.is_capture()).take(MAX_WIDTH) {
            let mut after = *state;
            after.play_uncounted(mv);
            let mut value = self.worth.gain(state, mv);
            if may_capture(self.rules, &after) {
                value -= self.settle(&after, depth + 1).0;
            }
            best = best.max(Some(value));
        }
        self.lists[depth] = list;
        (best.unwrap_or(0), best.is_some())
    }
}

/// Returns `false` only if the side to move has no capture.
#[inline]
fn may_capture<R: Ruleset>(rules: R, state: &State<Word<R>>) -> bool {
    let movement = rules.movement();
    let black = state.turn == Colour::Black;
    let (own, opp) = (state.side(state.turn), state.side(!state.turn));
    let empty = R::Geometry::VALID & !(own | opp);
    let kings = own & state.kings;
    let men = own & !kings;
    let man_captures = movement.man_captures.seen_by(black);
    let mut found = Word::<R>::NONE;
    for d in 0..8 {
        let neighbours = |pieces| R::Geometry::step(R::Geometry::step(pieces, d) & opp, d) & empty;
        if man_captures.has_number(d) {
            found |= neighbours(men);
        }
        if !movement.flying && movement.king_captures.has_number(d) {
            found |= neighbours(kings);
        }
    }
    if found.any() {
        return true;
    }
    if movement.flying && kings.any() {
        for d in 0..8 {
            if movement.king_captures.has_number(d) {
                let prey = opp & R::Geometry::step(empty, d ^ 1);
                if kings.squares().any(|king| (R::Geometry::ray(d, king) & prey).any()) {
                    return true;
                }
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn::position::Position;
    use pdn::rules::Variant;
    use pdn::value::Fen;
    use pdn_rules::internal::rules::WithRules;

    /// Returns the values of the moves of a position with their texts.
    fn values(variant: Variant, fen: &str) -> Vec<(String, i32)> {
        struct Values(Position);
        impl WithRules for Values {
            type Output = Vec<(String, i32)>;
            fn run<R: Ruleset>(self, rules: R) -> Self::Output {
                let mut search = Search::new(rules, Worth::new(self.0.rules()));
                let state = self.0.state().resized();
                let mut list = MoveList::new();
                search.moves(&state, &mut list);
                let text = |mv: &Move<Word<R>>| {
                    pdn::notation::move_text(&self.0, &mv.resized(), pdn::notation::MoveStyle::Shortest)
                        .unwrap()
                };
                list.iter().map(|mv| (text(mv), search.value(&state, mv).0)).collect()
            }
        }
        let fen = Fen::parse(fen.as_bytes()).unwrap();
        let position = Position::from_fen(variant, &fen).unwrap();
        position.rules().with(Values(position))
    }

    #[test]
    fn value_follows_forced_captures() {
        let value = |variant, fen, text: &str| {
            let values = values(variant, fen);
            values.iter().find(|(found, _)| found == text).unwrap_or_else(|| panic!("{values:?}")).1
        };
        // An even exchange, lost men, promotions.
        assert_eq!(value(Variant::International, "W:W28,33,39:B19,1", "28-23"), 0);
        assert_eq!(value(Variant::International, "W:W28:B18,12", "28-23"), -MAN);
        assert_eq!(value(Variant::International, "W:W28:B18,12", "28-22"), -MAN);
        assert_eq!(value(Variant::International, "W:W8:B45", "8-2"), 2 * MAN);
        assert_eq!(value(Variant::Antidraughts, "W:W28:B18,12", "28-22"), MAN);
        assert_eq!(value(Variant::English, "B:B27:W20", "27-31"), MAN / 2);
        assert_eq!(value(Variant::Breakthrough, "W:W8:B45", "8-2"), WON / 2);
    }
}
