//! Counts lines and columns while the bytes of an input are passed in order.

use std::ops::Range;

use memchr::{memchr_iter, memchr2, memrchr2};

use super::charset::Encoding;
use crate::span::LineColumn;
use crate::steps;

/// Counts lines and columns of an input.
///
/// The counter stands at an offset of the input. [`pass`](Self::pass) moves it on over the next bytes, and
/// [`position`](Self::position) returns its line and column. Create a new counter for each input; for each record of an
/// input, pass all bytes of the record. Costs one pass of `memchr` over the bytes.
///
/// LF, CR and CRLF each end a line; a CRLF may be split between two calls. A column counts characters: the bytes that begin
/// a character in UTF-8, all bytes in other encodings.
///
/// ```
/// use pdn::internal::source::LineCounter;
/// use pdn::source::Encoding;
///
/// let mut lines = LineCounter::new();
/// lines.pass("[White \"Léman\"]\r\n[Bl".as_bytes(), Encoding::UTF_8);
/// assert_eq!((lines.position().line, lines.position().column), (2, 4));
/// let end = lines.position_after(b"ack", Encoding::UTF_8);
/// assert_eq!((end.line, end.column), (2, 7));
/// ```
///
/// [`InputLines`](crate::archive::InputLines) gives the line and column
/// of every diagnostic of an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineCounter {
    /// Number of line ends passed.
    line_ends: u64,
    /// Number of characters passed since the last line end.
    characters: u64,
    /// The last byte was a CR, so an LF that follows ends no further line.
    after_cr: bool,
}

impl LineCounter {
    /// Creates a counter at the start of an input: line 1, column 1.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a counter at the start of a line, which counts from 1.
    pub fn at_line(line: u64) -> Self {
        Self { line_ends: line.saturating_sub(1), ..Self::default() }
    }

    /// Moves the counter over `bytes`, which follow the bytes passed before.
    ///
    /// `encoding` is the encoding of the record that the bytes belong to. Text that was transcoded from UTF-16 is UTF-8 and
    /// counts as such.
    pub fn pass(&mut self, bytes: &[u8], encoding: Encoding) {
        let Some(&last) = bytes.last() else { return };
        steps::add(1 + bytes.len() / 4);
        self.line_ends += count_line_ends(bytes) - u64::from(self.after_cr && bytes[0] == b'\n');
        self.after_cr = last == b'\r';
        let (line, before) = match memrchr2(b'\n', b'\r', bytes) {
            Some(end) => (&bytes[end + 1..], 0),
            None => (bytes, self.characters),
        };
        let is_utf8 = encoding == Encoding::UTF_8 || encoding.utf16().is_some();
        let begins_character = |byte: &&u8| !is_utf8 || **byte & 0xC0 != 0x80;
        let characters = line.iter().filter(begins_character).count();
        self.characters = before + characters as u64;
    }

    /// Moves the counter over a whole record. Its encoding decides about columns, so it is asked for only if the record ends within a
    /// line.
    pub fn pass_record(&mut self, record: &[u8], encoding: impl FnOnce() -> Encoding) {
        self.pass(record, if record.ends_with(b"\n") { Encoding::UTF_8 } else { encoding() });
    }

    /// Returns the line and column of the next byte.
    pub fn position(&self) -> LineColumn {
        LineColumn { line: self.line_ends + 1, column: self.characters + 1 }
    }

    /// Returns the line and column of the byte after `bytes`, which follow the bytes passed before. The counter stays.
    #[must_use]
    pub fn position_after(mut self, bytes: &[u8], encoding: Encoding) -> LineColumn {
        self.pass(bytes, encoding);
        self.position()
    }
}

/// Returns the number of line ends in `bytes`: LF, CR, and CRLF as one.
///
/// ```
/// assert_eq!(pdn::internal::source::count_line_ends(b"a\r\nb\rc\nd"), 3);
/// ```
pub fn count_line_ends(bytes: &[u8]) -> u64 {
    let feeds = memchr_iter(b'\n', bytes).count();
    let lone_returns = memchr_iter(b'\r', bytes).filter(|at| bytes.get(at + 1) != Some(&b'\n')).count();
    (feeds + lone_returns) as u64
}

/// Returns the range of the line in `bytes` that contains offset `at`, without its line end. An offset past the end counts
/// as the end.
///
/// ```
/// assert_eq!(pdn::internal::source::line_range(b"ab\r\ncd\n", 5), 4..6);
/// ```
pub fn line_range(bytes: &[u8], at: usize) -> Range<usize> {
    let at = at.min(bytes.len());
    let start = memrchr2(b'\n', b'\r', &bytes[..at]).map_or(0, |end| end + 1);
    let end = memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |n| at + n);
    steps::add(1 + (end - start) / 16);
    start..end
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn positions_continue_across_calls() {
        let parts: [&[u8]; 5] = [b"a\r", b"\nb c\n", "é [x]".as_bytes(), b" y", b"d\re\n\nf"];
        let mut lines = LineCounter::new();
        let mut positions = Vec::new();
        for part in parts {
            lines.pass(part, Encoding::UTF_8);
            positions.push((lines.position().line, lines.position().column));
        }
        assert_eq!(positions, [(2, 1), (3, 1), (3, 6), (3, 8), (6, 2)]);
    }

    #[test]
    fn columns_count_bytes_in_8_bit_encodings() {
        let columns = |encoding| LineCounter::new().position_after("é".as_bytes(), encoding).column;
        assert_eq!(columns(Encoding::CP866), 3);
        assert_eq!(columns(Encoding::UTF_8), 2);
        // UTF-16 has become UTF-8 when it is counted.
        assert_eq!(columns("utf-16le".parse().unwrap()), 2);
    }

    proptest! {
        #[test]
        fn positions_equal_those_counted_character_by_character(text in "[ab\r\né♔]{0,30}", cut in 0usize..40) {
            let (mut line, mut column, mut before) = (1, 1, ' ');
            for c in text.chars() {
                match c {
                    '\n' if before == '\r' => {}
                    '\n' | '\r' => (line, column) = (line + 1, 1),
                    _ => column += 1,
                }
                before = c;
            }
            let (first, second) = text.as_bytes().split_at(cut.min(text.len()));
            let mut lines = LineCounter::new();
            lines.pass(first, Encoding::UTF_8);
            prop_assert_eq!(lines.position_after(second, Encoding::UTF_8), LineColumn { line, column });
        }
    }
}
