//! Embedded commands: `[%clk 1:55:21]` and the like inside comments.
//!
//! Splits a comment into commands and the text between them, so that their spans together cover every byte, and
//! parses the clocks. The values of commands that the standard does not define are not parsed. One pass with memchr,
//! without allocation; an unclosed command extends to the end of the comment. A comment that begins with a percent sign and a
//! letter, `{%eval 0.35}`, is a command that lacks its brackets.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::Range;

use memchr::memchr;
use memchr::memmem;

use super::clock::Clocks;
use super::error::{Problem, ValueError, span};
use super::time::ClockTime;
use crate::span::Span;

/// A command without `]` before the end of the comment.
const UNCLOSED: Problem =
    Problem::Message("expected `]` at the end of the command, found the end of the comment");
/// A command without a name after `[%`.
const NO_NAME: Problem =
    Problem::Message("expected the name of a command such as `[%clk 1:55:21]`, found none");

/// Iterates over the parts of a comment in order: plain text and commands. Spans are relative to the start of the
/// comment.
///
/// PDN 3.0, section "Embedded commands".
///
/// ```
/// use pdn::value::CommandValue;
/// use pdn::internal::value::{CommentPart, CommentParts};
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
    /// Offset of the next part.
    at: usize,
}

impl<'a> CommentParts<'a> {
    /// Creates an iterator over the parts of `comment`, given without its braces.
    pub fn new(comment: &'a [u8]) -> Self {
        Self { comment, at: 0 }
    }

    /// Iterates over the commands only.
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
                let body = start + 2..self.at - usize::from(closing.is_some());
                let whole = start..self.at;
                let is_closed = closing.is_some();
                Some(CommentPart::Command(EmbeddedCommand::parse(self.comment, whole, body, is_closed)))
            }
            None if start == 0
                && let [b'%', b'A'..=b'Z' | b'a'..=b'z', ..] = rest.trim_ascii_start() =>
            {
                self.at = rest.len();
                let body = rest.len() - rest.trim_ascii_start().len() + 1..rest.len();
                Some(CommentPart::Command(EmbeddedCommand::parse(rest, 0..rest.len(), body, true)))
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum CommentPart {
    /// Plain text, never empty.
    Text(Span),
    /// A command.
    Command(EmbeddedCommand),
}

/// An embedded command.
///
/// [`AnnotatedPly::commands`](crate::replay::AnnotatedPly::commands) gives those of a move. [`CommandValue`] has an example.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct EmbeddedCommand {
    /// The span of the whole command, brackets included.
    pub span: Span,
    /// The span of the name, which follows the percent sign.
    pub name: Span,
    /// The span of the value, without whitespace at its ends.
    pub text: Span,
    /// The parsed value.
    pub value: Result<CommandValue, ValueError>,
}

impl EmbeddedCommand {
    /// Parses the command in `whole` of a comment, whose name and value are in `body`.
    fn parse(comment: &[u8], whole: Range<usize>, body: Range<usize>, closed: bool) -> Self {
        let Range { start, end } = whole;
        let bytes = &comment[body.clone()];
        let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let name = body.start..body.start + bytes.iter().take_while(is_name).count();
        let raw = &comment[name.end..body.end];
        let text = name.end + raw.len() - raw.trim_ascii_start().len();
        let text = text..text + raw.trim_ascii().len();
        let error = |problem| Err(ValueError::new(problem, span(start, end)));
        let value = match (closed, name.is_empty()) {
            (false, _) => error(UNCLOSED),
            (_, true) => error(NO_NAME),
            _ => CommandValue::parse(&comment[name.clone()], &comment[text.clone()])
                .map_err(|error| error.shifted(span(0, text.start).end)),
        };
        Self {
            span: span(start, end),
            name: span(name.start, name.end),
            text: span(text.start, text.end),
            value,
        }
    }
}

