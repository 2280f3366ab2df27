//! Turns movetext into tokens.
//!
//! No part of the stable interface: this module is public only for tests and benchmarks and may change at any time.
//!
//! A [logos](https://docs.rs/logos) automaton works on bytes, so input in any encoding is accepted. A token has a
//! kind and a span; unknown bytes are a token too. Bodies of unbounded length (comments, setups, chains of captures)
//! are loops in [`syntax`](crate::syntax) or here, never states of the automaton. Whitespace, byte order marks and
//! no-break spaces are skipped; the spans show whether two tokens touch.
//!
//! The lexer does not interpret moves. It does not find tags either: a tag starts with a bracket token, and
//! [`scan_tag`](crate::syntax::scan_tag) finds the rest.
//!
//! The grammar exists once, in [`Automaton`]. [`Lexer`] returns the same tokens and asks the automaton only where
//! something other than a regular move, number or result stands; see `token_run.rs`.

mod token;
mod automaton;
mod token_run;

pub use automaton::Automaton;
pub use token::{Token, TokenKind};
pub(crate) use token_run::TokenRun;

use crate::limits::Limits;
use crate::simd::{self, Isa, Task};
use crate::span::Span;
use crate::steps;
use crate::syntax::{CommentClosing, CommentFinder, is_certainly_variation};

/// The tokens of one record from a given offset on.
#[derive(Debug)]
pub struct Lexer<'g> {
    automaton: Automaton<'g>,
    run: TokenRun,
    game: &'g [u8],
    /// The offset at which the next run is searched for and the automaton continues.
    at: usize,
}

impl<'g> Lexer<'g> {
    /// Creates an iterator over the tokens of `game` from offset `at` on.
    #[inline]
    pub fn new(game: &'g [u8], at: usize, limits: &Limits) -> Self {
        Self::with_comments(game, at, limits, CommentFinder::new())
    }

    /// Creates an iterator as [`Lexer::new`] does, with a comment finder that was already used on `game`.
    #[inline]
    pub fn with_comments(game: &'g [u8], at: usize, limits: &Limits, comments: CommentFinder) -> Self {
        let automaton = Automaton::with_comments(game, at, limits, comments);
        Self { automaton, run: TokenRun::empty(), game, at }
    }

    /// Returns the next token, or `None` at the end of the record.
    // Twin: Automaton::next_token; tests: lexer_equals_automaton_on_movetext,
    // lexer_equals_automaton_on_move_like_bytes.
    #[inline]
    pub fn next_token(&mut self) -> Option<Token> {
        steps::add(1);
        if self.run.is_empty() {
            self.run = simd::run(NextRun { lexer: self });
        }
        self.run
            .next()
            .or_else(|| self.next_result())
            .or_else(|| simd::run(NextMark { lexer: self }))
            .or_else(|| self.next_from_automaton())
    }

