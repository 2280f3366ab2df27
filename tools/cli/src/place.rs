//! Lines and columns, counted as the games of a file go by.

use memchr::{memchr_iter, memchr2, memrchr2};
use pdn::source::Encoding;

/// Where something stands: both numbers count from 1, the column in characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    pub(crate) line: u64,
    pub(crate) column: u64,
}

/// Counts the lines of a file, and the characters of the line it has come to. Costs one pass of `memchr` over
/// what it passes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    /// Line ends passed.
    ends: u64,
    /// Characters since the last of them.
    characters: u64,
    /// The last byte was a CR, so an LF that follows ends no line.
    after_cr: bool,
}

impl Lines {
    pub(crate) fn new() -> Self {
        Self { ends: 0, characters: 0, after_cr: false }
    }

    /// Passes `bytes`, which follow those passed before. Nothing else is decoded than what matters: of UTF-8 the
    /// bytes that begin a character are counted, of the other encodings all bytes.
    pub(crate) fn pass(&mut self, bytes: &[u8], encoding: Encoding) {
        let Some(&last) = bytes.last() else { return };
        self.ends += line_ends(bytes) - u64::from(self.after_cr && bytes[0] == b'\n');
        self.after_cr = last == b'\r';
        let (line, before) = match memrchr2(b'\n', b'\r', bytes) {
            Some(end) => (&bytes[end + 1..], 0),
            None => (bytes, self.characters),
        };
        let begins_character = |byte: &&u8| encoding != Encoding::UTF_8 || **byte & 0xC0 != 0x80;
        let characters = line.iter().filter(begins_character).count();
        self.characters = before + characters as u64;
    }

    /// The place of the byte that comes next.
    pub(crate) fn place(&self) -> Place {
        Place { line: self.ends + 1, column: self.characters + 1 }
    }

    /// The place of the byte behind `bytes`, which come next.
    pub(crate) fn behind(mut self, bytes: &[u8], encoding: Encoding) -> Place {
        self.pass(bytes, encoding);
        self.place()
    }
}

/// Line ends in `bytes`: LF, CR, and CRLF as one.
pub(crate) fn line_ends(bytes: &[u8]) -> u64 {
    let feeds = memchr_iter(b'\n', bytes).count();
    let returns = memchr_iter(b'\r', bytes).filter(|at| bytes.get(at + 1) != Some(&b'\n')).count();
    (feeds + returns) as u64
}

/// The line of `bytes` in which `at` stands: its first byte and the byte after its last.
pub(crate) fn line_around(bytes: &[u8], at: usize) -> (usize, usize) {
    let at = at.min(bytes.len());
    let start = memrchr2(b'\n', b'\r', &bytes[..at]).map_or(0, |end| end + 1);
    let end = memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |n| at + n);
    (start, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_count_on_from_piece_to_piece() {
        let pieces: [&[u8]; 5] = [b"a\r", b"\nb c\n", "é [x]".as_bytes(), b" y", b"d\re\n\nf"];
        let mut lines = Lines::new();
        let mut seen = Vec::new();
        for piece in pieces {
            lines.pass(piece, Encoding::UTF_8);
            seen.push((lines.place().line, lines.place().column));
        }
        assert_eq!(seen, [(2, 1), (3, 1), (3, 6), (3, 8), (6, 2)]);
        let place = Lines::new().behind(b"\x88\xA2\xA0", Encoding::CP866);
        assert_eq!((place.line, place.column), (1, 4));
    }
}
