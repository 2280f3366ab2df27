//! Runs of moves: many moves of one 64-byte block in a single call of a visitor.

use super::event::{MoveNumber, WrittenMove};
use crate::simd::{NumberReader, PAIRS, Pairs};
use crate::span::Span;

/// Consecutive moves of the main line in one block of bytes, with only whitespace and move numbers between them.
///
/// Each move is two squares of one or two digits with one of `-xX:` between them. Only the masks of their starts and
/// ends are stored, so counting the moves costs next to nothing.
#[derive(Clone, Copy, Debug)]
pub struct MoveRun<'g> {
    game: &'g [u8],
    /// The offset of the block in the record; bit n of the masks stands for byte n of the block.
    at: u32,
    starts: u64,
    ends: u64,
    reader: NumberReader,
}

/// A block of 64 bytes and the eight bytes after it.
type Window = [u8; 72];

impl<'g> MoveRun<'g> {
    /// The greatest number of moves in a block.
    pub(crate) const MAX_MOVES: usize = PAIRS;
    /// Scratch memory for [`window`](Self::window).
    pub(crate) const EMPTY_WINDOW: Window = [b' '; 72];

    /// Creates a run from the masks of the starts and ends of its moves, as many of both.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new(game: &'g [u8], at: u32, starts: u64, ends: u64, reader: NumberReader) -> Self {
        Self { game, at, starts, ends, reader }
    }

    /// Returns the square numbers and the spans of all moves at once, or `None` if the processor cannot read them
    /// that way.
    // Twin: reading the text of each move; test: move_runs_record_same_line_as_single_moves.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn pairs(&self) -> Option<Pairs> {
        self.reader.pairs(&self.game[self.at as usize..], self.starts, self.ends, self.at)
    }

    /// Returns the block and the eight bytes after it. If the record ends before that, they are copied into
    /// `scratch`, and the bytes after the record are those of `scratch`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn window<'w>(&self, scratch: &'w mut Window) -> &'w Window
    where
        'g: 'w,
    {
        let rest = &self.game[self.at as usize..];
        match rest.first_chunk() {
            Some(window) => window,
            None => {
                scratch[..rest.len()].copy_from_slice(rest);
                scratch
            }
        }
    }

    /// Returns the offset of the block in the record.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn at(&self) -> u32 {
        self.at
    }

    /// Iterates over the start and end of each move, relative to the block.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn places(self) -> impl Iterator<Item = (u32, u32)> {
        let (mut starts, mut ends) = (self.starts, self.ends);
        std::iter::from_fn(move || {
            if starts == 0 {
                return None;
            }
            let place = (starts.trailing_zeros(), ends.trailing_zeros());
            starts &= starts - 1;
            ends &= ends.wrapping_sub(1);
            Some(place)
        })
    }
}

impl<'g> Iterator for MoveRun<'g> {
    type Item = WrittenMove<'g>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Option<WrittenMove<'g>> {
        let (start, end) = self.places().next()?;
        self.starts &= self.starts - 1;
        self.ends &= self.ends.wrapping_sub(1);
        let span = Span::new(self.at + start, self.at + end);
        Some(WrittenMove { text: span.of(self.game), span })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.starts.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for MoveRun<'_> {}

/// Consecutive move numbers and moves of the main line in one block of bytes, with only whitespace between them.
///
/// A number has one or two digits and one dot, and follows from the numbers before it. Moves are as in [`MoveRun`].
#[derive(Clone, Copy, Debug)]
pub struct NumberedMoveRun<'g> {
    game: &'g [u8],
    /// The offset of the block in the record; bit n of the masks stands for byte n of the block.
    at: u32,
    starts: u64,
    ends: u64,
    /// Those of `starts` that start numbers.
    numbers: u64,
    /// Twice the number of the first move of the game, plus the plies of the main line before the next move.
    plies: u32,
    reader: NumberReader,
}

/// A part of a [`NumberedMoveRun`]: a move number or a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbered<'g> {
    /// A move number.
    Number(MoveNumber),
    /// A move.
    Move(WrittenMove<'g>),
}

impl<'g> NumberedMoveRun<'g> {
    /// An upper bound of the number of parts in a block.
    pub(crate) const MAX_PARTS: usize = 32;

    /// Creates a run from the masks of the starts and ends of its parts, as many of both.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new(
        game: &'g [u8],
        at: u32,
        (starts, ends): (u64, u64),
        numbers: u64,
        plies: u32,
        reader: NumberReader,
    ) -> Self {
        Self { game, at, starts, ends, numbers, plies, reader }
    }

    /// Returns the offset of the block in the record.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn at(&self) -> u32 {
        self.at
    }

    /// Returns the masks of the starts and of the ends of all parts in the block.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn places(&self) -> (u64, u64) {
        (self.starts, self.ends)
    }

    /// Returns the mask of the starts of the numbers in the block.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn numbers(&self) -> u64 {
        self.numbers
    }

    /// Returns the moves without the numbers.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn moves(&self) -> MoveRun<'g> {
        let numbers = self.starts & self.numbers;
        // A number is a digit and a dot, or two digits and a dot; no part of three bytes ends within it.
        let number_ends = self.ends & (numbers << 2 | numbers << 3);
        MoveRun::new(self.game, self.at, self.starts & !numbers, self.ends & !number_ends, self.reader)
    }

    /// Returns the span of the next part, `true` if it is a number, and the number that is due there, and advances.
    /// There is no branch; after the last part the result is arbitrary.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_place(&mut self) -> (Span, bool, u32) {
        let (start, end) = (self.starts.trailing_zeros(), self.ends.trailing_zeros());
        let is_number = self.numbers >> (start & 63) & 1 != 0;
        let due = self.plies / 2;
        self.starts &= self.starts.wrapping_sub(1);
        self.ends &= self.ends.wrapping_sub(1);
        self.plies = self.plies.wrapping_add(u32::from(!is_number));
        (Span { start: self.at + start, end: self.at + end }, is_number, due)
    }
}

impl<'g> Iterator for NumberedMoveRun<'g> {
    type Item = Numbered<'g>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Option<Numbered<'g>> {
        if self.starts == 0 {
            return None;
        }
        let (span, is_number, due) = self.next_place();
        Some(if is_number {
            Numbered::Number(MoveNumber { number: due, second: false, span })
        } else {
            Numbered::Move(WrittenMove { text: span.of(self.game), span })
        })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.starts.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for NumberedMoveRun<'_> {}
