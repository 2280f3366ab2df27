//! Results of games, in every system in use.
//!
//! Scores are exact (hundredths of a point). The first number belongs to the side that starts in the game type,
//! Black in English draughts, as PDN 1.0 and 2.0 say; so a result alone does not know the colour of the winner:
//! ask [`GameResult::winner`] with the side that starts. Files exist that put White first all the same; what a
//! game's moves say about it is not decided here. Reading is one pass over the text without allocation.

use std::fmt;

use super::Colour;
use super::result_format::ResultFormat;

/// A result as written. Any text is one: what no system knows is kept as [`GameResult::Text`].
///
/// `==` compares scores exactly, so `1-0` and `2-0` differ; [`same_outcome`](Self::same_outcome) does not mind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum GameResult<'a> {
    /// Points for the side that starts, and for the other.
    Score(Points, Points),
    /// `1+ - 1-`: a draw with an advantage for the side that starts.
    PlusDrawFirst,
    /// `1- - 1+`: a draw with an advantage for the other side.
    PlusDrawSecond,
    /// `*`: not finished, or no result available.
    Unfinished,
    /// Empty, `-` or `?`: nothing said.
    Unknown,
    /// Something else, without blanks at its ends.
    Text(&'a [u8]),
}

impl<'a> GameResult<'a> {
    /// Reads a Result tag's value or the end of a game.
    ///
    /// Understood are whole points, halves (`1/2`, `½`, `&frac12;`, also behind a whole: `1 1/2`), up to two
    /// decimals, the two plus draws, any dash between the sides, and blanks around everything. `1/2` alone is a
    /// draw. A dash before `-0.98-1.02`, as the standard's table of the Goes system prints it, counts for nothing.
    pub fn parse(text: &'a [u8]) -> Self {
        let text = text.trim_ascii();
        let Some(symbols) = Symbols::of(text) else { return Self::Text(text) };
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
        let mut sides = scores.splitn(2, |&symbol| symbol == b'-').map(Points::of_symbols);
        match (sides.next().flatten(), sides.next().flatten()) {
            (Some(first), Some(second)) => Self::Score(first, second),
            _ => Self::Text(text),
        }
    }

    /// What it means for the sides.
    ///
    /// Equal scores are a draw, none for either is lost for both. Between unequal scores the system decides: two
    /// points that are shared with both above zero (Delfts `1 1/2 - 1/2`, Goes `1.02-0.98`) are a draw with an
    /// [`advantage`](Self::advantage), and so are ten points shared with more than one for the lesser side
    /// (`4-6`, but not `1-9`). In all else the greater score wins.
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
            Self::Unfinished | Self::Unknown | Self::Text(_) => Outcome::Unknown,
        }
    }

    /// Which side is better off, in a win or in a draw with an advantage: `true` for the side that starts.
    pub fn advantage(&self) -> Option<bool> {
        match self {
            Self::Score(first, second) => (first != second).then_some(first > second),
            Self::PlusDrawFirst => Some(true),
            Self::PlusDrawSecond => Some(false),
            Self::Unfinished | Self::Unknown | Self::Text(_) => None,
        }
    }

    /// The colour that won, where `start` is the side that starts in the game type.
    pub fn winner(&self, start: Colour) -> Option<Colour> {
        self.outcome().winner(start)
    }

    /// Whether both mean the same for the sides, in whatever system: `1-0` and `2-0`, but also `1-1` and
    /// `1+ - 1-`. Unknown outcomes equal each other.
    pub fn same_outcome(&self, other: &GameResult<'_>) -> bool {
        self.outcome() == other.outcome()
    }

    /// The same result with the sides swapped, for files that name White first where Black starts.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Self::Score(first, second) => Self::Score(second, first),
            Self::PlusDrawFirst => Self::PlusDrawSecond,
            Self::PlusDrawSecond => Self::PlusDrawFirst,
            other => other,
        }
    }

    /// Whether the text is exactly how this result is written.
    pub fn is_canonical(text: &'a [u8]) -> bool {
        let result = Self::parse(text);
        if matches!(result, Self::Text(_) | Self::Unknown) {
            return false;
        }
        let mut rest = Compare(text);
        fmt::write(&mut rest, format_args!("{result}")).is_ok() && rest.0.is_empty()
    }
}

/// As PDN 3.0 writes it; an unknown result is `*`, and bytes of a free text that are not UTF-8 become U+FFFD.
impl fmt::Display for GameResult<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Score(first, second) if first.is_mixed() || second.is_mixed() => {
                write!(f, "{first} - {second}")
            }
            Self::Score(first, second) => write!(f, "{first}-{second}"),
            Self::PlusDrawFirst => f.write_str("1+ - 1-"),
            Self::PlusDrawSecond => f.write_str("1- - 1+"),
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

/// What a result means.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum Outcome {
    /// The side that starts won.
    FirstWins,
    /// The other side won.
    SecondWins,
    /// Nobody won, though one side may have got more points.
    Draw,
    /// `0-0`: declared lost for both.
    BothLose,
    /// Not finished, or nobody knows.
    Unknown,
}

