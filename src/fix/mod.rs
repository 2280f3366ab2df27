//! Finds repairs of damaged games and proves each of them by replaying the record with it.
//!
//! A [`Fixer`] checks and replays a record, and proposes changes of its text for what is wrong. A change is
//! [safe](Applicability::Safe) if the game keeps its moves and the meaning of its tags. A change of an
//! illegal move is [unsafe](Applicability::Unsafe) if it is the only single mistake of a writer after which the rest
//! of the game can be replayed, for ten plies or to its end. If several changes fit, all of them are
//! [shown](Applicability::Display) and none is applied.
//!
//! # Mistakes that are tried
//! At the move where the replay stops and at the 24 plies before it: a character of a square added, lost, changed, or
//! swapped with its neighbour; the squares reversed; another last square of a capture; a move lost; a move or a pair of
//! moves written twice; two moves swapped. For the whole game: another variant, the board seen from the other side or mirrored. For the
//! position of the FEN tag: the other side to move, the start position of the variant, the pieces of both sides
//! exchanged, the squares counted from the other side of the board. A piece more or less is shown if nothing else fits.
//!
//! ```
//! use pdn::fix::{Applicability, Fixer, edits, select};
//!
//! let record = b"[White \"a\"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 20-24 4. 41-73 23-29 *\n";
//! let repairs = Fixer::default().find(record);
//! let chosen = select(&repairs, |repair| repair.applicability == Applicability::Unsafe);
//! assert_eq!(chosen.len(), 1);
//! assert_eq!(chosen[0].edits[0].new, b"41-37");
//! assert!(edits(&chosen).apply(record).ends_with(b"4. 41-37 23-29 *\n"));
//! ```

pub(crate) mod repair;
mod slips;
mod trials;
mod start_repairs;
mod game_repairs;
mod move_repairs;
mod characters;
mod heading;
pub(crate) mod text_repairs;
mod plan;
mod whole;

pub use plan::{edits, select};
pub use repair::{Applicability, Proof, Repair, RepairKind};
pub use whole::RepairPlan;

use whole::Found;

use crate::archive::InputRecord;
use crate::check::{CheckOptions, Checker};
use crate::diag::{Code, Diagnostic};
use crate::edit::{TextEdit, TextEdits};
use crate::position::{Move, State};
use crate::replay::{CandidateGame, GameStatus, ReplayOptions, ReplaySummary, Replayer};
use crate::rules::Variant;

/// Number of replays of a record that may use all capture searches that its length allows. All that read it, look for its repairs and
/// read it again share them: with less, planted mistakes of real games stay without their repair.
const MAX_FULL_REPLAYS: u32 = 8;
/// Maximum number of readings of a record that look for the safe repairs that change a move. A limit for records with
/// thousands of repairs of which many do.
const MAX_PROOFS: u32 = 64;

/// Finds the repairs of records, one after another, in reused memory.
///
/// ```
/// use pdn::fix::{Fixer, RepairKind};
///
/// let archive = b"[Event \"Cup\"]\n[Date \"2003-5-1\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n\n[Event \"Cup\"]\n1. 34-30";
/// let mut fixer = Fixer::default();
/// let mut found = Vec::new();
/// for record in pdn::split::records(archive) {
///     let repairs = fixer.find(record);
///     found.push(repairs.iter().map(|repair| (repair.kind, repair.edits[0].new.clone())).collect::<Vec<_>>());
/// }
/// assert_eq!(found[0], [(RepairKind::TagForm, b"2003.05.01".to_vec())]);
/// assert_eq!(found[1], [(RepairKind::Terminator, b" *".to_vec())]);
/// ```
#[derive(Debug)]
pub struct Fixer {
    checker: Checker,
    replayer: Replayer,
    /// Number of bytes that may still be replayed in search of the repairs of this record.
    bytes: usize,
}

impl Default for Fixer {
    fn default() -> Self {
        Self::new(&ReplayOptions::default())
    }
}

impl Fixer {
    /// Creates a fixer that replays with these options.
    pub fn new(options: &ReplayOptions) -> Self {
        let check = CheckOptions::new().style(true).limits(options.limits);
        Self { checker: Checker::new(&check), replayer: Replayer::new(options), bytes: 0 }
    }

    /// Sets the game of the next records without a GameType tag: a variant with its numbering of the squares; `None` to infer it.
    #[doc(hidden)]
    pub fn set_game(&mut self, game: Option<CandidateGame>) {
        self.replayer.set_game(game);
    }

