//! The automaton as an iterator.

use logos::Logos;

use super::token::{Token, TokenKind};
use crate::limits::Limits;
use crate::span::Span;
use crate::syntax::{CommentClosing, CommentFinder, odd_blank};

/// The tokens of one game, from a given place on, found by the automaton alone: what [`Lexer`](super::Lexer) finds too, and faster.
/// For comparisons.
#[derive(Debug)]
pub struct Automaton<'g> {
    inner: logos::Lexer<'g, TokenKind>,
}

/// What the automaton's callbacks need.
#[derive(Debug)]
pub struct Bodies {
    pub(super) comments: CommentFinder,
    pub(super) reach: usize,
    pub(super) shape: CommentClosing,
}

impl Default for Bodies {
    fn default() -> Self {
        Self::new(CommentFinder::new(), &Limits::DEFAULT)
    }
}

impl Bodies {
    const fn new(comments: CommentFinder, limits: &Limits) -> Self {
        Self { comments, reach: limits.comment_bytes, shape: CommentClosing::Plain }
    }
}

impl<'g> Automaton<'g> {
    /// The tokens of `game` from `at` on.
    #[inline]
    pub fn new(game: &'g [u8], at: usize, limits: &Limits) -> Self {
        Self::with_comments(game, at, limits, CommentFinder::new())
    }

    /// As [`Automaton::new`], with a finder of comments that has already been asked about `game`.
    #[inline]
    pub fn with_comments(game: &'g [u8], at: usize, limits: &Limits, comments: CommentFinder) -> Self {
        let bodies = Bodies::new(comments, limits);
        let mut inner = TokenKind::lexer_with_extras(game, bodies);
        inner.bump(at);
        Self { inner }
    }

    /// The next token, or `None` at the end of the game.
    #[inline]
    pub fn next_token(&mut self) -> Option<Token> {
        loop {
            let kind = self.inner.next()?.unwrap_or(TokenKind::Unknown);
            let span = self.inner.span();
            let mut start = span.start;
            if kind == TokenKind::Word {
                // To the automaton a no-break space is letters.
                start = skip_odd_blanks(self.inner.source(), start, span.end);
                if start == span.end {
                    continue;
                }
            }
            return Some(Token { kind, span: Span::new(start as u32, span.end as u32) });
        }
    }

    /// How the comment ended that was the last token.
    #[inline]
    pub fn comment_shape(&self) -> CommentClosing {
        self.inner.extras.shape
    }

    /// Goes on at `at`, which must not lie before the end of the last token.
    #[inline]
    pub fn skip_to(&mut self, at: u32) {
        let here = self.inner.span().end;
        self.inner.bump((at as usize).saturating_sub(here));
    }
}

fn skip_odd_blanks(bytes: &[u8], mut at: usize, end: usize) -> usize {
    loop {
        match odd_blank(&bytes[at..end]) {
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
