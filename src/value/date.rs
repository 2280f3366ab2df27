//! Dates, as far as they are known.
//!
//! Reads what PDN 3.0 writes (`1996.12.28`, `2007.??.??`), and what files contain beside it: `2003-10-19` (PDN
//! 2.0), `1969.5.29`, `1.1.1965`, `1950.`, `17 april 2009`, `2007.?.?`, `1950.00.00`.
//! Knows the calendar, but no time zones and no arithmetic. Linear in the text, never allocates.

use std::fmt;

use super::error::{UnexpectedByte, ValueError, span};

/// A date with unknown parts. Ordered by year, month, day; an unknown part comes before every known one.
///
/// PDN 3.0, section "Date Tag".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// `????.??.??`.
    pub const UNKNOWN: Self = Self { year: 0, month: 0, day: 0 };

    /// A date of known and unknown parts, if the calendar has it: year 1 to 9999, month 1 to 12, and a day that
    /// the month has in that year, or may have where the year or the month is unknown.
    pub fn new(year: Option<u16>, month: Option<u8>, day: Option<u8>) -> Option<Self> {
        let date = Self { year: year.unwrap_or(0), month: month.unwrap_or(0), day: day.unwrap_or(0) };
        let given = year != Some(0) && month != Some(0) && day != Some(0);
        (given && date.year <= 9999 && date.month <= 12 && date.day <= date.most_days()).then_some(date)
    }

    /// The year, where it is known.
    pub fn year(self) -> Option<u16> {
        (self.year != 0).then_some(self.year)
    }

    /// The month from 1 to 12, where it is known.
    pub fn month(self) -> Option<u8> {
        (self.month != 0).then_some(self.month)
    }

    /// The day from 1 to 31, where it is known.
    pub fn day(self) -> Option<u8> {
        (self.day != 0).then_some(self.day)
    }

    /// Whether no part is known.
    pub fn is_unknown(self) -> bool {
        self == Self::UNKNOWN
    }

    /// Days that the month has at most.
    fn most_days(self) -> u8 {
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

    /// Reads a date. Empty text, `?` and `-` are a date of which nothing is known.
    ///
    /// With the year last, the first number is the day, as in most of the world; where both could be either,
    /// as in `3.4.1965`, [`DateForm::DayOrMonthFirst`] says that it was a guess. If only the other order is in the
    /// calendar, as in `12/28/1996`, that order is taken.
    ///
    /// # Errors
    /// The first place without a meaning, or the whole date where the calendar does not have it; see
    /// [`DateErrorKind`].
    pub fn read(text: &[u8]) -> Result<ReadDate, DateError> {
        read(text)
    }
}

/// `YYYY.MM.DD`, with question marks for what is not known.
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

/// A date together with the form in which it was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct ReadDate {
    /// The date.
    pub date: Date,
    /// How it was written.
    pub form: DateForm,
}

impl ReadDate {
    /// Whether the text is what PDN 3.0 allows: `YYYY.MM.DD`, or empty.
    pub fn is_canonical(&self) -> bool {
        matches!(self.form, DateForm::Canonical | DateForm::Nothing)
    }
}

/// How a date is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum DateForm {
    /// `1996.12.28`.
    Canonical,
    /// Empty, which any tag may be.
    Nothing,
    /// Year first, but with other separators, fewer digits or question marks, or parts left out.
    YearFirst,
    /// Year last, and the order of the others is certain.
    YearLast,
    /// Year last, and day and month could be either way round: the day was taken to come first.
    DayOrMonthFirst,
}

/// Why a date cannot be read.
pub type DateError = ValueError<DateErrorKind>;

/// What is wrong with the text of a date.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum DateErrorKind {
    /// Something that is neither number, question mark, separator nor the name of a month.
    Unexpected(UnexpectedByte),
    /// A number longer than four digits.
    LongNumber,
    /// More than three parts.
    TooManyParts,
    /// No part is a year of four digits.
    NoYear,
    /// The calendar has no such month.
    NoSuchMonth(u16),
    /// The month has no such day, or none at all.
    NoSuchDay(u16),
}

impl fmt::Display for DateErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected(found) => write!(f, "expected a date such as `1996.12.28`, found {found}"),
            Self::LongNumber => {
                write!(f, "found a number of more than four digits, expected a year, month or day")
            }
            Self::TooManyParts => write!(f, "found more than three parts, expected year, month and day"),
            Self::NoYear => write!(f, "found no year, expected one of four digits or `????`"),
            Self::NoSuchMonth(month) => write!(f, "found {month} as the month, expected 1 to 12"),
            Self::NoSuchDay(day) => write!(f, "found {day} as the day, expected one that the month has"),
        }
    }
}

