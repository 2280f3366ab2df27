//! Turns a list of positions, one on each line, into records while it is read.

use super::pull::{Pull, hand_out};
use super::text_offsets::TextOffsets;
use crate::error::{Error, Result};
use crate::value::Fen;

/// The UTF-8 byte order mark.
pub(super) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Maximum length in bytes of a line that may be a position.
const MAX_LINE: usize = 1 << 10;

/// What is written before a position and after it.
const AROUND: [&[u8]; 2] = [b"[FEN \"", b"\"] *"];

/// Returns `true` if a text that begins with `head` is a list of positions: its first two lines that are not blank are FENs, or its
/// only one is. `is_whole` says that nothing follows.
///
/// A FEN on the first line and moves on the second would be one game.
pub(super) fn is_position_list(head: &[u8], is_whole: bool) -> bool {
    let head = head.strip_prefix(BOM).unwrap_or(head);
    let end = if is_whole { Some(head.len()) } else { memchr::memrchr(b'\n', head) };
    let Some(end) = end else { return false };
    let lines = head[..end].split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let mut lines = lines.filter(|line| !line.is_empty());
    let Some(first) = lines.next() else { return false };
    let second = lines.next();
    is_position(first) && second.map_or(is_whole, is_position)
}

/// Returns `true` if a line is a FEN without anything else.
pub(super) fn is_position(line: &[u8]) -> bool {
    line.len() <= MAX_LINE
        // In a list of the Hub protocol a letter for the first square follows.
        && matches!(line, [b'W' | b'B' | b'w' | b'b', b':' | b'e' | b'w' | b'b' | b'W' | b'B', ..])
        && Fen::parse(line).is_ok_and(|fen| fen.pieces().next().is_some())
}

/// The stage that makes a record of each line that is a position: `[FEN "W:W31:B1"] *`. Other lines stay as they are. No line is
/// added, so that lines keep their numbers.
// Twin: the lines joined in memory; test: `other_lines_stay_as_they_are`.
pub(super) struct PositionList {
    pull: Box<dyn Pull>,
    /// Bytes read that are part of a line whose end has not been read.
    line: Vec<u8>,
    /// The line is too long for a position, and its first bytes have been passed on.
    is_long: bool,
    /// Text that has not been returned, from `taken` on.
    text: Vec<u8>,
    taken: usize,
    /// Bytes read from the stage before.
    pulled: u64,
    input: Box<[u8]>,
    has_ended: bool,
    /// An error of the stage before, returned after the last bytes.
    failed: Option<Error>,
    offsets: TextOffsets,
}

impl PositionList {
    pub(super) fn new(pull: Box<dyn Pull>) -> Self {
        Self {
            pull,
            line: Vec::new(),
            is_long: false,
            text: Vec::new(),
            taken: 0,
            pulled: 0,
            input: vec![0; 64 << 10].into(),
            has_ended: false,
            failed: None,
            offsets: TextOffsets::default(),
        }
    }

    /// Returns the map from offsets in the output to offsets in the input.
    pub(super) fn offsets(&self) -> TextOffsets {
        self.offsets.clone()
    }

    /// Reads some bytes and turns them into text.
    fn read(&mut self) {
        self.text.clear();
        self.taken = 0;
        let filled = match self.pull.pull(&mut self.input) {
            Ok(filled) => filled,
            Err(error) => {
                self.failed = Some(error);
                0
            }
        };
        self.pulled += filled as u64;
        self.has_ended = filled == 0;
        let input = std::mem::take(&mut self.input);
        for part in input[..filled].split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.end_line();
            } else if self.is_long || self.line.len() > MAX_LINE {
                self.is_long = true;
                self.copy_line();
            }
        }
        self.input = input;
        if self.has_ended {
            self.end_line();
            self.offsets.end(self.pulled);
        }
    }

    /// Turns a line of which all bytes have been read into text.
    fn end_line(&mut self) {
        let start = if self.line.starts_with(BOM) { BOM.len() } else { 0 };
        let content = self.line[start..].trim_ascii();
        if std::mem::take(&mut self.is_long) || !is_position(content) {
            self.copy_line();
            return;
        }
        let len = content.len();
        let start = start + self.line[start..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let [before, after] = AROUND;
        let line = std::mem::take(&mut self.line);
        self.copy(&line[..start]);
        self.insert(before);
        self.copy(&line[start..start + len]);
        self.insert(after);
        self.copy(&line[start + len..]);
        self.line = line;
        self.line.clear();
    }

    /// Passes the bytes of the line on as they are.
    fn copy_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        self.copy(&line);
        self.line = line;
        self.line.clear();
    }

    fn copy(&mut self, bytes: &[u8]) {
        self.text.extend_from_slice(bytes);
        self.offsets.push(bytes.len() as u64, (1, 1));
    }

    fn insert(&mut self, bytes: &[u8]) {
        self.text.extend_from_slice(bytes);
        self.offsets.push(bytes.len() as u64, (1, 0));
    }
}

