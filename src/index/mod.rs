//! A searchable index of an archive: tags, status and moves of every game, in about one byte per ply.
//!
//! An index is a folder: immutable segments of up to a million games, a manifest that lists them, and `rejects.jsonl`
//! for the records that were not replayed to their end. [`import`] makes an index of whole archives, and [`Index`]
//! reads it. The [guide](crate::guide::index_format)
//! describes every byte of the format.
//!
//! - Opening costs O(segments). A section is verified at its first use, so damage is an error with the names of the
//!   file and the section, never a wrong answer and never a panic.
//! - Writing needs about 100 bytes of memory per game of one segment, however large the archive is. The bytes depend
//!   only on the games and their order, not on threads, batches or the time.
//! - If an import is killed at any moment, the old index remains or the new one is complete.
//!
//! An import adds key tables, so that a search for an exact position plays only the games that have it, books, so
//! that the opening tree of a common position is looked up, and openings, so that it is counted without playing games if
//! only some games count.
//!
//! Queries are in [`query`](crate::query). The text of a game stays in the archive unless it is
//! embedded.
//!
//! ```
//! use pdn::index::{ImportOptions, Index, import};
//!
//! let folder = tempfile::tempdir()?;
//! let archive = folder.path().join("games.pdn");
//! std::fs::write(&archive, "[White \"Ames\"]\n1. 32-28 19-23 2-0\n")?;
//! let path = folder.path().join("games.idx");
//! assert_eq!(import([&archive], &path, &ImportOptions::new())?.games, 1);
//!
//! let index = Index::open(&path)?;
//! let row = index.game(0).expect("it has one game").row()?;
//! assert_eq!((row.white, row.plies), ("Ames", 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod game_set;
mod files;
mod format;
mod row;
mod segment;
mod keys;
pub(crate) mod book;
pub(crate) mod openings;
pub(crate) mod extract;
mod manifest;
mod lock;
mod rejects;
mod folder;
mod retire;
mod relocate;
mod open;
mod name_tallies;
mod ranged_index;
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
mod published;
mod digest;

pub(crate) use files::FilePart;
pub(crate) use format::annotations::{AnnotationBits, StoredLine, StoredNote};
pub(crate) use format::columns::{NumberColumn, game_columns};
pub use format::section::VERSION;
pub(crate) use format::wire;
pub use import::{ImportFailure, ImportOptions, ImportProgress, ImportSummary, import, import_with};
pub use open::{Index, IndexedGame};
pub use row::game_row::GameRow;
pub(crate) use row::game_row::{date_bits, date_of};
pub(crate) use row::summary_bits::{is_continuous, outcome_of, status_of};
pub(crate) use segment::annotation_reader::AnnotationBytes;
pub(crate) use segment::line_starts::line_starts;
pub(crate) use segment::rows::SegmentRows;

unstable! {
    use digest::{FORMAT_DIGEST, digest_with_text};
    use files::ranged::RangeSource;
    use format::column::{Column, ColumnFilter};
    use format::columns::{DictionaryKind, Section, TextColumn};
    use format::dictionary::Dictionary;
    use game_set::{GameSet, GameSetIter};
    use import::{KeyTables, ShrunkFile, import_archives, import_in_memory};
    use key_build::{KeyTableOptions, KeyTablesBuilt, build_key_tables};
    use keys::table::KeyTable;
    use merge::{MergeReport, merge, merge_until};
    use ranged_index::RangedIndex;
    use record_numbers::RecordNumbers;
    use row::game_facts::GameFacts;
    use row::game_row::{GameKind, PackedPieceCounts};
    use row::input::{Fingerprint, IndexedInput};
    use row::row_batch::RowBatch;
    use segment::move_blocks::{MoveBlock, MoveBuffer, PackedMoves};
    use segment::reader::{RecordLocation, Segment};
    use temporary::TemporaryIndex;
    use texts::TextReader;
    use verify::{IndexProblem, VerifyOptions, VerifyReport, verify, verify_with};
    use writer::{IndexWriter, SegmentOptions};
}

#[cfg(test)]
pub(crate) mod tests;
