//! Times on clocks and times of day, without dates and time zones. Parsing is linear in the text and does not
//! allocate.

use std::fmt;
use std::str::FromStr;

use super::error::{Problem, UnexpectedByte, ValueError, span, trimmed};

/// A time on a clock, or used by a player, in milliseconds.
///
/// PDN 3.0, section "WhiteTime/BlackTime Tag": `[H]H:MM[:SS]`, in practice also `[H]H.MM[.SS]`. The clock commands in
/// comments (section 5.1) use `h:mm:ss`.
///
/// ```
/// use pdn::value::ClockTime;
///
/// let time: ClockTime = "1.36".parse()?;
/// assert_eq!((time.seconds(), time.to_string()), (5760, "1:36:00".to_owned()));
/// # Ok::<(), pdn::value::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub struct ClockTime {
    milliseconds: u32,
}

impl ClockTime {
    /// Maximum number of hours that is parsed.
    pub const MAX_HOURS: u32 = 999;

    /// Creates a time from milliseconds.
    pub const fn from_milliseconds(milliseconds: u32) -> Self {
        Self { milliseconds }
    }

    /// Returns the time in milliseconds.
    pub const fn milliseconds(self) -> u32 {
        self.milliseconds
    }

    /// Returns the time in whole seconds, rounded down.
    pub const fn seconds(self) -> u32 {
        self.milliseconds / 1000
    }

    /// Parses the value of a WhiteTime or BlackTime tag: hours, minutes and optional seconds, separated by colons or
    /// dots. Seconds after a colon may have a fraction of up to three digits.
    ///
    /// # Errors
    /// The first part without a meaning.
    pub fn parse(text: &[u8]) -> Result<Self, ValueError> {
        let fields = Fields::split(text)?;
        fields.check(0, Self::MAX_HOURS, TOO_MANY_HOURS)?;
        fields.check_minutes_and_seconds()?;
        let [hours, minutes, seconds] = fields.values;
        let whole = (hours * 60 + minutes) * 60 + seconds;
        Ok(Self { milliseconds: whole * 1000 + fields.milliseconds })
    }

    /// Parses the value of a clock command, in which hours, minutes and seconds are required.
    ///
    /// # Errors
    /// As for [`parse`](Self::parse), and a missing part.
    pub fn parse_full(text: &[u8]) -> Result<Self, ValueError> {
        let time = Self::parse(text)?;
        if Fields::split(text)?.count < 3 {
            return Err(ValueError::new(MISSING_PART, span(0, text.len())));
        }
        Ok(time)
    }

    /// Returns `true` if `text`, which must be a readable time, is written as `[H]H:MM[:SS]`.
    pub fn is_canonical(text: &[u8]) -> bool {
        let pair = |rest: &[u8]| matches!(rest, [b':', b'0'..=b'5', b'0'..=b'9', ..]);
        let hours = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let rest = &text[hours..];
        matches!(hours, 1 | 2) && pair(rest) && (rest.len() == 3 || rest.len() == 6 && pair(&rest[3..]))
    }
}

/// Writes `h:mm:ss`, with the fraction of a second if it is not 0.
impl fmt::Display for ClockTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.seconds();
        write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
        match self.milliseconds % 1000 {
            0 => Ok(()),
            fraction if fraction % 100 == 0 => write!(f, ".{}", fraction / 100),
            fraction => write!(f, ".{fraction:03}"),
        }
    }
}

impl FromStr for ClockTime {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        Self::parse(text.as_bytes())
    }
}

/// A time of day, from `00:00:00` to `23:59:59`, as in the Time and UTCTime tags.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub struct TimeOfDay {
    hour: u8,
    minute: u8,
    second: u8,
}

impl TimeOfDay {
    /// Creates a time of day. Returns `None` if a part is out of range.
    pub fn new(hour: u8, minute: u8, second: u8) -> Option<Self> {
        (hour < 24 && minute < 60 && second < 60).then_some(Self { hour, minute, second })
    }

    /// Returns hour, minute and second.
    pub fn parts(self) -> (u8, u8, u8) {
        (self.hour, self.minute, self.second)
    }

