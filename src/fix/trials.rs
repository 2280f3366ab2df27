//! Replays a record with single changes and keeps those that let the game go on.

use super::repair::{Candidate, Proof, RepairKind};
use crate::archive::InputRecord;
use crate::edit::{TextEdit, TextEdits};
use crate::parse::{
    Flow, MissingMove, MoveNumber, SetupCommand, VariationAction, VariationMark, Visitor, WrittenMove, walk,
};
use crate::position::{Move, State};
use crate::replay::{GameStatus, Replayer};
use crate::rules::Variant;
use crate::sort;

/// Minimum number of plies that a change must add to a replay unless the game then replays to its end.
const MIN_ADDED_PLIES: u32 = 10;
/// Maximum number of changes tried per stop.
const MAX_TRIALS: u32 = 4_000;
/// Maximum number of bytes replayed in search of all repairs of a record: a limit for records of millions of plies.
const MAX_BYTES: usize = 16 << 20;
/// Maximum number of times that as many bytes as the record has are replayed in search of all its repairs: a limit for records that stop
/// again and again.
const MAX_REPLAYS: usize = MAX_TRIALS as usize;

/// Returns how many bytes may be replayed in search of all repairs of a record.
pub(super) fn max_bytes(record: &[u8]) -> usize {
    record.len().saturating_mul(MAX_REPLAYS).min(MAX_BYTES)
}

/// What a change must keep, and what it must improve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    /// The variant under which the record was replayed.
    pub(super) variant: Variant,
    /// Number of legal plies before the stop.
    pub(super) plies: u32,
}

/// A change with which the game goes on, and the game that it makes.
#[derive(Debug)]
struct Fit {
    candidate: Candidate,
    /// Number of legal plies that the change adds, without those that it writes itself.
    added: u32,
    start: State<u128>,
    moves: Vec<Move>,
    /// The move numbers of the changed record keep step with its moves.
    keeps_step: bool,
}

impl Fit {
    /// Returns `true` if the game then replays to its end.
    fn is_complete(&self) -> bool {
        matches!(self.candidate.proof, Proof::Replays { complete: true, .. })
    }
}

/// Tries changes of one record.
pub(super) struct Trials<'r> {
    game: InputRecord<'r>,
    stop: Stop,
    replayer: &'r mut Replayer,
    moves: Vec<Move>,
    tried: u32,
    /// Number of bytes that may still be replayed.
    bytes: &'r mut usize,
    fits: Vec<Fit>,
}

/// All changes that fit.
pub(super) struct Fits {
    /// One candidate for each game that a change makes, the likeliest first.
    pub(super) candidates: Vec<Candidate>,
    /// `true` if every change was tried.
    pub(super) complete: bool,
}

impl<'r> Trials<'r> {
    /// Creates trials of a record whose replay stops at `stop`. They take what they replay from `bytes`.
    pub(super) fn new(
        game: InputRecord<'r>,
        stop: Stop,
        replayer: &'r mut Replayer,
        bytes: &'r mut usize,
    ) -> Self {
        Self { game, stop, replayer, moves: Vec::new(), tried: 0, bytes, fits: Vec::new() }
    }

    /// Returns `true` if no further changes are tried. Without captures to search for, a trial would prove nothing.
    pub(super) fn is_exhausted(&self) -> bool {
        self.tried >= MAX_TRIALS || *self.bytes == 0 || self.replayer.searches().are_used_up()
    }

    /// Returns `true` if no change so far lets the game replay to its end.
    pub(super) fn is_incomplete(&self) -> bool {
        !self.fits.iter().any(Fit::is_complete)
    }

    /// Replays the record with a change and keeps the change if the game goes on. `written` is the number of plies that
    /// the change adds to the text: 1 for an inserted move, -1 for a removed one.
    pub(super) fn try_change(&mut self, kind: RepairKind, edits: Vec<TextEdit>, written: i32) {
        let variant = self.stop.variant;
        self.try_change_where(|found| found == variant, kind, edits, written);
    }

