//! Draw rules. Archives are full of games played on past a draw, so these are reported and never enforced.

/// When a game is drawn. Moves are counted by ply: "n moves each" is 2n plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum DrawRule {
    /// The same position with the same side to move has occurred this often.
    Repetition(u8),
    /// This many plies in a row without a capture and without a move by a man.
    QuietPlies(u16),
    /// One side has only a king, the other has this material, and neither has changed for so many plies.
    LoneKing {
        /// What the stronger side has.
        against: EndingMaterial,
        /// Plies since that material was reached.
        plies: u16,
    },
    /// One piece against one piece.
    OneAgainstOne,
}

/// The material of the stronger side in an ending against a lone king.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct EndingMaterial {
    /// How many pieces, men and kings together.
    pub pieces: u8,
    /// At least this many of them are kings.
    pub min_kings: u8,
}

/// Why a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum DrawReason {
    /// A position has been repeated.
    Repetition,
    /// Nothing but kings has moved for too long.
    QuietPlies,
    /// An ending against a lone king was not won in time.
    LoneKing,
    /// One piece is left on each side.
    OneAgainstOne,
}
