//! Recognises moves, numbers and results in text that may be a comment: `; 2. 39-33 17-22`.

use super::result::result_len;

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
}
