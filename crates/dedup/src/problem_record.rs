//! A problem as a record that is sorted by its start position.

use twox_hash::XxHash3_64;

use super::keeper::KeeperRank;
use super::positions::{EqualForms, PositionKey, ProblemPosition};
use pdn::rules::Variant;

/// Returns the variant and the start position of a record with a position of its own; `None` for all others.
pub(super) fn problem_position(variant: Variant, moves: &[u8], forms: EqualForms) -> Option<ProblemPosition> {
    let mut bytes = [variant as u8; 1 + PositionKey::LEN];
    bytes[1..].copy_from_slice(PositionKey::of_record(variant, moves, forms)?.as_bytes());
    Some(bytes)
}

/// Returns a hash that is equal for problems with one position.
pub(super) fn position_hash(position: &ProblemPosition) -> u64 {
    XxHash3_64::oneshot(position)
}

/// A problem in the external sort. Its key is the position followed by the rank, so that problems with one position follow each other and
/// the one to keep comes first.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProblemRecord {
    pub(super) position: ProblemPosition,
    pub(super) rank: KeeperRank,
    /// `true` if the rank takes the text of the record into account. The payload of the sort.
    pub(super) is_complete: bool,
}

impl ProblemRecord {
    /// Bytes of the key.
    const KEY_LEN: usize = 1 + PositionKey::LEN + KeeperRank::LEN;

    /// Returns the key and the payload.
    pub(super) fn to_bytes(self) -> ([u8; Self::KEY_LEN], [u8; 1]) {
        let mut key = [0; Self::KEY_LEN];
        let (position, rank) = key.split_at_mut(self.position.len());
        position.copy_from_slice(&self.position);
        rank.copy_from_slice(&self.rank.to_bytes());
        (key, [u8::from(self.is_complete)])
    }

    /// Reads a record; `None` if it is not one.
    pub(super) fn read(key: &[u8], payload: &[u8]) -> Option<Self> {
        let (&position, rank) = key.split_first_chunk()?;
        let rank = KeeperRank::from_bytes(rank.first_chunk()?);
        Some(Self { position, rank, is_complete: payload == [1] })
    }
}
