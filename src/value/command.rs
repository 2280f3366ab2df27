//! Commands embedded in comments, such as `[%clk 1:55:21]`.
//!
//! Splits a comment into commands and the text between them, so that their spans together cover every byte, and
//! reads the clocks. Commands that the standard does not have are handed out with their value unread. One pass
//! with memchr, no allocation; a command that is never closed reaches to the end of the comment.

use std::fmt;
use std::iter::FusedIterator;

use memchr::memchr;
use memchr::memmem;

use super::Colour;
use super::error::{ValueError, span};
use super::time::{ClockTime, TimeErrorKind};
use crate::span::Span;

/// The parts of a comment in order: plain text and commands. Spans count from the start of the comment.
///
/// PDN 3.0, section "Embedded commands".
///
/// ```
/// use pdn::value::{CommandValue, CommentPart, CommentParts};
///
/// let comment = b"a blunder [%clk 1:55:21]";
/// let parts: Vec<_> = CommentParts::new(comment).collect();
/// let [CommentPart::Text(text), CommentPart::Command(clk)] = &parts[..] else { panic!() };
/// assert_eq!(text.of(comment), b"a blunder ");
/// let Ok(CommandValue::Remaining(clocks)) = clk.value else { panic!() };
/// assert_eq!(clocks.first.time.to_string(), "1:55:21");
/// ```
#[derive(Clone, Debug)]
pub struct CommentParts<'a> {
    comment: &'a [u8],
    at: usize,
}

impl<'a> CommentParts<'a> {
    /// The parts of `comment`, given without its braces.
    pub fn new(comment: &'a [u8]) -> Self {
        Self { comment, at: 0 }
    }

    /// The commands alone.
    pub fn commands(self) -> impl Iterator<Item = EmbeddedCommand> + use<'a> {
        self.filter_map(|part| match part {
            CommentPart::Command(command) => Some(command),
            CommentPart::Text(_) => None,
        })
    }
}

impl Iterator for CommentParts<'_> {
    type Item = CommentPart;

    fn next(&mut self) -> Option<CommentPart> {
        let rest = &self.comment[self.at..];
        if rest.is_empty() {
            return None;
        }
        let start = self.at;
        match memmem::find(rest, b"[%") {
            Some(0) => {
                let closing = memchr(b']', rest);
                self.at = start + closing.map_or(rest.len(), |closing| closing + 1);
                Some(CommentPart::Command(EmbeddedCommand::read(
                    self.comment,
                    start,
                    self.at,
                    closing.is_some(),
                )))
            }
            text => {
                self.at = start + text.unwrap_or(rest.len());
                Some(CommentPart::Text(span(start, self.at)))
            }
        }
    }
}

impl FusedIterator for CommentParts<'_> {}

/// A part of a comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommentPart {
    /// What people read. Never empty.
    Text(Span),
    /// What programs read.
    Command(EmbeddedCommand),
}

/// One command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EmbeddedCommand {
    /// All of it, brackets included.
    pub span: Span,
    /// The name behind the percent sign.
    pub name: Span,
    /// The value without blanks at its ends.
    pub text: Span,
    /// What the value means.
    pub value: Result<CommandValue, CommandError>,
}

impl EmbeddedCommand {
    fn read(comment: &[u8], start: usize, end: usize, closed: bool) -> Self {
        let body = start + 2..end - usize::from(closed);
        let bytes = &comment[body.clone()];
        let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let name = body.start..body.start + bytes.iter().take_while(is_name).count();
        let raw = &comment[name.end..body.end];
        let value = name.end + raw.len() - raw.trim_ascii_start().len();
        let text = value..value + raw.trim_ascii().len();
        let error = |kind| Err(ValueError::new(kind, span(start, end)));
        let meaning = match (closed, name.is_empty()) {
            (false, _) => error(CommandErrorKind::Unclosed),
            (_, true) => error(CommandErrorKind::NoName),
            _ => CommandValue::read(&comment[name.clone()], &comment[text.clone()])
                .map_err(|error| error.shifted(span(0, text.start).end)),
        };
        Self {
            span: span(start, end),
            name: span(name.start, name.end),
            text: span(text.start, text.end),
            value: meaning,
        }
    }
}

