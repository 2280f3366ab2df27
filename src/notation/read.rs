//! The text of a move, decoded to names of squares.
//!
//! Nothing is known here of boards: `c3-d4` and `32-28` are names, and [`SquareCodes`] says which squares of a game
//! they belong to. Separators are passed over, because they prove nothing. [`pair`] decodes what nine moves of ten
//! look like without a branch on a character; [`MoveText::read`] understands the rest. Neither allocates.

use std::fmt;

use crate::board::{Square, SquareName, SquareNames};

/// The name of a square as written, in one byte: a number up to 99, or a file up to l and a rank up to 12.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SquareCode(pub(crate) u8);

impl SquareCode {
    const FIRST_CELL: u8 = 100;
    const FILES: u8 = 12;

    /// The code of a number; `None` above 99, where no board has squares.
    pub const fn of_number(number: u16) -> Option<Self> {
        if number < Self::FIRST_CELL as u16 { Some(Self(number as u8)) } else { None }
    }

    /// The code of a file (0 for a) and a rank (from 1).
    pub const fn of_cell(file: u8, rank: u8) -> Option<Self> {
        if file < Self::FILES && rank >= 1 && rank <= 12 { Some(Self::cell(file, rank)) } else { None }
    }

    const fn cell(file: u8, rank: u8) -> Self {
        Self(Self::FIRST_CELL.wrapping_add(rank.wrapping_sub(1).wrapping_mul(Self::FILES)).wrapping_add(file))
    }

    /// The name in parts. The number 0 is a name too, though no board has that square.
    pub const fn name(self) -> SquareName {
        match self.0.checked_sub(Self::FIRST_CELL) {
            None => SquareName::Number(self.0),
            Some(cell) => SquareName::Algebraic { file: cell % Self::FILES, rank: cell / Self::FILES + 1 },
        }
    }

    /// Whether it is written with a letter.
    pub const fn is_algebraic(self) -> bool {
        self.0 >= Self::FIRST_CELL
    }
}

impl fmt::Debug for SquareCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.name(), f)
    }
}

/// Which square of a game each name belongs to: one load a look-up.
#[derive(Clone)]
pub struct SquareCodes([u8; 256]);

impl SquareCodes {
    /// What names mean that belong to no square; no bit of any board.
    pub(crate) const NOWHERE: u8 = 255;

    /// The table for the names of a game. Numbers and letters are both in it.
    pub fn new(names: &SquareNames) -> Self {
        let mut squares = [Self::NOWHERE; 256];
        for (code, square) in (0..=u8::MAX).zip(&mut squares) {
            let named = match SquareCode(code).name() {
                SquareName::Number(number) => names.of_number(number.into()),
                SquareName::Algebraic { file, rank } => names.of_algebraic(file, rank),
            };
            *square = named.map_or(Self::NOWHERE, Square::bit);
        }
        Self(squares)
    }

    /// The square of a name, if this game has it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn square(&self, code: SquareCode) -> Option<Square> {
        let bit = self.bit(code);
        if bit == Self::NOWHERE { None } else { Some(Square(bit)) }
    }

    /// The bits of all names; [`NOWHERE`](Self::NOWHERE) for those that have none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn bits(&self) -> &[u8; 256] {
        &self.0
    }

    /// The bit of a name, or [`NOWHERE`](Self::NOWHERE).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn bit(&self, code: SquareCode) -> u8 {
        self.0[code.0 as usize]
    }
}

impl fmt::Debug for SquareCodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let squares = self.0.iter().filter(|&&bit| bit != Self::NOWHERE).count();
        write!(f, "SquareCodes({squares} names)")
    }
}

