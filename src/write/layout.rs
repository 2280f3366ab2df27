//! Arranges words in lines, and writes move numbers and moves.

use std::io::Write;

use crate::board::{Square, SquareNames, SquareNaming};

/// A line end.
///
/// ```
/// use pdn::write::{LineEnd, RecordWriter, WriteOptions};
///
/// // The written record keeps the line ends of its file.
/// let record = b"[White \"Ames\"]\r\n1.32-28 *\r\n";
/// let options = WriteOptions::new().line_end(LineEnd::of(record));
/// let mut text = Vec::new();
/// RecordWriter::new(&options).write(record, &mut text)?;
/// assert_eq!(text, b"[White \"Ames\"]\r\n\r\n1. 32-28 *\r\n");
/// # Ok::<(), pdn::write::Unwritten>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum LineEnd {
    /// `\n`
    #[default]
    Lf,
    /// `\r\n`
    CrLf,
}

impl LineEnd {
    /// Returns the bytes.
    pub const fn bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
        }
    }

    /// Returns the form of the first line end of a text; [`LineEnd::Lf`] if it has none.
    pub fn of(text: &[u8]) -> Self {
        match memchr::memchr(b'\n', text) {
            Some(at) if text[..at].ends_with(b"\r") => Self::CrLf,
            _ => Self::Lf,
        }
    }
}

/// Words separated by single spaces, or by line ends where a line would become too long.
pub(super) struct Lines<'o> {
    out: &'o mut Vec<u8>,
    line_end: LineEnd,
    /// The maximum number of bytes of a line.
    width: usize,
    /// Offset in `out` of the line.
    line_start: usize,
    /// No separator goes before the next word.
    is_glued: bool,
    /// The parentheses that open directly before the next word.
    opening: usize,
    /// The end of the text in `out`. The bytes after it are room for the next moves.
    end: usize,
}

/// Number of bytes that are stored for a move at most, with its number and a separator.
const ROOM: usize = 32;

/// A text of seven bytes at most in one machine word, with its length in the highest byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ShortText(u64);

impl ShortText {
    /// No text.
    pub(super) const EMPTY: Self = Self(0);

    /// Returns the text in the low bytes. The highest one means nothing.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) const fn word(self) -> u64 {
        self.0
    }

    /// Returns the number of bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) const fn len(self) -> usize {
        (self.0 >> 56) as usize & 7
    }
}

/// A move of two squares and the number before it, which may be empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveWord {
    pub(super) number: ShortText,
    pub(super) squares: ShortText,
}

/// The longest word that [`Lines::short_word`] takes.
pub(super) const SHORT: usize = 32;

impl<'o> Lines<'o> {
    /// Creates lines that begin at the end of `out`, at the start of a line. `width` 0 means one line.
    pub(super) fn new(out: &'o mut Vec<u8>, line_end: LineEnd, width: usize) -> Self {
        let line_start = out.len();
        let width = if width == 0 { usize::MAX } else { width };
        Self { out, line_end, width, line_start, is_glued: true, opening: 0, end: line_start }
    }

