//! Tables with one line a row, without borders.
//!
//! Of a table of games, a terminal gets lines of at most its width, cut with `…`; a file or a pipe
//! gets whole lines. Column widths are measured for many rows at a time, so that memory does not
//! depend on the number of games.

use std::io::Write;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{CommandResult, Output, sanitize};

/// Number of rows for which column widths are measured together.
const WINDOW: usize = 1_000;

/// A column of a table.
pub(crate) struct Column {
    title: String,
    /// `true` for a column of numbers, which is aligned to the right.
    is_number: bool,
    /// Width of the widest cell so far.
    width: usize,
}

impl Column {
    /// Creates a column.
    pub(crate) fn new(title: &str, is_number: bool) -> Self {
        let title = sanitize::text(title).into_owned();
        Self { width: title.width(), title, is_number }
    }
}

/// Returns the lines of a small table: the titles, unless all are empty, and the rows.
pub(crate) fn lines(mut columns: Vec<Column>, rows: Vec<Vec<String>>) -> Vec<String> {
    let rows: Vec<Vec<String>> = rows.into_iter().map(clean).collect();
    widen(&mut columns, &rows);
    let titles = titles(&columns);
    let header = titles.iter().any(|title| !title.is_empty()).then_some(titles);
    header.iter().chain(&rows).map(|cells| line(cells, &columns)).collect()
}

/// Writes a header and one line for each row, without those that `row` has no cells for. The hint names an option that chooses other
/// columns, for those that a terminal has no room for.
pub(crate) fn write<T>(
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
            let Some(cells) = row(value)? else { continue };
            let mut cells = clean(cells);
            if let Some(limits) = &limits {
                cells.iter_mut().for_each(|cell| cut(cell, limits.cell));
            }
            rows.push(cells);
        }
        widen(&mut columns, &rows);
        let header = (number == 0).then(|| titles(&columns));
        for cells in header.iter().chain(&rows) {
            let mut line = line(cells, &columns);
            if let Some(limits) = &limits {
                cut(&mut line, limits.line);
            }
            writeln!(out, "{line}")?;
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

/// Returns the titles of columns.
fn titles(columns: &[Column]) -> Vec<String> {
    columns.iter().map(|column| column.title.clone()).collect()
}

/// Returns cells without what a terminal would act on.
fn clean(cells: Vec<String>) -> Vec<String> {
    cells.iter().map(|cell| sanitize::text(cell).into_owned()).collect()
}

/// Makes columns as wide as the widest cells of rows.
fn widen(columns: &mut [Column], rows: &[Vec<String>]) {
    for cells in rows {
        for (column, cell) in columns.iter_mut().zip(cells) {
            column.width = cell.width().max(column.width);
        }
    }
}

/// Returns a row with two spaces between columns, and none at its end.
fn line(cells: &[String], columns: &[Column]) -> String {
    let mut line = String::new();
    for (n, (cell, column)) in cells.iter().zip(columns).enumerate() {
        if n > 0 {
            line.push_str("  ");
        }
        let padding = " ".repeat(column.width.saturating_sub(cell.width()));
        let [before, after] = if column.is_number { [padding.as_str(), ""] } else { ["", padding.as_str()] };
        line.extend([before, cell, after]);
    }
    line.truncate(line.trim_end().len());
    line
}

/// Cuts a text to a number of columns, the last of which then shows `…`.
pub(crate) fn cut(text: &mut String, width: usize) {
    if text.width() <= width {
        return;
    }
    let mut columns = 0;
    let end = text.char_indices().find(|(_, c)| {
        columns += c.width().unwrap_or(0);
        columns >= width
    });
    if let Some((end, _)) = end {
        text.truncate(end);
        text.truncate(text.trim_end().len());
        text.push('…');
    }
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
    fn texts_are_cut_to_their_width() {
        for (text, width, expected) in [
            ("Wiersma", 7, "Wiersma"),
            ("Wiersma", 6, "Wiers…"),
            ("van der Wal", 5, "van…"),
            ("Шварцман", 3, "Шв…"),
            ("日本語", 6, "日本語"),
            ("日本語", 5, "日本…"),
            ("日本語", 4, "日…"),
            ("e\u{301}te\u{301}", 3, "e\u{301}te\u{301}"),
        ] {
            let mut cut_text = text.to_owned();
            cut(&mut cut_text, width);
            assert_eq!(cut_text, expected, "{text} {width}");
            assert!(cut_text.width() <= width, "{text} {width}");
        }
    }
}