    /// Parses a time of day. Seconds may be missing, and dots may replace the colons.
    ///
    /// # Errors
    /// The first part without a meaning.
    pub fn parse(text: &[u8]) -> Result<Self, ValueError> {
        let fields = Fields::split(text)?;
        fields.check(0, 23, NO_SUCH_HOUR)?;
        fields.check_minutes_and_seconds()?;
        let [hour, minute, second] = fields.values.map(|value| u8::try_from(value).unwrap_or(u8::MAX));
        Ok(Self { hour, minute, second })
    }

    /// Returns `true` if `text`, which must be a readable time, is written as `HH:MM:SS`.
    pub fn is_canonical(text: &[u8]) -> bool {
        text.len() == 8 && ClockTime::is_canonical(text)
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}:{:02}", self.hour, self.minute, self.second)
    }
}

impl FromStr for TimeOfDay {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        Self::parse(text.as_bytes())
    }
}

/// Fewer than two numbers, or than three in a clock command.
pub(super) const MISSING_PART: Problem =
    Problem::Message("found too few numbers, expected a time such as `1:59:20`");
pub(super) const TOO_MANY_MINUTES: Problem =
    Problem::Message("found more minutes than an hour has, expected 00 to 59");
const TOO_MANY_SECONDS: Problem = Problem::Message("found more seconds than a minute has, expected 00 to 59");
const TOO_MANY_HOURS: Problem = Problem::MoreThan(ClockTime::MAX_HOURS, "hours");
const NO_SUCH_HOUR: Problem = Problem::Message("found an hour above 23, expected 00 to 23");

/// A byte other than a digit, colon or dot, or a separator in the wrong place.
pub(super) const fn not_a_time(found: UnexpectedByte) -> Problem {
    Problem::Unexpected("a time such as `1:59:20`", found)
}

/// The numbers of a time, two or three, and the fraction.
struct Fields {
    values: [u32; 3],
    /// Start and end of each number, as offsets in the text.
    ranges: [(usize, usize); 3],
    count: usize,
    /// The fraction of the last second, 0 to 999.
    milliseconds: u32,
}

impl Fields {
    /// Splits a time into its numbers, whose ranges are checked later.
    fn split(text: &[u8]) -> Result<Self, ValueError> {
        let (body, before) = trimmed(text);
        let mut fields = Self { values: [0; 3], ranges: [(0, 0); 3], count: 0, milliseconds: 0 };
        let mut separator = None;
        let mut at = 0;
        loop {
            let start = at;
            while body.get(at).is_some_and(u8::is_ascii_digit) {
                let digit = u32::from(body[at] - b'0');
                fields.values[fields.count] =
                    fields.values[fields.count].saturating_mul(10).saturating_add(digit);
                at += 1;
            }
            if at == start {
                return Err(unexpected(body, at, before));
            }
            fields.ranges[fields.count] = (before + start, before + at);
            fields.count += 1;
            match body.get(at) {
                None if fields.count >= 2 => return Ok(fields),
                None => return Err(ValueError::new(MISSING_PART, span(0, text.len()))),
                Some(b'.') if fields.count == 3 && separator == Some(b':') => {
                    fields.fraction(&body[at + 1..]).ok_or_else(|| unexpected(body, at, before))?;
                    return Ok(fields);
                }
                Some(&byte @ (b':' | b'.'))
                    if fields.count < 3 && separator.is_none_or(|first| first == byte) =>
                {
                    separator = Some(byte);
                    at += 1;
                }
                Some(_) => return Err(unexpected(body, at, before)),
            }
        }
    }

    /// Reads the fraction of a second, one to three digits. `None` for other texts.
    fn fraction(&mut self, digits: &[u8]) -> Option<()> {
        if !(1..=3).contains(&digits.len()) || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let value = digits.iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
        self.milliseconds = value * [100, 10, 1][digits.len() - 1];
        Some(())
    }

    /// Returns an error with this problem if a field is greater than `max`.
    fn check(&self, field: usize, max: u32, problem: Problem) -> Result<(), ValueError> {
        let (start, end) = self.ranges[field];
        if self.values[field] <= max { Ok(()) } else { Err(ValueError::new(problem, span(start, end))) }
    }

    /// Returns an error if the minutes or seconds are greater than 59.
    fn check_minutes_and_seconds(&self) -> Result<(), ValueError> {
        self.check(1, 59, TOO_MANY_MINUTES)?;
        self.check(2, 59, TOO_MANY_SECONDS)
    }
}

