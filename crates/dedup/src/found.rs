//! The duplicates that were found, game by game and in groups, and the comparison of problems by their start positions.

use std::path::Path;

use super::classes::{DuplicateClass, DuplicateEvidence, PairJudge};
use super::facts::{FactReader, GameFacts};
use super::game_record::ProblemRecord;
use super::games::{DedupGame, GameBits, Games};
use super::keeper::{KeepRule, KeeperReason};
use super::many_copies::{Membership, MembershipSort, SortedMemberships};
use super::positions::own_start;
use pdn::error::Result;
use pdn::stop::Stop;
use pdn_index::internal::external_sort::SortedRecords;
use pdn_rules::internal::steps;

/// The duplicates among the games of an index.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
/// # use pdn_index::{ImportOptions, import};
/// use pdn_index::Index;
/// use pdn_dedup::{DedupOptions, DuplicateClass, find_duplicates};
///
/// // The third record is a copy of the first. It has more tags, so it stays.
/// let text = "[White \"Ames\"]\n1. 32-28 *\n\n[White \"Bell\"]\n1. 34-30 *\n\n\
///     [White \"Ames\"]\n[Event \"Cup\"]\n1. 32-28 *\n";
/// std::fs::write(&archive, text)?;
/// # import([&archive], &path, &ImportOptions::new())?;
/// let index = Index::open(&path)?;
/// let duplicates = find_duplicates(&index, None, &DedupOptions::new())?;
/// let kept = index.games().filter(|game| !duplicates.is_other(DuplicateClass::Exact, game.number()));
/// assert_eq!(kept.map(|game| game.number()).collect::<Vec<_>>(), [1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Duplicates<'a> {
    games: Games<'a>,
    counts: [ClassCounts; DuplicateClass::ALL.len()],
    /// The new games that are no keepers, for each class but `same-moves`.
    others: [GameBits; DuplicateClass::REMOVABLE],
    memberships: SortedMemberships,
    uncompared: u64,
    without_text: u64,
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
///
/// [`Duplicates::into_groups`] returns them; [`find_duplicates`](crate::find_duplicates) has an example.
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
///
/// [`DuplicateGroup::others`] has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Duplicate {
    /// The game.
    pub game: DedupGame,
    /// Why the keeper stays and this game does not.
    #[doc(hidden)]
    pub kept_because: KeeperReason,
}

/// A game that belongs to a keeper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct DuplicateMember {
    /// Class of the group.
    pub class: DuplicateClass,
    /// The game that stays; see [`DuplicateGroup::keeper`].
    pub keeper: DedupGame,
    /// The other game.
    pub duplicate: Duplicate,
}

/// Collects what is found.
#[derive(Debug)]
pub(super) struct DuplicatesCollector<'a> {
    games: Games<'a>,
    counts: [ClassCounts; DuplicateClass::ALL.len()],
    others: [GameBits; DuplicateClass::REMOVABLE],
    memberships: MembershipSort,
    /// Number of comparisons of a game with others that were cut short.
    pub(super) uncompared: u64,
    /// The new games that take no part, because no text of them is stored.
    without_text: GameBits,
    /// Class and keeper of the last group.
    last: Option<(DuplicateClass, u64)>,
}

impl<'a> DuplicatesCollector<'a> {
    /// Creates a collector that sorts in `memory` bytes.
    pub(super) fn new(games: Games<'a>, folder: &Path, memory: usize) -> Self {
        let others = [(); DuplicateClass::REMOVABLE].map(|()| GameBits::new(games.new.len()));
        let memberships = MembershipSort::new(folder, memory);
        Self {
            counts: Default::default(),
            others,
            memberships,
            uncompared: 0,
            without_text: GameBits::new(games.new.len()),
            games,
            last: None,
        }
    }