/// The two squares of a move of the usual forms: `32-28`, `1x7`, `3228`, `c3-d4`, `C3:E5`, `a3b4`.
///
/// `None` says that it has another form, not that it has none. About two nanoseconds.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn pair(text: &[u8]) -> Option<(SquareCode, SquareCode)> {
    let len = text.len();
    if !(3..=5).contains(&len) {
        return None;
    }
    let digit = |i: usize| text[i].wrapping_sub(b'0');
    // The two bytes at either end; in `1-6` the second of one is the first of the other.
    let (first, second, third, last) = (digit(0), digit(1), digit(len - 2), digit(len - 1));
    if first < 10 {
        let (long, long_too) = (usize::from(second < 10), usize::from(third < 10));
        if last >= 10 {
            return None;
        }
        if 3 + long + long_too == len && SEPARATORS[usize::from(text[1 + long])] {
            // Chosen without a branch: lengths follow no pattern.
            let from = first + if long == 1 { 9 * first + second } else { 0 };
            let to = last + if long_too == 1 { 10 * third } else { 0 };
            return Some((SquareCode(from), SquareCode(to)));
        }
        // `3228`
        let glued = len == 4 && long + long_too == 2;
        return glued.then(|| (SquareCode(10 * first + second), SquareCode(10 * third + last)));
    }
    let file = |i: usize| (text[i] | 0x20).wrapping_sub(b'a');
    let (from, to) = (file(0), file(len - 2));
    let named = from < SquareCode::FILES && to < SquareCode::FILES;
    let ranked = second.wrapping_sub(1) < 9 && last.wrapping_sub(1) < 9;
    let spaced = len == 4 || len == 5 && SEPARATORS[usize::from(text[2])];
    (named && ranked && spaced).then(|| (SquareCode::cell(from, second), SquareCode::cell(to, last)))
}

/// [`pair`] of a text that is known to be two squares of one or two digits with one of `-xX:` between. `word` has its
/// bytes from the lowest on and others behind them; `len` is how many they are.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn short_pair(word: u64, len: u32) -> (SquareCode, SquareCode) {
    // Low halves tell digits from each other and from `-` and `:`, and one more bit tells `x` and `X`.
    let last = word >> (8 * (len.wrapping_sub(2) & 7));
    let from = (word & 0x0F | word >> 4 & 0x4F0) as usize;
    let to = (last & 0x4F | last >> 1 & 0x780) as usize;
    (SquareCode(FIRST[from]), SquareCode(LAST[to]))
}

/// The number in the first two bytes of a move, the second of which may be a separator.
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
        while n < SIGNS.len() {
            table[tens | SIGNS[n] << 4 & 0x4F0] = tens as u8;
            n += 1;
        }
        tens += 1;
    }
    table
};

/// The number in the last two bytes of a move, the first of which may be a separator.
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
        while n < SIGNS.len() {
            table[SIGNS[n] & 0x4F | ones << 7] = ones as u8;
            n += 1;
        }
        ones += 1;
    }
    table
};

/// The separators of plain moves.
const SIGNS: [usize; 4] = [b'-' as usize, b'x' as usize, b'X' as usize, b':' as usize];

const SEPARATORS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = is_separator(byte as u8);
        byte += 1;
    }
    table
};

/// Whether a byte separates the squares of a move all by itself.
#[cfg_attr(not(debug_assertions), inline(always))]
const fn is_separator(byte: u8) -> bool {
    // Latin-1's multiplication sign and the dash of Windows-1252 are the two beyond ASCII.
    matches!(byte, b'-' | b'x' | b'X' | b':' | 0xD7 | 0x96)
}

/// How the squares of a move are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum MoveForm {
    /// Square by square.
    Squares,
    /// Three digits without a separator, `718`: 7-18 or 71-8.
    ThreeDigits,
    /// Only the file of the first square, `ab4`.
    File(u8),
}

/// The decoded text of a move: its squares in order. For [`MoveForm::ThreeDigits`] these are the four of both
/// readings, for [`MoveForm::File`] the last one alone.
#[derive(Clone, Copy)]
pub struct MoveText {
    form: MoveForm,
    len: u8,
    squares: [SquareCode; Self::MAX_SQUARES],
}

impl MoveText {
    /// Squares that a text may name. No capture passes more.
    pub const MAX_SQUARES: usize = 64;

    /// Decodes the text of a move in any form that [`parse`](crate::parse) takes for one. `None` if it is none, or
    /// names more than [`MOST`](Self::MOST) squares.
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
            // Only letters can do without a separator.
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

