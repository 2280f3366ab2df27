//! Tests of positions against a list.

use super::board_test::BoardTest;
use super::material_bounds::MaterialBounds;
use pdn::board::Bits;
use pdn::value::Colour;
use pdn_rules::internal::board::Geometry;
use pdn_rules::internal::position::State;

/// The test that a position is one of a list. Most positions are decided by one bit of a filter.
// Twin: naive evaluation in tests/it/query_naive; test: positions_of_games_are_found_as_naively.
#[derive(Debug)]
pub(in crate::query) struct PositionList<B> {
    /// The pieces of White and of Black, the kings, and whether Black is to move, in order.
    positions: Vec<([B; 2], B, bool)>,
    /// The bits of the hashes of all positions.
    filter: Box<[u64; FILTER_WORDS]>,
    bounds: MaterialBounds,
}

const FILTER_WORDS: usize = 64;

impl<B: Bits> PositionList<B> {
    /// Creates the test of a list.
    pub(super) fn new<G: Geometry<Bits = B>>(states: &[State<B>]) -> Self {
        let mut filter = Box::new([0; FILTER_WORDS]);
        let mut bounds = MaterialBounds::NEVER;
        for state in states {
            let hash = hash(state);
            filter[hash / 64] |= 1 << (hash % 64);
            bounds = bounds.or(MaterialBounds::of_board::<G>(&BoardTest::exact::<G>(state)));
        }
        let mut positions: Vec<_> = states.iter().map(entry).collect();
        positions.sort_unstable();
        Self { positions, filter, bounds }
    }

    /// Returns `true` if the position is in the list.
    pub(super) fn contains(&self, state: &State<B>) -> bool {
        let hash = hash(state);
        self.filter[hash / 64] >> (hash % 64) & 1 != 0 && self.positions.binary_search(&entry(state)).is_ok()
    }

    /// Returns bounds that every position of the list meets.
    pub(super) fn material_bounds(&self) -> MaterialBounds {
        self.bounds
    }

    /// Returns the positions of the list.
    pub(in crate::query) fn states(&self) -> impl Iterator<Item = State<B>> + '_ {
        self.positions.iter().map(|&(pieces, kings, is_black)| {
            let turn = if is_black { Colour::Black } else { Colour::White };
            State { pieces, kings, ..State::empty(turn) }
        })
    }
}

fn entry<B: Bits>(state: &State<B>) -> ([B; 2], B, bool) {
    (state.pieces, state.kings, state.turn == Colour::Black)
}

/// Returns a number below 64 times the words of the filter.
fn hash<B: Bits>(state: &State<B>) -> usize {
    let folded = |set: B| {
        let wide = set.widen();
        (wide as u64) ^ ((wide >> 64) as u64)
    };
    let mut hash = folded(state.pieces[0]).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash = (hash ^ folded(state.pieces[1]) ^ folded(state.kings).rotate_left(31))
        .wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (hash >> (64 - 12)) as usize
}
