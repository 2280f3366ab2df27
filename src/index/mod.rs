//! The archive boiled down: what every game is, who played it, and its moves in about a byte a ply.
//!
//! An index is a folder: immutable segments of up to a million games, a manifest that lists them, and
//! `rejects.jsonl` for the records that could not be replayed to their end. [`IndexWriter`] writes one, [`Index`] reads
//! it, [`verify`] checks it, and [`build`] makes one of whole archives. The format is described
//! byte by byte in the [guide](crate::guide::index_format).
//!
//! - Opening costs O(segments). A section is compared with its checksum when it is first used, so damage is an
//!   error with the name of the file and the section, never a wrong answer and never a panic.
//! - Building needs about 100 bytes a game of one segment, whatever the archive. The bytes depend on the games
//!   and their order alone: not on threads, batches or the time.
//! - Killed at any moment, a writer leaves the old index or the new one; see [`IndexWriter`].
//!
//! [`build_key_tables`] adds key tables, so that a search for an exact position plays only the games that have it.
//!
//! Not here: queries, and anything that needs the text of a game, which stays in the archive or
//! is [embedded](SegmentOptions::embed).

mod build;
mod builder;
mod bytes;
mod column;
mod dictionary;
#[expect(clippy::module_inception, reason = "the noun of the module is what the file holds")]
mod index;
mod manifest;
mod merge;
mod origin;
mod positions;
mod row;
mod rows;
mod section;
mod sum;
mod text;
mod verify;
mod view;
mod wire;
mod write;

pub use build::{ImportFailure, ImportOptions, ImportProgress, ImportSummary, build};
pub use builder::{IndexWriter, SegmentOptions};
pub use column::{Column, ColumnFilter};
pub use dictionary::Dictionary;
pub use index::{Index, IndexedGame};
pub use merge::{MergeReport, merge};
pub use origin::{Fingerprint, IndexedInput};
pub(crate) use positions::is_continuous;
pub use positions::{KeyTable, KeyTableOptions, KeyTablesBuilt, build_key_tables};
pub use row::{GameKind, GameRow, PackedPieceCounts};
pub(crate) use row::{date_of, outcome_of, status_of};
pub use rows::{DictionaryKind, RowBatch};
pub use section::{Section, VERSION};
pub use verify::{IndexProblem, VerifyOptions, VerifyReport, verify};
pub use view::{MoveBlock, MoveBuffer, PackedMoves, RecordLocation, Segment};

#[cfg(test)]
mod tests;
