//! Results of games, in every result format in use.
//!
//! Scores are exact, in hundredths of a point. The first score belongs to the side that starts in the game type,
//! Black in English draughts, as PDN 1.0 and 2.0 define. A result alone therefore does not determine the colour of
//! the winner; [`GameResult::winner`] takes the starting side. Some files write White first all the same; that is not
//! decided here, because it needs the moves. Parsing is one pass over the text without allocation.

use std::fmt;
use std::str::FromStr;

use super::Colour;
use super::ResultFormat;
use crate::error::UnknownName;

mod words;

/// A result as written. Any text is accepted: a text that is no result in any format becomes [`GameResult::Text`].
///
/// `==` compares scores exactly, so `1-0` and `2-0` differ; [`same_outcome`](Self::same_outcome) treats them as
/// equal.
///
/// ```
/// use pdn::value::{Colour, GameResult, Outcome};
///
/// let result = GameResult::parse("½-½".as_bytes());
/// assert_eq!((result.to_string(), result.outcome()), ("1/2-1/2".to_owned(), Outcome::Draw));
/// assert_eq!(GameResult::parse(b"0-2").winner(Colour::White), Some(Colour::Black));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum GameResult<'a> {
    /// The points of the side that starts, then of the other side.
    Score(Points, Points),
    /// `1+ - 1-`: a draw with an advantage for the side that starts.
    PlusDrawFirst,
    /// `1- - 1+`: a draw with an advantage for the other side.
    PlusDrawSecond,
    /// A side that won in words, such as `White wins`. [`for_start`](Self::for_start) gives the score, because the first one belongs to the
    /// side that starts.
    Won(Colour),
    /// `*`: unfinished, or no result available.
    Unfinished,
    /// An empty text, `-` or `?`: unknown.
    Unknown,
    /// Any other text, without whitespace at its ends.
    Text(&'a [u8]),
}

impl<'a> GameResult<'a> {
    /// Parses the value of a Result tag, or the terminator of a game.
    ///
    /// Accepts whole points, halves (`1/2`, `½`, `&frac12;`, also after whole points: `1 1/2`), up to two decimals,
    /// the two plus draws, any dash or a colon between the scores, and whitespace around every part. `1/2` alone is a draw, and so are
    /// `=` and the words of several languages (`remise`, `ничья`). `White wins` and `B+` name the side that won. A score may have a remark:
    /// `1-0 (time)`. The
    /// leading dash of `-0.98-1.02`, which the standard prints in its table of the Goes format, is ignored.
    pub fn parse(text: &'a [u8]) -> Self {
        let text = text.trim_ascii();
        let in_words = || words::read(text).map_or(Self::Text(text), |(result, _)| result);
        let Some(symbols) = Symbols::read(text) else { return in_words() };
        let symbols = symbols.as_bytes();
        match symbols {
            b"" | b"-" | b"?" => return Self::Unknown,
            b"*" => return Self::Unfinished,
            b"1+-1-" => return Self::PlusDrawFirst,
            b"1--1+" => return Self::PlusDrawSecond,
            b"h" => return Self::Score(Points::HALF, Points::HALF),
            _ => {}
        }
        let scores = match symbols {
            [b'-', rest @ ..] if rest.contains(&b'.') => rest,
            _ => symbols,
        };
        let mut sides = scores.splitn(2, |&symbol| symbol == b'-').map(Points::from_symbols);
        match (sides.next().flatten(), sides.next().flatten()) {
            (Some(first), Some(second)) => Self::Score(first, second),
            _ => in_words(),
        }
    }

    /// Returns the result as a score, given the side that starts in the game type. Only a side that [won](Self::Won) in words is changed.
    ///
    /// ```
    /// use pdn::value::{Colour, GameResult, Outcome};
    ///
    /// let result = GameResult::parse(b"les noirs gagnent");
    /// assert_eq!(result.for_start(Colour::White).to_string(), "0-1");
    /// assert_eq!(result.for_start(Colour::Black).outcome(), Outcome::FirstWins);
    /// ```
    #[must_use]
    pub fn for_start(self, start: Colour) -> Self {
        match self {
            Self::Won(winner) if winner == start => Self::Score(Points::whole(1), Points::NONE),
            Self::Won(_) => Self::Score(Points::NONE, Points::whole(1)),
            other => other,
        }
    }

