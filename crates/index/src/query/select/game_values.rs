//! What conditions on games mean, in terms of the values of games. The same meaning holds for the games of a segment, whose
//! answer is a set, and for a single record, whose answer is `true` or `false`.

use std::ops::RangeInclusive;

use crate::query::conditions::{FileCondition, GameNumber, TagCondition};
use crate::query::language::{Field, GameCondition, RatedPlayer};
use crate::{GameSet, TextColumn};
use pdn::replay::GameStatus;
use pdn::rules::Variant;
use pdn::value::{Colour, Date, Outcome};
use pdn_names::NamePattern;

/// For which games something is true.
pub trait Answer: Sized {
    /// Returns the games for which both are true. `other` is not asked for if it does not matter.
    fn and<E>(self, other: impl FnOnce() -> Result<Self, E>) -> Result<Self, E>;

    /// Returns the games for which one of both is true. `other` is not asked for if it does not matter.
    fn or<E>(self, other: impl FnOnce() -> Result<Self, E>) -> Result<Self, E>;
}

impl Answer for bool {
    #[inline]
    fn and<E>(self, other: impl FnOnce() -> Result<Self, E>) -> Result<Self, E> {
        if self { other() } else { Ok(false) }
    }

    #[inline]
    fn or<E>(self, other: impl FnOnce() -> Result<Self, E>) -> Result<Self, E> {
        if self { Ok(true) } else { other() }
    }
}

impl Answer for GameSet {
    fn and<E>(self, other: impl FnOnce() -> Result<Self, E>) -> Result<Self, E> {
        if self.is_empty() { Ok(self) } else { Ok(self & other()?) }
    }

    fn or<E>(self, other: impl FnOnce() -> Result<Self, E>) -> Result<Self, E> {
        Ok(self | other()?)
    }
}

/// The values of games that conditions ask for, one at a time.
pub trait GameValues {
    /// For which games something is true.
    type Answer: Answer;
    /// Why a value cannot be read.
    type Error;
    /// A pattern that was compared with whatever can be compared at once, such as a dictionary.
    type Names<'n>;

    /// Prepares a pattern for [`text`](Self::text) of this column and of others with the same dictionary.
    fn names<'n>(&self, column: TextColumn, pattern: &'n NamePattern)
    -> Result<Self::Names<'n>, Self::Error>;

    /// Returns where the text of a column matches a pattern.
    fn text(&self, column: TextColumn, names: &Self::Names<'_>) -> Result<Self::Answer, Self::Error>;

    /// Returns where the text of a column passes a test.
    fn text_where(
        &self,
        column: TextColumn,
        test: impl Fn(&str) -> bool,
    ) -> Result<Self::Answer, Self::Error>;

    /// Returns where the date passes a test.
    fn date(&self, test: impl Fn(Date) -> bool) -> Result<Self::Answer, Self::Error>;

    /// Returns where a player has a rating in a range.
    fn rating(&self, of: Colour, range: &RangeInclusive<u16>) -> Result<Self::Answer, Self::Error>;

    /// Returns where the number of legal plies lies in a range.
    fn plies(&self, range: &RangeInclusive<u32>) -> Result<Self::Answer, Self::Error>;

    /// Returns where a sum of numbers of the game passes a test. A game without one of them does not.
    fn sum(
        &self,
        terms: &[(i8, GameNumber)],
        test: impl Fn(i64) -> bool,
    ) -> Result<Self::Answer, Self::Error>;

    /// Returns where the status is this one.
    fn status(&self, status: GameStatus) -> Result<Self::Answer, Self::Error>;

    /// Returns where the outcome passes a test.
    fn outcome(&self, test: impl Fn(Outcome) -> bool) -> Result<Self::Answer, Self::Error>;

    /// Returns where this side won.
    fn won_by(&self, winner: Colour) -> Result<Self::Answer, Self::Error>;

    /// Returns where the variant is this one.
    fn variant(&self, variant: Variant) -> Result<Self::Answer, Self::Error>;

    /// Returns where the text of the game has a tag that matches.
    fn text_tag(&self, condition: &TagCondition) -> Result<Self::Answer, Self::Error>;

    /// Returns where the name of the input matches.
    fn file(&self, condition: &FileCondition) -> Result<Self::Answer, Self::Error>;

    /// Returns where a name of the opening that the moves show matches a pattern.
    fn opening_played(&self, pattern: &NamePattern) -> Result<Self::Answer, Self::Error>;
}