impl EmbeddedCommand {
    /// Returns the evaluation of an `eval` command of this comment, in hundredths of a man, with the sign as written.
    ///
    /// The value is a number of men, such as `0.35`, `-1.2` or `+0.35/12`. After the name of an engine in quotes, as the program
    /// Dam writes it, a whole number counts hundredths of a man: `"Horizon" 20`. `None` for other commands and other values, such
    /// as the number of moves to a win.
    ///
    /// ```
    /// use pdn::replay::{ReplayOptions, annotate};
    ///
    /// let game = annotate(b"1. 32-28 {[%clk 0:58:11] better [%eval -0.35]} *", &ReplayOptions::new());
    /// let commands = game.main.plies[0].commands();
    /// let evaluations = commands.map(|(comment, command)| command.evaluation(comment.text));
    /// assert_eq!(evaluations.collect::<Vec<_>>(), [None, Some(-35)]);
    /// ```
    pub fn evaluation(&self, comment: &[u8]) -> Option<i32> {
        let is_eval =
            self.value == Ok(CommandValue::Other) && self.name.of(comment).eq_ignore_ascii_case(b"eval");
        if is_eval { evaluation(self.text.of(comment)) } else { None }
    }
}

/// Reads an evaluation in men as hundredths of a man.
fn evaluation(text: &[u8]) -> Option<i32> {
    if let Some(named) = text.strip_prefix(b"\"") {
        let value = named[memchr(b'"', named)? + 1..].trim_ascii();
        let whole = std::str::from_utf8(value).ok()?.parse().ok();
        return whole.or_else(|| evaluation(value.strip_prefix(b"\"").map_or(value, |_| b"")));
    }
    let number = text.split(|&byte| matches!(byte, b'/' | b',') || byte.is_ascii_whitespace()).next()?;
    let is_number = number.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'+' | b'-'));
    let men: f64 = std::str::from_utf8(number).ok().filter(|_| is_number)?.parse().ok()?;
    let hundredths = (men * 100.0).round();
    (hundredths.abs() < f64::from(i32::MAX)).then_some(hundredths as i32)
}

/// The meaning of a command.
///
/// ```
/// use pdn::replay::{ReplayOptions, annotate};
/// use pdn::value::CommandValue;
///
/// let game = annotate(b"1. 32-28 {[%clk 1:55:21]} 19-23 {[%clk 1:48:03] in doubt} *", &ReplayOptions::new());
/// let mut seconds = Vec::new();
/// for (_, command) in game.main.plies.iter().flat_map(|ply| ply.commands()) {
///     if let Ok(CommandValue::Remaining(clocks)) = command.value {
///         seconds.push(clocks.first.time.seconds());
///     }
/// }
/// assert_eq!(seconds, [6921, 6483]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum CommandValue {
    /// `clk` and `clock`: the time remaining on the clocks.
    Remaining(Clocks),
    /// `mct`: the time elapsed on mechanical clocks.
    Elapsed(Clocks),
    /// `egt`: the time elapsed since the start of the game.
    GameTime(ClockTime),
    /// `emt`: the time spent on the move.
    MoveTime(ClockTime),
    /// A command that PDN 3.0 does not define, such as `eval` or `depth`.
    Other,
}

impl CommandValue {
    /// Parses the value of the command called `name`, in either case.
    fn parse(name: &[u8], value: &[u8]) -> Result<Self, ValueError> {
        const COMMANDS: [&str; 5] = ["clk", "clock", "mct", "egt", "emt"];
        match COMMANDS.into_iter().find(|command| command.as_bytes().eq_ignore_ascii_case(name)) {
            Some("clk" | "clock") => Clocks::parse(value).map(Self::Remaining),
            Some("mct") => Clocks::parse(value).map(Self::Elapsed),
            Some("egt") => ClockTime::parse_full(value).map(Self::GameTime),
            Some("emt") => ClockTime::parse_full(value).map(Self::MoveTime),
            _ => Ok(Self::Other),
        }
    }

    /// Returns the command's name in PDN 3.0; `None` for [`Other`](Self::Other).
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

/// Writes the command as PDN 3.0 does; nothing for [`CommandValue::Other`], whose text is only in the comment.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::value::clock::THIRD_CLOCK;
    use crate::value::error::UnexpectedByte;
    use crate::value::time;
    use crate::value::{Clock, Colour};

    /// Returns the only command of a comment.
    fn only(comment: &str) -> EmbeddedCommand {
        let commands: Vec<_> = CommentParts::new(comment.as_bytes()).commands().collect();
        assert_eq!(commands.len(), 1, "{comment}");
        commands[0]
    }