impl Outcome {
    /// The colour that won, where `start` is the side that starts in the game type.
    pub fn winner(self, start: Colour) -> Option<Colour> {
        match self {
            Self::FirstWins => Some(start),
            Self::SecondWins => Some(start.other()),
            Self::Draw | Self::BothLose | Self::Unknown => None,
        }
    }
}

/// Points of one side, exact to a hundredth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub struct Points(u32);

impl Points {
    /// No point.
    pub const NONE: Self = Self(0);
    /// Half a point.
    pub const HALF: Self = Self(50);

    /// So many points.
    pub const fn whole(points: u16) -> Self {
        Self(points as u32 * 100)
    }

    /// So many hundredths of a point.
    pub const fn from_hundredths(hundredths: u16) -> Self {
        Self(hundredths as u32)
    }

    /// The points in hundredths.
    pub const fn hundredths(self) -> u32 {
        self.0
    }

    /// A whole and a half, which has a blank inside when written.
    const fn is_mixed(self) -> bool {
        self.0 > 100 && self.0 % 100 == 50
    }

    /// `12`, `1.02`, `h` for a half, `1h` for a whole and a half.
    fn of_symbols(symbols: &[u8]) -> Option<Self> {
        let (whole, half) = match symbols {
            [b'h'] => return Some(Self::HALF),
            [whole @ .., b'h'] => (whole, true),
            whole => (whole, false),
        };
        let mut parts = whole.splitn(2, |&symbol| symbol == b'.');
        let number = |digits: &[u8], most: usize| {
            let fits = (1..=most).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
            fits.then(|| digits.iter().fold(0u32, |value, digit| value * 10 + u32::from(digit - b'0')))
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

impl ResultFormat {
    /// Whether the system has this result. `*` belongs to each, a free text to none, and so does an unknown one.
    pub fn allows(self, result: &GameResult<'_>) -> bool {
        let (first, second) = match *result {
            GameResult::Score(first, second) => (first.0, second.0),
            GameResult::PlusDrawFirst | GameResult::PlusDrawSecond => return self == Self::PlusDraw,
            GameResult::Unfinished => return true,
            GameResult::Unknown | GameResult::Text(_) => return false,
        };
        match self {
            _ if (first, second) == (0, 0) => true,
            Self::Default => matches!((first, second), (100, 0) | (50, 50) | (0, 100)),
            Self::International | Self::PlusDraw => {
                matches!((first, second), (200, 0) | (100, 100) | (0, 200))
            }
            Self::Delfts => first + second == 200 && first % 50 == 0,
            Self::Goes => first + second == 200,
        }
    }
}

/// Text compared piece by piece with what is written to it.
struct Compare<'a>(&'a [u8]);

impl fmt::Write for Compare<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(text.as_bytes()).ok_or(fmt::Error)?;
        Ok(())
    }
}

/// A result reduced to its symbols: no blanks, `-` for any dash, `.` for a decimal comma, `h` for a half.
struct Symbols {
    bytes: [u8; 16],
    length: usize,
}

impl Symbols {
    /// `None` where the text cannot be a result: too long, or digits that a blank divides.
    fn of(text: &[u8]) -> Option<Self> {
        const SPELLINGS: &[(&[u8], u8)] = &[
            ("½".as_bytes(), b'h'),
            (b"\xBD", b'h'),
            (b"&frac12;", b'h'),
            (b"&#189;", b'h'),
            (b"&#xbd;", b'h'),
            (b"&#x00bd;", b'h'),
            ("–".as_bytes(), b'-'),
            ("—".as_bytes(), b'-'),
            ("−".as_bytes(), b'-'),
            (b"\x96", b'-'),
            (b"&ndash;", b'-'),
            (b"&minus;", b'-'),
            (b"&#8211;", b'-'),
            (b"&#x2013;", b'-'),
        ];
        let mut symbols = Self { bytes: [0; 16], length: 0 };
        let mut rest = text;
        let mut blank = false;
        while let [byte, ..] = rest {
            if byte.is_ascii_whitespace() {
                blank = true;
                rest = &rest[1..];
                continue;
            }
            let digit_before = symbols.as_bytes().last().is_some_and(u8::is_ascii_digit);
            let half = rest.starts_with(b"1/2") && (blank || !digit_before);
            let spelling = SPELLINGS.iter().find(|(spelling, _)| {
                rest.get(..spelling.len()).is_some_and(|start| start.eq_ignore_ascii_case(spelling))
            });
            let (symbol, length) = match (half, spelling) {
                (true, _) => (b'h', 3),
                (_, Some(&(spelling, symbol))) => (symbol, spelling.len()),
                (_, None) if *byte == b',' => (b'.', 1),
                (_, None) => (*byte, 1),
            };
            if blank && digit_before && (symbol.is_ascii_digit() || symbol == b'.') {
                return None;
            }
            // The letter itself is no half.
            if *byte == b'h' {
                return None;
            }
            *symbols.bytes.get_mut(symbols.length)? = symbol;
            symbols.length += 1;
            rest = &rest[length..];
            blank = false;
        }
        Some(symbols)
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

#[cfg(test)]
mod tests;
