//! Answers queries about whole games from single records, without an index.

use std::borrow::Cow;

use super::record::{RecordContext, counting_result};
use crate::query::{Condition, Field, GameCondition, Query, RatedPlayer};
use crate::replay::{GameStatus, ReplaySummary};
use crate::rules::Variant;
use crate::value::{Colour, Outcome, Round, TagName};
use crate::view::TagValues;

/// Returns `true` if a query asks about games as a whole only: players, results, dates and the like, but no position.
///
/// Such a query can be answered for the records of an archive one by one. Any other query takes an index.
///
/// ```
/// use pdn::export::is_game_query;
/// use pdn::query::Query;
///
/// assert!(is_game_query(&Query::parse("white : wiersma and not result draw").unwrap()));
/// assert!(!is_game_query(&Query::parse("wk = 1").unwrap()));
/// ```
pub fn is_game_query(query: &Query) -> bool {
    match query {
        // A tag outside of the columns, or a file, is looked up in an index.
        Query::Is(Condition::Game(GameCondition::TextTag(_) | GameCondition::File(_))) => false,
        Query::Is(condition) => matches!(condition, Condition::Game(_)),
        Query::Not(inner) | Query::Ever(inner) => is_game_query(inner),
        Query::And(parts) | Query::Or(parts) => parts.iter().all(is_game_query),
        Query::Then { .. } | Query::For { .. } => false,
    }
}

/// Returns `true` if the answer of a query depends on a replay.
pub(super) fn needs_replay(query: &Query) -> bool {
    match query {
        Query::Is(Condition::Game(condition)) => match condition {
            GameCondition::Tag(field, _) => matches!(field, Field::Winner | Field::Loser),
            GameCondition::Date(_) | GameCondition::Rating(..) | GameCondition::Round(_) => false,
            _ => true,
        },
        Query::Is(_) => true,
        Query::Not(inner) | Query::Ever(inner) => needs_replay(inner),
        Query::And(parts) | Query::Or(parts) => parts.iter().any(needs_replay),
        Query::Then { .. } | Query::For { .. } => true,
    }
}

/// Returns the tags that the answer of a query depends on, each once or several times.
pub(super) fn tags(query: &Query) -> Box<dyn Iterator<Item = TagName> + '_> {
    use TagName::{Black, BlackRating, Date, Event, Result, Round, Site, White, WhiteRating};
    let tags: &[TagName] = match query {
        Query::Is(Condition::Game(condition)) => match condition {
            GameCondition::Tag(field, _) => match field {
                Field::White => &[White],
                Field::Black => &[Black],
                Field::Player | Field::Winner | Field::Loser => &[White, Black],
                Field::Event => &[Event],
                Field::Site => &[Site],
                Field::Round => &[Round],
                Field::Result => &[Result],
            },
            GameCondition::Date(_) => &[Date],
            GameCondition::Rating(RatedPlayer::White, _) => &[WhiteRating],
            GameCondition::Rating(RatedPlayer::Black, _) => &[BlackRating],
            GameCondition::Rating(RatedPlayer::Both | RatedPlayer::Either, _) => &[WhiteRating, BlackRating],
            GameCondition::Round(_) => &[Round],
            _ => &[],
        },
        Query::Not(inner) | Query::Ever(inner) => return tags(inner),
        Query::And(parts) | Query::Or(parts) => return Box::new(parts.iter().flat_map(tags)),
        Query::Is(_) | Query::Then { .. } | Query::For { .. } => &[],
    };
    Box::new(tags.iter().copied())
}

/// What a query may ask about a record.
pub(super) struct RecordFacts<'a, 'g> {
    pub(super) context: &'a RecordContext<'g>,
    /// The values of [`tags`] at least.
    pub(super) tags: &'a TagValues<'g>,
    /// The replay; `None` if the query does not need it.
    pub(super) summary: Option<&'a ReplaySummary>,
}

impl<'g> RecordFacts<'_, 'g> {
    /// Returns the decoded value of a tag.
    fn value(&self, name: TagName) -> Cow<'g, str> {
        self.context.value(self.tags.get(name))
    }

    /// Returns the result that counts, as written.
    fn result(&self) -> Cow<'g, str> {
        let end = || self.context.view().terminator().map_or(&b""[..], |end| end.text);
        self.context.value(counting_result(self.tags.get(TagName::Result), end))
    }

    /// Returns `true` if a query that [`is_game_query`] is true for this record.
    // Twin: an index and its search; test: `filters_of_records_select_the_games_of_an_index`.
    pub(super) fn matches(&self, query: &Query) -> bool {
        match query {
            Query::Is(Condition::Game(condition)) => self.holds(condition),
            Query::Is(_) | Query::Then { .. } | Query::For { .. } => false,
            Query::Not(inner) => !self.matches(inner),
            Query::Ever(inner) => self.matches(inner),
            Query::And(parts) => parts.iter().all(|part| self.matches(part)),
            Query::Or(parts) => parts.iter().any(|part| self.matches(part)),
        }
    }

    fn holds(&self, condition: &GameCondition) -> bool {
        match condition {
            GameCondition::Tag(field, names) => {
                let holds = |name| names.matches(&self.value(name));
                let by_winner = |other: bool| match self.winner() {
                    Some(colour) if (colour == Colour::White) != other => holds(TagName::White),
                    Some(_) => holds(TagName::Black),
                    None => false,
                };
                match field {
                    Field::White => holds(TagName::White),
                    Field::Black => holds(TagName::Black),
                    Field::Player => holds(TagName::White) || holds(TagName::Black),
                    Field::Winner => by_winner(false),
                    Field::Loser => by_winner(true),
                    Field::Event => holds(TagName::Event),
                    Field::Site => holds(TagName::Site),
                    Field::Round => holds(TagName::Round),
                    Field::Result => names.matches(&self.result()),
                }
            }
            GameCondition::Date(range) => range.contains(self.tags.date()),
            GameCondition::Rating(whose, range) => {
                let is_in_range = |rating: u16| rating != 0 && range.contains(&rating);
                let holds = |name| self.tags.rating(name).is_some_and(is_in_range);
                let white = || holds(TagName::WhiteRating);
                let black = || holds(TagName::BlackRating);
                match whose {
                    RatedPlayer::White => white(),
                    RatedPlayer::Black => black(),
                    RatedPlayer::Both => white() && black(),
                    RatedPlayer::Either => white() || black(),
                }
            }
            GameCondition::Round(range) => {
                let round = Round::parse(self.value(TagName::Round).as_bytes()).ok();
                round.and_then(|round| round.numbers().next()).is_some_and(|first| range.contains(&first))
            }
            GameCondition::Plies(range) => range.contains(&self.summary.map_or(0, |summary| summary.plies)),
            GameCondition::Result(outcome) => self.outcome() == *outcome,
            GameCondition::Winner(colour) => self.winner() == *colour,
            GameCondition::Status(status) => self.status() == Some(*status),
            GameCondition::Variant(variant) => self.variant() == Some(*variant),
            // `is_game_query` excludes them.
            GameCondition::TextTag(_) | GameCondition::File(_) => false,
        }
    }

    fn outcome(&self) -> Outcome {
        self.summary.map_or(Outcome::Unknown, ReplaySummary::outcome)
    }

    fn winner(&self) -> Option<Colour> {
        self.summary.and_then(ReplaySummary::winner)
    }

    fn status(&self) -> Option<GameStatus> {
        self.summary.map(|summary| summary.status)
    }

    fn variant(&self) -> Option<Variant> {
        self.summary.map(|summary| summary.variant)
    }
}
