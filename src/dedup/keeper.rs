//! Which game of a group stays, and why.

use std::cmp::Reverse;
use std::fmt;

use super::facts::{FactReader, GameFacts};
use super::text_facts::TextFacts;
use crate::error::Result;

/// Which game of a group stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
#[non_exhaustive]
pub enum KeepRule {
    /// A legal game before a damaged one, then the one with more plies, more known tags, more comments and variations, and last the
    /// first one.
    #[default]
    Best,
    /// The first one.
    First,
    /// The last one.
    Last,
}

/// Why a keeper stays and another game does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum KeeperReason {
    /// It is in the index already.
    Indexed,
    /// It is legal, the other one damaged.
    Legal,
    /// It has more plies.
    MorePlies,
    /// It has more known tags.
    MoreTags {
        /// Known tags of the keeper and of the other game.
        tags: [u32; 2],
    },
    /// It has more comments and variations.
    MoreNotes {
        /// Comments and variations of the keeper and of the other game.
        notes: [u32; 2],
    },
    /// It comes before the other one.
    First,
    /// It comes after the other one.
    Last,
}

impl fmt::Display for KeeperReason {
    /// Writes the reason as a clause about the keeper: `has more plies`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Indexed => f.write_str("is in the index already"),
            Self::Legal => f.write_str("is not damaged"),
            Self::MorePlies => f.write_str("has more plies"),
            Self::MoreTags { tags: [keeper, other] } => {
                write!(f, "has more known tags ({keeper} to {other})")
            }
            Self::MoreNotes { notes: [keeper, other] } => {
                write!(f, "has more comments and variations ({keeper} to {other})")
            }
            Self::First => f.write_str("comes first"),
            Self::Last => f.write_str("comes last"),
        }
    }
}

impl KeeperReason {
    /// Returns the reason as three numbers.
    pub(super) fn to_numbers(self) -> [u32; 3] {
        match self {
            Self::Indexed => [0, 0, 0],
            Self::Legal => [1, 0, 0],
            Self::MorePlies => [2, 0, 0],
            Self::MoreTags { tags: [keeper, other] } => [3, keeper, other],
            Self::MoreNotes { notes: [keeper, other] } => [4, keeper, other],
            Self::First => [5, 0, 0],
            Self::Last => [6, 0, 0],
        }
    }

    /// Returns the reason of [`to_numbers`](Self::to_numbers).
    pub(super) fn from_numbers(numbers: [u32; 3]) -> Self {
        match numbers {
            [0, ..] => Self::Indexed,
            [1, ..] => Self::Legal,
            [2, ..] => Self::MorePlies,
            [3, keeper, other] => Self::MoreTags { tags: [keeper, other] },
            [4, keeper, other] => Self::MoreNotes { notes: [keeper, other] },
            [6, ..] => Self::Last,
            _ => Self::First,
        }
    }
}

/// The place of a game in the order in which games are kept; the least stays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct KeeperRank {
    is_new: bool,
    is_damaged: bool,
    plies: Reverse<u32>,
    tags: Reverse<u32>,
    notes: Reverse<u32>,
    /// Number of the game, or what is left to the greatest number if the last game stays.
    order: u64,
}

impl KeepRule {
    /// Returns the rank of a game. Reads its text if the rule takes that.
    pub(super) fn rank(self, facts: &GameFacts<'_>, reader: &mut FactReader<'_>) -> Result<KeeperRank> {
        let is_new = reader.games.id(facts.number).is_new;
        let order = if is_new && self == Self::Last { u64::MAX - facts.number } else { facts.number };
        let mut rank = KeeperRank {
            is_new,
            is_damaged: false,
            plies: Reverse(0),
            tags: Reverse(0),
            notes: Reverse(0),
            order,
        };
        if is_new && self == Self::Best {
            let TextFacts { tags, notes } = reader.text_facts(facts.number)?;
            rank.is_damaged = facts.is_damaged;
            (rank.plies, rank.tags, rank.notes) = (Reverse(facts.plies), Reverse(tags), Reverse(notes));
        }
        Ok(rank)
    }
}

impl KeeperRank {
    /// Returns why the game of this rank stays and not the one of `other`, a greater rank.
    pub(super) fn reason(&self, other: &Self) -> KeeperReason {
        if !self.is_new {
            return KeeperReason::Indexed;
        }
        if self.is_damaged != other.is_damaged {
            return KeeperReason::Legal;
        }
        if self.plies != other.plies {
            return KeeperReason::MorePlies;
        }
        if self.tags != other.tags {
            return KeeperReason::MoreTags { tags: [self.tags.0, other.tags.0] };
        }
        if self.notes != other.notes {
            return KeeperReason::MoreNotes { notes: [self.notes.0, other.notes.0] };
        }
        if self.order > u64::MAX / 2 { KeeperReason::Last } else { KeeperReason::First }
    }
}
