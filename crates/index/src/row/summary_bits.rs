//! The byte that stores status, outcome and flags of a game.

use pdn::replay::GameStatus;
use pdn::value::Outcome;

/// Status, outcome and flags of a game in one byte, as the column [`Section::Summary`] stores them.
///
/// Bits 0 to 2 are the status, bits 3 to 5 the outcome, bit 6 is [`FROM_FEN`](Self::FROM_FEN), bit 7
/// [`HAS_SETUPS`](Self::HAS_SETUPS).
///
/// [`Section::Summary`]: crate::Section::Summary
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SummaryBits(u8);

impl SummaryBits {
    /// Bits of the status.
    const STATUS: u8 = 0b111;
    /// Position of the lowest bit of the outcome.
    const OUTCOME_SHIFT: u32 = 3;
    /// Bits of the outcome, after shifting.
    const OUTCOME: u8 = 0b111;
    /// The game does not start in the start position of its variant: its packed moves begin with a setup.
    pub(crate) const FROM_FEN: u8 = 1 << 6;
    /// The main line contains setups or null moves.
    pub(crate) const HAS_SETUPS: u8 = 1 << 7;

    /// Encodes status, outcome and flags.
    pub(crate) fn new(status: GameStatus, outcome: Outcome, from_fen: bool, has_setups: bool) -> Self {
        let from_fen = u8::from(from_fen) * Self::FROM_FEN;
        let has_setups = u8::from(has_setups) * Self::HAS_SETUPS;
        Self(status as u8 | (outcome as u8) << Self::OUTCOME_SHIFT | from_fen | has_setups)
    }

    /// Creates the summary from a value of the column, whose lowest byte counts.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) const fn from_column(value: u64) -> Self {
        Self(value as u8)
    }

    /// Returns the byte.
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    /// Returns the status as a number, which may be unknown to this version.
    pub(crate) const fn status_number(self) -> usize {
        (self.0 & Self::STATUS) as usize
    }

    /// Returns the status; `None` if the number stands for none.
    pub(crate) fn status(self) -> Option<GameStatus> {
        GameStatus::ALL.get(self.status_number()).copied()
    }

    /// Returns the outcome; `None` if the number stands for none.
    pub(crate) fn outcome(self) -> Option<Outcome> {
        let all =
            [Outcome::FirstWins, Outcome::SecondWins, Outcome::Draw, Outcome::BothLose, Outcome::Unknown];
        all.get(usize::from(self.0 >> Self::OUTCOME_SHIFT & Self::OUTCOME)).copied()
    }

    /// Returns `true` if the packed moves begin with a setup, because the game does not start in the start position.
    pub(crate) const fn starts_from_fen(self) -> bool {
        self.0 & Self::FROM_FEN != 0
    }

    /// Returns `true` if the main line contains setups or null moves.
    pub(crate) const fn has_setups(self) -> bool {
        self.0 & Self::HAS_SETUPS != 0
    }

    /// Returns `true` if the game is continuous: it starts in the start position of its variant and consists of legal
    /// moves only, without setups and null moves.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) const fn is_continuous(self) -> bool {
        self.0 & (Self::FROM_FEN | Self::HAS_SETUPS) == 0
    }
}

/// Returns the status of a value of the summary column; `None` if its number stands for none.
pub(crate) fn status_of(summary: u64) -> Option<GameStatus> {
    SummaryBits::from_column(summary).status()
}

/// Returns the outcome of a value of the summary column; `None` if its number stands for none.
pub(crate) fn outcome_of(summary: u64) -> Option<Outcome> {
    SummaryBits::from_column(summary).outcome()
}

/// Returns [`SummaryBits::is_continuous`] of a value of the summary column.
pub(crate) fn is_continuous(summary: u64) -> bool {
    SummaryBits::from_column(summary).is_continuous()
}
