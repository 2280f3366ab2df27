//! The axes on which the rules of draughts games differ.

use core::fmt;

use super::draws::DrawRule;
use crate::board::{Board, Directions};

/// All rules of a game except the names of its squares.
///
/// Rules of one's own are those of a variant with other fields:
///
/// ```
/// use pdn_rules::internal::rules::Precedence;
/// use pdn_rules::rules::Variant;
/// use pdn_rules::Position;
///
/// let mut game = Variant::International.game();
/// game.rules.movement.precedence = Precedence::Free;
/// let fen = "W:W26,33:B12,21,29";
/// assert_eq!(Position::parse_fen(Variant::International, fen)?.moves()?.len(), 1, "only 26x17x8");
/// assert_eq!(Position::parse_fen(game, fen)?.moves()?.len(), 2, "or 33x24");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct Rules {
    /// The board.
    pub board: Board,
    /// The men at the start.
    pub setup: StartSetup,
    /// How pieces move, capture and promote.
    pub movement: Movement,
    /// What ends a game, and which side has won.
    pub ending: Ending,
    /// The draw rules. They are reported, never enforced.
    pub draws: &'static [DrawRule],
    /// The separator between the squares of a written capture.
    pub capture_separator: char,
}

/// The rows of men at the start. Both sides have the same, rotated by 180 degrees.
///
/// ```
/// use pdn_rules::board::Board;
/// use pdn_rules::internal::rules::StartSetup;
/// use pdn_rules::rules::Variant;
/// use pdn_rules::Position;
///
/// let mut game = Variant::Thai.game();
/// game.rules.setup = StartSetup::new(Board::Eight, 0, 3)?;
/// assert_eq!(Position::start(game).counts().men, [12, 12]);
/// assert!(StartSetup::new(Board::Eight, 0, 5).is_err());
/// # Ok::<(), pdn_rules::internal::rules::SetupError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct StartSetup {
    pub(super) free: u8,
    pub(super) rows: u8,
}

impl StartSetup {
    /// Creates the setup with `rows` rows of men behind `free` empty rows at each edge of a board.
    ///
    /// # Errors
    /// If the men of one side reach beyond its half of the board.
    pub const fn new(board: Board, free: u8, rows: u8) -> Result<Self, SetupError> {
        if free as u32 + rows as u32 <= board.height() as u32 / 2 {
            Ok(Self { free, rows })
        } else {
            Err(SetupError)
        }
    }

    /// Returns the number of rows left free between a side and its own edge: 1 in Turkish draughts, 0 elsewhere.
    pub const fn free(self) -> u8 {
        self.free
    }

    /// Returns the number of rows filled with men.
    pub const fn rows(self) -> u8 {
        self.rows
    }
}

/// The error of a start setup with more rows than a side has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct SetupError;

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the men of one side reach beyond its half of the board")
    }
}

impl core::error::Error for SetupError {}

/// How pieces move, capture and promote: the part of the rules that a move generator reads.
///
/// ```
/// use pdn_rules::internal::board::Directions;
/// use pdn_rules::rules::Variant;
///
/// let movement = Variant::Frisian.rules().movement;
/// assert_eq!((movement.man_captures, movement.king_streak), (Directions::EIGHT, 3));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct Movement {
    // The rows of the table differ most in the first three, which a search for the row compares first.
    /// The captures that take precedence over others.
    pub precedence: Precedence,
    /// The fate of a man that reaches the last row during a capture.
    pub mid_promotion: MidPromotion,
    /// `true` if kings move and capture over any distance.
    pub flying: bool,
    /// The directions in which White's men may step.
    pub man_steps: Directions,
    /// The directions in which White's men may capture.
    pub man_captures: Directions,
    /// The directions in which kings may move.
    pub king_moves: Directions,
    /// The directions in which kings may capture.
    pub king_captures: Directions,
    /// The squares on which a flying king may land.
    pub king_landing: KingLanding,
    /// The time at which captured pieces leave the board.
    pub removal: Removal,
    /// `true` if a capture may turn back by 180 degrees. It makes a difference only if captured pieces leave at
    /// once.
    pub reversal: bool,
    /// `true` if a man may capture a king.
    pub man_takes_king: bool,
    /// The number of quiet moves in a row that one king may make while its side has a man; 0 for no limit.
    pub king_streak: u8,
}