    /// Returns the regular tokens that come next and continues after them; an empty run if another token comes next.
    /// The caller takes the tokens from the run.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn next_run<I: Isa>(&mut self, isa: I) -> TokenRun {
        steps::add(8);
        match self.game.get(self.at..) {
            Some(
                [b'0'..=b'9', ..] | [b' ' | b'\n' | b'\r' | b'\t', b'0'..=b'9' | b' ' | b'\n' | b'\t', ..],
            ) => {
                let (run, end) = TokenRun::find(isa, self.game, self.at);
                self.at = end;
                run
            }
            _ => TokenRun::empty(),
        }
    }

    /// Returns the next token if it is a regular result: `1-0`, `0-2` and the like or `1/2-1/2`, between two whitespace
    /// bytes. There is no branch on who won, because that is unpredictable.
    // Twin: Automaton::next_token; test: lexer_equals_automaton_on_movetext.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn next_result(&mut self) -> Option<Token> {
        let is_whitespace = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
        let at = self.at + usize::from(self.game.get(self.at).is_some_and(is_whitespace));
        let starts_word =
            at.checked_sub(1).and_then(|before| self.game.get(before)).is_some_and(is_whitespace);
        let rest = self.game.get(at..)?;
        let score = |digit: &u8| digit.wrapping_sub(b'0');
        let whole = matches!(rest, [a, b'-', b, end, ..]
            if score(a) < 3 && score(b) < 3 && score(a) + score(b) < 3 && is_whitespace(end));
        let halves =
            matches!(rest, [b'1', b'/', b'2', b'-', b'1', b'/', b'2', end, ..] if is_whitespace(end));
        if !(starts_word & (whole | halves)) {
            return None;
        }
        self.at = at + if halves { 7 } else { 3 };
        Some(Token { kind: TokenKind::Result, span: Span::new(at as u32, self.at as u32) })
    }

    /// Returns the next token if it is one of those that annotated games are full of: a comment without braces inside, a
    /// parenthesis before or after regular moves, a numeric annotation glyph, or the strength of a move.
    // Twin: Automaton::next_token; tests: lexer_equals_automaton_on_movetext, lexer_equals_automaton_on_annotations.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn next_mark<I: Isa>(&mut self, isa: I) -> Option<Token> {
        let at = self.at + usize::from(matches!(self.game.get(self.at), Some(b' ' | b'\n' | b'\r' | b'\t')));
        let (kind, len) = match self.game.get(at)? {
            b'{' => (TokenKind::Comment, self.automaton.simple_comment_len(isa, at)?),
            b'(' if is_certainly_variation(isa, self.game, at) => (TokenKind::OpenVariation, 1),
            b')' => (TokenKind::CloseVariation, 1),
            b'$' => {
                let digits = self.game[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                (TokenKind::Nag, 1 + (digits > 0).then_some(digits)?)
            }
            b'!' | b'?' => {
                let marks = self.game[at..].iter().take_while(|byte| matches!(byte, b'!' | b'?')).count();
                (TokenKind::Strength, marks)
            }
            _ => return None,
        };
        self.at = at + len;
        Some(Token { kind, span: Span::new(at as u32, self.at as u32) })
    }

    /// Returns `true` if only spaces, tabs and line ends follow.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_over(&self) -> bool {
        let is_whitespace = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
        self.run.is_empty() && self.game.get(self.at..).is_none_or(|rest| rest.iter().all(is_whitespace))
    }

    /// Returns the next token of any kind. The current run must be empty.
    #[inline]
    pub(crate) fn next_from_automaton(&mut self) -> Option<Token> {
        self.automaton.skip_to(self.at as u32);
        let token = self.automaton.next_token()?;
        self.at = token.span.end as usize;
        Some(token)
    }

    /// Returns the way in which the last comment ended.
    #[inline]
    pub fn comment_closing(&self) -> CommentClosing {
        self.automaton.comment_closing()
    }

    /// Continues at offset `at`, which may stand before the end of the last token.
    #[cold]
    pub(crate) fn return_to(&mut self, at: u32) {
        self.run = TokenRun::empty();
        self.at = at as usize;
        self.automaton.return_to(self.at);
    }

    /// Continues at offset `at`. An offset before the end of the last token has no effect.
    #[inline]
    pub fn skip_to(&mut self, at: u32) {
        self.run = TokenRun::empty();
        self.at = self.at.max(at as usize);
    }
}

/// Runs [`Lexer::next_run`] with the instruction set of this processor.
struct NextRun<'l, 'g> {
    lexer: &'l mut Lexer<'g>,
}

impl Task for NextRun<'_, '_> {
    type Output = TokenRun;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) -> TokenRun {
        self.lexer.next_run(isa)
    }
}

/// Runs [`Lexer::next_mark`] with the instruction set of this processor.
struct NextMark<'l, 'g> {
    lexer: &'l mut Lexer<'g>,
}

impl Task for NextMark<'_, '_> {
    type Output = Option<Token>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) -> Option<Token> {
        self.lexer.next_mark(isa)
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    #[inline]
    fn next(&mut self) -> Option<Token> {
        self.next_token()
    }
}

#[cfg(test)]
mod tests;
