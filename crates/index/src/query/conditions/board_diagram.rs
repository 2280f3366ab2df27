//! Patterns drawn as a board, a row of letters or symbols per line: bare letters, or the board as `pdn show` draws it, with
//! labels, square names, files and the side to move.

use super::squares::{SquareContents, SquareRef};
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
    let drawing = read_rows(text)?;
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
            let contents = contents(letter).map_err(|message| {
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

/// Characters that are skipped: those of cells that are not playing squares, of frames, and the marks of the last move.
const SKIPPED: [char; 8] = [' ', '\t', '-', '_', '|', '\r', '[', ']'];

/// The width of a cell of a board that is drawn with the names of its squares, in characters.
const NAMED_CELL_WIDTH: usize = 4;

/// The least number of names in a line of square names: no board has fewer playing squares in a row.
const MIN_NAMES: usize = 4;

/// The rows of a drawing.
pub(super) struct DrawnRows {
    pub(super) rows: Vec<DrawnRow>,
    /// The side to move, if a line such as `White to move` names it.
    pub(super) turn: Option<Colour>,
}

/// A row of a drawing.
pub(super) struct DrawnRow {
    /// What stands to the left of the row.
    pub(super) label: Option<RowLabel>,
    /// The playing squares from left to right: an offset in the text and the character there.
    pub(super) squares: Vec<(usize, char)>,
}

/// The label of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RowLabel {
    /// A number: that of the first square, or a rank.
    Number(u8),
    /// The rank in the name of the first square.
    Rank(u8),
}

/// Returns what a character of a drawing stands for.
///
/// # Errors
/// What was expected, if it stands for nothing.
fn contents(symbol: char) -> Result<SquareContents, Message> {
    let letter = match symbol {
        '⛀' => 'w',
        '⛁' => 'W',
        '⛂' => 'b',
        '⛃' => 'B',
        '·' => '.',
        '●' | '♛' | '\u{1b}' => {
            return Err(message!(
                "no_colours",
                "expected a board drawn without colours, because this symbol does not say whose piece it is"
            ));
        }
        letter => letter,
    };
    SquareContents::of_letter(letter).ok_or_else(|| {
        message!(
            "expected_examples",
            "expected what stands there: w, W, b, B, o, x, m, k, p, `.` for nothing, `?` for anything",
            examples = &["w", "W", "b", "B", "o", "x", "m", "k", "p", ".", "?"][..]
        )
    })
}

/// Splits a drawing into its rows, which end with a line end or `/`.
///
/// # Errors
/// [`QueryError`] if a line of square names is not followed by a line of pieces.
fn read_rows(text: &str) -> Result<DrawnRows, QueryError> {
    let mut drawing = DrawnRows { rows: Vec::new(), turn: None };
    let mut lines = lines(text).peekable();
    while let Some((start, line)) = lines.next() {
        if line.trim_matches(SKIPPED).is_empty() || is_row_of_files(line) {
            continue;
        }
        if let Some(turn) = side_to_move(line) {
            drawing.turn = Some(turn);
            continue;
        }
        if let Some(names) = square_names(line) {
            let Some((start, pieces)) = lines.next() else {
                let span = Span::new(start as u32, (start + line.len()) as u32);
                let message = message!("pieces_below", "expected a line of pieces below these square names");
                return Err(QueryError::new(span, message));
            };
            drawing.rows.push(named_row(&names, start, pieces));
            continue;
        }
        let (label, skipped) = leading_number(line);
        let squares = line[skipped..].char_indices().filter(|(_, c)| !SKIPPED.contains(c));
        let squares = squares.map(|(at, c)| (start + skipped + at, c)).collect();
        drawing.rows.push(DrawnRow { label: label.map(RowLabel::Number), squares });
    }
    Ok(drawing)
}

/// Iterates over the lines of a text, which end with a line end or `/`, with their offsets.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut offset = 0;
    text.split(['\n', '/']).map(move |line| {
        let start = offset;
        offset += line.len() + 1;
        (start, line)
    })
}

/// Returns the side that a line such as `White to move` names.
fn side_to_move(line: &str) -> Option<Colour> {
    let is = |sentence: &str| line.trim().eq_ignore_ascii_case(sentence);
    if is("White to move") {
        return Some(Colour::White);
    }
    is("Black to move").then_some(Colour::Black)
}

/// Returns `true` for the line of files below a board: `a b c d e f g h`, from either side.
fn is_row_of_files(line: &str) -> bool {
    let mut files: Vec<&str> = line.split_whitespace().collect();
    if files.first() != Some(&"a") {
        files.reverse();
    }
    files.len() >= 8 && (b'a'..).zip(&files).all(|(file, name)| name.as_bytes() == [file])
}

/// A square name in a line, with the characters before it.
struct NamedPlace {
    column: usize,
    square: SquareRef,
}

/// Returns the square names of a line that consists of nothing else.
fn square_names(line: &str) -> Option<Vec<NamedPlace>> {
    let names: Vec<NamedPlace> = line
        .split_whitespace()
        .map(|name| {
            let start = name.as_ptr() as usize - line.as_ptr() as usize;
            let column = line[..start].chars().count();
            SquareRef::parse(name).map(|square| NamedPlace { column, square })
        })
        .collect::<Option<_>>()?;
    (names.len() >= MIN_NAMES).then_some(names)
}

/// Reads the pieces below square names. An empty square has no character there.
fn named_row(names: &[NamedPlace], start: usize, pieces: &str) -> DrawnRow {
    let label = names.first().and_then(|first| match first.square {
        SquareRef::Number(number) => Some(RowLabel::Number(number)),
        SquareRef::Algebraic { rank, .. } => Some(RowLabel::Rank(rank)),
        SquareRef::InRow { .. } => None,
    });
    let drawn: Vec<(usize, usize, char)> = pieces
        .char_indices()
        .enumerate()
        .map(|(column, (at, c))| (column, start + at, c))
        .filter(|(.., c)| !SKIPPED.contains(c))
        .collect();
    let squares = names.iter().map(|name| {
        let cell = name.column..name.column + NAMED_CELL_WIDTH;
        let piece = drawn.iter().find(|(column, ..)| cell.contains(column));
        piece.map_or((start, '.'), |&(_, at, c)| (at, c))
    });
    DrawnRow { label, squares: squares.collect() }
}

/// Returns the number at the beginning of a line, if whitespace follows, and the offset after it; 0 without a number.
fn leading_number(line: &str) -> (Option<u8>, usize) {
    let start = line.len() - line.trim_start().len();
    let digits = line[start..].find(|c: char| !c.is_ascii_digit()).unwrap_or(line.len() - start);
    let end = start + digits;
    let number = line[start..end].parse().ok().filter(|_| line[end..].starts_with([' ', '\t']));
    (number, if number.is_some() { end } else { 0 })
}
