//! Writes tables to a database of SQLite.

use std::io;
use std::path::Path;

use pdn_tables::{BatchColumn, ColumnSelection, ColumnValues, TableBatch, ValueType, write_json_value};
use rusqlite::{Connection, Statement};

use crate::ask::context::Context;
use crate::ask::error::Result;
use crate::write::outputs::{OutputFile, Overwriting, unwritable};

/// A database under a temporary name.
pub(super) struct SqliteFile {
    connection: Connection,
    file: OutputFile,
    /// The statement that inserts a row of the current table.
    insert: String,
    /// The statements that make the indexes, once all rows are there.
    indexes: String,
}

impl SqliteFile {
    /// Creates a database that replaces `path` when it is complete.
    ///
    /// # Errors
    ///
    /// If it cannot be created.
    pub(super) fn create(path: &Path, overwriting: Overwriting<'_>) -> Result<Self> {
        let file = OutputFile::create(path, overwriting)?;
        let message = |error: rusqlite::Error| unwritable(path, &error);
        let Some(temporary) = file.temporary() else {
            return Err(unwritable(path, &"a SQLite database needs a file, not a pipe or a device"));
        };
        let connection = Connection::open(temporary).map_err(message)?;
        // Nobody reads the file before it is complete, so that it needs no journal. One transaction holds all rows.
        connection
            .execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;")
            .map_err(message)?;
        Ok(Self { connection, file, insert: String::new(), indexes: String::new() })
    }

    /// Returns the file that has to be removed if the run is stopped.
    pub(super) fn temporary(&self) -> Option<&Path> {
        self.file.temporary()
    }

    /// Creates a table.
    pub(super) fn begin(&mut self, selection: &ColumnSelection) -> io::Result<()> {
        let columns: Vec<_> = selection
            .specs()
            .map(|column| {
                let null = if column.nullable { "" } else { " NOT NULL" };
                format!("\"{}\" {}{null}", column.name, sql_type(column.value_type))
            })
            .collect();
        let table = selection.table();
        self.connection
            .execute_batch(&format!("CREATE TABLE \"{table}\" ({}) STRICT;", columns.join(", ")))
            .map_err(io::Error::other)?;
        // The columns by which tables are joined, and positions found.
        let has = |name: &str| selection.specs().any(|column| column.name == name);
        if has("file") && has("record") {
            self.indexes += &format!("CREATE INDEX \"{table}_record\" ON \"{table}\" (record, file);");
        }
        if has("key") {
            self.indexes += &format!("CREATE INDEX \"{table}_key\" ON \"{table}\" (key);");
        }
        let marks = vec!["?"; columns.len()].join(", ");
        self.insert = format!("INSERT INTO \"{table}\" VALUES ({marks})");
        Ok(())
    }

    /// Inserts the first rows of a batch.
    pub(super) fn insert(&mut self, batch: &TableBatch, rows: usize) -> io::Result<()> {
        let mut statement = self.connection.prepare_cached(&self.insert).map_err(io::Error::other)?;
        for row in 0..rows {
            for (n, column) in batch.columns.iter().enumerate() {
                bind(&mut statement, n + 1, column, row).map_err(io::Error::other)?;
            }
            statement.raw_execute().map_err(io::Error::other)?;
        }
        Ok(())
    }

    /// Completes the database and gives it its name, unless the answer `is_empty` and the file existed.
    pub(super) fn finish(self, is_empty: bool, context: &mut Context<'_>) -> Result<bool> {
        let Self { connection, file, indexes, .. } = self;
        let failed = |error: rusqlite::Error| unwritable(file.path(), &error);
        connection.execute_batch(&indexes).map_err(failed)?;
        connection.execute_batch("COMMIT;").map_err(failed)?;
        connection.close().map_err(|(_, error)| failed(error))?;
        file.commit(is_empty, context)
    }
}

/// Returns the type of a column. Keys are hexadecimal as in CSV, because an integer of SQLite has a sign; sets of squares, lists and maps
/// are JSON, which its functions read.
fn sql_type(value_type: ValueType) -> &'static str {
    match value_type {
        ValueType::Bool | ValueType::I16 | ValueType::I32 | ValueType::I64 => "INTEGER",
        _ => "TEXT",
    }
}

/// Binds a value to a parameter of the statement.
fn bind(statement: &mut Statement<'_>, at: usize, column: &BatchColumn, row: usize) -> rusqlite::Result<()> {
    if column.is_null(row) {
        return statement.raw_bind_parameter(at, rusqlite::types::Null);
    }
    match &column.values {
        ColumnValues::Bool(values) => statement.raw_bind_parameter(at, values[row]),
        ColumnValues::I16(values) => statement.raw_bind_parameter(at, values[row]),
        ColumnValues::I32(values) => statement.raw_bind_parameter(at, values[row]),
        ColumnValues::I64(values) => statement.raw_bind_parameter(at, values[row]),
        ColumnValues::Text(values) => statement.raw_bind_parameter(at, values.get(row)),
        ColumnValues::Dictionary(values) => statement.raw_bind_parameter(at, values.get(row)),
        ColumnValues::Squares(values) => statement.raw_bind_parameter(at, square_numbers(values.get(row))),
        _ => {
            let mut json = Vec::new();
            write_json_value(column, row, &mut json);
            let text = String::from_utf8_lossy(&json);
            // Dates and keys need no escapes.
            statement.raw_bind_parameter(at, text.trim_matches('"'))
        }
    }
}

/// Returns a set of squares as a JSON array of their numbers.
fn square_numbers(set: u128) -> String {
    let numbers = (1..=u128::BITS).filter(|number| set >> (number - 1) & 1 == 1);
    let texts: Vec<String> = numbers.map(|number| number.to_string()).collect();
    format!("[{}]", texts.join(","))
}
