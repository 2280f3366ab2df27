//! Numbers as option values, with messages that say what is expected.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;

use indicatif::HumanCount;

/// Creates a value parser for whole numbers within a range. A range up to [`u64::MAX`] is named without its end.
pub(super) fn number<T>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: TryFrom<u64> + Send + Sync + Clone + 'static,
{
    move |text| {
        let parsed = text.parse::<u64>().ok().filter(|number| range.contains(number));
        parsed.and_then(|number| T::try_from(number).ok()).ok_or_else(|| expected(&range))
    }
}

/// The largest number of threads that may be asked for. Each takes memory before it does anything.
const MAX_THREADS: u64 = 1024;

/// Parses a number of threads.
///
/// # Errors
///
/// A message if it is not a number from 1 to 1,024.
pub(super) fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    let range = 1..=MAX_THREADS;
    let parsed = text.parse::<u64>().ok().filter(|number| range.contains(number));
    parsed
        .and_then(|number| NonZeroUsize::try_from(usize::try_from(number).ok()?).ok())
        .ok_or_else(|| expected(&range))
}

/// Parses a number of bytes above 0, with a unit of powers of 1,024: `500`, `64K`, `128M` or `2G`, also `64KB` and `64KiB`.
///
/// # Errors
///
/// A message if it is no such number.
pub(super) fn parse_size(text: &str) -> Result<u64, String> {
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

/// Returns the message for a value that is no number of the range.
fn expected(range: &RangeInclusive<u64>) -> String {
    match (*range.start(), *range.end()) {
        (0, u64::MAX) => "expected a whole number".to_owned(),
        (start, u64::MAX) => format!("expected a whole number from {}", HumanCount(start)),
        (start, end) => format!("expected a whole number from {} to {}", HumanCount(start), HumanCount(end)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let depth = number::<u32>(0..=99);
        assert_eq!(depth("99"), Ok(99));
        for text in ["100", "-1", "x", "", "99999999999999999999999"] {
            assert_eq!(depth(text).unwrap_err(), "expected a whole number from 0 to 99", "{text}");
        }
        assert_eq!(number::<usize>(0..=u64::MAX)("x").unwrap_err(), "expected a whole number");
        assert_eq!(parse_threads("1024").map(NonZeroUsize::get), Ok(1024));
        for text in ["0", "1025", "x"] {
            assert_eq!(parse_threads(text).unwrap_err(), "expected a whole number from 1 to 1,024", "{text}");
        }
        assert_eq!(
            number::<u16>(0..=65_535)("70000").unwrap_err(),
            "expected a whole number from 0 to 65,535"
        );
    }
}
