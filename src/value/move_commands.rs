//! What the embedded commands after a move say: the clocks, the time of the move, the evaluation.

use memchr::memchr_iter;

use super::Colour;
use super::clock::Clocks;
use super::command::{CommandValue, CommentParts, EmbeddedCommand};
use super::error::{ValueError, span};
use super::time::{ClockTime, MISSING_PART};

/// The values of the embedded commands in the comments after a move; the last of each kind counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveCommands {
    /// The time remaining, from a `clk` or `clock` command.
    clocks: Option<Clocks>,
    /// The time spent on the move, from an `emt` command.
    move_time: Option<ClockTime>,
    /// The evaluation in hundredths of a man, with the sign as written, from an `eval` command.
    evaluation: Option<i32>,
    /// Which times are written as two numbers, and read as hours and minutes so far.
    two_numbers: LooseTimes,
}

/// Which times of a command, or of the commands of a move, are written as two numbers, as bits.
type LooseTimes = u8;
const FIRST_CLOCK: LooseTimes = 1;
const SECOND_CLOCK: LooseTimes = 2;
const MOVE_TIME: LooseTimes = 4;

/// What the two numbers of a time stand for, as in `[%clk 1:20]`. The game as a whole decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TwoNumbers {
    /// No time of the game has seconds.
    HoursMinutes,
    /// Another time of the game has seconds.
    MinutesSeconds,
}

impl TwoNumbers {
    /// Returns what they stand for in a record. Linear in the record.
    pub fn of_record(record: &[u8]) -> Self {
        let has_seconds = memchr_iter(b'%', record).any(|at| has_seconds(record, at));
        if has_seconds { Self::MinutesSeconds } else { Self::HoursMinutes }
    }
}

/// Returns `true` if an embedded command, whose percent sign is at an offset, has a time with seconds.
fn has_seconds(record: &[u8], at: usize) -> bool {
    /// Longer ones are no times. Without a limit, commands that are never closed would take quadratic time.
    const MAX_BYTES: usize = 80;
    let before = &record[..at];
    if !before.ends_with(b"[") && !before.trim_ascii_end().ends_with(b"{") {
        return false;
    }
    let body = &record[at + 1..record.len().min(at + 1 + MAX_BYTES)];
    let Some(end) = body.iter().position(|byte| matches!(byte, b']' | b'}')) else { return false };
    let comment = [b"[%", &body[..end], b"]"].concat();
    CommentParts::new(&comment).commands().any(|command| match command.value {
        Ok(value) => !matches!(value, CommandValue::Other),
        Err(_) => match command.loose_value(&comment) {
            Some((CommandValue::Remaining(clocks) | CommandValue::Elapsed(clocks), two_numbers)) => {
                two_numbers != if clocks.second.is_some() { FIRST_CLOCK | SECOND_CLOCK } else { FIRST_CLOCK }
            }
            Some((_, two_numbers)) => two_numbers == 0,
            None => false,
        },
    })
}

impl EmbeddedCommand {
    /// Returns the value of a command whose times are not written as `h:mm:ss`, but as seconds or as two numbers, which are read as
    /// hours and minutes; and which they are.
    pub(crate) fn loose_value(&self, comment: &[u8]) -> Option<(CommandValue, LooseTimes)> {
        let whole = self.span.of(comment);
        if self.value.is_ok() || whole.starts_with(b"[") && !whole.ends_with(b"]") {
            return None;
        }
        let (name, text) = (self.name.of(comment), self.text.of(comment));
        let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
        if is("emt") || is("egt") {
            let (time, is_open) = loose_time(text, true)?;
            let value = if is("emt") { CommandValue::MoveTime(time) } else { CommandValue::GameTime(time) };
            return Some((value, if is_open { MOVE_TIME } else { 0 }));
        }
        let (mut two_numbers, mut next) = (0, FIRST_CLOCK);
        let clocks = Clocks::parse_with(text, |text| {
            let (time, is_open) =
                loose_time(text, false).ok_or(ValueError::new(MISSING_PART, span(0, text.len())))?;
            two_numbers |= if is_open { next } else { 0 };
            next = SECOND_CLOCK;
            Ok(time)
        });
        let clocks = clocks.ok()?;
        match () {
            () if is("clk") || is("clock") => Some((CommandValue::Remaining(clocks), two_numbers)),
            () if is("mct") => Some((CommandValue::Elapsed(clocks), two_numbers)),
            () => None,
        }
    }
}

