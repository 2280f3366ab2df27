//! Questions as text that can be read again.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;

use super::expression::{Condition, Field, GameCondition, Query, RatedPlayer};
use super::pattern::{Pattern, PatternForm};
use crate::value::{Colour, Outcome};

/// How tightly a part of a question holds together, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Not,
    Postfix,
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(self, Level::Or, f)
    }
}

fn write(query: &Query, least: Level, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let level = match query {
        Query::Or(parts) if parts.len() > 1 => Level::Or,
        Query::And(parts) if parts.len() > 1 => Level::And,
        Query::Or(parts) | Query::And(parts) if parts.len() == 1 => return write(&parts[0], least, f),
        Query::Not(_) => Level::Not,
        _ => Level::Postfix,
    };
    if level < least {
        f.write_str("(")?;
        write(query, Level::Or, f)?;
        return f.write_str(")");
    }
    let join = |parts: &[Query], word: &str, level: Level, f: &mut fmt::Formatter<'_>| {
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                write!(f, " {word} ")?;
            }
            write(part, level, f)?;
        }
        Ok(())
    };
    // What `then` and `for` take is a part that needs no bracket, and not one of them again.
    let operand = |part: &Query, f: &mut fmt::Formatter<'_>| match part {
        Query::Then { .. } | Query::For { .. } => {
            f.write_str("(")?;
            write(part, Level::Or, f)?;
            f.write_str(")")
        }
        part => write(part, Level::Postfix, f),
    };
    match query {
        Query::Is(condition) => condition.fmt(f),
        Query::And(parts) if parts.is_empty() => f.write_str("all"),
        Query::Or(parts) if parts.is_empty() => f.write_str("nothing"),
        Query::And(parts) => join(parts, "and", Level::Not, f),
        Query::Or(parts) => join(parts, "or", Level::And, f),
        Query::Not(inner) => {
            f.write_str("not ")?;
            write(inner, Level::Not, f)
        }
        Query::Ever(inner) => {
            f.write_str("ever ")?;
            operand(inner, f)
        }
        Query::Then { first, second, within } => {
            operand(first, f)?;
            f.write_str(" then ")?;
            operand(second, f)?;
            write!(f, " within {within}")
        }
        Query::For { query, plies } => {
            operand(query, f)?;
            write!(f, " for {plies}")
        }
    }
}

/// A text between quotes.
fn quoted(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("\"")?;
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            f.write_str("\\")?;
        }
        write!(f, "{c}")?;
    }
    f.write_str("\"")
}

fn range<T: PartialEq + Display>(
    range: &RangeInclusive<T>,
    greatest: T,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    match (range.start(), range.end()) {
        (first, last) if first == last => write!(f, "{first}"),
        (first, last) if *last == greatest => write!(f, "{first}.."),
        (first, last) => write!(f, "{first}..{last}"),
    }
}

pub(super) const fn colour(colour: Colour) -> &'static str {
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
        quoted(self.text(), f)?;
        let (flipped, mirrored) = self.forms();
        f.write_str(if flipped { " flipped" } else { "" })?;
        f.write_str(if mirrored { " mirrored" } else { "" })
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Game(condition) => condition.fmt(f),
            Self::Board(pattern) => pattern.fmt(f),
            Self::Line(line) => {
                f.write_str("line ")?;
                quoted(line.text(), f)
            }
            Self::Material(material) => material.fmt(f),
            Self::Turn(turn) => write!(f, "{} to move", colour(*turn)),
            Self::Ply(plies) => {
                f.write_str("ply ")?;
                range(plies, u32::MAX, f)
            }
            Self::Last => f.write_str("last"),
            Self::Move(manoeuvre) => manoeuvre.fmt(f),
            Self::Sacrifice(sacrifice) => sacrifice.fmt(f),
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
                range(ratings, u16::MAX, f)
            }
            Self::Round(rounds) => {
                f.write_str("round ")?;
                range(rounds, u16::MAX, f)
            }
            Self::Plies(plies) => {
                f.write_str("plies ")?;
                range(plies, u32::MAX, f)
            }
            Self::Result(outcome) => write!(f, "result {}", outcome_name(*outcome)),
            Self::Winner(winner) => write!(f, "winner {}", winner.map_or("nobody", colour)),
            Self::Status(status) => write!(f, "status {}", status.name()),
            Self::Variant(variant) => write!(f, "variant {variant}"),
        }
    }
}

/// The names of outcomes, in terms of the side that starts.
pub(super) const OUTCOMES: [(&str, Outcome); 5] = [
    ("win", Outcome::FirstWins),
    ("loss", Outcome::SecondWins),
    ("draw", Outcome::Draw),
    ("both-lose", Outcome::BothLose),
    ("unknown", Outcome::Unknown),
];

fn outcome_name(outcome: Outcome) -> &'static str {
    OUTCOMES.iter().find(|(_, other)| *other == outcome).map_or("unknown", |(name, _)| name)
}

impl Field {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::White,
        Self::Black,
        Self::Player,
        Self::Winner,
        Self::Loser,
        Self::Event,
        Self::Site,
        Self::Round,
        Self::Result,
    ];

    /// What it is called in a question.
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
            Self::Player => "player",
            Self::Winner => "winner",
            Self::Loser => "loser",
            Self::Event => "event",
            Self::Site => "site",
            Self::Round => "round",
            Self::Result => "result",
        }
    }
}
