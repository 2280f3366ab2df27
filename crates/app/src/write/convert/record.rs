//! Converts records and keeps what the outputs need of each.

use std::collections::HashSet;
use std::path::Path;

use pdn::archive::InputRecord;
use pdn::check::{CheckOptions, Checker};
use pdn::convert::{ConvertOptions, Converted, Converter, MoveComment};
use pdn::diag::{Code, Severity};
use pdn::internal::replay::CandidateGame;
use pdn::internal::source::path_text;
use pdn::replay::{ReplaySummary, Replayer, VariantBasis};
use pdn::source::{Decoder, Encoding};
use pdn::view::RecordView;
use pdn::write::{LineGame, Unwritten};
use serde::Serialize;

use super::keys::{SplitKey, WrittenGame};
use crate::ask::sort::SortKey;

/// What is kept of each game.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) options: ConvertOptions,
    pub(super) sort: Vec<SortKey>,
    pub(super) split: Vec<SplitKey>,
    /// There is a file for rejected games.
    pub(super) keeps_rejected: bool,
    /// There is a file for games that are left out.
    pub(super) keeps_left_out: bool,
    /// Games may be left out after they were converted.
    pub(super) may_leave_out: bool,
}

impl Plan {
    /// Returns the line end of written games.
    pub(super) fn line_end(&self) -> &'static [u8] {
        self.options.write.line_end.bytes()
    }

    /// Returns `true` if a game without a GameType tag gets one whose variant no one named.
    fn adds_inferred_game_type(&self, basis: VariantBasis) -> bool {
        basis.is_inferred() && self.options.write.added.adds_game_type(basis)
    }
}

/// What becomes of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    Written,
    /// It cannot be written, for this reason.
    Rejected(&'static str),
    /// The filters leave it out.
    LeftOut,
}

/// What the summary counts of a written game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct GameNotes {
    /// It was repaired, without and with a change of its meaning.
    pub(super) repaired: bool,
    pub(super) repaired_unsafely: bool,
    /// Names in it were changed.
    pub(super) renamed: bool,
    /// It received a GameType tag with a variant that was inferred.
    pub(super) inferred: bool,
    /// A variation of it is kept as text.
    pub(super) text_variations: bool,
    /// The numbers of its score changed places.
    pub(super) exchanged_score: bool,
    /// The encoding from which it was converted; `None` for UTF-8.
    pub(super) encoding: Option<Encoding>,
}

/// Where a record is.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordPlace<'a> {
    pub(super) file: &'a Path,
    /// Number of the record in its file, from 1; `None` for a game of an index.
    pub(super) record: Option<u64>,
    /// Its offset in the file in bytes.
    pub(super) offset: u64,
}

/// A rejected record, for the list of them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct RejectedRecord {
    pub(super) file: String,
    pub(super) record: Option<u64>,
    pub(super) offset: u64,
    /// The codes of its warnings and errors, each once, that of the reason first.
    pub(super) codes: Vec<&'static str>,
    pub(super) reason: &'static str,
    /// The GameType tag that was added, because the variant of its old file would be lost.
    pub(super) game_type: Option<String>,
}

/// A game of a batch. Its bytes end at these offsets, and begin where those of the game before end.
#[derive(Debug)]
pub(super) struct BatchGame {
    pub(super) fate: Fate,
    pub(super) notes: GameNotes,
    /// It is a variation of the game before it.
    pub(super) is_variation: bool,
    pub(super) text_end: usize,
    pub(super) raw_end: usize,
    pub(super) key_end: usize,
    pub(super) groups: Vec<String>,
    /// Of a rejected game, if there is a file for it.
    pub(super) rejected: Option<Box<RejectedRecord>>,
}

