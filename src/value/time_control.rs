//! Time controls: how much time the players have.
//!
//! Parses the grammar of PDN 3.0, section "TimeControl Tag". The standard prints its token INCREMENTAL as
//! `[0-9]+/[0-9]+`, the same as MOVES_SECONDS; its examples show that `[0-9]+\+[0-9]+` is meant. Free text such as
//! `30'` is rejected. Parsing is linear in the text and does not allocate.

use std::fmt;

use super::error::{Problem, UnexpectedByte, ValueError, span};

/// A validated time control.
///
/// ```
/// use pdn::value::{TimeControl, TimeControlStage};
///
/// let TimeControl::Stages(mut stages) = TimeControl::parse(b"40/7200:3600")? else { panic!() };
/// assert_eq!(stages.next(), Some(TimeControlStage::Moves { moves: 40, seconds: 7200, increment: 0 }));
/// assert_eq!(stages.next(), Some(TimeControlStage::SuddenDeath { seconds: 3600 }));
/// # Ok::<(), pdn::value::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum TimeControl<'a> {
    /// `?` or an empty text: unknown.
    Unknown,
    /// `-`: no time limit.
    NoTime,
    /// One or more stages.
    Stages(Stages<'a>),
}

impl<'a> TimeControl<'a> {
    /// Parses the value of a TimeControl, TimeControlWhite or TimeControlBlack tag.
    ///
    /// # Errors
    /// The first byte that the grammar does not allow.
    pub fn parse(text: &'a [u8]) -> Result<Self, ValueError> {
        match text.trim_ascii() {
            b"" | b"?" => return Ok(Self::Unknown),
            b"-" => return Ok(Self::NoTime),
            _ => {}
        }
        let all = Stages { text, at: Some(0) };
        let mut stages = all;
        while stages.parse_next()?.is_some() {}
        Ok(Self::Stages(all))
    }
}

/// Writes the time control as PDN 3.0 does.
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

/// One stage of a time control. All times are in seconds.
///
/// ```
/// use pdn::value::{TimeControl, TimeControlStage};
///
/// let TimeControl::Stages(mut stages) = TimeControl::parse(b"4800+60")? else { panic!() };
/// let stage = stages.next().unwrap();
/// assert_eq!(stage, TimeControlStage::Increment { seconds: 4800, increment: 60 });
/// assert_eq!(stage.to_string(), "4800+60");
/// # Ok::<(), pdn::value::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum TimeControlStage {
    /// `40/7200`: a number of moves in a given time. `40/7200+30`, with an increment per move, occurs too.
    Moves {
        /// The number of moves.
        moves: u32,
        /// The time for all these moves.
        seconds: u32,
        /// The time added per move; always 0 in the grammar of the standard.
        increment: u32,
    },
    /// `4800+60`: a time for the rest of the game, and an increment per move.
    Increment {
        /// The time at the start of the stage.
        seconds: u32,
        /// The time added per move.
        increment: u32,
    },
    /// `3600`: a time for the rest of the game.
    SuddenDeath {
        /// The time for the rest of the game.
        seconds: u32,
    },
    /// `*120`: a sandclock, where the time that one player uses is added to the other's.
    Sandclock {
        /// The time of each player at the start.
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

/// Iterates over the stages of a time control in order.
///
/// [`TimeControl`] has an example.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Stages<'a> {
    text: &'a [u8],
    /// Offset of the next stage; `None` after the last one.
    at: Option<usize>,
}

impl Iterator for Stages<'_> {
    type Item = TimeControlStage;

    fn next(&mut self) -> Option<TimeControlStage> {
        self.parse_next().ok().flatten()
    }
}