    /// Removes the room after the text. Every method but [`moves`](Self::moves) begins with it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn settle(&mut self) {
        self.out.truncate(self.end);
    }

    /// Notes the end of the text after it was appended to.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn appended(&mut self) {
        self.end = self.out.len();
    }

    /// Writes moves as words, each with its number, up to one that another method has to write, and returns how many were
    /// written. Directly after a parenthesis and at the start of the text there is none.
    ///
    /// The parts are stored right in place: a word that is put together first would have to be loaded again while its
    /// stores are still in flight. Offsets stay in registers, and whether a line ends here is no branch, because no
    /// predictor foretells it.
    // Twin: short_word; test: moves_in_place_are_written_as_words.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn moves(&mut self, moves: impl Iterator<Item = Option<MoveWord>>) -> usize {
        if self.is_glued | (self.opening > 0) {
            return 0;
        }
        // The bytes of a separator and their number.
        let (space, new_line) = match self.line_end {
            LineEnd::Lf => ((*b" \0", 1), (*b"\n\0", 1)),
            LineEnd::CrLf => ((*b" \0", 1), (*b"\r\n", 2)),
        };
        let (mut end, mut line_start, mut count, width) = (self.end, self.line_start, 0, self.width);
        let mut moves = moves.fuse();
        'grown: loop {
            if self.out.len() < end + ROOM {
                self.grow();
            }
            let text = &mut self.out[..];
            while let Some(room) = text.get_mut(end..).and_then(|room| room.first_chunk_mut::<ROOM>()) {
                let Some(Some(MoveWord { number, squares })) = moves.next() else { break 'grown };
                let (number_len, len) = (number.len(), number.len() + squares.len());
                let is_new_line = end - line_start + 1 + len > width;
                let (separator, separator_len) = if is_new_line { new_line } else { space };
                room[..2].copy_from_slice(&separator);
                let at = separator_len & 3;
                room[at..at + 8].copy_from_slice(&number.0.to_le_bytes());
                let at = at + number_len;
                room[at..at + 8].copy_from_slice(&squares.0.to_le_bytes());
                let start = end + separator_len;
                line_start = if is_new_line { start } else { line_start };
                end = start + len;
                count += 1;
            }
            self.end = end;
        }
        (self.end, self.line_start) = (end, line_start);
        count
    }

    /// Makes room for the next moves.
    #[cold]
    fn grow(&mut self) {
        self.out.resize(self.end + 64 * ROOM, 0);
    }

    /// Writes the separator before a word of `len` bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn separate(&mut self, len: usize) {
        if self.opening > 0 {
            return self.separate_opening(len);
        }
        if std::mem::take(&mut self.is_glued) {
            return;
        }
        if self.out.len() - self.line_start + 1 + len > self.width {
            self.new_line();
        } else {
            self.out.push(b' ');
        }
    }

    /// Writes the separator and the parentheses before a word.
    #[cold]
    fn separate_opening(&mut self, len: usize) {
        let opening = std::mem::take(&mut self.opening);
        self.separate(opening + len);
        self.out.extend(std::iter::repeat_n(b'(', opening));
    }

    #[inline(never)]
    fn new_line(&mut self) {
        self.out.extend_from_slice(self.line_end.bytes());
        self.line_start = self.out.len();
    }

    /// Writes a word. A word may contain line ends.
    pub(super) fn word(&mut self, parts: &[&[u8]]) {
        self.settle();
        let len: usize = parts.iter().map(|part| part.len()).sum();
        let mut first_line = 0;
        for part in parts {
            match memchr::memchr(b'\n', part) {
                Some(end) => {
                    first_line += end;
                    break;
                }
                None => first_line += part.len(),
            }
        }
        self.separate(first_line);
        let start = self.out.len();
        for part in parts {
            self.out.extend_from_slice(part);
        }
        if first_line < len
            && let Some(end) = memchr::memrchr(b'\n', &self.out[start..])
        {
            self.line_start = start + end + 1;
        }
        self.appended();
    }

    /// Writes the first `len` bytes of a word without line ends.
    pub(super) fn short_word(&mut self, word: &[u8; SHORT], len: usize) {
        self.settle();
        self.separate(len);
        self.out.extend_from_slice(&word[..len]);
        self.appended();
    }

    /// Writes bytes directly after the last word.
    pub(super) fn glue(&mut self, bytes: &[u8]) {
        self.settle();
        self.out.extend_from_slice(bytes);
        self.appended();
    }

    /// Opens a parenthesis directly before the next word.
    pub(super) fn open(&mut self) {
        self.opening += 1;
    }

    /// Writes a line of its own.
    pub(super) fn line(&mut self, parts: &[&[u8]]) {
        self.settle();
        if self.opening > 0 {
            self.separate(0);
        }
        if self.out.len() > self.line_start {
            self.new_line();
        }
        for part in parts {
            self.out.extend_from_slice(part);
        }
        self.new_line();
        self.is_glued = true;
        self.appended();
    }

    /// Ends the last line.
    pub(super) fn finish(mut self) {
        self.settle();
        self.out.extend_from_slice(self.line_end.bytes());
    }
}

/// The names of the squares of a game as bytes, indexed by the bit of the square.
#[derive(Clone, Debug)]
pub(super) struct SquareTexts {
    /// Three bytes of text and its length.
    texts: [[u8; 4]; 128],
}

