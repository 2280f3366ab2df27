//! Many small segments into few large ones.
//!
//! Every [`append`](super::IndexWriter::append) adds a segment, and each costs every query a little. So when a writer
//! commits, segments of about the same size that stand together are merged, eight or more at a time: an index that grows
//! game by game has some ten of them, and a game is copied once for each power of eight in the size of the index. [`merge`]
//! makes as few as the layout allows.
//!
//! Games keep their order and their numbers, and nothing but the cut between segments changes: every query answers as
//! before. Which segments are merged depends on their sizes alone. It needs neither the archives nor more memory than
//! building, costs about a microsecond a game, and is part of the one step in which the manifest is replaced.

use std::path::Path;

use super::open::Index;
use super::writer::{IndexWriter, SegmentOptions};
use crate::error::Result;

/// What a merge did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MergeReport {
    /// Segments there were.
    pub before: usize,
    /// Segments there are.
    pub after: usize,
    /// Games of the index.
    pub games: u64,
    /// Bytes of the segments.
    pub bytes: u64,
}

/// Merges the segments of the index in a folder into as few as `layout` allows, of which only the most games of a
/// segment count. Killed at any moment, it leaves the old segments or the new ones.
///
/// # Errors
/// When there is no index, another process is writing it, a segment is damaged, or the disk does not take it; then
/// the index stays as it is.
pub fn merge(dir: impl AsRef<Path>, layout: SegmentOptions) -> Result<MergeReport> {
    let dir = dir.as_ref();
    let mut builder = IndexWriter::append(dir, layout)?;
    let before = builder.segments();
    if builder.merge_all()? {
        builder.commit()?;
    }
    let index = Index::open(dir)?;
    Ok(MergeReport { before, after: index.segments().len(), games: index.len(), bytes: index.file_bytes() })
}
