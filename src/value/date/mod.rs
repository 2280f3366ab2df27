//! Dates, with or without unknown parts.
//!
//! Reads the form of PDN 3.0 (`1996.12.28`, `2007.??.??`) and other forms found in files: `2003-10-19` (PDN 2.0),
//! `1969.5.29`, `1.1.1965`, `1950.`, `17 april 2009`, `2007.?.?`, `1950.00.00`, and those of programs and other languages:
//! `2023-07-09T10:11:12Z`, `Sun Jul 09 2023`, `3 мая 1987`. Dates are checked against the
//! calendar; there are no time zones and no arithmetic. Reading is linear in the text and does not allocate.

mod error;
mod orders;
mod parts;
mod unusual;

use std::fmt;
use std::str::FromStr;

use super::error::{ValueError, span};
pub use orders::DateOrders;
use parts::{Part, decimal, split};

/// A date, parts of which may be unknown. Ordered by year, month, day; an unknown part sorts before every known one.
///
/// PDN 3.0, section "Date Tag".
///
/// ```
/// use pdn::value::Date;
///
/// let date: Date = "17 april 2009".parse()?;
/// assert_eq!(date.to_string(), "2009.04.17");
/// assert!(date > Date::new(Some(2009), None, None).unwrap());
/// assert_eq!(Date::read(b"3.4.1965")?.date.to_string(), "1965.04.03");
/// // 3 April or 4 March.
/// assert_eq!(Date::read(b"3/4/1965")?.date.to_string(), "1965.??.??");
/// # Ok::<(), pdn::value::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// The date `????.??.??`.
    pub const UNKNOWN: Self = Self { year: 0, month: 0, day: 0 };

    /// Creates a date from its parts, `None` for an unknown one.
    ///
    /// Returns `None` unless the calendar has the date: a year from 1 to 9999, a month from 1 to 12, and a day that
    /// the month has in that year, or can have if the year or the month is unknown.
    pub fn new(year: Option<u16>, month: Option<u8>, day: Option<u8>) -> Option<Self> {
        let date = Self { year: year.unwrap_or(0), month: month.unwrap_or(0), day: day.unwrap_or(0) };
        let nonzero = year != Some(0) && month != Some(0) && day != Some(0);
        (nonzero && date.year <= 9999 && date.month <= 12 && date.day <= date.max_days()).then_some(date)
    }

    /// Returns the year, from 1 to 9999; `None` if it is unknown.
    pub fn year(self) -> Option<u16> {
        (self.year != 0).then_some(self.year)
    }

    /// Returns the month, from 1 to 12; `None` if it is unknown.
    pub fn month(self) -> Option<u8> {
        (self.month != 0).then_some(self.month)
    }

    /// Returns the day, from 1 to 31; `None` if it is unknown.
    pub fn day(self) -> Option<u8> {
        (self.day != 0).then_some(self.day)
    }

    /// Returns the days from 1 January 1970 to the date; `None` if a part of it is unknown.
    ///
    /// ```
    /// use pdn::value::Date;
    ///
    /// let days = |text: &str| text.parse::<Date>().unwrap().days();
    /// assert_eq!(days("1970.01.03"), Some(2));
    /// assert_eq!(days("1970.01.??"), None);
    /// ```
    pub fn days(self) -> Option<i32> {
        let (year, month, day) = (self.year()?, self.month()?, self.day()?);
        // Years begin in March, so that the day that not every year has is the last one.
        let year = i32::from(year) - i32::from(month <= 2);
        let month = (i32::from(month) + 9) % 12;
        let day_of_year = (153 * month + 2) / 5 + i32::from(day) - 1;
        Some(365 * year + year / 4 - year / 100 + year / 400 + day_of_year - 719_468)
    }

    /// Returns `true` if no part is known.
    pub fn is_unknown(self) -> bool {
        self == Self::UNKNOWN
    }

    /// Returns the maximum number of days of the month.
    fn max_days(self) -> u8 {
        // Year 0 stands for an unknown one, which may be a leap year.
        let leap =
            self.year.is_multiple_of(4) && (!self.year.is_multiple_of(100) || self.year.is_multiple_of(400));
        match self.month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }

    /// Reads a date and reports the form in which it is written. An empty text, `?` and `-` are the unknown date.
    ///
    /// If the year comes last, the order of day and month is the one that the calendar has: `28/12/1996`, `12/28/1996`. If it has
    /// both, as for `3/4/1965`, only the year is known, unless [other dates of the file](DateOrders) show the order. Dates with dots, as
    /// in `3.4.1965`, have the day first everywhere.
    ///
    /// # Errors
    /// The first word without a meaning, or the whole date if the calendar does not have it.
    pub fn read(text: &[u8]) -> Result<ReadDate, ValueError> {
        read(text)
    }
}

/// Writes `YYYY.MM.DD`, with question marks for unknown parts.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.year() {
            Some(year) => write!(f, "{year:04}")?,
            None => f.write_str("????")?,
        }
        for part in [self.month(), self.day()] {
            match part {
                Some(part) => write!(f, ".{part:02}")?,
                None => f.write_str(".??")?,
            }
        }
        Ok(())
    }
}

/// Reads a date in any form; see [`Date::read`].
impl FromStr for Date {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        Self::read(text.as_bytes()).map(|read| read.date)
    }
}

/// A date and the form in which it was written.
///
/// ```
/// use pdn::value::Date;
///
/// let (standard, other) = (Date::read(b"1996.12.28")?, Date::read(b"28-12-1996")?);
/// assert_eq!(standard.date, other.date);
/// assert!(standard.is_canonical() && !other.is_canonical());
/// # Ok::<(), pdn::value::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct ReadDate {
    /// The date.
    pub date: Date,
    /// The form in which it was written.
    #[doc(hidden)]
    pub form: DateForm,
}

