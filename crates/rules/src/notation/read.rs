//! Decodes the text of a move to the names of its squares.
//!
//! Boards are unknown here: `c3-d4` and `32-28` are names, and [`SquareCodes`](super::SquareCodes) maps them to the
//! squares of a game. Separators are skipped without being checked, because programs use them loosely. [`pair`]
//! decodes the forms that nine moves of ten have, without a branch per character; [`MoveText::read`] decodes all
//! others. Neither allocates.

use core::fmt;

use super::square_code::SquareCode;
use crate::value::{is_separator, separator_len};

/// Decodes a move of two squares in one of the common forms: `32-28`, `1x7`, `3228`, `c3-d4`, `C3:E5`, `a3b4`.
///
/// `None` means that the move has another form, not that it is no move. Takes about two nanoseconds.
///
/// ```
/// use pdn_rules::internal::notation::{SquareCode, pair};
///
/// let code = |number| SquareCode::of_number(number).unwrap();
/// assert_eq!(pair(b"32-28"), Some((code(32), code(28))));
/// assert_eq!(pair(b"26x17x8"), None, "another form");
/// ```
// Twin: `MoveText::read`; test: `pair_equals_read_on_all_short_texts`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn pair(text: &[u8]) -> Option<(SquareCode, SquareCode)> {
    let len = text.len();
    if !(3..=5).contains(&len) {
        return None;
    }
    let digit = |i: usize| text[i].wrapping_sub(b'0');
    // The first two and the last two bytes. In `1-6`, the second byte from the front is also the second from the
    // back.
    let (first, second, third, last) = (digit(0), digit(1), digit(len - 2), digit(len - 1));
    if first < 10 {
        let (from_is_long, to_is_long) = (usize::from(second < 10), usize::from(third < 10));
        if last >= 10 {
            return None;
        }
        if 3 + from_is_long + to_is_long == len && SEPARATORS[usize::from(text[1 + from_is_long])] {
            // Computed without a branch, because the lengths of numbers follow no pattern.
            let from = first + if from_is_long == 1 { 9 * first + second } else { 0 };
            let to = last + if to_is_long == 1 { 10 * third } else { 0 };
            return Some((SquareCode(from), SquareCode(to)));
        }
        // Four digits without a separator, `3228`.
        let glued = len == 4 && from_is_long + to_is_long == 2;
        return glued.then(|| (SquareCode(10 * first + second), SquareCode(10 * third + last)));
    }
    let file = |i: usize| (text[i] | 0x20).wrapping_sub(b'a');
    let (from, to) = (file(0), file(len - 2));
    let named = from < SquareCode::FILES && to < SquareCode::FILES;
    let ranked = second.wrapping_sub(1) < 9 && last.wrapping_sub(1) < 9;
    let spaced = len == 4 || len == 5 && SEPARATORS[usize::from(text[2])];
    (named && ranked && spaced).then(|| (SquareCode::cell(from, second), SquareCode::cell(to, last)))
}

/// Does the same as [`pair`] for a text that is known to be two numbers of one or two digits with one of `-xX:`
/// between. `word` holds its bytes, the first in the lowest bits; bytes after the text have any value. `len` is its
/// length in bytes.
// Twin: `pair`; test: `short_pair_equals_pair`.
#[cfg_attr(not(debug_assertions), inline(always))]
#[doc(hidden)]
pub fn short_pair(word: u64, len: u32) -> (SquareCode, SquareCode) {
    // The low halves of the bytes tell digits from each other and from `-` and `:`; one more bit tells `x` and `X`.
    let last = word >> (8 * (len.wrapping_sub(2) & 7));
    let from = (word & 0x0F | word >> 4 & 0x4F0) as usize;
    let to = (last & 0x4F | last >> 1 & 0x780) as usize;
    (SquareCode(FIRST[from]), SquareCode(LAST[to]))
}

/// The number in the first two bytes of a move; the second byte may be a separator.
const FIRST: [u8; 0x500] = {
    let mut table = [0; 0x500];
    let mut tens = 0;
    while tens < 10 {
        let mut ones = 0;
        while ones < 10 {
            table[tens | ones << 4] = (10 * tens + ones) as u8;
            ones += 1;
        }
        let mut n = 0;
        while n < SHORT_SEPARATORS.len() {
            table[tens | SHORT_SEPARATORS[n] << 4 & 0x4F0] = tens as u8;
            n += 1;
        }
        tens += 1;
    }
    table
};

