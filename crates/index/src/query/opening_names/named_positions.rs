//! A table of positions of men with their names.

use pdn::board::Bits;
use pdn::value::Colour;
use pdn_rules::internal::position::State;

/// A position of men, with the number of its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NamedPosition {
    pub(super) men: [u64; 2],
    pub(super) turn: Colour,
    pub(super) name: u16,
}

/// Positions by their squares. At least half of the places are free.
// Twin: boards compared one by one, in tests/it/query_naive; test: any_query_matches_as_the_naive_evaluation.
#[derive(Debug, Default)]
pub(super) struct NamedPositions {
    places: Vec<Option<NamedPosition>>,
}

impl NamedPositions {
    /// Makes a table of different positions.
    pub(super) fn new(positions: &[NamedPosition]) -> Self {
        let mut table = Self { places: vec![None; (2 * positions.len()).next_power_of_two()] };
        for position in positions {
            let mut place = table.first_place(position.men);
            while table.places[place].is_some() {
                place = table.next_place(place);
            }
            table.places[place] = Some(*position);
        }
        table
    }

    /// Returns the number of the name of a position; `None` if it has none.
    #[inline]
    pub(super) fn name(&self, state: &State<u64>) -> Option<u16> {
        if state.kings.any() {
            return None;
        }
        let mut place = self.first_place(state.pieces);
        while let Some(named) = self.places.get(place)? {
            if named.men == state.pieces && named.turn == state.turn {
                return Some(named.name);
            }
            place = self.next_place(place);
        }
        None
    }

    /// Returns where the search for a position begins.
    #[inline]
    fn first_place(&self, [white, black]: [u64; 2]) -> usize {
        // The upper half of a product depends on all bits of a factor.
        let mixed = (white ^ black.rotated(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        mixed as usize & self.places.len().wrapping_sub(1)
    }

    #[inline]
    fn next_place(&self, place: usize) -> usize {
        (place + 1) & (self.places.len() - 1)
    }
}
