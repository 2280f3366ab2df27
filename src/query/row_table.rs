//! Reads the rows of many games, with columns and dictionaries opened once.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use crate::error::Result;
use crate::index::{GameRow, Index, Segment, SegmentRows, TextColumn};
use crate::pool;

/// The rows of all games of an index, opened for reading.
///
/// A row takes some tens of nanoseconds. [`Segment::row`] takes longer, because it opens the dictionaries each time.
#[derive(Debug)]
pub struct RowTable<'a> {
    index: &'a Index,
    segments: Vec<SegmentRows<'a>>,
}

impl<'a> RowTable<'a> {
    /// Opens the columns and dictionaries of an index. Takes O(bytes of its dictionaries).
    ///
    /// # Errors
    /// If a section is damaged.
    pub fn new(index: &'a Index) -> Result<Self> {
        let segments = index.segments().iter().map(SegmentRows::new).collect::<Result<_>>()?;
        Ok(Self { index, segments })
    }

    /// Opens these columns of texts and all numbers but the piece counts, on `threads` threads, for a caller that needs nothing else: the
    /// other texts of its rows are empty, and they have no pieces. Reads less than [`new`](Self::new), which reads all columns.
    ///
    /// # Errors
    /// If a section is damaged.
    pub fn with_texts(index: &'a Index, texts: &[TextColumn], threads: NonZeroUsize) -> Result<Self> {
        let mut segments = Vec::with_capacity(index.segments().len());
        pool::try_ordered(
            index.segments(),
            threads,
            || (),
            |(), segment| SegmentRows::with_texts(segment, texts),
            |rows| {
                segments.push(rows);
                ControlFlow::Continue(())
            },
        )?;
        Ok(Self { index, segments })
    }

    /// Opens the columns and dictionaries, as [`new`](Self::new) does, for a caller that reads few rows of a large index: what is read to
    /// verify them does not stay in memory.
    ///
    /// # Errors
    /// If a section is damaged.
    pub fn for_few_rows(index: &'a Index) -> Result<Self> {
        let open = |segment: &'a Segment| {
            let rows = SegmentRows::new(segment);
            segment.release_pages();
            rows
        };
        let segments = index.segments().iter().map(open).collect::<Result<_>>()?;
        Ok(Self { index, segments })
    }

    /// Lets the system take back the memory of the rows that were read. They are read again when they are needed.
    pub fn release(&self) {
        self.index.segments().iter().for_each(Segment::release_pages);
    }

    /// Returns the row of a game, by its number in the index, from 0. `None` if there is no such game, or a value of its
    /// row is invalid.
    pub fn row(&self, game: u64) -> Option<GameRow<'a>> {
        let segments = 0..self.segments.len();
        let first = |segment: usize| self.index.first_game(segment).unwrap_or(u64::MAX);
        let segment = segments.rev().find(|&segment| first(segment) <= game)?;
        self.segments[segment].row(usize::try_from(game - first(segment)).ok()?).ok()
    }
}
