//! What is recorded while a record is walked: the tokens of its main line and the spans of its tags.

mod drawn_start;
mod main_line;
mod variations;

pub(super) use drawn_start::DrawnStart;
pub use main_line::MainLine;
pub use variations::{RecordedVariation, Variations};

use std::ops::Range;

use crate::movegen::batch::BATCH_PLIES;
use crate::notation::{SquareCode, pair, short_pair};
use crate::parse::{MissingMark, MoveRun, WrittenMove};
use crate::span::Span;

/// A token of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineToken {
    /// The span of its text, relative to the first byte of the record.
    pub(crate) span: Span,
    pub(crate) kind: LineTokenKind,
    /// The first square of a [`LineTokenKind::Pair`]; [`NO_SQUARE`] for other kinds.
    pub(crate) from: SquareCode,
    /// The second square of a [`LineTokenKind::Pair`]; [`NO_SQUARE`] for other kinds.
    pub(crate) to: SquareCode,
}

/// The kind of a [`LineToken`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum LineTokenKind {
    /// A written move of two squares, decoded.
    Pair,
    /// A written move of any other form, whose text is read again when it is resolved.
    OtherMove,
    /// A list of the squares that the move before it captures.
    Captures,
    /// `...` in place of a move.
    Ellipsis,
    /// `-` in place of a move.
    Dash,
    /// The FEN of a setup.
    Setup,
    /// Text without meaning.
    StrayText,
}

impl LineTokenKind {
    /// Returns `true` if the token is a written move.
    pub(crate) const fn is_move(self) -> bool {
        matches!(self, Self::Pair | Self::OtherMove)
    }

    /// Returns the kind of a mark for a missing move.
    pub(crate) const fn of_mark(mark: MissingMark) -> Self {
        match mark {
            MissingMark::Ellipsis => Self::Ellipsis,
            MissingMark::Dash => Self::Dash,
        }
    }
}

/// The tokens of a line in order, ten bytes each. Its memory is reused for the next line.
#[derive(Clone, Debug, Default)]
pub struct LineTokens {
    len: usize,
    /// Two square codes per token, [`NO_SQUARE`] for tokens that are not pairs. One entry precedes the first token and
    /// a batch of padding with arbitrary values follows the last, so that a batch is read without a bounds check per
    /// token.
    squares: Vec<[u8; 2]>,
    /// The span of each token, then padding.
    spans: Vec<Span>,
    /// Index and kind of every token that is not a pair, in ascending order of the index.
    others: Vec<(usize, LineTokenKind)>,
}

/// A code that names no square.
const NO_SQUARE: SquareCode = SquareCode(0);

