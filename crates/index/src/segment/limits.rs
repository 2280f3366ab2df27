//! The limits at which a segment is full.

/// Upper limits of a segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentLimits {
    /// Maximum number of games.
    pub(crate) games: u32,
    /// Maximum memory of the dictionaries while the segment is written, in bytes.
    pub(crate) name_memory: usize,
}