/// A part of a date before it is known what it stands for.
#[derive(Clone, Copy)]
struct Part {
    value: Option<u16>,
    /// Digits or question marks.
    width: usize,
    named_month: bool,
}

fn read(text: &[u8]) -> Result<ReadDate, DateError> {
    if is_canonical_shape(text) {
        return date(
            text,
            decimal(&text[..4]),
            decimal(&text[5..7]),
            decimal(&text[8..]),
            DateForm::Canonical,
        );
    }
    if matches!(text.trim_ascii(), b"" | b"-") {
        let form = if text.is_empty() { DateForm::Nothing } else { DateForm::YearFirst };
        return Ok(ReadDate { date: Date::UNKNOWN, form });
    }
    let (parts, count) = parts(text)?;
    let year_first = |part: Part| part.width == 4 && !part.named_month;
    match (parts, count) {
        ([only, ..], 1) if only.value.is_none() => date(text, None, None, None, DateForm::YearFirst),
        ([year, ..], 1) if year_first(year) => date(text, year.value, None, None, DateForm::YearFirst),
        ([year, month, ..], 2) if year_first(year) => {
            date(text, year.value, month.value, None, DateForm::YearFirst)
        }
        ([month, year, _], 2) if year_first(year) => {
            date(text, year.value, month.value, None, DateForm::YearLast)
        }
        ([year, month, day], 3) if year_first(year) => {
            date(text, year.value, month.value, day.value, DateForm::YearFirst)
        }
        ([first, second, year], 3) if year_first(year) => {
            let day_first = date(text, year.value, second.value, first.value, DateForm::YearLast);
            if second.named_month {
                return day_first;
            }
            let month_first = date(text, year.value, first.value, second.value, DateForm::YearLast);
            match (day_first, month_first) {
                (Ok(a), Ok(b)) if a != b && !first.named_month => {
                    Ok(ReadDate { form: DateForm::DayOrMonthFirst, ..a })
                }
                (_, Ok(b)) if first.named_month => Ok(b),
                (Ok(a), _) => Ok(a),
                (Err(_), Ok(b)) => Ok(b),
                (Err(error), Err(_)) => Err(error),
            }
        }
        _ => Err(ValueError::new(DateErrorKind::NoYear, span(0, text.len()))),
    }
}

/// The date of these parts, if the calendar has it. A part that is 0, as in `1950.00.00`, is not known.
fn date(
    text: &[u8],
    year: Option<u16>,
    month: Option<u16>,
    day: Option<u16>,
    form: DateForm,
) -> Result<ReadDate, DateError> {
    let zero = [year, month, day].contains(&Some(0));
    let form = if zero && form == DateForm::Canonical { DateForm::YearFirst } else { form };
    let known = |part: Option<u16>| part.filter(|&value| value != 0);
    let narrow = |part: Option<u16>| known(part).map(|value| u8::try_from(value).unwrap_or(u8::MAX));
    if let Some(date) = Date::new(known(year), narrow(month), narrow(day)) {
        return Ok(ReadDate { date, form });
    }
    let kind = match month {
        Some(month @ 13..) => DateErrorKind::NoSuchMonth(month),
        _ => DateErrorKind::NoSuchDay(day.unwrap_or(0)),
    };
    Err(ValueError::new(kind, span(0, text.len())))
}

/// Whether the text has the shape of PDN 3.0, `([0-9]{4}|[?]{4}).([0-9]{2}|[?]{2}).([0-9]{2}|[?]{2})`.
fn is_canonical_shape(text: &[u8]) -> bool {
    let part = |part: &[u8]| part.iter().all(u8::is_ascii_digit) || part.iter().all(|&byte| byte == b'?');
    matches!(text, [_, _, _, _, b'.', _, _, b'.', _, _])
        && part(&text[..4])
        && part(&text[5..7])
        && part(&text[8..])
}

