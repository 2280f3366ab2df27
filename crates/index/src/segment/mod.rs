//! Segments: immutable files of up to a million games, written once, read in place and copied when they are merged.

pub(super) mod reader;
pub(super) mod section_file;
pub(crate) mod annotations;
pub(crate) mod rows;
pub(super) mod derived_file;
pub(super) mod move_blocks;
pub(super) mod writer;
pub(super) mod copy;

/// The numbers of a finished segment, which the manifest repeats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SegmentInfo {
    /// Length of the file in bytes.
    pub(crate) len: u64,
    /// Checksum in the footer.
    pub(crate) checksum: u64,
    /// Number of games.
    pub(crate) games: u32,
    /// Legal plies of all main lines.
    pub(crate) plies: u64,
    /// Bytes of all records.
    pub(crate) text_len: u64,
    /// Number of games by [`GameStatus`](pdn::replay::GameStatus); unused entries are 0.
    pub(crate) statuses: [u64; 8],
}

/// Upper limits of a segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentLimits {
    /// Maximum number of games.
    pub(crate) games: u32,
    /// Maximum memory of the dictionaries while the segment is written, in bytes.
    pub(crate) name_memory: usize,
}
