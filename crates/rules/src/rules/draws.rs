//! Draw rules. They are reported and never enforced, because archives hold many games that were played on after a
//! draw.

/// A rule by which a game is drawn. Lengths are in plies: "n moves each" is 2n plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct EndingMaterial {
    /// The number of pieces, men and kings together.
    pub pieces: u8,
    /// The least number of kings among them.
    pub min_kings: u8,
}

/// The reason why a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
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
