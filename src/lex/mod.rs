//! Movetext to tokens.
//!
//! A [logos](https://docs.rs/logos) automaton over bytes, so that no input is refused for its encoding. Tokens carry
//! a kind and a span and borrow the rest; unknown bytes are a token too. Bodies of unbounded length (comments,
//! setups, chains of captures) are loops in [`shape`](crate::shape) or here, never automaton states. Blanks, byte order marks and
//! no-break spaces are passed over; whether two tokens touch shows in their spans.
//!
//! The lexer does not know what a move means. Tags are found by [`shape::tag`](crate::shape::tag) alone; here they are just a
//! bracket.

//!
//! The grammar stands in the automaton alone, and [`Automaton`] is it. [`Lexer`] gives the same tokens and asks it only
//! where something else than a plain move or number stands; see `run.rs`.

mod automaton;
mod run;
mod token;

pub use automaton::Automaton;
pub use token::{Kind, Token};

use run::Run;

use crate::limits::Limits;
use crate::shape::{CommentShape, Comments};

/// The tokens of one game, from a given place on.
#[derive(Debug)]
pub struct Lexer<'g> {
    automaton: Automaton<'g>,
    run: Run,
    game: &'g [u8],
    /// Offset where `run` and the automaton go on.
    at: usize,
}

impl<'g> Lexer<'g> {
    /// The tokens of `game` from `at` on.
    #[inline]
    pub fn new(game: &'g [u8], at: usize, limits: &Limits) -> Self {
        Self::with_comments(game, at, limits, Comments::new())
    }

    /// As [`Lexer::new`], with a finder of comments that has already been asked about `game`.
    #[inline]
    pub fn with_comments(game: &'g [u8], at: usize, limits: &Limits, comments: Comments) -> Self {
        let automaton = Automaton::with_comments(game, at, limits, comments);
        Self { automaton, run: Run::new(), game, at }
    }

    /// The next token, or `None` at the end of the game.
    #[inline(always)]
    pub fn next_token(&mut self) -> Option<Token> {
        match self.run.take() {
            Some(token) => Some(token),
            None => self.next_run(),
        }
    }

    /// How the comment ended that was the last token.
    #[inline]
    pub fn comment_shape(&self) -> CommentShape {
        self.automaton.comment_shape()
    }

    /// Goes on at `at`, which must not lie before the end of the last token.
    #[inline]
    pub fn skip_to(&mut self, at: u32) {
        self.run.clear();
        self.at = self.at.max(at as usize);
    }

    #[inline(never)]
    fn next_run(&mut self) -> Option<Token> {
        let rest = self.game.get(self.at..)?;
        if let [b'0'..=b'9', ..] | [b' ' | b'\n', b'0'..=b'9', ..] = rest {
            self.at = self.run.fill(self.game, self.at);
            if let Some(token) = self.run.take() {
                return Some(token);
            }
        }
        self.automaton.skip_to(self.at as u32);
        let token = self.automaton.next_token()?;
        self.at = token.span.end as usize;
        Some(token)
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