    /// Returns `true` if a text says more than its result, such as `1-0 (time)`.
    pub(crate) fn has_remark(text: &[u8]) -> bool {
        let symbols = Symbols::read(text.trim_ascii());
        let is_text = symbols.is_none_or(|symbols| symbols.as_bytes().iter().any(u8::is_ascii_alphabetic));
        is_text && words::read(text.trim_ascii()).is_some_and(|(_, remark)| !remark.is_empty())
    }

    /// Returns the outcome for the sides.
    ///
    /// Equal scores are a draw, except that `0-0` is lost for both. Unequal scores are a draw with an
    /// [`advantage`](Self::advantage) in two cases: two points shared with both scores above 0 (Delfts `1 1/2 - 1/2`,
    /// Goes `1.02-0.98`), and ten points shared with a lower score above 1 (`4-6`, but not `1-9`). Otherwise the
    /// higher score wins. That of a side that [won](Self::Won) in words is unknown without the side that starts.
    pub fn outcome(&self) -> Outcome {
        match *self {
            Self::Score(Points::NONE, Points::NONE) => Outcome::BothLose,
            Self::Score(first, second) if first == second => Outcome::Draw,
            Self::Score(first, second) => {
                let lesser = first.min(second);
                match first.hundredths() + second.hundredths() {
                    200 if lesser > Points::NONE => Outcome::Draw,
                    1000 if lesser > Points::whole(1) => Outcome::Draw,
                    _ if first > second => Outcome::FirstWins,
                    _ => Outcome::SecondWins,
                }
            }
            Self::PlusDrawFirst | Self::PlusDrawSecond => Outcome::Draw,
            Self::Won(_) | Self::Unfinished | Self::Unknown | Self::Text(_) => Outcome::Unknown,
        }
    }

    /// Returns `true` if the side that starts won or has the better of a draw, `false` if the other side does; `None`
    /// for equal scores and unknown results.
    pub fn advantage(&self) -> Option<bool> {
        match self {
            Self::Score(first, second) => (first != second).then_some(first > second),
            Self::PlusDrawFirst => Some(true),
            Self::PlusDrawSecond => Some(false),
            Self::Won(_) | Self::Unfinished | Self::Unknown | Self::Text(_) => None,
        }
    }

    /// Returns the colour that won, if any; `start` is the side that starts in the game type.
    pub fn winner(&self, start: Colour) -> Option<Colour> {
        self.for_start(start).outcome().winner(start)
    }

    /// Returns `true` if a result format has this result. Every format has `0-0` and `*`; none has a free text or an unknown
    /// result.
    ///
    /// ```
    /// use pdn::value::GameResult;
    /// use pdn_rules::internal::value::ResultFormat;
    ///
    /// assert!(GameResult::parse(b"2-0").is_of_format(ResultFormat::International));
    /// assert!(!GameResult::parse(b"1-0").is_of_format(ResultFormat::International));
    /// ```
    #[doc(hidden)]
    pub fn is_of_format(&self, format: ResultFormat) -> bool {
        let (first, second) = match *self {
            Self::Score(first, second) => (first.0, second.0),
            Self::PlusDrawFirst | Self::PlusDrawSecond => return format == ResultFormat::PlusDraw,
            Self::Unfinished => return true,
            Self::Won(_) | Self::Unknown | Self::Text(_) => return false,
        };
        match format {
            _ if (first, second) == (0, 0) => true,
            ResultFormat::Default => matches!((first, second), (100, 0) | (50, 50) | (0, 100)),
            ResultFormat::International | ResultFormat::PlusDraw => {
                matches!((first, second), (200, 0) | (100, 100) | (0, 200))
            }
            ResultFormat::Delfts => first + second == 200 && first % 50 == 0,
            ResultFormat::Goes => first + second == 200,
            // The crate of the rules may know more formats one day.
            _ => false,
        }
    }

