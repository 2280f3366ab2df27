//! What is written about a move: comments, NAGs and move strengths.

use std::fmt;
use std::ops::RangeInclusive;

use pdn::value::MoveStrength;
use pdn_names::NamePattern;

/// A condition on what is written about a move.
///
/// A comment belongs to the position that the moves before it lead to, as in exported tables of comments. A NAG and a strength
/// belong to the position in which the move is played that they follow, as in exported tables of moves.
///
/// ```
/// use pdn_index::internal::query::NoteCondition;
/// use pdn_index::query::Query;
/// use pdn::value::MoveStrength;
///
/// let strong = Query::note(NoteCondition::Mark(MoveStrength::Good));
/// assert_eq!(strong, Query::parse("mark \"!\"").unwrap());
/// assert_eq!(Query::note(NoteCondition::Nag(1..=3)).to_string(), "nag 1..3");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum NoteCondition {
    /// A comment follows that has words, and not only embedded commands such as clocks. With a pattern, these words match it.
    Comment(Option<NamePattern>),
    /// A NAG follows whose number lies in the range.
    Nag(RangeInclusive<u32>),
    /// This strength follows, in any spelling: `!` or `(!)`.
    Mark(MoveStrength),
}

impl NoteCondition {
    /// Returns `true` if the text of a game has to be read to decide the condition.
    pub fn reads_text(&self) -> bool {
        matches!(self, Self::Comment(Some(_)))
    }

    /// Returns a strength as queries write it.
    pub(in crate::query) const fn written(strength: MoveStrength) -> &'static str {
        // The standard writes a NAG for a forced move; games have the mark.
        if matches!(strength, MoveStrength::Forced) { "*" } else { strength.marks() }
    }
}

impl fmt::Display for NoteCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Comment(None) => f.write_str("comment"),
            Self::Comment(Some(words)) => write!(f, "comment {words}"),
            Self::Nag(numbers) if numbers.start() == numbers.end() => write!(f, "nag {}", numbers.start()),
            Self::Nag(numbers) if *numbers.end() == u32::MAX => write!(f, "nag {}..", numbers.start()),
            Self::Nag(numbers) => write!(f, "nag {}..{}", numbers.start(), numbers.end()),
            Self::Mark(strength) => write!(f, "mark \"{}\"", Self::written(*strength)),
        }
    }
}
