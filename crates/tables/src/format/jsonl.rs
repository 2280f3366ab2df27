//! Writes tables as JSON, one object per line.

use std::ops::Range;

use super::value::{
    write_date, write_json_map, write_json_text, write_key, write_list, write_number, write_squares,
};
use crate::batch::{BatchColumn, ColumnValues, TableBatch};
use crate::schema::ColumnSelection;

/// Writes tables as JSON: one object per line, with a key for each column and `null` for a null.
///
/// Dates are `"1996-12-28"`; keys and sets of squares are hexadecimal texts, because not every reader of JSON keeps integers
/// of 64 bits.
///
/// ```
/// use pdn::archive::Archive;
/// use pdn_tables::{ColumnSelection, ExportOptions, JsonlWriter, RowMaker, Table};
/// use pdn::source::OpenOptions;
///
/// let text = &b"[White \"Ames\"]\n[Date \"1996.12.28\"]\n[WhiteRating \"2215\"]\n1. 32-28 *\n"[..];
/// let columns = ColumnSelection::named(Table::Games, ["white", "date", "white_rating", "black_rating"])?;
/// let (mut maker, writer) = (RowMaker::new(&columns, &ExportOptions::new()), JsonlWriter::new(&columns));
/// let mut out = Vec::new();
/// for batch in Archive::from_reader(text, "games.pdn", &OpenOptions::new())?.batches() {
///     let rows = maker.rows(&batch?)?;
///     writer.write(&rows, 0..rows.rows, &mut out);
/// }
/// let line = "{\"white\":\"Ames\",\"date\":\"1996-12-28\",\"white_rating\":2215,\"black_rating\":null}\n";
/// assert_eq!(String::from_utf8(out)?, line);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct JsonlWriter {
    /// What precedes the value of each column: the name, with the brace or comma before it.
    names: Vec<Vec<u8>>,
}

impl JsonlWriter {
    /// Creates a writer of these columns.
    pub fn new(selection: &ColumnSelection) -> Self {
        let name =
            |(n, name): (usize, &str)| format!("{}\"{name}\":", if n == 0 { '{' } else { ',' }).into_bytes();
        Self { names: selection.specs().map(|column| column.name).enumerate().map(name).collect() }
    }

    /// Appends rows of a batch.
    ///
    /// # Panics
    /// If the batch has no such rows.
    pub fn write(&self, batch: &TableBatch, rows: Range<usize>, out: &mut Vec<u8>) {
        for row in rows {
            for (name, column) in self.names.iter().zip(&batch.columns) {
                out.extend_from_slice(name);
                if column.is_null(row) {
                    out.extend_from_slice(b"null");
                } else {
                    write_value(column, row, out);
                }
            }
            out.extend_from_slice(if self.names.is_empty() { b"{}\n" } else { b"}\n" });
        }
    }
}

/// Appends a value as JSON, as [`JsonlWriter`] writes it; `null` for a null.
///
/// # Panics
/// If the column has no such row.
pub fn write_json_value(column: &BatchColumn, row: usize, out: &mut Vec<u8>) {
    if column.is_null(row) {
        out.extend_from_slice(b"null");
    } else {
        write_value(column, row, out);
    }
}

/// Appends a value that is not null.
#[cfg_attr(not(debug_assertions), inline(always))]
fn write_value(column: &BatchColumn, row: usize, out: &mut Vec<u8>) {
    if write_number(&column.values, row, out) {
        return;
    }
    let delimiters = match &column.values {
        ColumnValues::I16List(_) | ColumnValues::I32List(_) => [b'[', b']'],
        _ => [b'"', b'"'],
    };
    match &column.values {
        ColumnValues::Text(values) => return write_json_text(values.get(row), out),
        ColumnValues::Dictionary(values) => return write_json_text(values.get(row), out),
        ColumnValues::TextMap(values) => return write_json_map(values.get(row), out),
        _ => {}
    }
    out.push(delimiters[0]);
    match &column.values {
        ColumnValues::I16List(values) => write_list(values.get(row), b',', out),
        ColumnValues::I32List(values) => write_list(values.get(row), b',', out),
        ColumnValues::Key(values) => write_key(values[row], out),
        ColumnValues::Squares(values) => write_squares(values.get(row), out),
        ColumnValues::Date(values) => write_date(values[row], out),
        _ => {}
    }
    out.push(delimiters[1]);
}
