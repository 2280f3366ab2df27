//! What a check answers.

use super::Scratch;
use super::text::TextKind;
use crate::diag::{Diagnostic, Severity};
use crate::span::Span;
use crate::value::{GameResult, GameType, GameTypeStatus};

/// What was found in one game.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct CheckReport<'c, 'g> {
    /// The findings in the order of the text; those beyond
    /// [`Limits::diagnostics`](crate::limits::Limits::diagnostics) are counted only.
    pub findings: &'c [Diagnostic],
    /// Where the names of the tags stand, in the order of the text.
    pub tag_names: &'c [Span],
    /// What the game consists of.
    pub summary: RecordSummary<'g>,
    found: [u32; 3],
}

impl<'c, 'g> CheckReport<'c, 'g> {
    pub(super) fn new(scratch: &'c Scratch, mut summary: RecordSummary<'g>, text: TextKind) -> Self {
        summary.text = text;
        summary.status = summary.status(scratch.found[Severity::Error as usize] > 0);
        Self { findings: &scratch.findings, tag_names: &scratch.names, summary, found: scratch.found }
    }

    /// How many findings there are of a severity, those not kept included.
    pub fn found(&self, severity: Severity) -> u32 {
        self.found[severity as usize]
    }

    /// Findings that were counted and not kept.
    pub fn not_kept(&self) -> u32 {
        self.found.iter().sum::<u32>() - self.findings.len() as u32
    }
}

/// What a game consists of, as far as its text tells.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RecordSummary<'g> {
    /// What can be done with it.
    pub status: RecordStatus,
    /// How its bytes are encoded.
    pub text: TextKind,
    /// The GameType tag, where it can be read.
    pub game_type: Option<GameType>,
    /// The Result tag, where there is one.
    pub result: Option<GameResult<'g>>,
    /// The end of the game as written, where there is one.
    pub terminator: Option<GameResult<'g>>,
    /// Whether a FEN tag gives the position at the start.
    pub has_fen: bool,
    /// How many of each part.
    pub counts: PartCounts,
}

impl RecordSummary<'_> {
    fn status(&self, error: bool) -> RecordStatus {
        let other_game = |t: GameType| matches!(t.status(), GameTypeStatus::OtherGame(_));
        if self.game_type.is_some_and(other_game) {
            RecordStatus::Unsupported
        } else if error {
            RecordStatus::Damaged
        } else if self.counts.plies == 0 && self.counts.setups == 0 && !self.has_fen {
            RecordStatus::Empty
        } else {
            RecordStatus::Sound
        }
    }

    /// The result that counts: the Result tag, or the end of the game where the tag is missing or says
    /// nothing.
    pub fn outcome_text(&self) -> Option<GameResult<'_>> {
        let says_something = |r: &GameResult<'_>| !matches!(r, GameResult::Unknown);
        self.result.filter(says_something).or(self.terminator).or(self.result)
    }
}

/// What can be done with a game, as far as its text tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum RecordStatus {
    /// There is something to replay, and all of it was understood.
    Sound,
    /// Part of it was not understood: it has a finding of severity `error`.
    Damaged,
    /// There is nothing to replay: no move, no setup and no FEN tag.
    Empty,
    /// Its GameType tag says that it is not draughts.
    Unsupported,
}

/// How many of each part a game has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct PartCounts {
    /// Tag pairs.
    pub tags: u32,
    /// Moves of the main line, marks for missing ones included.
    pub plies: u32,
    /// Moves inside variations.
    pub variation_plies: u32,
    /// Comments of every kind.
    pub comments: u32,
    /// Variations, nested ones included.
    pub variations: u32,
    /// Setups and null moves.
    pub setups: u32,
    /// Numeric annotations.
    pub nags: u32,
}
