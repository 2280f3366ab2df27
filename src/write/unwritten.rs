//! Why a record is not rewritten.

use std::fmt;

use crate::diag::Code;
use crate::movegen::CaptureLimit;
use crate::replay::{GameStatus, StopReason};

/// Why a record cannot be written in canonical form without losing or changing something.
///
/// Such a record is best kept unchanged.
///
/// ```
/// use pdn::replay::GameStatus;
/// use pdn::write::{RecordWriter, Unwritten, WriteOptions};
///
/// let mut writer = RecordWriter::new(&WriteOptions::new());
/// let mut text = b"the games before\n".to_vec();
/// let error = writer.write(b"1. 32-28 19-23 2. 37-32 *", &mut text).unwrap_err();
/// assert_eq!(error, Unwritten::NotLegal(GameStatus::Illegal));
/// assert_eq!(format!("the game is kept as it is: {error}"), "the game is kept as it is: an illegal move");
/// assert_eq!(text, b"the games before\n");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Unwritten {
    /// The text has a defect whose repair is a decision, such as an unclosed comment or text without meaning.
    Defect(Code),
    /// The main line is not legal to its end.
    NotLegal(GameStatus),
    /// A move of a variation cannot be played.
    Variation(StopReason),
    /// The Result tag and the terminator give different outcomes.
    ResultsDiffer,
    /// A tag name contains bytes other than letters, digits and underscores.
    TagName,
    /// A tag value goes over several lines.
    TagValue,
    /// A comment contains a closing brace.
    Comment,
    /// A move has several strengths, or one that PDN 3.0 has no sign for.
    Strength,
    /// A setup or a null move, which the target program does not read.
    Setup,
    /// A position without a side to move, or with counters, for which the Hub protocol has no form.
    HubPosition,
    /// The lines of the game would be far longer than the game, if each were a game of its own.
    ManyLines,
    /// The record has neither tags nor movetext.
    Empty,
    /// A byte has no meaning in the encoding of the record.
    Encoding,
    /// A position has more captures than the search limit allows.
    CaptureLimit,
    /// The canonical text would be read differently, such as a last move that looks like the result.
    ReadsDifferently,
}

impl Unwritten {
    /// Returns the code of the diagnostic that a check of the record reports for the same reason; `None` if there is none.
    pub const fn code(self) -> Option<Code> {
        match self {
            Self::Defect(code) => Some(code),
            Self::Variation(reason) => Some(reason.code()),
            Self::NotLegal(GameStatus::Unsupported) => Some(Code::UnsupportedGame),
            Self::ResultsDiffer => Some(Code::ResultMismatch),
            Self::CaptureLimit => Some(Code::CaptureLimit),
            _ => None,
        }
    }

    /// Returns the reason as a clause that can follow "the game is kept as it is:".
    pub const fn text(self) -> &'static str {
        match self {
            Self::Defect(code) => code.title(),
            Self::NotLegal(GameStatus::Illegal) => "an illegal move",
            Self::NotLegal(GameStatus::Ambiguous) => "an ambiguous move",
            Self::NotLegal(GameStatus::Unsupported) => "a game that is not draughts",
            Self::NotLegal(_) => "text is lost",
            Self::Variation(_) => "an illegal move in a variation",
            Self::ResultsDiffer => "the Result tag and the end of the game disagree",
            Self::TagName => "a tag name with other characters than letters, digits and `_`",
            Self::TagValue => "a tag value over several lines",
            Self::Comment => "a comment with a closing brace inside",
            Self::Strength => "a move strength that PDN 3.0 has no sign for",
            Self::Setup => "a setup or null move, which the target program does not read",
            Self::HubPosition => "a position that the Hub protocol has no form for",
            Self::ManyLines => "lines that are far longer together than the game",
            Self::Empty => "nothing to write",
            Self::Encoding => "a byte without a meaning in the encoding of the game",
            Self::CaptureLimit => "more captures than the search limit allows",
            Self::ReadsDifferently => "a canonical text that would be read differently",
        }
    }
}

impl fmt::Display for Unwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl std::error::Error for Unwritten {}

impl From<CaptureLimit> for Unwritten {
    fn from(CaptureLimit: CaptureLimit) -> Self {
        Self::CaptureLimit
    }
}
