//! Runs of plain moves and numbers, a block of bytes at a time.
//!
//! Nearly all of an archive is `32-28`, `26x17x10` and `12.`, and what a lexer pays for there are branches that
//! nobody can foretell: one digit or two, a number or a move. So a block of sixty-four bytes is turned into masks, and the
//! masks say at once where tokens start and end, of which kind they are, and where the first byte stands that
//! anything else could begin with. The automaton goes on there.
//!
//! Only words are taken, what stands between blanks, that the automaton would read as
//!
//! - `N.` or `N...`, a number of one or two digits;
//! - `S-S`, `SxS`, `S:S` and longer chains, a square of one or two digits, that are no results;
//! - a number and a move that touch: `1.32-28`;
//!
//! and up to one byte that is no part of a word may follow the last one without a blank: `32-28)`, `32-28!`.

use super::token::{Token, TokenKind};
use crate::simd::{BLOCK, Block, Isa};
use crate::span::Span;

/// Plain tokens that have been found and not yet handed out: places in a block, a bit a byte.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    /// Offset of the block.
    at: u32,
    /// First bytes of tokens.
    starts: u64,
    /// The bytes after their last ones, as many as starts.
    ends: u64,
    /// Those ends that are ends of numbers.
    numbers: u64,
    /// Those starts that are starts of numbers.
    number_starts: u64,
    /// No square begins with a nought, no separator is a capital.
    plain: bool,
    /// Moves have two squares, numbers one dot.
    short: bool,
}

impl Run {
    /// No tokens.
    pub(super) const fn none() -> Self {
        Self { at: 0, starts: 0, ends: 0, numbers: 0, number_starts: 0, plain: true, short: true }
    }

    /// Offset from which the bits of its masks count.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn at(&self) -> u32 {
        self.at
    }

    /// First bytes of its numbers, a bit a byte.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn number_starts(&self) -> u64 {
        self.number_starts
    }

    /// First bytes of its moves, a bit a byte.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn moves(&self) -> u64 {
        self.starts & !self.number_starts
    }

    /// The bytes after the last ones of its moves, as many as [`moves`](Self::moves).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn move_ends(&self) -> u64 {
        self.ends & !self.numbers
    }

    /// First bytes of its tokens and the bytes after their last ones, as many of both.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn tokens(&self) -> (u64, u64) {
        (self.starts, self.ends)
    }

    /// Whether all its moves have two squares and all its numbers one dot.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_short(&self) -> bool {
        self.short
    }

    /// Whether no token is left.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_empty(&self) -> bool {
        self.ends == 0
    }

    /// Whether there is nothing in its moves that a rule of style could be about.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_plain(&self) -> bool {
        self.plain
    }

    /// The plain tokens at `at`, and the offset just past them and the blanks that follow.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn find<I: Isa>(isa: I, game: &[u8], at: usize) -> (Self, usize) {
        let words = match game[at..].first_chunk() {
            Some(block) => Words::of(isa.load(block)),
            None => Words::of(isa.load(&last_block(&game[at..]))),
        };
        let Words { starts, ends, numbers, number_starts, plain, short, passed } = words;
        (
            Self { at: at as u32, starts, ends, numbers, number_starts, plain, short },
            (at + passed as usize).min(game.len()),
        )
    }
}

impl Iterator for Run {
    type Item = Token;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Option<Token> {
        if self.ends == 0 {
            return None;
        }
        let (start, end) = (self.starts.trailing_zeros(), self.ends.trailing_zeros());
        let kind = if self.numbers >> end & 1 == 1 { TokenKind::MoveNumber } else { TokenKind::Move };
        self.starts &= self.starts.wrapping_sub(1);
        self.ends &= self.ends - 1;
        Some(Token { kind, span: Span::new(self.at + start, self.at + end) })
    }
}

/// The end of a game, blanks behind it.
#[cold]
fn last_block(rest: &[u8]) -> [u8; BLOCK] {
    let mut block = [b' '; BLOCK];
    block[..rest.len()].copy_from_slice(rest);
    block
}

/// The plain tokens at the start of a block, a bit a byte.
struct Words {
    starts: u64,
    ends: u64,
    numbers: u64,
    number_starts: u64,
    plain: bool,
    short: bool,
    /// Length of the tokens and the blanks after them.
    passed: u32,
}

impl Words {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of<B: Block>(block: B) -> Self {
        let digits = block.within(b'0', b'9');
        let separators = block.among([b'-', b'x', b':', b'X']);
        let dots = block.among([b'.']);
        let blanks = block.within(b'\t', b'\r') | block.among([b' ']);
        let scores = block.within(b'0', b'2');

        let word = digits | separators | dots;
        let foreign = !(word | blanks);
        let odd = odd_words(digits, separators, dots, scores) | block.beyond_ascii();

