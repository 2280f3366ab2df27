//! The TimeControl tags: how much time the players have.
//!
//! Reads the grammar of PDN 3.0, section "TimeControl Tag". Its token INCREMENTAL is printed as `[0-9]+/[0-9]+`,
//! the same as MOVES_SECONDS; the examples show that `[0-9]+\+[0-9]+` is meant. Free text such as `30'` is
//! refused. Linear in the text, never allocates.

use std::fmt;

use super::error::{UnexpectedByte, ValueError, span};

/// A time control as written, proved readable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum TimeControl<'a> {
    /// `?`, or nothing: not known.
    Unknown,
    /// `-`: the players have all the time they want.
    NoTime,
    /// One stage or more.
    Stages(Stages<'a>),
}

impl<'a> TimeControl<'a> {
    /// Reads the value of a TimeControl, TimeControlWhite or TimeControlBlack tag.
    ///
    /// # Errors
    /// The first place that the grammar does not have; see [`TimeControlErrorKind`].
    pub fn parse(text: &'a [u8]) -> Result<Self, TimeControlError> {
        match text.trim_ascii() {
            b"" | b"?" => return Ok(Self::Unknown),
            b"-" => return Ok(Self::NoTime),
            _ => {}
        }
        let all = Stages { text, at: Some(0) };
        let mut stages = all;
        while stages.read()?.is_some() {}
        Ok(Self::Stages(all))
    }
}

/// As PDN 3.0 writes it.
impl fmt::Display for TimeControl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("?"),
            Self::NoTime => f.write_str("-"),
            Self::Stages(stages) => {
                for (i, stage) in stages.enumerate() {
                    write!(f, "{}{stage}", if i == 0 { "" } else { ":" })?;
                }
                Ok(())
            }
        }
    }
}

/// One stage of a time control. Times are in seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum TimeControlStage {
    /// `40/7200`: so many moves in so much time. `40/7200+30` occurs too, with an increment for each move.
    Moves {
        /// How many moves.
        moves: u32,
        /// For all of them together.
        seconds: u32,
        /// Added for each move; 0 as in the grammar.
        increment: u32,
    },
    /// `4800+60`: a time for the rest of the game, and more for each move.
    Increment {
        /// At the beginning.
        seconds: u32,
        /// Added for each move.
        increment: u32,
    },
    /// `3600`: a time for the rest of the game.
    SuddenDeath {
        /// The time.
        seconds: u32,
    },
    /// `*120`: the time that one player uses is added to the other's.
    Sandclock {
        /// At the beginning.
        seconds: u32,
    },
}

impl fmt::Display for TimeControlStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moves { moves, seconds, increment: 0 } => write!(f, "{moves}/{seconds}"),
            Self::Moves { moves, seconds, increment } => write!(f, "{moves}/{seconds}+{increment}"),
            Self::Increment { seconds, increment } => write!(f, "{seconds}+{increment}"),
            Self::SuddenDeath { seconds } => write!(f, "{seconds}"),
            Self::Sandclock { seconds } => write!(f, "*{seconds}"),
        }
    }
}

/// The stages of a time control, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Stages<'a> {
    text: &'a [u8],
    /// Where the next stage begins; `None` behind the last.
    at: Option<usize>,
}

impl Iterator for Stages<'_> {
    type Item = TimeControlStage;

    fn next(&mut self) -> Option<TimeControlStage> {
        self.read().ok().flatten()
    }
}

impl Stages<'_> {
    fn read(&mut self) -> Result<Option<TimeControlStage>, TimeControlError> {
        let Some(mut at) = self.at.take() else { return Ok(None) };
        let sandclock = self.eat(&mut at, b'*');
        let first = self.number(&mut at)?;
        let stage = if sandclock {
            TimeControlStage::Sandclock { seconds: first }
        } else if self.eat(&mut at, b'/') {
            let seconds = self.number(&mut at)?;
            let increment = if self.eat(&mut at, b'+') { self.number(&mut at)? } else { 0 };
            TimeControlStage::Moves { moves: first, seconds, increment }
        } else if self.eat(&mut at, b'+') {
            TimeControlStage::Increment { seconds: first, increment: self.number(&mut at)? }
        } else {
            TimeControlStage::SuddenDeath { seconds: first }
        };
        if self.eat(&mut at, b':') {
            self.at = Some(at);
        } else if at < self.text.len() {
            return Err(self.unexpected(at));
        }
        Ok(Some(stage))
    }

    /// Eats `byte` with the blanks around it.
    fn eat(&self, at: &mut usize, byte: u8) -> bool {
        self.skip_blanks(at);
        let found = self.text.get(*at) == Some(&byte);
        *at += usize::from(found);
        self.skip_blanks(at);
        found
    }

    fn number(&self, at: &mut usize) -> Result<u32, TimeControlError> {
        let start = *at;
        let mut value = 0u32;
        while let Some(digit @ b'0'..=b'9') = self.text.get(*at) {
            let next = value.checked_mul(10).and_then(|value| value.checked_add(u32::from(digit - b'0')));
            value =
                next.ok_or_else(|| ValueError::new(TimeControlErrorKind::TooLong, span(start, *at + 1)))?;
            *at += 1;
        }
        if *at == start { Err(self.unexpected(start)) } else { Ok(value) }
    }

    fn skip_blanks(&self, at: &mut usize) {
        while self.text.get(*at).is_some_and(u8::is_ascii_whitespace) {
            *at += 1;
        }
    }

    fn unexpected(&self, at: usize) -> TimeControlError {
        let kind = TimeControlErrorKind::Unexpected(UnexpectedByte::at(self.text, at));
        ValueError::new(kind, span(at, (at + 1).min(self.text.len())))
    }
}

