//! Repairs of games that stop at an illegal move, each proved by replaying the record with the change.

use super::repair::{Applicability, Candidate, Repair, RepairKind};
use super::slips::{PlainMove, slip, text_like, text_of};
use super::start_repairs;
use super::trials::{Fits, Stop, Trials};
use crate::archive::InputRecord;
use crate::board::SquareNames;
use crate::diag::Code;
use crate::edit::{TextEdit, TextEdits};
use crate::movegen::{MoveError, MoveList};
use crate::parse::WrittenMove;
use crate::position::Position;
use crate::replay::{AnnotatedGame, AnnotatedPly, Replayer, StopReason};
use crate::span::Span;

/// Number of plies before the stop in which a mistake is looked for.
const WINDOW: usize = 24;
/// Maximum number of repairs in the moves of one record that one reading finds. [`Fixer::repair`](super::Fixer::repair) reads on.
const MAX_REPAIRS: usize = 8;

/// Finds repairs of the moves of a record, in the order in which they are needed. The replayer must be the one that
/// annotates the file's records, so that variants are inferred alike. `bytes` is what may still be replayed.
pub(super) fn find(
    game: InputRecord<'_>,
    replayer: &mut Replayer,
    bytes: &mut usize,
    repairs: &mut Vec<Repair>,
) {
    let mut applied = TextEdits::default();
    let mut number = 0;
    while number < MAX_REPAIRS {
        let text = applied.apply(game.raw());
        let game = game.with_text(&text);
        let annotated = replayer.replay_annotated(game);
        let next = next(game, &annotated, replayer, bytes);
        let Some(mut repair) = next.and_then(|repair| repair.mapped_back(&applied.old_offsets())) else {
            return;
        };
        let is_unsafe = repair.applicability == Applicability::Unsafe;
        repair.needs_previous = number > 0;
        let all = applied.as_slice().iter().chain(&repair.edits).cloned().collect();
        let Ok(all) = TextEdits::new(all) else { return };
        repairs.push(repair);
        if !is_unsafe {
            return;
        }
        applied = all;
        number += 1;
    }
}

/// Finds the repair of the first illegal move.
fn next(
    game: InputRecord<'_>,
    annotated: &AnnotatedGame<'_>,
    replayer: &mut Replayer,
    bytes: &mut usize,
) -> Option<Repair> {
    let record = game.raw();
    let stop = annotated.main.stop?;
    let code = stop.reason.code();
    let is_repairable = !matches!(
        stop.reason,
        StopReason::Move(MoveError::CaptureLimit)
            | StopReason::NotDraughts
            | StopReason::UnclosedComment
            | StopReason::LostText
    );
    if !is_repairable {
        return None;
    }
    let summary = &annotated.summary;
    let limit = Stop { variant: summary.variant, plies: summary.plies };
    let line = Line {
        record,
        plies: &annotated.main.plies,
        stop: WrittenMove { text: stop.span.of(record), span: stop.span },
        next: annotated.main.rest.iter().copied().find(|mv| mv.span.start >= stop.span.end),
        last: annotated.main.last,
        names: summary.last_position().names(),
    };
    let mut trials = Trials::new(game, limit, replayer, bytes);
    // Without a position, no move can be tried.
    if stop.reason != StopReason::BadPosition {
        line.try_other_moves(&mut trials);
        line.try_removed_moves(&mut trials);
        line.try_swapped_moves(&mut trials);
        line.try_inserted_moves(&mut trials);
    }
    super::game_repairs::try_all(record, annotated, &mut trials);
    if trials.is_incomplete() {
        start_repairs::try_pieces(record, annotated, &mut trials);
    }
    let Fits { candidates, complete } = trials.finish();
    repair(code, candidates, complete)
}

/// Returns the repair that the candidates make: unsafe if there is only one and every change was tried. Of a piece that was
/// lost or added, replaying proves too little.
fn repair(code: Code, mut candidates: Vec<Candidate>, complete: bool) -> Option<Repair> {
    let first = candidates.first()?.clone();
    let is_only = candidates.len() == 1 && complete && first.kind != RepairKind::StartPiece;
    if is_only {
        candidates.clear();
    }
    Some(Repair {
        code,
        kind: first.kind,
        applicability: if is_only { Applicability::Unsafe } else { Applicability::Display },
        edits: first.edits,
        proof: first.proof,
        candidates,
        needs_previous: false,
    })
}

/// The main line of a record up to the move at which its replay stops.
struct Line<'a> {
    record: &'a [u8],
    plies: &'a [AnnotatedPly<'a>],
    /// The written move at which the replay stops.
    stop: WrittenMove<'a>,
    /// The written move after it.
    next: Option<WrittenMove<'a>>,
    /// The position before the stop.
    last: Position,
    names: SquareNames,
}

impl<'a> Line<'a> {
    /// Iterates over the places at which the mistake may be, the last one first: the number of plies before it.
    fn places(&self) -> impl Iterator<Item = usize> + use<> {
        let last = self.plies.len();
        (last.saturating_sub(WINDOW)..=last).rev()
    }

    /// Returns the position before the written move with this number, and the move.
    fn at(&self, place: usize) -> (&Position, WrittenMove<'a>) {
        match self.plies.get(place) {
            Some(ply) => (&ply.position, WrittenMove { text: ply.text, span: ply.span }),
            None => (&self.last, self.stop),
        }
    }

