//! The automaton as an iterator over tokens.

use logos::Logos;

use super::token::{Bodies, Token, TokenKind};
use crate::limits::Limits;
use crate::simd::Isa;
use crate::span::Span;
use crate::syntax::{CommentClosing, CommentFinder, result_len, result_may_start, wide_whitespace};

/// The tokens of one record from a given offset on, found by the automaton alone. [`Lexer`](super::Lexer) finds the
/// same tokens faster; this one is its twin in tests.
#[derive(Debug)]
pub struct Automaton<'g> {
    inner: logos::Lexer<'g, TokenKind>,
}

impl<'g> Automaton<'g> {
    /// Creates an iterator over the tokens of `game` from offset `at` on.
    #[inline]
    pub fn new(game: &'g [u8], at: usize, limits: &Limits) -> Self {
        Self::with_comments(game, at, limits, CommentFinder::new())
    }

    /// Creates an iterator as [`Automaton::new`] does, with a comment finder that was already used on `game`.
    #[inline]
    pub fn with_comments(game: &'g [u8], at: usize, limits: &Limits, comments: CommentFinder) -> Self {
        let bodies = Bodies::new(comments, limits);
        let mut inner = TokenKind::lexer_with_extras(game, bodies);
        inner.bump(at);
        Self { inner }
    }

    /// Returns the next token, or `None` at the end of the record.
    #[inline]
    pub fn next_token(&mut self) -> Option<Token> {
        loop {
            let kind = self.inner.next()?.unwrap_or(TokenKind::Unknown);
            let span = self.inner.span();
            let mut start = span.start;
            if kind == TokenKind::Move
                && matches!(self.inner.source()[start], b'0'..=b'2')
                && let Some(len) = result_len(self.inner.source(), start)
                && result_may_start(self.inner.source(), 0, start)
            {
                return Some(self.result(start, start + len));
            }
            if kind == TokenKind::Word {
                // The automaton takes the bytes of a no-break space for letters.
                start = skip_wide_whitespace(self.inner.source(), start, span.end);
                if start == span.end {
                    continue;
                }
            }
            return Some(Token { kind, span: Span::new(start as u32, span.end as u32) });
        }
    }

    /// Returns the result in `start..end`, which the automaton took for a move or for the start of one, and continues after
    /// it.
    #[cold]
    fn result(&mut self, start: usize, end: usize) -> Token {
        if end < self.inner.span().end {
            self.return_to(end);
        } else {
            self.inner.bump(end - self.inner.span().end);
        }
        Token { kind: TokenKind::Result, span: Span::new(start as u32, end as u32) }
    }

    /// Continues at offset `at`, which may stand before the end of the last token.
    #[cold]
    pub(super) fn return_to(&mut self, at: usize) {
        let bodies = std::mem::take(&mut self.inner.extras);
        self.inner = TokenKind::lexer_with_extras(self.inner.source(), bodies);
        self.inner.bump(at);
    }

    /// Returns the length of the comment whose opening brace stands at offset `at`, if the next brace is its closing one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn simple_comment_len<I: Isa>(&mut self, isa: I, at: usize) -> Option<usize> {
        let len = CommentFinder::simple_len(isa, &self.inner.source()[at..], self.inner.extras.reach)?;
        self.inner.extras.closing = CommentClosing::Simple;
        Some(len)
    }

    /// Returns the way in which the last comment ended.
    #[inline]
    pub fn comment_closing(&self) -> CommentClosing {
        self.inner.extras.closing
    }

    /// Continues at offset `at`. An offset before the end of the last token has no effect.
    #[inline]
    pub fn skip_to(&mut self, at: u32) {
        let end = self.inner.span().end;
        self.inner.bump((at as usize).saturating_sub(end));
    }
}

/// Returns the offset of the first byte in `at..end` that belongs to neither a no-break space nor a byte order mark.
fn skip_wide_whitespace(bytes: &[u8], mut at: usize, end: usize) -> usize {
    loop {
        match wide_whitespace(&bytes[at..end]) {
            0 => return at,
            len => at += len,
        }
    }
}

impl Iterator for Automaton<'_> {
    type Item = Token;

    #[inline]
    fn next(&mut self) -> Option<Token> {
        self.next_token()
    }
}
