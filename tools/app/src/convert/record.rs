//! Converts records and keeps what the outputs need of each.

use pdn::archive::InputGame;
use pdn::convert::{ConvertOptions, Converter};
use pdn::replay::VariantBasis;
use pdn::source::{Decoder, Encoding};
use pdn::view::GameView;

use super::keys::{SortKey, SplitKey, WrittenGame};

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
    /// The encoding from which it was converted; `None` for UTF-8.
    pub(super) encoding: Option<Encoding>,
}

/// A game of a batch. Its bytes end at these offsets, and begin where those of the game before end.
#[derive(Debug)]
pub(super) struct BatchGame {
    pub(super) fate: Fate,
    pub(super) notes: GameNotes,
    pub(super) text_end: usize,
    pub(super) raw_end: usize,
    pub(super) key_end: usize,
    pub(super) groups: Vec<String>,
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
    pub(super) converter: Converter,
}

impl<'p> RecordConverter<'p> {
    pub(super) fn new(plan: &'p Plan) -> Self {
        Self { plan, converter: Converter::new(&plan.options) }
    }

    /// Converts a record that the filters accept.
    pub(super) fn convert<'g>(
        &mut self,
        game: impl Into<InputGame<'g>>,
        decoder: &Decoder,
        out: &mut ConvertedBatch,
    ) {
        let (plan, game) = (self.plan, game.into());
        let start = out.text.len();
        let (fate, notes, groups) = match self.converter.convert(game, decoder, &mut out.text) {
            Err(reason) => (Fate::Rejected(reason.text()), GameNotes::default(), Vec::new()),
            Ok(converted) => {
                let mut groups = Vec::new();
                if !plan.sort.is_empty() || !plan.split.is_empty() {
                    let written = WrittenGame::new(&out.text[start..], &converted.summary);
                    written.sort_key(&plan.sort, &mut out.keys);
                    if !plan.split.is_empty() {
                        written.groups(&plan.split, &mut groups);
                    }
                }
                out.text.extend_from_slice(plan.line_end());
                let notes = GameNotes {
                    repaired: converted.safe_repairs > 0,
                    repaired_unsafely: converted.unsafe_repairs > 0,
                    renamed: converted.edits > 0,
                    inferred: plan.adds_inferred_game_type(converted.summary.basis)
                        && !matches!(game.view().tag("GameType"), Some(value) if !value.trim_ascii().is_empty()),
                    encoding: converted.encoding.filter(|encoding| *encoding != Encoding::UTF_8),
                };
                (Fate::Written, notes, groups)
            }
        };
        let keeps_raw = match fate {
            Fate::Rejected(_) => plan.keeps_rejected,
            _ => plan.keeps_left_out && plan.may_leave_out,
        };
        self.push(game.view(), fate, notes, groups, keeps_raw, out);
    }

    /// Adds a record that the filters leave out.
    pub(super) fn leave_out(&mut self, game: GameView<'_>, out: &mut ConvertedBatch) {
        let keeps_raw = self.plan.keeps_left_out;
        self.push(game, Fate::LeftOut, GameNotes::default(), Vec::new(), keeps_raw, out);
    }

    fn push(
        &self,
        game: GameView<'_>,
        fate: Fate,
        notes: GameNotes,
        groups: Vec<String>,
        keeps_raw: bool,
        out: &mut ConvertedBatch,
    ) {
        if keeps_raw {
            out.raw.extend_from_slice(game.raw());
        }
        let (text_end, raw_end, key_end) = (out.text.len(), out.raw.len(), out.keys.len());
        out.games.push(BatchGame { fate, notes, text_end, raw_end, key_end, groups });
    }
}
