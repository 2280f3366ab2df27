//! Repairs a record until nothing that may be repaired is left, and reads the result again.

use std::ops::Range;

use super::plan::select_places;
use super::repair::{Applicability, Repair, RepairKind};
use super::text_repairs::SortedSpans;
use super::{Fixer, edits};
use crate::archive::InputRecord;
use crate::diag::{Code, Diagnostic};
use crate::edit::{EditError, TextEdit, TextEdits};
use crate::sort;
use crate::span::Span;
use crate::value::ScoreOrder;

/// Maximum number of times that a record is read again. What is found in a repaired record is rarely more than one step away.
const MAX_ROUNDS: u32 = 8;
/// Maximum number of repairs that are taken back because of what they leave, before nothing is repaired at all.
const MAX_TAKEN_BACK: usize = 16;
/// Maximum number of bytes that are read again to repair one record, in all its rounds together. A longer record is read again once.
const MAX_BYTES_AGAIN: usize = 4_000_000;

/// The repairs of a record that are made together, and those that are not made.
///
/// [`Fixer::repair`] returns it.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RepairPlan {
    /// The repairs that are made, in the order of the text. No two of them change the same bytes.
    pub made: Vec<Repair>,
    /// The repairs that are not allowed, or of which several fit, in the order of the text.
    pub left: Vec<Repair>,
}

impl RepairPlan {
    /// Returns the changes of the repairs that are made.
    pub fn edits(&self) -> TextEdits {
        edits(&self.made.iter().collect::<Vec<_>>())
    }

    /// Returns changes of the repaired text as changes of `record`, from which the plan was made, so that both can be made at once. Where a
    /// repair and a change concern the same bytes, the repair becomes a part of the change; one of which nothing else is left is no
    /// longer in the plan.
    ///
    /// ```
    /// use pdn::edit::{TextEdit, TextEdits};
    /// use pdn::fix::Fixer;
    ///
    /// let record = b"[White \"A&amp;B\"]\n[Date \"2003-5-1\"]\n[Result \"*\"]\n\n1. 32-28 *\n";
    /// let mut plan = Fixer::default().repair(record, |_| true);
    /// let repaired = plan.edits().apply(record);
    /// assert!(repaired.starts_with(b"[White \"A&B\"]\n[Date \"2003.05.01\"]"));
    /// let changes = TextEdits::new(vec![TextEdit::new(8..11, "A and B")])?;
    /// let joined = plan.join(record, &changes)?;
    /// assert_eq!(joined.as_slice(), [TextEdit::new(8..15, "A and B")]);
    /// assert_eq!(plan.made.len(), 1, "the repair of the date is left");
    /// # Ok::<(), pdn::edit::EditError>(())
    /// ```
    ///
    /// # Errors
    /// [`EditError::Beyond`] if a repair lies beyond the end of `record`, which is not the one of the plan then, or a change beyond the
    /// end of the repaired text. The plan is as it was.
    pub fn join(&mut self, record: &[u8], changes: &TextEdits) -> Result<TextEdits, EditError> {
        let within = |end: usize, text: &[u8]| {
            if end <= text.len() { Ok(()) } else { Err(EditError::Beyond { at: end }) }
        };
        let end_of = |edits: &[TextEdit]| edits.iter().map(|edit| edit.range.end).max().unwrap_or(0);
        for repair in &self.made {
            within(end_of(&repair.edits), record)?;
        }
        if self.made.is_empty() || changes.is_empty() {
            return Ok(changes.clone());
        }
        let mut composed = Composed::default();
        composed.add(record, &self.made.iter().collect::<Vec<_>>(), record);
        let text = composed.edits().apply(record);
        within(end_of(changes.as_slice()), &text)?;
        let piece = |edit: &TextEdit| Piece { edit: edit.clone(), owner: None };
        composed.add_pieces(&text, changes.as_slice().iter().map(piece).collect(), record);
        let joined = composed.pieces.iter().filter(|piece| piece.owner.is_none());
        let joined = joined.map(|piece| piece.edit.clone()).collect();
        let joined = TextEdits::new(joined)?;
        self.made = composed.repairs;
        Ok(joined)
    }
}

/// What tells a repair that was taken back: its code, its kind and its place in the record.
type RepairKey = (Code, RepairKind, usize);

