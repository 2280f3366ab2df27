//! Runs of regular tokens, found in a block of 64 bytes at once.
//!
//! Nearly all movetext consists of `32-28`, `26x17x10` and `12.`. A lexer that reads it byte by byte mispredicts
//! branches: one digit or two, a number or a move. So a block of 64 bytes is turned into bit masks. The masks give
//! the starts and ends of all tokens, their kinds, and the first byte with which any other token could begin. The
//! automaton continues there.
//!
//! A regular token is a word, bounded by whitespace, that the automaton would read as
//!
//! - `N.` or `N...`, a number of one or two digits;
//! - `S-S`, `SxS`, `S:S` or a longer chain, where S is a square of one or two digits, that is not a result;
//! - a number and a move that touch: `1.32-28`.
//!
//! One byte that is not part of a word may follow the last token of a run without whitespace: `32-28)`, `32-28!`.

use super::token::{Token, TokenKind};
use crate::simd::{Block, Isa, TokenBytes};
use crate::span::Span;

/// Regular tokens of one block that have not been returned yet. In each mask, bit n stands for byte n of the block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TokenRun {
    /// The offset of the block in the record.
    at: u32,
    /// The first bytes of the tokens.
    starts: u64,
    /// The bytes just after the tokens: as many as `starts`.
    ends: u64,
    /// Those of `ends` that end numbers.
    number_ends: u64,
    /// Those of `starts` that start numbers.
    number_starts: u64,
    /// No square has a leading zero and no separator is `X`.
    strict: bool,
    /// A byte of each move of more than two squares and of each number with more than one dot.
    long: u64,
}

impl TokenRun {
    /// Creates an empty run.
    pub(super) const fn empty() -> Self {
        Self { at: 0, starts: 0, ends: 0, number_ends: 0, number_starts: 0, strict: true, long: 0 }
    }

    /// Returns the offset of the block in the record; bit 0 of each mask stands for this byte.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn at(&self) -> u32 {
        self.at
    }

    /// Returns the mask of the first bytes of the numbers.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn number_starts(&self) -> u64 {
        self.number_starts & self.starts
    }

    /// Returns the mask of the first bytes of the moves.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn moves(&self) -> u64 {
        self.starts & !self.number_starts
    }

    /// Returns the mask of the bytes just after the moves: as many as [`moves`](Self::moves).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn move_ends(&self) -> u64 {
        self.ends & !self.number_ends
    }

    /// Returns the mask of the first bytes of all tokens and the mask of the bytes just after them: as many of both.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn tokens(&self) -> (u64, u64) {
        (self.starts, self.ends)
    }

    /// Returns `true` if all moves that are left have two squares and all numbers one dot.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_short(&self) -> bool {
        self.long & !below(self.starts) == 0
    }

    /// Returns `true` if a token of this run is a move of more than two squares or a number with more than one dot.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_long(&self, token: Token) -> bool {
        let [start, end] = [token.span.start, token.span.end].map(|at| at.wrapping_sub(self.at));
        let before = |at: u32| 1u64.checked_shl(at).map_or(u64::MAX, |bit| bit - 1);
        self.long & before(end) & !before(start) != 0
    }

    /// Returns `true` if the run has no more tokens.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_empty(&self) -> bool {
        self.ends == 0
    }

    /// Returns `true` if no move breaks a rule of style: no square has a leading zero and no separator is `X`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_strict(&self) -> bool {
        self.strict
    }

    /// Returns the regular tokens from offset `at` of `game` on, as far as one block holds them, and the offset just
    /// after them and the whitespace that follows.
    // Twin: Automaton; tests: lexer_equals_automaton_on_movetext, lexer_equals_automaton_on_move_like_bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn find<I: Isa>(isa: I, game: &[u8], at: usize) -> (Self, usize) {
        let TokenMasks { starts, ends, number_ends, number_starts, strict, long, len } =
            TokenMasks::of(isa.load_padded(&game[at..]));
        (
            Self { at: at as u32, starts, ends, number_ends, number_starts, strict, long },
            (at + len as usize).min(game.len()),
        )
    }
}

impl Iterator for TokenRun {
    type Item = Token;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Option<Token> {
        if self.ends == 0 {
            return None;
        }
        let (start, end) = (self.starts.trailing_zeros(), self.ends.trailing_zeros());
        let kind = if self.number_ends >> end & 1 == 1 { TokenKind::MoveNumber } else { TokenKind::Move };
        self.starts &= self.starts.wrapping_sub(1);
        self.ends &= self.ends - 1;
        Some(Token { kind, span: Span::new(self.at + start, self.at + end) })
    }
}

/// The regular tokens at the start of a block; the fields are those of [`TokenRun`].
struct TokenMasks {
    starts: u64,
    ends: u64,
    number_ends: u64,
    number_starts: u64,
    strict: bool,
    long: u64,
    /// The length in bytes of the tokens and the whitespace after them.
    len: u32,
}

impl TokenMasks {
    /// Classifies the bytes of a block.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of<B: Block>(block: B) -> Self {
        let TokenBytes { digits, separators, dots, whitespace, scores } = block.token_bytes();

        let word = digits | separators | dots;
        let other = !(word | whitespace);
        let irregular = irregular_words(digits, separators, dots, scores) | block.beyond_ascii();

