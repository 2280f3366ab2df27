//! Remembers positions from which the goal is out of reach within so many plies.

use pdn_rules::internal::position::State;

/// Number of entries; a power of two.
const ENTRIES: usize = 1 << 15;

/// A position without a way to the goal.
#[derive(Clone, Copy, Debug)]
struct Failure {
    state: State<u128>,
    /// The number of plies that were looked at.
    plies: u32,
    /// `true` if only forcing lines were looked at.
    forcing: bool,
}

/// A table of fixed size. A new position takes the place of an older one, so it forgets, but what it says is exact: whole positions are
/// compared.
#[derive(Debug)]
pub(super) struct Failures(Vec<Option<Failure>>);

impl Failures {
    /// Creates an empty table.
    pub(super) fn new() -> Self {
        Self(vec![None; ENTRIES])
    }

    /// Returns `true` if there is known to be no way within `plies`. A search through all lines speaks for forcing lines, too.
    pub(super) fn contains(&self, state: &State<u128>, plies: u32, forcing: bool) -> bool {
        self.0[slot(state)].is_some_and(|failure| {
            failure.plies >= plies && (forcing || !failure.forcing) && failure.state == *state
        })
    }

    /// Remembers that there is no way within `plies`.
    pub(super) fn insert(&mut self, state: &State<u128>, plies: u32, forcing: bool) {
        self.0[slot(state)] = Some(Failure { state: *state, plies, forcing });
    }
}

/// Returns the place of a position in the table.
fn slot(state: &State<u128>) -> usize {
    let mut hash = state.turn as u64;
    for word in [state.pieces[0], state.pieces[1], state.kings] {
        for half in [word as u64, (word >> 64) as u64] {
            hash = (hash.rotate_left(23) ^ half).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }
    (hash >> 40) as usize & (ENTRIES - 1)
}
