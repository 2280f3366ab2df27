//! Answers queries about whole games record by record, without an index.

use std::borrow::Cow;
use std::convert::Infallible;
use std::ops::RangeInclusive;

use super::record::{RecordContext, read_tags};
use pdn::archive::InputRecord;
use pdn::internal::view::{TagSet, TagValues};
use pdn::replay::{GameStatus, ReplayOptions, ReplaySummary, Replayer};
use pdn::rules::Variant;
use pdn::source::Decoder;
use pdn::value::{Colour, Date, Outcome, TagName};
use pdn_index::internal::TextColumn;
use pdn_index::internal::query::{Answer, GameValues, sum_of};
use pdn_index::internal::query::{FileCondition, GameNumber, QueryOfGame, TagCondition};
use pdn_index::query::Query;
use pdn_names::NamePattern;

/// Returns `true` if a query asks about games as a whole only: players, results, dates and the like, but no position.
///
/// Such a query can be answered for the records of an archive one by one. Any other query takes an index.
///
/// ```
/// use pdn_tables::is_game_query;
/// use pdn_index::query::Query;
///
/// assert!(is_game_query(&Query::parse("white : wiersma and not result draw").unwrap()));
/// assert!(!is_game_query(&Query::parse("wk = 1").unwrap()));
/// ```
pub fn is_game_query(query: &Query) -> bool {
    match query.of_game() {
        QueryOfGame::Condition(condition) => !condition.needs_index(),
        QueryOfGame::Not(inner) | QueryOfGame::Same(inner) | QueryOfGame::Flipped(inner) => {
            is_game_query(inner)
        }
        QueryOfGame::All(parts) | QueryOfGame::Any(parts) => parts.iter().all(is_game_query),
        QueryOfGame::Positions => false,
    }
}

/// What of a record the answer of a query depends on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct QueryNeeds {
    /// The tags, each once or several times.
    pub(super) tags: Vec<TagName>,
    /// `true` if the record has to be replayed.
    pub(super) replay: bool,
}

impl QueryNeeds {
    /// Returns what the answer of a query depends on.
    pub(super) fn of(query: &Query) -> Self {
        Self::of_forms(query, false)
    }

    /// Returns what the answer of a query depends on; if `flipped`, also with the colours exchanged.
    fn of_forms(query: &Query, flipped: bool) -> Self {
        match query.of_game() {
            QueryOfGame::Condition(condition) => {
                let Ok(needs) = condition.answer(&FindNeeds);
                if !flipped {
                    return needs;
                }
                let Ok(of_other) = condition.with_colours_exchanged().answer(&FindNeeds);
                needs.join(of_other)
            }
            QueryOfGame::Not(inner) | QueryOfGame::Same(inner) => Self::of_forms(inner, flipped),
            QueryOfGame::Flipped(inner) => Self::of_forms(inner, true),
            QueryOfGame::All(parts) | QueryOfGame::Any(parts) => {
                let needs = parts.iter().map(|part| Self::of_forms(part, flipped));
                needs.fold(Self::default(), Self::join)
            }
            QueryOfGame::Positions => Self::replay(),
        }
    }

    fn tag(tag: TagName) -> Self {
        Self { tags: vec![tag], replay: false }
    }

    fn replay() -> Self {
        Self { tags: Vec::new(), replay: true }
    }

    fn join(mut self, other: Self) -> Self {
        self.tags.extend(other.tags);
        Self { replay: self.replay || other.replay, ..self }
    }
}

impl Answer for QueryNeeds {
    fn and<E>(self, other: impl FnOnce() -> Result<Self, E>) -> Result<Self, E> {
        Ok(self.join(other()?))
    }

    fn or<E>(self, other: impl FnOnce() -> Result<Self, E>) -> Result<Self, E> {
        Ok(self.join(other()?))
    }
}

/// Answers every question about a game with what the answer depends on.
struct FindNeeds;

impl GameValues for FindNeeds {
    type Answer = QueryNeeds;
    type Error = Infallible;
    type Names<'n> = ();

    fn names(&self, _: TextColumn, _: &NamePattern) -> Result<(), Infallible> {
        Ok(())
    }

    fn text(&self, column: TextColumn, (): &()) -> Result<QueryNeeds, Infallible> {
        Ok(QueryNeeds::tag(column.tag()))
    }

    fn text_where(&self, column: TextColumn, _: impl Fn(&str) -> bool) -> Result<QueryNeeds, Infallible> {
        Ok(QueryNeeds::tag(column.tag()))
    }

    fn date(&self, _: impl Fn(Date) -> bool) -> Result<QueryNeeds, Infallible> {
        Ok(QueryNeeds::tag(TagName::Date))
    }

    fn rating(&self, of: Colour, _: &RangeInclusive<u16>) -> Result<QueryNeeds, Infallible> {
        Ok(QueryNeeds::tag(rating_tag(of)))
    }

