//! Patterns drawn as a board, a row of letters or symbols per line.

use super::drawn_rows::{self, DrawnRow, RowLabel};
use super::square_contents::SquareContents;
use super::square_ref::SquareRef;
use crate::query::error::QueryError;
use pdn::board::Board;
use pdn::internal::message::Message;
use pdn::span::Span;
use pdn::value::Colour;

/// A board diagram that was read.
pub(super) struct BoardDiagram {
    /// The squares that are not `?`, with their contents.
    pub(super) squares: Vec<(SquareRef, SquareContents)>,
    /// The side to move, if the drawing says so.
    pub(super) turn: Option<Colour>,
    pub(super) frame: DiagramFrame,
}

/// The board that a diagram shows, and the number at its first row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(in crate::query) struct DiagramFrame {
    /// The board.
    pub(in crate::query) board: Board,
    /// The number of the leftmost playing square of the top row, if the rows are labelled so. It shows whether the board
    /// was drawn from Black's side, and that the squares of a game have other numbers.
    pub(in crate::query) first_number: Option<u8>,
}

/// Parses the rows of a board; rows end with a line end or `/`. The rows begin at Black's side unless their labels say
/// otherwise.
///
/// # Errors
/// [`QueryError`] if no board has this number of rows, at the first row with a wrong number of squares, or at the first
/// character that stands for no contents.
pub(super) fn parse(text: &str) -> Result<BoardDiagram, QueryError> {
    let drawing = drawn_rows::read(text)?;
    let rows = &drawing.rows;
    let whole = Span::new(0, text.len() as u32);
    let boards: Vec<Board> =
        Board::ALL.iter().copied().filter(|board| usize::from(board.height()) == rows.len()).collect();
    if boards.is_empty() {
        let message = message!(
            "rows_of_board",
            "expected the 8, 10 or 12 rows of a board, found {found}",
            found = rows.len() as u64
        );
        return Err(QueryError::new(whole, message));
    }
    let has_this_width =
        |board: &&Board| rows.iter().all(|row| row.squares.len() == usize::from(squares_per_row(**board)));
    let Some(&board) = boards.iter().find(has_this_width) else {
        return Err(wrong_width(rows, &boards).unwrap_or_else(|| QueryError::new(whole, message(&boards, 0))));
    };
    let (turned, first_number) = orientation(rows);
    let mut squares = Vec::new();
    for (row, drawn) in (0u8..).zip(rows) {
        for (place, &(at, letter)) in (0u8..).zip(&drawn.squares) {
            let contents = drawn_rows::contents(letter).map_err(|message| {
                QueryError::new(Span::new(at as u32, (at + letter.len_utf8()) as u32), message)
            })?;
            let square = SquareRef::InRow { row, place };
            let square = if turned { turned_square(board, row, place) } else { square };
            if contents != SquareContents::ANY {
                squares.push((square, contents));
            }
        }
    }
    Ok(BoardDiagram { squares, turn: drawing.turn, frame: DiagramFrame { board, first_number } })
}

/// Returns the square at the other end after a turn of the board by 180 degrees.
fn turned_square(board: Board, row: u8, place: u8) -> SquareRef {
    SquareRef::InRow { row: board.height() - 1 - row, place: squares_per_row(board) - 1 - place }
}

/// Returns whether the labels say that the board was drawn from Black's side, and the number at the first row. Labels that
/// change by one from row to row are ranks, the others are numbers of squares; which of these lie at the top depends on
/// the game.
fn orientation(rows: &[DrawnRow]) -> (bool, Option<u8>) {
    match (rows[0].label, rows.get(1).and_then(|row| row.label)) {
        (Some(RowLabel::Rank(first)), Some(RowLabel::Rank(second))) => (first < second, None),
        (Some(RowLabel::Number(first)), Some(RowLabel::Number(second))) => {
            if first.abs_diff(second) == 1 {
                (first < second, None)
            } else {
                (false, Some(first))
            }
        }
        _ => (false, None),
    }
}

/// Returns the number of playing squares in a row of a board.
fn squares_per_row(board: Board) -> u8 {
    board.width() / if board.layout().full { 1 } else { 2 }
}

/// Creates the error for the first row with a width that no board has, else the first that differs from the top row.
fn wrong_width(rows: &[DrawnRow], boards: &[Board]) -> Option<QueryError> {
    let fits_none = |row: &&DrawnRow| {
        boards.iter().all(|&board| usize::from(squares_per_row(board)) != row.squares.len())
    };
    let top = rows.first()?.squares.len();
    let row = rows.iter().find(fits_none).or_else(|| rows.iter().find(|row| row.squares.len() != top))?;
    let (&(first, _), &(last, letter)) = (row.squares.first()?, row.squares.last()?);
    let span = Span::new(first as u32, (last + letter.len_utf8()) as u32);
    Some(QueryError::new(span, message(boards, row.squares.len())))
}

fn message(boards: &[Board], found: usize) -> Message {
    let widths: Vec<String> = boards.iter().map(|&board| squares_per_row(board).to_string()).collect();
    let list = widths.join(" or ");
    message!(
        "squares_in_row",
        "expected {list} playing squares in this row, found {found}",
        expected = widths.as_slice(),
        found = found as u64
    )
}
