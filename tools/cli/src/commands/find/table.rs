//! Prints matching games as a table with one line a game.
//!
//! A terminal gets lines of at most its width, cut with `…`; a file or a pipe gets whole lines. Column widths are measured
//! for many rows at a time, so that memory does not depend on the number of games.

use std::borrow::Cow;
use std::io::{self, Write};

use pdn_tables::GameField;
use unicode_width::UnicodeWidthStr;

use pdn_app::fields::FoundField;

use crate::output::cut::cut;
use crate::output::{CommandResult, Output, sanitize};

/// Number of rows for which column widths are measured together.
const WINDOW: usize = 1_000;

/// A column of a table.
pub(in crate::commands) struct Column {
    title: String,
    /// `true` for a column of numbers, which is aligned to the right.
    is_number: bool,
    /// Width of the widest cell so far.
    width: usize,
}

impl Column {
    /// Creates a column.
    pub(in crate::commands) fn new(title: &str, is_number: bool) -> Self {
        let title = sanitize::text(title).into_owned();
        Self { width: title.width(), title, is_number }
    }
}

/// Returns the columns of fields.
pub(super) fn columns(fields: &[FoundField]) -> Vec<Column> {
    let has_date = fields.contains(&FoundField::Game(GameField::Date));
    let column = |field: &FoundField| match field {
        // The date as written is the one that people read, unless both are wanted.
        FoundField::Game(GameField::DateText) if !has_date => Column::new("date", false),
        field => {
            let is_number = match field {
                FoundField::Game(field) => field.is_number(),
                field => matches!(field, FoundField::Line | FoundField::Distance),
            };
            Column::new(&field.to_string(), is_number)
        }
    };
    fields.iter().map(column).collect()
}

/// Writes a header and one line for each row, without those that `row` has no cells for. The hint names an option that chooses other
/// columns, for those that a terminal has no room for.
pub(in crate::commands) fn write<T>(
    mut columns: Vec<Column>,
    rows: &[T],
    mut row: impl FnMut(&T) -> pdn_app::Result<Option<Vec<String>>>,
    hint: &str,
    out: &mut Output,
) -> CommandResult<()> {
    let limits = out.terminal_width().map(Limits::new);
    for (number, window) in rows.chunks(WINDOW).enumerate() {
        let mut rows = Vec::with_capacity(window.len());
        for value in window {
            let Some(mut cells) = row(value)? else { continue };
            for cell in &mut cells {
                *cell = sanitize::text(cell).into_owned();
                if let Some(limits) = &limits {
                    cut(cell, limits.cell);
                }
            }
            rows.push(cells);
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
        let mut line = format!("No room for {}: {hint}.", unseen.join(", "));
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
        let columns = columns.map(|(title, width)| Column { width, ..Column::new(title, false) });
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