/// The parts of a date, at most three, however they are separated.
fn parts(text: &[u8]) -> Result<([Part; 3], usize), DateError> {
    let mut parts = [Part { value: None, width: 0, named_month: false }; 3];
    let mut count = 0;
    let mut at = 0;
    while at < text.len() {
        let start = at;
        let class = Class::of(text[at]);
        while at < text.len() && Class::of(text[at]) == class {
            at += 1;
        }
        let word = &text[start..at];
        let part = match class {
            Class::Separator => continue,
            Class::Digit if word.len() > 4 => {
                return Err(ValueError::new(DateErrorKind::LongNumber, span(start, at)));
            }
            Class::Digit => Part { value: decimal(word), width: word.len(), named_month: false },
            Class::Unknown => Part { value: None, width: word.len(), named_month: false },
            Class::Letter | Class::Other => match month_of_name(word) {
                Some(month) => Part { value: Some(month), width: word.len(), named_month: true },
                None => {
                    let found = UnexpectedByte::at(text, start);
                    return Err(ValueError::new(DateErrorKind::Unexpected(found), span(start, at)));
                }
            },
        };
        let Some(place) = parts.get_mut(count) else {
            return Err(ValueError::new(DateErrorKind::TooManyParts, span(start, at)));
        };
        *place = part;
        count += 1;
    }
    Ok((parts, count))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Digit,
    Unknown,
    Separator,
    /// Letters of names of months, accented ones included, in whatever encoding.
    Letter,
    Other,
}

impl Class {
    fn of(byte: u8) -> Self {
        match byte {
            b'0'..=b'9' => Self::Digit,
            b'?' => Self::Unknown,
            b'.' | b'-' | b'/' | b',' => Self::Separator,
            byte if byte.is_ascii_whitespace() => Self::Separator,
            byte if byte.is_ascii_alphabetic() || !byte.is_ascii() => Self::Letter,
            _ => Self::Other,
        }
    }
}

/// The month of a name in English, Dutch, German, French, Italian, Spanish or Portuguese, by its first letters.
/// Accented letters are left out of the comparison because their bytes depend on the encoding.
fn month_of_name(word: &[u8]) -> Option<u16> {
    const PREFIXES: &[(&str, u16)] = &[
        ("jan", 1),
        ("gen", 1),
        ("ene", 1),
        ("feb", 2),
        ("fev", 2),
        ("f\u{fffd}v", 2),
        ("mar", 3),
        ("maa", 3),
        ("mrt", 3),
        ("m\u{fffd}r", 3),
        ("apr", 4),
        ("avr", 4),
        ("abr", 4),
        ("may", 5),
        ("mai", 5),
        ("mei", 5),
        ("mag", 5),
        ("jun", 6),
        ("juin", 6),
        ("giu", 6),
        ("jul", 7),
        ("juil", 7),
        ("lug", 7),
        ("aug", 8),
        ("ago", 8),
        ("aout", 8),
        ("ao\u{fffd}", 8),
        ("sep", 9),
        ("set", 9),
        ("oct", 10),
        ("okt", 10),
        ("ott", 10),
        ("out", 10),
        ("nov", 11),
        ("dec", 12),
        ("dez", 12),
        ("dic", 12),
        ("d\u{fffd}c", 12),
    ];
    let begins = |prefix: &str| {
        let mut rest = word;
        prefix.chars().all(|letter| {
            let (accented, plain) = (rest.iter().take_while(|byte| !byte.is_ascii()).count(), rest.first());
            match (letter, plain) {
                (char::REPLACEMENT_CHARACTER, Some(_)) if accented > 0 => {
                    rest = &rest[accented..];
                    true
                }
                (letter, Some(byte)) if char::from(byte.to_ascii_lowercase()) == letter => {
                    rest = &rest[1..];
                    true
                }
                _ => false,
            }
        })
    };
    PREFIXES.iter().find(|(prefix, _)| begins(prefix)).map(|&(_, month)| month)
}

