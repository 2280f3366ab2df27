//! The clocks of embedded commands: `[%clk 1:55:21]`, `[%clock w0:10:00 B0:09:58]`.

use std::fmt;

use super::Colour;
use super::error::{Problem, ValueError, span};
use super::time::ClockTime;

/// The times of one or both clocks, as in a `clk` or `mct` command.
///
/// ```
/// use pdn::value::{Clocks, Colour};
///
/// let clocks = Clocks::parse(b"w0:10:00 B0:09:58")?;
/// let black = clocks.of(Colour::Black).unwrap();
/// assert!(black.running && black.time.seconds() == 598);
/// # Ok::<(), pdn::value::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Clocks {
    /// The first or only clock.
    pub first: Clock,
    /// The second clock, if there are two.
    pub second: Option<Clock>,
}

impl Clocks {
    /// Parses `1:55:21`, `w0:10:00` or `w0:10:00 B0:10:00`.
    ///
    /// # Errors
    /// A missing or unreadable time, or a third clock.
    pub fn parse(text: &[u8]) -> Result<Self, ValueError> {
        Self::parse_with(text, ClockTime::parse_full)
    }

    /// As [`parse`](Self::parse), with another way to read a time.
    pub(super) fn parse_with(
        text: &[u8],
        mut time: impl FnMut(&[u8]) -> Result<ClockTime, ValueError>,
    ) -> Result<Self, ValueError> {
        let mut at = 0;
        let mut next = || {
            at += text[at..].len() - text[at..].trim_ascii_start().len();
            let start = at;
            // The letter of a side begins a new clock even without whitespace before it.
            let ends_clock = |byte: &u8| byte.is_ascii_whitespace() || byte.is_ascii_alphabetic();
            let after = (start + 1).min(text.len());
            at = text[after..].iter().position(ends_clock).map_or(text.len(), |end| after + end);
            (start, &text[start..at])
        };
        let (start, first) = next();
        let first = Clock::parse(first, &mut time).map_err(|error| error.shifted(span(0, start).end))?;
        let (start, second) = next();
        if second.is_empty() {
            return Ok(Self { first, second: None });
        }
        let second = Clock::parse(second, &mut time).map_err(|error| error.shifted(span(0, start).end))?;
        let (start, third) = next();
        if !third.is_empty() {
            return Err(ValueError::new(THIRD_CLOCK, span(start, text.len())));
        }
        Ok(Self { first, second: Some(second) })
    }

    /// Returns the clock of a side; `None` if there is none or the text does not name its side.
    pub fn of(&self, side: Colour) -> Option<Clock> {
        [Some(self.first), self.second].into_iter().flatten().find(|clock| clock.side == Some(side))
    }
}

/// Writes the clocks as PDN 3.0 does, separated by a space.
impl fmt::Display for Clocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first)?;
        self.second.map_or(Ok(()), |second| write!(f, " {second}"))
    }
}

/// A clock: its side, its state and its time.
///
/// [`Clocks`] has an example.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Clock {
    /// The side of the clock; `None` if the text does not name it: then the clock belongs to the side that just
    /// moved.
    pub side: Option<Colour>,
    /// `true` if the clock is running: the letter of its side is a capital.
    pub running: bool,
    /// The time on the clock.
    pub time: ClockTime,
}

impl Clock {
    /// Parses a time with an optional letter of the side before it.
    fn parse(
        text: &[u8],
        time: &mut impl FnMut(&[u8]) -> Result<ClockTime, ValueError>,
    ) -> Result<Self, ValueError> {
        let side = text.first().and_then(|&letter| Colour::from_letter(letter));
        let letters = usize::from(side.is_some());
        let time = time(&text[letters..]).map_err(|error| error.shifted(letters as u32))?;
        let running = side.is_some() && text[0].is_ascii_uppercase();
        Ok(Self { side, running, time })
    }
}

/// Writes the letter of the side, a capital if the clock is running, and the time.
impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(side) = self.side {
            let letter = side.letter();
            write!(f, "{}", if self.running { letter } else { letter.to_ascii_lowercase() })?;
        }
        write!(f, "{}", self.time)
    }
}

/// Text after the second clock.
pub(super) const THIRD_CLOCK: Problem = Problem::Message("found text after the second clock, expected `]`");