/// What a command says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum CommandValue {
    /// `clk` and `clock`: what a clock shows, the time that remains.
    Remaining(Clocks),
    /// `mct`: what a mechanical clock shows, the time that has gone.
    Elapsed(Clocks),
    /// `egt`: the time since the game began.
    GameTime(ClockTime),
    /// `emt`: the time that the move took.
    MoveTime(ClockTime),
    /// A command that PDN 3.0 does not have, such as `eval` or `depth`.
    Other,
}

impl CommandValue {
    /// Reads the value of the command called `name`, in either case.
    fn read(name: &[u8], value: &[u8]) -> Result<Self, CommandError> {
        const COMMANDS: [&str; 5] = ["clk", "clock", "mct", "egt", "emt"];
        let known = COMMANDS.into_iter().find(|known| known.as_bytes().eq_ignore_ascii_case(name));
        match known {
            Some("clk" | "clock") => Clocks::parse(value).map(Self::Remaining),
            Some("mct") => Clocks::parse(value).map(Self::Elapsed),
            Some("egt") => time(value).map(Self::GameTime),
            Some("emt") => time(value).map(Self::MoveTime),
            _ => Ok(Self::Other),
        }
    }

    /// The name that PDN 3.0 has for it; `None` for a command that it does not have.
    pub fn name(&self) -> Option<&'static str> {
        match self {
            Self::Remaining(clocks) if clocks.first.side.is_some() => Some("clock"),
            Self::Remaining(_) => Some("clk"),
            Self::Elapsed(_) => Some("mct"),
            Self::GameTime(_) => Some("egt"),
            Self::MoveTime(_) => Some("emt"),
            Self::Other => None,
        }
    }
}

/// The command as PDN 3.0 writes it; nothing for [`CommandValue::Other`], whose text only the comment has.
impl fmt::Display for CommandValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(name) = self.name() else { return Ok(()) };
        match self {
            Self::Remaining(clocks) | Self::Elapsed(clocks) => write!(f, "[%{name} {clocks}]"),
            Self::GameTime(time) | Self::MoveTime(time) => write!(f, "[%{name} {time}]"),
            Self::Other => Ok(()),
        }
    }
}

/// One clock or both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Clocks {
    /// The first or only clock.
    pub first: Clock,
    /// The other one.
    pub second: Option<Clock>,
}

impl Clocks {
    /// Reads `1:55:21`, `w0:10:00` or `w0:10:00 B0:10:00`.
    ///
    /// # Errors
    /// No time, a third one, or one without a meaning; see [`CommandErrorKind`].
    pub fn parse(text: &[u8]) -> Result<Self, CommandError> {
        let mut at = 0;
        let mut next = || {
            at += text[at..].len() - text[at..].trim_ascii_start().len();
            let start = at;
            // A side's letter begins a new clock even where no blank divides them.
            let ends = |byte: &u8| byte.is_ascii_whitespace() || byte.is_ascii_alphabetic();
            let after = (start + 1).min(text.len());
            at = text[after..].iter().position(ends).map_or(text.len(), |end| after + end);
            (start, &text[start..at])
        };
        let (start, first) = next();
        let first = Clock::parse(first).map_err(|error| error.shifted(span(0, start).end))?;
        let (start, second) = next();
        if second.is_empty() {
            return Ok(Self { first, second: None });
        }
        let second = Clock::parse(second).map_err(|error| error.shifted(span(0, start).end))?;
        let (start, third) = next();
        if !third.is_empty() {
            return Err(ValueError::new(CommandErrorKind::ThirdClock, span(start, text.len())));
        }
        Ok(Self { first, second: Some(second) })
    }

