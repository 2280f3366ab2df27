//! Prints matching games as a table with one line a game.
//!
//! A terminal gets lines of at most its width, cut with `…`; a file or a pipe gets whole lines. Column widths are measured
//! for many rows at a time, so that memory does not depend on the number of games.

use std::borrow::Cow;
use std::io::{self, Write};

use pdn::export::GameField;
use pdn::query::Hit;
use unicode_width::UnicodeWidthStr;

use pdn_app::fields::FoundField;
use pdn_app::rows::{FieldValue, RowReader};

use crate::output::cut::cut;
use crate::output::{CommandResult, Output, sanitize};

/// Number of rows for which column widths are measured together.
const WINDOW: usize = 1_000;

/// A column of a table.
struct Column {
    title: String,
    /// `true` for a column of numbers, which is aligned to the right.
    is_number: bool,
    /// Width of the widest cell so far.
    width: usize,
}

/// Writes a header and one line for each hit.
pub(super) fn write(reader: &RowReader<'_>, hits: &[Hit], out: &mut Output) -> CommandResult<()> {
    let limits = out.terminal_width().map(Limits::new);
    let has_date = reader.fields.contains(&FoundField::Game(GameField::Date));
    let column = |field: &FoundField| {
        let title = match field {
            // The date as written is the one that people read, unless both are wanted.
            FoundField::Game(GameField::DateText) if !has_date => "date".to_owned(),
            field => sanitize::text(&field.to_string()).into_owned(),
        };
        let is_number = matches!(field, FoundField::Game(field) if field.is_number());
        Column { width: title.width(), title, is_number }
    };
    let mut columns: Vec<Column> = reader.fields.iter().map(column).collect();
    for (number, window) in hits.chunks(WINDOW).enumerate() {
        let mut rows = Vec::with_capacity(window.len());
        for hit in window {
            let Some(row) = reader.row(hit)? else { continue };
            let cell = |value: &FieldValue| {
                let mut cell = sanitize::text(&value.cell()).into_owned();
                if let Some(limits) = &limits {
                    cut(&mut cell, limits.cell);
                }
                cell
            };
            rows.push(row.values.iter().map(cell).collect::<Vec<_>>());
        }
        for cells in &rows {
            for (column, cell) in columns.iter_mut().zip(cells) {
                column.width = cell.width().max(column.width);
            }
        }
        if number == 0 {
            let titles: Vec<String> = columns.iter().map(|column| column.title.clone()).collect();
            write_line(&titles, &columns, limits.as_ref(), out)?;
        }
        for cells in &rows {
            write_line(cells, &columns, limits.as_ref(), out)?;
        }
    }
    let Some(limits) = limits else { return Ok(()) };
    let unseen = titles_beyond(&columns, limits.line);
    if !unseen.is_empty() {
        let mut line = format!("No room for {}: see `--fields`.", unseen.join(", "));
        cut(&mut line, limits.line);
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Returns the titles of the columns that begin after the end of a line.
fn titles_beyond(columns: &[Column], line: usize) -> Vec<&str> {
    let mut start = 0;
    let mut beyond = Vec::new();
    for column in columns {
        if start + column.title.width().min(column.width) > line {
            beyond.push(column.title.as_str());
        }
        start += column.width + 2;
    }
    beyond
}

/// Greatest widths on a terminal.
struct Limits {
    line: usize,
    cell: usize,
}

impl Limits {
    fn new(line: usize) -> Self {
        // Wide enough for most names; at 80 columns, all columns up to that of the variant are seen.
        Self { line, cell: (line / 5).saturating_sub(2).clamp(8, 40) }
    }
}

/// Writes a row with two spaces between columns, and none at its end.
fn write_line(
    cells: &[String],
    columns: &[Column],
    limits: Option<&Limits>,
    out: &mut Output,
) -> io::Result<()> {
    let mut line = String::new();
    for (cell, column) in cells.iter().zip(columns) {
        if !line.is_empty() {
            line.push_str("  ");
        }
        let padding = " ".repeat(column.width.saturating_sub(cell.width()));
        let [before, after] = if column.is_number { [padding.as_str(), ""] } else { ["", padding.as_str()] };
        line.extend([before, cell, after]);
    }
    line.truncate(line.trim_end().len());
    if let Some(limits) = limits {
        cut(&mut line, limits.line);
    }
    writeln!(out, "{line}")
}

/// Returns a path as a word of a command line: in single quotes if a shell would see more in it than a name, and after `./` if it
/// would be taken for an option.
pub(super) fn shell_word(path: &str) -> Cow<'_, str> {
    if path.starts_with('-') {
        return shell_word(&format!("./{path}")).into_owned().into();
    }
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%".contains(c);
    if !path.is_empty() && path.chars().all(is_plain) {
        return path.into();
    }
    format!("'{}'", path.replace('\'', r"'\''")).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_are_not_seen_are_named() {
        let columns = [("game", 5), ("white", 20), ("black", 20), ("event", 9), ("file", 4)];
        let columns =
            columns.map(|(title, width)| Column { title: title.to_owned(), is_number: false, width });
        assert_eq!(titles_beyond(&columns, 80), [""; 0]);
        assert_eq!(titles_beyond(&columns, 60), ["file"]);
        assert_eq!(titles_beyond(&columns, 50), ["event", "file"]);
    }

    #[test]
    fn paths_are_quoted_for_shells() {
        for (path, word) in [
            ("games.idx", "games.idx"),
            ("a/b-1.pdn", "a/b-1.pdn"),
            ("my games.pdn", "'my games.pdn'"),
            ("it's", r"'it'\''s'"),
            ("$HOME", "'$HOME'"),
            ("", "''"),
            ("-a.pdn", "./-a.pdn"),
            ("-my games.pdn", "'./-my games.pdn'"),
        ] {
            assert_eq!(shell_word(path), word);
        }
    }
}
