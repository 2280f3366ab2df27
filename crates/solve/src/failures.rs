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
/// compared. Memory is taken for the places that are used.
#[derive(Debug)]
pub(super) struct Failures {
    /// For each place 1 more than its number in `failures`; 0 if it is free.
    numbers: Vec<u16>,
    failures: Vec<Failure>,
}

impl Failures {
    /// Creates an empty table.
    pub(super) fn new() -> Self {
        Self { numbers: vec![0; ENTRIES], failures: Vec::new() }
    }

    /// Returns `true` if there is known to be no way within `plies`. A search through all lines speaks for forcing lines, too.
    pub(super) fn contains(&self, state: &State<u128>, plies: u32, forcing: bool) -> bool {
        let number = usize::from(self.numbers[slot(state)]);
        number.checked_sub(1).and_then(|number| self.failures.get(number)).is_some_and(|failure| {
            failure.plies >= plies && (forcing || !failure.forcing) && failure.state == *state
        })
    }

    /// Remembers that there is no way within `plies`.
    pub(super) fn insert(&mut self, state: &State<u128>, plies: u32, forcing: bool) {
        let failure = Failure { state: *state, plies, forcing };
        let number = &mut self.numbers[slot(state)];
        match usize::from(*number).checked_sub(1) {
            Some(before) => self.failures[before] = failure,
            None => {
                self.failures.push(failure);
                // At most as many as there are places, which are half of what the number can say.
                *number = self.failures.len() as u16;
            }
        }
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