    /// The clock of a side, where the text says whose clocks they are.
    pub fn of(&self, side: Colour) -> Option<Clock> {
        [Some(self.first), self.second].into_iter().flatten().find(|clock| clock.side == Some(side))
    }
}

impl fmt::Display for Clocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first)?;
        self.second.map_or(Ok(()), |second| write!(f, " {second}"))
    }
}

/// What a clock shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Clock {
    /// Whose clock it is; `None` where nothing is said, then it belongs to who just moved.
    pub side: Option<Colour>,
    /// Whether it is running: the letter of the side is a capital.
    pub running: bool,
    /// The time that it shows.
    pub time: ClockTime,
}

impl Clock {
    fn parse(text: &[u8]) -> Result<Self, CommandError> {
        let side = text.first().and_then(|&letter| Colour::from_letter(letter));
        let skipped = usize::from(side.is_some());
        let time = time(&text[skipped..]).map_err(|error| error.shifted(skipped as u32))?;
        let running = side.is_some() && text[0].is_ascii_uppercase();
        Ok(Self { side, running, time })
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(side) = self.side {
            let letter = side.letter();
            write!(f, "{}", if self.running { letter } else { letter.to_ascii_lowercase() })?;
        }
        write!(f, "{}", self.time)
    }
}

fn time(text: &[u8]) -> Result<ClockTime, CommandError> {
    ClockTime::parse_full(text)
        .map_err(|error| ValueError::new(CommandErrorKind::Time(error.kind), error.span))
}

/// Why a command cannot be read.
pub type CommandError = ValueError<CommandErrorKind>;

/// What is wrong with a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum CommandErrorKind {
    /// No `]` before the end of the comment.
    Unclosed,
    /// No name behind `[%`.
    NoName,
    /// A clock's time is none.
    Time(TimeErrorKind),
    /// Something behind the second clock.
    ThirdClock,
}