    fn plies(&self, _: &RangeInclusive<u32>) -> Result<QueryNeeds, Infallible> {
        Ok(QueryNeeds::replay())
    }

    fn sum(&self, terms: &[(i8, GameNumber)], _: impl Fn(i64) -> bool) -> Result<QueryNeeds, Infallible> {
        let needs = |(_, number): &(i8, GameNumber)| match number {
            GameNumber::Rating(of) => QueryNeeds::tag(rating_tag(*of)),
            GameNumber::Year => QueryNeeds::tag(TagName::Date),
            GameNumber::Plies => QueryNeeds::replay(),
        };
        Ok(terms.iter().map(needs).fold(QueryNeeds::default(), QueryNeeds::join))
    }

    fn status(&self, _: GameStatus) -> Result<QueryNeeds, Infallible> {
        Ok(QueryNeeds::replay())
    }

    fn outcome(&self, _: impl Fn(Outcome) -> bool) -> Result<QueryNeeds, Infallible> {
        Ok(QueryNeeds::replay())
    }

    fn won_by(&self, _: Colour) -> Result<QueryNeeds, Infallible> {
        Ok(QueryNeeds::replay())
    }

    fn variant(&self, _: Variant) -> Result<QueryNeeds, Infallible> {
        Ok(QueryNeeds::replay())
    }

    // `is_game_query` excludes these.
    fn text_tag(&self, _: &TagCondition) -> Result<QueryNeeds, Infallible> {
        Ok(QueryNeeds::default())
    }

    fn file(&self, _: &FileCondition) -> Result<QueryNeeds, Infallible> {
        Ok(QueryNeeds::default())
    }

    fn opening_played(&self, _: &NamePattern) -> Result<QueryNeeds, Infallible> {
        Ok(QueryNeeds::default())
    }
}

/// Returns the tag of a player's rating.
const fn rating_tag(of: Colour) -> TagName {
    match of {
        Colour::White => TagName::WhiteRating,
        Colour::Black => TagName::BlackRating,
    }
}

/// What a query may ask about a record.
pub(super) struct RecordFacts<'a, 'g> {
    pub(super) context: &'a RecordContext<'g>,
    /// The values of [`QueryNeeds::tags`] at least.
    pub(super) tags: &'a TagValues<'g>,
    /// The replay; `None` if the query does not need it.
    pub(super) summary: Option<&'a ReplaySummary>,
}

impl RecordFacts<'_, '_> {
    /// Returns `true` if a query that [`is_game_query`] is true for this record.
    // Twin: an index and its search; test: `filters_of_records_select_the_games_of_an_index`.
    pub(super) fn matches(&self, query: &Query) -> bool {
        self.matches_form(query, false)
    }

    /// Returns `true` if a query is true for this record, with the colours exchanged if `flipped`.
    fn matches_form(&self, query: &Query, flipped: bool) -> bool {
        let matches = |query: &Query| self.matches_form(query, flipped);
        match query.of_game() {
            QueryOfGame::Condition(condition) => {
                let Ok(holds) = match flipped {
                    true => condition.with_colours_exchanged().answer(self),
                    false => condition.answer(self),
                };
                holds
            }
            QueryOfGame::Not(inner) => !matches(inner),
            QueryOfGame::Same(inner) => matches(inner),
            QueryOfGame::All(parts) => parts.iter().all(matches),
            QueryOfGame::Any(parts) => parts.iter().any(matches),
            QueryOfGame::Flipped(inner) => matches(inner) || self.matches_form(inner, !flipped),
            QueryOfGame::Positions => false,
        }
    }

    /// Returns the text that a column of an index would have.
    fn value(&self, column: TextColumn) -> Cow<'_, str> {
        if column != TextColumn::Result {
            return self.context.value(self.tags.get(column.tag()));
        }
        let end = || self.context.view().terminator().map_or(&b""[..], |end| end.text);
        self.context.value(self.tags.result(end))
    }
}

impl GameValues for RecordFacts<'_, '_> {
    type Answer = bool;
    type Error = Infallible;
    type Names<'n> = &'n NamePattern;

