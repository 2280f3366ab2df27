//! Reads signs between moves: commas, bars and slashes separate; a `;` separates moves or opens a comment that holds some.

use super::super::visitor::{Flow, Visitor};
use super::Walk;
use crate::diag::Code;
use crate::lex::{Lexer, Token};
use crate::span::Span;
use crate::syntax::{PlayWord, PlayWords, is_play, line_end, run_end, skip_whitespace};

/// What is known of the semicolons of a record.
#[derive(Default)]
pub(super) struct Semicolons {
    /// The end of the last line whose semicolons separate moves.
    line_end: u32,
    /// The move numbers have proved that a semicolon separates moves.
    separate: bool,
}

/// What a semicolon does.
#[derive(PartialEq)]
enum Semicolon {
    Separates,
    OpensComment,
    /// Nothing in the text decides.
    Unknown,
}

/// What follows the line of a semicolon.
enum Following {
    /// A move number, whether it belongs to the second side, and the moves before it.
    Number(u32, bool, u32),
    /// A terminator.
    Terminator,
    /// The next tags, or nothing.
    Nothing,
    Other,
}

/// The greatest distance in bytes of what is read after the line of a semicolon.
const MAX_FOLLOWING_BYTES: usize = 4096;

impl<'g, V: Visitor<'g>> Walk<'g, '_, V> {
    /// Reports a sign that may separate moves.
    #[cold]
    pub(super) fn separator(&mut self, token: Token, lexer: &mut Lexer<'g>) -> Flow {
        let span = token.span;
        let byte = self.game[span.start as usize];
        if byte == b';' {
            return self.semicolon(span, lexer);
        }
        // A run of equal signs separates nothing.
        if self.ended
            || self.pending_text.is_some()
            || run_end(self.game, span.start as usize) > span.end as usize
        {
            return self.gather_text(token, lexer);
        }
        self.style_of_part(Code::MoveSeparator, span)
    }

    /// Reports a semicolon before moves: as a separator if the moves go on with the game, else as a comment.
    ///
    /// Between pairs of moves, as newspapers print them, it separates. Move numbers prove that: those after the semicolon continue the
    /// count, and those after its line count the moves between them. So does a terminator after the semicolon if none follows the line.
    fn semicolon(&mut self, span: Span, lexer: &mut Lexer<'g>) -> Flow {
        let end = line_end(self.game, span.start as usize) as u32;
        let text = Span::new(span.end, end).of(self.game);
        let is_end_of_line = text.iter().all(|&byte| byte <= b' ');
        let decision = if self.depth > 0 || self.ended {
            Semicolon::OpensComment
        } else if is_end_of_line || span.start < self.semicolons.line_end {
            Semicolon::Separates
        } else {
            self.decide_semicolon(text, end)
        };
        if decision == Semicolon::Separates {
            self.semicolons.line_end = end;
            return self.style_of_part(Code::MoveSeparator, span);
        }
        lexer.skip_to(end);
        let span = Span::new(span.start, end);
        self.line_comment(span)?;
        if decision == Semicolon::Unknown {
            self.report_part(Code::MovesInComment, span)
        } else {
            Flow::Continue(())
        }
    }

    /// Decides about a semicolon, given the text after it up to the end of its line at offset `end`.
    fn decide_semicolon(&mut self, text: &[u8], end: u32) -> Semicolon {
        let (mut moves, mut number, mut has_result) = (0, None, false);
        for piece in text.split(|&byte| byte == b';').take_while(|piece| is_play(piece)) {
            for word in PlayWords::new(piece) {
                match word {
                    PlayWord::Move => moves += 1,
                    PlayWord::Number(value, second) => _ = number.get_or_insert((value, second, moves)),
                    PlayWord::Result => has_result = true,
                }
            }
        }
        let is_expected = |number: u32, second: bool, more: u32| {
            let plies = self.numbers.plies + more;
            number == self.numbers.first(self.game).unwrap_or(1).saturating_add(plies / 2)
                && second == (plies % 2 == 1)
        };
        if number.is_some_and(|(number, second, before)| !is_expected(number, second, before)) {
            return Semicolon::OpensComment;
        }
        match self.following(end as usize) {
            Following::Number(number, second, before) => {
                let [with, without] = [moves, 0].map(|moves| is_expected(number, second, moves + before));
                match (with, without) {
                    (true, false) => {
                        self.semicolons.separate = true;
                        Semicolon::Separates
                    }
                    (false, true) => Semicolon::OpensComment,
                    _ => Semicolon::Unknown,
                }
            }
            Following::Nothing if has_result => Semicolon::Separates,
            // A second terminator would contradict the first or repeat it.
            Following::Terminator if has_result || moves == 0 => Semicolon::OpensComment,
            _ if self.semicolons.separate => Semicolon::Separates,
            _ if moves == 0 => Semicolon::OpensComment,
            _ => Semicolon::Unknown,
        }
    }

    /// Returns what follows the line that ends at offset `at`, after comments in braces.
    fn following(&self, mut at: usize) -> Following {
        let window = &self.game[..self.game.len().min(at + MAX_FOLLOWING_BYTES)];
        at = skip_whitespace(window, at).end;
        while window.get(at) == Some(&b'{') {
            let Some(n) = memchr::memchr(b'}', &window[at..]) else { return Following::Other };
            at = skip_whitespace(window, at + n + 1).end;
        }
        if matches!(window.get(at), None | Some(b'[')) {
            let is_end = at == self.game.len() || at < window.len();
            return if is_end { Following::Nothing } else { Following::Other };
        }
        let mut moves = 0;
        for word in PlayWords::new(&window[at..]) {
            match word {
                PlayWord::Move if moves < 2 => moves += 1,
                PlayWord::Move => break,
                PlayWord::Number(number, second) => return Following::Number(number, second, moves),
                PlayWord::Result if moves == 0 => return Following::Terminator,
                PlayWord::Result => break,
            }
        }
        Following::Other
    }
}