/// Returns the error of the byte at the offset `at` in `body`, which starts at the offset `before` in the whole text.
fn unexpected(body: &[u8], at: usize, before: usize) -> ValueError {
    let end = (at + 1).min(body.len());
    ValueError::new(not_a_time(UnexpectedByte::at(body, at)), span(before + at, before + end))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::span::Span;

    #[test]
    fn clock_time_is_parsed() {
        let check = |text: &str, written: &str, seconds: u32, canonical: bool| {
            let time = ClockTime::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((&time.to_string()[..], time.seconds()), (written, seconds), "{text}");
            assert_eq!(ClockTime::is_canonical(text.as_bytes()), canonical, "{text}");
        };
        // PDN 3.0, section "WhiteTime/BlackTime Tag", its title example and the clock commands.
        check("1:59:20", "1:59:20", 7160, true);
        check("1:17:28", "1:17:28", 4648, true);
        check("1:36", "1:36:00", 5760, true);
        check("01:36", "1:36:00", 5760, true);
        check("1.36", "1:36:00", 5760, false);
        check("2.53.07", "2:53:07", 10387, false);
        check("0:00:05.2", "0:00:05.2", 5, false);
        check("0:00:05.25", "0:00:05.250", 5, false);
        check(" 1:36 ", "1:36:00", 5760, false);
        check("1:6", "1:06:00", 3960, false);
        check("100:00", "100:00:00", 360_000, false);
    }

    #[test]
    fn time_of_day_is_parsed() {
        let check = |text: &str, written: &str, canonical: bool| {
            let time = TimeOfDay::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(time.to_string(), written, "{text}");
            assert_eq!(TimeOfDay::is_canonical(text.as_bytes()), canonical, "{text}");
        };
        check("00:54:55", "00:54:55", true);
        check("23:59:59", "23:59:59", true);
        check("9:05", "09:05:00", false);
        check("2.15", "02:15:00", false);
    }

    #[test]
    fn malformed_time_is_rejected_with_span() {
        let check = |text: &str, problem: Problem, start: u32, end: u32| {
            assert_eq!(
                ClockTime::parse(text.as_bytes()),
                Err(ValueError::new(problem, Span::new(start, end))),
                "{text}"
            );
        };
        check("", not_a_time(UnexpectedByte(None)), 0, 0);
        check("90", MISSING_PART, 0, 2);
        check("1:60", TOO_MANY_MINUTES, 2, 4);
        check("1:00:60", TOO_MANY_SECONDS, 5, 7);
        check("99999999999:00", TOO_MANY_HOURS, 0, 11);
        check("1:", not_a_time(UnexpectedByte(None)), 2, 2);
        check("1:36.20", not_a_time(UnexpectedByte(Some(b'.'))), 4, 5);
        check("1h36", not_a_time(UnexpectedByte(Some(b'h'))), 1, 2);
        check("1:36:20.", not_a_time(UnexpectedByte(Some(b'.'))), 7, 8);
        assert_eq!(ClockTime::parse_full(b"1:36"), Err(ValueError::new(MISSING_PART, Span::new(0, 4))));
        assert_eq!(TimeOfDay::parse(b"24:00:00"), Err(ValueError::new(NO_SUCH_HOUR, Span::new(0, 2))));
        assert_eq!(
            ClockTime::parse(b"1h36").unwrap_err().to_string(),
            "expected a time such as `1:59:20`, found `h`"
        );
    }

    proptest! {
        #[test]
        fn parsing_any_text_does_not_panic(text in "[0-9:. ]{0,12}|\\PC{0,12}") {
            let _ = ClockTime::parse_full(text.as_bytes());
            let _ = TimeOfDay::parse(text.as_bytes());
        }

        #[test]
        fn time_survives_writing_and_parsing(milliseconds in 0..=3_600_000_000u32, day in 0..86_400u32) {
            prop_assume!(milliseconds / 3_600_000 <= ClockTime::MAX_HOURS);
            let time = ClockTime::from_milliseconds(milliseconds);
            prop_assert_eq!(ClockTime::parse_full(time.to_string().as_bytes()), Ok(time));
            let time = TimeOfDay::new((day / 3600) as u8, (day / 60 % 60) as u8, (day % 60) as u8).unwrap();
            prop_assert_eq!(TimeOfDay::parse(time.to_string().as_bytes()), Ok(time));
        }
    }
}