    /// Adds a membership. All members of a group follow each other, apart from those for [`push_more`](Self::push_more).
    pub(super) fn push(&mut self, member: &Membership) -> Result<()> {
        let group = Some((member.class, member.keeper));
        self.counts[member.class as usize].groups += u64::from(self.last != group);
        self.last = group;
        self.push_more(member)
    }

    /// Adds a membership of a group that has members already.
    pub(super) fn push_more(&mut self, member: &Membership) -> Result<()> {
        let class = member.class as usize;
        self.counts[class].others += 1;
        if let (Some(bits), DedupGame { is_new: true, game }) =
            (self.others.get_mut(class), self.games.id(member.other))
        {
            bits.insert(game);
        }
        self.memberships.push(member)
    }

    /// Adds a game that takes no part, because no text of it is stored. Only new games are ranked by their text.
    pub(super) fn lacks_text(&mut self, number: u64) {
        self.without_text.insert(self.games.id(number).game);
    }

    /// Returns `true` if a game belongs to the group of a keeper in one of the classes whose games can be left out.
    pub(super) fn is_other(&self, number: u64) -> bool {
        let id = self.games.id(number);
        id.is_new && self.others.iter().any(|others| others.contains(id.game))
    }

    /// Returns what was collected.
    pub(super) fn finish(self) -> Result<Duplicates<'a>> {
        let Self { games, counts, others, memberships, uncompared, without_text, .. } = self;
        let (memberships, without_text) = (memberships.finish()?, without_text.count());
        Ok(Duplicates { games, counts, others, memberships, uncompared, without_text })
    }
}

impl<'a> Duplicates<'a> {
    /// Returns the number of groups and games of a class.
    #[doc(hidden)]
    pub fn counts(&self, class: DuplicateClass) -> ClassCounts {
        self.counts[class as usize]
    }

    /// Returns the number of comparisons of a game with others that were cut short, because too many games by players of similar names
    /// resemble it. Such a game was compared with the likeliest ones, and may be a duplicate of another one.
    #[doc(hidden)]
    pub fn uncompared(&self) -> u64 {
        self.uncompared
    }

    /// Returns the number of games that resemble others and take no part, because the index has no text of them, and it decides which
    /// game stays. They are in no group. An import with [`ImportOptions::embed`](pdn_index::ImportOptions::embed) stores the texts.
    pub fn without_text(&self) -> u64 {
        self.without_text
    }

    /// Returns `true` if a game, by its number from 0, belongs to the group of a keeper in this class. Never true for the
    /// class `same-moves`, whose games all stay.
    pub fn is_other(&self, class: DuplicateClass, game: u64) -> bool {
        self.others.get(class as usize).is_some_and(|others| others.contains(game))
    }

    /// Returns the games of all groups, in the order of their keepers, of one keeper in the order of the classes, and of one class in that of
    /// the archive. Memory does not depend on the size of a group.
    #[doc(hidden)]
    pub fn into_members(self) -> DuplicateMembers<'a> {
        let Self { games, memberships, .. } = self;
        let reader = FactReader::new(games, KeepRule::First);
        DuplicateMembers { reader, memberships, judge: PairJudge::default() }
    }

    /// Returns all groups, in the order of their keepers, and of one keeper in the order of the classes. A group is held in memory.
    pub fn into_groups(self) -> impl Iterator<Item = Result<DuplicateGroup>> + use<'a> {
        DuplicateGroups { members: self.into_members(), next: None, is_started: false }
    }
}

/// Iterator over the games of groups; see [`Duplicates::into_members`].
#[derive(Debug)]
pub struct DuplicateMembers<'a> {
    reader: FactReader<'a>,
    memberships: SortedMemberships,
    judge: PairJudge,
}