impl SquareTexts {
    /// Creates the texts of all squares in one kind of names.
    pub(super) fn new(names: &SquareNames, letters: SquareNaming) -> Self {
        let mut texts = [[0; 4]; 128];
        for (bit, text) in texts.iter_mut().enumerate() {
            let mut rest = &mut text[..3];
            // Bits without a square may have longer names, which no move has.
            if write!(rest, "{}", names.name_in(Square(bit as u8), letters)).is_ok() {
                let len = 3 - rest.len();
                text[3] = len as u8;
            }
        }
        Self { texts }
    }

    /// Returns the name of a square.
    pub(super) fn name(&self, bit: u8) -> &[u8] {
        let text = &self.texts[usize::from(bit & 127)];
        &text[..usize::from(text[3]).min(3)]
    }

    /// Returns `32-28`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn short(&self, from: u8, separator: u8, to: u8) -> ShortText {
        let text = |bit: u8| u64::from(u32::from_le_bytes(self.texts[usize::from(bit & 127)]));
        let (from, to) = (text(from), text(to));
        let (from_len, to_len) = (from >> 24, to >> 24);
        // At most seven bytes, so that the length has room.
        let start = 8 * (from_len & 3);
        let word = from & 0xFF_FFFF | u64::from(separator) << start | (to & 0xFF_FFFF) << (start + 8);
        ShortText(word | (from_len + 1 + to_len) << 56)
    }

    /// Writes `32-28` to `word` at `at` and returns its end. `at` must be 22 at most.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn pair(&self, word: &mut [u8; SHORT], at: usize, from: u8, separator: u8, to: u8) -> usize {
        let (from, to) = (self.texts[usize::from(from & 127)], self.texts[usize::from(to & 127)]);
        word[at..at + 4].copy_from_slice(&from);
        let at = at + usize::from(from[3]);
        word[at] = separator;
        word[at + 1..at + 5].copy_from_slice(&to);
        at + 1 + usize::from(to[3])
    }
}

/// Numbers below [`NUMBERS`](Self::NUMBERS) as text with a dot and a space.
#[derive(Clone, Debug)]
pub(super) struct NumberTexts {
    texts: Box<[ShortText; Self::NUMBERS]>,
}

impl NumberTexts {
    const NUMBERS: usize = 1000;

    pub(super) fn new() -> Self {
        let mut texts = Box::new([ShortText::EMPTY; Self::NUMBERS]);
        for (number, text) in texts.iter_mut().enumerate() {
            let mut word = [0; 8];
            let with_dot = format!("{number}. ");
            word[..with_dot.len()].copy_from_slice(with_dot.as_bytes());
            word[7] = with_dot.len() as u8;
            *text = ShortText(u64::from_le_bytes(word));
        }
        Self { texts }
    }

    /// Returns `12. `; `None` if the number is long.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn short(&self, number: u32) -> Option<ShortText> {
        self.texts.get(number as usize).copied()
    }

    /// Writes `12. ` or `12... ` to `word` and returns its end, 14 at most.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn number(&self, word: &mut [u8; SHORT], number: u32, second: bool) -> usize {
        let at = match self.short(number) {
            Some(text) => {
                word[..8].copy_from_slice(&text.word().to_le_bytes());
                text.len() - 2
            }
            None => long_number(word, number),
        };
        let dots = if second { *b"... " } else { *b". .." };
        word[at..at + 4].copy_from_slice(&dots);
        at + if second { 4 } else { 2 }
    }
}