/// Reads a time that may also be a number of seconds, `12` or `0.01`, or two numbers. These are read as hours and minutes, and `true` is
/// returned, unless they have a fraction or more hours than a day, which makes them minutes and seconds.
///
/// On a clock, `1.20` is no time: it may be seconds or hours and minutes, as in the tags WhiteTime and BlackTime.
fn loose_time(text: &[u8], is_duration: bool) -> Option<(ClockTime, bool)> {
    const MAX_SECONDS: u32 = (ClockTime::MAX_HOURS + 1) * 3600 - 1;
    if let Ok(time) = ClockTime::parse_full(text) {
        return Some((time, false));
    }
    let number = |digits: &[u8]| -> Option<u32> {
        let is_number = digits.iter().all(u8::is_ascii_digit);
        std::str::from_utf8(digits).ok().filter(|_| is_number)?.parse().ok()
    };
    let mut halves = text.splitn(2, |&byte| byte == b'.');
    let (whole, fraction) = (halves.next()?, halves.next());
    let thousandths = match fraction {
        None => 0,
        Some(digits @ ([_] | [_, _] | [_, _, _])) => number(digits)? * [100, 10, 1][digits.len() - 1],
        Some(_) => return None,
    };
    let time = |seconds: u32| ClockTime::from_milliseconds(seconds * 1000 + thousandths);
    let mut numbers = whole.splitn(2, |&byte| byte == b':');
    let (first, second) = (number(numbers.next()?)?, numbers.next());
    let Some(second) = second else {
        let may_be_hours = !is_duration
            && first < 24
            && fraction.is_some_and(|digits| matches!(digits, [b'0'..=b'5', b'0'..=b'9']));
        return (first <= MAX_SECONDS && !may_be_hours).then(|| (time(first), false));
    };
    let seconds = first.checked_mul(60)?.checked_add(number(second).filter(|&second| second < 60)?)?;
    if fraction.is_some() || first > 23 {
        return (seconds <= MAX_SECONDS).then(|| (time(seconds), false));
    }
    Some((time(seconds * 60), true))
}

impl MoveCommands {
    /// Reads the commands of the next comment, given without its braces. Other commands and unreadable values change nothing.
    pub fn read(&mut self, comment: &[u8]) {
        for command in CommentParts::new(comment).commands() {
            let (value, two_numbers) = match command.value {
                Ok(value) => (value, 0),
                Err(_) => match command.loose_value(comment) {
                    Some(found) => found,
                    None => continue,
                },
            };
            match value {
                CommandValue::Remaining(clocks) => {
                    self.clocks = Some(clocks);
                    self.two_numbers = self.two_numbers & MOVE_TIME | two_numbers;
                }
                CommandValue::MoveTime(time) => {
                    self.move_time = Some(time);
                    self.two_numbers = self.two_numbers & !MOVE_TIME | two_numbers;
                }
                _ => self.evaluation = command.evaluation(comment).or(self.evaluation),
            }
        }
    }

    /// Returns `true` if a time is written as two numbers, whose meaning [`settle`](Self::settle) decides.
    pub const fn has_two_numbers(&self) -> bool {
        self.two_numbers != 0
    }

    /// Reads the times that are written as two numbers so. Without this, they are hours and minutes.
    pub fn settle(&mut self, meaning: TwoNumbers) {
        let two_numbers = std::mem::take(&mut self.two_numbers);
        if meaning == TwoNumbers::HoursMinutes {
            return;
        }
        let in_seconds = |time: &mut ClockTime, bit: LooseTimes| {
            if two_numbers & bit != 0 {
                *time = ClockTime::from_milliseconds(time.milliseconds() / 60);
            }
        };
        if let Some(clocks) = &mut self.clocks {
            in_seconds(&mut clocks.first.time, FIRST_CLOCK);
            if let Some(second) = &mut clocks.second {
                in_seconds(&mut second.time, SECOND_CLOCK);
            }
        }
        if let Some(time) = &mut self.move_time {
            in_seconds(time, MOVE_TIME);
        }
    }

    /// Returns `true` if no comment had such a command.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the time that `side`, which made the move, has left.
    pub fn clock(&self, side: Colour) -> Option<ClockTime> {
        let clocks = self.clocks?;
        // A clock without the letter of a side belongs to the side that just moved.
        let unnamed = Some(clocks.first).filter(|clock| clock.side.is_none());
        clocks.of(side).or(unnamed).map(|clock| clock.time)
    }

    /// Returns the time spent on the move.
    pub const fn move_time(&self) -> Option<ClockTime> {
        self.move_time
    }

