//! Writes a query as text that parses to an equal query.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;

use super::query::{Condition, GameCondition, Query, RatedPlayer};
use crate::query::conditions::{Pattern, PatternForm, write_quoted};
use pdn::value::{Colour, Outcome};

/// The precedence of an operator, lowest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Or,
    And,
    Not,
    Postfix,
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(self, Precedence::Or, f)
    }
}

impl Query {
    /// Returns the text of the query, to which conditions can be added with `and`: an `or` stands in brackets.
    #[doc(hidden)]
    pub fn to_joinable_text(&self) -> String {
        struct Operand<'a>(&'a Query);
        impl fmt::Display for Operand<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write(self.0, Precedence::And, f)
            }
        }
        Operand(self).to_string()
    }
}

/// Writes a query, in brackets if its operator has a lower precedence than `min`.
fn write(query: &Query, min: Precedence, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let precedence = match query {
        Query::Or(parts) if parts.len() > 1 => Precedence::Or,
        Query::And(parts) if parts.len() > 1 => Precedence::And,
        Query::Or(parts) | Query::And(parts) if parts.len() == 1 => return write(&parts[0], min, f),
        Query::Not(_) => Precedence::Not,
        _ => Precedence::Postfix,
    };
    if precedence < min {
        f.write_str("(")?;
        write(query, Precedence::Or, f)?;
        return f.write_str(")");
    }
    let write_joined = |parts: &[Query], operator: &str, min: Precedence, f: &mut fmt::Formatter<'_>| {
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                write!(f, " {operator} ")?;
            }
            write(part, min, f)?;
        }
        Ok(())
    };
    // `then`, `after`, `for` and `times` do not associate: an operand that is one of them is written in brackets.
    let write_operand = |part: &Query, f: &mut fmt::Formatter<'_>| match part {
        Query::Then { .. } | Query::After { .. } | Query::For { .. } | Query::Times { .. } => {
            f.write_str("(")?;
            write(part, Precedence::Or, f)?;
            f.write_str(")")
        }
        part => write(part, Precedence::Postfix, f),
    };
    match query {
        Query::Is(condition) => condition.fmt(f),
        Query::And(parts) if parts.is_empty() => f.write_str("all"),
        Query::Or(parts) if parts.is_empty() => f.write_str("nothing"),
        Query::And(parts) => write_joined(parts, "and", Precedence::Not, f),
        Query::Or(parts) => write_joined(parts, "or", Precedence::And, f),
        Query::Not(inner) => {
            f.write_str("not ")?;
            write(inner, Precedence::Not, f)
        }
        Query::Ever(inner) => {
            f.write_str("ever ")?;
            write_operand(inner, f)
        }
        Query::Aside(inner) => {
            f.write_str("aside ")?;
            write_operand(inner, f)
        }
        Query::Then { first, second, within } => {
            write_operand(first, f)?;
            f.write_str(" then ")?;
            write_operand(second, f)?;
            write_distances(within, f)
        }
        Query::After { later, earlier, within } => {
            write_operand(later, f)?;
            f.write_str(" after ")?;
            write_operand(earlier, f)?;
            write_distances(within, f)
        }
        Query::For { query, plies } => {
            write_operand(query, f)?;
            write!(f, " for {plies}")
        }
        Query::Times { query, count } => {
            write_operand(query, f)?;
            f.write_str(" times ")?;
            write_range(count, u32::MAX, f)
        }
        Query::First(inner) => {
            f.write_str("first ")?;
            write_operand(inner, f)
        }
        Query::Transformed { query, by } => {
            match &**query {
                Query::Is(condition) => condition.fmt(f)?,
                query => write!(f, "({query})")?,
            }
            by.words().try_for_each(|word| write!(f, " {word}"))
        }
    }
}

/// Writes the distances of two positions after `within`. A single number there is the greatest one.
fn write_distances(within: &RangeInclusive<u32>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(" within ")?;
    match (*within.start(), *within.end()) {
        (first, u32::MAX) => write!(f, "{first}.."),
        (1, last) => write!(f, "{last}"),
        (first, last) => write!(f, "{first}..{last}"),
    }
}

/// Writes a range without its end if that is `max`.
fn write_range<T: PartialEq + Display>(
    range: &RangeInclusive<T>,
    max: T,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    match (range.start(), range.end()) {
        (first, last) if first == last => write!(f, "{first}"),
        (first, last) if *last == max => write!(f, "{first}.."),
        (first, last) => write!(f, "{first}..{last}"),
    }
}

/// Returns the word for a side in the query language.
const fn colour_name(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "white",
        Colour::Black => "black",
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.source() {
            PatternForm::Fen => "fen ",
            PatternForm::Pattern => "pattern ",
        })?;
        write_quoted(self.text(), f)
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Game(condition) => condition.fmt(f),
            Self::Board(pattern) => pattern.fmt(f),
            Self::InGame(positions) => positions.fmt(f),
            Self::Line(line) => {
                f.write_str("line ")?;
                write_quoted(line.text(), f)
            }
            Self::Material(material) => material.fmt(f),
            Self::Sum(sum) => sum.fmt(f),
            Self::Turn(turn) => write!(f, "{} to move", colour_name(*turn)),
            Self::Ply(plies) => {
                f.write_str("ply ")?;
                write_range(plies, u32::MAX, f)
            }
            Self::Last => f.write_str("last"),
            Self::Move(condition) => condition.fmt(f),
            Self::Played(moves) => write!(f, "played \"{moves}\""),
            Self::Sacrifice(sacrifice) => sacrifice.fmt(f),
            Self::Repeats(times) => {
                f.write_str("repeats ")?;
                write_range(times, u32::MAX, f)
            }
            Self::Note(note) => note.fmt(f),
        }
    }
}

impl fmt::Display for GameCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tag(field, names) => {
                let name = field.name();
                write!(f, "{name} {names}")
            }
            Self::Date(dates) => write!(f, "date {dates}"),
            Self::Rating(whose, ratings) => {
                f.write_str(match whose {
                    RatedPlayer::White => "rating white ",
                    RatedPlayer::Black => "rating black ",
                    RatedPlayer::Both => "rating both ",
                    RatedPlayer::Either => "rating either ",
                })?;
                write_range(ratings, u16::MAX, f)
            }
            Self::Round(rounds) => {
                f.write_str("round ")?;
                write_range(rounds, u16::MAX, f)
            }
            Self::Plies(plies) => {
                f.write_str("plies ")?;
                write_range(plies, u32::MAX, f)
            }
            Self::Sum(sum) => sum.fmt(f),
            Self::Result(outcome) => write!(f, "result {}", outcome_name(*outcome)),
            Self::Winner(winner) => write!(f, "winner {}", winner.map_or("nobody", colour_name)),
            Self::Status(status) => write!(f, "status {}", status.name()),
            Self::Variant(variant) => write!(f, "variant {variant}"),
            Self::TextTag(condition) => condition.fmt(f),
            Self::File(condition) => condition.fmt(f),
            Self::OpeningPlayed(names) => write!(f, "opening_played {names}"),
        }
    }
}

/// The names of outcomes in the query language, in terms of the side that starts.
pub(super) const OUTCOME_NAMES: [(&str, Outcome); 5] = [
    ("win", Outcome::FirstWins),
    ("loss", Outcome::SecondWins),
    ("draw", Outcome::Draw),
    ("both-lose", Outcome::BothLose),
    ("unknown", Outcome::Unknown),
];

fn outcome_name(outcome: Outcome) -> &'static str {
    OUTCOME_NAMES.iter().find(|(_, other)| *other == outcome).map_or("unknown", |(name, _)| name)
}