    /// Replaces one written move by a legal move that is a slip away.
    fn try_other_moves(&self, trials: &mut Trials<'_>) {
        let mut list = MoveList::new();
        for place in self.places() {
            let (position, written) = self.at(place);
            let (Some(plain), Ok(())) = (PlainMove::new(written.text), position.legal_moves(&mut list))
            else {
                continue;
            };
            for mv in list.iter() {
                if self.plies.get(place).is_some_and(|ply| ply.mv == *mv) {
                    continue;
                }
                let Some(kind) = slip(&plain, position, &self.names, mv) else { continue };
                let Some(text) = text_like(written.text, position, &self.names, mv) else { continue };
                trials.try_change(kind, vec![TextEdit::new(written.span.range(), text)], 0);
            }
        }
    }

    /// Removes a move, or a pair of moves, that repeats what is written before it.
    fn try_removed_moves(&self, trials: &mut Trials<'_>) {
        let text = |place: usize| PlainMove::new(self.at(place).1.text);
        for place in self.places() {
            let remove = |first: usize| {
                let from = (first..=place).map(|place| self.at(place).1.span);
                from.map(|span| TextEdit::new(self.with_number(span), "")).collect::<Vec<_>>()
            };
            let repeats = |by: usize| place >= by && text(place).is_some() && text(place) == text(place - by);
            if repeats(1) || repeats(2) {
                trials.try_change(RepairKind::RepeatedMove, remove(place), -1);
            }
            if place >= 3 && repeats(2) && text(place - 1) == text(place - 3) {
                trials.try_change(RepairKind::RepeatedMove, remove(place - 1), -2);
            }
        }
        // The first move of a repeated pair is where the replay stops: the pair ends after it.
        let stop = self.plies.len();
        if stop >= 2
            && text(stop).is_some()
            && text(stop) == text(stop - 2)
            && let Some(next) = self.next
            && PlainMove::new(next.text) == text(stop - 1)
        {
            let edits = [self.stop.span, next.span].map(|span| TextEdit::new(self.with_number(span), ""));
            trials.try_change(RepairKind::RepeatedMove, edits.into(), -2);
        }
    }

    /// Lets a move change places with the next one, and with the next one of its side.
    fn try_swapped_moves(&self, trials: &mut Trials<'_>) {
        let written = |place: usize| match place.checked_sub(self.plies.len()) {
            None | Some(0) => Some(self.at(place).1),
            Some(1) => self.next,
            Some(_) => None,
        };
        for place in self.places() {
            for by in [1, 2] {
                let (Some(first), Some(second)) = (written(place), written(place + by)) else { continue };
                if first.text != second.text {
                    let edits = vec![
                        TextEdit::new(first.span.range(), second.text),
                        TextEdit::new(second.span.range(), first.text),
                    ];
                    trials.try_change(RepairKind::SwappedMoves, edits, 0);
                }
            }
        }
    }

    /// Inserts a legal move before a written one.
    fn try_inserted_moves(&self, trials: &mut Trials<'_>) {
        let mut list = MoveList::new();
        for place in self.places() {
            let (position, written) = self.at(place);
            if position.legal_moves(&mut list).is_err() {
                continue;
            }
            let starts = position.turn() == position.game().numbering.start;
            let at = if starts { written.span.start as usize } else { self.with_number(written.span).start };
            for mv in list.iter() {
                let text = text_of(position, mv, Some(written.text), &self.names);
                let new = if starts || at == 0 { format!("{text} ") } else { format!(" {text}") };
                trials.try_change(RepairKind::LostMove, vec![TextEdit::new(at..at, new)], 1);
            }
        }
    }

    /// Returns the bytes of a written move with its move number and the whitespace before them.
    fn with_number(&self, span: Span) -> std::ops::Range<usize> {
        let before = &self.record[..span.start as usize];
        let trimmed = before.trim_ascii_end();
        let dots = trimmed.iter().rev().take_while(|&&byte| byte == b'.').count();
        let digits =
            trimmed[..trimmed.len() - dots].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let start = if dots > 0 && digits > 0 {
            trimmed[..trimmed.len() - dots - digits].trim_ascii_end().len()
        } else {
            trimmed.len()
        };
        start..span.end as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_candidate_is_no_repair_if_not_all_were_tried() {
        let candidate = Candidate {
            kind: RepairKind::WrongSquare,
            edits: vec![TextEdit::new(0..1, "x")],
            proof: super::super::Proof::SameMoves,
        };
        let applicability = |candidates: usize, complete| {
            let candidates = vec![candidate.clone(); candidates];
            repair(Code::SplitCapture, candidates, complete).map(|repair| repair.applicability)
        };
        assert_eq!(applicability(1, true), Some(Applicability::Unsafe));
        assert_eq!(applicability(1, false), Some(Applicability::Display));
        assert_eq!(applicability(2, true), Some(Applicability::Display));
        assert_eq!(applicability(0, true), None);
        let piece = Candidate { kind: RepairKind::StartPiece, ..candidate.clone() };
        let found = repair(Code::IllegalMove, vec![piece], true).map(|repair| repair.applicability);
        assert_eq!(found, Some(Applicability::Display));
    }
}
