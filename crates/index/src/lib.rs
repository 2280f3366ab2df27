//! A searchable index of an archive: tags, status and moves of every game, in about one byte per ply.
//!
//! An index is a folder: immutable segments of up to a million games, a manifest that lists them, and `rejects.jsonl`
//! for the records that were not replayed to their end. [`import`] makes an index of whole archives, and [`Index`]
//! reads it. The guide
//! describes every byte of the format.
//!
//! - Opening costs O(segments). A section is verified at its first use, so damage is an error with the names of the
//!   file and the section, never a wrong answer and never a panic.
//! - Writing needs about 50 bytes of memory per game of one segment, however large the archive is. The bytes depend
//!   only on the games and their order, not on threads, batches or the time.
//! - If an import is killed at any moment, the old index remains or the new one is complete.
//!
//! An import adds key tables, so that a search for an exact position plays only the games that have it, books, so
//! that the opening tree of a common position is looked up, and openings, so that it is counted without playing games if
//! only some games count.
//!
//! Queries are in [`query`]. The text of a game stays in the archive unless it is
//! embedded.
//!
//! ```
//! use pdn_index::{ImportOptions, Index, import};
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

#[macro_use(message)]
extern crate pdn;

pub(crate) mod external_sort;
pub(crate) mod game_set;
pub(crate) mod files;
pub(crate) mod format;
pub(crate) mod pack;
pub(crate) mod row;
pub(crate) mod segment;
pub(crate) mod keys;
pub(crate) mod book;
pub(crate) mod openings;
pub(crate) mod extract;
pub(crate) mod manifest;
mod folder;
mod retire;
pub(crate) mod earlier;
mod open;
mod names;
pub(crate) mod ranged_index;
pub(crate) mod texts;
mod merge_plan;
pub(crate) mod writer;
mod book_build;
mod opening_build;
pub(crate) mod key_build;
pub(crate) mod import;
pub(crate) mod verify;
mod published;
pub mod query;
#[doc(hidden)]
pub mod internal;

pub use crate::names::{NamesOfMap, name_edits};
pub(crate) use crate::segment::annotations::{AnnotationBytes, line_starts};
pub(crate) use files::FilePart;
pub(crate) use format::annotations::{AnnotationBits, StoredLine, StoredNote};
pub(crate) use format::columns::NumberColumn;
pub use format::section::VERSION;
pub use import::{ImportFailure, ImportOptions, ImportProgress, ImportSummary, import, import_with};
pub use open::{Index, IndexedGame};
pub use query::{Query, Search};
pub use row::game_row::GameRow;
pub(crate) use row::game_row::date_of;
pub(crate) use row::summary_bits::{is_continuous, outcome_of, status_of};
pub(crate) use segment::rows::SegmentRows;

pub(crate) use format::column::{Column, ColumnFilter};
pub(crate) use format::columns::{Section, TextColumn};
pub(crate) use format::dictionary::Dictionary;
pub(crate) use game_set::GameSet;
pub(crate) use row::game_row::{GameKind, PackedPieceCounts};
pub(crate) use segment::move_blocks::{MoveBuffer, PackedMoves};
pub(crate) use segment::reader::Segment;
pub(crate) use texts::TextReader;

#[cfg(test)]
pub(crate) mod tests;

/// The examples in README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