    #[test]
    fn command_without_brackets_is_read() {
        let comment = " %eval \"Horizon\" 20 ";
        let command = only(comment);
        assert_eq!((command.span.range(), command.name.of(comment.as_bytes())), (0..20, &b"eval"[..]));
        assert_eq!(command.evaluation(comment.as_bytes()), Some(20));
        assert_eq!(only("[%eval \"Horizon\" -0.35]").evaluation(b"[%eval \"Horizon\" -0.35]"), Some(-35));
        assert_eq!(only("[%eval \"Horizon\" \"20\"]").evaluation(b"[%eval \"Horizon\" \"20\"]"), None);
        assert!(matches!(only("%clk 1:55:21").value, Ok(CommandValue::Remaining(_))));
        assert!(matches!(only("[%clock W1:16:53 b1:20:30]").value, Ok(CommandValue::Remaining(_))));
        for text in ["50% of", "% of", "see %clk", "%5"] {
            assert_eq!(CommentParts::new(text.as_bytes()).commands().count(), 0, "{text}");
        }
    }

    #[test]
    fn evaluations_are_hundredths_of_a_man() {
        for (text, expected) in [
            ("0.35", Some(35)),
            ("-1.2", Some(-120)),
            ("+0.35/12", Some(35)),
            ("12", Some(1200)),
            // 0.29 times 100 is a little less than 29.
            ("0.29", Some(29)),
            ("#5", None),
            ("nan", None),
            ("1e9", None),
            ("", None),
            ("99999999999", None),
        ] {
            let comment = format!("[%eval {text}]");
            assert_eq!(only(&comment).evaluation(comment.as_bytes()), expected, "{text}");
        }
        assert_eq!(only("[%EVAL 1]").evaluation(b"[%EVAL 1]"), Some(100));
        assert_eq!(only("[%depth 1]").evaluation(b"[%depth 1]"), None);
        assert_eq!(only("[%eval 1").evaluation(b"[%eval 1"), None);
    }

    #[test]
    fn known_commands_are_parsed() {
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
        // Forms found in files.
        check("[%CLK 1:55:21 ]", "[%clk 1:55:21]");
        check("[%clock w0:04:20B0:04:25]", "[%clock w0:04:20 B0:04:25]");
        check("[%clk 0:03:00.5]", "[%clk 0:03:00.5]");
        check("[%eval 0.3]", "");
        check("[%depth]", "");
    }

    #[test]
    fn clocks_report_their_side_and_state() {
        let Ok(CommandValue::Remaining(clocks)) = only("[%clock w0:10:00 B0:09:58]").value else { panic!() };
        let black = clocks.of(Colour::Black).unwrap();
        assert_eq!((black.running, black.time.seconds()), (true, 598));
        assert!(!clocks.of(Colour::White).unwrap().running);
        let Ok(CommandValue::Remaining(clocks)) = only("[%clk 1:55:21]").value else { panic!() };
        assert_eq!(clocks.of(Colour::White), None);
    }

    #[test]
    fn comment_is_split_into_text_and_commands() {
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
    fn malformed_command_is_rejected_with_span() {
        let check = |comment: &str, problem: Problem, start: u32, end: u32| {
            assert_eq!(
                only(comment).value,
                Err(ValueError::new(problem, Span::new(start, end))),
                "{comment}"
            );
        };
        check("a [%clk 1:00:00", UNCLOSED, 2, 15);
        check("[%]", NO_NAME, 0, 3);
        check("[% clk]", NO_NAME, 0, 7);
        check("[%clk]", time::not_a_time(UnexpectedByte(None)), 5, 5);
        check("[%clk 1:60:00]", time::TOO_MANY_MINUTES, 8, 10);
        check("[%clk w0:10:00 b0:99:00]", time::TOO_MANY_MINUTES, 18, 20);
        check("[%emt 0:05]", time::MISSING_PART, 6, 10);
        check("[%clk 0:00:01 0:00:02 0:00:03]", THIRD_CLOCK, 22, 29);
    }

    proptest! {
        #[test]
        fn comment_parts_cover_every_byte(comment in "(\\[%?|\\]|clk|clock|[wWbB]?[0-9]:[0-9]{2}:[0-9]{2}| |\\PC){0,20}") {
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
        fn clocks_survive_writing_and_parsing(seconds in 0..3_000_000u32, other in 0..3_000_000u32, running in any::<bool>()) {
            let time = |seconds: u32| ClockTime::from_milliseconds(seconds * 1000);
            let first = Clock { side: Some(Colour::White), running, time: time(seconds) };
            let second = Some(Clock { side: Some(Colour::Black), running: !running, time: time(other) });
            let clocks = Clocks { first, second };
            prop_assert_eq!(Clocks::parse(clocks.to_string().as_bytes()), Ok(clocks));
        }
    }
}
