//! Where and why a replay stops before the end of the main line.

use std::fmt;

use super::GameStatus;
use crate::diag::Code;
use crate::span::Span;

/// The place and the reason where a replay stopped before the end of the main line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReplayStop {
    /// The number of the ply that could not be played, from 0.
    pub ply: u32,
    /// The span of the written move, or of the text in its place, relative to the first byte of the record.
    pub span: Span,
    /// The reason.
    pub reason: StopReason,
}

/// The reason why a replay stopped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum StopReason {
    /// The first square is empty.
    NoPiece,
    /// The piece on the first square belongs to the side that is not to move.
    OtherSide,
    /// The move is quiet, but the side to move must capture.
    MustCapture,
    /// Another capture has precedence.
    Precedence,
    /// The capture is incomplete: the piece must jump again.
    Unfinished,
    /// A capture between these squares is legal, but it does not pass the written squares.
    OtherPath,
    /// The king has made as many moves in a row as the rules allow.
    KingStreak,
    /// The piece cannot make this move.
    Impossible,
    /// The board has no square of this name.
    NoSuchSquare,
    /// The text is not a move.
    Unreadable,
    /// Several legal moves match the text.
    Ambiguous,
    /// A missing move leaves the position unknown.
    MissingMove,
    /// The move is illegal, and text without meaning stands between it and the previous move.
    LostText,
    /// A FEN tag or a setup does not describe a position on this board.
    BadPosition,
    /// The search for captures exceeded its budget.
    CaptureLimit,
    /// The GameType tag names a game other than draughts.
    NotDraughts,
    /// An unclosed comment hides the rest of the record.
    UnclosedComment,
}

impl StopReason {
    /// Returns the status of a game that stops for this reason.
    pub const fn status(self) -> GameStatus {
        match self {
            Self::Ambiguous => GameStatus::Ambiguous,
            Self::MissingMove
            | Self::LostText
            | Self::BadPosition
            | Self::Unreadable
            | Self::UnclosedComment => GameStatus::Damaged,
            Self::CaptureLimit | Self::NotDraughts => GameStatus::Unsupported,
            _ => GameStatus::Illegal,
        }
    }

    /// Returns the code of the diagnostic.
    pub const fn code(self) -> Code {
        match self {
            Self::NoPiece
            | Self::OtherSide
            | Self::OtherPath
            | Self::KingStreak
            | Self::Impossible
            | Self::LostText
            | Self::NoSuchSquare => Code::IllegalMove,
            Self::MustCapture => Code::MissedCapture,
            Self::Precedence => Code::CapturePrecedence,
            Self::Unfinished => Code::UnfinishedCapture,
            Self::Unreadable => Code::UnreadableMove,
            Self::Ambiguous => Code::AmbiguousMove,
            Self::MissingMove => Code::UnknownPosition,
            Self::BadPosition => Code::BadPosition,
            Self::CaptureLimit => Code::CaptureLimit,
            Self::NotDraughts => Code::UnsupportedGame,
            Self::UnclosedComment => Code::UnclosedComment,
        }
    }

    /// Returns the reason as a clause that can follow "the move ... cannot be played:".
    pub const fn text(self) -> &'static str {
        match self {
            Self::NoPiece => "no piece stands on its first square",
            Self::OtherSide => "the piece on its first square belongs to the other side",
            Self::MustCapture => "the side to move must capture",
            Self::Precedence => "another capture has precedence",
            Self::Unfinished => "the capture must go on",
            Self::OtherPath => "the capture does not lead over these squares",
            Self::KingStreak => "this king has made all the moves in a row that it may",
            Self::Impossible => "the piece cannot go there",
            Self::NoSuchSquare => "the board has no such square",
            Self::Unreadable => "the text is no move",
            Self::Ambiguous => "several legal moves match the text",
            Self::MissingMove => "the move is missing",
            Self::LostText => "text before it was lost",
            Self::BadPosition => "the position cannot be set up",
            Self::CaptureLimit => "the captures are too many to be searched",
            Self::NotDraughts => "the game is not draughts",
            Self::UnclosedComment => "a comment that is never closed hides the rest",
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
