//! Prints matching games as a table with one line a game.
//!
//! A terminal gets lines of at most its width, cut with `…`; a file or a pipe gets whole lines. Column widths are measured
//! for many rows at a time, so that memory does not depend on the number of games.

use std::borrow::Cow;
use std::io::{self, Write};

use pdn::index::{Index, IndexedInput, RecordNumbers};
use pdn::query::{Hit, RowTable};
use unicode_width::UnicodeWidthStr;

use super::print::date;
use crate::output::cut::cut;
use crate::output::{Output, sanitize};

/// Number of rows for which column widths are measured together.
const WINDOW: usize = 1_000;
/// Titles of the columns; `true` for a column of numbers, which is aligned to the right.
const COLUMNS: [(&str, bool); 11] = [
    ("game", true),
    ("ply", true),
    ("white", false),
    ("black", false),
    ("result", false),
    ("date", false),
    ("variant", false),
    ("event", false),
    ("round", false),
    ("file", false),
    ("record", true),
];

/// The cells of a row.
type Cells = [String; COLUMNS.len()];

/// Looks up the cells of games.
pub(super) struct Rows<'a> {
    pub(super) index: &'a Index,
    pub(super) table: &'a RowTable<'a>,
    pub(super) records: &'a RecordNumbers,
}

impl Rows<'_> {
    /// Writes a header and one line for each hit.
    pub(super) fn write(&self, hits: &[Hit], out: &mut Output) -> io::Result<pdn::Result<()>> {
        let limits = out.terminal_width().map(Limits::new);
        let mut widths = COLUMNS.map(|(title, _)| title.width());
        for (number, window) in hits.chunks(WINDOW).enumerate() {
            let mut rows = Vec::with_capacity(window.len());
            for hit in window {
                match self.cells(hit) {
                    Ok(Some(mut cells)) => {
                        if let Some(limits) = &limits {
                            cells.iter_mut().for_each(|cell| cut(cell, limits.cell));
                        }
                        rows.push(cells);
                    }
                    Ok(None) => {}
                    Err(error) => return Ok(Err(error)),
                }
            }
            for cells in &rows {
                for (width, cell) in widths.iter_mut().zip(cells) {
                    *width = cell.width().max(*width);
                }
            }
            if number == 0 {
                write_line(&COLUMNS.map(|(title, _)| title.to_owned()), &widths, limits.as_ref(), out)?;
            }
            for cells in &rows {
                write_line(cells, &widths, limits.as_ref(), out)?;
            }
        }
        Ok(Ok(()))
    }

    /// Returns the cells of a hit; `None` if a value of its row is invalid.
    fn cells(&self, hit: &Hit) -> pdn::Result<Option<Cells>> {
        let (Some(row), Some(game)) = (self.table.row(hit.game), self.index.game(hit.game)) else {
            return Ok(None);
        };
        let input: &IndexedInput = game.input()?;
        let text = |text: &str| sanitize::text(text).into_owned();
        Ok(Some([
            (hit.game + 1).to_string(),
            hit.ply.to_string(),
            text(row.white),
            text(row.black),
            text(row.result),
            date(&row),
            row.kind.variant.name().to_owned(),
            text(row.event),
            text(row.round),
            sanitize::path(&input.name),
            self.records.get(hit.game).map_or_else(String::new, |record| (record + 1).to_string()),
        ]))
    }
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
    cells: &Cells,
    widths: &[usize; COLUMNS.len()],
    limits: Option<&Limits>,
    out: &mut Output,
) -> io::Result<()> {
    let mut line = String::new();
    for ((cell, width), (_, is_number)) in cells.iter().zip(widths).zip(COLUMNS) {
        if !line.is_empty() {
            line.push_str("  ");
        }
        let padding = " ".repeat(width.saturating_sub(cell.width()));
        let [before, after] = if is_number { [padding.as_str(), ""] } else { ["", padding.as_str()] };
        line.extend([before, cell, after]);
    }
    line.truncate(line.trim_end().len());
    if let Some(limits) = limits {
        cut(&mut line, limits.line);
    }
    writeln!(out, "{line}")
}

/// Returns a path as a word of a command line: in single quotes if a shell would see more in it than a name.
pub(super) fn shell_word(path: &str) -> Cow<'_, str> {
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
    fn paths_are_quoted_for_shells() {
        for (path, word) in [
            ("games.idx", "games.idx"),
            ("a/b-1.pdn", "a/b-1.pdn"),
            ("my games.pdn", "'my games.pdn'"),
            ("it's", r"'it'\''s'"),
            ("$HOME", "'$HOME'"),
            ("", "''"),
        ] {
            assert_eq!(shell_word(path), word);
        }
    }
}
