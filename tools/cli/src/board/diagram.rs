//! A position cut into the cells of a picture, as the reader sees them.

use pdn::board::{Square, SquareNames, SquareNaming};
use pdn::position::{Piece, Position};
use pdn::value::Colour;

use super::Options;

/// Rows of cells from the top left; what every picture is drawn from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Diagram {
    pub(crate) rows: Vec<Vec<Cell>>,
    pub(crate) turn: Colour,
    /// Whether Black sits at the bottom.
    pub(crate) flipped: bool,
    /// Whether every cell is played on, as in Turkish draughts.
    pub(crate) full: bool,
    /// Files and ranks along the edges, if the squares are called a1 and so on.
    pub(crate) edges: Option<Edges>,
}

/// What stands along the edges of an algebraic board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Edges {
    /// From the left.
    pub(crate) files: Vec<char>,
    /// From the top.
    pub(crate) ranks: Vec<u8>,
}

/// One cell of the board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Cell {
    /// The name of the square; none for a cell that is not played on.
    pub(crate) square: Option<String>,
    pub(crate) piece: Option<Piece>,
    /// Whether the last move began or ended here.
    pub(crate) marked: bool,
}

impl Diagram {
    /// Cuts a position into cells, as `options` wants it seen.
    pub(crate) fn of(position: &Position, options: &Options) -> Self {
        let names = &position.names();
        let board = names.board();
        let (width, height) = (board.width(), board.height());
        let numbering = names.numbering();
        let full = board.layout().full;
        // The library keeps every board with a playing square in the lower left corner.
        let mirrored = numbering.inverted && !full;
        let column_seen = |x: u8| if mirrored != options.flip { width - 1 - x } else { x };
        let row_seen = |y: u8| if options.flip { height - 1 - y } else { y };
        let cell = |square: Square| Cell {
            square: Some(names.name(square).to_string()),
            piece: position.piece(square),
            marked: options.last_move.is_some_and(|(from, to)| square == from || square == to),
        };
        let rows: Vec<Vec<Cell>> = (0..height)
            .map(|y| {
                let square = |x| board.square(row_seen(y), column_seen(x));
                (0..width).map(|x| square(x).map_or_else(Cell::default, cell)).collect()
            })
            .collect();
        Diagram { edges: edges(names, options), rows, turn: position.turn(), flipped: options.flip, full }
    }

    /// `White to move`.
    pub(crate) fn whose_turn(&self) -> String {
        format!("{} to move", side(self.turn))
    }

    /// `White: man on 32, king on 5. Black: ...`, for those who cannot see the picture.
    pub(crate) fn in_words(&self) -> String {
        let mut words = self.whose_turn();
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
            words.push_str(&format!(". {}: {names}", side(colour)));
        }
        words
    }
}

fn side(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "White",
        Colour::Black => "Black",
    }
}

/// Files and ranks, read off the squares of the board.
fn edges(names: &SquareNames, options: &Options) -> Option<Edges> {
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
    Some(Edges { files, ranks })
}