impl Stages<'_> {
    /// Parses the next stage; `None` after the last one.
    fn parse_next(&mut self) -> Result<Option<TimeControlStage>, ValueError> {
        let Some(mut at) = self.at.take() else { return Ok(None) };
        let sandclock = self.skip_byte(&mut at, b'*');
        let first = self.number(&mut at)?;
        let stage = if sandclock {
            TimeControlStage::Sandclock { seconds: first }
        } else if self.skip_byte(&mut at, b'/') {
            let seconds = self.number(&mut at)?;
            let increment = if self.skip_byte(&mut at, b'+') { self.number(&mut at)? } else { 0 };
            TimeControlStage::Moves { moves: first, seconds, increment }
        } else if self.skip_byte(&mut at, b'+') {
            TimeControlStage::Increment { seconds: first, increment: self.number(&mut at)? }
        } else {
            TimeControlStage::SuddenDeath { seconds: first }
        };
        if self.skip_byte(&mut at, b':') {
            self.at = Some(at);
        } else if at < self.text.len() {
            return Err(self.unexpected(at));
        }
        Ok(Some(stage))
    }

    /// Skips `byte` and the whitespace around it, and returns `true` if `byte` was there.
    fn skip_byte(&self, at: &mut usize, byte: u8) -> bool {
        self.skip_whitespace(at);
        let is_there = self.text.get(*at) == Some(&byte);
        *at += usize::from(is_there);
        self.skip_whitespace(at);
        is_there
    }

    /// Parses a number; an error if there is none or it needs more than 32 bits.
    fn number(&self, at: &mut usize) -> Result<u32, ValueError> {
        let start = *at;
        let mut value = 0u32;
        while let Some(digit @ b'0'..=b'9') = self.text.get(*at) {
            let next = value.checked_mul(10).and_then(|value| value.checked_add(u32::from(digit - b'0')));
            value = next.ok_or_else(|| ValueError::new(TOO_LONG, span(start, *at + 1)))?;
            *at += 1;
        }
        if *at == start { Err(self.unexpected(start)) } else { Ok(value) }
    }

    fn skip_whitespace(&self, at: &mut usize) {
        while self.text.get(*at).is_some_and(u8::is_ascii_whitespace) {
            *at += 1;
        }
    }

    /// Returns the error of the byte at an offset of the text.
    fn unexpected(&self, at: usize) -> ValueError {
        let problem = unexpected(UnexpectedByte::at(self.text, at));
        ValueError::new(problem, span(at, (at + 1).min(self.text.len())))
    }
}

const TOO_LONG: Problem =
    Problem::Message("found a number too large for moves or seconds, expected at most 4294967295");

const fn unexpected(found: UnexpectedByte) -> Problem {
    Problem::Unexpected("a time control such as `40/7200:3600` or `4800+60`, in seconds", found)
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
    fn examples_of_the_standard_are_parsed() {
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
    fn unknown_and_unlimited_time_differ() {
        for (text, expected) in
            [("?", TimeControl::Unknown), ("", TimeControl::Unknown), ("-", TimeControl::NoTime)]
        {
            assert_eq!(TimeControl::parse(text.as_bytes()), Ok(expected), "{text}");
        }
    }

    #[test]
    fn free_text_is_rejected_with_span() {
        let check = |text: &str, problem: Problem, start: u32, end: u32| {
            let error = ValueError::new(problem, Span::new(start, end));
            assert_eq!(TimeControl::parse(text.as_bytes()), Err(error), "{text}");
        };
        check("30'", unexpected(UnexpectedByte(Some(b'\''))), 2, 3);
        check("80m+1m", unexpected(UnexpectedByte(Some(b'm'))), 2, 3);
        check("40/", unexpected(UnexpectedByte(None)), 3, 3);
        check("3600:", unexpected(UnexpectedByte(None)), 5, 5);
        check("40/7200//3600", unexpected(UnexpectedByte(Some(b'/'))), 7, 8);
        check("*120+5", unexpected(UnexpectedByte(Some(b'+'))), 4, 5);
        check("99999999999", TOO_LONG, 0, 10);
    }

    proptest! {
        #[test]
        fn parsing_any_bytes_does_not_panic(text in prop::collection::vec(any::<u8>(), 0..30)) {
            let _ = TimeControl::parse(&text);
        }

        #[test]
        fn time_control_survives_writing_and_parsing(text in "(\\*?[0-9]{1,4}|[0-9]{1,2}/[0-9]{1,4}(\\+[0-9]{1,2})?|[0-9]+\\+[0-9]{1,2})(:[0-9]{1,5}){0,3}") {
            if let Ok(read) = TimeControl::parse(text.as_bytes()) {
                let written = read.to_string();
                prop_assert_eq!(stages(&written), stages(&text));
            }
        }
    }
}
