//! Ratings of players.

use std::fmt;

use super::error::{Problem, UnexpectedByte, ValueError, span, trimmed};

/// The rating of a player by FMJD or a server: tags WhiteRating, BlackRating, WhiteElo, BlackElo.
///
/// ```
/// use pdn::value::Rating;
///
/// let rating = Rating::read(b"1500?")?.unwrap();
/// assert_eq!((rating.value, rating.provisional), (1500, true));
/// assert_eq!(Rating::read(b"-")?, None);
/// # Ok::<(), pdn::value::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Rating {
    /// The number of points.
    pub value: u16,
    /// `true` for a rating with a question mark, `1500?`, which is based on few games.
    pub provisional: bool,
}

impl Rating {
    /// Reads the value of a rating tag. Returns `None` for a player without a rating: an empty text, `?`, `-` or `0`.
    ///
    /// # Errors
    /// The first byte that is not a digit, or a number above 65535.
    #[inline]
    pub fn read(text: &[u8]) -> Result<Option<Self>, ValueError> {
        let (body, before) = trimmed(text);
        if matches!(body, b"" | b"?" | b"-") {
            return Ok(None);
        }
        let (digits, provisional) = match body {
            [digits @ .., b'?'] => (digits, true),
            digits => (digits, false),
        };
        let mut value = 0u16;
        for (i, &digit) in digits.iter().enumerate() {
            let at = before + i;
            if !digit.is_ascii_digit() {
                return Err(ValueError::new(unexpected(UnexpectedByte(Some(digit))), span(at, at + 1)));
            }
            let next = value.checked_mul(10).and_then(|value| value.checked_add(u16::from(digit - b'0')));
            value = next.ok_or_else(|| ValueError::new(TOO_LARGE, span(before, before + digits.len())))?;
        }
        Ok((value != 0).then_some(Self { value, provisional }))
    }
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.value, if self.provisional { "?" } else { "" })
    }
}

const TOO_LARGE: Problem = Problem::Message("found a number above 65535, expected a rating such as `2400`");

const fn unexpected(found: UnexpectedByte) -> Problem {
    Problem::Unexpected("a rating such as `2400`", found)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::span::Span;

    #[test]
    fn rating_is_read_or_rejected_with_span() {
        let some = |value, provisional| Ok(Some(Rating { value, provisional }));
        let error = |kind, start, end| Err(ValueError::new(kind, Span::new(start, end)));
        for (text, expected) in [
            ("2423", some(2423, false)),
            (" 999 ", some(999, false)),
            ("1500?", some(1500, true)),
            ("", Ok(None)),
            ("?", Ok(None)),
            ("-", Ok(None)),
            ("0", Ok(None)),
            ("24OO", error(unexpected(UnexpectedByte(Some(b'O'))), 2, 3)),
            ("-12", error(unexpected(UnexpectedByte(Some(b'-'))), 0, 1)),
            ("99999", error(TOO_LARGE, 0, 5)),
        ] {
            assert_eq!(Rating::read(text.as_bytes()), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn rating_survives_writing_and_reading(text in "[0-9?]{0,6}|\\PC{0,6}") {
            if let Ok(Some(rating)) = Rating::read(text.as_bytes()) {
                prop_assert_eq!(Rating::read(rating.to_string().as_bytes()), Ok(Some(rating)));
            }
        }
    }
}
