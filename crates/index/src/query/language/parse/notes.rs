//! Parses the conditions on what is written about a move.

use std::ops::RangeInclusive;

use super::name_value::parse_name;
use super::scanner::{Scanner, What};
use crate::query::conditions::NoteCondition;
use crate::query::error::QueryError;
use crate::query::language::query::Query;
use pdn::value::MoveStrength;

/// Parses the rest of a condition that begins with this word, which has been taken; `None` if it begins none of these.
pub(super) fn parse_note(scanner: &mut Scanner<'_>, word: &str) -> Result<Option<Query>, QueryError> {
    Ok(Some(Query::note(match word {
        "comment" => NoteCondition::Comment(parse_name(scanner)?),
        "nag" => {
            let numbers: RangeInclusive<i64> = scanner.numbers("the number of a NAG", 0, u32::MAX.into())?;
            NoteCondition::Nag(*numbers.start() as u32..=*numbers.end() as u32)
        }
        "mark" => NoteCondition::Mark(parse_strength(scanner)?),
        _ => return Ok(None),
    })))
}

/// Parses a move strength, with or without quotes.
fn parse_strength(scanner: &mut Scanner<'_>) -> Result<MoveStrength, QueryError> {
    let marks = MoveStrength::ALL.map(|strength| format!("\"{}\"", NoteCondition::written(strength)));
    let marks: Vec<&str> = marks.iter().map(String::as_str).collect();
    let expected = What::Such("a move strength", &marks);
    let at = scanner.offset();
    let (_, text, _) = scanner.value(expected)?;
    MoveStrength::parse(text.as_bytes()).ok_or_else(|| {
        scanner.rewind(at);
        scanner.expected(expected)
    })
}