    /// Decodes the list of captured squares behind a move: `<42,29,14,31>` (PDN 3.1 proposal, 6.1).
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

    /// How it is written.
    pub const fn form(&self) -> MoveForm {
        self.form
    }

    /// The squares in order.
    pub fn squares(&self) -> &[SquareCode] {
        &self.squares[..usize::from(self.len)]
    }
}

impl fmt::Debug for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.form, self.squares())
    }
}

/// The file at the start of `ab4`, `a:b4`, and what follows it.
fn lone_file(text: &[u8]) -> Option<(u8, &[u8])> {
    let file = file(*text.first()?)?;
    let rest = separator(&text[1..]);
    rest.first()?.is_ascii_alphabetic().then_some((file, rest))
}

fn file(byte: u8) -> Option<u8> {
    let file = (byte | 0x20).wrapping_sub(b'a');
    (byte.is_ascii_alphabetic() && file < SquareCode::FILES).then_some(file)
}

/// The square at the start of `text`, and what follows it.
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

/// What follows a separator and the blanks around it; `text` itself if none is there.
fn separator(text: &[u8]) -> &[u8] {
    let inner = text.trim_ascii_start();
    let len = match inner {
        [0xC3, 0x97, ..] | [0xD1, 0x85, ..] => 2,
        // Hyphens and dashes of all lengths, and the minus sign.
        [0xE2, 0x80, 0x90..=0x95, ..] | [0xE2, 0x88, 0x92, ..] => 3,
        [byte, ..] if is_separator(*byte) => 1,
        _ => return text,
    };
    inner[len..].trim_ascii_start()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    /// `expected`: the squares with blanks between, after the form if that is a special one.
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
            let read = read.expect("what the quick way reads the slow way reads too");
            assert_eq!(
                (read.form(), read.squares()),
                (MoveForm::Squares, &[from, to][..]),
                "{}",
                text.escape_ascii()
            );
        }
    }

    #[test]
    fn moves_are_read_in_every_dialect() {
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
    fn short_moves_are_read_alike() {
        for (from, to) in (0..100).flat_map(|from| (0..100).map(move |to| (from, to))) {
            for separator in ["-", "x", "X", ":"] {
                for text in [
                    format!("{from}{separator}{to}"),
                    format!("{from:02}{separator}{to}"),
                    format!("{from}{separator}{to:02}"),
                    format!("{from:02}{separator}{to:02}"),
                ] {
                    for behind in *b" -x.9!\xFF" {
                        let mut bytes = [behind; 8];
                        bytes[..text.len()].copy_from_slice(text.as_bytes());
                        let short = short_pair(u64::from_le_bytes(bytes), text.len() as u32);
                        assert_eq!(Some(short), pair(text.as_bytes()), "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn both_ways_agree_on_all_short_texts() {
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
                let slow = MoveText::read(text)
                    .filter(|read| read.form() == MoveForm::Squares && read.squares().len() == 2);
                if let Some((from, to)) = pair(text) {
                    let slow = slow.unwrap_or_else(|| panic!("{}", text.escape_ascii()));
                    assert_eq!(slow.squares(), [from, to], "{}", text.escape_ascii());
                } else if slow.is_some() {
                    let long_rank = text[0].is_ascii_alphabetic()
                        && text.windows(2).any(|two| two.iter().all(u8::is_ascii_digit));
                    assert!(text.contains(&b' ') || long_rank, "{}", text.escape_ascii());
                }
            }
        }
    }

    #[test]
    fn captured_squares_are_read() {
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
    fn codes_find_squares_by_both_kinds_of_names() {
        for &variant in Variant::ALL {
            let names = variant.names();
            let codes = SquareCodes::new(names);
            for number in 0..=99 {
                let code = SquareCode::of_number(number).expect("below 100");
                assert_eq!(codes.square(code), names.of_number(number), "{variant} {number}");
            }
            for (file, rank) in (0..12).flat_map(|file| (1..=12).map(move |rank| (file, rank))) {
                let code = SquareCode::of_cell(file, rank).expect("on the largest board");
                assert_eq!(codes.square(code), names.of_algebraic(file, rank), "{variant} {code:?}");
            }
        }
    }
}
