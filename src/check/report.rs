//! The results of a check.

use std::fmt;

use super::Scratch;
use super::text::TextKind;
use crate::diag::{Diagnostic, Severity};
use crate::span::Span;
use crate::value::{GameResult, GameType, GameTypeStatus};

/// The diagnostics and the summary of one record.
///
/// ```
/// use pdn::check::{CheckOptions, Checker};
/// use pdn::diag::Severity;
/// use pdn::limits::Limits;
///
/// let record = b"[Date \"soon\"]\n[WhiteRating \"many\"]\n1. 32-28 *\n";
/// let mut checker = Checker::new(&CheckOptions::new().limits(Limits::new().diagnostics(1)));
/// let report = checker.check(record);
/// // One diagnostic is kept, and both are counted.
/// assert_eq!((report.diagnostics.len(), report.not_kept()), (1, 1));
/// assert_eq!(report.count(Severity::Warning), 2);
/// assert_eq!(report.tag_names[0].of(record), b"Date");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct CheckReport<'c, 'g> {
    /// The diagnostics in text order, at most [`Limits::diagnostics`](crate::limits::Limits::diagnostics) of them; the
    /// others are only counted. Spans are relative to the first byte of the record.
    pub diagnostics: &'c [Diagnostic],
    /// The spans of the tag names in text order.
    pub tag_names: &'c [Span],
    /// What the record consists of.
    #[doc(hidden)]
    pub summary: RecordSummary<'g>,
    counts: [u32; 3],
}

impl<'c, 'g> CheckReport<'c, 'g> {
    pub(super) fn new(scratch: &'c Scratch, mut summary: RecordSummary<'g>, text: TextKind) -> Self {
        summary.text = text;
        summary.status = summary.status(scratch.has_errors());
        Self {
            diagnostics: &scratch.diagnostics,
            tag_names: &scratch.names,
            summary,
            counts: scratch.counts(),
        }
    }

    /// Returns the number of diagnostics of this severity, those that were not kept included.
    pub fn count(&self, severity: Severity) -> u32 {
        self.counts[severity as usize]
    }

    /// Returns the number of diagnostics that were counted and not kept.
    pub fn not_kept(&self) -> u32 {
        self.counts.iter().sum::<u32>() - self.diagnostics.len() as u32
    }
}

/// What one record consists of, as far as its text shows.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RecordSummary<'g> {
    /// Whether the record can be replayed.
    pub status: RecordStatus,
    /// The encoding of its bytes, as far as it is certain.
    pub text: TextKind,
    /// The value of the GameType tag, or the game that the Variant tag names; `None` if both are missing or unreadable.
    pub game_type: Option<GameType>,
    /// The value of the Result tag, of the one that counts if there are several; `None` if it is missing.
    pub result: Option<GameResult<'g>>,
    /// The terminator; `None` if it is missing.
    pub terminator: Option<GameResult<'g>>,
    /// A FEN tag gives the start position. `?` is no position.
    pub has_fen: bool,
    /// The number of parts of each kind.
    pub counts: PartCounts,
    /// What there is to replay.
    pub(super) contents: RecordContents,
}

/// What there is to replay in a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RecordContents {
    /// A move in the main line.
    Moves,
    /// No move, but text without meaning or an unclosed comment, where moves may have been, or a FEN that cannot be read.
    Lost,
    /// No move, but a position: a FEN tag or a setup.
    Position,
    /// None of these.
    Nothing,
}

impl RecordSummary<'_> {
    /// Returns the status of a record with this summary.
    fn status(&self, has_errors: bool) -> RecordStatus {
        let is_other_game = |t: GameType| matches!(t.status(), GameTypeStatus::OtherGame(_));
        if self.game_type.is_some_and(is_other_game) {
            RecordStatus::Unsupported
        } else if self.contents == RecordContents::Lost {
            RecordStatus::Damaged
        } else if self.contents == RecordContents::Nothing {
            RecordStatus::Empty
        } else if self.contents == RecordContents::Position {
            RecordStatus::Problem
        } else if has_errors {
            RecordStatus::Damaged
        } else {
            RecordStatus::Sound
        }
    }

    /// Returns the result that counts: the Result tag unless it gives none, else the terminator; see
    /// [`GameResult::or_later`]. `None` if the record has neither.
    pub fn outcome_text(&self) -> Option<GameResult<'_>> {
        match (self.result, self.terminator) {
            (Some(tag), Some(terminator)) => Some(tag.or_later(terminator)),
            (tag, terminator) => tag.or(terminator),
        }
    }
}

/// Whether a record can be replayed, as far as its text shows.
///
/// Displays as `sound`, `damaged`, `empty`, `unsupported` or `problem`. Empty records are those that are empty for
/// [`GameStatus`](crate::replay::GameStatus) too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum RecordStatus {
    /// The record has something to replay and no diagnostic of severity `error`.
    Sound,
    /// Part of the record was not understood: it has a diagnostic of severity `error`.
    Damaged,
    /// The record has nothing to replay: no move, no setup and no FEN tag.
    Empty,
    /// The GameType tag names a game other than draughts.
    Unsupported,
    /// A problem: a position, from a FEN tag or a setup, and no move in the main line.
    Problem,
}

impl RecordStatus {
    /// Returns the status as one lower-case word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sound => "sound",
            Self::Damaged => "damaged",
            Self::Empty => "empty",
            Self::Unsupported => "unsupported",
            Self::Problem => "problem",
        }
    }
}

impl fmt::Display for RecordStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The number of parts of each kind in a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct PartCounts {
    /// Tag pairs.
    pub tags: u32,
    /// Moves of the main line, marks of missing moves included.
    pub plies: u32,
    /// Moves inside variations, marks of missing moves included.
    pub variation_plies: u32,
    /// Comments of every kind.
    pub comments: u32,
    /// Variations, nested ones included.
    pub variations: u32,
    /// Setups and null moves.
    pub setups: u32,
    /// NAGs.
    pub nags: u32,
}