        // In most blocks all words before the last whitespace are regular, and then the next block begins after that whitespace. The
        // processor predicts this branch and reads the next block before it has checked the words.
        let left = whitespace.leading_zeros();
        let up_to_last = u64::MAX.checked_shr(left).unwrap_or(0);
        let (taken, len) = if (irregular | other) & up_to_last == 0 {
            (up_to_last, u64::BITS - left)
        } else {
            // Keeps this a branch: a selection between two computed values could not be predicted.
            std::hint::black_box(());
            cut(word, whitespace, irregular)
        };
        let glued = digits & (dots << 1);
        let ends = ((word << 1) & !word | glued) & taken;
        let starts = (word & !(word << 1) | glued) & taken;
        let leading_zeros = block.among([b'0']) & (starts | separators << 1);
        let strict = (leading_zeros | block.among([b'X'])) & taken == 0;
        // A taken word with a dot after one or two digits is a number.
        let number_starts = starts & (dots >> 1 | digits >> 1 & dots >> 2);
        let chains = separators & digits << 1 & (separators << 2 | digits << 2 & separators << 3);
        let long = (chains | dots & dots << 1) & taken;
        Self { starts, ends, number_ends: ends & (dots << 1), number_starts, strict, long, len }
    }
}

/// Returns the bytes up to the end of the last word that is taken from a block, and the length in bytes of these words and the
/// whitespace after them. Words are taken up to the first irregular one, and up to the first byte that is neither in a word nor
/// whitespace, which may touch the last word.
#[cfg_attr(not(debug_assertions), inline(always))]
fn cut(word: u64, whitespace: u64, irregular: u64) -> (u64, u32) {
    let other = !(word | whitespace);
    let word_ends = (word << 1) & !word & below(irregular) & (below(other) | lowest(other));
    let taken = u64::MAX.checked_shr(word_ends.leading_zeros()).unwrap_or(0);
    (taken, (!whitespace & !(taken >> 1)).trailing_zeros())
}

/// Returns a mask with at least one bit in every word of digits, separators and dots that is not a regular number or
/// move.
///
/// At the end of a block, words may look irregular because they are cut off. They have no end in the block and are not
/// taken anyway.
#[cfg_attr(not(debug_assertions), inline(always))]
fn irregular_words(digits: u64, separators: u64, dots: u64, scores: u64) -> u64 {
    let last = digits & !(digits >> 1);
    // Numbers of one or two digits after a separator or a dot; longer ones are irregular in any case.
    let follows = |before: u64| digits & (before << 1 | (before << 2 & digits << 1));
    let long = digits & digits << 1 & digits << 2;
    let open_separator = separators & !(digits << 1 & digits >> 1);
    // A number alone, `32`, can mean several things.
    let lone = last & !follows(separators) & !((separators | dots) >> 1);
    // `32-28.` is two tokens, `1.02-0.98` is a score.
    let dotted = last & follows(separators | dots) & dots >> 1;
    let stray_dot = dots & !((dots | digits) << 1);
    let single = scores & last & !(digits << 1);
    let result = separators & single << 1 & single >> 1;
    long | open_separator | lone | dotted | stray_dot | result
}

/// Returns all bits below the lowest set bit of `mask`; all 64 bits if none is set.
#[cfg_attr(not(debug_assertions), inline(always))]
fn below(mask: u64) -> u64 {
    mask.wrapping_sub(1) & !mask
}

/// Returns the lowest set bit of `mask`; 0 if none is set.
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
    struct FindRun<'g>(&'g [u8]);

    impl Task for FindRun<'_> {
        type Output = TokenRun;

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn run<I: Isa>(self, isa: I) -> TokenRun {
            TokenRun::find(isa, self.0, 0).0
        }
    }

    proptest! {
        #[test]
        fn masks_separate_moves_and_numbers(text in r"([0-9]{1,2}(x[0-9]{1,2}){1,3} |[1-9][0-9]?-[1-9] |[0-9]{1,2}\.{1,3} ?){0,20}") {
            for run in run_on_all(FindRun(text.as_bytes())) {
                let offsets = |mask: u64| (0..64).filter(move |bit| mask >> bit & 1 == 1);
                let of = |kind| run.filter(move |token| token.kind == kind);
                let moves: Vec<_> = of(TokenKind::Move).map(|token| (token.span.start, token.span.end)).collect();
                let numbers: Vec<_> = of(TokenKind::MoveNumber).map(|token| token.span.start).collect();
                prop_assert_eq!(offsets(run.moves()).zip(offsets(run.move_ends())).collect::<Vec<_>>(), moves);
                prop_assert_eq!(run.move_ends().count_ones(), run.moves().count_ones());
                prop_assert_eq!(offsets(run.number_starts()).collect::<Vec<_>>(), numbers);
                let mut tokens = run;
                let long = tokens.any(|token| {
                    let text = &text[token.span.range()];
                    text.matches(['x', '-']).count() > 1 || text.matches('.').count() > 1
                });
                prop_assert_eq!(run.is_short(), !long, "{}", text);
            }
        }

        #[test]
        fn strict_runs_have_no_leading_zeros_or_capitals(text in "([0-9]{1,2}[-xX:][0-9]{1,2} |[1-9][0-9]?-[1-9] |[0-9]{1,2}\\. ?){0,20}") {
            for run in run_on_all(FindRun(text.as_bytes())) {
                let mut tokens = run;
                let breaks_style = tokens.any(|token| {
                    let text = &text[token.span.range()];
                    text.contains('X') || text.split(['-', 'x', ':']).any(|square| square.starts_with('0'))
                });
                prop_assert_eq!(run.is_strict(), !breaks_style, "{}", text);
            }
        }
    }
}
