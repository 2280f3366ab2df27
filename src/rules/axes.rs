//! The axes on which the rules of draughts games differ.

use super::draws::DrawRule;
use crate::board::{Board, Directions};

/// Everything that decides how a game is played, apart from the names of its squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Rules {
    /// The board.
    pub board: Board,
    /// The pieces at the start.
    pub setup: StartSetup,
    /// How pieces move, capture and promote.
    pub movement: Movement,
    /// What ends a game, and in whose favour.
    pub ending: Ending,
    /// When a game is drawn. Reported, never enforced.
    pub draws: &'static [DrawRule],
    /// What separates the squares of a capture when it is written.
    pub capture_separator: char,
}

/// Where the men stand at the start; each side has the same, turned by half a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct StartSetup {
    /// Rows left free between a side and its own edge: 1 in Turkish draughts, 0 elsewhere.
    pub free: u8,
    /// Rows filled with men.
    pub rows: u8,
}

/// How pieces move, capture and promote: the part of the rules that a move generator reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Movement {
    /// Where White's men may step.
    pub man_steps: Directions,
    /// Where White's men may capture.
    pub man_captures: Directions,
    /// Where kings may move.
    pub king_moves: Directions,
    /// Where kings may capture.
    pub king_captures: Directions,
    /// Whether kings move and capture over any distance.
    pub flying: bool,
    /// Where a flying king may land.
    pub king_landing: KingLanding,
    /// When captured pieces leave the board.
    pub removal: Removal,
    /// Whether a capture may turn back by half a turn. It makes a difference only where pieces leave at once.
    pub reversal: bool,
    /// What happens to a man that reaches the last row in the course of a capture.
    pub mid_promotion: MidPromotion,
    /// Whether a man may capture a king.
    pub man_takes_king: bool,
    /// Which captures must be preferred.
    pub precedence: Precedence,
    /// How many quiet moves in a row one king may make while its side has a man; 0 for no limit.
    pub king_streak: u8,
}

/// Where a flying king may land behind its victim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum KingLanding {
    /// On any free square, as long as it can go on capturing if any of them allows it.
    Anywhere,
    /// Only on the first square.
    RightBehind,
}

/// When captured pieces leave the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Removal {
    /// After the whole capture; until then they stand in the way and cannot be jumped again.
    AtEnd,
    /// As soon as they are jumped.
    AtOnce,
}

/// What happens to a man that reaches the last row in the course of a capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum MidPromotion {
    /// It goes on as a man if it can, and is crowned only if the capture ends there.
    GoesOnAsMan,
    /// The capture ends, and it is crowned.
    Stops,
    /// It is crowned at once and goes on as a king if it can.
    GoesOnAsKing,
}

/// Which captures must be preferred.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Precedence {
    /// Any capture may be chosen.
    Free,
    /// The one that takes most pieces.
    MostPieces,
    /// The one that takes most pieces, among these the one that takes most kings.
    MostPiecesThenKings,
    /// Most pieces; then capturing with the king; then most kings taken; then the order in which they are taken.
    Italian(ItalianOrder),
    /// If a king can capture, a king must; no other preference.
    WithKing,
    /// The highest value; then capturing with a king.
    Value(KingValue),
}

/// The fourth rule of Italian precedence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ItalianOrder {
    /// Every king must be taken as early as possible.
    EveryKing,
    /// Only the first king counts.
    FirstKing,
}

/// What kings are worth beside men when captures are compared by value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum KingValue {
    /// n kings count more than 2n - 1 men and less than 2n.
    AlmostTwoMen,
    /// A king counts a man and a half.
    ManAndHalf,
}

/// What ends a game, and in whose favour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Ending {
    /// A side without a move or a piece has lost.
    NoMoveLoses,
    /// A side without a move or a piece has won.
    NoMoveWins,
    /// The first king wins; a side without a move or a piece has lost.
    FirstKingWins,
}

impl Precedence {
    /// Whether a capture of one piece can never be preferred to a longer one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn prefers_more(self) -> bool {
        !matches!(self, Self::Free | Self::WithKing)
    }

    /// Whether two captures of one piece each are on a par when no king takes or is taken.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn looks_at_kings(self) -> bool {
        !matches!(self, Self::Free | Self::MostPieces)
    }
}