impl Pull for PositionList {
    fn pull(&mut self, out: &mut [u8]) -> Result<usize> {
        while self.taken == self.text.len() && !self.has_ended {
            self.read();
        }
        hand_out(out, &self.text, &mut self.taken, &mut self.failed)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;

    use super::super::{OpenOptions, from_reader};
    use super::*;

    /// Reads a text in reads of `step` bytes, and returns it with the original offset of each of its bytes.
    fn read(text: &[u8], step: usize) -> (Vec<u8>, Vec<u64>) {
        struct ShortReads(Cursor<Vec<u8>>, usize);
        impl std::io::Read for ShortReads {
            fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
                let len = out.len().min(self.1);
                self.0.read(&mut out[..len])
            }
        }
        let reader = ShortReads(Cursor::new(text.to_vec()), step);
        let input = from_reader(reader, "x.fen", &OpenOptions::new()).unwrap().next().unwrap().unwrap();
        let offsets = input.source.offsets();
        let (bytes, error) = input.source.into_bytes();
        assert!(error.is_none());
        let original =
            |at: usize| offsets.as_ref().map_or(at as u64, |offsets| offsets.original_offset(at as u64));
        let places = (0..=bytes.len()).map(original).collect();
        (bytes.to_vec(), places)
    }

    #[test]
    fn positions_on_lines_become_records() {
        let text = b"\xEF\xBB\xBFW:W31:B1\r\n\r\n  B:Wc3:Bb6. \nBallot 3\nW:WK5:B46";
        let (found, places) = read(text, 5);
        let expected =
            "\u{feff}[FEN \"W:W31:B1\"] *\r\n\r\n  [FEN \"B:Wc3:Bb6.\"] * \nBallot 3\n[FEN \"W:WK5:B46\"] *";
        assert_eq!(found, expected.as_bytes(), "{}", found.escape_ascii());
        for part in [&b"W:W31:B1"[..], b"B:Wc3", b"Ballot", b"W:WK5", b"46"] {
            let find = |text: &[u8]| memchr::memmem::find(text, part).unwrap();
            assert_eq!(places[find(&found)], find(text) as u64, "{}", part.escape_ascii());
        }
        assert_eq!(places.last(), Some(&(text.len() as u64)));
    }

    #[test]
    fn list_is_recognised_by_two_positions() {
        let is_list = |head: &[u8]| is_position_list(head, true);
        assert!(is_list(b"W:W31:B1\n") && is_list(b"\n W:W31:B1\r\n\r\nB:W31:B1") && is_list(b"W:Wc3:Bb6."));
        assert!(is_list(format!("W{0}{1}\nB{0}{1}\n", "b".repeat(20), "w".repeat(30)).as_bytes()));
        assert!(is_position_list(b"W:W31:B1\nB:W31:B1\nB:W3", false));
        // A game that begins with its position, and texts that are cut.
        assert!(!is_list(b"W:W31:B1\n1. 31-27 *") && !is_position_list(b"W:W31:B1\nB:W3", false));
        assert!(!is_list(b"[FEN \"W:W31:B1\"]\n*") && !is_list(b"") && !is_list(b"W:\nW:\n"));
        assert!(!is_list(b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
    }

    proptest! {
        /// Other lines, of any length, stay as they are, in reads of any length.
        #[test]
        fn other_lines_stay_as_they_are(lines in prop::collection::vec("[ -~]{0,20}|x{1000,3000}", 0..5), step in 1usize..3000) {
            let text = format!("W:W31:B1\nB:W31:B1\n{}\n", lines.join("\n"));
            let (found, places) = read(text.as_bytes(), step);
            let expected = format!("[FEN \"W:W31:B1\"] *\n[FEN \"B:W31:B1\"] *\n{}\n", lines.join("\n"));
            prop_assert_eq!(String::from_utf8(found).unwrap(), expected);
            prop_assert_eq!(*places.last().unwrap(), text.len() as u64);
        }
    }
}