/// Why a time control cannot be read.
pub type TimeControlError = ValueError<TimeControlErrorKind>;

/// What is wrong with the text of a time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum TimeControlErrorKind {
    /// Something that the grammar does not have here.
    Unexpected(UnexpectedByte),
    /// A number beyond 32 bits.
    TooLong,
}

impl fmt::Display for TimeControlErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected(found) => {
                write!(
                    f,
                    "expected a time control such as `40/7200:3600` or `4800+60`, in seconds, found {found}"
                )
            }
            Self::TooLong => f.write_str("found a number beyond all clocks, expected moves or seconds"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::span::Span;

    fn stages(text: &str) -> Vec<TimeControlStage> {
        match TimeControl::parse(text.as_bytes()) {
            Ok(TimeControl::Stages(stages)) => stages.collect(),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn the_examples_of_the_standard_are_read() {
        use TimeControlStage::{Increment, Moves, Sandclock, SuddenDeath};
        let check = |text: &str, expected: &[TimeControlStage]| {
            assert_eq!(stages(text), expected, "{text}");
            assert_eq!(TimeControl::parse(text.as_bytes()).unwrap().to_string(), text.replace(' ', ""));
        };
        let forty = Moves { moves: 40, seconds: 7200, increment: 0 };
        check("40/7200:3600", &[forty, SuddenDeath { seconds: 3600 }]);
        check("4800+60", &[Increment { seconds: 4800, increment: 60 }]);
        check("40/7200:3600+60", &[forty, Increment { seconds: 3600, increment: 60 }]);
        check(
            "40/7200:20/2400:600+5",
            &[
                forty,
                Moves { moves: 20, seconds: 2400, increment: 0 },
                Increment { seconds: 600, increment: 5 },
            ],
        );
        check("*120", &[Sandclock { seconds: 120 }]);
        check("30+0", &[Increment { seconds: 30, increment: 0 }]);
        check("40/7200+30", &[Moves { moves: 40, seconds: 7200, increment: 30 }]);
        check(" 40 / 7200 : 3600 ", &[forty, SuddenDeath { seconds: 3600 }]);
    }

    #[test]
    fn unknown_and_unlimited_differ() {
        for (text, expected) in
            [("?", TimeControl::Unknown), ("", TimeControl::Unknown), ("-", TimeControl::NoTime)]
        {
            assert_eq!(TimeControl::parse(text.as_bytes()), Ok(expected), "{text}");
        }
    }

    #[test]
    fn free_text_is_refused_with_its_place() {
        use TimeControlErrorKind as E;
        let check = |text: &str, kind: TimeControlErrorKind, start: u32, end: u32| {
            let error = ValueError::new(kind, Span::new(start, end));
            assert_eq!(TimeControl::parse(text.as_bytes()), Err(error), "{text}");
        };
        check("30'", E::Unexpected(UnexpectedByte(Some(b'\''))), 2, 3);
        check("80m+1m", E::Unexpected(UnexpectedByte(Some(b'm'))), 2, 3);
        check("40/", E::Unexpected(UnexpectedByte(None)), 3, 3);
        check("3600:", E::Unexpected(UnexpectedByte(None)), 5, 5);
        check("40/7200//3600", E::Unexpected(UnexpectedByte(Some(b'/'))), 7, 8);
        check("*120+5", E::Unexpected(UnexpectedByte(Some(b'+'))), 4, 5);
        check("99999999999", E::TooLong, 0, 10);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(text in prop::collection::vec(any::<u8>(), 0..30)) {
            let _ = TimeControl::parse(&text);
        }

        #[test]
        fn what_is_written_is_read_back(text in "(\\*?[0-9]{1,4}|[0-9]{1,2}/[0-9]{1,4}(\\+[0-9]{1,2})?|[0-9]+\\+[0-9]{1,2})(:[0-9]{1,5}){0,3}") {
            if let Ok(read) = TimeControl::parse(text.as_bytes()) {
                let written = read.to_string();
                prop_assert_eq!(stages(&written), stages(&text));
            }
        }
    }
}
