//! Merges many small segments into few large ones on request. [`IndexWriter::commit`] merges some by itself.
//!
//! Games keep their order and their numbers; only the borders between segments change, so every query has the same
//! result as before. Which segments are merged depends on their sizes alone. A merge needs neither the archives nor
//! more memory than writing a segment, costs about a microsecond per game, and is committed by replacing the
//! manifest.

use std::path::Path;

use super::open::Index;
use super::writer::{IndexWriter, SegmentOptions};
use pdn::error::Result;
use pdn::stop::Stop;

/// The result of [`merge`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct MergeReport {
    /// Number of segments before.
    pub before: usize,
    /// Number of segments after.
    pub after: usize,
    /// Number of games of the index.
    pub games: u64,
    /// Length of all segment files together, in bytes.
    pub bytes: u64,
}

/// Merges the segments of the index in a folder into as few as `options` allows; only
/// [`SegmentOptions::segment_games`] is used. If the process is killed at any moment, the index consists of the old
/// segments or of the new ones.
///
/// # Errors
/// Fails if there is no index, another process is writing it, a segment is damaged, or the disk is full. The index is
/// then unchanged.
pub fn merge(dir: impl AsRef<Path>, options: &SegmentOptions) -> Result<MergeReport> {
    merge_until(dir, options, &Stop::new())
}

/// Does the same as [`merge`], unless it is stopped before. The index is then unchanged.
///
/// # Errors
/// As [`merge`], and with [`ErrorKind::Stopped`](pdn::error::ErrorKind::Stopped) if a stop was requested.
pub fn merge_until(dir: impl AsRef<Path>, options: &SegmentOptions, stop: &Stop) -> Result<MergeReport> {
    let dir = dir.as_ref();
    let mut writer = IndexWriter::append(dir, options)?;
    let before = writer.segments();
    if writer.merge_all(stop)? {
        writer.commit()?;
    }
    let index = Index::open(dir)?;
    Ok(MergeReport {
        before,
        after: index.segments().len(),
        games: index.game_count(),
        bytes: index.file_bytes(),
    })
}
