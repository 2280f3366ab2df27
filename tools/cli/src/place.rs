//! Lines and columns, counted as the games of a file go by.

use memchr::{memchr_iter, memchr2, memrchr2};
use pdn::source::Encoding;

/// Where something stands: both numbers count from 1, the column in characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    pub(crate) line: u64,
    pub(crate) column: u64,
}

/// Counts the lines of a file. Costs one pass of `memchr` over what lies between the places asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    /// Line ends passed.
    ends: u64,
    /// Bytes since the last of them, in games gone by.
    carried: u64,
    /// The last byte was a CR, so an LF that follows ends no line.
    after_cr: bool,
}

impl Lines {
    pub(crate) fn new() -> Self {
        Self { ends: 0, carried: 0, after_cr: false }
    }

    /// Passes all of a game, or of the bytes before a place.
    pub(crate) fn pass(&mut self, bytes: &[u8]) {
        let Some(&last) = bytes.last() else { return };
        self.ends += line_ends(bytes) - u64::from(self.after_cr && bytes[0] == b'\n');
        self.carried = match memrchr2(b'\n', b'\r', bytes) {
            Some(at) => (bytes.len() - at - 1) as u64,
            None => self.carried + bytes.len() as u64,
        };
        self.after_cr = last == b'\r';
    }

    /// The place of the byte `at` of `game`, which begins where this counter stands.
    pub(crate) fn place(&self, game: &[u8], at: usize, encoding: Encoding) -> Place {
        let before = &game[..at.min(game.len())];
        let mut here = *self;
        here.pass(before);
        // What the line has in earlier games is counted in bytes; a character or two more hurt nobody.
        let (line, carried) = match memrchr2(b'\n', b'\r', before) {
            Some(end) => (&before[end + 1..], 0),
            None => (before, self.carried),
        };
        let characters = if line.is_ascii() { line.len() } else { encoding.decode(line).chars().count() };
        Place { line: here.ends + 1, column: carried + characters as u64 + 1 }
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
    fn lines_count_on_from_game_to_game() {
        let games: [&[u8]; 4] = [b"a\r", b"\nb c\n", "é [x]".as_bytes(), b"d\re\n\nf"];
        let mut lines = Lines::new();
        let mut seen = Vec::new();
        for game in games {
            let place = lines.place(game, game.len() - 1, Encoding::UTF_8);
            seen.push((place.line, place.column));
            lines.pass(game);
        }
        assert_eq!(seen, [(1, 2), (2, 4), (3, 5), (6, 1)]);
    }
}