/// Converted games in the order of the input.
#[derive(Debug, Default)]
pub(super) struct ConvertedBatch {
    /// The written games, each followed by an empty line.
    pub(super) text: Vec<u8>,
    /// The records that are kept as they are.
    pub(super) raw: Vec<u8>,
    /// The sort keys.
    pub(super) keys: Vec<u8>,
    pub(super) games: Vec<BatchGame>,
}

/// Converts one record after the other on one thread.
pub(super) struct RecordConverter<'p> {
    plan: &'p Plan,
    converter: Converter,
    /// Explain why a record is rejected.
    checker: Checker,
    replayer: Replayer,
}

impl<'p> RecordConverter<'p> {
    pub(super) fn new(plan: &'p Plan) -> Self {
        let replay = &plan.options.replay;
        Self {
            plan,
            converter: Converter::new(&plan.options),
            checker: Checker::new(&CheckOptions::new().style(false).limits(replay.limits)),
            replayer: Replayer::new(replay),
        }
    }

    /// Sets the game of the next records without a GameType tag; `None` to infer it.
    pub(super) fn set_game(&mut self, game: Option<CandidateGame>) {
        self.converter.set_game(game);
        self.replayer.set_game(game);
    }

    /// Sets the comment that the next records receive.
    pub(super) fn set_comment(&mut self, comment: Option<MoveComment>) {
        self.converter.set_comment(comment);
    }

