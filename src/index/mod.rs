//! The archive boiled down: what every game is, who played it, and its moves in about a byte a ply.
//!
//! An index is a folder: immutable segments of up to a million games, a manifest that lists them, and
//! `rejects.jsonl` for the records that could not be replayed to their end. [`Builder`] writes one, [`Index`] reads
//! it, [`verify`] checks it, and [`build`] makes one of whole archives. The format is described
//! byte by byte in the [guide](crate::guide::index_format).
//!
//! - Opening costs O(segments). A section is compared with its checksum when it is first used, so damage is an
//!   error with the name of the file and the section, never a wrong answer and never a panic.
//! - Building needs about 100 bytes a game of one segment, whatever the archive. The bytes depend on the games
//!   and their order alone: not on threads, batches or the time.
//! - Killed at any moment, a writer leaves the old index or the new one; see [`Builder`].
//!
//! [`build_positions`] adds tables of positions, so that [`Index::positions_of`] finds one at once in any archive.
//!
//! Not here: queries, and anything that needs the text of a game, which stays in the archive or
//! is [embedded](Layout::embed).

pub mod packed;

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
mod storage;
mod sum;
mod text;
mod verify;
mod view;
mod wire;
mod write;

pub use build::{Failure, Options, Progress, Summary, build};
pub use builder::{Builder, Layout};
pub use column::{Column, Marks};
pub use dictionary::{Dictionary, fold};
pub use index::{Game, Index};
pub use merge::{Merged, merge};
pub use origin::{Fingerprint, Origin};
pub(crate) use positions::is_plain;
pub use positions::{Built, Goal, Hit, Keys, PositionsOptions, Seen, build_positions};
pub use row::{Kind, Material, Row};
pub(crate) use row::{date_of, outcome_of, status_of};
pub use rows::{Names, Rows};
pub use section::{Section, VERSION};
pub use verify::{Finding, Report, Verify, verify};
pub use view::{Block, Moves, MovesBuffer, Place, Segment};

#[cfg(test)]
mod tests;
