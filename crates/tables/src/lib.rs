//! Exports games, moves, positions, comments and diagnostics as tables.
//!
//! A [`Table`] has columns with names, types and meanings. A [`ColumnSelection`] chooses some of them;
//! only what the chosen columns need is computed, so a table of tags replays nothing. [`RowMaker`] makes a [`TableBatch`] from
//! each batch of an archive, and [`IndexRows`] from the games of an index. The text formats [`CsvWriter`] and [`JsonlWriter`] write
//! it row by row. The order of the rows is that of the archive or index, on any number of threads.
//!
//! ```
//! use pdn::archive::Archive;
//! use pdn_tables::{ColumnSelection, CsvWriter, ExportOptions, RowMaker, Table};
//! use pdn::source::OpenOptions;
//!
//! let text = &b"[White \"Ames\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n"[..];
//! let columns = ColumnSelection::named(Table::Moves, ["ply", "text"])?;
//! let mut maker = RowMaker::new(&columns, &ExportOptions::new());
//! let csv = CsvWriter::new(&columns);
//! let mut out = csv.header().to_vec();
//! for batch in Archive::from_reader(text, "games.pdn", &OpenOptions::new())?.batches() {
//!     let rows = maker.rows(&batch?)?;
//!     csv.write(&rows, 0..rows.rows, &mut out);
//! }
//! assert_eq!(String::from_utf8(out)?, "ply,text\r\n0,32-28\r\n1,19-23\r\n2,28x19\r\n3,14x23\r\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The guide lists all columns. The columns of a batch can be read as typed values, and positions written for
//! training. With the feature `arrow` there are record batches of Arrow, with `ipc` and `parquet` files of them.

mod squares;
mod plies;
mod dataset;
mod batch;
mod schema;
mod plain_ascii;
mod record;
mod notes;
mod filter;
mod games;
mod moves;
mod positions;
mod comments;
mod diagnostics;
mod rows;
mod index_rows;
mod format;

#[cfg(feature = "arrow")]
pub mod arrow;

pub use batch::TableBatch;
pub use format::{CsvWriter, JsonlWriter};
pub use index_rows::IndexRows;
pub use rows::{ExportOptions, RowMaker};
pub use schema::{ColumnSelection, SCHEMA_VERSION, Table, UnknownColumn};

pub use crate::filter::RecordFilter;
pub use batch::{BatchColumn, ColumnValues, DictionaryValues, ListValues, MapValues, SquareSets, TextValues};
#[doc(hidden)]
pub use dataset::DatasetManifest;
pub use dataset::{
    DatasetBatches, DatasetConflict, DatasetCounts, DatasetDedup, DatasetFile, DatasetFormat, DatasetGames,
    DatasetOptions, DatasetReader, DatasetSplit, DatasetSummary, DatasetWriter,
};
pub use filter::is_game_query;
pub use format::write_json_value;
pub use games::IndexedValue;
pub use schema::{ColumnSpec, GameField, ValueType};

#[cfg(test)]
mod tests;