impl DuplicateMembers<'_> {
    fn next_member(&mut self) -> Result<Option<DuplicateMember>> {
        let Some(Membership { keeper, other, class, reason }) = self.memberships.next_membership()? else {
            return Ok(None);
        };
        let [keeper, game] = [keeper, other].map(|number| self.reader.games.id(number));
        Ok(Some(DuplicateMember { class, keeper, duplicate: Duplicate { game, kept_because: reason } }))
    }

    /// Returns what the keeper of a group and another game have in common.
    ///
    /// # Errors
    /// If an index is damaged.
    pub fn evidence(&mut self, keeper: DedupGame, other: DedupGame) -> Result<Option<DuplicateEvidence>> {
        let games = self.reader.games.clone();
        let facts = |id: DedupGame| GameFacts::of(&games, games.number(id));
        let (Some(mut keeper), Some(mut other)) = (facts(keeper)?, facts(other)?) else { return Ok(None) };
        for facts in [&mut keeper, &mut other] {
            // Problems are dated by their publication.
            if own_start(facts.variant, facts.moves).is_some()
                && let Some(date) = self.reader.publication_date(facts.number)
            {
                facts.date = date;
            }
        }
        Ok(Some(self.judge.evidence(&keeper, &other)))
    }
}

impl Iterator for DuplicateMembers<'_> {
    type Item = Result<DuplicateMember>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_member().transpose()
    }
}

/// Iterator over groups; see [`Duplicates::into_groups`].
#[derive(Debug)]
struct DuplicateGroups<'a> {
    members: DuplicateMembers<'a>,
    /// The first member of the next group.
    next: Option<DuplicateMember>,
    is_started: bool,
}

impl DuplicateGroups<'_> {
    fn next_group(&mut self) -> Result<Option<DuplicateGroup>> {
        if !self.is_started {
            self.is_started = true;
            self.next = self.members.next_member()?;
        }
        let Some(DuplicateMember { class, keeper, duplicate }) = self.next.take() else { return Ok(None) };
        let mut others = vec![duplicate];
        while let Some(member) = self.members.next_member()? {
            if (member.keeper, member.class) != (keeper, class) {
                self.next = Some(member);
                break;
            }
            others.push(member.duplicate);
        }
        Ok(Some(DuplicateGroup { class, keeper, others }))
    }
}

impl Iterator for DuplicateGroups<'_> {
    type Item = Result<DuplicateGroup>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_group().transpose()
    }
}

/// Adds the membership of each problem whose position, or shape of a position, an earlier one has to `collector`, as one of `class`. Games that
/// belong to the keeper of another class take no part. O(problems), in memory that does not depend on their number.
// Twin: all pairs; test: fast_way_equals_all_pairs.
pub(super) fn same_positions(
    mut sorted: SortedRecords,
    class: DuplicateClass,
    reader: &mut FactReader<'_>,
    collector: &mut DuplicatesCollector<'_>,
    stop: &Stop,
) -> Result<()> {
    let mut keeper: Option<ProblemRecord> = None;
    while let Some(record) = sorted.next_record()? {
        steps::add(1);
        let Some(problem) = ProblemRecord::read(record.key, record.payload) else { continue };
        if collector.is_other(problem.rank.number()) {
            continue;
        }
        let Some(first) = keeper.filter(|keeper| keeper.position == problem.position) else {
            keeper = Some(problem);
            continue;
        };
        if !problem.rank.is_new() {
            continue;
        }
        // Says why the text cannot be read that decides which one stays.
        let mut has_text = |problem: &ProblemRecord| -> Result<bool> {
            let facts = GameFacts::of(&reader.games, problem.rank.number())?.filter(|_| !problem.is_complete);
            facts.map_or(Ok(true), |mut facts| reader.complete_rank(&mut facts))
        };
        if !has_text(&problem)? {
            collector.lacks_text(problem.rank.number());
            continue;
        }
        if !has_text(&first)? {
            collector.lacks_text(first.rank.number());
            keeper = Some(problem);
            continue;
        }
        stop.check()?;
        collector.push(&Membership {
            keeper: first.rank.number(),
            other: problem.rank.number(),
            class,
            reason: first.rank.reason(&problem.rank),
        })?;
    }
    Ok(())
}