/// What one reading of a record finds.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Repairs of how the record is written.
    pub(super) text: Vec<Repair>,
    /// Repairs of moves and of the start position.
    pub(super) moves: Vec<Repair>,
    /// The repair of scores that give the number of White first. It comes last, because the record says something else with it, unless it
    /// is read in the order of PDN.
    pub(super) scores: Option<Repair>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Fixer {
    /// Repairs a record with all repairs that `accept` allows, until none is left.
    ///
    /// The repaired record is read again, and what may be repaired there becomes part of the same plan. A repair that leaves its own
    /// diagnostic where it was, or brings another one there, is not made. So repairing the result again changes nothing.
    ///
    /// ```
    /// use pdn::fix::{Applicability, Fixer};
    ///
    /// let mut fixer = Fixer::default();
    /// // The date has another form, which can only be seen when the tag has its quotes.
    /// let record = b"[Event \"x\"]\n[Date 2003-5-1]\n\n1. 32-28 *\n";
    /// let plan = fixer.repair(record, |repair| repair.applicability == Applicability::Safe);
    /// let text = plan.edits().apply(record);
    /// assert_eq!(text, b"[Event \"x\"]\n[Date \"2003.05.01\"]\n\n1. 32-28 *\n");
    /// assert!(fixer.repair(&text[..], |_| true).made.is_empty());
    /// ```
    pub fn repair<'g>(
        &mut self,
        game: impl Into<InputRecord<'g>>,
        mut accept: impl FnMut(&Repair) -> bool,
    ) -> RepairPlan {
        self.within_budget(game.into(), |fixer, game| fixer.repair_whole(game, &mut accept))
    }

    fn repair_whole(&mut self, game: InputRecord<'_>, accept: &mut dyn FnMut(&Repair) -> bool) -> RepairPlan {
        let first = self.find_in(game, true);
        let mut taken_back: Vec<RepairKey> = Vec::new();
        let mut bytes_again = MAX_BYTES_AGAIN;
        loop {
            let (plan, last) = self.plan(game, &first, accept, &taken_back, &mut bytes_again);
            match first_not_whole(&plan.made, &first.diagnostics, &last) {
                None => return plan,
                Some(_) if taken_back.len() == MAX_TAKEN_BACK || bytes_again == 0 => {
                    let scores = first.scores.into_iter().collect();
                    let left = in_text_order([first.text, first.moves, scores].concat());
                    return RepairPlan { made: Vec::new(), left };
                }
                Some(repair) => taken_back.push(key(repair, |at| at)),
            }
        }
    }

    /// Repairs a record in rounds, without the repairs that were taken back. Returns the diagnostics of the result, too. `bytes_again` is
    /// the number of bytes that may still be read again.
    fn plan(
        &mut self,
        game: InputRecord<'_>,
        first: &Found,
        accept: &mut dyn FnMut(&Repair) -> bool,
        taken_back: &[RepairKey],
        bytes_again: &mut usize,
    ) -> (RepairPlan, Vec<Diagnostic>) {
        let mut composed = Composed::default();
        let mut text = game.raw().to_vec();
        let mut left_moves = Vec::new();
        let mut later: Option<Found> = None;
        let mut rounds = 0;
        loop {
            let Found { text: forms, moves, scores, diagnostics } = later.as_ref().unwrap_or(first);
            let is_first = later.is_none();
            let all = [&forms[..], moves].concat();
            let applied = composed.edits().old_offsets();
            let old = |at| applied.of(at).unwrap_or(usize::MAX);
            let is_taken_back =
                |repair: &Repair| !taken_back.is_empty() && taken_back.contains(&key(repair, old));
            let chosen = match rounds < MAX_ROUNDS && *bytes_again > 0 {
                true => select_places(&all, |repair| accept(repair) && !is_taken_back(repair)),
                false => Vec::new(),
            };
            let mut is_chosen = vec![false; all.len()];
            chosen.iter().for_each(|&place| is_chosen[place] = true);
            let chosen: Vec<&Repair> = chosen.into_iter().map(|place| &all[place]).collect();
            let takes_unsafe = chosen.iter().any(|repair| repair.applicability == Applicability::Unsafe);
            let left = |places: Range<usize>| -> Vec<Repair> {
                let left = places.filter(|&place| !is_chosen[place] && !is_taken_back(&all[place]));
                left.filter_map(|place| all[place].clone().mapped_back(&applied)).collect()
            };
            let (of_forms, of_moves) = (0..forms.len(), forms.len()..all.len());
            if is_first || !moves.is_empty() {
                left_moves = left(of_moves);
            }
            if chosen.is_empty() {
                let mut left = in_text_order([left(of_forms), left_moves].concat());
                let mut diagnostics = diagnostics.clone();
                match scores {
                    Some(scores) if is_taken_back(scores) => {}
                    Some(scores) if accept(scores) => {
                        composed.add(&text, &[scores], game.raw());
                        text = composed.edits().apply(game.raw());
                        let repaired = game.with_text(&text).with_scores(ScoreOrder::First);
                        diagnostics = self.find_in(repaired, false).diagnostics;
                    }
                    scores => {
                        left.extend(scores.clone().and_then(|scores| scores.mapped_back(&applied)));
                        left = in_text_order(left);
                    }
                }
                return (RepairPlan { made: composed.repairs, left }, diagnostics);
            }
            composed.add(&text, &chosen, game.raw());
            text = composed.edits().apply(game.raw());
            rounds += 1;
            *bytes_again = bytes_again.saturating_sub(text.len());
            // Safe repairs keep the moves, so that the repairs of moves stay the same.
            later = Some(self.find_in(game.with_text(&text), takes_unsafe));
        }
    }
}

