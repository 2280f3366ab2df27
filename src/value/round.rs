//! Rounds of tournaments.

use std::fmt;
use std::str::FromStr;

use super::error::{Problem, UnexpectedByte, ValueError, span, trimmed};

/// The value of a Round tag: `1`, or `3.1` for round and game, or `4.1.2` with one more level.
///
/// PDN 3.0, section "Round Tag". Rounds are ordered number by number; a round without numbers comes first. Parsing is
/// linear and does not allocate.
///
/// ```
/// use pdn::value::Round;
///
/// let round: Round = "4.1".parse()?;
/// assert_eq!(round.numbers().collect::<Vec<_>>(), [4, 1]);
/// assert!(Round::parse(b"?")?.is_unknown());
/// # Ok::<(), pdn::value::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub struct Round {
    /// Each number plus 1. 0 means no number, so that short rounds sort before longer ones.
    numbers: [u32; Self::MAX_LEVELS],
    /// `true` for `-`: the event has no rounds.
    inappropriate: bool,
}

impl Round {
    /// Maximum count of numbers in a round.
    pub const MAX_LEVELS: usize = 4;

    /// Parses a round. An empty text and `?` mean that it is unknown, `-` that the event has no rounds.
    ///
    /// # Errors
    /// The first byte that is neither digit nor dot, as in `A12`; a number above 65535; a fifth number.
    pub fn parse(text: &[u8]) -> Result<Self, ValueError> {
        let (body, before) = trimmed(text);
        let mut round = Self::default();
        match body {
            b"" | b"?" => return Ok(round),
            b"-" => return Ok(Self { inappropriate: true, ..round }),
            _ => {}
        }
        let mut at = before;
        for (level, number) in body.split(|&byte| byte == b'.').enumerate() {
            let error = |problem| ValueError::new(problem, span(at, at + number.len()));
            let bad = number.iter().position(|byte| !byte.is_ascii_digit());
            let bad = if number.is_empty() { Some(0) } else { bad };
            if let Some(bad) = bad {
                let end = (at + bad + 1).min(text.len());
                let problem = unexpected(UnexpectedByte::at(text, at + bad));
                return Err(ValueError::new(problem, span(at + bad, end)));
            }
            let value = number
                .iter()
                .try_fold(0u16, |value, digit| value.checked_mul(10)?.checked_add(u16::from(digit - b'0')));
            let slot = round.numbers.get_mut(level).ok_or_else(|| error(TOO_MANY_LEVELS))?;
            *slot = u32::from(value.ok_or_else(|| error(TOO_LARGE))?) + 1;
            at += number.len() + 1;
        }
        Ok(round)
    }

    /// Iterates over the numbers: the round, then the game, then further levels. Empty for `?` and `-`.
    pub fn numbers(&self) -> impl Iterator<Item = u16> {
        self.numbers.into_iter().take_while(|&number| number != 0).map(|number| (number - 1) as u16)
    }

    /// Returns `true` if the round is unknown.
    pub fn is_unknown(&self) -> bool {
        self.numbers[0] == 0 && !self.inappropriate
    }
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.numbers[0] == 0 {
            return f.write_str(if self.inappropriate { "-" } else { "?" });
        }
        self.numbers()
            .enumerate()
            .try_for_each(|(i, number)| write!(f, "{}{number}", if i == 0 { "" } else { "." }))
    }
}

impl FromStr for Round {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        Self::parse(text.as_bytes())
    }
}

/// Returns the parts of the text of a round, however it is written, which tell rounds and their games apart: its numbers without leading
/// zeros, and a single letter behind a number unless a word follows. `3.1`, `R 3, board 1` and `ronde 03.1` have the same; `1e ronde`
/// has only the number, `3a` also the letter. Parts may be left out at the end: `3` and `3.1` may be one game.
pub fn round_parts(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(|c: char| c.is_ascii_digit())?;
        let digits = &rest[start..];
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        rest = &digits[end..];
        let number = digits[..end].trim_start_matches('0');
        let letter = rest.chars().next().filter(|c| c.is_alphabetic()).map_or(0, char::len_utf8);
        let is_part = letter > 0 && !rest[letter..].trim_start().starts_with(char::is_alphabetic);
        let letter = if is_part { &rest[..letter] } else { "" };
        rest = &rest[letter.len()..];
        Some([if number.is_empty() { "0" } else { number }, letter])
    })
    .flatten()
    .filter(|part| !part.is_empty())
}

const TOO_LARGE: Problem = Problem::Message("found a number above 65535, expected a round such as `3`");
const TOO_MANY_LEVELS: Problem = Problem::MoreThan(Round::MAX_LEVELS as u32, "numbers");

const fn unexpected(found: UnexpectedByte) -> Problem {
    Problem::Unexpected("a round such as `3` or `3.1`", found)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::span::Span;

    #[test]
    fn round_is_parsed() {
        let check = |text: &str, written: &str, numbers: &[u16]| {
            let round = Round::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(round.to_string(), written, "{text}");
            assert_eq!(round.numbers().collect::<Vec<_>>(), numbers, "{text}");
        };
        check("1", "1", &[1]);
        check("3.1", "3.1", &[3, 1]);
        check("4.1.2", "4.1.2", &[4, 1, 2]);
        check("10.3", "10.3", &[10, 3]);
        check(" 07 ", "7", &[7]);
        check("0", "0", &[0]);
        check("?", "?", &[]);
        check("", "?", &[]);
        check("-", "-", &[]);
    }

    #[test]
    fn parts_of_rounds_tell_games_apart() {
        for (text, expected) in [
            ("3", "3"),
            ("R03.1", "3 1"),
            ("Round 1 board 2", "1 2"),
            ("1/8 final", "1 8"),
            ("3a", "3 a"),
            ("3b, board 10", "3 b 10"),
            ("2a.1", "2 a 1"),
            ("1e ronde", "1"),
            ("3rd", "3"),
            ("ronde 3 a", "3"),
            ("0", "0"),
            ("final", ""),
            ("?", ""),
        ] {
            assert_eq!(round_parts(text).collect::<Vec<_>>().join(" "), expected, "{text}");
        }
    }

    #[test]
    fn malformed_round_is_rejected_with_span() {
        let check = |text: &str, problem: Problem, start: u32, end: u32| {
            assert_eq!(
                Round::parse(text.as_bytes()),
                Err(ValueError::new(problem, Span::new(start, end))),
                "{text}"
            );
        };
        check("A12", unexpected(UnexpectedByte(Some(b'A'))), 0, 1);
        check("3a", unexpected(UnexpectedByte(Some(b'a'))), 1, 2);
        check("3.", unexpected(UnexpectedByte(None)), 2, 2);
        check("3..1", unexpected(UnexpectedByte(Some(b'.'))), 2, 3);
        check("1.99999", TOO_LARGE, 2, 7);
        check("1.2.3.4.5", TOO_MANY_LEVELS, 8, 9);
    }

    #[test]
    fn rounds_are_ordered_by_number() {
        let rounds =
            ["?", "1", "1.1", "1.2", "1.10", "2", "10"].map(|text| Round::parse(text.as_bytes()).unwrap());
        assert!(rounds.is_sorted());
    }

    proptest! {
        #[test]
        fn round_survives_writing_and_parsing(text in "[0-9.?]{0,9}|\\PC{0,9}") {
            if let Ok(round) = Round::parse(text.as_bytes()) {
                prop_assert_eq!(Round::parse(round.to_string().as_bytes()), Ok(round));
            }
        }
    }
}
