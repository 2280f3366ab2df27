//! Where and why a replay stops before the end of the main line.

use std::fmt;

use super::GameStatus;
use crate::diag::Code;
use crate::movegen::MoveError;
use crate::span::Span;

/// The place and the reason where a replay stopped before the end of the main line.
///
/// [`ReplaySummary::stop`](crate::replay::ReplaySummary::stop) and [`AnnotatedLine::stop`](crate::replay::AnnotatedLine::stop)
/// have it.
///
/// ```
/// use pdn::movegen::MoveError;
/// use pdn::replay::{Replayer, StopReason};
///
/// let record = b"1. 32-28 19-23 2. 37-32 *";
/// let stop = Replayer::default().summary(record).stop.expect("White has to capture");
/// assert_eq!((stop.ply, stop.span.of(record)), (2, &b"37-32"[..]));
/// assert_eq!(stop.reason, StopReason::Move(MoveError::MustCapture));
/// assert_eq!(stop.reason.to_string(), "the side to move must capture");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReplayStop {
    /// The number of the ply that could not be played, from 0.
    pub ply: u32,
    /// The span of the written move, or of the text in its place, relative to the first byte of the record.
    pub span: Span,
    /// The reason.
    pub reason: StopReason,
}

/// The reason why a replay stopped.
///
/// [`ReplayStop`] has it, and so has [`PlayTextError`](crate::replay::PlayTextError). Each reason belongs to a status of the
/// game, and to the code of a diagnostic:
///
/// ```
/// use pdn::diag::Code;
/// use pdn::replay::{GameStatus, Replayer, StopReason};
///
/// let summary = Replayer::default().summary(b"1. 32-28 ... 2. 37-32 *");
/// let reason = summary.stop.expect("the second move is missing").reason;
/// assert_eq!(reason, StopReason::MissingMove);
/// assert_eq!((reason.status(), reason.code()), (GameStatus::Damaged, Code::UnknownPosition));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// The move cannot be played in its position.
    Move(MoveError),
    /// A missing move leaves the position unknown.
    MissingMove,
    /// The move is illegal, and text without meaning stands between it and the previous move.
    LostText,
    /// A FEN tag or a setup does not describe a position on this board.
    BadPosition,
    /// The GameType tag names a game other than draughts.
    NotDraughts,
    /// An unclosed comment hides the rest of the record.
    UnclosedComment,
}

impl StopReason {
    /// Returns the status of a game that stops for this reason.
    pub const fn status(self) -> GameStatus {
        match self {
            Self::Move(MoveError::Ambiguous) => GameStatus::Ambiguous,
            Self::MissingMove
            | Self::LostText
            | Self::BadPosition
            | Self::Move(MoveError::Unreadable)
            | Self::UnclosedComment => GameStatus::Damaged,
            Self::Move(MoveError::CaptureLimit) | Self::NotDraughts => GameStatus::Unsupported,
            Self::Move(_) => GameStatus::Illegal,
        }
    }

    /// Returns the code of the diagnostic.
    pub const fn code(self) -> Code {
        match self {
            Self::Move(MoveError::MustCapture) => Code::MissedCapture,
            Self::Move(MoveError::Precedence) => Code::CapturePrecedence,
            Self::Move(MoveError::Unfinished) => Code::UnfinishedCapture,
            Self::Move(MoveError::Unreadable) => Code::UnreadableMove,
            Self::Move(MoveError::Ambiguous) => Code::AmbiguousMove,
            Self::Move(MoveError::CaptureLimit) => Code::CaptureLimit,
            Self::Move(_) | Self::LostText => Code::IllegalMove,
            Self::MissingMove => Code::UnknownPosition,
            Self::BadPosition => Code::BadPosition,
            Self::NotDraughts => Code::UnsupportedGame,
            Self::UnclosedComment => Code::UnclosedComment,
        }
    }

    /// Returns the reason as a clause that can follow "the move ... cannot be played:".
    pub const fn text(self) -> &'static str {
        match self {
            Self::Move(reason) => reason.text(),
            Self::MissingMove => "the move is missing",
            Self::LostText => "text before it was lost",
            Self::BadPosition => "the position cannot be set up",
            Self::NotDraughts => "the game is not draughts",
            Self::UnclosedComment => "a comment that is never closed hides the rest",
        }
    }
}

impl From<MoveError> for StopReason {
    fn from(reason: MoveError) -> Self {
        Self::Move(reason)
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
