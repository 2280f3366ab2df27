//! Writes tables as CSV: RFC 4180, UTF-8.

use std::ops::Range;

use super::value::{
    write_date, write_integer, write_json_map, write_key, write_list, write_number, write_squares,
};
use crate::export::batch::{BatchColumn, ColumnValues, TableBatch};
use crate::export::schema::ColumnSelection;

/// Writes tables as CSV (RFC 4180) in UTF-8: a header with the names of the columns, then a line for each row, each with
/// CR and LF at its end.
///
/// A null is an empty field, an empty text is `""`. Dates are `1996-12-28`, keys and sets of squares hexadecimal, lists have
/// spaces between their numbers, and a map is a JSON object.
#[derive(Clone, Debug)]
pub struct CsvWriter {
    header: Vec<u8>,
}

impl CsvWriter {
    /// Creates a writer of these columns.
    pub fn new(selection: &ColumnSelection) -> Self {
        let names: Vec<_> = selection.specs().map(|column| column.name).collect();
        Self { header: format!("{}\r\n", names.join(",")).into_bytes() }
    }

    /// Returns the header.
    pub fn header(&self) -> &[u8] {
        &self.header
    }

    /// Appends rows of a batch.
    ///
    /// # Panics
    /// If the batch has no such rows.
    pub fn write(&self, batch: &TableBatch, rows: Range<usize>, out: &mut Vec<u8>) {
        for row in rows {
            for (n, column) in batch.columns.iter().enumerate() {
                if n > 0 {
                    out.push(b',');
                }
                if !column.is_null(row) {
                    write_value(column, row, out);
                }
            }
            out.extend_from_slice(b"\r\n");
        }
    }
}

/// Appends a value that is not null.
#[cfg_attr(not(debug_assertions), inline(always))]
fn write_value(column: &BatchColumn, row: usize, out: &mut Vec<u8>) {
    if write_number(&column.values, row, out) {
        return;
    }
    match &column.values {
        ColumnValues::Text(values) => write_text(values.get(row), out),
        ColumnValues::Dictionary(values) => write_text(values.get(row), out),
        ColumnValues::U8List(values) => write_list(values.get(row), b' ', out),
        ColumnValues::U32List(values) => write_list(values.get(row), b' ', out),
        ColumnValues::Key(values) => write_key(values[row], out),
        ColumnValues::Squares(values) => write_squares(values[row], out),
        ColumnValues::Date(values) => write_date(values[row], out),
        ColumnValues::TextMap(values) => {
            let mut json = Vec::new();
            write_json_map(values.get(row), &mut json);
            write_quoted(&json, out);
        }
        // Written as numbers above.
        _ => write_integer(0u8, out),
    }
}

/// Appends a text, quoted if it is empty or contains a comma, a quote or a control character, or has spaces at its ends.
#[inline]
fn write_text(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    let is_plain = bytes.iter().all(|&byte| byte > b' ' && !matches!(byte, b',' | b'"'))
        || bytes.iter().all(|&byte| byte >= b' ' && !matches!(byte, b',' | b'"'))
            && !bytes.starts_with(b" ")
            && !bytes.ends_with(b" ");
    if is_plain && !bytes.is_empty() {
        out.extend_from_slice(bytes);
    } else {
        write_quoted(bytes, out);
    }
}

fn write_quoted(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for (n, part) in text.split(|&byte| byte == b'"').enumerate() {
        if n > 0 {
            out.extend_from_slice(b"\"\"");
        }
        out.extend_from_slice(part);
    }
    out.push(b'"');
}
