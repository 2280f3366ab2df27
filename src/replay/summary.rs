//! What is known of a game once it has been replayed.

use std::fmt;

use crate::board::Numbering;
use crate::diag::Code;
use crate::position::{PieceCounts, Position, State};
use crate::rules::{GameRules, Variant};
use crate::simd::{self, Isa, Task};
use crate::span::Span;
use crate::value::{Colour, Outcome};

/// What became of a game. `Copy`, about 250 bytes, no text: spans count from the first byte of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReplaySummary {
    /// Whether it could be replayed.
    pub status: GameStatus,
    /// Which game it is.
    pub variant: Variant,
    /// What its squares are called; the variant's own unless the GameType tag says otherwise.
    pub numbering: Numbering,
    /// How that is known.
    pub basis: VariantBasis,
    /// Another variant under which the whole game would be legal, where the tag or the file names one under which it
    /// is not. [`VariantBasis::Moves`] says that it was preferred.
    pub other_variant: Option<Variant>,
    /// Legal plies of the main line; a null move is none.
    pub plies: u32,
    /// Moves written in the main line, legal or not.
    pub written: u32,
    /// The first position comes from a FEN tag.
    pub from_fen: bool,
    /// The main line contains setups or null moves, so that positions do not all follow from moves.
    pub has_setups: bool,
    /// The position before the first ply.
    pub start: State<u128>,
    /// The position after the last legal ply.
    pub last: State<u128>,
    /// Where the replay stopped before the end of the game, and why.
    pub stop: Option<ReplayStop>,
    /// What the end of the moves says about the result; `None` if nothing ends them.
    pub terminator: Option<WrittenResult>,
    /// What the Result tag says; `None` without one.
    pub result_tag: Option<WrittenResult>,
}

impl ReplaySummary {
    /// The rules and the numbering.
    pub const fn game(&self) -> GameRules {
        GameRules { rules: self.variant.rules(), numbering: self.numbering }
    }

    /// The position before the first ply.
    pub fn start_position(&self) -> Position {
        Position::from_state(self.game(), self.start)
    }

    /// The position after the last legal ply.
    pub fn last_position(&self) -> Position {
        Position::from_state(self.game(), self.last)
    }

    /// Pieces before the first ply.
    pub fn start_counts(&self) -> PieceCounts {
        counts(&self.start)
    }

    /// Pieces after the last legal ply.
    pub fn last_counts(&self) -> PieceCounts {
        counts(&self.last)
    }

    /// How the game ended, by the terminator if that tells, else by the tag.
    pub fn outcome(&self) -> Outcome {
        let told =
            |verdict: Option<WrittenResult>| verdict.map(|v| v.outcome).filter(|&o| o != Outcome::Unknown);
        told(self.terminator).or_else(|| told(self.result_tag)).unwrap_or(Outcome::Unknown)
    }

    /// Who won. The first number of a result belongs to the side that starts in this game type.
    pub fn winner(&self) -> Option<Colour> {
        self.outcome().winner(self.numbering.start)
    }

    /// Whether the terminator and the Result tag both tell how the game ended, and differ.
    pub fn results_differ(&self) -> bool {
        match (self.terminator, self.result_tag) {
            (Some(end), Some(tag)) => {
                end.outcome != tag.outcome
                    && end.outcome != Outcome::Unknown
                    && tag.outcome != Outcome::Unknown
            }
            _ => false,
        }
    }
}

fn counts(state: &State<u128>) -> PieceCounts {
    simd::run(Count(state))
}

/// The counting of pieces: an instruction each where the processor has one for that.
struct Count<'s>(&'s State<u128>);

impl Task for Count<'_> {
    type Output = PieceCounts;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, _: I) -> PieceCounts {
        let men = Colour::ALL.map(|colour| self.0.men(colour).count_ones() as u8);
        let kings = Colour::ALL.map(|colour| self.0.kings(colour).count_ones() as u8);
        PieceCounts { men, kings }
    }
}

/// Whether a game could be replayed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum GameStatus {
    /// Every move of the main line is legal.
    Legal = 0,
    /// A move is illegal; the plies before it are kept.
    Illegal = 1,
    /// Several legal moves answer to a text, and the rest of the game does not tell which is meant.
    Ambiguous = 2,
    /// The text is damaged where the replay stopped: a missing move, a position that cannot be read, lost text.
    Damaged = 3,
    /// There is no move in it.
    Empty = 4,
    /// A game that is not draughts, or a position whose captures are too many to be searched.
    Unsupported = 5,
}

impl GameStatus {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Legal, Self::Illegal, Self::Ambiguous, Self::Damaged, Self::Empty, Self::Unsupported];

    /// As the command line prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Legal => "legal",
            Self::Illegal => "illegal",
            Self::Ambiguous => "ambiguous",
            Self::Damaged => "damaged",
            Self::Empty => "empty",
            Self::Unsupported => "unsupported",
        }
    }
}

impl fmt::Display for GameStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How it is known which game is played.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum VariantBasis {
    /// The GameType tag says so.
    Tag = 0,
    /// The caller says so.
    Caller = 1,
    /// Inferred: it is what other games of the file are, and nothing speaks against it.
    File = 2,
    /// Inferred from the game alone: names of squares, position, who moves, and what replays.
    Game = 3,
    /// Inferred although the GameType tag or the file says otherwise: under that the moves are illegal.
    Moves = 4,
    /// A guess: the game says nothing about it.
    Guess = 5,
}

impl VariantBasis {
    /// Whether neither the file nor the caller says it.
    pub const fn is_inferred(self) -> bool {
        !matches!(self, Self::Tag | Self::Caller)
    }
}

/// Where and why a replay stopped before the end of the main line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReplayStop {
    /// The ply that could not be played, from 0.
    pub ply: u32,
    /// The text of its move, or of what stands in its place.
    pub span: Span,
    /// Why.
    pub reason: StopReason,
}

/// Why a replay stopped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum StopReason {
    /// There is no piece on the first square.
    NoPiece,
    /// The piece on the first square belongs to the side that is not to move.
    OtherSide,
    /// A quiet move, though the side to move must capture.
    MustCapture,
    /// A capture, though another one has precedence.
    Precedence,
    /// The capture is not finished: the piece must go on.
    Unfinished,
    /// A capture from and to these squares exists, but not over the squares written.
    OtherPath,
    /// A king that has made as many moves in a row as the rules allow.
    KingStreak,
    /// No piece of this kind moves like that here.
    Impossible,
    /// The board has no such square.
    NoSuchSquare,
    /// The text cannot be read as a move.
    Unreadable,
    /// Several legal moves answer to the text.
    Ambiguous,
    /// A mark for a missing move.
    MissingMove,
    /// The move does not fit, and text that means nothing stands between it and the move before.
    LostText,
    /// A FEN tag or a setup that names no position on this board.
    BadPosition,
    /// The captures of the position are too many to be searched.
    CaptureLimit,
    /// The GameType tag names no draughts game.
    NotDraughts,
    /// A comment that is never closed has swallowed what followed.
    UnclosedComment,
}

impl StopReason {
    /// The status of a game that stops for this reason.
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

    /// The code of the finding.
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

    /// The reason in words, to follow "the move ... is illegal:".
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
            Self::Ambiguous => "several legal moves answer to the text",
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

/// What a result as written says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrittenResult {
    /// The text.
    pub span: Span,
    /// What it means for the side that starts.
    pub outcome: Outcome,
}