        // Words are taken up to the first odd one, and up to the first foreign byte, which may touch the last word.
        let word_ends = (word << 1) & !word & below(odd) & (below(foreign) | lowest(foreign));
        let taken = u64::MAX.checked_shr(word_ends.leading_zeros()).unwrap_or(0);
        let glued = digits & (dots << 1);
        let ends = ((word << 1) & !word | glued) & taken;
        let starts = (word & !(word << 1) | glued) & taken;
        let passed = (!blanks & !(taken >> 1)).trailing_zeros();
        let noughts = block.among([b'0']) & (starts | separators << 1);
        let plain = (noughts | block.among([b'X'])) & taken == 0;
        // A word that was taken and has a dot after one or two digits is a number.
        let number_starts = starts & (dots >> 1 | digits >> 1 & dots >> 2);
        let chains = separators & digits << 1 & (separators << 2 | digits << 2 & separators << 3);
        let short = (chains | dots & dots << 1) & taken == 0;
        Self { starts, ends, numbers: ends & (dots << 1), number_starts, plain, short, passed }
    }
}

/// A bit in every word that is made of digits, separators and dots and yet no plain number or move.
///
/// At the end of a block some words look odd for what is cut off; they have no end there and are not taken anyway.
#[cfg_attr(not(debug_assertions), inline(always))]
fn odd_words(digits: u64, separators: u64, dots: u64, scores: u64) -> u64 {
    let last = digits & !(digits >> 1);
    // Numbers that follow a separator or a dot; those of three digits and more are odd in any case.
    let follows = |before: u64| digits & (before << 1 | (before << 2 & digits << 1));
    let long = digits & digits << 1 & digits << 2;
    let open_separator = separators & !(digits << 1 & digits >> 1);
    // A number alone, `32`, may be anything.
    let lone = last & !follows(separators) & !((separators | dots) >> 1);
    // `32-28.` is two tokens, `1.02-0.98` is a score.
    let dotted = last & follows(separators | dots) & dots >> 1;
    let stray_dot = dots & !((dots | digits) << 1);
    let single = scores & last & !(digits << 1);
    let result = separators & single << 1 & single >> 1;
    long | open_separator | lone | dotted | stray_dot | result
}

/// All bits below the lowest one of `mask`, all there are if it has none.
#[cfg_attr(not(debug_assertions), inline(always))]
fn below(mask: u64) -> u64 {
    mask.wrapping_sub(1) & !mask
}

/// The lowest bit of `mask`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn lowest(mask: u64) -> u64 {
    mask & mask.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Task, run_on_all};
    use proptest::prelude::*;

    #[derive(Clone)]
    struct Find<'g>(&'g [u8]);

    impl Task for Find<'_> {
        type Output = Run;

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn run<I: Isa>(self, isa: I) -> Run {
            Run::find(isa, self.0, 0).0
        }
    }

    proptest! {
        #[test]
        fn masks_tell_moves_from_numbers(text in r"([0-9]{1,2}(x[0-9]{1,2}){1,3} |[1-9][0-9]?-[1-9] |[0-9]{1,2}\.{1,3} ?){0,20}") {
            for run in run_on_all(Find(text.as_bytes())) {
                let places = |mask: u64| (0..64).filter(move |bit| mask >> bit & 1 == 1);
                let of = |kind| run.filter(move |token| token.kind == kind);
                let moves: Vec<_> = of(TokenKind::Move).map(|token| (token.span.start, token.span.end)).collect();
                let numbers: Vec<_> = of(TokenKind::MoveNumber).map(|token| token.span.start).collect();
                prop_assert_eq!(places(run.moves()).zip(places(run.move_ends())).collect::<Vec<_>>(), moves);
                prop_assert_eq!(run.move_ends().count_ones(), run.moves().count_ones());
                prop_assert_eq!(places(run.number_starts()).collect::<Vec<_>>(), numbers);
                let mut tokens = run;
                let long = tokens.any(|token| {
                    let text = &text[token.span.range()];
                    text.matches(['x', '-']).count() > 1 || text.matches('.').count() > 1
                });
                prop_assert_eq!(run.is_short(), !long, "{}", text);
            }
        }

        #[test]
        fn plain_runs_have_neither_noughts_nor_capitals(text in "([0-9]{1,2}[-xX:][0-9]{1,2} |[1-9][0-9]?-[1-9] |[0-9]{1,2}\\. ?){0,20}") {
            for run in run_on_all(Find(text.as_bytes())) {
                let mut tokens = run;
                let odd = tokens.any(|token| {
                    let text = &text[token.span.range()];
                    text.contains('X') || text.split(['-', 'x', ':']).any(|square| square.starts_with('0'))
                });
                prop_assert_eq!(run.is_plain(), !odd, "{}", text);
            }
        }
    }
}
