//! Finds all duplicates: sorts the games, compares them on several threads, and collects the groups.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::classes::{DuplicateClass, DuplicateEvidence, PairJudge};
use super::facts::GameFacts;
use super::game_bits::GameBits;
use super::games::{DedupGame, Games};
use super::groups::{Membership, UnitWorker};
use super::keeper::{KeepRule, KeeperReason};
use super::text_facts::TextTable;
use super::unit_sort::sort_by_moves;
use super::units::{UnitBatch, Units, likely_copies};
use crate::error::{Error, ErrorKind, Result};
use crate::external_sort::{ExternalSort, SortedRecords};
use crate::index::Index;
use crate::pool;

/// How duplicates are found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DedupOptions {
    /// Which game of a group stays.
    pub keep: KeepRule,
    /// Number of threads.
    pub threads: NonZeroUsize,
    /// Bytes of memory for sorting; see [`ExternalSort`].
    pub memory: usize,
    /// Folder of temporary files, needed if the games do not fit in this memory.
    pub folder: PathBuf,
    /// Stops the work if another thread sets it: [`find_duplicates`] then fails with
    /// [`ErrorKind::Stopped`] within some ten milliseconds. `None`, the default, never stops.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Default for DedupOptions {
    /// Returns options for all processors, 64 MiB, and the folder of the system for temporary files.
    fn default() -> Self {
        Self {
            keep: KeepRule::Best,
            threads: pool::default_threads(),
            memory: 64 << 20,
            folder: std::env::temp_dir(),
            stop: None,
        }
    }
}

impl DedupOptions {
    /// Creates the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets [`DedupOptions::keep`].
    #[must_use]
    pub fn keep(mut self, keep: KeepRule) -> Self {
        self.keep = keep;
        self
    }

    /// Sets [`DedupOptions::threads`].
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// Sets [`DedupOptions::memory`].
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// Sets [`DedupOptions::folder`].
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = folder.into();
        self
    }

    /// Sets [`DedupOptions::stop`].
    #[must_use]
    pub fn stop(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Fails if another thread has stopped the work.
    fn check_stop(&self) -> Result<()> {
        match &self.stop {
            Some(stop) if stop.load(Ordering::Relaxed) => Err(ErrorKind::Stopped.into()),
            _ => Ok(()),
        }
    }
}

/// The duplicates among the games of an index.
#[derive(Debug)]
pub struct Duplicates<'a> {
    games: Games<'a>,
    counts: [ClassCounts; DuplicateClass::ALL.len()],
    /// The new games that are no keepers, for each class but `same-moves`.
    others: [GameBits; 3],
    /// Keeper, class and other game; see [`GroupKey`].
    memberships: SortedRecords,
}

/// Groups and games of one class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct ClassCounts {
    /// Groups.
    pub groups: u64,
    /// Games in these groups without their keepers.
    pub others: u64,
}

/// Games of one class that belong to one keeper.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct DuplicateGroup {
    /// Class of all games of the group.
    pub class: DuplicateClass,
    /// The game that stays. In the class `same-moves`, where all games stay, the first in the order in which games would
    /// be kept.
    pub keeper: DedupGame,
    /// The others, in the order of the archive.
    pub others: Vec<Duplicate>,
}

/// A game of a group that is not its keeper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Duplicate {
    /// The game.
    pub game: DedupGame,
    /// Why the keeper stays and this game does not.
    pub kept_because: KeeperReason,
}

