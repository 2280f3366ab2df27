//! Exports games, moves, positions, comments and diagnostics as tables, and positions for training.
//!
//! A [`Table`] has columns that `ColumnSpec`s define: names, types, meanings. A [`ColumnSelection`] chooses some of them;
//! only what the chosen columns need is computed, so a table of tags replays nothing. [`RowMaker`] makes a [`TableBatch`] from
//! each batch of an archive, and [`IndexRows`] from the games of an index. A batch has typed columns. The text
//! formats [`CsvWriter`] and [`JsonlWriter`] write it row by row. The order of the rows is that of the archive or
//! index, on any number of threads.
//!
//! The [guide](crate::guide::tables) lists all columns.

mod batch;
mod schema;
mod squares;
mod plies;
mod text;
mod plain_ascii;
mod record;
mod notes;
mod filter;
mod record_filter;
mod games;
mod moves;
mod positions;
mod comments;
mod diagnostics;
mod rows;
mod index_rows;
mod format;
mod dataset;

pub use batch::TableBatch;
pub use format::{CsvWriter, JsonlWriter};
pub use index_rows::IndexRows;
pub use rows::{ExportOptions, RowMaker};
pub use schema::{ColumnSelection, SCHEMA_VERSION, Table, UnknownColumn};

unstable! {
    use batch::{BatchColumn, ColumnValues, DictionaryValues, ListValues, MapValues, TextValues};
    use dataset::{
        DatasetCounts, DatasetDedup, DatasetFile, DatasetFormat, DatasetGames, DatasetOptions,
        DatasetSummary, DatasetWriter,
    };
    use filter::is_game_query;
    use format::write_json_value;
    use record_filter::RecordFilter;
    use schema::{ColumnSpec, GameField, ValueType};
}

#[cfg(test)]
mod tests;