    /// Returns how much the text says about the outcome.
    pub(crate) fn weight(&self) -> ResultWeight {
        match self {
            Self::Score(..) | Self::PlusDrawFirst | Self::PlusDrawSecond | Self::Won(_) => {
                ResultWeight::Known
            }
            Self::Unfinished | Self::Text(_) => ResultWeight::Open,
            Self::Unknown => ResultWeight::Missing,
        }
    }

    /// Returns the result that counts, of two that a record gives: this one, unless only the later one is known.
    ///
    /// The order is that of the Result tags in the text, and then the terminator. So the first Result tag with a known
    /// outcome counts; without one, the terminator. If no outcome is known, `*` and free texts count before missing
    /// values (empty, `?`, `-`).
    ///
    /// ```
    /// use pdn::value::GameResult;
    ///
    /// let counts = |tag: &str, terminator: &str| {
    ///     GameResult::parse(tag.as_bytes()).or_later(GameResult::parse(terminator.as_bytes())).to_string()
    /// };
    /// assert_eq!(counts("0-1", "1/2-1/2"), "0-1");
    /// assert_eq!(counts("*", "1/2-1/2"), "1/2-1/2");
    /// assert_eq!(counts("adjourned", "*"), "adjourned");
    /// ```
    #[must_use]
    pub fn or_later(self, later: Self) -> Self {
        if later.weight() > self.weight() { later } else { self }
    }

    /// Returns `true` if both have the same outcome, in any formats: `1-0` and `2-0`, but also `1-1` and `1+ - 1-`.
    /// Unknown outcomes equal each other.
    pub fn same_outcome(&self, other: &GameResult<'_>) -> bool {
        self.outcome() == other.outcome()
    }

    /// Returns the result with the sides swapped, for files that write White first although Black starts.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Self::Score(first, second) => Self::Score(second, first),
            Self::PlusDrawFirst => Self::PlusDrawSecond,
            Self::PlusDrawSecond => Self::PlusDrawFirst,
            other => other,
        }
    }

    /// Returns a score with its two numbers exchanged, and the remark after it; `None` for a text without a score, and for equal
    /// numbers.
    pub(crate) fn exchanged(text: &'a [u8]) -> Option<Vec<u8>> {
        let result = Self::parse(text);
        result.advantage()?;
        let remark = match Self::has_remark(text) {
            true => words::read(text.trim_ascii())?.1,
            false => b"",
        };
        Some([result.swapped().to_string().as_bytes(), remark].concat())
    }

    /// Returns `true` if `text` is a result in exactly the form that `Display` writes.
    pub fn is_canonical(text: &'a [u8]) -> bool {
        let result = Self::parse(text);
        if matches!(result, Self::Text(_) | Self::Won(_) | Self::Unknown) {
            return false;
        }
        let mut rest = PrefixMatcher(text);
        fmt::write(&mut rest, format_args!("{result}")).is_ok() && rest.0.is_empty()
    }
}

/// Writes the result as PDN 3.0 does, and a side that won in words as `White wins`. An unknown result becomes `*`, and bytes of a free text that are not UTF-8
/// become U+FFFD.
impl fmt::Display for GameResult<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Score(first, second) if first.is_mixed() || second.is_mixed() => {
                write!(f, "{first} - {second}")
            }
            Self::Score(first, second) => write!(f, "{first}-{second}"),
            Self::PlusDrawFirst => f.write_str("1+ - 1-"),
            Self::PlusDrawSecond => f.write_str("1- - 1+"),
            Self::Won(Colour::White) => f.write_str("White wins"),
            Self::Won(Colour::Black) => f.write_str("Black wins"),
            Self::Unfinished | Self::Unknown => f.write_str("*"),
            Self::Text(text) => {
                for chunk in text.utf8_chunks() {
                    f.write_str(chunk.valid())?;
                    if !chunk.invalid().is_empty() {
                        f.write_str("\u{FFFD}")?;
                    }
                }
                Ok(())
            }
        }
    }
}