/// Finds the games of `index` that are recorded more than once or, with `known`, also those that this index has
/// already. Neither index is changed.
///
/// Time is O(n log n) in the number of games that share their first 20 plies with another one, and O(n) in all others. Memory is
/// about twice [`DedupOptions::memory`], a byte for each game, and some hundred bytes for each different game of the largest group of games
/// with one opening. Results depend neither on threads nor on memory.
///
/// # Errors
/// If an index is damaged, if the text of games that have duplicates cannot be read, or if a temporary file cannot be
/// written. The text is needed for [`KeepRule::Best`] and for records without a legal move.
/// [`ErrorKind::Stopped`] if [`DedupOptions::stop`] is set.
pub fn find_duplicates<'a>(
    index: &'a Index,
    known: Option<&'a Index>,
    options: &DedupOptions,
) -> Result<Duplicates<'a>> {
    let games = Games::open(known, index)?;
    let sort = ExternalSort::new(&options.folder, options.memory);
    let mut sorted =
        sort_by_moves(&games, options.threads, sort, options.memory / 4, &|| options.check_stop())?;
    let mut table = TextTable::empty();
    if options.keep == KeepRule::Best {
        let wanted = likely_copies(&mut sorted, games.first_new(), index.len(), &|| options.check_stop())?;
        sorted.rewind()?;
        table =
            TextTable::read(&games, &wanted, options.threads, options.memory / 2, &|| options.check_stop())?;
    }
    let table = Arc::new(table);
    let units = Units::new(sorted, games.first_new());
    let mut others = [(); 3].map(|()| GameBits::new(index.len()));
    let mut counts = [ClassCounts::default(); DuplicateClass::ALL.len()];
    let mut by_keeper = ExternalSort::new(&options.folder, options.memory / 2);
    let mut written = Ok(());
    pool::try_ordered(
        units,
        options.threads,
        || UnitWorker::new(games.clone(), options.keep, Arc::clone(&table)),
        |worker, batch: Result<UnitBatch>| {
            let mut found = Vec::new();
            for unit in batch?.units() {
                options.check_stop()?;
                worker.work(&unit, &mut found)?;
            }
            found.sort_unstable_by_key(|member| (member.class, member.keeper, member.other));
            Ok::<_, Error>(found)
        },
        |found: Vec<Membership>| {
            written = options.check_stop();
            if written.is_err() {
                return ControlFlow::Break(());
            }
            let mut before = None;
            for member in &found {
                let class = member.class as usize;
                counts[class].others += 1;
                // All members of a group are in one unit, so in one batch.
                let group = Some((member.class, member.keeper));
                counts[class].groups += u64::from(before != group);
                before = group;
                if let (Some(bits), DedupGame { is_new: true, game }) =
                    (others.get_mut(class), games.id(member.other))
                {
                    bits.insert(game);
                }
                written = by_keeper.push(&GroupKey::of(member).bytes(), &payload(member.reason));
                if written.is_err() {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        },
    )?;
    written?;
    Ok(Duplicates { games, counts, others, memberships: by_keeper.finish()? })
}

/// What memberships are sorted by.
struct GroupKey {
    keeper: u64,
    class: DuplicateClass,
    other: u64,
}

impl GroupKey {
    fn of(member: &Membership) -> Self {
        Self { keeper: member.keeper, class: member.class, other: member.other }
    }

    fn bytes(&self) -> [u8; 17] {
        let mut bytes = [0; 17];
        bytes[..8].copy_from_slice(&self.keeper.to_be_bytes());
        bytes[8] = self.class as u8;
        bytes[9..].copy_from_slice(&self.other.to_be_bytes());
        bytes
    }

    fn read(key: &[u8]) -> Option<Self> {
        let class = *DuplicateClass::ALL.get(usize::from(*key.get(8)?))?;
        let keeper = u64::from_be_bytes(*key.first_chunk()?);
        Some(Self { keeper, class, other: u64::from_be_bytes(*key.last_chunk()?) })
    }
}

fn payload(reason: KeeperReason) -> Vec<u8> {
    reason.to_numbers().into_iter().flat_map(u32::to_le_bytes).collect()
}

fn reason_of(payload: &[u8]) -> KeeperReason {
    let (numbers, _) = payload.as_chunks::<4>();
    let number = |at: usize| numbers.get(at).map_or(0, |bytes| u32::from_le_bytes(*bytes));
    KeeperReason::from_numbers([number(0), number(1), number(2)])
}

impl<'a> Duplicates<'a> {
    /// Returns the number of groups and games of a class.
    pub fn counts(&self, class: DuplicateClass) -> ClassCounts {
        self.counts[class as usize]
    }

    /// Returns `true` if a game, by its number from 0, belongs to the group of a keeper in this class. Never true for the
    /// class `same-moves`, whose games all stay.
    pub fn is_other(&self, class: DuplicateClass, game: u64) -> bool {
        self.others.get(class as usize).is_some_and(|others| others.contains(game))
    }

    /// Returns all groups, in the order of their keepers, and of one keeper in the order of the classes.
    pub fn into_groups(self) -> DuplicateGroups<'a> {
        let Self { games, memberships, .. } = self;
        DuplicateGroups {
            evidence: Evidence::new(games.clone()),
            games,
            memberships,
            next: None,
            is_started: false,
        }
    }
}

/// Iterator over groups; see [`Duplicates::into_groups`].
#[derive(Debug)]
pub struct DuplicateGroups<'a> {
    games: Games<'a>,
    memberships: SortedRecords,
    /// The first member of the next group.
    next: Option<(u64, DuplicateClass, Duplicate)>,
    is_started: bool,
    evidence: Evidence<'a>,
}

impl DuplicateGroups<'_> {
    fn read(&mut self) -> Result<Option<(u64, DuplicateClass, Duplicate)>> {
        let Some(record) = self.memberships.next_record()? else { return Ok(None) };
        let Some(key) = GroupKey::read(record.key) else { return Ok(None) };
        let game = self.games.id(key.other);
        Ok(Some((key.keeper, key.class, Duplicate { game, kept_because: reason_of(record.payload) })))
    }

    fn next_group(&mut self) -> Result<Option<DuplicateGroup>> {
        if !self.is_started {
            self.is_started = true;
            self.next = self.read()?;
        }
        let Some((keeper, class, first)) = self.next.take() else { return Ok(None) };
        let mut others = vec![first];
        while let Some(member) = self.read()? {
            if (member.0, member.1) != (keeper, class) {
                self.next = Some(member);
                break;
            }
            others.push(member.2);
        }
        Ok(Some(DuplicateGroup { class, keeper: self.games.id(keeper), others }))
    }

    /// Returns what the keeper of a group and another game have in common.
    ///
    /// # Errors
    /// If an index is damaged.
    pub fn evidence(&mut self, keeper: DedupGame, other: DedupGame) -> Result<Option<DuplicateEvidence>> {
        self.evidence.of(keeper, other)
    }
}

impl Iterator for DuplicateGroups<'_> {
    type Item = Result<DuplicateGroup>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_group().transpose()
    }
}

/// Computes the evidence about pairs of games.
#[derive(Debug)]
struct Evidence<'a> {
    games: Games<'a>,
    judge: PairJudge,
}

impl<'a> Evidence<'a> {
    fn new(games: Games<'a>) -> Self {
        Self { games, judge: PairJudge::default() }
    }

    fn of(&mut self, keeper: DedupGame, other: DedupGame) -> Result<Option<DuplicateEvidence>> {
        let games = &self.games;
        let (keeper, other) = (games.number(keeper), games.number(other));
        let facts = |number| GameFacts::of(games, number);
        let (Some(keeper), Some(other)) = (facts(keeper)?, facts(other)?) else { return Ok(None) };
        Ok(Some(self.judge.evidence(&keeper, &other)))
    }
}
