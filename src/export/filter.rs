//! Answers queries about whole games from single records, without an index.

use crate::query::{Condition, Field, GameCondition, Query, RatedPlayer};
use crate::replay::{GameStatus, ReplaySummary};
use crate::rules::Variant;
use crate::value::{Colour, Date, Outcome, Round};

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

/// What a query may ask about a record.
pub(super) struct RecordFacts<'a> {
    pub(super) white: &'a str,
    pub(super) black: &'a str,
    pub(super) event: &'a str,
    pub(super) site: &'a str,
    pub(super) round: &'a str,
    /// The result that counts, as written.
    pub(super) result: &'a str,
    pub(super) date: Date,
    /// Ratings of White and Black; 0 for none.
    pub(super) ratings: [u16; 2],
    /// The replay; `None` if the query does not need it.
    pub(super) summary: Option<&'a ReplaySummary>,
}

impl RecordFacts<'_> {
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
                let by_winner = |other: bool| match self.winner() {
                    Some(colour) if (colour == Colour::White) != other => names.matches(self.white),
                    Some(_) => names.matches(self.black),
                    None => false,
                };
                match field {
                    Field::White => names.matches(self.white),
                    Field::Black => names.matches(self.black),
                    Field::Player => names.matches(self.white) || names.matches(self.black),
                    Field::Winner => by_winner(false),
                    Field::Loser => by_winner(true),
                    Field::Event => names.matches(self.event),
                    Field::Site => names.matches(self.site),
                    Field::Round => names.matches(self.round),
                    Field::Result => names.matches(self.result),
                }
            }
            GameCondition::Date(range) => range.contains(self.date),
            GameCondition::Rating(whose, range) => {
                let [white, black] = self.ratings.map(|rating| rating != 0 && range.contains(&rating));
                match whose {
                    RatedPlayer::White => white,
                    RatedPlayer::Black => black,
                    RatedPlayer::Both => white && black,
                    RatedPlayer::Either => white || black,
                }
            }
            GameCondition::Round(range) => {
                let round = Round::parse(self.round.as_bytes()).ok();
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
