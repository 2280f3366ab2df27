//! Movetext to tokens.
//!
//! A [logos](https://docs.rs/logos) automaton over bytes, so that no input is refused for its encoding. Tokens carry
//! a kind and a span and borrow the rest; unknown bytes are a token too. Bodies of unbounded length (comments,
//! setups, chains of captures) are loops in [`shape`](crate::shape) or here, never automaton states. Blanks, byte order marks and
//! no-break spaces are passed over; whether two tokens touch shows in their spans.
//!
//! The lexer does not know what a move means. Tags are found by [`syntax::tag`](crate::syntax::tag) alone; here they are just a
//! bracket.

//!
//! The grammar stands in the automaton alone, and [`Automaton`] is it. [`Lexer`] gives the same tokens and asks it only
//! where something else than a plain move, number or result stands; see `run.rs`.

mod automaton;
mod run;
mod token;

pub use automaton::Automaton;
pub(crate) use run::Run;
pub use token::{Token, TokenKind};

use crate::limits::Limits;
use crate::simd::{self, Isa, Task};
use crate::span::Span;
use crate::syntax::{CommentClosing, CommentFinder};

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
        Self::with_comments(game, at, limits, CommentFinder::new())
    }

    /// As [`Lexer::new`], with a finder of comments that has already been asked about `game`.
    #[inline]
    pub fn with_comments(game: &'g [u8], at: usize, limits: &Limits, comments: CommentFinder) -> Self {
        let automaton = Automaton::with_comments(game, at, limits, comments);
        Self { automaton, run: Run::none(), game, at }
    }

    /// The next token, or `None` at the end of the game.
    #[inline]
    pub fn next_token(&mut self) -> Option<Token> {
        if self.run.is_empty() {
            self.run = simd::run(NextRun { lexer: self });
        }
        self.run.next().or_else(|| self.next_result()).or_else(|| self.next_from_automaton())
    }

    /// The plain tokens that come next, none if another one does. Those are told then; it is the caller who hands
    /// them out.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn next_run<I: Isa>(&mut self, isa: I) -> Run {
        match self.game.get(self.at..) {
            Some(
                [b'0'..=b'9', ..] | [b' ' | b'\n' | b'\r' | b'\t', b'0'..=b'9' | b' ' | b'\n' | b'\t', ..],
            ) => {
                let (run, end) = Run::find(isa, self.game, self.at);
                self.at = end;
                run
            }
            _ => Run::none(),
        }
    }

    /// The next token if it is a result as nearly all are, a word of its own: `1-0`, `0-2`, `1/2-1/2`. Without a branch
    /// on who won.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn next_result(&mut self) -> Option<Token> {
        let blank = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
        let at = self.at + usize::from(self.game.get(self.at).is_some_and(blank));
        let alone = at.checked_sub(1).and_then(|before| self.game.get(before)).is_some_and(blank);
        let rest = self.game.get(at..)?;
        let score = |digit: &u8| digit.wrapping_sub(b'0');
        let whole = matches!(rest, [a, b'-', b, end, ..]
            if score(a) < 3 && score(b) < 3 && score(a) + score(b) < 3 && blank(end));
        let halves = matches!(rest, [b'1', b'/', b'2', b'-', b'1', b'/', b'2', end, ..] if blank(end));
        if !(alone & (whole | halves)) {
            return None;
        }
        self.at = at + if halves { 7 } else { 3 };
        Some(Token { kind: TokenKind::Result, span: Span::new(at as u32, self.at as u32) })
    }

    /// Whether nothing follows but line ends and other usual blanks.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_over(&self) -> bool {
        let blank = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
        self.run.is_empty() && self.game.get(self.at..).is_none_or(|rest| rest.iter().all(blank))
    }

    /// The next token, whatever it is; to be asked once a run is over.
    #[inline]
    pub(crate) fn next_from_automaton(&mut self) -> Option<Token> {
        self.automaton.skip_to(self.at as u32);
        let token = self.automaton.next_token()?;
        self.at = token.span.end as usize;
        Some(token)
    }

    /// How the comment ended that was the last token.
    #[inline]
    pub fn comment_shape(&self) -> CommentClosing {
        self.automaton.comment_shape()
    }

    /// Goes on at `at`, which must not lie before the end of the last token.
    #[inline]
    pub fn skip_to(&mut self, at: u32) {
        self.run = Run::none();
        self.at = self.at.max(at as usize);
    }
}

/// [`Lexer::next_run`] for the instruction set of this processor.
struct NextRun<'l, 'g> {
    lexer: &'l mut Lexer<'g>,
}

impl Task for NextRun<'_, '_> {
    type Output = Run;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) -> Run {
        self.lexer.next_run(isa)
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
