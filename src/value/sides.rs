//! Which side the tags `P1`, `P2` and `Red` and the numbers of a score are about: that depends on who starts, and on the other tags and games.

use std::fmt;
use std::str::FromStr;

use super::{Colour, TagName};
use crate::error::UnknownName;

/// Which side the first number of a score belongs to.
///
/// In PDN it is the side that starts: Black in English draughts, where `1-0` is a win of Black. Programs of people who know chess
/// write White first all the same. In games that White starts, both orders are one.
///
/// ```
/// use pdn::archive::InputRecord;
/// use pdn::replay::Replayer;
/// use pdn::value::{Colour, ScoreOrder};
///
/// let game = InputRecord::from(b"[GameType \"21\"] 1. 11-15 23-19 1-0");
/// let mut replayer = Replayer::default();
/// assert_eq!(replayer.summary(game).winner(), Some(Colour::Black));
/// assert_eq!(replayer.summary(game.with_scores(ScoreOrder::White)).winner(), Some(Colour::White));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum ScoreOrder {
    /// The side that starts in the game type, as PDN defines.
    #[default]
    First,
    /// White.
    White,
}

impl ScoreOrder {
    /// Both orders.
    pub const ALL: [Self; 2] = [Self::First, Self::White];

    /// Returns the word of options: `first` or `white`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::White => "white",
        }
    }

    /// Returns the side that the first number belongs to in a game that `start` starts.
    pub(crate) const fn first_side(self, start: Colour) -> Colour {
        match self {
            Self::First => start,
            Self::White => Colour::White,
        }
    }
}

impl fmt::Display for ScoreOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for ScoreOrder {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let named = Self::ALL.into_iter().find(|order| order.name().eq_ignore_ascii_case(text));
        named.ok_or(UnknownName { expected: "the side of the first number of a score: `first` or `white`" })
    }
}

/// The tags of players that a record has under names of the colours.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NamedSides(u64);

impl NamedSides {
    /// Notes a tag that has a value.
    pub(crate) fn add(&mut self, name: &[u8], tag: TagName) {
        if other_side(tag).is_some() && !is_of_starter(name) && !is_red(name, tag) {
            self.0 |= 1 << tag as u64;
        }
    }

    /// Returns the tag that a name means in a game that `start` starts. `tag` is its meaning without the game. Player 1 is
    /// the one who starts, and so is Red unless the other tags leave only the other side.
    // `TagValues::seat_players` follows the same rule; `written_players_are_those_of_the_record` compares them.
    pub(crate) fn tag_of(self, name: &[u8], tag: TagName, start: Colour) -> TagName {
        let Some(other) = other_side(tag) else { return tag };
        let names = |tag: TagName| self.0 >> tag as u64 & 1 != 0;
        let is_other = if is_of_starter(name) {
            start == Colour::Black && !names(tag) && !names(other)
        } else if is_red(name, tag) {
            let is_free = !names(TagName::White) && !names(other);
            is_free && (names(TagName::Black) || names(tag) || start == Colour::White)
        } else {
            false
        };
        if is_other { other } else { tag }
    }
}

/// Returns `true` for a tag of the player who starts or the other one, such as `P1` and `P2Elo`.
pub(crate) const fn is_of_starter(name: &[u8]) -> bool {
    matches!(name, [b'P' | b'p', b'1' | b'2', ..])
}

/// Returns `true` for a name of the red pieces, such as `Rouge`, that stands for a tag of Black: its other names have other
/// initials.
pub(crate) const fn is_red(name: &[u8], tag: TagName) -> bool {
    matches!(tag, TagName::Black | TagName::BlackRating | TagName::BlackTitle)
        && matches!(name, [b'R' | b'r' | b'V' | b'v', ..])
}

/// Returns the same tag of the other player; `None` for a tag that is about no player.
pub(crate) const fn other_side(tag: TagName) -> Option<TagName> {
    match tag {
        TagName::White => Some(TagName::Black),
        TagName::Black => Some(TagName::White),
        TagName::WhiteRating => Some(TagName::BlackRating),
        TagName::BlackRating => Some(TagName::WhiteRating),
        TagName::WhiteTitle => Some(TagName::BlackTitle),
        TagName::BlackTitle => Some(TagName::WhiteTitle),
        _ => None,
    }
}
