//! The end of a record, and how far beyond it the splitter looks.

use crate::syntax::MAX_VALUE_BYTES;

/// The end of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordEnd {
    /// The offset of the first byte of the next record, or the length of the input.
    pub end: usize,
    /// `true` if the record exceeded [`Limits::game_bytes`](crate::limits::Limits::game_bytes) and was cut here.
    pub cut: bool,
}

/// The number of bytes after the end of a record that its end can depend on, comments excepted.
pub(super) const LOOK_AHEAD: usize = 2 * MAX_VALUE_BYTES;