    /// Returns the repairs that one reading of a record finds. Offsets are relative to its first byte.
    ///
    /// Two repairs may concern the same bytes; [`select`] chooses those that are applied together. [`repair`](Self::repair) also
    /// finds what can only be seen when they are made. A record without
    /// anything to repair costs one check and one replay, or two if it has variations or captures that are written in full. A stop at an illegal move costs some hundred replays, at most
    /// 4,000, and all of them together at most 16 MB of replayed text and 4,000 times the bytes of the record.
    pub fn find<'g>(&mut self, game: impl Into<InputRecord<'g>>) -> Vec<Repair> {
        let Found { mut text, moves, scores, .. } =
            self.within_budget(game.into(), |fixer, game| fixer.find_in(game, true));
        text.extend(moves);
        text.extend(scores);
        text
    }

    /// Looks for the repairs of a record. All replays share one budget.
    fn within_budget<'g, T>(
        &mut self,
        game: InputRecord<'g>,
        find: impl FnOnce(&mut Self, InputRecord<'g>) -> T,
    ) -> T {
        self.bytes = trials::max_bytes(game.raw());
        self.replayer.searches().share(MAX_FULL_REPLAYS, game.raw().len());
        let found = find(self, game);
        self.replayer.searches().end_sharing();
        found
    }

    /// Reads a record and finds its repairs, those of moves `with_moves` only.
    fn find_in(&mut self, game: InputRecord<'_>, with_moves: bool) -> Found {
        let record = game.raw();
        let mut repairs = Vec::new();
        let report = self.checker.check(game);
        let mut moves = Vec::new();
        let summary = self.replayer.replay_into(game, &mut moves);
        let diagnostics = [report.diagnostics, self.replayer.move_diagnostics()].concat();
        // The replay below sees more: the moves of variations, and the squares of captures that are written in full.
        let has_more = self.replayer.has_moves_of_other_forms() || memchr::memchr(b'(', record).is_some();
        let only_variant = self.replayer.proven_variant(record, &summary);
        let scores = text_repairs::standard_scores(record, &summary);
        let is_whole = summary.stop.is_none()
            && only_variant.is_none()
            && text_repairs::needs_none(record, &diagnostics);
        if is_whole && !has_more {
            return Found { scores, diagnostics, ..Found::default() };
        }
        let annotated = self.replayer.replay_annotated(game);
        let diagnostics = [&diagnostics[..], &annotated.diagnostics].concat();
        if is_whole && text_repairs::needs_none(record, &diagnostics) {
            return Found { scores, diagnostics, ..Found::default() };
        }
        text_repairs::propose(game, &annotated, &diagnostics, only_variant, &mut repairs);
        if let Some(variant) = only_variant {
            text_repairs::propose_game_type(record, variant, &diagnostics, &mut repairs);
        }
        self.keep_proved(game, &Meaning::new(record, &summary, moves), &mut repairs);
        let mut moves = Vec::new();
        if with_moves && summary.stop.is_some() && summary.status != GameStatus::Empty {
            move_repairs::find(game, &mut self.replayer, &mut self.bytes, &mut moves);
            self.keep_whole_moves(game, &mut moves);
        }
        let stop = summary.stop.map(|stop| Diagnostic::new(stop.reason.code(), stop.span));
        Found {
            text: repairs,
            moves,
            scores,
            diagnostics: [diagnostics, stop.into_iter().collect()].concat(),
        }
    }

    /// Removes the first repair of a move that leaves text without meaning next to the move, and those that need it.
    fn keep_whole_moves(&mut self, game: InputRecord<'_>, repairs: &mut Vec<Repair>) {
        let is_unsafe = |repair: &&Repair| repair.applicability == Applicability::Unsafe;
        let chain: Vec<&Repair> = repairs.iter().filter(is_unsafe).collect();
        if chain.is_empty() {
            return;
        }
        let all = edits(&chain);
        let text = all.apply(game.raw());
        let report = self.checker.check(game.with_text(&text));
        let is_left = |new: std::ops::Range<usize>| {
            report.diagnostics.iter().any(|diagnostic| {
                let (start, end) = (diagnostic.span.start as usize, diagnostic.span.end as usize);
                let between =
                    if start >= new.end { text.get(new.end..start) } else { text.get(end..new.start) };
                is_text(diagnostic.code) && between.is_none_or(|between| between.trim_ascii().is_empty())
            })
        };
        let mut shift = 0isize;
        let mut first_left: Option<&TextEdit> = None;
        for edit in all.as_slice() {
            let start = edit.range.start.saturating_add_signed(shift);
            shift += edit.new.len() as isize - edit.range.len() as isize;
            if !edit.new.is_empty() && first_left.is_none() && is_left(start..start + edit.new.len()) {
                first_left = Some(edit);
            }
        }
        let found = first_left.and_then(|edit| repairs.iter().position(|repair| repair.edits.contains(edit)));
        if let Some(index) = found {
            repairs.truncate(index);
        }
    }

    /// Removes the safe repairs that change a move, and those for which it was not shown that they do not.
    ///
    /// If all together change the game, each half is tried together with all kept before it, and so on down to single
    /// repairs. One that changes the game costs as many readings as the number of repairs has binary digits.
    fn keep_proved(&mut self, game: InputRecord<'_>, before: &Meaning, repairs: &mut Vec<Repair>) {
        let is_safe = |repair: &Repair| repair.applicability == Applicability::Safe;
        let safe: Vec<usize> = (0..repairs.len()).filter(|&place| is_safe(&repairs[place])).collect();
        if safe.is_empty() {
            return;
        }
        let mut is_kept: Vec<bool> = repairs.iter().map(|repair| !is_safe(repair)).collect();
        let mut kept: Vec<TextEdit> = Vec::new();
        let mut pending = vec![&safe[..]];
        for _ in 0..MAX_PROOFS {
            let Some(places) = pending.pop() else { break };
            let mut all = kept.clone();
            all.extend(places.iter().flat_map(|&place| repairs[place].edits.iter().cloned()));
            let holds = TextEdits::new(all.clone())
                .is_ok_and(|edits| self.meaning(game.with_text(&edits.apply(game.raw()))) == *before);
            if holds {
                kept = all;
                places.iter().for_each(|&place| is_kept[place] = true);
            } else if places.len() > 1 {
                let (first, second) = places.split_at(places.len() / 2);
                pending.extend([second, first]);
            }
        }
        let mut is_kept = is_kept.into_iter();
        repairs.retain(|_| is_kept.next().unwrap_or_default());
    }

    /// Returns what a replay of a record gives.
    fn meaning(&mut self, game: InputRecord<'_>) -> Meaning {
        let mut moves = Vec::new();
        let summary = self.replayer.replay_into(game, &mut moves);
        Meaning::new(game.raw(), &summary, moves)
    }
}

