//! Games with more copies than are compared at once. The keepers of copies are sorted in bounded memory.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::classes::DuplicateClass;
use super::keeper::{KeeperRank, KeeperReason};
use pdn::error::Result;
use pdn_index::internal::external_sort::{ExternalSort, SortedRecords};
use pdn_index::internal::wire::{Reader, Writer};

/// Copies of some games, in bounded memory, until it is known to which keepers these games belong: their copies belong to the same.
///
/// Copies are added by the thread that reads the games, keepers by the one that collects what is found.
// Twin: the copies in a unit; test: copies_told_apart_belong_to_the_same_keepers.
#[derive(Debug)]
pub(super) struct ManyCopies {
    sort: Mutex<ExternalSort>,
}

/// The keeper of a game that has many copies; the game itself if it stays.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeeperOfCopies {
    /// Number of the game that has copies.
    pub(super) first: u64,
    pub(super) keeper: KeeperRank,
}

impl ManyCopies {
    pub(super) fn new(folder: &Path, memory: usize) -> Self {
        Self { sort: Mutex::new(ExternalSort::new(folder, memory)) }
    }

    /// Adds a copy of a game.
    pub(super) fn add_copy(&self, first: &KeeperRank, copy: &KeeperRank) -> Result<()> {
        self.push(first.number(), 1, copy)
    }

    /// Adds the keeper of a game.
    pub(super) fn add_keeper(&self, of: &KeeperOfCopies) -> Result<()> {
        self.push(of.first, 0, &of.keeper)
    }

    fn push(&self, first: u64, order: u8, rank: &KeeperRank) -> Result<()> {
        let mut key = [0; 9];
        key[..8].copy_from_slice(&first.to_be_bytes());
        key[8] = order;
        self.sort.lock().unwrap_or_else(PoisonError::into_inner).push(&key, &rank.to_bytes())
    }

    /// Calls `consume` with the membership of each copy.
    pub(super) fn consume(self, mut consume: impl FnMut(&Membership) -> Result<()>) -> Result<()> {
        let mut sorted = self.sort.into_inner().unwrap_or_else(PoisonError::into_inner).finish()?;
        let mut keeper: Option<KeeperRank> = None;
        while let Some(record) = sorted.next_record()? {
            let Some(rank) = record.payload.first_chunk().map(KeeperRank::from_bytes) else { continue };
            // The keeper of a game comes before its copies.
            if record.key.last() == Some(&0) {
                keeper = Some(rank);
            } else if let Some(keeper) = &keeper {
                consume(&Membership {
                    keeper: keeper.number(),
                    other: rank.number(),
                    class: DuplicateClass::Exact,
                    reason: keeper.reason(&rank),
                })?;
            }
        }
        Ok(())
    }
}

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
