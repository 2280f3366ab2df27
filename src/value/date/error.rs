//! The errors of dates.

use std::fmt;

use crate::value::error::{UnexpectedByte, ValueError};

/// The error of an unreadable date.
pub type DateError = ValueError<DateErrorKind>;

/// The kind of error in a date.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum DateErrorKind {
    /// A word that is neither a number, question marks, a separator nor the name of a month.
    Unexpected(UnexpectedByte),
    /// A number of more than four digits.
    LongNumber,
    /// A part of digits and question marks, such as `199?`.
    PartlyKnown,
    /// More than three parts.
    TooManyParts,
    /// No part with four digits or question marks, so no year.
    NoYear,
    /// A month above 12.
    NoSuchMonth(u16),
    /// A day that the month does not have.
    NoSuchDay(u16),
}

impl fmt::Display for DateErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected(found) => write!(f, "expected a date such as `1996.12.28`, found {found}"),
            Self::LongNumber => {
                write!(f, "found a number of more than four digits, expected a year, month or day")
            }
            Self::PartlyKnown => {
                write!(f, "found digits next to question marks, expected a whole year, month or day as `?`")
            }
            Self::TooManyParts => write!(f, "found more than three parts, expected year, month and day"),
            Self::NoYear => write!(f, "found no year, expected one of four digits or `????`"),
            Self::NoSuchMonth(month) => write!(f, "found {month} as the month, expected 1 to 12"),
            Self::NoSuchDay(day) => write!(f, "found {day} as the day, expected one that the month has"),
        }
    }
}
