//! The order of day and month in the dates of a file.

use std::fmt;
use std::str::FromStr;

use super::{DateForm, ReadDate, read, read_usual};
use crate::error::UnknownName;
use crate::value::ValueError;

/// The order of day and month in the dates of a file that are written with the year last.
///
/// `07/04/1999` is 7 April or 4 July. Other dates of the file tell: next to `07/28/1999` it is 4 July. The order is found for each
/// separator, because a file that was put together from others may have `07/28/1999` and `28-07-1999`. It is unknown if no date
/// shows it, and if dates contradict each other. Dates with dots have the day first everywhere.
///
/// ```
/// use pdn::value::DateOrders;
///
/// let dates = DateOrders::of(b"[Date \"07/28/1999\"]\n\n1. 32-28 *\n");
/// assert_eq!(dates.read(b"07/04/1999")?.date.to_string(), "1999.07.04");
/// assert_eq!(dates.read(b"07-04-1999")?.date.to_string(), "1999.??.??");
/// # Ok::<(), pdn::value::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct DateOrders([Order; SEPARATORS]);

/// Number of classes of separators.
const SEPARATORS: usize = 3;

/// What dates with one separator show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
enum Order {
    #[default]
    Unknown,
    DayFirst,
    MonthFirst,
    /// Some dates have the day first, others the month.
    Both,
}

impl Order {
    const ALL: [(Self, u8); 4] =
        [(Self::Unknown, b'?'), (Self::DayFirst, b'd'), (Self::MonthFirst, b'm'), (Self::Both, b'b')];

    /// Returns what two dates show together.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, order) | (order, Self::Unknown) => order,
            (one, other) if one == other => one,
            _ => Self::Both,
        }
    }
}

impl DateOrders {
    /// Finds the orders in the first bytes of a file: in every value of a tag that is such a date. O(bytes).
    pub fn of(text: &[u8]) -> Self {
        let mut orders = Self::default();
        for at in memchr::memchr_iter(b'"', text) {
            let value = &text[at + 1..];
            // `1.1.1965` to `28 / 12 / 1996`.
            if !value.first().is_some_and(u8::is_ascii_digit) {
                continue;
            }
            let value = &value[..value.len().min(15)];
            let Some(end) = memchr::memchr(b'"', value) else { continue };
            let line_start = memchr::memrchr2(b'\n', b'\r', &text[..at]).map_or(0, |line_end| line_end + 1);
            if text[line_start..at].trim_ascii_start().starts_with(b"[") {
                orders.add(&value[..end]);
            }
        }
        orders
    }

    /// Adds what a date shows, if its day is no month.
    fn add(&mut self, date: &[u8]) {
        // Most of these values are results and numbers, which are no unusual dates.
        let Ok(ReadDate { form: DateForm::YearLast, date: read }) = read_usual(date) else { return };
        let (Some(month), Some(day)) = (read.month(), read.day()) else { return };
        let (Some(place), Some(first)) = (separator(date), number(date)) else { return };
        if day > 12 {
            let order = if first == day { Order::DayFirst } else { Order::MonthFirst };
            debug_assert!(first == day || first == month, "a date begins with its day or its month");
            self.0[place] = self.0[place].and(order);
        }
    }

    /// Reads a date as the others of the file are written; else as [`Date::read`](super::Date::read).
    ///
    /// # Errors
    /// As [`Date::read`](super::Date::read).
    pub fn read(self, text: &[u8]) -> Result<ReadDate, ValueError> {
        let found = read(text)?;
        let DateForm::EitherOrder { day_first, month_first } = found.form else { return Ok(found) };
        let date = match separator(text).map(|place| self.0[place]) {
            Some(Order::DayFirst) => day_first,
            Some(Order::MonthFirst) => month_first,
            _ => return Ok(found),
        };
        Ok(ReadDate { date, form: DateForm::YearLast })
    }
}

