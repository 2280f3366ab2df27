//! Spans of time.

use std::fmt;

use crate::value::Date;

/// From a date to a date, both included; either end may be open.
///
/// An end may leave out the day or the month: `1990` begins on the first of January and ends on the 31st of
/// December. A game lies in the span if it surely does: one of `1990.??.??` lies in `1990` and not in `1990.06`,
/// and one without a date lies nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct DateRange {
    first: Option<Date>,
    last: Option<Date>,
}

impl DateRange {
    /// From `first` to `last`; `None` leaves an end open.
    pub fn new(first: Option<Date>, last: Option<Date>) -> Self {
        Self { first, last }
    }

    /// All of a year, a month, or a day.
    pub fn of(date: Date) -> Self {
        Self { first: Some(date), last: Some(date) }
    }

    /// Where it begins.
    pub fn first(&self) -> Option<Date> {
        self.first
    }

    /// Where it ends.
    pub fn last(&self) -> Option<Date> {
        self.last
    }

    /// Whether some day of a date may lie in the span.
    pub(super) fn meets(&self, date: Date) -> bool {
        self.first.is_none_or(|first| latest(date) >= earliest(first))
            && self.last.is_none_or(|last| earliest(date) <= latest(last))
    }

    /// Whether a date surely lies in the span.
    pub fn contains(&self, date: Date) -> bool {
        date.year().is_some()
            && self.first.is_none_or(|first| earliest(date) >= earliest(first))
            && self.last.is_none_or(|last| latest(date) <= latest(last))
    }
}

fn earliest(date: Date) -> (u16, u8, u8) {
    let month = date.month();
    let day = month.and(date.day());
    (date.year().unwrap_or(0), month.unwrap_or(1), day.unwrap_or(1))
}

fn latest(date: Date) -> (u16, u8, u8) {
    let month = date.month();
    let day = month.and(date.day());
    (date.year().unwrap_or(u16::MAX), month.unwrap_or(12), day.unwrap_or(31))
}

impl fmt::Display for DateRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |f: &mut fmt::Formatter<'_>, date: Date| {
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
            part(f, first)?;
            if self.last == self.first {
                return Ok(());
            }
        }
        f.write_str("..")?;
        self.last.map_or(Ok(()), |last| part(f, last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_lies_in_a_span_if_it_surely_does() {
        let date = |year, month, day| Date::new(Some(year), month, day).expect("a date");
        let year = DateRange::of(date(1990, None, None));
        let june = DateRange::of(date(1990, Some(6), None));
        let since = DateRange::new(Some(date(1990, Some(6), None)), None);
        let until = DateRange::new(None, Some(date(1990, Some(6), None)));
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
            (DateRange::default(), Date::UNKNOWN, false),
        ] {
            assert_eq!(range.contains(tested), expected, "{tested:?} in {range}");
        }
    }
}