/// The number of up to four digits; `None` for question marks.
fn decimal(digits: &[u8]) -> Option<u16> {
    digits.iter().try_fold(0u16, |value, digit| {
        digit.is_ascii_digit().then(|| value.wrapping_mul(10).wrapping_add(u16::from(digit - b'0')))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::span::Span;

    #[test]
    fn dates_are_read_in_every_form() {
        use DateForm::{Canonical, DayOrMonthFirst, Nothing, YearFirst, YearLast};
        let check = |text: &[u8], canonical: &str, form: DateForm| {
            let read = Date::read(text).unwrap_or_else(|error| panic!("{}: {error}", text.escape_ascii()));
            assert_eq!((&read.date.to_string()[..], read.form), (canonical, form), "{}", text.escape_ascii());
        };
        // PDN 3.0 and 2.0.
        check(b"1996.12.28", "1996.12.28", Canonical);
        check(b"2007.??.??", "2007.??.??", Canonical);
        check(b"????.??.??", "????.??.??", Canonical);
        check(b"", "????.??.??", Nothing);
        check(b"2003-10-19", "2003.10.19", YearFirst);
        check(b"2003-01-??", "2003.01.??", YearFirst);
        // Real files.
        check(b"1969.5.29", "1969.05.29", YearFirst);
        check(b"1950.", "1950.??.??", YearFirst);
        check(b"1950", "1950.??.??", YearFirst);
        check(b"2007.05", "2007.05.??", YearFirst);
        check(b"1847-??-??", "1847.??.??", YearFirst);
        check(b"2007.?.?", "2007.??.??", YearFirst);
        check(b"1950.00.00", "1950.??.??", YearFirst);
        check(b"0000.00.00", "????.??.??", YearFirst);
        check(b" 1996.12.28 ", "1996.12.28", YearFirst);
        check(b"?", "????.??.??", YearFirst);
        check(b"-", "????.??.??", YearFirst);
        check(b"25.11.2000", "2000.11.25", YearLast);
        check(b"1.1.1965", "1965.01.01", YearLast);
        check(b"3.4.1965", "1965.04.03", DayOrMonthFirst);
        check(b"12/28/1996", "1996.12.28", YearLast);
        check(b"?.?.1996", "1996.??.??", YearLast);
        check(b"04.2009", "2009.04.??", YearLast);
        check(b"17 april 2009", "2009.04.17", YearLast);
        check(b"April 5, 2009", "2009.04.05", YearLast);
        check(b"5 Mei 2009", "2009.05.05", YearLast);
        check("3 août 1998".as_bytes(), "1998.08.03", YearLast);
        check(b"3 ao\xFBt 1998", "1998.08.03", YearLast);
        check("1 février 1998".as_bytes(), "1998.02.01", YearLast);
        check(b"2 juillet 1998", "1998.07.02", YearLast);
        check(b"2 juin 1998", "1998.06.02", YearLast);
        check(b"2009 maart 3", "2009.03.03", YearFirst);
        check(b"2000.02.29", "2000.02.29", Canonical);
        check(b"????.02.29", "????.02.29", Canonical);
    }

    #[test]
    fn what_the_calendar_lacks_is_refused() {
        use DateErrorKind as E;
        let check = |text: &str, kind: DateErrorKind, start: u32, end: u32| {
            assert_eq!(
                Date::read(text.as_bytes()),
                Err(ValueError::new(kind, Span::new(start, end))),
                "{text}"
            );
        };
        check("2007.13.01", E::NoSuchMonth(13), 0, 10);
        check("2007.02.30", E::NoSuchDay(30), 0, 10);
        check("1900.02.29", E::NoSuchDay(29), 0, 10);
        check("2007.04.31", E::NoSuchDay(31), 0, 10);
        check("2007.??.32", E::NoSuchDay(32), 0, 10);
        check("31.31.2007", E::NoSuchMonth(31), 0, 10);
        check("28.12.96", E::NoYear, 0, 8);
        check("20070513", E::LongNumber, 0, 8);
        check("2007.05.13.14", E::TooManyParts, 11, 13);
        check("spring 1965", E::Unexpected(UnexpectedByte(Some(b's'))), 0, 6);
        check("1965=66", E::Unexpected(UnexpectedByte(Some(b'='))), 4, 5);
        assert_eq!(
            Date::read(b"2007.13.01").unwrap_err().to_string(),
            "found 13 as the month, expected 1 to 12"
        );
    }

    #[test]
    fn dates_are_ordered_with_the_unknown_first() {
        let read = |text: &str| Date::read(text.as_bytes()).unwrap().date;
        let ascending = ["????.??.??", "1996.??.??", "1996.12.??", "1996.12.28", "1997.??.??", "2007.01.01"];
        assert!(ascending.map(read).is_sorted());
        assert_eq!((read("1996.12.??").year(), read("1996.12.??").day()), (Some(1996), None));
        assert!(Date::UNKNOWN.is_unknown());
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(text in prop::collection::vec(any::<u8>(), 0..30)) {
            let _ = Date::read(&text);
        }

        #[test]
        fn likely_bytes_are_read_or_refused(text in "[0-9?]{1,4}[-./ ]([0-9?]{1,2}|may|mar)[-./ ][0-9?]{1,4}") {
            if let Ok(read) = Date::read(text.as_bytes()) {
                prop_assert_eq!(Date::read(read.date.to_string().as_bytes()).unwrap().date, read.date);
            }
        }

        #[test]
        fn what_is_written_is_read_back(year in 0..=9999u16, month in 0..=12u8, day in 0..=31u8) {
            let known = |part: u8| (part != 0).then_some(part);
            if let Some(date) = Date::new((year != 0).then_some(year), known(month), known(day)) {
                let read = Date::read(date.to_string().as_bytes()).unwrap();
                prop_assert!(read.is_canonical());
                prop_assert_eq!(read.date, date);
            }
        }
    }
}
