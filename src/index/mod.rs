//! The archive boiled down: what every game is, who played it, and its moves in about a byte a ply.
//!
//! An index is a folder: immutable segments of up to a million games, a manifest that lists them, and
//! `rejects.jsonl` for the records that could not be replayed to their end. [`IndexWriter`] writes one, [`Index`] reads
//! it, [`verify`] checks it, and [`import`] makes one of whole archives. The format is described
//! byte by byte in the [guide](crate::guide::index_format).
//!
//! - Opening costs O(segments). A section is compared with its checksum when it is first used, so damage is an
//!   error with the name of the file and the section, never a wrong answer and never a panic.
//! - Building needs about 100 bytes a game of one segment, whatever the archive. The bytes depend on the games
//!   and their order alone: not on threads, batches or the time.
//! - Killed at any moment, a writer leaves the old index or the new one; see [`IndexWriter`].
//!
//! [`build_key_tables`] adds tables of positions, so that [`Index::positions_of`] finds one at once in any archive.
//!
//! Not here: queries, and anything that needs the text of a game, which stays in the archive or
//! is [embedded](SegmentOptions::embed).

mod format;
mod row;
mod segment;
mod keys;
mod manifest;
mod lock;
mod rejects;
mod open;
mod merge_plan;
mod writer;
mod merge;
mod key_build;
mod import;
mod verify;
mod positions;

pub use format::column::{Column, ColumnFilter};
pub use format::dictionary::Dictionary;
pub use format::section::{Section, VERSION};
pub use import::{ImportFailure, ImportOptions, ImportProgress, ImportSummary, import, import_with};
pub use key_build::{KeyTableOptions, KeyTablesBuilt, build_key_tables};
pub use keys::table::KeyTable;
pub use merge::{MergeReport, merge};
pub use open::{Index, IndexedGame};
pub use positions::{Hit, PositionEvent, PositionTarget};
pub(crate) use row::game_row::date_of;
pub use row::game_row::{GameKind, GameRow, PackedPieceCounts};
pub use row::input::{Fingerprint, IndexedInput};
pub use row::row_batch::{DictionaryKind, RowBatch};
pub(crate) use row::summary_bits::{SummaryBits, is_continuous, outcome_of, status_of};
pub use segment::move_blocks::{MoveBlock, MoveBuffer, PackedMoves};
pub use segment::reader::{RecordLocation, Segment};
pub use verify::{IndexProblem, VerifyOptions, VerifyReport, verify};
pub use writer::{IndexWriter, SegmentOptions};

#[cfg(test)]
mod tests;
