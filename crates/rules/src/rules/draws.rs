//! Draw rules. They are reported and never enforced, because archives hold many games that were played on after a
//! draw.

use core::fmt;

/// A rule by which a game is drawn. Lengths are in plies: "n moves each" is 2n plies.
///
/// ```
/// use pdn_rules::game::Game;
/// use pdn_rules::internal::rules::DrawRule;
/// use pdn_rules::rules::Variant;
///
/// let mut rules = Variant::International.game();
/// rules.rules.draws = &[DrawRule::OneAgainstOne];
/// let mut game = Game::from_position(pdn_rules::Position::parse_fen(rules, "W:WK1:BK50")?);
/// game.play("1-6")?;
/// assert!(game.outcome().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum DrawRule {
    /// The same position, with the same side to move, has occurred this number of times.
    Repetition(u8),
    /// This many plies in a row without a capture and without a move by a man.
    QuietPlies(u16),
    /// One side has only a king and the other has this material, and neither has changed for a number of plies.
    LoneKing {
        /// The material of the stronger side.
        against: EndingMaterial,
        /// The number of plies since that material was reached.
        plies: u16,
    },
    /// Each side has one piece.
    OneAgainstOne,
}

/// The material of the stronger side in an ending against a lone king.
///
/// ```
/// use pdn_rules::internal::rules::{DrawRule, EndingMaterial};
///
/// // Three pieces, one of them at least a king, have sixteen moves each to beat a lone king.
/// let rule = DrawRule::LoneKing { against: EndingMaterial::new(3, 1), plies: 32 };
/// assert!(matches!(rule, DrawRule::LoneKing { plies: 32, .. }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct EndingMaterial {
    /// The number of pieces, men and kings together.
    pub pieces: u8,
    /// The least number of kings among them.
    pub min_kings: u8,
}

impl EndingMaterial {
    /// Creates the material of this number of pieces, at least `min_kings` of them kings.
    pub const fn new(pieces: u8, min_kings: u8) -> Self {
        Self { pieces, min_kings }
    }
}

/// The reason why a game is drawn.
///
/// ```
/// use pdn_rules::rules::DrawReason;
///
/// assert_eq!(DrawReason::Repetition.to_string(), "a position has occurred too often");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum DrawReason {
    /// A position has occurred too often.
    Repetition,
    /// Only kings have moved, and nothing was captured, for too long.
    QuietPlies,
    /// An ending against a lone king was not won in time.
    LoneKing,
    /// One piece is left on each side.
    OneAgainstOne,
}

impl DrawReason {
    /// Returns the name for programs, such as `repetition`.
    ///
    /// ```
    /// use pdn_rules::rules::DrawReason;
    ///
    /// assert_eq!(DrawReason::LoneKing.name(), "lone_king");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Repetition => "repetition",
            Self::QuietPlies => "quiet_plies",
            Self::LoneKing => "lone_king",
            Self::OneAgainstOne => "one_against_one",
        }
    }
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Repetition => "a position has occurred too often",
            Self::QuietPlies => "only kings have moved, and nothing was captured, for too long",
            Self::LoneKing => "an ending against a lone king was not won in time",
            Self::OneAgainstOne => "one piece is left on each side",
        })
    }
}