#[cold]
fn long_number(word: &mut [u8; SHORT], number: u32) -> usize {
    let digits = number.to_string();
    word[..digits.len()].copy_from_slice(digits.as_bytes());
    digits.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    fn short(text: &[u8]) -> ([u8; SHORT], usize) {
        let mut word = [b'#'; SHORT];
        word[..text.len()].copy_from_slice(text);
        (word, text.len())
    }

    #[test]
    fn moves_in_place_are_written_as_words() {
        let (names, numbers) = (Variant::International.names(), NumberTexts::new());
        let squares = SquareTexts::new(names, SquareNaming::Numeric);
        let bit = |number| names.of_number(number).expect("a square").0;
        for (width, line_end) in [(0, LineEnd::Lf), (1, LineEnd::Lf), (20, LineEnd::CrLf), (79, LineEnd::Lf)]
        {
            let (mut one, mut other) = (b"before".to_vec(), b"before".to_vec());
            let mut words = Lines::new(&mut one, line_end, width);
            let mut plies = Lines::new(&mut other, line_end, width);
            let mut in_place = 0;
            for n in 0..500u16 {
                let (from, to) = (bit(n % 50 + 1), bit(n * 7 % 50 + 1));
                let number = if n % 2 == 0 { u32::from(n) * 3 } else { 0 };
                let mut word = [0; SHORT];
                let start = if n % 2 == 0 { numbers.number(&mut word, number, false) } else { 0 };
                let len = squares.pair(&mut word, start, from, b'x', to);
                words.short_word(&word, len);
                let short = if n % 2 == 0 { numbers.short(number) } else { Some(ShortText::EMPTY) };
                let in_word = |number| MoveWord { number, squares: squares.short(from, b'x', to) };
                // Nothing after the first word that is not short.
                let offered = [short.map(in_word), None, short.map(in_word)];
                match plies.moves(offered.into_iter()) {
                    0 => plies.short_word(&word, len),
                    count => {
                        assert_eq!(count, 1);
                        in_place += 1;
                    }
                }
                match n % 11 {
                    3 => [&mut words, &mut plies].map(|lines| lines.word(&[b"{a\nb}"])),
                    5 => [&mut words, &mut plies].map(|lines| lines.open()),
                    7 => [&mut words, &mut plies].map(|lines| lines.glue(b")")),
                    9 => [&mut words, &mut plies].map(|lines| lines.line(&[b"% line"])),
                    _ => [(), ()],
                };
            }
            words.finish();
            plies.finish();
            assert_eq!(String::from_utf8(one).unwrap(), String::from_utf8(other).unwrap(), "{width}");
            assert!(in_place > 200, "{in_place}");
        }
    }

    #[test]
    fn short_words_are_written_as_others() {
        let text = b"1. 32-28 19-23 2. 28x19 14x23 3. 37-32 {a comment} 10-14 4. 41-37";
        for width in [0, 1, 5, 8, 11, 20, 79] {
            let (mut one, mut other) = (b"before".to_vec(), b"before".to_vec());
            let mut lines = Lines::new(&mut one, LineEnd::CrLf, width);
            let mut short_lines = Lines::new(&mut other, LineEnd::CrLf, width);
            for (n, word) in text.split(|&byte| byte == b' ').enumerate() {
                if n % 5 == 3 {
                    lines.open();
                    short_lines.open();
                }
                lines.word(&[word]);
                let (word, len) = short(word);
                short_lines.short_word(&word, len);
            }
            lines.finish();
            short_lines.finish();
            assert_eq!(one, other, "{width}");
        }
    }

    #[test]
    fn lines_are_as_long_as_the_width_at_most() {
        let mut out = Vec::new();
        let mut lines = Lines::new(&mut out, LineEnd::Lf, 10);
        for word in ["12345", "1234", "1", "{a\nlonger comment\nend}", "123", "12345", "12345678901", "*"] {
            lines.word(&[word.as_bytes()]);
        }
        lines.line(&[b"% own line"]);
        lines.word(&[b"*"]);
        lines.finish();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "12345 1234\n1 {a\nlonger comment\nend} 123\n12345\n12345678901\n*\n% own line\n*\n"
        );
    }

    #[test]
    fn numbers_and_moves_are_written_in_full() {
        let numbers = NumberTexts::new();
        for (number, second, expected) in [
            (1, false, "1. "),
            (12, true, "12... "),
            (999, true, "999... "),
            (1000, false, "1000. "),
            (u32::MAX, true, "4294967295... "),
        ] {
            let mut word = [0; SHORT];
            let len = numbers.number(&mut word, number, second);
            assert_eq!(&word[..len], expected.as_bytes());
        }
        for variant in Variant::ALL {
            let names = variant.names();
            for letters in [SquareNaming::Algebraic, SquareNaming::Numeric] {
                let texts = SquareTexts::new(names, letters);
                for square in (1..=u16::from(variant.board().squares())).filter_map(|n| names.of_number(n)) {
                    let expected = format!("{0}x{0}", names.name_in(square, letters));
                    let mut word = [0; SHORT];
                    let len = texts.pair(&mut word, 2, square.0, b'x', square.0);
                    assert_eq!(&word[2..len], expected.as_bytes());
                    assert_eq!(texts.name(square.0), names.name_in(square, letters).to_string().as_bytes());
                }
            }
        }
    }
}
