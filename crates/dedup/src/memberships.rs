//! Which games belong to which keepers, sorted in bounded memory.

use std::path::Path;

use super::classes::DuplicateClass;
use super::keeper::KeeperReason;
use pdn::error::Result;
use pdn_index::internal::external_sort::{ExternalSort, SortedRecords};
use pdn_index::internal::wire::{Reader, Writer};

/// A game that belongs to the group of a keeper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Membership {
    pub(super) keeper: u64,
    pub(super) other: u64,
    pub(super) class: DuplicateClass,
    pub(super) reason: KeeperReason,
}

/// Sorts memberships by keeper, class and other game.
#[derive(Debug)]
pub(super) struct MembershipSort {
    sort: ExternalSort,
    payload: Writer,
}

impl MembershipSort {
    pub(super) fn new(folder: &Path, memory: usize) -> Self {
        Self { sort: ExternalSort::new(folder, memory), payload: Writer::default() }
    }

    pub(super) fn push(&mut self, member: &Membership) -> Result<()> {
        let mut key = [0; 17];
        key[..8].copy_from_slice(&member.keeper.to_be_bytes());
        key[8] = member.class as u8;
        key[9..].copy_from_slice(&member.other.to_be_bytes());
        self.payload.0.clear();
        for number in member.reason.to_numbers() {
            self.payload.varint(u128::from(number));
        }
        self.sort.push(&key, &self.payload.0)
    }

    pub(super) fn finish(self) -> Result<SortedMemberships> {
        Ok(SortedMemberships(self.sort.finish()?))
    }
}

/// Memberships in their order.
#[derive(Debug)]
pub(super) struct SortedMemberships(SortedRecords);

impl SortedMemberships {
    /// Returns the next membership.
    pub(super) fn next_membership(&mut self) -> Result<Option<Membership>> {
        let Some(record) = self.0.next_record()? else { return Ok(None) };
        Ok(read_membership(record.key, record.payload))
    }
}

fn read_membership(key: &[u8], payload: &[u8]) -> Option<Membership> {
    let class = *DuplicateClass::ALL.get(usize::from(*key.get(8)?))?;
    let [keeper, other] = [key.first_chunk()?, key.last_chunk()?].map(|bytes| u64::from_be_bytes(*bytes));
    let mut reader = Reader(payload);
    let mut number = || u32::try_from(reader.varint()?).ok();
    let reason = KeeperReason::from_numbers([number()?, number()?, number()?]);
    Some(Membership { keeper, other, class, reason })
}