impl fmt::Display for CommandErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unclosed => {
                f.write_str("expected `]` at the end of the command, found the end of the comment")
            }
            Self::NoName => {
                f.write_str("expected the name of a command such as `[%clk 1:55:21]`, found none")
            }
            Self::Time(kind) => kind.fmt(f),
            Self::ThirdClock => f.write_str("found more behind the second clock, expected `]`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::value::UnexpectedByte;

    fn only(comment: &str) -> EmbeddedCommand {
        let commands: Vec<_> = CommentParts::new(comment.as_bytes()).commands().collect();
        assert_eq!(commands.len(), 1, "{comment}");
        commands[0]
    }

    #[test]
    fn known_commands_are_read() {
        let check = |comment: &str, canonical: &str| {
            let value = only(comment).value.unwrap_or_else(|error| panic!("{comment}: {error}"));
            assert_eq!(value.to_string(), canonical, "{comment}");
            if value != CommandValue::Other {
                assert_eq!(only(canonical).value, Ok(value), "{comment}");
            }
        };
        // The examples of the standard.
        check("[%clk 1:55:21]", "[%clk 1:55:21]");
        check("[%clk w0:00:10 B0:00:03]", "[%clock w0:00:10 B0:00:03]");
        check("Optional leading comments\n[%clock 0:49:11] optional trailing comments", "[%clk 0:49:11]");
        check("[%clock W0:00:10 b0:00:15]", "[%clock W0:00:10 b0:00:15]");
        check("[%mct 1:17:28]", "[%mct 1:17:28]");
        check("[%egt 2:00:00]", "[%egt 2:00:00]");
        check("[%emt 0:00:05]", "[%emt 0:00:05]");
        // What occurs beside them.
        check("[%CLK 1:55:21 ]", "[%clk 1:55:21]");
        check("[%clock w0:04:20B0:04:25]", "[%clock w0:04:20 B0:04:25]");
        check("[%clk 0:03:00.5]", "[%clk 0:03:00.5]");
        check("[%eval 0.3]", "");
        check("[%depth]", "");
    }

    #[test]
    fn clocks_know_their_side_and_whether_they_run() {
        let Ok(CommandValue::Remaining(clocks)) = only("[%clock w0:10:00 B0:09:58]").value else { panic!() };
        let black = clocks.of(Colour::Black).unwrap();
        assert_eq!((black.running, black.time.seconds()), (true, 598));
        assert!(!clocks.of(Colour::White).unwrap().running);
        let Ok(CommandValue::Remaining(clocks)) = only("[%clk 1:55:21]").value else { panic!() };
        assert_eq!(clocks.of(Colour::White), None);
    }

    #[test]
    fn a_comment_is_divided_without_loss() {
        let check = |comment: &str, expected: &[&str]| {
            let parts = CommentParts::new(comment.as_bytes()).map(|part| match part {
                CommentPart::Text(text) => {
                    std::str::from_utf8(text.of(comment.as_bytes())).unwrap().to_owned()
                }
                CommentPart::Command(command) => {
                    let part = |span: Span| std::str::from_utf8(span.of(comment.as_bytes())).unwrap();
                    format!("{}={}", part(command.name), part(command.text))
                }
            });
            assert_eq!(parts.collect::<Vec<_>>(), expected, "{comment}");
        };
        check("", &[]);
        check("plain", &["plain"]);
        check("a [%clk 1:00:00] b [%eval 0.3,12]", &["a ", "clk=1:00:00", " b ", "eval=0.3,12"]);
        check("[%emt 0:00:01][%clk 1:00:00]", &["emt=0:00:01", "clk=1:00:00"]);
        check("[diagram] 50% [x]", &["[diagram] 50% [x]"]);
        check("text [%clk 1:00:00", &["text ", "clk=1:00:00"]);
    }

    #[test]
    fn what_has_no_meaning_is_refused_with_its_place() {
        use CommandErrorKind as E;
        let check = |comment: &str, kind: CommandErrorKind, start: u32, end: u32| {
            assert_eq!(only(comment).value, Err(ValueError::new(kind, Span::new(start, end))), "{comment}");
        };
        check("a [%clk 1:00:00", E::Unclosed, 2, 15);
        check("[%]", E::NoName, 0, 3);
        check("[% clk]", E::NoName, 0, 7);
        check("[%clk]", E::Time(TimeErrorKind::Unexpected(UnexpectedByte(None))), 5, 5);
        check("[%clk 1:60:00]", E::Time(TimeErrorKind::TooManyMinutes), 8, 10);
        check("[%clk w0:10:00 b0:99:00]", E::Time(TimeErrorKind::TooManyMinutes), 18, 20);
        check("[%emt 0:05]", E::Time(TimeErrorKind::MissingPart), 6, 10);
        check("[%clk 0:00:01 0:00:02 0:00:03]", E::ThirdClock, 22, 29);
    }

    proptest! {
        #[test]
        fn parts_cover_every_byte(comment in "(\\[%?|\\]|clk|clock|[wWbB]?[0-9]:[0-9]{2}:[0-9]{2}| |\\PC){0,20}") {
            let mut at = 0;
            for part in CommentParts::new(comment.as_bytes()) {
                let span = match part {
                    CommentPart::Text(text) => text,
                    CommentPart::Command(command) => command.span,
                };
                prop_assert_eq!(span.start, at);
                prop_assert!(!span.is_empty());
                at = span.end;
            }
            prop_assert_eq!(at as usize, comment.len());
        }

        #[test]
        fn clocks_survive_writing(seconds in 0..3_000_000u32, other in 0..3_000_000u32, running in any::<bool>()) {
            let time = |seconds: u32| ClockTime::from_milliseconds(seconds * 1000);
            let first = Clock { side: Some(Colour::White), running, time: time(seconds) };
            let second = Some(Clock { side: Some(Colour::Black), running: !running, time: time(other) });
            let clocks = Clocks { first, second };
            prop_assert_eq!(Clocks::parse(clocks.to_string().as_bytes()), Ok(clocks));
        }
    }
}
