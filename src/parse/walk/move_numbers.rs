//! Checks whether move numbers follow from the moves before them.

use super::super::number::leading_number;
use crate::lex::TokenRun;
use crate::simd::NumberReader;
use crate::span::Span;

/// Counts the plies of the main line and compares move numbers with them.
#[derive(Default)]
pub(super) struct MoveNumberCheck {
    /// The plies of the main line so far; missing moves count.
    pub(super) plies: u32,
    /// The number of the move that ply 0 belongs to, once known. If there is an unread number, that one decides instead.
    pub(super) first: Option<u32>,
    /// The offset of the last number, if that was passed without being read, and the number of plies before it.
    pub(super) unread: Option<(u32, u32)>,
    /// A wrong number has been reported, which happens once per record.
    pub(super) reported: bool,
    /// The span of the last number, as long as no move has followed it.
    pub(super) pending: Option<Span>,
}

impl MoveNumberCheck {
    /// Passes a run of the main line and returns `true`, if each of its numbers is the expected one and has a move
    /// of its own. Otherwise nothing changes. All moves of the run must have two squares, all numbers one dot. No number may be
    /// unread.
    // Twin: Walk::number and Walk::single_move; test: move_runs_equal_single_moves.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn pass(&mut self, run: &TokenRun, game: &[u8], reader: NumberReader) -> bool {
        let (moves, numbers) = (run.moves(), run.number_starts());
        let first = match reader.count_up(&game[run.at() as usize..], numbers, moves | numbers) {
            Some((number, before)) => self.expect_sequence(number.into(), before),
            None => self.expect_each(run, game),
        };
        let Some(first) = first else { return false };
        self.first = first;
        self.plies += moves.count_ones();
        self.pending = Self::last_number(run);
        true
    }

    /// Returns the number of the move that ply 0 belongs to, if known.
    #[inline]
    pub(super) fn first(&self, game: &[u8]) -> Option<u32> {
        match self.unread {
            Some((at, plies)) => leading_number(&game[at as usize..]).0.checked_sub(plies / 2),
            None => self.first,
        }
    }

    /// Reads the number that was passed without being read, if there is one.
    #[inline]
    pub(super) fn read_last(&mut self, game: &[u8]) {
        (self.first, self.unread) = (self.first(game), None);
    }

    /// Passes a run of the main line without reading its numbers and returns `true`, if they cannot change the count of plies: a
    /// number is known from before, and each stands before a pair of moves. Otherwise the run is not passed, and the last number
    /// before it is read. All moves of the run must have two squares, all numbers one dot.
    // Twin: `pass`; test: runs_pass_alike_whether_numbers_are_read_or_not.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn pass_unread(&mut self, run: &TokenRun, game: &[u8]) -> bool {
        let (moves, numbers) = (run.moves(), run.number_starts());
        let next = |tokens| next_tokens(tokens, moves | numbers);
        let second_moves = next(next(numbers));
        let is_paired = second_moves & numbers == 0 && next(second_moves) & moves == 0;
        let before_first = (moves & (numbers & numbers.wrapping_neg()).wrapping_sub(1)).count_ones();
        let is_even = numbers == 0 || (self.plies + before_first).is_multiple_of(2);
        let is_known = self.first.is_some() || self.unread.is_some();
        let pending = self.pending_after(run).filter(|_| is_paired && is_even && is_known);
        let Some(pending) = pending else {
            self.read_last(game);
            return false;
        };
        self.pending = pending;
        self.plies += moves.count_ones();
        if numbers != 0 {
            let last = 63 - numbers.leading_zeros();
            self.unread = Some((run.at() + last, self.plies - (moves & u64::MAX << last).count_ones()));
        }
        true
    }

    /// Returns the span of the last token of a run, if it is a number.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn last_number(run: &TokenRun) -> Option<Span> {
        let last = run.number_starts().leading_zeros();
        (last < run.moves().leading_zeros())
            .then(|| Span::new(run.at() + 63 - last, run.at() + 63 - run.tokens().1.leading_zeros()))
    }

    /// Returns what [`pending`](Self::pending) is after a run, if each number has a move of its own, else `None`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn pending_after(&self, run: &TokenRun) -> Option<Option<Span>> {
        let (moves, numbers) = (run.moves(), run.number_starts());
        let tokens = moves | numbers;
        let begins_with_number = self.pending.is_some() && numbers & tokens & tokens.wrapping_neg() != 0;
        (next_tokens(numbers, tokens) & numbers == 0 && !begins_with_number).then(|| Self::last_number(run))
    }

    /// Returns the new value of `first` if each number of a run is the expected one, else `None`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn expect_each(&self, run: &TokenRun, game: &[u8]) -> Option<Option<u32>> {
        let (moves, mut numbers) = (run.moves(), run.number_starts());
        let mut first = self.first;
        // The moves of the run before the last number; the maximum if no number has come yet.
        let mut last = if self.pending.is_some() { 0 } else { u32::MAX };
        let mut is_expected = true;
        while numbers != 0 {
            let start = numbers.trailing_zeros();
            let before = (moves & ((numbers & numbers.wrapping_neg()) - 1)).count_ones();
            numbers &= numbers - 1;
            let (number, _) = leading_number(&game[(run.at() + start) as usize..]);
            let passed = (self.plies + before) / 2;
            // A number that is too small makes `first` wrong, but then the result is `None`. The first number of a game
            // may stand before a move of either side; after an odd number of plies, it is not the expected one.
            let is_even = first.is_some() || (self.plies + before).is_multiple_of(2);
            is_expected &= number >= passed && before != last && is_even;
            is_expected &= first.get_or_insert(number.wrapping_sub(passed)).wrapping_add(passed) == number;
            last = before;
        }
        is_expected.then_some(first)
    }

    /// Returns the new value of `first` if the first number of a run is the expected one, else `None`. The numbers
    /// of the run count up, so then all are. `before` moves of the run stand before the first number.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn expect_sequence(&self, number: u32, before: u32) -> Option<Option<u32>> {
        let passed = (self.plies + before) / 2;
        let first = self.first.unwrap_or(number.wrapping_sub(passed));
        let has_move = before > 0 || self.pending.is_none();
        let is_even = self.first.is_some() || (self.plies + before).is_multiple_of(2);
        let is_expected = number >= passed && has_move && is_even && first.wrapping_add(passed) == number;
        is_expected.then_some(Some(first))
    }
}

/// Returns the token after each of some of the tokens of a run: bits at their first bytes.
#[cfg_attr(not(debug_assertions), inline(always))]
fn next_tokens(some: u64, tokens: u64) -> u64 {
    // The addition carries the bit after each of them on to the next token.
    (!tokens).wrapping_add(some << 1) & tokens
}
