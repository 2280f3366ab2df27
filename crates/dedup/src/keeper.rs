//! Which game of a group stays, and why.

use std::cmp::Reverse;
use std::fmt;

use pdn::limits::Limits;
use pdn::parse::{Comment, Flow, TagPair, VariationAction, VariationMark, Visitor, walk_with};

/// Which game of a group stays.
///
/// [`DedupOptions`](crate::DedupOptions) has an example in which the last game stays, and
/// [`Duplicates`](crate::Duplicates) one in which the best one does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
#[non_exhaustive]
pub enum KeepRule {
    /// A legal game before a damaged one, then the one with more plies, more comments and variations, more known tags, and last the
    /// first one. Tags of a removed copy can be added to the one that stays, comments cannot.
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
    notes: Reverse<u32>,
    tags: Reverse<u32>,
    /// Number of the game, or what is left to the greatest number if the last game stays.
    order: u64,
}

/// What a rank is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankedGame {
    pub(super) number: u64,
    pub(super) is_new: bool,
    pub(super) is_damaged: bool,
    pub(super) plies: u32,
    pub(super) text: TextFacts,
}

impl KeepRule {
    /// Returns the rank of a game.
    pub(super) fn rank(self, game: &RankedGame) -> KeeperRank {
        let is_ranked = game.is_new && self == Self::Best;
        let order = if game.is_new && self == Self::Last { u64::MAX - game.number } else { game.number };
        let count = |count: u32| Reverse(if is_ranked { count } else { 0 });
        KeeperRank {
            is_new: game.is_new,
            is_damaged: is_ranked && game.is_damaged,
            plies: count(game.plies),
            notes: count(game.text.notes),
            tags: count(game.text.tags),
            order,
        }
    }
}

impl KeeperRank {
    /// Bytes of a rank.
    pub(super) const LEN: usize = 22;

    /// Returns the rank in bytes whose order is that of ranks.
    pub(super) fn to_bytes(self) -> [u8; Self::LEN] {
        let mut bytes = [0; Self::LEN];
        (bytes[0], bytes[1]) = (u8::from(self.is_new), u8::from(self.is_damaged));
        for (at, Reverse(count)) in [(2, self.plies), (6, self.notes), (10, self.tags)] {
            bytes[at..at + 4].copy_from_slice(&(!count).to_be_bytes());
        }
        bytes[14..].copy_from_slice(&self.order.to_be_bytes());
        bytes
    }

    /// Returns the rank of [`to_bytes`](Self::to_bytes).
    pub(super) fn from_bytes(bytes: &[u8; Self::LEN]) -> Self {
        let count =
            |at: usize| Reverse(!bytes[at..].first_chunk().map_or(0, |bytes| u32::from_be_bytes(*bytes)));
        let order = bytes.last_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes));
        Self {
            is_new: bytes[0] != 0,
            is_damaged: bytes[1] != 0,
            plies: count(2),
            notes: count(6),
            tags: count(10),
            order,
        }
    }

    /// Returns `false` for a game of the index that others are compared with.
    pub(super) fn is_new(&self) -> bool {
        self.is_new
    }

    /// Returns the number of the game.
    pub(super) fn number(&self) -> u64 {
        self.order.min(u64::MAX - self.order)
    }

    /// Returns what the text of the game adds, if it counts.
    pub(super) fn text(&self) -> TextFacts {
        TextFacts { tags: self.tags.0, notes: self.notes.0 }
    }

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
        if self.notes != other.notes {
            return KeeperReason::MoreNotes { notes: [self.notes.0, other.notes.0] };
        }
        if self.tags != other.tags {
            return KeeperReason::MoreTags { tags: [self.tags.0, other.tags.0] };
        }
        if self.order > u64::MAX / 2 { KeeperReason::Last } else { KeeperReason::First }
    }
}

/// What the text of a record adds: the number of known tags, and that of comments and variations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct TextFacts {
    pub(super) tags: u32,
    pub(super) notes: u32,
}

impl TextFacts {
    pub(super) fn of(record: &[u8]) -> Self {
        let mut facts = Self::default();
        // The visitor never breaks off.
        let _ = walk_with(record, &Limits::DEFAULT, &mut facts);
        facts
    }
}

impl<'g> Visitor<'g> for TextFacts {
    const NUMBERS: bool = false;

    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        self.tags += u32::from(is_known_value(tag.value));
        Flow::Continue(())
    }

    fn comment(&mut self, _: Comment<'g>) -> Flow {
        self.notes += 1;
        Flow::Continue(())
    }

    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        self.notes += 1;
        VariationAction::Enter
    }
}

/// Returns `true` if a tag value says something: it has a letter or a digit. `?`, `*`, `-` and `????.??.??` do not.
pub fn is_known_value(value: &[u8]) -> bool {
    value.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_ranks_have_their_order_and_survive() {
        let mut rng = fastrand::Rng::with_seed(5);
        for rule in [KeepRule::Best, KeepRule::First, KeepRule::Last] {
            let mut rank = || {
                let text = TextFacts { tags: rng.u32(..3), notes: rng.u32(..3) };
                let (is_new, is_damaged, plies) = (rng.bool(), rng.bool(), rng.u32(..3));
                let game = RankedGame { number: rng.u64(..1 << 40), is_new, is_damaged, plies, text };
                let rank = rule.rank(&game);
                assert_eq!((rank.number(), rank.is_new()), (game.number, is_new));
                rank
            };
            let ranks: Vec<KeeperRank> = (0..100).map(|_| rank()).collect();
            for a in &ranks {
                assert_eq!(KeeperRank::from_bytes(&a.to_bytes()), *a);
                for b in &ranks {
                    assert_eq!(a.to_bytes().cmp(&b.to_bytes()), a.cmp(b), "{a:?} {b:?}");
                }
            }
        }
    }
}