/// The outcome of a game for the two sides.
///
/// `Display` and `FromStr` use the words of the query language: `win`, `loss`, `draw`, `both-lose` and `unknown`,
/// from the point of view of the side that starts.
///
/// ```
/// use pdn::value::Outcome;
///
/// assert_eq!("both-lose".parse(), Ok(Outcome::BothLose));
/// assert_eq!(Outcome::SecondWins.to_string(), "loss");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum Outcome {
    /// The side that starts won.
    FirstWins,
    /// The other side won.
    SecondWins,
    /// Neither side won, though one may have scored more points.
    Draw,
    /// `0-0`: declared lost for both.
    BothLose,
    /// The game is unfinished or its outcome unknown.
    Unknown,
}

impl Outcome {
    /// Every outcome.
    pub const ALL: [Self; 5] = [Self::FirstWins, Self::SecondWins, Self::Draw, Self::BothLose, Self::Unknown];

    /// Returns the word of the query language, from the point of view of the side that starts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FirstWins => "win",
            Self::SecondWins => "loss",
            Self::Draw => "draw",
            Self::BothLose => "both-lose",
            Self::Unknown => "unknown",
        }
    }

    /// Returns the colour that won, if any; `start` is the side that starts in the game type.
    pub fn winner(self, start: Colour) -> Option<Colour> {
        match self {
            Self::FirstWins => Some(start),
            Self::SecondWins => Some(start.other()),
            Self::Draw | Self::BothLose | Self::Unknown => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Outcome {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let named = Self::ALL.into_iter().find(|outcome| outcome.name().eq_ignore_ascii_case(text));
        named.ok_or(UnknownName { expected: "an outcome: `win`, `loss`, `draw`, `both-lose` or `unknown`" })
    }
}

/// How much a written result says about the outcome of a game, the least first. The one rule for the result that
/// counts: a later result replaces an earlier one if its weight is greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum ResultWeight {
    /// An empty text, `?` or `-`.
    Missing,
    /// `*`, or a text that is no result.
    Open,
    /// A known outcome.
    Known,
}

/// The points of one side, in hundredths.
///
/// ```
/// use pdn::value::{GameResult, Points};
///
/// let GameResult::Score(first, second) = GameResult::parse(b"1 1/2 - 1/2") else { panic!() };
/// assert_eq!((first, second), (Points::from_hundredths(150), Points::HALF));
/// assert!(first > Points::whole(1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub struct Points(u32);

impl Points {
    /// No points.
    pub const NONE: Self = Self(0);
    /// Half a point.
    pub const HALF: Self = Self(50);

    /// Creates points from whole points.
    pub const fn whole(points: u16) -> Self {
        Self(points as u32 * 100)
    }

    /// Creates points from hundredths of a point.
    pub const fn from_hundredths(hundredths: u16) -> Self {
        Self(hundredths as u32)
    }

    /// Returns the points in hundredths.
    pub const fn hundredths(self) -> u32 {
        self.0
    }

    /// Returns `true` for whole points and a half, which are written with a space inside.
    const fn is_mixed(self) -> bool {
        self.0 > 100 && self.0 % 100 == 50
    }

