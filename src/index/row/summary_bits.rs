//! SUMMARY

use super::game_row::GameRow;
use crate::replay::GameStatus;
use crate::value::Outcome;

/// Status, outcome and marks in a byte: bits 0 to 2, 3 to 5, 6 and 7.
pub(crate) fn summary_bits(row: &GameRow<'_>) -> u8 {
    row.status as u8 | (row.outcome as u8) << 3 | u8::from(row.from_fen) << 6 | u8::from(row.has_setups) << 7
}

/// The status of a summary byte.
pub(crate) fn status_of(bits: u64) -> Option<GameStatus> {
    GameStatus::ALL.get(bits as usize & 7).copied()
}

/// The outcome of a summary byte.
pub(crate) fn outcome_of(bits: u64) -> Option<Outcome> {
    let all = [Outcome::FirstWins, Outcome::SecondWins, Outcome::Draw, Outcome::BothLose, Outcome::Unknown];
    all.get(bits as usize >> 3 & 7).copied()
}

/// Whether a game begins in the start position of its kind and goes on with moves alone, by its summary: no setups and
/// no null moves.
pub(crate) fn is_continuous(summary: u64) -> bool {
    summary & (64 | 128) == 0
}
