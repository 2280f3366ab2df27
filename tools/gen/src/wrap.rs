//! Wraps the words of movetext into lines.

use crate::style::{Lines, Style};

/// Exclusive limit of the line length in characters.
const WIDTH: usize = 80;

/// Appends words, separated by spaces and line ends.
#[derive(Debug)]
pub(crate) struct Line<'a> {
    pub(crate) out: &'a mut Vec<u8>,
    newline: &'static str,
    width: usize,
    /// Number of characters on the current line.
    column: usize,
    /// `true` if the next word follows without a space.
    glued: bool,
    /// The number of the next move, which stays on one line with it.
    prefix: [u8; 16],
    prefix_len: usize,
}

impl<'a> Line<'a> {
    /// Creates a writer at the start of a line.
    pub(crate) fn new(out: &'a mut Vec<u8>, style: &Style) -> Self {
        let width = if style.lines == Lines::Wrapped { WIDTH } else { usize::MAX };
        Self { out, newline: style.newline, width, column: 0, glued: true, prefix: [0; 16], prefix_len: 0 }
    }

    /// Appends a word.
    #[inline]
    pub(crate) fn word(&mut self, word: &[u8]) {
        let len = self.prefix_len + word.len();
        if self.glued {
            self.glued = false;
        } else if self.column + 1 + len >= self.width {
            self.out.extend_from_slice(self.newline.as_bytes());
            self.column = 0;
        } else {
            self.out.push(b' ');
            self.column += 1;
        }
        self.out.extend_from_slice(&self.prefix[..self.prefix_len]);
        self.prefix_len = 0;
        self.out.extend_from_slice(word);
        self.column += len;
    }

    /// Appends the words of a text, with possible line ends between them.
    pub(crate) fn words(&mut self, text: &[u8]) {
        text.split(|&byte| byte == b' ').for_each(|word| self.word(word));
    }

    /// Puts a move number with its dots before the next word; without a space in a tight style.
    #[inline]
    pub(crate) fn number(&mut self, number: usize, dots: &str, tight: bool) {
        let mut digits = itoa::Buffer::new();
        let mut len = 0;
        // A game has at most 300 plies, so that 7 bytes suffice.
        for part in [digits.format(number), dots, if tight { "" } else { " " }] {
            self.prefix[len..len + part.len()].copy_from_slice(part.as_bytes());
            len += part.len();
        }
        self.prefix_len = len;
    }

    /// Makes the next word follow without a space.
    pub(crate) fn glue(&mut self) {
        self.glued = true;
    }

    /// Ends the current line unless it is empty.
    pub(crate) fn end(&mut self) {
        if self.column > 0 {
            self.out.extend_from_slice(self.newline.as_bytes());
        }
        self.column = 0;
        self.glued = true;
    }
}
