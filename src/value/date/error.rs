//! What can be wrong with a date.

use crate::value::error::{Problem, UnexpectedByte};

/// A number of more than four digits.
pub(super) const LONG_NUMBER: Problem =
    Problem::Message("found a number of more than four digits, expected a year, month or day");
/// A part of digits and question marks, such as `199?`.
pub(super) const PARTLY_KNOWN: Problem =
    Problem::Message("found digits next to question marks, expected a whole year, month or day as `?`");
pub(super) const TOO_MANY_PARTS: Problem =
    Problem::Message("found more than three parts, expected year, month and day");
/// No part with four digits or question marks.
pub(super) const NO_YEAR: Problem = Problem::Message("found no year, expected one of four digits or `????`");

/// A word that is neither a number, question marks, a separator nor the name of a month.
pub(super) const fn unexpected(found: UnexpectedByte) -> Problem {
    Problem::Unexpected("a date such as `1996.12.28`", found)
}

/// A month above 12.
pub(super) const fn no_such_month(month: u16) -> Problem {
    Problem::Number(month, "as the month, expected 1 to 12")
}

/// A day that the month does not have.
pub(super) const fn no_such_day(day: u16) -> Problem {
    Problem::Number(day, "as the day, expected one that the month has")
}