/// Returns the repairs in the order of the text.
fn in_text_order(mut repairs: Vec<Repair>) -> Vec<Repair> {
    sort::by_key(&mut repairs, |repair| repair.edits.first().map(|edit| edit.range.start));
    repairs
}

/// Returns the key of a repair. `old` is the offset in the record of one in the text that the repair changes.
fn key(repair: &Repair, old: impl Fn(usize) -> usize) -> RepairKey {
    (repair.code, repair.kind, repair.edits.first().map_or(0, |edit| old(edit.range.start)))
}

/// Returns the first repair of a plan that leaves something: where it changed the text, its own diagnostic remains, or there is one that
/// was not there `before`.
fn first_not_whole<'r>(
    made: &'r [Repair],
    before: &[Diagnostic],
    after: &[Diagnostic],
) -> Option<&'r Repair> {
    let (before, after) = (SortedSpans::new(before), SortedSpans::new(after));
    let of_repair = |(place, repair): (usize, &'r Repair)| repair.edits.iter().map(move |edit| (edit, place));
    let mut edits: Vec<(&TextEdit, usize)> = made.iter().enumerate().flat_map(of_repair).collect();
    edits.sort_by_key(|(edit, _)| (edit.range.start, edit.range.end));
    let mut shift = 0isize;
    let leaves = |(edit, place): (&TextEdit, usize)| {
        let new = written(edit, shift);
        shift += growth(edit);
        let repair = &made[place];
        let was_there = |code: Code| {
            code != repair.code
                && before.first_touching(span_of(&edit.range), |other| other == code).is_some()
        };
        // A turned or mirrored board changes all moves. How far the game goes on is the proof.
        let is_proved = matches!(repair.kind, RepairKind::TurnedBoard | RepairKind::MirroredBoard);
        let is_left = !is_proved && after.first_touching(span_of(&new), |code| !was_there(code)).is_some();
        is_left.then_some(place)
    };
    edits.into_iter().filter_map(leaves).min().map(|place| &made[place])
}

fn span_of(range: &Range<usize>) -> Span {
    Span::new(range.start as u32, range.end as u32)
}

/// Repairs of several rounds as repairs of the record before the first of them.
#[derive(Default)]
struct Composed {
    repairs: Vec<Repair>,
    /// The edits of all repairs, in the order of the text.
    pieces: Vec<Piece>,
}

/// An edit of the record.
#[derive(Clone)]
struct Piece {
    edit: TextEdit,
    /// The index of its repair; `None` for a change that is no repair.
    owner: Option<usize>,
}

impl Composed {
    fn edits(&self) -> TextEdits {
        let edits = self.pieces.iter().map(|piece| piece.edit.clone()).collect();
        TextEdits::new(edits).unwrap_or_default()
    }