    /// Parses [symbols](Symbols): `12`, `1.02`, `h` for a half, `1h` for one and a half. Whole points have at most
    /// three digits, decimals at most two.
    fn from_symbols(symbols: &[u8]) -> Option<Self> {
        let (whole, half) = match symbols {
            [b'h'] => return Some(Self::HALF),
            [whole @ .., b'h'] => (whole, true),
            whole => (whole, false),
        };
        let mut parts = whole.splitn(2, |&symbol| symbol == b'.');
        let number = |digits: &[u8], max_len: usize| {
            let is_number = (1..=max_len).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
            is_number.then(|| digits.iter().fold(0u32, |value, digit| value * 10 + u32::from(digit - b'0')))
        };
        let whole = number(parts.next()?, 3)? * 100;
        match parts.next() {
            None => Some(Self(whole + if half { 50 } else { 0 })),
            Some(_) if half => None,
            Some(decimals) => {
                let value = number(decimals, 2)?;
                Some(Self(whole + if decimals.len() == 1 { value * 10 } else { value }))
            }
        }
    }
}

/// Writes whole points, halves as `1/2` or `1 1/2`, and other fractions with two decimals.
impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 100, self.0 % 100) {
            (whole, 0) => write!(f, "{whole}"),
            (0, 50) => f.write_str("1/2"),
            (whole, 50) => write!(f, "{whole} 1/2"),
            (whole, hundredths) => write!(f, "{whole}.{hundredths:02}"),
        }
    }
}

/// Compares a text with the parts written to it; holds the text not yet compared.
struct PrefixMatcher<'a>(&'a [u8]);

impl fmt::Write for PrefixMatcher<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(text.as_bytes()).ok_or(fmt::Error)?;
        Ok(())
    }
}

/// A result reduced to symbols: no whitespace, `-` for any dash and for a colon, `.` for a decimal comma, `h` for a half.
struct Symbols {
    bytes: [u8; 16],
    length: usize,
}

impl Symbols {
    /// Reads the symbols of a text. Returns `None` for a text that is no result: more than 16 symbols, whitespace
    /// between digits, or the letter `h`.
    fn read(text: &[u8]) -> Option<Self> {
        const SPELLINGS: &[(&[u8], u8)] = &[
            ("½".as_bytes(), b'h'),
            (b"\xBD", b'h'),
            (b"&frac12;", b'h'),
            (b"&#189;", b'h'),
            (b"&#xbd;", b'h'),
            (b"&#x00bd;", b'h'),
            (b":", b'-'),
            ("‐".as_bytes(), b'-'),
            ("‑".as_bytes(), b'-'),
            ("‒".as_bytes(), b'-'),
            ("–".as_bytes(), b'-'),
            ("—".as_bytes(), b'-'),
            ("―".as_bytes(), b'-'),
            ("−".as_bytes(), b'-'),
            (b"\x96", b'-'),
            (b"&ndash;", b'-'),
            (b"&minus;", b'-'),
            (b"&#8211;", b'-'),
            (b"&#x2013;", b'-'),
        ];
        let mut symbols = Self { bytes: [0; 16], length: 0 };
        let mut rest = text;
        let mut after_space = false;
        while let [byte, ..] = rest {
            if byte.is_ascii_whitespace() {
                after_space = true;
                rest = &rest[1..];
                continue;
            }
            let digit_before = symbols.as_bytes().last().is_some_and(u8::is_ascii_digit);
            let half = rest.starts_with(b"1/2") && (after_space || !digit_before);
            let spelling = SPELLINGS.iter().find(|(spelling, _)| {
                rest.get(..spelling.len()).is_some_and(|start| start.eq_ignore_ascii_case(spelling))
            });
            let (symbol, length) = match (half, spelling) {
                (true, _) => (b'h', 3),
                (_, Some(&(spelling, symbol))) => (symbol, spelling.len()),
                (_, None) if *byte == b',' => (b'.', 1),
                (_, None) => (*byte, 1),
            };
            if after_space && digit_before && (symbol.is_ascii_digit() || symbol == b'.') {
                return None;
            }
            // The letter itself does not mean a half.
            if *byte == b'h' {
                return None;
            }
            *symbols.bytes.get_mut(symbols.length)? = symbol;
            symbols.length += 1;
            rest = &rest[length..];
            after_space = false;
        }
        Some(symbols)
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

#[cfg(test)]
mod tests;