/// Returns the sum of numbers of a game; `None` if one of them is unknown. `number` receives each with its place in
/// the sum.
pub fn sum_of(terms: &[(i8, GameNumber)], number: impl Fn(usize, GameNumber) -> Option<i64>) -> Option<i64> {
    let mut terms = terms.iter().enumerate();
    terms.try_fold(0, |sum, (place, (factor, count))| Some(sum + i64::from(*factor) * number(place, *count)?))
}

impl GameCondition {
    /// Returns for which games the condition is true.
    pub fn answer<V: GameValues>(&self, games: &V) -> Result<V::Answer, V::Error> {
        match self {
            Self::Tag(field, pattern) => {
                let columns = field.columns();
                let names = games.names(columns[0], pattern)?;
                let named = |column| games.text(column, &names);
                let won_and_named = |winner, column| games.won_by(winner)?.and(|| named(column));
                match field {
                    Field::Winner => won_and_named(Colour::White, TextColumn::White)?
                        .or(|| won_and_named(Colour::Black, TextColumn::Black)),
                    Field::Loser => won_and_named(Colour::Black, TextColumn::White)?
                        .or(|| won_and_named(Colour::White, TextColumn::Black)),
                    _ => columns[1..]
                        .iter()
                        .try_fold(named(columns[0])?, |found, &other| found.or(|| named(other))),
                }
            }
            Self::Date(range) => games.date(|date| range.contains(date)),
            Self::Rating(whose, range) => {
                let of = |colour| games.rating(colour, range);
                match whose {
                    RatedPlayer::White => of(Colour::White),
                    RatedPlayer::Black => of(Colour::Black),
                    RatedPlayer::Both => of(Colour::White)?.and(|| of(Colour::Black)),
                    RatedPlayer::Either => of(Colour::White)?.or(|| of(Colour::Black)),
                }
            }
            Self::Round(range) => games.text_where(TextColumn::Round, |text| {
                round_number(text).is_some_and(|first| range.contains(&first))
            }),
            Self::Plies(range) => games.plies(range),
            Self::Sum(sum) => games.sum(&sum.terms, |value| sum.contains(value)),
            Self::Result(outcome) => games.outcome(|own| own == *outcome),
            Self::Winner(Some(winner)) => games.won_by(*winner),
            // Nobody, whichever side starts.
            Self::Winner(None) => games.outcome(|outcome| outcome.winner(Colour::White).is_none()),
            Self::Status(status) => games.status(*status),
            Self::Variant(variant) => games.variant(*variant),
            Self::TextTag(condition) => games.text_tag(condition),
            Self::File(condition) => games.file(condition),
            Self::OpeningPlayed(pattern) => games.opening_played(pattern),
        }
    }
}

/// Returns the first number of the text of a round, as in `3.2`, `ronde5`, `2a` or `1 of 2`; `None` if it has none or the number is
/// above 65535.
pub fn round_number(text: &str) -> Option<u16> {
    let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}

/// Bounds of the games of a segment that match a query, known without playing any.
///
/// The query is true at every position of the games in `certain`, and at no position of the games outside `possible`.
/// For conditions on whole games the two sets are equal.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MatchBounds {
    /// The games in which the query is true at every position.
    pub certain: GameSet,
    /// The games in which the query may be true at some position; includes `certain`.
    pub possible: GameSet,
}

impl MatchBounds {
    /// Creates the bounds of a condition on whole games that matches these games.
    pub fn exact(games: GameSet) -> Self {
        Self { certain: games.clone(), possible: games }
    }

    /// Creates the bounds of a condition on positions that may match in these games.
    pub fn possible(games: GameSet) -> Self {
        Self { certain: GameSet::new(), possible: games }
    }

    /// Returns `true` if both sets are equal, so that no game has to be played.
    pub fn is_exact(&self) -> bool {
        self.certain == self.possible
    }

    /// Returns the games that have to be played: those possible but not certain.
    pub fn open(&self) -> GameSet {
        &self.possible - &self.certain
    }

    /// Returns the bounds of `query and other`.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.certain &= &other.certain;
        self.possible &= &other.possible;
        self
    }

    /// Returns the bounds of `query or other`.
    #[must_use]
    pub fn or(mut self, other: &Self) -> Self {
        self.certain |= &other.certain;
        self.possible |= &other.possible;
        self
    }

    /// Returns the bounds of `not query`, in a segment of `games` games.
    #[must_use]
    pub fn not(self, games: u32) -> Self {
        let all = GameSet::first(games);
        Self { certain: &all - &self.possible, possible: all - self.certain }
    }
}
