//! A searchable index of an archive: tags, status and moves of every game, in about one byte per ply.
//!
//! An index is a folder: immutable segments of up to a million games, a manifest that lists them, and `rejects.jsonl`
//! for the records that were not replayed to their end. [`import`] makes an index of whole archives, [`IndexWriter`]
//! writes one game by game, [`Index`] reads it, and [`verify`] checks it. The [guide](crate::guide::index_format)
//! describes every byte of the format.
//!
//! - Opening costs O(segments). A section is verified at its first use, so damage is an error with the names of the
//!   file and the section, never a wrong answer and never a panic.
//! - Writing needs about 100 bytes of memory per game of one segment, however large the archive is. The bytes depend
//!   only on the games and their order, not on threads, batches or the time.
//! - If a writer is killed at any moment, the old index remains or the new one is complete; see [`IndexWriter`].
//!
//! [`build_key_tables`] adds key tables, so that a search for an exact position plays only the games that have it, books, so
//! that the opening tree of a common position is looked up, and openings, so that it is counted without playing games if
//! only some games count.
//!
//! Queries are in [`query`](crate::query). The text of a game stays in the archive unless it is
//! [embedded](SegmentOptions::embed).

mod game_set;
mod format;
mod row;
mod segment;
mod keys;
pub(crate) mod book;
pub(crate) mod openings;
mod manifest;
mod lock;
mod rejects;
mod folder;
mod retire;
mod relocate;
mod open;
mod texts;
mod record_numbers;
mod merge_plan;
mod writer;
mod merge;
mod compared;
mod book_build;
mod opening_build;
mod key_build;
mod import;
mod temporary;
mod verify;

pub use format::column::{Column, ColumnFilter};
pub(crate) use format::columns::game_columns;
pub use format::columns::{DictionaryKind, Section, TextColumn};
pub use format::dictionary::Dictionary;
pub use format::section::VERSION;
pub(crate) use format::wire;
pub use game_set::{GameSet, GameSetIter};
pub use import::{
    ImportFailure, ImportOptions, ImportProgress, ImportSummary, KeyTables, import, import_archives,
    import_with,
};
pub use key_build::{KeyTableOptions, KeyTablesBuilt, build_key_tables};
pub use keys::table::KeyTable;
pub use merge::{MergeReport, merge, merge_until};
pub use open::{Index, IndexedGame, IndexedGames};
pub use record_numbers::RecordNumbers;
pub use row::game_row::{GameKind, GameRow, PackedPieceCounts};
pub(crate) use row::game_row::{date_bits, date_of};
pub use row::input::{Fingerprint, IndexedInput};
pub use row::row_batch::RowBatch;
pub(crate) use row::summary_bits::{is_continuous, outcome_of, status_of};
pub use segment::move_blocks::{MoveBlock, MoveBuffer, PackedMoves};
pub use segment::reader::{RecordLocation, Segment};
pub(crate) use segment::rows::SegmentRows;
pub use temporary::TemporaryIndex;
pub use texts::TextReader;
pub use verify::{IndexProblem, VerifyOptions, VerifyReport, verify, verify_with};
pub use writer::{IndexWriter, SegmentOptions};

#[cfg(test)]
pub(crate) mod tests;
