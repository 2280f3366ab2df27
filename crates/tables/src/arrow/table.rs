//! A table that is ready to be read.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{ColumnSelection, ExportOptions, Table, is_game_query};
use arrow_schema::SchemaRef;
use pdn::internal::source::path_text;
use pdn::source::OpenOptions;
use pdn_index::Index;

use super::schema::Words;
use crate::arrow::convert::Conversion;
use crate::arrow::error::TableError;
use crate::arrow::input::{SkippedArchives, TableArchive};
use crate::arrow::schema::{SquaresType, StringsType, arrow_schema};

/// Where the rows of a table come from.
#[derive(Clone, Debug)]
pub enum Rows {
    /// The records of archives, in this order.
    Archives(Vec<TableArchive>),
    /// The games of an index.
    Index(Arc<Index>),
}

impl Rows {
    /// Returns the records of archives, in this order.
    pub fn of<A: Into<TableArchive>>(archives: impl IntoIterator<Item = A>) -> Self {
        Self::Archives(archives.into_iter().map(Into::into).collect())
    }
}

/// Options of a table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TableOptions {
    /// Which games have rows, and how they are replayed.
    pub export: ExportOptions,
    /// How archives are opened.
    pub open: OpenOptions,
    /// The number of threads that make rows.
    pub threads: NonZeroUsize,
    /// How columns with one of a few texts are stored.
    pub strings: StringsType,
    /// How sets of squares are stored.
    pub squares: SquaresType,
    /// The bytes of text that one batch is made of; `None` for a size that suits the table.
    pub batch_bytes: Option<usize>,
    /// The greatest number of rows that a reader returns; `None` for all.
    pub limit: Option<usize>,
    /// The list of the archives that readers skip.
    pub skipped: SkippedArchives,
}

impl Default for TableOptions {
    fn default() -> Self {
        Self {
            export: ExportOptions::new(),
            open: OpenOptions::new(),
            threads: pdn::default_threads(),
            strings: StringsType::default(),
            squares: SquaresType::default(),
            batch_bytes: None,
            limit: None,
            skipped: SkippedArchives::default(),
        }
    }
}

impl TableOptions {
    /// Creates the default options: all games, on all cores, with dictionaries.
    pub fn new() -> Self {
        Self::default()
    }
}

/// A table over archives or an index. Cheap to make and to clone; each [`reader`](Self::reader) reads the archives anew.
#[derive(Clone, Debug)]
pub struct ArrowTable {
    pub(crate) rows: Rows,
    pub(crate) selection: ColumnSelection,
    pub(crate) options: TableOptions,
    pub(crate) conversion: Arc<Conversion>,
    pub(crate) incomplete: Arc<AtomicU64>,
}

impl ArrowTable {
    /// Creates a table. Opens no archive and reads nothing.
    ///
    /// # Errors
    /// If the query cannot be answered from these rows: see [`TableError`].
    pub fn new(rows: Rows, selection: ColumnSelection, options: TableOptions) -> Result<Self, TableError> {
        let query = &options.export.query;
        let files = match &rows {
            Rows::Archives(archives) => {
                TableError::check_contradiction(query)?;
                if !is_game_query(query) && archives.iter().any(|archive| archive.input.is_part()) {
                    return Err(TableError::NeedsIndex);
                }
                Words::of_files(archives.iter().map(|archive| path_text(archive.input.name()).into_owned()))
            }
            Rows::Index(index) => {
                TableError::check_query(index, query)?;
                Words::of_files(index.inputs().iter().map(|input| path_text(&input.name).into_owned()))
            }
        };
        let schema = arrow_schema(&selection, options.strings, options.squares);
        let names = selection.specs().map(|column| column.name).collect();
        let (strings, squares) = (options.strings, options.squares);
        let conversion = Arc::new(Conversion { schema, names, strings, squares, files });
        Ok(Self { rows, selection, options, conversion, incomplete: Arc::default() })
    }

    /// Returns the schema.
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.conversion.schema)
    }

    /// Returns the selected columns.
    pub fn selection(&self) -> &ColumnSelection {
        &self.selection
    }

    /// Returns the table with other columns, or another table of the same rows.
    ///
    /// # Errors
    /// None in practice: the query was checked when this table was made.
    pub fn select(&self, selection: ColumnSelection) -> Result<Self, TableError> {
        Self::new(self.rows.clone(), selection, self.options.clone())
    }

    /// Returns the table with its first `rows` rows.
    #[must_use]
    pub fn limit(&self, rows: usize) -> Self {
        let mut table = self.clone();
        table.options.limit = Some(self.options.limit.map_or(rows, |limit| limit.min(rows)));
        table
    }

    /// Returns the number of records that the readers of the table and its clones have met so far whose rows are incomplete: records longer than 256 KiB,
    /// whose variations, clocks and texts of moves are left out.
    pub fn incomplete(&self) -> u64 {
        self.incomplete.load(Ordering::Relaxed)
    }

    /// Returns the archives that the readers of the table and its clones have left out so far, or not read to their end.
    pub fn skipped(&self) -> &SkippedArchives {
        &self.options.skipped
    }

    /// Returns the bytes of text that one batch is made of. A game has about a hundred moves, so that batches of moves and
    /// of games have some ten thousand rows each.
    pub(crate) fn batch_bytes(&self) -> usize {
        let default = match self.selection.table() {
            Table::Moves | Table::Positions => 1 << 20,
            _ => 8 << 20,
        };
        self.options.batch_bytes.unwrap_or(default)
    }
}