    /// Adds repairs of `text`, which is `record` with all edits so far. An edit of bytes that an earlier repair wrote becomes a part of
    /// that repair.
    fn add(&mut self, text: &[u8], chosen: &[&Repair], record: &[u8]) {
        let first_owner = self.repairs.len();
        self.repairs.extend(chosen.iter().map(|repair| (*repair).clone()));
        let mut new: Vec<Piece> = Vec::new();
        for (place, repair) in chosen.iter().enumerate() {
            let owner = first_owner + place;
            new.extend(repair.edits.iter().map(|edit| Piece { edit: edit.clone(), owner: Some(owner) }));
        }
        sort::by_key(&mut new, |piece| (piece.edit.range.start, piece.edit.range.end));
        self.add_pieces(text, new, record);
    }

    /// Adds edits of `text`, which is `record` with all edits so far, in the order of the text.
    fn add_pieces(&mut self, text: &[u8], new: Vec<Piece>, record: &[u8]) {
        let old = std::mem::take(&mut self.pieces);
        let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
        // What the edits before a place add to the text.
        let mut shift = 0isize;
        while old.peek().is_some() || new.peek().is_some() {
            let is_before = match (old.peek(), new.peek()) {
                (Some(piece), Some(next)) => {
                    let (written, range) = (written(&piece.edit, shift), &next.edit.range);
                    if meets(&written, piece, range) {
                        self.merge(&mut old, &mut new, &mut shift, text);
                        continue;
                    }
                    written.end <= range.start
                }
                (Some(_), None) => true,
                _ => false,
            };
            if is_before {
                let Some(piece) = old.next() else { break };
                shift += growth(&piece.edit);
                self.pieces.push(piece);
            } else {
                let Some(mut piece) = new.next() else { break };
                let range = piece.edit.range.clone();
                piece.edit.range =
                    range.start.saturating_add_signed(-shift)..range.end.saturating_add_signed(-shift);
                self.pieces.push(piece);
            }
        }
        self.pieces.retain(|piece| record[piece.edit.range.clone()] != piece.edit.new[..]);
        self.settle();
    }

    /// Joins the next edits of both sides that concern the same bytes into one.
    fn merge(
        &mut self,
        old: &mut std::iter::Peekable<impl Iterator<Item = Piece>>,
        new: &mut std::iter::Peekable<impl Iterator<Item = Piece>>,
        shift: &mut isize,
        text: &[u8],
    ) {
        let (Some(first), Some(second)) = (old.next(), new.next()) else { return };
        let first_written = written(&first.edit, *shift);
        let mut whole =
            first_written.start.min(second.edit.range.start)..first_written.end.max(second.edit.range.end);
        // The range in the record: bytes outside of the written text are as many there.
        let mut range = first.edit.range.start - (first_written.start - whole.start)
            ..first.edit.range.end + (whole.end - first_written.end);
        *shift += growth(&first.edit);
        let mut parts = vec![second.clone()];
        let mut owners = vec![first.owner, second.owner];
        loop {
            if let Some(next) = old.peek() {
                let written = written(&next.edit, *shift);
                if written.start < whole.end || written == (whole.end..whole.end) {
                    let end = whole.end.max(written.end);
                    range.end = next.edit.range.end + (end - written.end);
                    whole.end = end;
                    *shift += growth(&next.edit);
                    owners.push(next.owner);
                    old.next();
                    continue;
                }
            }
            if let Some(next) = new.peek()
                && next.edit.range.start < whole.end
            {
                let added = next.edit.range.end.saturating_sub(whole.end);
                (range.end, whole.end) = (range.end + added, whole.end + added);
                owners.push(next.owner);
                parts.extend(new.next());
                continue;
            }
            break;
        }
        let mut bytes = Vec::new();
        let mut at = whole.start;
        for part in &parts {
            bytes.extend_from_slice(&text[at..part.edit.range.start]);
            bytes.extend_from_slice(&part.edit.new);
            at = part.edit.range.end;
        }
        bytes.extend_from_slice(&text[at..whole.end]);
        // A change that is no repair takes all others up.
        let owner = if owners.contains(&None) { None } else { first.owner };
        // The boldest of them says how far the whole may be trusted.
        let boldest = owners.into_iter().flatten().max_by_key(|&owner| self.repairs[owner].applicability);
        if let (Some(owner), Some(boldest)) = (owner, boldest)
            && boldest != owner
        {
            let (applicability, proof) = (self.repairs[boldest].applicability, self.repairs[boldest].proof);
            let repair = &mut self.repairs[owner];
            if repair.applicability < applicability {
                (repair.applicability, repair.proof) = (applicability, proof);
            }
        }
        self.pieces.push(Piece { edit: TextEdit::new(range, bytes), owner });
    }