    /// Returns the evaluation in hundredths of a man, with the sign as written.
    pub const fn evaluation(&self) -> Option<i32> {
        self.evaluation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_command_of_each_kind_counts() {
        for (comments, clock, move_time, evaluation) in [
            (&["[%clk 0:01:00] [%emt 0:00:05.5] [%eval 0.5]"][..], Some(60_000), Some(5_500), Some(50)),
            (&["[%clk 0:01:00]", "[%clk 0:00:59] [%emt 7]"], Some(59_000), Some(7_000), None),
            (&["[%clk 0:01:00]", "[%clk soon] [%emt 0:70]"], Some(60_000), None, None),
            (&["[%clock w0:00:09 B0:00:08]"], Some(8_000), None, None),
            (&["[%clock w0:00:09]", "%emt 0:00:01", "%eval 1"], None, Some(1_000), Some(100)),
            (&["quiet", "[%depth 5] [%egt 0:01:00]"], None, None, None),
        ] {
            let mut commands = MoveCommands::default();
            comments.iter().for_each(|comment| commands.read(comment.as_bytes()));
            let milliseconds = |time: ClockTime| time.milliseconds();
            let found = (
                commands.clock(Colour::Black).map(milliseconds),
                commands.move_time().map(milliseconds),
                commands.evaluation(),
            );
            assert_eq!(found, (clock, move_time, evaluation), "{comments:?}");
        }
    }

    #[test]
    fn times_are_read_also_as_seconds_and_as_two_numbers() {
        let time = |text: &str, is_duration| {
            loose_time(text.as_bytes(), is_duration).map(|(time, is_open)| (time.milliseconds(), is_open))
        };
        for (text, expected) in [
            ("12", Some((12_000, false))),
            ("0.01", Some((10, false))),
            ("12.5", Some((12_500, false))),
            ("3599.125", Some((3_599_125, false))),
            ("125", Some((125_000, false))),
            ("1:20", Some((4_800_000, true))),
            ("0:05", Some((300_000, true))),
            ("1:20.5", Some((80_500, false))),
            ("23:59", Some((86_340_000, true))),
            ("24:00", Some((1_440_000, false))),
            ("1:20:05", Some((4_805_000, false))),
            ("1:60", None),
            ("1:", None),
            (":20", None),
            ("", None),
            (".5", None),
            ("+5", None),
            ("1.2345", None),
            ("1:2:3:4", None),
            ("3600000", None),
            ("3599999", Some((3_599_999_000, false))),
            ("99999999999", None),
            ("99999999:00", None),
        ] {
            assert_eq!(time(text, true), expected, "{text}");
            assert_eq!(time(text, false), if text == "0.01" { None } else { expected }, "{text}");
        }
        assert_eq!(time("1.20", false), None);
        assert_eq!(time("1.60", false), Some((1_600, false)));
        assert_eq!(time("90.20", false), Some((90_200, false)));
    }

    #[test]
    fn two_numbers_are_minutes_and_seconds_if_a_time_of_the_game_has_seconds() {
        for (record, clock, move_time) in [
            ("{[%clk 1:20] [%emt 0:05]}", 4_800, 300),
            ("{[%clk 1:20] [%emt 0:05]} 2. 33-28 {[%clk 0:01:19]}", 80, 5),
            ("{[%clk 1:20] [%emt 0:05]} 2. 33-28 {[%emt 7]}", 80, 5),
            ("{[%clk 1:20] [%emt 0:05]} 2. 33-28 {%egt 7}", 80, 5),
            ("{[%clk 1:20] [%emt 0:05]} 2. 33-28 {[%mct w0:01 b0:01.5]}", 80, 5),
            ("{[%clk 1:20] [%emt 0:05]} 2. 33-28 {[%clk 90:00]}", 80, 5),
            // These have no times.
            (
                "{[%clk 1:20] [%emt 0:05]} 2. 33-28 {[%eval 7] [%clk soon] [ %emt 7] [%clk 0:01:19 100 %emt 7}",
                4_800,
                300,
            ),
            ("{[%clk b0:07 w1:20] [%emt 0:05]}", 4_800, 300),
            ("{[%clk b0:07 w1:20] [%emt 0:05]} {[%emt 0.1]}", 80, 5),
            ("{[%clk b0:07 w0:01:20] [%emt 0:05]}", 80, 5),
        ] {
            let mut commands = MoveCommands::default();
            commands.read(record[1..].split('}').next().expect("a comment").as_bytes());
            assert!(commands.has_two_numbers());
            commands.settle(TwoNumbers::of_record(record.as_bytes()));
            let seconds = |time: Option<ClockTime>| time.map(ClockTime::seconds);
            let found = [commands.clock(Colour::White), commands.move_time()].map(seconds);
            assert_eq!(found, [Some(clock), Some(move_time)], "{record}");
        }
    }
}