    /// Does the same for a change of the start position. The variant may then be another one with the same GameType number,
    /// because the present one was inferred from moves that were played in a wrong position.
    pub(super) fn try_start(&mut self, kind: RepairKind, edits: Vec<TextEdit>) {
        let number = self.stop.variant.number();
        self.try_change_where(|found| found.number() == number, kind, edits, 0);
    }

    /// Does the same for a change after which the game is played under `variant`.
    pub(super) fn try_change_under(
        &mut self,
        variant: Variant,
        kind: RepairKind,
        edits: Vec<TextEdit>,
        written: i32,
    ) {
        self.try_change_where(|found| found == variant, kind, edits, written);
    }

    fn try_change_where(
        &mut self,
        accepts: impl Fn(Variant) -> bool,
        kind: RepairKind,
        edits: Vec<TextEdit>,
        written: i32,
    ) {
        if self.is_exhausted() {
            return;
        }
        let Ok(edits) = TextEdits::new(edits) else { return };
        let text = edits.apply(self.game.raw());
        self.tried += 1;
        *self.bytes = self.bytes.saturating_sub(text.len());
        let summary = self.replayer.replay_into(self.game.with_text(&text), &mut self.moves);
        let complete = summary.status == GameStatus::Legal;
        let before = i64::from(self.stop.plies) + i64::from(written);
        let added = i64::from(summary.plies) - before;
        let goes_on = added >= 1 && (complete || added >= i64::from(MIN_ADDED_PLIES));
        if !accepts(summary.variant) || !goes_on {
            return;
        }
        let proof =
            Proof::Replays { plies_before: self.stop.plies, plies_after: summary.plies, complete, tried: 0 };
        let candidate = Candidate { kind, edits: edits.into_vec(), proof };
        let fit = Fit {
            candidate,
            added: u32::try_from(added).unwrap_or(u32::MAX),
            start: summary.start,
            moves: self.moves.clone(),
            keeps_step: NumberedPlies::keep_step(&text),
        };
        self.keep(fit);
    }

    /// Keeps a fit unless another change makes the same game: then the likelier of both is kept.
    fn keep(&mut self, fit: Fit) {
        let same = self.fits.iter_mut().find(|other| other.start == fit.start && other.moves == fit.moves);
        match same {
            Some(other) if fit.candidate.kind.rank() < other.candidate.kind.rank() => *other = fit,
            Some(_) => {}
            None => self.fits.push(fit),
        }
    }

    /// Returns the changes that fit.
    ///
    /// If after one of them the game replays to its end with move numbers that keep step with its moves, those after which the numbers
    /// do not are left out: where the side to move is wrong, the game may go on after an inserted move, too, but not under the numbers
    /// that its writer gave the moves.
    pub(super) fn finish(self) -> Fits {
        let complete = !self.is_exhausted();
        let Self { mut fits, tried, .. } = self;
        if fits.iter().any(|fit| fit.keeps_step && fit.is_complete()) {
            fits.retain(|fit| fit.keeps_step);
        }
        sort::by_key(&mut fits, |fit| {
            (!fit.is_complete(), std::cmp::Reverse(fit.added), fit.candidate.kind.rank())
        });
        let candidates = fits
            .into_iter()
            .map(|mut fit| {
                if let Proof::Replays { tried: number, .. } = &mut fit.candidate.proof {
                    *number = tried;
                }
                fit.candidate
            })
            .collect();
        Fits { candidates, complete }
    }
}

/// Compares the move numbers of a main line with the moves before them.
#[derive(Default)]
struct NumberedPlies {
    /// Number of written and missing moves so far.
    plies: u32,
    /// The ply of a number counted from move 0, less the number of plies before it: the same for all numbers that keep step.
    lead: Option<i64>,
    is_out_of_step: bool,
}