    /// Gives the repairs their edits, and removes those without any.
    fn settle(&mut self) {
        for repair in &mut self.repairs {
            repair.edits.clear();
        }
        for piece in &self.pieces {
            if let Some(owner) = piece.owner {
                self.repairs[owner].edits.push(piece.edit.clone());
            }
        }
        let count = self.repairs.len();
        let mut kept: Vec<(usize, Repair)> =
            std::mem::take(&mut self.repairs).into_iter().enumerate().collect();
        kept.retain(|(_, repair)| !repair.edits.is_empty());
        sort::by_key(&mut kept, |(_, repair)| repair.edits[0].range.start);
        let mut places = vec![0; count];
        for (place, (owner, _)) in kept.iter().enumerate() {
            places[*owner] = place;
        }
        for owner in self.pieces.iter_mut().filter_map(|piece| piece.owner.as_mut()) {
            *owner = places[*owner];
        }
        self.repairs = kept.into_iter().map(|(_, repair)| repair).collect();
    }
}

/// Returns where the new text of an edit is, after edits that add `shift` bytes.
fn written(edit: &TextEdit, shift: isize) -> Range<usize> {
    let start = edit.range.start.saturating_add_signed(shift);
    start..start + edit.new.len()
}

/// Returns the number of bytes that an edit adds.
fn growth(edit: &TextEdit) -> isize {
    edit.new.len() as isize - edit.range.len() as isize
}