/// Returns the class of the first separator of a date: slashes, hyphens, others. `None` for a date with dots.
fn separator(date: &[u8]) -> Option<usize> {
    let separators = || date.iter().filter(|byte| !byte.is_ascii_alphanumeric());
    if separators().any(|&byte| byte == b'.') {
        return None;
    }
    let is_any = |wanted: u8| separators().any(|&byte| byte == wanted);
    Some(if is_any(b'/') { 0 } else { 2 - usize::from(is_any(b'-')) })
}

/// Returns the number at the start of a date.
fn number(date: &[u8]) -> Option<u8> {
    let date = date.trim_ascii_start();
    let len = date.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&date[..len]).ok()?.parse().ok()
}

/// Writes a letter for the dates with slashes, for those with hyphens and for others: `d` if the day comes first, `m` if the month
/// does, `b` for both, `?` if no date shows it.
impl fmt::Display for DateOrders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter =
            |order: Order| Order::ALL.iter().find(|(other, _)| *other == order).map_or('?', |of| of.1.into());
        self.0.into_iter().try_for_each(|order| fmt::Write::write_char(f, letter(order)))
    }
}

impl FromStr for DateOrders {
    type Err = UnknownName;

    /// Parses what [`Display`](fmt::Display) writes.
    ///
    /// # Errors
    /// If the text is not of that form.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let unknown = UnknownName { expected: "three letters for orders of dates" };
        let order =
            |letter: u8| Order::ALL.iter().find(|(_, other)| *other == letter).map(|(order, _)| *order);
        let orders: Option<Vec<Order>> = text.bytes().map(order).collect();
        orders.and_then(|orders| orders.try_into().ok()).map(Self).ok_or(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orders(values: &[&str]) -> DateOrders {
        let tags: String =
            values.iter().map(|value| format!("[Event \"x\"]\r\n [Date \"{value}\"]\r\n\r\n*\r\n")).collect();
        DateOrders::of(tags.as_bytes())
    }

    #[test]
    fn order_of_day_and_month_is_that_of_the_other_dates() {
        let read =
            |values: &[&str], text: &str| orders(values).read(text.as_bytes()).unwrap().date.to_string();
        assert_eq!(read(&["07/28/1999", "07/03/1999"], "07/04/1999"), "1999.07.04");
        assert_eq!(read(&["28/07/1999"], "07/04/1999"), "1999.04.07");
        assert_eq!(read(&["28-07-1999"], "07-04-1999"), "1999.04.07");
        assert_eq!(read(&["28 07 1999"], "07 04 1999"), "1999.04.07");
        // No evidence: none, evidence about another separator, and evidence for both.
        assert_eq!(read(&["07/07/1999", "1999.07.28", "July 28, 1999"], "07/04/1999"), "1999.??.??");
        assert_eq!(read(&["28-07-1999", "28.07.1999"], "07/04/1999"), "1999.??.??");
        assert_eq!(read(&["07/28/1999", "28/07/1999", "28/07/1999"], "07/04/1999"), "1999.??.??");
        // What is certain stays so.
        assert_eq!(read(&["07/28/1999"], "28/07/1999"), "1999.07.28");
        assert_eq!(read(&["07/28/1999"], "07.04.1999"), "1999.04.07");
    }

    #[test]
    fn only_values_of_tags_show_an_order() {
        assert_eq!(DateOrders::of(b"{ played \"07/28/1999\" } 1. 32-28 *"), DateOrders::default());
        assert_eq!(DateOrders::of(b"[Date \"07/28/1999"), DateOrders::default());
        assert_eq!(DateOrders::of(b"[EventDate \"07/28/1999\"]").to_string(), "m??");
    }

    #[test]
    fn orders_survive_writing_and_reading() {
        for values in [&[][..], &["07/28/1999"], &["28-07-1999", "07/28/1999", "28/07/1999"], &["28 7 1999"]]
        {
            let orders = orders(values);
            assert_eq!(orders.to_string().parse(), Ok(orders), "{orders}");
        }
        assert!("mm".parse::<DateOrders>().is_err() && "xxx".parse::<DateOrders>().is_err());
    }
}
