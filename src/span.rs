//! Where something stands: spans inside a game, offsets inside an archive.
//!
//! A game is never longer than 4 GiB ([`Limits`](crate::limits::Limits) cut it far earlier), so inside a game
//! a `u32` pair is enough and keeps tokens small. Places in an archive are `u64` byte offsets.

use std::fmt;
use std::ops::Range;

/// A byte range relative to the first byte of its game, half open: `start..end`.
///
/// Order is by start, then by end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just past the last byte.
    pub end: u32,
}

impl Span {
    /// A span from `start` up to, not including, `end`.
    #[inline]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// An empty span at `at`.
    #[inline]
    pub const fn at(at: u32) -> Self {
        Self { start: at, end: at }
    }

    /// Number of bytes covered.
    #[inline]
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether the span covers no byte.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// The span as a range that indexes the bytes of its game.
    #[inline]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The bytes covered in `game`, the slice that the span belongs to. A span that reaches past the end of
    /// `game` gives what is there, so a span kept with the wrong game misleads but never panics.
    #[inline]
    pub fn of(self, game: &[u8]) -> &[u8] {
        let end = (self.end as usize).min(game.len());
        let start = (self.start as usize).min(end);
        &game[start..end]
    }

    /// The smallest span that covers both.
    #[inline]
    pub fn to(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// The same bytes counted from a place `by` bytes earlier.
    #[inline]
    pub const fn shifted(self, by: u32) -> Self {
        Self::new(self.start + by, self.end + by)
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

impl From<Range<u32>> for Span {
    fn from(range: Range<u32>) -> Self {
        Self::new(range.start, range.end)
    }
}

/// A line and a column, both counted from 1; the column counts characters. See
/// [`LineCounter`](crate::source::LineCounter).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct LineColumn {
    /// Line number, from 1. LF, CR and CRLF each end a line.
    pub line: u64,
    /// Column in that line in characters, from 1.
    pub column: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_never_reads_past_its_game() {
        assert_eq!(Span::new(2, 5).of(b"abcdefg"), b"cde");
        assert_eq!(Span::new(2, 50).of(b"abc"), b"c");
        assert_eq!(Span::new(9, 50).of(b"abc"), b"");
        assert_eq!(Span::new(5, 2).len(), 0);
    }

    #[test]
    fn spans_join_and_shift() {
        assert_eq!(Span::new(4, 6).to(Span::new(1, 2)), Span::new(1, 6));
        assert_eq!(Span::new(1, 2).shifted(10), Span::new(11, 12));
    }
}
