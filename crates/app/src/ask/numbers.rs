//! Numbers with their units, for people, and numbers as values of fields.

use std::fmt;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;

use pdn::internal::message::Message;

/// A count that is written with commas between thousands: `1,234,567`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Count(pub u64);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let mut text = String::with_capacity(digits.len() + digits.len() / 3);
        for (place, digit) in digits.char_indices() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        f.pad(&text)
    }
}

/// Formats a count with its noun: `1 game`, `4,689 games`. The plural is the noun with an `s`.
pub fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", Count(number))
}

/// Formats a number of plies: `1 ply`, `4,689 plies`.
pub fn plies(number: u64) -> String {
    format!("{} {}", Count(number), if number == 1 { "ply" } else { "plies" })
}

/// Formats a number of bytes: `26 B`, `2.01 MiB`.
pub fn size(bytes: u64) -> String {
    let mut value = bytes as f64;
    let mut unit = "B";
    for next in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] {
        if value < 1024.0 {
            break;
        }
        value /= 1024.0;
        unit = next;
    }
    if unit == "B" { format!("{bytes} B") } else { format!("{value:.2} {unit}") }
}

/// Returns `true` if a run was long enough for its speed to be told. Below a tenth of a second, opening files and starting
/// threads take most of the time.
pub fn tells_speed(seconds: f64) -> bool {
    seconds >= 0.1
}

/// Formats a number per second or the like, rounded down: `12,345`.
pub fn rounded(number: f64) -> String {
    Count(number as u64).to_string()
}

/// Parses a whole number within a range. A range up to [`u64::MAX`] is named without its end.
///
/// # Errors
///
/// A message that says what is expected.
pub fn parse_number<T: TryFrom<u64>>(text: &str, range: &RangeInclusive<u64>) -> Result<T, Message> {
    let parsed = text.parse::<u64>().ok().filter(|number| range.contains(number));
    parsed.and_then(|number| T::try_from(number).ok()).ok_or_else(|| expected(range))
}

/// The largest number of threads that may be asked for. Each takes memory before it does anything.
const MAX_THREADS: u64 = 1024;

/// Parses a number of threads.
///
/// # Errors
///
/// A message if it is not a number from 1 to 1,024.
pub fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    let range = 1..=MAX_THREADS;
    let threads = parse_number::<usize>(text, &range)?;
    NonZeroUsize::new(threads).ok_or_else(|| expected(&range).text)
}

/// Parses a number of bytes above 0, with a unit of powers of 1,024: `500`, `64K`, `128M` or `2G`, also `64KB` and `64KiB`.
///
/// # Errors
///
/// A message if it is no such number.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_lowercase();
    let shift = match unit.trim_end_matches('b').trim_end_matches('i') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => 64,
    };
    let bytes =
        digits.trim().parse::<u64>().ok().and_then(|number| number.checked_mul(1u64.checked_shl(shift)?));
    bytes.filter(|bytes| *bytes > 0).ok_or_else(|| "expected a number of bytes such as 64M".to_owned())
}

/// Parses a share.
///
/// # Errors
///
/// A message if it is not a number from 0 to 1.
pub fn parse_share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "expected a number from 0 to 1, such as 0.98".to_owned())?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("expected a number from 0 to 1".to_owned()) }
}

/// Parses a switch: `true`, `1` or `yes`, `false`, `0` or `no`.
///
/// # Errors
///
/// A message if it is none of these.
pub fn parse_switch(text: &str) -> Result<bool, Message> {
    match text {
        "true" | "1" | "yes" => Ok(true),
        "false" | "0" | "no" => Ok(false),
        _ => Err(message!("one_of", "expected {expected}", expected = &["true", "false"][..])),
    }
}

/// Returns the message for a value that is no number of the range.
fn expected(range: &RangeInclusive<u64>) -> Message {
    match (*range.start(), *range.end()) {
        (0, u64::MAX) => message!("whole_number", "expected a whole number"),
        (start, u64::MAX) => message!("whole_number_from", "expected a whole number from {min}", min = start),
        (start, end) => {
            message!("whole_number_to", "expected a whole number from {min} to {max}", min = start, max = end)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_sizes_are_written_for_people() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(Count(number).to_string(), text);
        }
        assert_eq!(format!("{:>6}|{:<6}|", Count(1_000), Count(12)), " 1,000|12    |");
        for (bytes, text) in [
            (0, "0 B"),
            (1, "1 B"),
            (1023, "1023 B"),
            (1024, "1.00 KiB"),
            (9830, "9.60 KiB"),
            (2_107_637, "2.01 MiB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in [
            ("500", 500),
            ("1k", 1 << 10),
            ("64M", 64 << 20),
            ("2GiB", 2 << 30),
            ("3 MB", 3 << 20),
            ("7b", 7),
        ] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in ["", "0", "M", "-1", "1x", "1.5M", "99999999999T", "1KK"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_outside_a_range_are_refused_in_words() {
        assert_eq!(parse_number::<u32>("99", &(0..=99)), Ok(99));
        for text in ["100", "-1", "x", "", "99999999999999999999999"] {
            let error = parse_number::<u32>(text, &(0..=99)).unwrap_err();
            assert_eq!(error.text, "expected a whole number from 0 to 99", "{text}");
        }
        assert_eq!(parse_number::<usize>("x", &(0..=u64::MAX)).unwrap_err().text, "expected a whole number");
        assert_eq!(parse_threads("1024").map(NonZeroUsize::get), Ok(1024));
        for text in ["0", "1025", "x"] {
            assert_eq!(parse_threads(text).unwrap_err(), "expected a whole number from 1 to 1,024", "{text}");
        }
        let error = parse_number::<u16>("70000", &(0..=65_535)).unwrap_err();
        assert_eq!(error.text, "expected a whole number from 0 to 65,535");
    }
}