impl NumberedPlies {
    /// Returns `true` if every move number of the main line is that of the move after it, counted from the first number.
    fn keep_step(record: &[u8]) -> bool {
        let mut plies = Self::default();
        walk(record, &mut plies);
        !plies.is_out_of_step
    }
}

impl<'g> Visitor<'g> for NumberedPlies {
    const COMPACT: bool = true;

    fn move_number(&mut self, number: MoveNumber) -> Flow {
        let lead = 2 * i64::from(number.number) + i64::from(number.second) - i64::from(self.plies);
        self.is_out_of_step |= *self.lead.get_or_insert(lead) != lead;
        Flow::Continue(())
    }

    fn written_move(&mut self, _: WrittenMove<'g>) -> Flow {
        self.plies += 1;
        Flow::Continue(())
    }

    fn missing(&mut self, _: MissingMove) -> Flow {
        self.plies += 1;
        Flow::Continue(())
    }

    fn setup(&mut self, _: SetupCommand<'g>) -> Flow {
        self.lead = None;
        Flow::Continue(())
    }

    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        VariationAction::Skip
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fix::Fixer;
    use crate::steps;

    /// Replays of changed texts share one budget of captures. Each of them alone could use all of it.
    #[test]
    fn repairs_of_a_position_with_long_captures_share_a_budget() {
        // A king among thirty men in rows.
        let men: Vec<String> = (0..30).map(|n| (12 * (n / 6) + 7 + n % 6).to_string()).collect();
        let fen = format!("W:WK72:B{}", men.join(","));
        let record = format!("[GameType \"27\"]\n[FEN \"{fen}\"]\n1. 72x25 8-13 2. 25-70 *\n");
        let mut fixer = Fixer::default();
        let before = steps::count();
        let _ = fixer.repair(record.as_bytes(), |_| true);
        let Some(taken) = steps::count().zip(before).map(|(after, before)| after - before) else { return };
        assert!(taken < 800_000, "{taken} steps");
    }

    /// Positions in which every capture search needs more than is free, with moves that are wrong.
    #[test]
    fn repairs_of_many_short_records_with_captures_take_a_bounded_number_of_steps_for_each_byte() {
        let (mut bytes, mut total, mut worst) = (0, 0, 0);
        for n in 12..36 {
            let men: Vec<String> = (0..n).map(|man| (12 * (man / 6 % 5) + 7 + man % 6).to_string()).collect();
            for moves in
                ["1. 72x25 8-13 2. 25-70", "1. 72x7 1-6", "1. 72-66", "1. 72x61 72x25 72x3 72x4 72x5 72x6"]
            {
                let record =
                    format!("[GameType \"27\"]\n[FEN \"W:WK72,K71,K70:B{}\"]\n{moves} *\n", men.join(","));
                let before = steps::count();
                let _ = Fixer::default().repair(record.as_bytes(), |_| true);
                let Some(taken) = steps::count().zip(before).map(|(after, before)| after - before) else {
                    return;
                };
                (bytes, total, worst) = (bytes + record.len() as u64, total + taken, worst.max(taken));
            }
        }
        assert!(total / bytes < 4_000 && worst < 1_000_000, "{} {worst}", total / bytes);
    }

    #[test]
    fn numbers_keep_step_with_the_moves_of_the_main_line() {
        let keep_step = |record: &str| NumberedPlies::keep_step(record.as_bytes());
        assert!(keep_step("1. 32-28 19-23 2. 28x19 {x} (2. 33-29) 2... 14x23 3. 37-32 *"));
        assert!(keep_step("41... 32-28 42. 28x19 14x23 *") && keep_step("1. 32-28 - 2. 28-23 *"));
        assert!(keep_step("32-28 19-23 28x19 *") && keep_step("7. 32-28 *"));
        assert!(!keep_step("1. 32-28 19-23 14x23 2. 28x19 *") && !keep_step("1. 32-28 2. 28x19 *"));
        assert!(!keep_step("1. 32-28 19-23 3. 28x19 *"));
    }
}
