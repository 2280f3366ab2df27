//! Queries with transforms, such as `flipped`: what they are, which conditions refuse them, and colours exchanged.

use std::borrow::Cow;

use super::query::{Condition, Field, GameCondition, Query, RatedPlayer};
use crate::query::conditions::{TagCondition, Transforms};
use pdn::internal::message::Message;
use pdn::value::{Outcome, TagName};

impl Query {
    /// Also makes the query true where it is true with the colours exchanged: White and Black in names, ratings, results,
    /// piece counts, moves and the side to move, and squares on the board turned by 180 degrees.
    ///
    /// ```
    /// use pdn_index::query::Query;
    ///
    /// // Wiersma is a piece ahead, whichever colour he has.
    /// let query = (Query::white("wiersma") & Query::parse("w-b >= 1")?).flipped();
    /// assert_eq!(query, Query::parse("(white : wiersma and w-b >= 1) flipped")?);
    /// # Ok::<(), pdn_index::query::QueryError>(())
    /// ```
    #[must_use]
    pub fn flipped(self) -> Self {
        self.transformed(Transforms { flipped: true, ..Transforms::default() })
    }

    /// Also makes the query true where its mirror image is true, left and right exchanged. Only boards that play on every
    /// cell have one: on other boards the mirror image would stand on cells that are not playing squares.
    #[must_use]
    pub fn mirrored(self) -> Self {
        self.transformed(Transforms { mirrored: true, ..Transforms::default() })
    }

    /// Also makes the query true where it is true after all its squares were moved by as many rows and columns, if all
    /// of them lie on the board. A FEN names all squares, so that it cannot be moved.
    #[must_use]
    pub fn shifted(self) -> Self {
        self.transformed(Transforms { shifted: true, ..Transforms::default() })
    }

    /// Looks at every position as if the other side were to move.
    ///
    /// The next move, a sacrifice and the repetition of a position belong to the side that is to move. Conditions on these
    /// are false then.
    #[must_use]
    pub fn passed(self) -> Self {
        self.transformed(Transforms { passed: true, ..Transforms::default() })
    }

    /// Adds transforms to those that the query has.
    pub(super) fn transformed(self, by: Transforms) -> Self {
        let (query, by) = match self {
            Self::Transformed { query, by: before } => (query, before.followed_by(by)),
            query => (Box::new(query), by),
        };
        if by == Transforms::default() { *query } else { Self::Transformed { query, by } }
    }

    /// Returns a bound of the number of conditions that a search compiles: each condition once for each of its forms.
    pub(super) fn compiled_conditions(&self) -> u64 {
        let inner: u64 =
            self.operands().into_iter().map(Self::compiled_conditions).fold(0, u64::saturating_add);
        match self {
            Self::Is(_) => 1,
            Self::Transformed { by, .. } => inner.saturating_mul(by.forms()),
            _ => inner,
        }
    }

    /// Returns a bound of the number of conditions that a search compiles for the transforms of the query.
    pub(super) fn transformed_conditions(&self) -> u64 {
        match self {
            Self::Transformed { .. } => self.compiled_conditions(),
            operator => {
                let operands = operator.operands().into_iter();
                operands.map(Self::transformed_conditions).fold(0, u64::saturating_add)
            }
        }
    }

    /// Returns why the query cannot have transforms, as a message; `None` if it can.
    pub(super) fn refusal(&self, by: Transforms) -> Option<Message> {
        if by.shifted && !self.names_squares() {
            return Some(message!(
                "nothing_to_shift",
                "nothing before it names squares: `shifted` moves patterns and moves"
            ));
        }
        self.refused_condition(by)
    }

    /// Returns the message about the first condition that cannot have these transforms.
    fn refused_condition(&self, by: Transforms) -> Option<Message> {
        let Self::Is(condition) = self else {
            return self.operands().into_iter().find_map(|operand| operand.refused_condition(by));
        };
        let why = match condition {
            Condition::Played(_) if by.passed => "is about the next moves, which begin with the side to move",
            Condition::Sum(sum) if by.passed && sum.asks_for_next_move() => {
                "is about the next move, which the side to move makes"
            }
            Condition::Move(_) if by.passed => "is about the next move, which the side to move makes",
            Condition::Sacrifice(_) if by.passed => {
                "is about the next moves, which begin with the side to move"
            }
            Condition::Sum(sum) if by.passed && sum.counts_earlier_games() => {
                "counts games that have the position with its side to move"
            }
            Condition::Repeats(_) if by.passed => "counts positions together with their side to move",
            Condition::Board(pattern) if by.shifted && pattern.names_all_squares() => "names all squares",
            Condition::Line(_) | Condition::InGame(_) if by.shifted => "names all squares",
            Condition::Sum(sum) if by.shifted && sum.compares_positions() => "names all squares",
            Condition::Game(condition) if by.flipped && condition.is_text_of_result() => {
                "compares a text, in which colours cannot be exchanged (write `result win` or `winner white`)"
            }
            _ => return None,
        };
        let condition = condition.to_string();
        Some(if by.passed {
            message!("not_passed", "{condition} {why}, so that it cannot be passed", condition = condition)
        } else if by.shifted {
            message!("not_shifted", "{condition} {why}, so that it cannot be shifted", condition = condition)
        } else {
            message!("not_flipped", "{condition} {why}, so that it cannot be flipped", condition = condition)
        })
    }

