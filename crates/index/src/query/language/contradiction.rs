//! Finds parts of a query that exclude each other.

use std::ops::RangeInclusive;

use super::query::{Condition, Field, GameCondition, Query};
use crate::query::conditions::SumCondition;
use pdn_names::{NameMatch, NamePattern};
use pdn_rules::internal::steps;

impl Query {
    /// Returns two parts joined by `and` that exclude each other, such as `ply 3` and `ply 5`, in the order of the text.
    ///
    /// Only single conditions are compared with each other, so that `None` does not mean that a game can match.
    /// [`Query::parse`] refuses such a text; queries that are built may contain such parts, and match nothing there.
    ///
    /// ```
    /// use pdn_index::query::Query;
    ///
    /// let query = Query::ply(3..=3) & Query::white("wiersma") & Query::ply(5..=5);
    /// let [first, second] = query.contradiction().expect("no ply has two numbers");
    /// assert_eq!((first.to_string(), second.to_string()), ("ply 3".to_owned(), "ply 5".to_owned()));
    /// assert_eq!(Query::parse("ever ply 3 and ever ply 5").unwrap().contradiction(), None);
    /// ```
    pub fn contradiction(&self) -> Option<[&Query; 2]> {
        match self {
            Self::And(parts) => {
                let mut all = Vec::new();
                conjuncts(parts, &mut all);
                let earlier = |(n, later)| find_excluded(&all[..n], later).map(|earlier| [earlier, later]);
                all.iter()
                    .copied()
                    .enumerate()
                    .find_map(earlier)
                    .or_else(|| parts.iter().find_map(Self::contradiction))
            }
            operator => operator.operands().into_iter().find_map(Self::contradiction),
        }
    }
}

/// Number of the parts of an `and` that are compared with each other: each with each, so that more would take long.
const MAX_COMPARED: usize = 50;

/// Appends the parts joined by `and` up to [`MAX_COMPARED`] of them, those of inner `and`s included.
fn conjuncts<'q>(parts: &'q [Query], all: &mut Vec<&'q Query>) {
    for part in parts {
        if all.len() >= MAX_COMPARED {
            return;
        }
        match part {
            Query::And(inner) => conjuncts(inner, all),
            part => all.push(part),
        }
    }
}

/// Returns the first of the parts before `later`, which is joined to them by `and`, that a part of `later` excludes.
pub(super) fn first_excluded<'q>(earlier: &'q [Query], later: &Query) -> Option<&'q Query> {
    let (mut before, mut parts) = (Vec::new(), Vec::new());
    conjuncts(earlier, &mut before);
    conjuncts(std::slice::from_ref(later), &mut parts);
    parts.iter().find_map(|part| find_excluded(&before, part))
}

fn find_excluded<'q>(earlier: &[&'q Query], part: &Query) -> Option<&'q Query> {
    steps::add(earlier.len());
    earlier.iter().copied().find(|other| exclude(other, part))
}

/// Returns `true` if two parts are never both true.
fn exclude(one: &Query, other: &Query) -> bool {
    match (one, other) {
        (Query::Not(inner), other) | (other, Query::Not(inner)) => **inner == *other,
        (Query::Is(Condition::Game(one)), Query::Is(Condition::Game(other))) => exclude_games(one, other),
        (Query::Is(one), Query::Is(other)) => exclude_positions(one, other) || exclude_positions(other, one),
        _ => false,
    }
}

/// Returns `true` if two conditions on positions are never both true; each pair of kinds is listed once.
fn exclude_positions(one: &Condition, other: &Condition) -> bool {
    match (one, other) {
        (Condition::Turn(one), Condition::Turn(other)) => one != other,
        (Condition::Ply(one), Condition::Ply(other))
        | (Condition::Repeats(one), Condition::Repeats(other)) => are_apart(one, other),
        (Condition::Material(one), Condition::Material(other)) => {
            one.weights == other.weights && are_apart(&(one.min..=one.max), &(other.min..=other.max))
        }
        (Condition::Sum(one), Condition::Sum(other)) => exclude_sums(one, other),
        (Condition::Board(one), Condition::Board(other)) => one.excludes(other),
        (Condition::Board(pattern), Condition::Turn(turn)) => {
            pattern.turn().is_some_and(|wanted| wanted != *turn)
        }
        // There is no next move at the last position.
        (Condition::Last, Condition::Move(_)) => true,
        (Condition::Move(mv), Condition::Turn(turn)) => mv.side.is_some_and(|side| side != *turn),
        (Condition::Move(one), Condition::Move(other)) => {
            differ(one.side, other.side)
                || differ(one.king, other.king)
                || differ(one.promotes, other.promotes)
                || one
                    .takes
                    .as_ref()
                    .zip(other.takes.as_ref())
                    .is_some_and(|(one, other)| are_apart(one, other))
        }
        _ => false,
    }
}

/// Returns `true` if two conditions on games are never both true.
fn exclude_games(one: &GameCondition, other: &GameCondition) -> bool {
    match (one, other) {
        (GameCondition::Date(one), GameCondition::Date(other)) => one.is_apart(other),
        (GameCondition::Rating(whose, one), GameCondition::Rating(whose_other, other)) => {
            whose == whose_other && are_apart(one, other)
        }
        (GameCondition::Round(one), GameCondition::Round(other)) => are_apart(one, other),
        (GameCondition::Plies(one), GameCondition::Plies(other)) => are_apart(one, other),
        (GameCondition::Sum(one), GameCondition::Sum(other)) => exclude_sums(one, other),
        (GameCondition::Result(one), GameCondition::Result(other)) => one != other,
        (GameCondition::Winner(one), GameCondition::Winner(other)) => one != other,
        (GameCondition::Status(one), GameCondition::Status(other)) => one != other,
        (GameCondition::Variant(one), GameCondition::Variant(other)) => one != other,
        (GameCondition::Winner(None), GameCondition::Tag(Field::Winner | Field::Loser, _))
        | (GameCondition::Tag(Field::Winner | Field::Loser, _), GameCondition::Winner(None)) => true,
        (GameCondition::Tag(field, one), GameCondition::Tag(field_other, other)) => {
            field == field_other && *field != Field::Player && are_different_names(one, other)
        }
        (GameCondition::TextTag(one), GameCondition::TextTag(other)) => {
            one.name().eq_ignore_ascii_case(other.name())
                && one.value().zip(other.value()).is_some_and(|(one, other)| are_different_names(one, other))
        }
        _ => false,
    }
}

/// Returns `true` if the same sum cannot lie in both ranges.
fn exclude_sums<N: PartialEq>(one: &SumCondition<N>, other: &SumCondition<N>) -> bool {
    one.terms == other.terms && are_apart(&(one.min..=one.max), &(other.min..=other.max))
}

/// Returns `true` if two whole names differ.
fn are_different_names(one: &NamePattern, other: &NamePattern) -> bool {
    [one, other].iter().all(|name| name.match_kind() == NameMatch::Exact) && one.folded() != other.folded()
}

/// Returns `true` if no value lies in both ranges.
fn are_apart<T: PartialOrd>(one: &RangeInclusive<T>, other: &RangeInclusive<T>) -> bool {
    one.end() < other.start() || other.end() < one.start()
}

/// Returns `true` if both values are given and differ.
fn differ<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
    one.is_some() && other.is_some() && one != other
}
