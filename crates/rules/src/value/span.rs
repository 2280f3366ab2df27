//! Byte ranges of a record.
//!
//! A record has at most 2 GiB, so two `u32` offsets are enough and keep tokens small.

use core::fmt;
use core::ops::Range;

/// A byte range relative to the first byte of its record, half open: `start..end`.
///
/// Spans are ordered by start, then by end.
///
/// ```
/// use pdn_rules::value::Span;
///
/// let record = b"1. 32-28 *";
/// let span = Span::new(3, 8);
/// assert_eq!(span.of(record), b"32-28");
/// assert_eq!((span.len(), span.to(Span::at(10))), (5, Span::new(3, 10)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just past the last byte.
    pub end: u32,
}

impl Span {
    /// Creates the span from `start` up to, but not including, `end`.
    #[inline]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Creates an empty span at the offset `at`.
    #[inline]
    pub const fn at(at: u32) -> Self {
        Self { start: at, end: at }
    }

    /// Returns the number of bytes covered; 0 if `end` lies before `start`.
    #[inline]
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Returns `true` if the span covers no byte.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Returns the span as a range that indexes the bytes of its record.
    #[inline]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the covered bytes of `record`, the slice that the span belongs to.
    ///
    /// A span that reaches past the end of `record` is clipped. A span used with the wrong record therefore returns
    /// wrong bytes, but never panics.
    #[inline]
    pub fn of(self, record: &[u8]) -> &[u8] {
        let end = (self.end as usize).min(record.len());
        let start = (self.start as usize).min(end);
        &record[start..end]
    }

    /// Returns the smallest span that covers both.
    #[inline]
    pub fn to(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// Returns the same bytes relative to a point `by` bytes earlier.
    ///
    /// Offsets saturate at [`u32::MAX`].
    #[inline]
    pub const fn shifted(self, by: u32) -> Self {
        Self::new(self.start.saturating_add(by), self.end.saturating_add(by))
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// Writes `start..end`.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl From<Range<u32>> for Span {
    fn from(range: Range<u32>) -> Self {
        Self::new(range.start, range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn span_is_clipped_to_its_record() {
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

    #[test]
    fn shifted_span_saturates_at_four_gigabytes() {
        assert_eq!(Span::new(1, u32::MAX).shifted(7), Span::new(8, u32::MAX));
        assert_eq!(Span::new(u32::MAX, u32::MAX).shifted(u32::MAX), Span::at(u32::MAX));
    }
}