    /// Returns `true` if some condition names squares.
    fn names_squares(&self) -> bool {
        match self {
            Self::Is(
                Condition::Board(_) | Condition::Line(_) | Condition::InGame(_) | Condition::Played(_),
            ) => true,
            Self::Is(Condition::Sum(sum)) => sum.compares_positions() || sum.areas().next().is_some(),
            Self::Is(Condition::Move(mv)) => {
                [&mv.from, &mv.to, &mv.over].iter().any(|squares| !squares.is_empty())
            }
            operator => operator.operands().into_iter().any(Self::names_squares),
        }
    }
}

impl GameCondition {
    /// Returns the condition with White and Black exchanged.
    pub fn with_colours_exchanged(&self) -> Cow<'_, Self> {
        Cow::Owned(match self {
            Self::Tag(Field::White, names) => Self::Tag(Field::Black, names.clone()),
            Self::Tag(Field::Black, names) => Self::Tag(Field::White, names.clone()),
            Self::Rating(RatedPlayer::White, range) => Self::Rating(RatedPlayer::Black, range.clone()),
            Self::Rating(RatedPlayer::Black, range) => Self::Rating(RatedPlayer::White, range.clone()),
            Self::Sum(sum) => Self::Sum(sum.with_ratings_exchanged()),
            Self::Winner(Some(winner)) => Self::Winner(Some(!*winner)),
            // The side that starts is the same in all games of a variant.
            Self::Result(Outcome::FirstWins) => Self::Result(Outcome::SecondWins),
            Self::Result(Outcome::SecondWins) => Self::Result(Outcome::FirstWins),
            Self::TextTag(condition) => match of_other_player(condition.name()) {
                Some(name) => Self::TextTag(TagCondition::new(name, condition.value().cloned())),
                None => return Cow::Borrowed(self),
            },
            _ => return Cow::Borrowed(self),
        })
    }

    /// Returns `true` if the condition compares the text of the result.
    fn is_text_of_result(&self) -> bool {
        match self {
            Self::Tag(field, _) => *field == Field::Result,
            Self::TextTag(condition) => {
                TagName::find(condition.name().as_bytes()).is_some_and(|found| found.tag == TagName::Result)
            }
            _ => false,
        }
    }
}

/// Returns the name of the tag that says of the other player what this one says: `BlackTeam` for `WhiteTeam`, `TimeControlBlack` for
/// `TimeControlWhite`. A name in another language or of another program, such as `Wit`, stands for the tag that it means.
fn of_other_player(tag: &str) -> Option<String> {
    let exchanged = |tag: &str| {
        [("White", "Black"), ("Black", "White")].into_iter().find_map(|(own, other)| {
            let first =
                tag.split_at_checked(own.len()).filter(|(colour, _)| colour.eq_ignore_ascii_case(own));
            let last = || {
                let (rest, colour) = tag.split_at_checked(tag.len().checked_sub(own.len())?)?;
                colour.eq_ignore_ascii_case(own).then(|| format!("{rest}{other}"))
            };
            first.map(|(_, rest)| format!("{other}{rest}")).or_else(last)
        })
    };
    exchanged(tag).or_else(|| exchanged(TagName::find(tag.as_bytes())?.tag.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_players_are_exchanged_in_every_spelling() {
        for (tag, other) in [
            ("White", Some("Black")),
            ("blackteam", Some("Whiteteam")),
            ("TimeControlWhite", Some("TimeControlBlack")),
            ("Wit", Some("Black")),
            ("Zwart", Some("White")),
            ("Bianco", Some("Black")),
            ("Blancs", Some("Black")),
            ("WhiteElo", Some("BlackElo")),
            ("P1Elo", Some("BlackRating")),
            ("Event", None),
            ("ECO", None),
        ] {
            assert_eq!(of_other_player(tag).as_deref(), other, "{tag}");
        }
    }
}