impl LineTokens {
    /// Removes all tokens and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
        self.others.clear();
    }

    /// Returns the number of tokens.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if there is no token.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the token at an index from 0; `None` past the last. O(log n) in the number of tokens that are not pairs.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<LineToken> {
        (index < self.len).then(|| self.token(index))
    }

    /// Returns the token at an index below [`len`](Self::len).
    #[inline]
    pub(crate) fn token(&self, index: usize) -> LineToken {
        let kind = match self.others.binary_search_by_key(&index, |&(other, _)| other) {
            Ok(position) => self.others[position].1,
            Err(_) => LineTokenKind::Pair,
        };
        let [from, to] = self.squares[index + 1].map(SquareCode);
        LineToken { span: self.spans[index], kind, from, to }
    }

    /// Returns the span of the first token of a kind other than [`LineTokenKind::Pair`]; `None` without one.
    pub(crate) fn first_other(&self, kind: LineTokenKind) -> Option<Span> {
        self.others.iter().find(|(_, other)| *other == kind).map(|&(index, _)| self.spans[index])
    }

    /// Iterates over all tokens.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = LineToken> + ExactSizeIterator + Clone {
        self.range(0..self.len)
    }

    /// Iterates over the tokens of a range of indices that ends at [`len`](Self::len) at most.
    ///
    /// Tokens outside the range are not visited, unlike by `iter().skip(n)`.
    pub(crate) fn range(
        &self,
        indices: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = LineToken> + ExactSizeIterator + Clone {
        indices.map(|index| self.token(index))
    }

    /// Returns the square codes of a batch of tokens from `index` on, two tokens per entry.
    ///
    /// With `after_previous` the batch begins one token earlier. Entries past the last token have arbitrary values.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn batch_squares(&self, index: usize, after_previous: bool) -> &[[u8; 4]; BATCH_PLIES / 2] {
        const EMPTY: [[u8; 4]; BATCH_PLIES / 2] = [[NO_SQUARE.0; 4]; BATCH_PLIES / 2];
        let first = index + 1 - usize::from(after_previous);
        let rest = self.squares.get(first..).unwrap_or_default().as_flattened();
        rest.as_chunks().0.first_chunk().unwrap_or(&EMPTY)
    }

    /// Appends a token; `from` and `to` are the squares of a pair.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn push(&mut self, span: Span, kind: LineTokenKind, from: SquareCode, to: SquareCode) {
        self.reserve(1);
        self.squares[self.len + 1] = [from.0, to.0];
        self.spans[self.len] = span;
        if kind != LineTokenKind::Pair {
            self.others.push((self.len, kind));
        }
        self.len += 1;
    }

    /// Appends a written move.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn push_move(&mut self, mv: WrittenMove<'_>) {
        match pair(mv.text) {
            Some((from, to)) => self.push(mv.span, LineTokenKind::Pair, from, to),
            None => self.push_other(mv.span, LineTokenKind::OtherMove),
        }
    }

    /// Appends a token that is not a pair.
    #[cold]
    pub(crate) fn push_other(&mut self, span: Span, kind: LineTokenKind) {
        self.push(span, kind, NO_SQUARE, NO_SQUARE);
    }

    /// Appends all moves of a run.
    // Twin: push_move, one by one; test: move_runs_record_same_line_as_single_moves.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn push_run(&mut self, moves: MoveRun<'_>) {
        self.reserve(MoveRun::MAX_MOVES);
        let squares: &mut [[u8; 2]; MoveRun::MAX_MOVES] =
            self.squares[self.len + 1..].first_chunk_mut().expect("capacity for a run is reserved");
        let spans: &mut [Span; MoveRun::MAX_MOVES] =
            self.spans[self.len..].first_chunk_mut().expect("capacity for a run is reserved");
        match moves.pairs() {
            Some(pairs) => {
                *squares = pairs.numbers;
                *spans = pairs.places.map(|[start, end]| Span { start, end });
            }
            None => {
                let mut buffer = MoveRun::EMPTY_WINDOW;
                let window = moves.window(&mut buffer);
                for (n, (start, end)) in moves.places().enumerate() {
                    let offset = start as usize & 63;
                    let mut word = [0; 8];
                    word.copy_from_slice(&window[offset..offset + 8]);
                    let (from, to) = short_pair(u64::from_le_bytes(word), end - start);
                    squares[n % MoveRun::MAX_MOVES] = [from.0, to.0];
                    spans[n % MoveRun::MAX_MOVES] = Span::new(moves.at() + start, moves.at() + end);
                }
            }
        }
        self.len += moves.len();
    }

    /// Appends a range of the tokens of another line.
    pub(crate) fn append(&mut self, other: &Self, tokens: Range<usize>) {
        let count = tokens.len();
        if count == 0 {
            return;
        }
        self.reserve(count);
        self.squares[self.len + 1..][..count].copy_from_slice(&other.squares[tokens.start + 1..][..count]);
        self.spans[self.len..][..count].copy_from_slice(&other.spans[tokens.clone()]);
        let first = other.others.partition_point(|&(index, _)| index < tokens.start);
        let others = other.others[first..].iter().take_while(|(index, _)| *index < tokens.end);
        self.others.extend(others.map(|&(index, kind)| (self.len + index - tokens.start, kind)));
        self.len += count;
    }

    /// Makes room for `additional` tokens and the padding.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn reserve(&mut self, additional: usize) {
        if self.squares.len() < self.len + additional + 1 + BATCH_PLIES {
            self.grow(additional);
        }
    }

    #[cold]
    fn grow(&mut self, additional: usize) {
        let capacity = (self.len + additional + 1 + BATCH_PLIES).next_power_of_two();
        self.squares.resize(capacity, [NO_SQUARE.0; 2]);
        self.spans.resize(capacity, Span::default());
    }
}
