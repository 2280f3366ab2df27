//! Cells, pieces and the board, and the names of the squares in each numbering.

use super::rules::{Numbering, Rules};

/// A cell of the board: the column from the left and the row from the bottom, both from 0, with White at the
/// bottom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Cell {
    pub(crate) x: i32,
    pub(crate) y: i32,
}

impl Cell {
    pub(crate) fn step(self, (dx, dy): (i32, i32)) -> Cell {
        Cell { x: self.x + dx, y: self.y + dy }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Colour {
    White,
    Black,
}

impl Colour {
    pub(crate) fn other(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }

    /// Returns the row change of a forward step: White moves up the board, Black down.
    pub(crate) fn forward(self) -> i32 {
        match self {
            Colour::White => 1,
            Colour::Black => -1,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Rank {
    Man,
    King,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Piece {
    pub(crate) colour: Colour,
    pub(crate) rank: Rank,
}

/// A position: the pieces, the side to move, and the king counters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    width: i32,
    height: i32,
    cells: Vec<Option<Piece>>,
    pub(crate) turn: Colour,
    /// For White and Black: the king that made the side's last move, and the number of its quiet moves in a row.
    pub(crate) king_streaks: [Option<(Cell, u32)>; 2],
}

impl Board {
    pub(crate) fn empty(rules: &Rules, turn: Colour) -> Board {
        Board {
            width: rules.width,
            height: rules.height,
            cells: vec![None; (rules.width * rules.height) as usize],
            turn,
            king_streaks: [None, None],
        }
    }

    /// Creates the start position of the variant.
    pub(crate) fn start(rules: &Rules) -> Board {
        let mut board = Board::empty(rules, rules.starts);
        for cell in rules.squares() {
            let from_below = cell.y - rules.empty_rows;
            let from_above = rules.height - 1 - cell.y - rules.empty_rows;
            if (0..rules.rows_of_men).contains(&from_below) {
                board.put(cell, Some(Piece { colour: Colour::White, rank: Rank::Man }));
            } else if (0..rules.rows_of_men).contains(&from_above) {
                board.put(cell, Some(Piece { colour: Colour::Black, rank: Rank::Man }));
            }
        }
        board
    }

    pub(crate) fn contains(&self, cell: Cell) -> bool {
        (0..self.width).contains(&cell.x) && (0..self.height).contains(&cell.y)
    }

    /// Returns the piece on a cell; `None` outside the board.
    pub(crate) fn at(&self, cell: Cell) -> Option<Piece> {
        if self.contains(cell) { self.cells[(cell.y * self.width + cell.x) as usize] } else { None }
    }

    pub(crate) fn is_free(&self, cell: Cell) -> bool {
        self.contains(cell) && self.at(cell).is_none()
    }

    pub(crate) fn put(&mut self, cell: Cell, piece: Option<Piece>) {
        self.cells[(cell.y * self.width + cell.x) as usize] = piece;
    }

    /// Returns every piece of one side, row by row from the bottom.
    pub(crate) fn pieces(&self, colour: Colour) -> Vec<(Cell, Rank)> {
        let mut found = Vec::new();
        for y in 0..self.height {
            for x in 0..self.width {
                let cell = Cell { x, y };
                if let Some(piece) = self.at(cell)
                    && piece.colour == colour
                {
                    found.push((cell, piece.rank));
                }
            }
        }
        found
    }

    pub(crate) fn has_man(&self, colour: Colour) -> bool {
        self.pieces(colour).iter().any(|&(_, rank)| rank == Rank::Man)
    }
}

impl Rules {
    /// Returns `true` if this cell is a playing square in this variant.
    pub(crate) fn is_square(&self, cell: Cell) -> bool {
        let on_the_main_diagonal_colour = (cell.x + cell.y) % 2 == 0;
        match self.numbering {
            Numbering::LettersEveryCell => true,
            Numbering::FromTopLeftCorner | Numbering::FromBottomRightCorner => !on_the_main_diagonal_colour,
            Numbering::FromTopLeft | Numbering::Letters | Numbering::FromBottomRight => {
                on_the_main_diagonal_colour
            }
        }
    }

    /// Returns the squares in the order of their numbers; with letters a1, a3, b2 and so on, column by column.
    pub(crate) fn squares(&self) -> Vec<Cell> {
        let rows = 0..self.height;
        let columns = 0..self.width;
        let mut cells = Vec::new();
        match self.numbering {
            Numbering::FromTopLeft | Numbering::FromTopLeftCorner => {
                for y in rows.rev() {
                    cells.extend(columns.clone().map(|x| Cell { x, y }));
                }
            }
            Numbering::FromBottomRight | Numbering::FromBottomRightCorner => {
                for y in rows {
                    cells.extend(columns.clone().rev().map(|x| Cell { x, y }));
                }
            }
            Numbering::Letters | Numbering::LettersEveryCell => {
                for x in columns {
                    cells.extend(rows.clone().map(|y| Cell { x, y }));
                }
            }
        }
        cells.retain(|&cell| self.is_square(cell));
        cells
    }

    /// Returns the name of a square: a number from 1, or a letter and a digit.
    pub(crate) fn name(&self, cell: Cell) -> String {
        if matches!(self.numbering, Numbering::Letters | Numbering::LettersEveryCell) {
            let letter = char::from(b'a' + cell.x as u8);
            return format!("{letter}{}", cell.y + 1);
        }
        let index = self.squares().iter().position(|&square| square == cell).expect("a playing square");
        (index + 1).to_string()
    }

    /// Returns the square with this name.
    pub(crate) fn cell(&self, name: &str) -> Cell {
        let found = self.squares().into_iter().find(|&cell| self.name(cell) == name);
        found.unwrap_or_else(|| panic!("{}: no square has the name {name:?}", self.name))
    }
}
