//! What a visitor hears of: raw parts of a game, borrowed from its bytes, not yet interpreted.

use crate::simd::{NumberReader, PAIRS, Pairs};
use crate::span::Span;

/// A tag pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TagPair<'g> {
    /// The name as written.
    pub name: &'g [u8],
    /// The value as written, without its quotes; `\"` and `\\` are still escaped, see [`unescape`](super::unescape).
    pub value: &'g [u8],
    /// The whole pair, brackets included.
    pub span: Span,
    /// Where the name stands.
    pub name_span: Span,
    /// Where the value stands.
    pub value_span: Span,
    /// It stands among the moves, not before them.
    pub in_moves: bool,
}

/// `12.` or `12...`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveNumber {
    /// The number; [`u32::MAX`] if it is larger than that.
    pub number: u32,
    /// Three dots: the second side moves.
    pub second: bool,
    /// Where it stands.
    pub span: Span,
}

/// A move as written: `32-28`, `26x17x10`, `a3b4`, `3228`, `32 - 28`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrittenMove<'g> {
    /// Its bytes.
    pub text: &'g [u8],
    /// Where it stands.
    pub span: Span,
}

/// Moves of the main line in a block of bytes, with nothing between them but blanks and numbers. Each is two squares of
/// one or two digits with one of `-xX:` between.
///
/// They are known by the places where they start and end, so counting them costs next to nothing.
#[derive(Clone, Copy, Debug)]
pub struct MoveRun<'g> {
    game: &'g [u8],
    /// Offset of the block.
    at: u32,
    starts: u64,
    ends: u64,
    reader: NumberReader,
}

/// A block of bytes and a word behind it.
type Window = [u8; 72];

impl<'g> MoveRun<'g> {
    /// The most moves that a block holds.
    pub(crate) const MOST: usize = PAIRS;
    /// Blanks in place of a window.
    pub(crate) const BLANK: Window = [b' '; 72];

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new(game: &'g [u8], at: u32, starts: u64, ends: u64, reader: NumberReader) -> Self {
        Self { game, at, starts, ends, reader }
    }

    /// Their squares, numbers as yet, and where they stand, all at once if the processor can; `window` is theirs.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn pairs(&self, window: &Window) -> Option<Pairs> {
        self.reader.pairs(window.first_chunk()?, self.starts, self.ends, self.at)
    }

    /// The block and what follows it; behind the end of the game what is in `room`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn window<'w>(&self, room: &'w mut Window) -> &'w Window
    where
        'g: 'w,
    {
        let rest = &self.game[self.at as usize..];
        match rest.first_chunk() {
            Some(window) => window,
            None => {
                room[..rest.len()].copy_from_slice(rest);
                room
            }
        }
    }

    /// Offset of the window.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn at(&self) -> u32 {
        self.at
    }

    /// Where each starts and ends in the window.
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

/// Numbers and moves of the main line in a block of bytes, with nothing between them but blanks. Numbers have one or two
/// digits and one dot, and fit; moves are as in [`MoveRun`].
#[derive(Clone, Copy, Debug)]
pub struct NumberedMoveRun<'g> {
    game: &'g [u8],
    /// Offset of the block.
    at: u32,
    starts: u64,
    ends: u64,
    /// Those starts that are starts of numbers.
    numbers: u64,
    /// Plies of the main line before the next move, twice the number of its first move added.
    plies: u32,
}

/// A number or a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbered<'g> {
    /// A number.
    Number(MoveNumber),
    /// A move.
    Move(WrittenMove<'g>),
}

impl<'g> NumberedMoveRun<'g> {
    /// More numbers and moves than a block holds.
    pub(crate) const MOST: usize = 32;

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new(game: &'g [u8], at: u32, (starts, ends): (u64, u64), numbers: u64, plies: u32) -> Self {
        Self { game, at, starts, ends, numbers, plies }
    }

    /// Offset of the block.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn at(&self) -> u32 {
        self.at
    }

    /// Where each starts and ends in the block.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn places(&self) -> (u64, u64) {
        (self.starts, self.ends)
    }

    /// Where numbers start.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn numbers(&self) -> u64 {
        self.numbers
    }

    /// Where the next one stands, whether it is a number, and which one is due there. Without a branch; past the last one
    /// it answers nonsense.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_place(&mut self) -> (Span, bool, u32) {
        let (start, end) = (self.starts.trailing_zeros(), self.ends.trailing_zeros());
        let number = self.numbers >> (start & 63) & 1 != 0;
        let due = self.plies / 2;
        self.starts &= self.starts.wrapping_sub(1);
        self.ends &= self.ends.wrapping_sub(1);
        self.plies = self.plies.wrapping_add(u32::from(!number));
        (Span { start: self.at + start, end: self.at + end }, number, due)
    }
}

impl<'g> Iterator for NumberedMoveRun<'g> {
    type Item = Numbered<'g>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Option<Numbered<'g>> {
        if self.starts == 0 {
            return None;
        }
        let (span, number, due) = self.next_place();
        Some(if number {
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

/// What stands in place of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissingMark {
    /// `...`: the first side's move in `1. ... 18-23`, an unknown one elsewhere.
    Ellipsis,
    /// `-` or `--`.
    Dash,
}

/// A mark in place of a move that is missing or unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MissingMove {
    /// Which mark.
    pub kind: MissingMark,
    /// Where it stands.
    pub span: Span,
}

/// `!`, `(?)`, `*`, `□`: what the annotator thinks of the move before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StrengthMark<'g> {
    /// Its bytes.
    pub text: &'g [u8],
    /// Where it stands.
    pub span: Span,
}

/// How a comment is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum CommentKind {
    /// `{...}`
    Braces,
    /// `;` to the end of the line.
    Semicolon,
    /// `%` at the start of a line, to its end.
    Percent,
}

/// A comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comment<'g> {
    /// Its text without braces, semicolon or percent sign.
    pub text: &'g [u8],
    /// How it is written.
    pub kind: CommentKind,
    /// All of it, braces included.
    pub span: Span,
}

/// A setup of a new position, or a null move: `/FEN "W:W31-50:B1-20"/` (PDN 3.0, 5.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetupCommand<'g> {
    /// What stands between the quotes.
    pub fen: &'g [u8],
    /// Where that stands.
    pub fen_span: Span,
    /// All of it, slashes included.
    pub span: Span,
}

/// The opening or closing parenthesis of a variation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VariationMark {
    /// Where it stands; empty for a closing one that is missing.
    pub span: Span,
    /// How many variations are open, this one included.
    pub depth: u32,
}

/// What ends a game: `*`, a result, or `-` for none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terminator<'g> {
    /// Its bytes.
    pub text: &'g [u8],
    /// Where it stands.
    pub span: Span,
}