/// The number in the last two bytes of a move; the first byte may be a separator.
const LAST: [u8; 0x7D0] = {
    let mut table = [0; 0x7D0];
    let mut ones = 0;
    while ones < 10 {
        let mut tens = 0;
        while tens < 10 {
            table[tens | ones << 7] = (10 * tens + ones) as u8;
            tens += 1;
        }
        let mut n = 0;
        while n < SHORT_SEPARATORS.len() {
            table[SHORT_SEPARATORS[n] & 0x4F | ones << 7] = ones as u8;
            n += 1;
        }
        ones += 1;
    }
    table
};

/// The separators that [`short_pair`] knows.
const SHORT_SEPARATORS: [usize; 4] = [b'-' as usize, b'x' as usize, b'X' as usize, b':' as usize];

const SEPARATORS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = is_separator(byte as u8);
        byte += 1;
    }
    table
};

/// The form in which the squares of a move are written.
///
/// ```
/// use pdn_rules::internal::notation::{MoveForm, MoveText};
///
/// let form = |text: &[u8]| MoveText::read(text).map(|text| text.form());
/// assert_eq!(form(b"26x17x8"), Some(MoveForm::Squares));
/// assert_eq!(form(b"718"), Some(MoveForm::ThreeDigits));
/// assert_eq!(form(b"ab4"), Some(MoveForm::File(0)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum MoveForm {
    /// All squares, one after the other.
    Squares,
    /// Three digits without a separator, `718`: 7-18 or 71-8.
    ThreeDigits,
    /// Only the file of the first square (0 for a), and the last square: `ab4`.
    File(u8),
}

/// The decoded text of a move: its squares in order. [`MoveForm::ThreeDigits`] has the four squares of both
/// readings, [`MoveForm::File`] only the last square.
///
/// ```
/// use pdn_rules::internal::notation::MoveText;
///
/// let text = MoveText::read(b"26x17x8").expect("a move");
/// assert_eq!(text.squares().iter().map(|code| code.name().to_string()).collect::<Vec<_>>(), ["26", "17", "8"]);
/// ```
#[derive(Clone, Copy)]
pub struct MoveText {
    form: MoveForm,
    len: u8,
    squares: [SquareCode; Self::MAX_SQUARES],
}

impl MoveText {
    /// The largest number of squares in a text. No capture passes over more.
    pub const MAX_SQUARES: usize = 64;

    /// Decodes the text of a move in any form that archives have. `None` if it is no move or
    /// names more than [`MAX_SQUARES`](Self::MAX_SQUARES) squares.
    pub fn read(text: &[u8]) -> Option<Self> {
        let mut squares = Self::empty(MoveForm::Squares);
        if text.len() == 3 && text.iter().all(u8::is_ascii_digit) {
            squares.form = MoveForm::ThreeDigits;
            let [a, b, c] = [0, 1, 2].map(|i| text[i] - b'0');
            [a, b * 10 + c, a * 10 + b, c]
                .into_iter()
                .try_for_each(|number| squares.push(SquareCode(number)))?;
            return Some(squares);
        }
        if text.len() == 4 && text.iter().all(u8::is_ascii_digit) {
            let (from, to) = pair(text)?;
            squares.push(from)?;
            squares.push(to)?;
            return Some(squares);
        }
        if let Some((file, rest)) = lone_file(text) {
            squares.form = MoveForm::File(file);
            let (to, rest) = square(rest)?;
            squares.push(to)?;
            return rest.is_empty().then_some(squares);
        }
        let (first, mut rest) = square(text)?;
        squares.push(first)?;
        while !rest.is_empty() {
            let separated = separator(rest);
            // Only a name that begins with a letter can follow without a separator.
            if separated.len() == rest.len() && !rest[0].is_ascii_alphabetic() {
                return None;
            }
            let (next, after) = square(separated)?;
            if next.is_algebraic() != first.is_algebraic() {
                return None;
            }
            squares.push(next)?;
            rest = after;
        }
        (squares.len >= 2).then_some(squares)
    }

    /// Decodes the list of captured squares that may follow a move: `<42,29,14,31>` (PDN 3.1 proposal, 6.1). `None`
    /// if the text is no such list.
    pub fn read_captured(text: &[u8]) -> Option<Self> {
        let inner = text.strip_prefix(b"<")?.strip_suffix(b">")?;
        let mut squares = Self::empty(MoveForm::Squares);
        for part in inner.split(|&b| b == b',' || b == b' ').filter(|part| !part.is_empty()) {
            let (captured, rest) = square(part)?;
            squares.push(captured)?;
            if !rest.is_empty() {
                return None;
            }
        }
        Some(squares)
    }

