//! LIMITS

/// The most of a merged segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentLimits {
    pub(crate) games: u32,
    pub(crate) names: usize,
}