/// The squares on which a flying king may land after a jump.
///
/// ```
/// use pdn_rules::internal::rules::KingLanding;
/// use pdn_rules::rules::Variant;
///
/// assert_eq!(Variant::Thai.rules().movement.king_landing, KingLanding::RightBehind);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum KingLanding {
    /// Any free square after the captured piece. If the capture can continue from some of these squares, the king
    /// must land on one of them.
    Anywhere,
    /// Only the first square after the captured piece.
    RightBehind,
}

/// The time at which captured pieces leave the board.
///
/// ```
/// use pdn_rules::internal::rules::Removal;
/// use pdn_rules::rules::Variant;
///
/// assert_eq!(Variant::Turkish.rules().movement.removal, Removal::AtOnce);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Removal {
    /// After the whole capture. Until then they block the way and cannot be jumped again.
    AtEnd,
    /// As soon as they are jumped.
    AtOnce,
}

/// The fate of a man that reaches the last row during a capture.
///
/// ```
/// use pdn_rules::internal::rules::MidPromotion;
/// use pdn_rules::rules::Variant;
///
/// assert_eq!(Variant::Russian.rules().movement.mid_promotion, MidPromotion::GoesOnAsKing);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum MidPromotion {
    /// It continues as a man if it can. It is promoted only if the capture ends there.
    GoesOnAsMan,
    /// The capture ends, and the man is promoted.
    Stops,
    /// It is promoted at once and continues as a king if it can.
    GoesOnAsKing,
}

/// The captures that take precedence over others.
///
/// ```
/// use pdn_rules::internal::rules::Precedence;
/// use pdn_rules::rules::Variant;
///
/// assert_eq!(Variant::Spanish.rules().movement.precedence, Precedence::MostPiecesThenKings);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Precedence {
    /// Any capture may be chosen.
    Free,
    /// The capture with the most captured pieces.
    MostPieces,
    /// The capture with the most captured pieces; among these the one with the most captured kings.
    MostPiecesThenKings,
    /// Most captured pieces; then a capture by a king; then most captured kings; then the order of the captured
    /// kings.
    Italian(ItalianOrder),
    /// A king must capture if it can. There is no other preference.
    WithKing,
    /// The highest value; then a capture by a king.
    Value(KingValue),
}

/// The fourth rule of Italian precedence.
///
/// ```
/// use pdn_rules::internal::rules::{ItalianOrder, Precedence};
/// use pdn_rules::rules::Variant;
///
/// assert_eq!(Variant::Italian.rules().movement.precedence, Precedence::Italian(ItalianOrder::EveryKing));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum ItalianOrder {
    /// Every king must be captured as early as possible.
    EveryKing,
    /// Only the first captured king counts: it must come as early as possible.
    FirstKing,
}

/// The value of a king relative to a man when captures are compared by value.
///
/// ```
/// use pdn_rules::internal::rules::{KingValue, Precedence};
/// use pdn_rules::rules::Variant;
///
/// assert_eq!(Variant::Frisian.rules().movement.precedence, Precedence::Value(KingValue::AlmostTwoMen));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum KingValue {
    /// n kings are worth more than 2n - 1 men and less than 2n men.
    AlmostTwoMen,
    /// A king is worth a man and a half.
    ManAndHalf,
}

/// What ends a game, and which side has won.
///
/// ```
/// use pdn_rules::internal::rules::Ending;
/// use pdn_rules::rules::Variant;
///
/// assert_eq!(Variant::Breakthrough.rules().ending, Ending::FirstKingWins);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Ending {
    /// A side without a move or a piece has lost.
    NoMoveLoses,
    /// A side without a move or a piece has won.
    NoMoveWins,
    /// The first king wins; a side without a move or a piece has lost.
    FirstKingWins,
}

impl Precedence {
    /// Returns `true` if a capture of one piece never takes precedence over a longer capture.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn prefers_more(self) -> bool {
        !matches!(self, Self::Free | Self::WithKing)
    }

    /// Returns `true` if the precedence of a capture depends on kings, capturing or captured. If it does not, two
    /// captures of one piece each have equal precedence.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn looks_at_kings(self) -> bool {
        !matches!(self, Self::Free | Self::MostPieces)
    }
}
