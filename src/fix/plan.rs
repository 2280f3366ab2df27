//! Chooses the repairs that are applied together.

use std::collections::BTreeSet;

use super::repair::{Applicability, Repair};
use crate::edit::{TextEdit, TextEdits};
use crate::sort;

/// Returns the repairs that are applied if `accept` allows them, without those that others exclude.
///
/// Unsafe repairs come first: a repair that concerns the same bytes as an earlier one is left out. A repair that
/// [needs the previous one](Repair::needs_previous) is applied only with it. Repairs that are shown are never applied.
///
/// The [module page](crate::fix) has an example, together with [`edits`].
pub fn select(repairs: &[Repair], accept: impl FnMut(&Repair) -> bool) -> Vec<&Repair> {
    select_places(repairs, accept).into_iter().map(|place| &repairs[place]).collect()
}

/// Returns the places of the repairs that [`select`] returns, in the same order.
pub(super) fn select_places(repairs: &[Repair], mut accept: impl FnMut(&Repair) -> bool) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    let mut edits = AcceptedEdits::default();
    let mut chain_holds = true;
    let of = |wanted: Applicability| {
        repairs.iter().enumerate().filter(move |(_, repair)| repair.applicability == wanted)
    };
    for (place, repair) in of(Applicability::Unsafe).chain(of(Applicability::Safe)) {
        let is_unsafe = repair.applicability == Applicability::Unsafe;
        let is_possible = (chain_holds || !repair.needs_previous)
            && accept(repair)
            && repair.edits.iter().all(|edit| !edits.conflict_with(edit));
        if is_unsafe {
            chain_holds = is_possible;
        }
        if is_possible {
            edits.0.extend(repair.edits.iter().map(|edit| (edit.range.start, edit.range.end)));
            chosen.push(place);
        }
    }
    sort::by_key(&mut chosen, |&place| repairs[place].edits.first().map(|edit| edit.range.start));
    chosen
}

/// Returns the changes of several repairs of one record, as [`select`] returns them.
///
/// [`TextEdits::apply`] makes them in the record; the [module page](crate::fix) has an example.
pub fn edits(repairs: &[&Repair]) -> TextEdits {
    let edits = repairs.iter().flat_map(|repair| repair.edits.iter().cloned()).collect();
    // `select` leaves out repairs that overlap.
    TextEdits::new(edits).unwrap_or_default()
}

/// The ranges of accepted edits, in text order. No two of them share a byte.
#[derive(Default)]
struct AcceptedEdits(BTreeSet<(usize, usize)>);

impl AcceptedEdits {
    /// Returns `true` if an edit concerns bytes of an accepted one, or inserts at the same place. O(log n).
    fn conflict_with(&self, edit: &TextEdit) -> bool {
        let (start, end) = (edit.range.start, edit.range.end);
        let before = self.0.range(..(end, 0)).next_back();
        self.0.contains(&(start, end)) || before.is_some_and(|&(_, other_end)| other_end > start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Code;
    use crate::fix::{Proof, RepairKind};

    #[test]
    fn repair_that_needs_the_previous_one_is_not_taken_alone() {
        let repair = |at: usize, needs_previous| Repair {
            code: Code::SplitCapture,
            kind: RepairKind::WrongSquare,
            applicability: Applicability::Unsafe,
            edits: vec![TextEdit::new(at..at + 1, "x")],
            proof: Proof::SameMoves,
            candidates: Vec::new(),
            needs_previous,
        };
        let repairs = [repair(1, false), repair(5, true), repair(9, true)];
        let places = |accept: fn(usize) -> bool| {
            let chosen = select(&repairs, |repair| accept(repair.edits[0].range.start));
            chosen.iter().map(|repair| repair.edits[0].range.start).collect::<Vec<_>>()
        };
        assert_eq!(places(|_| true), [1, 5, 9]);
        assert_eq!(places(|at| at != 1), [0; 0]);
        assert_eq!(places(|at| at != 5), [1]);
    }
}
