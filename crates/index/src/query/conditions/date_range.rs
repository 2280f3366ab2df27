//! Ranges of dates.

use std::fmt;

use crate::row::game_row::{earliest, latest};
use pdn::value::Date;

/// A range of dates, both ends included; either end may be open.
///
/// An end may leave out the day or the month: as a range, `1990` begins on 1 January and ends on 31 December. A game
/// matches only if all days of the calendar that its date allows lie in the range. `1990.??.??` therefore matches `1990`
/// but not `1990.06`, `1990.06.??` matches `..1990.06.30`, and a game without a date matches no range.
///
/// ```
/// use pdn_index::internal::query::DateRange;
/// use pdn_index::query::Query;
/// use pdn::value::Date;
///
/// let year = |year| Date::new(Some(year), None, None).unwrap();
/// let nineties = DateRange::new(Some(year(1990)), Some(year(1999)));
/// assert_eq!(Query::date(nineties), Query::parse("date 1990..1999").unwrap());
/// assert!(nineties.contains(year(1995)) && !nineties.contains(year(2000)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct DateRange {
    first: Option<Date>,
    last: Option<Date>,
}

impl DateRange {
    /// Creates the range from `first` to `last`, both included; `None` leaves that end open. Of an end without a month only the
    /// year counts.
    pub fn new(first: Option<Date>, last: Option<Date>) -> Self {
        let end = |date: Date| match date.month() {
            None => Date::new(date.year(), None, None).unwrap_or(date),
            Some(_) => date,
        };
        Self { first: first.map(end), last: last.map(end) }
    }

    /// Creates the range of all days of a year, of a month, or of a single day.
    pub fn of(date: Date) -> Self {
        Self::new(Some(date), Some(date))
    }

    /// Creates the range of all days after those of a year, of a month, or after a single day; `None` if there is none.
    pub fn after(date: Date) -> Option<Self> {
        let (year, month, day) = (date.year()?, date.month(), date.month().and(date.day()));
        let next_year = || Date::new(year.checked_add(1), None, None);
        let next_month = |month: u8| Date::new(Some(year), Some(month + 1), None).or_else(next_year);
        let first = match (month, day) {
            (None, _) => next_year(),
            (Some(month), None) => next_month(month),
            (Some(month), Some(day)) => {
                Date::new(Some(year), Some(month), Some(day + 1)).or_else(|| next_month(month))
            }
        };
        first.map(|first| Self::new(Some(first), None))
    }

    /// Creates the range of all days before those of a year, of a month, or before a single day; `None` if there is none.
    pub fn before(date: Date) -> Option<Self> {
        let (year, month, day) = (date.year()?, date.month(), date.month().and(date.day()));
        let last_year = || {
            year.checked_sub(1).filter(|&year| year > 0).and_then(|year| Date::new(Some(year), None, None))
        };
        let last_month = |month: u8| match month {
            1 => last_year(),
            month => Date::new(Some(year), Some(month - 1), None),
        };
        let last = match (month, day) {
            (None, _) => last_year(),
            (Some(month), None | Some(1)) => last_month(month),
            (Some(month), Some(day)) => Date::new(Some(year), Some(month), Some(day - 1)),
        };
        last.map(|last| Self::new(None, Some(last)))
    }

    /// Returns `true` if no day lies in both ranges.
    pub(in crate::query) fn is_apart(&self, other: &Self) -> bool {
        let ends_before = |one: &Self, other: &Self| {
            one.last.zip(other.first).is_some_and(|(last, first)| latest(last) < earliest(first))
        };
        ends_before(self, other) || ends_before(other, self)
    }

    /// Returns the first date of the range; `None` if the range has no beginning.
    pub fn first(&self) -> Option<Date> {
        self.first
    }

    /// Returns the last date of the range; `None` if the range has no end.
    pub fn last(&self) -> Option<Date> {
        self.last
    }

    /// Returns `true` if some day that `date` allows lies in the range.
    pub(in crate::query) fn overlaps(&self, date: Date) -> bool {
        self.first.is_none_or(|first| latest(date) >= earliest(first))
            && self.last.is_none_or(|last| earliest(date) <= latest(last))
    }

