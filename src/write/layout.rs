//! Arranges words in lines, and writes move numbers and moves.

use crate::board::{Square, SquareNames, SquareNaming};

/// A line end.
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
}

/// The longest word that [`Lines::short_word`] takes.
pub(super) const SHORT: usize = 32;

impl<'o> Lines<'o> {
    /// Creates lines that begin at the end of `out`, at the start of a line. `width` 0 means one line.
    pub(super) fn new(out: &'o mut Vec<u8>, line_end: LineEnd, width: usize) -> Self {
        let line_start = out.len();
        let width = if width == 0 { usize::MAX } else { width };
        Self { out, line_end, width, line_start, is_glued: true, opening: 0 }
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
    }

    /// Writes the first `len` bytes of a word without line ends.
    // Twin: word; test: short_words_are_written_as_others.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn short_word(&mut self, word: &[u8; SHORT], len: usize) {
        self.separate(len);
        let end = self.out.len() + len;
        // A copy of constant length is a few instructions; the bytes after the word are dropped again.
        self.out.extend_from_slice(word);
        self.out.truncate(end);
    }

    /// Writes bytes directly after the last word.
    pub(super) fn glue(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Opens a parenthesis directly before the next word.
    pub(super) fn open(&mut self) {
        self.opening += 1;
    }

    /// Writes a line of its own.
    pub(super) fn line(&mut self, parts: &[&[u8]]) {
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
    }

    /// Ends the last line.
    pub(super) fn end(self) {
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
            let name = names.name_in(Square(bit as u8), letters).to_string();
            if let (Some(slot), true) = (text.get_mut(..name.len()), name.len() <= 3) {
                slot.copy_from_slice(name.as_bytes());
                text[3] = name.len() as u8;
            }
        }
        Self { texts }
    }

    /// Returns the name of a square.
    pub(super) fn name(&self, bit: u8) -> &[u8] {
        let text = &self.texts[usize::from(bit & 127)];
        &text[..usize::from(text[3]).min(3)]
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

/// Numbers below [`NUMBERS`](Self::NUMBERS) as text with a dot.
#[derive(Clone, Debug)]
pub(super) struct NumberTexts {
    texts: [[u8; 4]; Self::NUMBERS],
}

impl NumberTexts {
    const NUMBERS: usize = 1000;

    pub(super) fn new() -> Self {
        let mut texts = [[0; 4]; Self::NUMBERS];
        for (number, text) in texts.iter_mut().enumerate() {
            let digits = number.to_string();
            text[..digits.len()].copy_from_slice(digits.as_bytes());
            text[3] = digits.len() as u8;
        }
        Self { texts }
    }

    /// Writes `12. ` or `12... ` to `word` and returns its end, 14 at most.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn number(&self, word: &mut [u8; SHORT], number: u32, second: bool) -> usize {
        let at = match self.texts.get(number as usize) {
            Some(text) => {
                word[..4].copy_from_slice(text);
                usize::from(text[3])
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
            lines.end();
            short_lines.end();
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
        lines.end();
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
