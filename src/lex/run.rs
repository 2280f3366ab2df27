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

use super::token::{Kind, Token};
use crate::simd::{self, BLOCK, Block, Isa, Task};
use crate::span::Span;

/// Most tokens of a block: none has fewer than two bytes.
const MOST: usize = BLOCK / 2;

/// Plain tokens that have been found and not yet handed out.
#[derive(Debug, Clone)]
pub(super) struct Run {
    tokens: [Token; MOST],
    next: u8,
    count: u8,
}

impl Run {
    /// No tokens.
    pub(super) const fn new() -> Self {
        let none = Token { kind: Kind::Unknown, span: Span::at(0) };
        Self { tokens: [none; MOST], next: 0, count: 0 }
    }

    /// The next token.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Option<Token> {
        if self.next == self.count {
            return None;
        }
        let token = self.tokens[usize::from(self.next) % MOST];
        self.next += 1;
        Some(token)
    }

    /// Looks for tokens from `at` on, and answers with the offset just past the last one and its blanks.
    #[inline]
    pub(super) fn fill(&mut self, game: &[u8], at: usize) -> usize {
        simd::run(Fill { run: self, game, at })
    }

    /// Forgets what it has not handed out.
    #[inline]
    pub(super) fn clear(&mut self) {
        (self.next, self.count) = (0, 0);
    }
}

struct Fill<'r, 'g> {
    run: &'r mut Run,
    game: &'g [u8],
    at: usize,
}

impl Task for Fill<'_, '_> {
    type Output = usize;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> usize {
        let Self { run, game, at } = self;
        let words = match game[at..].first_chunk() {
            Some(block) => Words::of(isa.load(block)),
            None => Words::of(isa.load(&last_block(&game[at..]))),
        };
        run.next = 0;
        run.count = words.write(at as u32, &mut run.tokens);
        (at + words.passed as usize).min(game.len())
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
    /// First bytes.
    starts: u64,
    /// The bytes after the last ones, as many as starts.
    ends: u64,
    /// Those ends that are ends of numbers.
    numbers: u64,
    /// Length of the tokens and the blanks after them.
    passed: u32,
}

impl Words {
    #[inline(always)]
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
        Self { starts, ends, numbers: ends & (dots << 1), passed }
    }

    #[inline(always)]
    fn write(&self, at: u32, tokens: &mut [Token; MOST]) -> u8 {
        let Self { mut starts, mut ends, .. } = *self;
        let count = ends.count_ones();
        for token in tokens.iter_mut().take(count as usize) {
            let (start, end) = (starts.trailing_zeros(), ends.trailing_zeros());
            let kind = if self.numbers >> end & 1 == 1 { Kind::MoveNumber } else { Kind::Move };
            *token = Token { kind, span: Span::new(at + start, at + end) };
            starts &= starts - 1;
            ends &= ends - 1;
        }
        count as u8
    }
}

/// A bit in every word that is made of digits, separators and dots and yet no plain number or move.
///
/// At the end of a block some words look odd for what is cut off; they have no end there and are not taken anyway.
#[inline(always)]
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
#[inline(always)]
fn below(mask: u64) -> u64 {
    mask.wrapping_sub(1) & !mask
}

/// The lowest bit of `mask`.
#[inline(always)]
fn lowest(mask: u64) -> u64 {
    mask & mask.wrapping_neg()
}
