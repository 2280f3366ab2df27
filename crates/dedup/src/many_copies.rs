//! Copies of games that have more of them than are compared at once.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::classes::DuplicateClass;
use super::keeper::KeeperRank;
use super::memberships::Membership;
use pdn::error::Result;
use pdn_index::internal::external_sort::ExternalSort;

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