    fn names<'n>(&self, _: TextColumn, pattern: &'n NamePattern) -> Result<&'n NamePattern, Infallible> {
        Ok(pattern)
    }

    fn text(&self, column: TextColumn, names: &&NamePattern) -> Result<bool, Infallible> {
        Ok(names.matches(&self.value(column)))
    }

    fn text_where(&self, column: TextColumn, test: impl Fn(&str) -> bool) -> Result<bool, Infallible> {
        Ok(test(&self.value(column)))
    }

    fn date(&self, test: impl Fn(Date) -> bool) -> Result<bool, Infallible> {
        Ok(test(self.tags.date(self.context.decoder.dates())))
    }

    fn rating(&self, of: Colour, range: &RangeInclusive<u16>) -> Result<bool, Infallible> {
        let is_in_range = |rating: u16| rating != 0 && range.contains(&rating);
        Ok(self.tags.rating(rating_tag(of)).is_some_and(is_in_range))
    }

    fn plies(&self, range: &RangeInclusive<u32>) -> Result<bool, Infallible> {
        Ok(range.contains(&self.summary.map_or(0, |summary| summary.plies)))
    }

    fn sum(&self, terms: &[(i8, GameNumber)], test: impl Fn(i64) -> bool) -> Result<bool, Infallible> {
        let number = |_, number| match number {
            GameNumber::Rating(of) => {
                self.tags.rating(rating_tag(of)).filter(|&rating| rating != 0).map(i64::from)
            }
            GameNumber::Year => self.tags.date(self.context.decoder.dates()).year().map(i64::from),
            GameNumber::Plies => Some(self.summary.map_or(0, |summary| summary.plies).into()),
        };
        Ok(sum_of(terms, number).is_some_and(test))
    }

    fn status(&self, status: GameStatus) -> Result<bool, Infallible> {
        Ok(self.summary.is_some_and(|summary| summary.status == status))
    }

    fn outcome(&self, test: impl Fn(Outcome) -> bool) -> Result<bool, Infallible> {
        Ok(test(self.summary.map_or(Outcome::Unknown, ReplaySummary::outcome)))
    }

    fn won_by(&self, winner: Colour) -> Result<bool, Infallible> {
        Ok(self.summary.and_then(ReplaySummary::winner) == Some(winner))
    }

    fn variant(&self, variant: Variant) -> Result<bool, Infallible> {
        Ok(self.summary.is_some_and(|summary| summary.variant == variant))
    }

    // `is_game_query` excludes these.
    fn text_tag(&self, _: &TagCondition) -> Result<bool, Infallible> {
        Ok(false)
    }

    fn file(&self, _: &FileCondition) -> Result<bool, Infallible> {
        Ok(false)
    }

    fn opening_played(&self, _: &NamePattern) -> Result<bool, Infallible> {
        Ok(false)
    }
}

/// A query that is evaluated on one record after the other, in reused memory.
///
/// The query has to be one that [`is_game_query`](super::is_game_query); other queries need an index. Records are replayed
/// only if the query asks for what a replay gives.
///
/// ```
/// use pdn_tables::RecordFilter;
/// use pdn_index::query::Query;
/// use pdn::replay::ReplayOptions;
/// use pdn::source::Decoder;
///
/// let query = Query::parse("white : wiersma and plies 3..")?;
/// let mut filter = RecordFilter::new(query, ReplayOptions::new());
/// let decoder = Decoder::default();
/// assert!(filter.matches(&b"[White \"Wiersma\"] 1. 32-28 19-23 2. 28x19 *"[..], &decoder));
/// assert!(!filter.matches(&b"[White \"Wiersma\"] 1. 32-28 19-23 *"[..], &decoder));
/// # Ok::<(), pdn_index::query::QueryError>(())
/// ```
#[derive(Debug)]
pub struct RecordFilter {
    query: Query,
    has_query: bool,
    needs_replay: bool,
    /// The tags that the query takes.
    tags: TagSet,
    replayer: Replayer,
}

impl RecordFilter {
    /// Creates a filter for a query.
    pub fn new(query: Query, replay: ReplayOptions) -> Self {
        let has_query = !matches!(&query, Query::And(parts) if parts.is_empty());
        let needs = QueryNeeds::of(&query);
        let tags = needs.tags.into_iter().collect();
        Self { query, has_query, needs_replay: needs.replay, tags, replayer: Replayer::new(&replay) }
    }

    /// Returns `true` if the query is true for a record. `decoder` is that of its file.
    pub fn matches<'g>(&mut self, game: impl Into<InputRecord<'g>>, decoder: &Decoder) -> bool {
        if !self.has_query {
            return true;
        }
        let context = RecordContext::new("", 1, game.into(), decoder);
        let summary = self.needs_replay.then(|| self.replayer.summary(context.input_record));
        let tags = read_tags(context.input_record, self.tags, &mut self.replayer, summary.as_ref());
        record_matches(&self.query, &context, &tags, summary.as_ref())
    }
}

/// Returns `true` if a query is true for a record. `tags` has the values of [`QueryNeeds::tags`]; `summary` is needed if
/// [`QueryNeeds::replay`].
pub(super) fn record_matches(
    query: &Query,
    context: &RecordContext<'_>,
    tags: &TagValues<'_>,
    summary: Option<&ReplaySummary>,
) -> bool {
    RecordFacts { context, tags, summary }.matches(query)
}