    const fn empty(form: MoveForm) -> Self {
        Self { form, len: 0, squares: [SquareCode(0); Self::MAX_SQUARES] }
    }

    fn push(&mut self, square: SquareCode) -> Option<()> {
        *self.squares.get_mut(usize::from(self.len))? = square;
        self.len += 1;
        Some(())
    }

    /// Returns the form of the move.
    pub const fn form(&self) -> MoveForm {
        self.form
    }

    /// Returns the squares in order.
    pub fn squares(&self) -> &[SquareCode] {
        &self.squares[..usize::from(self.len)]
    }
}

impl fmt::Debug for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.form, self.squares())
    }
}

/// Splits off the file at the start of `ab4` or `a:b4`; returns the file and the name of the square after it.
fn lone_file(text: &[u8]) -> Option<(u8, &[u8])> {
    let file = file(*text.first()?)?;
    let rest = separator(&text[1..]);
    rest.first()?.is_ascii_alphabetic().then_some((file, rest))
}

fn file(byte: u8) -> Option<u8> {
    let file = (byte | 0x20).wrapping_sub(b'a');
    (byte.is_ascii_alphabetic() && file < SquareCode::FILES).then_some(file)
}

/// Splits off the square at the start of `text`; returns the square and the rest.
fn square(text: &[u8]) -> Option<(SquareCode, &[u8])> {
    let file = file(*text.first()?);
    let from = usize::from(file.is_some());
    let digits = text[from..].iter().take(2).take_while(|b| b.is_ascii_digit()).count();
    let number = text[from..from + digits].iter().fold(0, |number, digit| number * 10 + (digit - b'0'));
    let rest = &text[from + digits..];
    match (file, digits) {
        (_, 0) => None,
        (None, _) => (!rest.first().is_some_and(u8::is_ascii_digit)).then_some((SquareCode(number), rest)),
        (Some(file), _) => Some((SquareCode::of_cell(file, number)?, rest)),
    }
}

