//! Divides a position into the cells of a picture, in the order of the picture.

use pdn::board::{Square, SquareNames, SquareNaming};
use pdn::position::{Piece, Position};
use pdn::value::Colour;

use super::DrawOptions;
use crate::ask::values::colour_title;

/// Rows of cells from the top left; the common source of all pictures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// Rows of cells from the top left.
    pub rows: Vec<Vec<Cell>>,
    /// The side to move.
    pub turn: Colour,
    /// `true` if Black is at the bottom.
    pub flipped: bool,
    /// `true` if every cell is a square of the game, as in Turkish draughts.
    pub full: bool,
    /// Files and ranks along the edges, if squares have algebraic names such as a1.
    pub edges: Option<EdgeLabels>,
}

/// Labels along the edges of a board with algebraic names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EdgeLabels {
    /// Files from left to right.
    pub files: Vec<char>,
    /// Ranks from top to bottom.
    pub ranks: Vec<u8>,
}

/// One cell of the board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// Name of the square; `None` for a cell that is not a square of the game.
    pub square: Option<String>,
    /// The piece on the square.
    pub piece: Option<Piece>,
    /// `true` if the last move began or ended here.
    pub marked: bool,
}

impl Diagram {
    /// Divides a position into cells, seen as `options` demand.
    pub fn of(position: &Position, options: &DrawOptions) -> Self {
        let names = &position.names();
        let board = names.board();
        let (width, height) = (board.width(), board.height());
        let numbering = names.numbering();
        let full = board.layout().full;
        // The library keeps every board with a playing square in the lower left corner.
        let mirrored = numbering.inverted && !full;
        let board_column = |x: u8| if mirrored != options.flip { width - 1 - x } else { x };
        let board_row = |y: u8| if options.flip { height - 1 - y } else { y };
        let cell = |square: Square| Cell {
            square: Some(names.name(square).to_string()),
            piece: position.piece(square),
            marked: options.last_move.is_some_and(|(from, to)| square == from || square == to),
        };
        let rows: Vec<Vec<Cell>> = (0..height)
            .map(|y| {
                let square = |x| board.square(board_row(y), board_column(x));
                (0..width).map(|x| square(x).map_or_else(Cell::default, cell)).collect()
            })
            .collect();
        Diagram { edges: edges(names, options), rows, turn: position.turn(), flipped: options.flip, full }
    }

    /// Returns the sentence about the side to move: `White to move`.
    pub fn side_to_move(&self) -> String {
        format!("{} to move", colour_title(self.turn))
    }

    /// Returns the position as text, for screen readers: `White to move. White: 32, K5. Black: ...`.
    pub fn description(&self) -> String {
        let mut words = self.side_to_move();
        for colour in Colour::ALL {
            let names: Vec<String> = self
                .rows
                .iter()
                .flatten()
                .filter_map(|cell| {
                    let piece = cell.piece.filter(|piece| piece.colour == colour)?;
                    let square = cell.square.as_deref()?;
                    Some(if piece.king { format!("K{square}") } else { square.to_owned() })
                })
                .collect();
            let names = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
            words.push_str(&format!(". {}: {names}", colour_title(colour)));
        }
        words
    }
}

/// Returns files and ranks, taken from the names of the squares; `None` if names are numeric.
fn edges(names: &SquareNames, options: &DrawOptions) -> Option<EdgeLabels> {
    let board = names.board();
    let (width, height) = (board.width(), board.height());
    let numbering = names.numbering();
    if numbering.letters != SquareNaming::Algebraic {
        return None;
    }
    let mirrored = numbering.inverted && !board.layout().full;
    let mut files: Vec<char> = (0..width)
        .filter_map(|column| (0..height).find_map(|row| board.square(row, column)))
        .map(|square| char::from(b'a' + names.algebraic(square).0))
        .collect();
    let mut ranks: Vec<u8> = (0..height)
        .filter_map(|row| (0..width).find_map(|column| board.square(row, column)))
        .map(|square| names.algebraic(square).1)
        .collect();
    if mirrored != options.flip {
        files.reverse();
    }
    if options.flip {
        ranks.reverse();
    }
    Some(EdgeLabels { files, ranks })
}