impl ReadDate {
    /// Returns `true` if the date in the form of PDN 3.0 says all that the text says.
    pub(crate) const fn is_whole(&self) -> bool {
        !matches!(self.form, DateForm::EitherOrder { .. } | DateForm::WithMore | DateForm::Uncertain)
    }

    /// Returns `true` if the text has a form that PDN 3.0 allows: `YYYY.MM.DD`, or empty.
    pub fn is_canonical(&self) -> bool {
        matches!(self.form, DateForm::Canonical | DateForm::Empty)
    }
}

/// The form in which a date is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum DateForm {
    /// `1996.12.28`: the form of PDN 3.0.
    Canonical,
    /// An empty text, which is allowed for any tag.
    Empty,
    /// Year first, but with other separators, fewer digits or question marks, or missing parts.
    YearFirst,
    /// Year last, and the order of day and month is certain.
    YearLast,
    /// The text says more than the date: a time of day, or the last of several days.
    WithMore,
    /// Only the year is known, and not for certain: `c. 1890`, `1998/99`.
    Uncertain,
    /// Year last, and day and month may be in either order: only the year is known.
    EitherOrder {
        /// The date if the first number is the day.
        day_first: Date,
        /// The date if the first number is the month.
        month_first: Date,
    },
}

/// Reads a date; see [`Date::read`].
fn read(text: &[u8]) -> Result<ReadDate, ValueError> {
    read_usual(text).or_else(|error| unusual::unusual_date(text).ok_or(error))
}

/// Reads a date of numbers, question marks, separators and months.
fn read_usual(text: &[u8]) -> Result<ReadDate, ValueError> {
    if has_canonical_form(text) {
        return date(
            text,
            decimal(&text[..4]),
            decimal(&text[5..7]),
            decimal(&text[8..]),
            DateForm::Canonical,
        );
    }
    if matches!(text.trim_ascii(), b"" | b"-") {
        let form = if text.is_empty() { DateForm::Empty } else { DateForm::YearFirst };
        return Ok(ReadDate { date: Date::UNKNOWN, form });
    }
    let (parts, count) = split(text)?;
    date_of_parts(text, parts, count)
}

/// Creates the date of the first `count` parts.
///
/// # Errors
/// The whole text, if there is no year or the calendar does not have the date.
fn date_of_parts(text: &[u8], parts: [Part; 3], count: usize) -> Result<ReadDate, ValueError> {
    let is_year = |part: Part| part.width == 4 && !part.named_month;
    match (parts, count) {
        ([only, ..], 1) if only.value.is_none() => date(text, None, None, None, DateForm::YearFirst),
        ([year, ..], 1) if is_year(year) => date(text, year.value, None, None, DateForm::YearFirst),
        ([year, month, ..], 2) if is_year(year) => {
            date(text, year.value, month.value, None, DateForm::YearFirst)
        }
        ([month, year, _], 2) if is_year(year) => {
            date(text, year.value, month.value, None, DateForm::YearLast)
        }
        ([year, month, day], 3) if is_year(year) => {
            date(text, year.value, month.value, day.value, DateForm::YearFirst)
        }
        ([first, second, year], 3) if is_year(year) => {
            let day_first = date(text, year.value, second.value, first.value, DateForm::YearLast);
            if second.named_month {
                return day_first;
            }
            let month_first = date(text, year.value, first.value, second.value, DateForm::YearLast);
            match (day_first, month_first) {
                (Ok(a), Ok(b)) if a != b && !first.named_month && !text.contains(&b'.') => {
                    let form = DateForm::EitherOrder { day_first: a.date, month_first: b.date };
                    date(text, year.value, None, None, form)
                }
                (_, Ok(b)) if first.named_month => Ok(b),
                (Ok(a), _) => Ok(a),
                (Err(_), Ok(b)) => Ok(b),
                (Err(error), Err(_)) => Err(error),
            }
        }
        _ => Err(ValueError::new(error::NO_YEAR, span(0, text.len()))),
    }
}

/// Creates the date of these parts. A part that is 0, as in `1950.00.00`, is unknown.
///
/// # Errors
/// The whole text, if the calendar does not have the date.
fn date(
    text: &[u8],
    year: Option<u16>,
    month: Option<u16>,
    day: Option<u16>,
    form: DateForm,
) -> Result<ReadDate, ValueError> {
    let zero = [year, month, day].contains(&Some(0));
    let form = if zero && form == DateForm::Canonical { DateForm::YearFirst } else { form };
    let nonzero = |part: Option<u16>| part.filter(|&value| value != 0);
    let narrow = |part: Option<u16>| nonzero(part).map(|value| u8::try_from(value).unwrap_or(u8::MAX));
    if let Some(date) = Date::new(nonzero(year), narrow(month), narrow(day)) {
        return Ok(ReadDate { date, form });
    }
    let problem = match month {
        Some(month @ 13..) => error::no_such_month(month),
        _ => error::no_such_day(day.unwrap_or(0)),
    };
    Err(ValueError::new(problem, span(0, text.len())))
}

/// Returns `true` if the text has the form of PDN 3.0, `([0-9]{4}|[?]{4}).([0-9]{2}|[?]{2}).([0-9]{2}|[?]{2})`.
fn has_canonical_form(text: &[u8]) -> bool {
    let part = |part: &[u8]| part.iter().all(u8::is_ascii_digit) || part.iter().all(|&byte| byte == b'?');
    matches!(text, [_, _, _, _, b'.', _, _, b'.', _, _])
        && part(&text[..4])
        && part(&text[5..7])
        && part(&text[8..])
}

#[cfg(test)]
mod tests;