    /// Returns `true` if the year of `date` is known and every day that `date` allows lies in the range.
    pub fn contains(&self, date: Date) -> bool {
        date.year().is_some()
            && self.first.is_none_or(|first| earliest(date) >= earliest(first))
            && self.last.is_none_or(|last| latest(date) <= latest(last))
    }
}

impl fmt::Display for DateRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let write_date = |f: &mut fmt::Formatter<'_>, date: Date| {
            write!(f, "{:04}", date.year().unwrap_or(0))?;
            if let Some(month) = date.month() {
                write!(f, ".{month:02}")?;
                if let Some(day) = date.day() {
                    write!(f, ".{day:02}")?;
                }
            }
            Ok(())
        };
        if let Some(first) = self.first {
            write_date(f, first)?;
            if self.last == self.first {
                return Ok(());
            }
        }
        f.write_str("..")?;
        self.last.map_or(Ok(()), |last| write_date(f, last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_ranges_before_and_after_leave_out_the_date() {
        let date = |text: &str| Date::read(text.as_bytes()).expect("a date").date;
        for (of, before, after) in [
            ("1990", "..1989", "1991.."),
            ("1990.06", "..1990.05", "1990.07.."),
            ("1990.01", "..1989", "1990.02.."),
            ("1990.12", "..1990.11", "1991.."),
            ("1990.12.31", "..1990.12.30", "1991.."),
            ("2000.02.29", "..2000.02.28", "2000.03.."),
            ("1990.03.01", "..1990.02", "1990.03.02.."),
            ("1990.01.01", "..1989", "1990.01.02.."),
        ] {
            let text = |range: Option<DateRange>| range.expect("days").to_string();
            assert_eq!(
                (text(DateRange::before(date(of))), text(DateRange::after(date(of)))),
                (before.into(), after.into())
            );
        }
        assert_eq!(DateRange::after(date("9999")), None);
    }

    #[test]
    fn date_range_contains_dates_that_lie_fully_inside() {
        let date = |year, month, day| Date::new(Some(year), month, day).expect("a date");
        let year = DateRange::of(date(1990, None, None));
        let june = DateRange::of(date(1990, Some(6), None));
        let since = DateRange::new(Some(date(1990, Some(6), None)), None);
        let until = DateRange::new(None, Some(date(1990, Some(6), None)));
        let until_day = |year, month, day| DateRange::new(None, Some(date(year, Some(month), Some(day))));
        let until_a_day = until_day(1990, 12, 20);
        let since_a_day = DateRange::new(Some(date(1990, Some(1), Some(15))), None);
        let (until_30_june, until_29_june) = (until_day(1990, 6, 30), until_day(1990, 6, 29));
        let (until_29_february, until_28_february) = (until_day(1992, 2, 29), until_day(1992, 2, 28));
        let june_of_1990 = date(1990, Some(6), None);
        for (range, tested, expected) in [
            (year, date(1990, None, None), true),
            (year, date(1990, Some(12), Some(31)), true),
            (year, date(1991, None, None), false),
            (june, date(1990, None, None), false),
            (june, date(1990, Some(6), None), true),
            (june, date(1990, Some(6), Some(30)), true),
            (since, date(1990, Some(6), Some(1)), true),
            (since, date(1990, Some(5), Some(31)), false),
            (since, date(2100, None, None), true),
            (until, date(1990, Some(6), Some(30)), true),
            (until, date(1990, None, None), false),
            (until, date(1989, None, None), true),
            // Without a month, the day is one of any month.
            (until_a_day, date(1990, None, Some(15)), true),
            (until_a_day, date(1990, None, Some(21)), false),
            (since_a_day, date(1990, None, Some(15)), true),
            (since_a_day, date(1990, None, Some(14)), false),
            // The last day of a month is that of the calendar.
            (until_30_june, june_of_1990, true),
            (until_29_june, june_of_1990, false),
            (until_29_february, date(1992, Some(2), None), true),
            (until_28_february, date(1992, Some(2), None), false),
            (until_28_february, date(1991, Some(2), None), true),
            (until_a_day, date(1990, Some(12), Some(15)), true),
            (DateRange::default(), Date::UNKNOWN, false),
        ] {
            assert_eq!(range.contains(tested), expected, "{tested:?} in {range}");
        }
    }
}
