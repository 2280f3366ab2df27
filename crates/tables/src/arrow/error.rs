//! Errors of tables.

use std::fmt;

use pdn_index::Index;
use pdn_index::query::Query;

/// The reason why a table cannot be made, or why its rows end early.
#[derive(Debug)]
#[non_exhaustive]
pub enum TableError {
    /// An archive or an index cannot be read.
    Source(pdn::Error),
    /// The query asks about positions, files, or tags without a column, which cannot be answered for parts of files.
    NeedsIndex,
    /// Reading was stopped by [`TableReader::stop_if`](crate::arrow::TableReader::stop_if).
    Stopped,
    /// A reader that was begun before the process was copied (`fork`), in the copy.
    Forked,
    /// Two parts of the query exclude each other.
    Contradiction(String, String),
    /// A position on a board with more than 64 squares, in a table whose sets of squares have 64 bits.
    WideBoard,
    /// A batch with more than 2 GiB of text in one column.
    TooMuchText {
        /// The name of the column.
        column: &'static str,
    },
}

impl TableError {
    /// Checks a query against an index: no two parts exclude each other, and squares mean the same in all its games.
    ///
    /// # Errors
    /// [`Contradiction`](Self::Contradiction) or [`Source`](Self::Source).
    pub fn check_query(index: &Index, query: &Query) -> Result<(), Self> {
        Self::check_contradiction(query)?;
        pdn_index::internal::query::check_squares(index, query).map_err(Self::Source)
    }
}

impl TableError {
    /// Checks that no two parts of a query exclude each other.
    ///
    /// # Errors
    /// [`Contradiction`](Self::Contradiction).
    pub(crate) fn check_contradiction(query: &Query) -> Result<(), Self> {
        match query.contradiction() {
            Some([first, second]) => Err(Self::Contradiction(first.to_string(), second.to_string())),
            None => Ok(()),
        }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(error) => error.fmt(f),
            Self::NeedsIndex => f.write_str(
                "this query asks about positions, files or tags without a column, which takes a whole archive or an index, not a part of a file",
            ),
            Self::Stopped => f.write_str("stopped by a signal, such as Ctrl-C"),
            Self::Forked => {
                f.write_str("this process is a copy (fork) of the one that began to read; begin anew in it")
            }
            Self::Contradiction(first, second) => {
                write!(f, "`{first}` and `{second}` exclude each other: nothing matches both")
            }
            Self::WideBoard => f.write_str(
                "a position on a 12x12 board does not fit into 64 bits; ask for sets of squares of 16 bytes (squares=\"wide\")",
            ),
            Self::TooMuchText { column } => write!(f, "more than 2 GiB of text in one batch of the column `{column}`"),
        }
    }
}

impl std::error::Error for TableError {}

impl From<pdn::Error> for TableError {
    fn from(error: pdn::Error) -> Self {
        Self::Source(error)
    }
}
