//! Whether a position can still come in a game: men step forward only, so men that have left their rows do not come back.

// Twin: positions of played games; test: no_position_that_comes_is_given_up.

use pdn::position::Position;
use pdn::value::Colour;
use pdn_rules::internal::position::State;

/// A target position without kings, under rules where men step forward only. Recognises positions from which no game can
/// reach it.
///
/// A man can move back only by a capture, and with each piece that it captures it crosses the border between two rows at most
/// once. So, with `n` pieces still to be captured by a side, at most `n` of its men can come back behind any row.
#[derive(Debug)]
pub(super) struct StillPossible {
    /// The number of pieces of each side.
    pieces: [u32; 2],
    /// For each side, its squares from its own edge of the board up to each row, and the number of its men on them.
    men_behind: [Vec<(u128, u32)>; 2],
}

impl StillPossible {
    /// Prepares the test for a position.
    pub(super) fn new(position: &Position) -> Self {
        let (state, board) = (position.state(), position.rules().board);
        let (layout, height) = (board.layout(), board.height() as i8);
        let behind = |colour: Colour| {
            let mut squares = 0;
            let rows = (0..height).map(|distance| match colour {
                Colour::White => layout.row(height - 1 - distance),
                Colour::Black => layout.row(distance),
            });
            rows.map(|row| {
                squares |= row;
                (squares, (state.men(colour) & squares).count_ones())
            })
            .collect()
        };
        Self {
            pieces: Colour::ALL.map(|colour| state.side(colour).count_ones()),
            men_behind: Colour::ALL.map(behind),
        }
    }

    /// Returns `false` if no continuous game leads from `state` to the position. O(rows of the board).
    pub(super) fn after(&self, state: &State<u128>) -> bool {
        let pieces = Colour::ALL.map(|colour| state.side(colour).count_ones());
        Colour::ALL.into_iter().all(|colour| {
            let other = !colour as usize;
            let Some(captures) = pieces[other].checked_sub(self.pieces[other]) else { return false };
            let men = state.men(colour);
            self.men_behind[colour as usize]
                .iter()
                .all(|(squares, wanted)| *wanted <= (men & squares).count_ones() + captures)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn::movegen::MoveList;
    use pdn::rules::Variant;
    use pdn_rules::internal::board::Directions;

    #[test]
    fn no_position_that_comes_is_given_up() {
        let mut random = fastrand::Rng::with_seed(71);
        let mut list = MoveList::new();
        let (mut kept, mut given_up) = (0, 0);
        for variant in [Variant::International, Variant::Russian, Variant::Frisian, Variant::Canadian] {
            assert_eq!(Position::start(variant).rules().movement.man_steps, Directions::FORWARD);
            for _ in 0..40 {
                let mut positions = vec![Position::start(variant)];
                while positions.len() < 60 && positions.last().is_some_and(|last| last.state().kings == 0) {
                    let last = positions[positions.len() - 1];
                    last.legal_moves(&mut list).unwrap();
                    let Some(mv) = list.get(random.usize(..list.len().max(1))) else { break };
                    positions.push(last.after_unchecked(mv));
                }
                for (ply, position) in positions.iter().enumerate().filter(|(_, it)| it.state().kings == 0) {
                    let possible = StillPossible::new(position);
                    let is_possible = |before: &Position| possible.after(before.state());
                    assert!(positions[..=ply].iter().all(is_possible), "{variant:?}: {}", position.fen());
                    kept += positions[ply..].iter().filter(|later| is_possible(later)).count();
                    given_up += positions[ply..].iter().filter(|later| !is_possible(later)).count();
                }
            }
        }
        assert!(given_up > 5 * kept, "{given_up} given up, {kept} kept");
    }
}
