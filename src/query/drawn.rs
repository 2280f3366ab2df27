//! Patterns as drawn boards.

use super::error::QueryError;
use super::pattern::{Pattern, PatternForm, SquareContents};
use super::spot::SquareRef;
use crate::board::Board;
use crate::span::Span;

/// Characters of cells that nobody plays on, and of frames.
const UNUSED: [char; 6] = [' ', '\t', '-', '_', '|', '\r'];

/// Reads rows between line ends or `/`, from Black's side.
pub(super) fn parse(text: &str) -> Result<Pattern, QueryError> {
    let mut rows: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    for row in text.split(['\n', '/']) {
        if !row.trim_matches(UNUSED).is_empty() {
            rows.push((at, row));
        }
        at += row.len() + 1;
    }
    let whole = Span::new(0, text.len() as u32);
    let boards: Vec<Board> =
        Board::ALL.into_iter().filter(|board| usize::from(board.height()) == rows.len()).collect();
    if boards.is_empty() {
        let message = format!("expected the 8, 10 or 12 rows of a board, found {}", rows.len());
        return Err(QueryError::new(whole, message));
    }
    let cells: Vec<Vec<(usize, char)>> = rows
        .iter()
        .map(|&(start, row)| {
            let cells = row.char_indices().filter(|(_, c)| !UNUSED.contains(c));
            cells.map(|(at, c)| (start + at, c)).collect()
        })
        .collect();
    let fits = |board: &&Board| {
        let used = usize::from(board.width()) / if board.layout().full { 1 } else { 2 };
        cells.iter().all(|row| row.len() == used)
    };
    let Some(board) = boards.iter().find(fits) else {
        let used = |board: &Board| usize::from(board.width()) / if board.layout().full { 1 } else { 2 };
        let fits_none = |row: &&Vec<(usize, char)>| boards.iter().all(|board| used(board) != row.len());
        let first = cells[0].len();
        let odd = cells.iter().find(fits_none).or_else(|| cells.iter().find(|row| row.len() != first));
        let span = odd.and_then(|row| Some((row.first()?.0, row.last()?)));
        let span =
            span.map_or(whole, |(first, last)| Span::new(first as u32, (last.0 + last.1.len_utf8()) as u32));
        let widths: Vec<String> = boards.iter().map(|board| used(board).to_string()).collect();
        let found = odd.map_or(0, Vec::len);
        let message = format!("expected {} playing squares in this row, found {found}", widths.join(" or "));
        return Err(QueryError::new(span, message));
    };
    let mut squares = Vec::new();
    for (row, cells) in (0u8..).zip(&cells) {
        let played = (0..board.width()).filter(|&column| board.square(row, column).is_some());
        for (column, &(at, letter)) in played.zip(cells) {
            let Some(contents) = SquareContents::of_letter(letter) else {
                let span = Span::new(at as u32, (at + letter.len_utf8()) as u32);
                let message = "expected what stands there: w, W, b, B, o, x, m, k, p, `.` for nothing, `?` for whatever";
                return Err(QueryError::new(span, message));
            };
            if contents != SquareContents::ANY {
                squares.push((SquareRef::Cell { row, column }, contents));
            }
        }
    }
    Ok(Pattern::bare(text, PatternForm::Pattern, squares).on_board(board.width(), board.height()))
}