    /// Converts a record that the filters accept.
    pub(super) fn convert<'g>(
        &mut self,
        game: impl Into<InputRecord<'g>>,
        place: RecordPlace<'_>,
        decoder: &Decoder,
        out: &mut ConvertedBatch,
    ) {
        let (plan, game) = (self.plan, game.into());
        let start = out.text.len();
        let mut rejected = None;
        let (fate, notes, groups) = match self.converter.convert(game, decoder, &mut out.text) {
            Err(reason) => {
                rejected = plan.keeps_rejected.then(|| Box::new(self.rejected(game, reason, place)));
                (Fate::Rejected(reason.text()), GameNotes::default(), Vec::new())
            }
            Ok(converted) => {
                out.text.extend_from_slice(plan.line_end());
                let notes = GameNotes {
                    repaired: converted.safe_repairs > 0,
                    repaired_unsafely: converted.unsafe_repairs > 0,
                    renamed: converted.edits > 0,
                    inferred: plan.adds_inferred_game_type(converted.summary.basis)
                        && !matches!(game.view().tag("GameType"), Some(value) if !value.trim_ascii().is_empty()),
                    text_variations: converted.text_variations > 0,
                    exchanged_score: converted.exchanged_score,
                    encoding: converted.encoding.filter(|encoding| *encoding != Encoding::UTF_8),
                };
                if let [_, others @ ..] = &converted.lines[..] {
                    self.push_lines(game, notes, &converted, others, out);
                    return;
                }
                let groups = self.arrange(&out.text[start..], &converted.summary, &mut out.keys);
                (Fate::Written, notes, groups)
            }
        };
        let keeps_raw = match fate {
            Fate::Rejected(_) => plan.keeps_rejected,
            _ => plan.keeps_left_out && plan.may_leave_out,
        };
        if let Some(game_type) = rejected.as_ref().and_then(|rejected| rejected.game_type.as_deref()) {
            let line_end = pdn::write::LineEnd::of(game.raw()).bytes();
            out.raw.extend_from_slice(format!("[GameType \"{game_type}\"]").as_bytes());
            out.raw.extend_from_slice(line_end);
            if !game.raw().trim_ascii_start().starts_with(b"[") {
                out.raw.extend_from_slice(line_end);
            }
        }
        self.push(game.view(), fate, notes, groups, keeps_raw, rejected, out);
    }

    /// Returns the groups of a written game, and appends its sort key.
    fn arrange(&self, text: &[u8], summary: &ReplaySummary, keys: &mut Vec<u8>) -> Vec<String> {
        let (plan, mut groups) = (self.plan, Vec::new());
        if !plan.sort.is_empty() || !plan.split.is_empty() {
            let written = WrittenGame::new(text, summary);
            written.sort_key(&plan.sort, keys);
            if !plan.split.is_empty() {
                written.groups(&plan.split, &mut groups);
            }
        }
        groups
    }

    /// Adds the lines of a game, whose text is written. The record stands for its main line, where it is kept, and for each other line
    /// its text does.
    fn push_lines(
        &self,
        game: InputRecord<'_>,
        notes: GameNotes,
        converted: &Converted,
        others: &[LineGame],
        out: &mut ConvertedBatch,
    ) {
        let ends = others.iter().map(|line| line.start).chain([out.text.len()]);
        let keeps_raw = self.plan.keeps_left_out && self.plan.may_leave_out;
        for (number, (line, text_end)) in converted.lines.iter().zip(ends).enumerate() {
            let text = &out.text[line.start..text_end];
            if keeps_raw {
                out.raw.extend_from_slice(if number == 0 { game.raw() } else { text });
            }
            let groups = self.arrange(text, &line.summary, &mut out.keys);
            let notes = if number == 0 { notes } else { GameNotes::default() };
            let (raw_end, key_end, is_variation) = (out.raw.len(), out.keys.len(), number > 0);
            let fate = Fate::Written;
            out.games.push(BatchGame {
                fate,
                notes,
                is_variation,
                text_end,
                raw_end,
                key_end,
                groups,
                rejected: None,
            });
        }
    }

    /// Describes a rejected record.
    fn rejected(
        &mut self,
        game: InputRecord<'_>,
        reason: Unwritten,
        place: RecordPlace<'_>,
    ) -> RejectedRecord {
        let mut codes: Vec<Code> = reason.code().into_iter().collect();
        let summary = self.replayer.summary(game);
        codes.extend(summary.stop.map(|stop| stop.reason.code()));
        codes.extend(self.replayer.move_diagnostics().iter().map(|found| found.code));
        codes.extend(self.checker.check(game).diagnostics.iter().map(|found| found.code));
        let mut seen = HashSet::new();
        codes.retain(|code| code.severity() != Severity::Style && seen.insert(*code));
        // Elsewhere, the games around it no longer show its variant.
        let is_shown = matches!(summary.basis, VariantBasis::File | VariantBasis::Caller);
        let is_lost = is_shown && self.plan.options.write.added.adds_game_type(summary.basis);
        let is_plain = |byte: &u8| *byte == b'[' || byte.is_ascii_digit();
        let may_follow_tag = game.raw().trim_ascii_start().first().is_some_and(is_plain);
        let game_type = (is_lost && may_follow_tag).then(|| summary.variant.tag_with(summary.numbering));
        RejectedRecord {
            file: path_text(place.file).into_owned(),
            record: place.record,
            offset: place.offset,
            codes: codes.into_iter().map(Code::id).collect(),
            reason: reason.text(),
            game_type,
        }
    }

    /// Adds a record that the filters leave out.
    pub(super) fn leave_out(&mut self, game: RecordView<'_>, out: &mut ConvertedBatch) {
        let keeps_raw = self.plan.keeps_left_out;
        self.push(game, Fate::LeftOut, GameNotes::default(), Vec::new(), keeps_raw, None, out);
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of one game")]
    fn push(
        &self,
        game: RecordView<'_>,
        fate: Fate,
        notes: GameNotes,
        groups: Vec<String>,
        keeps_raw: bool,
        rejected: Option<Box<RejectedRecord>>,
        out: &mut ConvertedBatch,
    ) {
        if keeps_raw {
            out.raw.extend_from_slice(game.raw());
        }
        let (text_end, raw_end, key_end) = (out.text.len(), out.raw.len(), out.keys.len());
        let is_variation = false;
        out.games.push(BatchGame { fate, notes, is_variation, text_end, raw_end, key_end, groups, rejected });
    }
}
