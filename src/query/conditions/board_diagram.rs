//! Patterns drawn as a board, a row of letters per line.

use super::square_contents::SquareContents;
use super::square_ref::SquareRef;
use crate::board::Board;
use crate::query::error::QueryError;
use crate::span::Span;

/// Characters that are skipped: those of cells that are not playing squares, and of frames.
const SKIPPED: [char; 6] = [' ', '\t', '-', '_', '|', '\r'];

/// A board diagram that was read.
pub(super) struct BoardDiagram {
    /// The squares that are not `?`, with their contents.
    pub(super) squares: Vec<(SquareRef, SquareContents)>,
    /// The width of the board, in cells.
    pub(super) width: u8,
    /// The height of the board, in cells.
    pub(super) height: u8,
}

/// Parses the rows of a board, from Black's side; rows end with a line end or `/`.
///
/// # Errors
/// [`QueryError`] if no board has this number of rows, at the first row with a wrong number of squares, or at the first
/// character that stands for no contents.
pub(super) fn parse(text: &str) -> Result<BoardDiagram, QueryError> {
    let mut rows: Vec<(usize, &str)> = Vec::new();
    let mut offset = 0;
    for row in text.split(['\n', '/']) {
        if !row.trim_matches(SKIPPED).is_empty() {
            rows.push((offset, row));
        }
        offset += row.len() + 1;
    }
    let whole = Span::new(0, text.len() as u32);
    let boards: Vec<Board> =
        Board::ALL.into_iter().filter(|board| usize::from(board.height()) == rows.len()).collect();
    if boards.is_empty() {
        let message = format!("expected the 8, 10 or 12 rows of a board, found {}", rows.len());
        return Err(QueryError::new(whole, message));
    }
    let letters: Vec<Vec<(usize, char)>> = rows
        .iter()
        .map(|&(start, row)| {
            let letters = row.char_indices().filter(|(_, c)| !SKIPPED.contains(c));
            letters.map(|(at, c)| (start + at, c)).collect()
        })
        .collect();
    let has_this_width = |board: &&Board| letters.iter().all(|row| row.len() == squares_per_row(board));
    let Some(board) = boards.iter().find(has_this_width) else {
        return Err(
            wrong_width(&letters, &boards).unwrap_or_else(|| QueryError::new(whole, message(&boards, 0)))
        );
    };
    let mut squares = Vec::new();
    for (row, letters) in (0u8..).zip(&letters) {
        let playing = (0..board.width()).filter(|&column| board.square(row, column).is_some());
        for (column, &(at, letter)) in playing.zip(letters) {
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
    Ok(BoardDiagram { squares, width: board.width(), height: board.height() })
}

/// Returns the number of playing squares in a row of a board.
fn squares_per_row(board: &Board) -> usize {
    usize::from(board.width()) / if board.layout().full { 1 } else { 2 }
}

/// Creates the error for the first row with a width that no board has, else the first that differs from the top row.
fn wrong_width(rows: &[Vec<(usize, char)>], boards: &[Board]) -> Option<QueryError> {
    let fits_none =
        |row: &&Vec<(usize, char)>| boards.iter().all(|board| squares_per_row(board) != row.len());
    let top = rows.first()?.len();
    let row = rows.iter().find(fits_none).or_else(|| rows.iter().find(|row| row.len() != top))?;
    let (&(first, _), &(last, letter)) = (row.first()?, row.last()?);
    let span = Span::new(first as u32, (last + letter.len_utf8()) as u32);
    Some(QueryError::new(span, message(boards, row.len())))
}

fn message(boards: &[Board], found: usize) -> String {
    let widths: Vec<String> = boards.iter().map(|board| squares_per_row(board).to_string()).collect();
    format!("expected {} playing squares in this row, found {found}", widths.join(" or "))
}