/// Returns `true` if an edit of `range` concerns what an earlier edit wrote at `written`, or its order with it would not be certain.
fn meets(written: &Range<usize>, piece: &Piece, range: &Range<usize>) -> bool {
    let overlaps = range.start < written.end && written.start < range.end;
    let is_inside = range.is_empty() && written.start < range.start && range.start < written.end
        || written.is_empty() && range.start < written.start && written.start < range.end;
    let inserts_twice = range.is_empty()
        && (piece.edit.range.is_empty() || written.is_empty())
        && (range.start == written.start || range.start == written.end);
    overlaps || is_inside || inserts_twice
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fix::Proof;
    use crate::steps;

    /// Each of the thousands of results brings a diagnostic, and no repair of them holds.
    #[test]
    fn long_record_of_repeated_results_is_read_again_a_bounded_number_of_times() {
        let record = "0-0?".repeat(30_000);
        let before = steps::count();
        let _ = Fixer::default().repair(record.as_bytes(), |_| true);
        let Some(taken) = steps::count().zip(before).map(|(after, before)| after - before) else { return };
        assert!(taken < 150_000_000, "{taken} steps");
    }

    #[test]
    fn plan_of_another_record_is_refused() {
        let record = b"[White \"A&amp;B\"]\n[Date \"2003-5-1\"]\n[Result \"*\"]\n\n1. 32-28 *\n";
        let mut plan = Fixer::default().repair(record, |_| true);
        let change = |end| TextEdits::new(vec![TextEdit::new(0..end, "x")]).unwrap();
        let (made, length) = (plan.made.len(), plan.edits().apply(record).len());
        assert_eq!(plan.join(b"*", &change(1)), Err(EditError::Beyond { at: 15 }));
        assert_eq!(plan.join(record, &change(length + 1)), Err(EditError::Beyond { at: length + 1 }));
        assert_eq!(plan.made.len(), made);
        assert!(plan.join(record, &change(length)).is_ok());
    }

    fn repair(ranges: &[(usize, usize, &str)]) -> Repair {
        Repair {
            code: Code::DateForm,
            kind: RepairKind::TagForm,
            applicability: Applicability::Safe,
            edits: ranges.iter().map(|&(start, end, new)| TextEdit::new(start..end, new)).collect(),
            proof: Proof::SameMoves,
            candidates: Vec::new(),
            needs_previous: false,
        }
    }

    #[test]
    fn edits_of_written_text_become_part_of_the_earlier_repair() {
        let record = b"abcdefghij";
        let mut composed = Composed::default();
        composed.add(record, &[&repair(&[(2, 4, "XYZ"), (8, 8, "+")])], record);
        let text = composed.edits().apply(record);
        assert_eq!(text, b"abXYZefgh+ij");
        composed.add(&text, &[&repair(&[(3, 6, "-")]), &repair(&[(7, 8, "G")])], record);
        assert_eq!(composed.edits().apply(record), b"abX-fGh+ij");
        let edits: Vec<_> = composed.repairs.iter().map(|repair| repair.edits.clone()).collect();
        assert_eq!(
            edits,
            [vec![TextEdit::new(2..5, "X-"), TextEdit::new(8..8, "+")], vec![TextEdit::new(6..7, "G")]]
        );
        // A third round changes what the second repair wrote.
        let text = composed.edits().apply(record);
        composed.add(&text, &[&repair(&[(5, 6, "H")])], record);
        assert_eq!(composed.edits().apply(record), b"abX-fHh+ij");
        assert_eq!(composed.repairs.len(), 2);
        assert_eq!(composed.repairs[1].edits, [TextEdit::new(6..7, "H")]);
    }

    #[test]
    fn change_takes_up_the_repairs_of_its_bytes() {
        let record = b"abcdefghij";
        let made =
            vec![repair(&[(2, 4, "XYZ"), (8, 9, "+")]), repair(&[(5, 6, "F")]), repair(&[(10, 10, "!")])];
        let mut plan = RepairPlan { made, left: Vec::new() };
        assert_eq!(plan.edits().apply(record), b"abXYZeFgh+j!");
        let changes = vec![TextEdit::new(3..7, "-"), TextEdit::new(10..11, "J")];
        let joined = plan.join(record, &TextEdits::new(changes).unwrap()).unwrap();
        // The change of `YZeF` takes up what two repairs wrote there. One of them has another place.
        assert_eq!(joined.as_slice(), [TextEdit::new(2..6, "X-"), TextEdit::new(9..10, "J")]);
        let made: Vec<_> = plan.made.iter().map(|repair| repair.edits.clone()).collect();
        assert_eq!(made, [vec![TextEdit::new(8..9, "+")], vec![TextEdit::new(10..10, "!")]]);
    }

    proptest! {
        /// Edits made one after the other, and all of them at once.
        #[test]
        fn composed_edits_give_the_text_of_all_rounds(
            record in "[a-h]{0,12}",
            rounds in prop::collection::vec(prop::collection::vec((0usize..14, 0usize..4, "[A-D]{0,3}"), 0..4), 0..4),
        ) {
            let record = record.into_bytes();
            let (mut composed, mut text) = (Composed::default(), record.clone());
            for round in rounds {
                let mut at = 0;
                let mut repairs: Vec<Repair> = Vec::new();
                for (gap, len, new) in round {
                    let start = at + gap;
                    let end = start + len;
                    if end > text.len() { break }
                    repairs.push(repair(&[(start, end, &new)]));
                    at = end + 1;
                }
                let chosen: Vec<&Repair> = repairs.iter().collect();
                let expected = edits(&chosen).apply(&text);
                composed.add(&text, &chosen, &record);
                prop_assert_eq!(composed.edits().apply(&record), &expected[..]);
                // Consumers apply the edits of the repairs in the order of their places.
                let made: Vec<&Repair> = composed.repairs.iter().collect();
                prop_assert_eq!(edits(&made).apply(&record), &expected[..]);
                text = expected;
            }
            // Joined with changes that are no repairs, the same.
            let changes: Vec<TextEdit> =
                (0..text.len()).step_by(3).map(|at| TextEdit::new(at..text.len().min(at + 2), "z")).collect();
            let changes = TextEdits::new(changes).unwrap();
            let mut plan = RepairPlan { made: composed.repairs, left: Vec::new() };
            let joined = plan.join(&record, &changes).unwrap();
            let all = plan.made.iter().flat_map(|repair| repair.edits.clone()).chain(joined.as_slice().to_vec());
            let mut all: Vec<TextEdit> = all.collect();
            all.sort_by_key(|edit| (edit.range.start, edit.range.end));
            prop_assert_eq!(TextEdits::new(all).unwrap().apply(&record), changes.apply(&text));
        }
    }
}
