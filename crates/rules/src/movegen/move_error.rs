//! The reasons why a move cannot be played.

use core::fmt;

use super::capture_search::CaptureLimit;

/// The reason why a move, or the text of one, cannot be played in a position.
///
/// ```
/// use pdn_rules::movegen::MoveError;
/// use pdn_rules::{Position, Variant};
///
/// let position = Position::parse_fen(Variant::International, "W:W32,38:B27,28")?;
/// assert_eq!(position.parse_move("38-33"), Err(MoveError::MustCapture));
/// assert_eq!(MoveError::MustCapture.to_string(), "the side to move must capture");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
pub enum MoveError {
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
    /// The search for captures needs more nodes than allowed.
    CaptureLimit,
}

impl MoveError {
    /// Returns the reason as a clause that can follow "the move cannot be played:".
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
            Self::CaptureLimit => "the captures are too many to be searched",
        }
    }
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl core::error::Error for MoveError {}

impl From<CaptureLimit> for MoveError {
    fn from(_: CaptureLimit) -> Self {
        Self::CaptureLimit
    }
}

/// An illegal move is [`Impossible`](MoveError::Impossible): why it is illegal is not known.
#[doc(hidden)]
impl From<FindError> for MoveError {
    fn from(error: FindError) -> Self {
        match error {
            FindError::Illegal => Self::Impossible,
            FindError::OtherPath => Self::OtherPath,
            FindError::Ambiguous => Self::Ambiguous,
            FindError::Limit => Self::CaptureLimit,
        }
    }
}

/// The reason why a written move is not one legal move.
///
/// ```
/// use pdn_rules::internal::movegen::FindError;
/// use pdn_rules::{Position, Variant};
///
/// let position = Position::parse_fen(Variant::Italian, "B:W6,7,14,15:B3")?;
/// let names = Variant::Italian.names();
/// let (from, to) = (names.of_number(3).unwrap(), names.of_number(19).unwrap());
/// assert_eq!(position.find(from, to, &[]), Err(FindError::Ambiguous), "over 10 or over 12");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum FindError {
    /// No legal move leads from the first square to the last.
    Illegal,
    /// A legal move leads there, but none over the squares written between.
    OtherPath,
    /// Several captures lead there, and the squares written between match more than one.
    Ambiguous,
    /// The captures of the position need more search nodes than allowed.
    Limit,
}

impl fmt::Display for FindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Illegal => f.write_str("no legal move goes there"),
            Self::OtherPath => f.write_str("no legal capture goes over these squares"),
            Self::Ambiguous => f.write_str("several captures go there"),
            Self::Limit => CaptureLimit.fmt(f),
        }
    }
}

impl core::error::Error for FindError {}

#[doc(hidden)]
impl From<CaptureLimit> for FindError {
    fn from(_: CaptureLimit) -> Self {
        Self::Limit
    }
}
