//! Draws a diagram as lines of text.
//!
//! With colours, squares have coloured backgrounds, and pieces are discs and crowns in the colour of their side: the
//! symbols for draughts pieces are too faint on a coloured background. Without colours those symbols are used. A square
//! is three characters wide and one line high; with its name above the piece four wide and two high.

use anstyle::{Ansi256Color, Color, Style};
use pdn::position::Piece;
use pdn::value::Colour;

use pdn_app::draw::board::DrawOptions;
use pdn_app::draw::board::diagram::{Cell, Diagram};

// White and black pieces have about the same contrast to all backgrounds.
const DARK: Ansi256Color = Ansi256Color(130);
const MARKED: Ansi256Color = Ansi256Color(64);
const LIGHT: Ansi256Color = Ansi256Color(223);
/// Background of every second square on boards where all cells are squares.
const DARK_ALTERNATE: Ansi256Color = Ansi256Color(94);
const WHITE: Ansi256Color = Ansi256Color(231);
const BLACK: Ansi256Color = Ansi256Color(16);

/// Draws the board and, below it, the side to move; every line ends with a newline.
pub(super) fn draw(diagram: &Diagram, options: &DrawOptions) -> String {
    let pen =
        CellPen { colours: options.colours, letters: options.letters, square_names: options.square_names };
    let labels: Vec<String> = row_labels(diagram, options);
    let margin = labels.iter().map(String::len).max().unwrap_or(0);
    let mut text = String::new();
    for (y, row) in diagram.rows.iter().enumerate() {
        if pen.square_names {
            push_line(
                &mut text,
                margin,
                "",
                row.iter().enumerate().map(|(x, cell)| pen.name(diagram, cell, x + y)),
            );
        }
        let cells = row.iter().enumerate().map(|(x, cell)| pen.piece(diagram, cell, x + y));
        push_line(&mut text, margin, &labels[y], cells);
    }
    if let Some(edges) = &diagram.edges {
        let files = edges.files.iter().map(|&file| pen.centred(file));
        push_line(&mut text, margin, "", files);
    }
    text.push_str(&format!("{:margin$} {}\n", "", diagram.side_to_move()));
    text
}

/// Returns the label to the left of each row: its rank, or the name of its leftmost square unless all names are printed.
fn row_labels(diagram: &Diagram, options: &DrawOptions) -> Vec<String> {
    match &diagram.edges {
        Some(edges) => edges.ranks.iter().map(u8::to_string).collect(),
        None if options.square_names => vec![String::new(); diagram.rows.len()],
        None => diagram
            .rows
            .iter()
            .map(|row| row.iter().find_map(|cell| cell.square.clone()).unwrap_or_default())
            .collect(),
    }
}

/// Appends a line of cells after its label; trailing spaces are removed.
fn push_line(text: &mut String, margin: usize, label: &str, cells: impl Iterator<Item = String>) {
    let start = text.len();
    text.push_str(&format!("{label:>margin$} "));
    text.extend(cells);
    text.truncate(start + text[start..].trim_end().len());
    text.push('\n');
}

/// Draws single cells.
struct CellPen {
    colours: bool,
    letters: bool,
    square_names: bool,
}

impl CellPen {
    /// Draws the upper half of a cell, which contains the name of the square.
    fn name(&self, diagram: &Diagram, cell: &Cell, parity: usize) -> String {
        let name = cell.square.as_deref().unwrap_or_default();
        self.paint(diagram, cell, parity, format!("{name:<4}"), Some(WHITE))
    }

    /// Draws the half of a cell that contains the piece.
    fn piece(&self, diagram: &Diagram, cell: &Cell, parity: usize) -> String {
        let symbol = match cell.piece {
            Some(piece) => self.symbol(piece),
            // Without colour and name, a dot shows that the cell is a square of the game.
            None if cell.square.is_some() && !self.colours && !self.square_names => '·',
            None => ' ',
        };
        let text = if cell.marked && !self.colours { self.bracketed(symbol) } else { self.centred(symbol) };
        let colour = cell.piece.map(|piece| match piece.colour {
            Colour::White => WHITE,
            Colour::Black => BLACK,
        });
        self.paint(diagram, cell, parity, text, colour)
    }

    fn centred(&self, symbol: char) -> String {
        if self.square_names { format!(" {symbol}  ") } else { format!(" {symbol} ") }
    }

    fn bracketed(&self, symbol: char) -> String {
        if self.square_names { format!("[{symbol}] ") } else { format!("[{symbol}]") }
    }

    fn symbol(&self, piece: Piece) -> char {
        let white = piece.colour == Colour::White;
        match (self.letters, self.colours, piece.king) {
            (true, _, false) => {
                if white {
                    'w'
                } else {
                    'b'
                }
            }
            (true, _, true) => {
                if white {
                    'W'
                } else {
                    'B'
                }
            }
            (false, true, false) => '●',
            (false, true, true) => '♛',
            (false, false, false) => {
                if white {
                    '⛀'
                } else {
                    '⛂'
                }
            }
            (false, false, true) => {
                if white {
                    '⛁'
                } else {
                    '⛃'
                }
            }
        }
    }

    fn paint(
        &self,
        diagram: &Diagram,
        cell: &Cell,
        parity: usize,
        text: String,
        colour: Option<Ansi256Color>,
    ) -> String {
        if !self.colours {
            return text;
        }
        let ground = match &cell.square {
            _ if cell.marked => MARKED,
            Some(_) if diagram.full && parity % 2 == 1 => DARK_ALTERNATE,
            Some(_) => DARK,
            None => LIGHT,
        };
        let style = Style::new().bg_color(Some(Color::Ansi256(ground))).fg_color(colour.map(Color::Ansi256));
        format!("{style}{text}{style:#}")
    }
}