/// Returns `true` for a code of text without meaning, such as what is left of a move.
const fn is_text(code: Code) -> bool {
    matches!(code, Code::UnknownBytes | Code::UnexpectedText | Code::GluedText)
}

/// What a safe repair must not change.
#[derive(PartialEq)]
struct Meaning {
    /// The number of records that the text is divided into.
    records: usize,
    variant: Variant,
    start: State<u128>,
    moves: Vec<Move>,
    status: GameStatus,
    stop: Option<crate::diag::Code>,
}

impl Meaning {
    /// Takes what counts from a record, its replay and its moves.
    fn new(record: &[u8], summary: &ReplaySummary, moves: Vec<Move>) -> Self {
        let stop = summary.stop.map(|stop| stop.reason.code());
        let records = crate::split::records(record).count();
        Self { records, variant: summary.variant, start: summary.start, moves, status: summary.status, stop }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records with all required tags and without anything to repair, with a result or `*` at their end, and with a variation.
    fn whole(end: &str, variation: &str) -> String {
        format!(
            "[Event \"e\"]\n[Site \"s\"]\n[Date \"2001.02.03\"]\n[Round \"1\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"{end}\"]\n\
             [GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 {variation}3. 37-32 10-14 4. 41-37 14-19 {end}\n"
        )
    }

    #[test]
    fn record_that_ends_with_its_result_is_read_as_rarely_as_one_that_ends_with_a_star() {
        let mut fixer = Fixer::default();
        // The first record fills the tables of its variant.
        let _ = fixer.find(whole("*", "").as_bytes());
        let mut steps = |record: &str| {
            let before = crate::steps::count();
            assert_eq!(fixer.repair(record.as_bytes(), |_| true).made, [], "{record}");
            crate::steps::count().zip(before).map(|(after, before)| after - before)
        };
        let Some(star) = steps(&whole("*", "")) else { return };
        let missing = whole("1-1", "").replace("[Black \"b\"]\n", "");
        for record in [whole("1-1", ""), missing] {
            let result = steps(&record).unwrap_or_default();
            assert!(result <= star + star / 10, "{result} steps instead of {star}");
        }
    }

    #[test]
    fn result_at_the_end_hides_nothing_that_is_to_be_repaired() {
        let repairs = |record: &str| {
            let repairs = Fixer::default().find(record.as_bytes());
            repairs.into_iter().map(|repair| (repair.code, repair.applicability)).collect::<Vec<_>>()
        };
        for variation in ["", "(2... 13x24) "] {
            assert_eq!(repairs(&whole("1-1", variation)), [], "{variation}");
        }
        let safe = |code| vec![(code, Applicability::Safe)];
        let written = whole("1-1", "");
        for (from, to, expected) in [
            ("[Result \"1-1\"]", "[Result \"*\"]", safe(Code::ResultMismatch)),
            ("[Result \"1-1\"]\n", "", safe(Code::MissingTag)),
            ("[Result \"1-1\"]", "[Result \"2-0\"]", vec![(Code::ResultMismatch, Applicability::Display)]),
            (
                "4. 41-37 14-19 1-1",
                "4. 41-37 14-19 White wins",
                vec![(Code::ResultAsTerminator, Applicability::Safe)],
            ),
            ("3. 37-32", "(2... 13:24) 3. 37-32", safe(Code::CaptureSeparator)),
        ] {
            let record = written.replacen(from, to, 1);
            assert!(repairs(&record).starts_with(&expected), "{record}{:?}", repairs(&record));
        }
        let full = "[Event \"e\"]\n[Site \"s\"]\n[Date \"2001.02.03\"]\n[Round \"1\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"END\"]\n\
             [GameType \"22\"]\n[FEN \"B:W6,7,14,15,32:B3\"]\n\n";
        for end in ["*", "1-0"] {
            for moves in ["1... 3x6x14x19", "1... 3x10x19 (1... 3x6x14x19)"] {
                let record = format!("{full}{moves} END\n").replace("END", end);
                assert_eq!(repairs(&record), safe(Code::CapturePath), "{record}");
            }
        }
    }
}
