//! The parts of a line, as replaying wants them: squares apart from where they stand, so that a series of moves is read
//! with a load or two.

use std::ops::Range;

use crate::movegen::BATCH_PLIES;
use crate::notation::{SquareCode, pair, short_pair};
use crate::parse::{MoveRun, WrittenMove};
use crate::span::Span;

/// A part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) span: Span,
    pub(super) kind: LineTokenKind,
    /// The squares of a [`LineTokenKind::Pair`].
    pub(super) from: SquareCode,
    pub(super) to: SquareCode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum LineTokenKind {
    /// A move of two squares, decoded.
    Pair,
    /// A move whose text must be looked at again.
    Text,
    /// The squares that the move before captures.
    Captures,
    /// `...` in place of a move.
    Ellipsis,
    /// `-` in place of a move.
    Dash,
    /// The FEN of a setup.
    Setup,
    /// Text without a meaning.
    Lost,
}

impl LineTokenKind {
    pub(super) const fn is_move(self) -> bool {
        matches!(self, Self::Pair | Self::Text)
    }
}

/// The parts of a line in order, ten bytes each. Used again for line after line.
#[derive(Clone, Debug, Default)]
pub(super) struct Tokens {
    len: usize,
    /// Codes of the squares of pairs, and of no squares for all else; one more in front, and behind the last room for as
    /// many as a series has, whatever is there.
    squares: Vec<[u8; 2]>,
    /// Where they stand.
    spans: Vec<Span>,
    /// Those that are no pairs.
    others: Vec<(usize, LineTokenKind)>,
}

/// A code that names no square.
const NONE: SquareCode = SquareCode(0);

impl Tokens {
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.others.clear();
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The part at a place. O(log others).
    pub(super) fn get(&self, at: usize) -> Option<Token> {
        (at < self.len).then(|| self.at(at))
    }

    /// The part at a place that there is.
    pub(super) fn at(&self, at: usize) -> Token {
        let kind = match self.others.binary_search_by_key(&at, |&(place, _)| place) {
            Ok(found) => self.others[found].1,
            Err(_) => LineTokenKind::Pair,
        };
        let [from, to] = self.squares[at + 1].map(SquareCode);
        Token { span: self.spans[at], kind, from, to }
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = Token> + ExactSizeIterator + Clone {
        self.within(0..self.len)
    }

    /// Those at some places that there are. Others are not looked at, as they are by skipping them.
    pub(super) fn within(
        &self,
        places: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = Token> + ExactSizeIterator + Clone {
        places.map(|at| self.at(at))
    }

    /// Codes of the squares of parts from a place on, two parts after the other, the one before in front of them if
    /// `before` says so; behind the last whatever there is.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn squares(&self, at: usize, before: bool) -> &[[u8; 4]; BATCH_PLIES / 2] {
        const NOTHING: [[u8; 4]; BATCH_PLIES / 2] = [[NONE.0; 4]; BATCH_PLIES / 2];
        let first = at + 1 - usize::from(before);
        let rest = self.squares.get(first..).unwrap_or_default().as_flattened();
        rest.as_chunks().0.first_chunk().unwrap_or(&NOTHING)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn push(&mut self, span: Span, kind: LineTokenKind, from: SquareCode, to: SquareCode) {
        self.grow(1);
        self.squares[self.len + 1] = [from.0, to.0];
        self.spans[self.len] = span;
        if kind != LineTokenKind::Pair {
            self.others.push((self.len, kind));
        }
        self.len += 1;
    }

    /// Adds a move.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn push_move(&mut self, mv: WrittenMove<'_>) {
        match pair(mv.text) {
            Some((from, to)) => self.push(mv.span, LineTokenKind::Pair, from, to),
            None => self.push_other(mv.span, LineTokenKind::Text),
        }
    }

    /// Adds a part that is no pair.
    #[cold]
    pub(super) fn push_other(&mut self, span: Span, kind: LineTokenKind) {
        self.push(span, kind, NONE, NONE);
    }

    /// Adds the moves of a block.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn push_all(&mut self, moves: MoveRun<'_>) {
        self.grow(MoveRun::MAX_MOVES);
        let squares: &mut [[u8; 2]; MoveRun::MAX_MOVES] =
            self.squares[self.len + 1..].first_chunk_mut().expect("there is room");
        let spans: &mut [Span; MoveRun::MAX_MOVES] =
            self.spans[self.len..].first_chunk_mut().expect("there is room");
        let mut room = MoveRun::EMPTY_WINDOW;
        let window = moves.window(&mut room);
        match moves.pairs(window) {
            Some(pairs) => {
                *squares = pairs.numbers;
                *spans = pairs.places.map(|[start, end]| Span { start, end });
            }
            None => {
                for (n, (start, end)) in moves.places().enumerate() {
                    let place = start as usize & 63;
                    let mut word = [0; 8];
                    word.copy_from_slice(&window[place..place + 8]);
                    let (from, to) = short_pair(u64::from_le_bytes(word), end - start);
                    squares[n % MoveRun::MAX_MOVES] = [from.0, to.0];
                    spans[n % MoveRun::MAX_MOVES] = Span::new(moves.at() + start, moves.at() + end);
                }
            }
        }
        self.len += moves.len();
    }

    /// Makes room for more parts.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn grow(&mut self, more: usize) {
        if self.squares.len() < self.len + more + 1 + BATCH_PLIES {
            self.grow_much(more);
        }
    }

    #[cold]
    fn grow_much(&mut self, more: usize) {
        let room = (self.len + more + 1 + BATCH_PLIES).next_power_of_two();
        self.squares.resize(room, [NONE.0; 2]);
        self.spans.resize(room, Span::default());
    }
}
