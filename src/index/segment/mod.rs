//! SEGMENT

pub(super) mod limits;
pub(super) mod text_sums;
pub(super) mod reader;
pub(super) mod move_blocks;
pub(super) mod section_file;
pub(super) mod pending;
pub(super) mod writer;
pub(super) mod copy;

/// What a finished segment is called in the manifest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SegmentInfo {
    pub(crate) len: u64,
    pub(crate) sum: u64,
    pub(crate) games: u32,
    pub(crate) plies: u64,
    pub(crate) text: u64,
    pub(crate) statuses: [u64; 8],
}
