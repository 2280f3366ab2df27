//! Recognises moves, numbers and results in text that may be a comment: `; 2. 39-33 17-22`; and the headings above moves.

use super::result::result_len;
use super::whitespace::{is_line_end, line_end, skip_whitespace};

/// A word of movetext.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PlayWord {
    /// A move number, and whether it belongs to the second side.
    Number(u32, bool),
    Move,
    /// A result or a star.
    Result,
}

/// The greatest length of a text that is read as play, in bytes.
const MAX_PLAY_BYTES: usize = 1024;

/// Returns `true` if a text has moves, numbers and results only, or nothing at all. A text of more than 1,024 bytes has not.
pub(crate) fn is_play(text: &[u8]) -> bool {
    text.len() <= MAX_PLAY_BYTES && {
        let mut words = PlayWords::new(text);
        words.by_ref().for_each(drop);
        words.is_over()
    }
}

/// The words of a text, up to one that is none of movetext.
#[derive(Clone, Debug)]
pub(crate) struct PlayWords<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> PlayWords<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// Returns `true` if all words were read.
    pub(crate) fn is_over(&self) -> bool {
        self.text[self.at..].iter().all(|&byte| byte <= b' ')
    }
}

impl Iterator for PlayWords<'_> {
    type Item = PlayWord;

    fn next(&mut self) -> Option<PlayWord> {
        self.at += self.text[self.at..].iter().take_while(|&&byte| byte <= b' ').count();
        let rest = &self.text[self.at..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (word, len) = if let Some(len) = result_len(self.text, self.at) {
            (PlayWord::Result, len)
        } else if rest.first() == Some(&b'*') {
            (PlayWord::Result, 1)
        } else if (1..=3).contains(&digits)
            && let [b'.', ..] | [b')' | b':', b' ', ..] = rest[digits..]
        {
            let dots = rest[digits..].iter().take_while(|&&byte| byte == b'.').count();
            let number = rest[..digits].iter().fold(0, |number, digit| 10 * number + u32::from(digit - b'0'));
            (PlayWord::Number(number, dots >= 3), digits + dots.max(1))
        } else {
            (PlayWord::Move, move_len(rest)?)
        };
        self.at += len;
        Some(word)
    }
}

/// Returns the length of the move that `rest` starts with, with its strength, if whitespace follows it.
pub(crate) fn move_len(rest: &[u8]) -> Option<usize> {
    let square = |at: usize| {
        let is_letter = rest.get(at).is_some_and(|byte| matches!(byte.to_ascii_lowercase(), b'a'..=b'l'));
        let from = at + usize::from(is_letter);
        let digits = rest.get(from..)?.iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
        (digits > 0).then_some((from + digits, is_letter))
    };
    let (mut at, is_letter) = square(0)?;
    let mut squares = 1;
    loop {
        let separator = usize::from(matches!(rest.get(at), Some(b'-' | b'x' | b'X' | b':')));
        match square(at + separator) {
            Some((end, letter)) if letter == is_letter && (separator > 0 || letter) => at = end,
            _ => break,
        }
        squares += 1;
    }
    at += rest[at..].iter().take_while(|&&byte| matches!(byte, b'!' | b'?' | b'*')).count();
    (squares > 1 && rest.get(at).is_none_or(|&byte| byte <= b' ')).then_some(at)
}

/// The greatest number of lines of a heading.
const MAX_HEADING_LINES: usize = 8;
/// The greatest distance in bytes from the start of a heading to the moves below it.
const MAX_HEADING_BYTES: usize = 4096;

/// Returns the offset just after the heading that starts at offset `at`, which must be the start of a line.
///
/// A heading has up to eight lines that begin with a capital letter or a letter beyond ASCII, and have no move, no brace, bracket,
/// quote or semicolon. The first move or its number begins the line after them; there may be empty lines between. All of it has at most
/// 4,096 bytes.
pub(crate) fn heading_end(bytes: &[u8], at: usize) -> Option<usize> {
    let window = &bytes[..bytes.len().min(at + MAX_HEADING_BYTES)];
    let mut next = at;
    let mut end = None;
    for _ in 0..MAX_HEADING_LINES {
        let line = &window[next..line_end(window, next)];
        if !is_heading_line(line) {
            break;
        }
        let line_end = next + line.len();
        end = Some(next + line.trim_ascii_end().len());
        next = skip_whitespace(window, line_end).end;
    }
    let first = PlayWords::new(&window[next..]).next();
    let begins_play = matches!(first, Some(PlayWord::Number(1, _) | PlayWord::Move));
    end.filter(|_| begins_play && next < window.len())
}

fn is_heading_line(line: &[u8]) -> bool {
    // The squares of some games are written in capitals, and a position begins with a side.
    let begins = match line {
        [b'A'..=b'L', b'0'..=b'9', ..] | [_, b':', ..] => false,
        [b'A'..=b'Z' | 0x80.., ..] => true,
        _ => false,
    };
    let is_move = |word: &[u8]| result_len(word, 0).is_none() && move_len(word).is_some();
    begins
        && !line.iter().any(|byte| b"{}[]\";".contains(byte) || is_line_end(*byte))
        && !line.split(|&byte| byte <= b' ').any(is_move)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn play_is_told_from_words() {
        for text in [
            "",
            "  ",
            " 2. 39-33 17-22",
            "2.39-33! 17x22x11* 1-1",
            "c3-d4 e5f4",
            " 12... 18-23",
            "*",
            "2) 39-33 17-22",
            "2: c3-d4",
        ] {
            assert!(is_play(text.as_bytes()), "{text}");
        }
        for text in [
            "good",
            "2)39-33",
            "2:",
            "2: good",
            " 2. 39-33 is good",
            "32-28)",
            "1-1 agreed",
            "1",
            "32",
            "2. 39-33, 17-22",
            "c3-24",
        ] {
            assert!(!is_play(text.as_bytes()), "{text}");
        }
        assert!(!is_play("1-2 ".repeat(300).as_bytes()));
    }

    #[test]
    fn words_of_play_are_read() {
        use PlayWord::*;
        let words: Vec<_> = PlayWords::new(b" 2. 39-33 2... c3:e5:g7 13) 1-1").collect();
        assert_eq!(words, [Number(2, false), Move, Number(2, true), Move, Number(13, false), Result]);
    }

    #[test]
    fn lines_of_words_above_moves_are_headings() {
        for heading in ["Piet - Jan 1-1 (12-07-2025)", "Club\r\n\r\nPiet - Jan 12-07-2025", "Матч"] {
            for play in ["\n1. 33-28", "\r\n\r\n33-28 18-22", "\nc3-d4", "\n1... 18-23"] {
                let end = heading_end([heading, play, " 18-22"].concat().as_bytes(), 0);
                assert_eq!(end, Some(heading.len()), "{heading}{play}");
            }
        }
        for text in [
            "Piet - Jan",
            "Piet - Jan\n[Event \"x\"]",
            "Piet - Jan 33-28 18-22\n2. 31-26",
            "piet\n1. 33-28",
            "A3-B4\n1. 33-28",
            "Piet; Jan\n1. 33-28",
            "W:W31-50:B1-20\n1. 33-28",
            "Piet\n17. 33-28",
            "Piet\n",
        ] {
            assert_eq!(heading_end(text.as_bytes(), 0), None, "{text}");
        }
        assert_eq!(heading_end(["Word\n".repeat(9).as_bytes(), b"1. 33-28"].concat().as_slice(), 0), None);
    }
}