/// Skips a separator and the whitespace around it. Returns `text` unchanged if there is no separator.
fn separator(text: &[u8]) -> &[u8] {
    let inner = text.trim_ascii_start();
    match separator_len(inner) {
        0 => text,
        len => inner[len..].trim_ascii_start(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    /// `expected`: the squares separated by spaces, after the form unless that is [`MoveForm::Squares`].
    #[track_caller]
    fn check(text: &[u8], expected: Option<&str>) {
        let read = MoveText::read(text);
        let shown = read.map(|read| {
            let names: Vec<String> = read.squares().iter().map(|code| code.name().to_string()).collect();
            match read.form() {
                MoveForm::Squares => names.join(" "),
                MoveForm::ThreeDigits => format!("3: {}", names.join(" ")),
                MoveForm::File(file) => format!("{}: {}", char::from(b'a' + file), names.join(" ")),
            }
        });
        assert_eq!(shown.as_deref(), expected, "{}", text.escape_ascii());
        if let Some((from, to)) = pair(text) {
            let read = read.expect("`read` decodes every text that `pair` decodes");
            assert_eq!(
                (read.form(), read.squares()),
                (MoveForm::Squares, &[from, to][..]),
                "{}",
                text.escape_ascii()
            );
        }
    }

    #[test]
    fn moves_are_decoded_in_every_dialect() {
        for (text, expected) in [
            (&b"32-28"[..], "32 28"),
            (b"1-6", "1 6"),
            (b"1-18", "1 18"),
            (b"12-8", "12 8"),
            (b"05-10", "5 10"),
            (b"01-07", "1 7"),
            (b"32x23", "32 23"),
            (b"32X23", "32 23"),
            (b"32:23", "32 23"),
            (b"26x17x10", "26 17 10"),
            (b"26x17x10x1", "26 17 10 1"),
            (b"3228", "32 28"),
            (b"1118", "11 18"),
            (b"718", "3: 7 18 71 8"),
            (b"105", "3: 1 5 10 5"),
            (b"a3b4", "a3 b4"),
            (b"A3B4", "a3 b4"),
            (b"c3-d4", "c3 d4"),
            (b"C3:E5", "c3 e5"),
            (b"c7:e5:c3", "c7 e5 c3"),
            (b"c7e5c3", "c7 e5 c3"),
            (b"a10-b11", "a10 b11"),
            (b"l12xk11", "l12 k11"),
            (b"ab4", "a: b4"),
            (b"a:b4", "a: b4"),
            (b"axb4", "a: b4"),
            (b"32 - 28", "32 28"),
            (b"1- 6", "1 6"),
            (b"1 -6", "1 6"),
            (b"c3 : e5", "c3 e5"),
            (b"32\xE2\x80\x9328", "32 28"),
            (b"32\xE2\x80\x9428", "32 28"),
            (b"32\xE2\x88\x9228", "32 28"),
            (b"c7\xC3\x97b6", "c7 b6"),
            (b"32\x9628", "32 28"),
            (b"32\xD728", "32 28"),
            (b"32\xC3\x9728", "32 28"),
            (b"32\xD1\x8528", "32 28"),
            (b"0-0", "0 0"),
        ] {
            check(text, Some(expected));
        }
        for text in [
            &b""[..],
            b"1",
            b"32",
            b"32-",
            b"-28",
            b"32--28",
            b"a3",
            b"a3-",
            b"m3-d4",
            b"a0-b1",
            b"a13-b1",
            b"32-28-",
            b"321-28",
            b"32-281",
            b"12345",
            b"12",
            b"32 28",
            b"3a-b4",
            b"ab",
            b"a",
            b"32_28",
            b"abc",
            b"\xFF\xFF\xFF",
            b"x3-4",
        ] {
            check(text, None);
        }
        check([&b"1"[..], &b"-2".repeat(64)].concat().as_slice(), None);
    }

    #[test]
    fn short_pair_equals_pair() {
        for (from, to) in (0..100).flat_map(|from| (0..100).map(move |to| (from, to))) {
            for separator in ["-", "x", "X", ":"] {
                for text in [
                    format!("{from}{separator}{to}"),
                    format!("{from:02}{separator}{to}"),
                    format!("{from}{separator}{to:02}"),
                    format!("{from:02}{separator}{to:02}"),
                ] {
                    for filler in *b" -x.9!\xFF" {
                        let mut bytes = [filler; 8];
                        bytes[..text.len()].copy_from_slice(text.as_bytes());
                        let short = short_pair(u64::from_le_bytes(bytes), text.len() as u32);
                        assert_eq!(Some(short), pair(text.as_bytes()), "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn pair_equals_read_on_all_short_texts() {
        let alphabet = b"01289-x: aDlmz<";
        let mut text = [0; 5];
        for n in 0..alphabet.len().pow(5) {
            let mut rest = n;
            for byte in &mut text {
                *byte = alphabet[rest % alphabet.len()];
                rest /= alphabet.len();
            }
            for len in if n < alphabet.len().pow(4) { 3..=5 } else { 5..=5 } {
                let text = &text[..len];
                let general = MoveText::read(text)
                    .filter(|read| read.form() == MoveForm::Squares && read.squares().len() == 2);
                if let Some((from, to)) = pair(text) {
                    let general = general.unwrap_or_else(|| panic!("{}", text.escape_ascii()));
                    assert_eq!(general.squares(), [from, to], "{}", text.escape_ascii());
                } else if general.is_some() {
                    let long_rank = text[0].is_ascii_alphabetic()
                        && text.windows(2).any(|two| two.iter().all(u8::is_ascii_digit));
                    assert!(text.contains(&b' ') || long_rank, "{}", text.escape_ascii());
                }
            }
        }
    }

    #[test]
    fn captured_squares_are_decoded() {
        let check = |text: &[u8], expected: Option<&str>| {
            let names = MoveText::read_captured(text).map(|list| format!("{:?}", list.squares()));
            assert_eq!(names.as_deref(), expected);
        };
        check(b"<42,29,14,31>", Some("[42, 29, 14, 31]"));
        check(b"<42, 29>", Some("[42, 29]"));
        check(b"<c3>", Some("[c3]"));
        check(b"<>", Some("[]"));
        check(b"<1234>", None);
        check(b"<4", None);
    }

    #[test]
    fn nothing_follows_a_file_and_a_square() {
        assert_eq!(MoveText::read(b"ab4").map(|text| text.squares().len()), Some(1));
        for text in ["ab4c", "ab4c5", "ab4-", "ab4:c5"] {
            assert!(MoveText::read(text.as_bytes()).is_none(), "{text}");
        }
    }
}
