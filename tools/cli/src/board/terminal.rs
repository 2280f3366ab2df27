//! A diagram as lines of text.
//!
//! With colours, squares are coloured backgrounds and pieces are discs and crowns in the colour of their side: the
//! symbols for draughts pieces are too faint on a coloured ground. Without colours they are the right thing. A
//! square is three characters wide; with its name above the piece four wide and two lines high, which most
//! terminals show as a square.

use anstyle::{Ansi256Color, Color, Style};
use pdn::position::Piece;
use pdn::value::Colour;

use super::Options;
use super::diagram::{Cell, Diagram};

/// Chosen so that white and black pieces stand out equally from both.
const DARK: Ansi256Color = Ansi256Color(130);
const MARKED: Ansi256Color = Ansi256Color(64);
const LIGHT: Ansi256Color = Ansi256Color(223);
/// For boards without light squares: every second cell.
const DARK_TOO: Ansi256Color = Ansi256Color(94);
const WHITE: Ansi256Color = Ansi256Color(231);
const BLACK: Ansi256Color = Ansi256Color(16);

/// The board, every line ended by a newline, and below it who is to move.
pub(crate) fn draw(diagram: &Diagram, options: &Options) -> String {
    let pen = Pen { colours: options.colours, letters: options.letters, names: options.numbers };
    let labels: Vec<String> = labels(diagram, options);
    let margin = labels.iter().map(String::len).max().unwrap_or(0);
    let mut text = String::new();
    for (y, row) in diagram.rows.iter().enumerate() {
        if pen.names {
            line(
                &mut text,
                margin,
                "",
                row.iter().enumerate().map(|(x, cell)| pen.name(diagram, cell, x + y)),
            );
        }
        let cells = row.iter().enumerate().map(|(x, cell)| pen.piece(diagram, cell, x + y));
        line(&mut text, margin, &labels[y], cells);
    }
    if let Some(edges) = &diagram.edges {
        let files = edges.files.iter().map(|&file| pen.centred(file));
        line(&mut text, margin, "", files);
    }
    text.push_str(&format!("{:margin$} {}\n", "", diagram.whose_turn()));
    text
}

/// What stands left of each row: its rank, or the number of its leftmost square unless all numbers are shown.
fn labels(diagram: &Diagram, options: &Options) -> Vec<String> {
    match &diagram.edges {
        Some(edges) => edges.ranks.iter().map(u8::to_string).collect(),
        None if options.numbers => vec![String::new(); diagram.rows.len()],
        None => diagram
            .rows
            .iter()
            .map(|row| row.iter().find_map(|cell| cell.square.clone()).unwrap_or_default())
            .collect(),
    }
}

fn line(text: &mut String, margin: usize, label: &str, cells: impl Iterator<Item = String>) {
    let start = text.len();
    text.push_str(&format!("{label:>margin$} "));
    text.extend(cells);
    text.truncate(start + text[start..].trim_end().len());
    text.push('\n');
}

struct Pen {
    colours: bool,
    letters: bool,
    names: bool,
}

impl Pen {
    /// The upper half of a square that shows its name.
    fn name(&self, diagram: &Diagram, cell: &Cell, parity: usize) -> String {
        let name = cell.square.as_deref().unwrap_or_default();
        self.paint(diagram, cell, parity, format!("{name:<4}"), Some(WHITE))
    }

    /// The square with its piece.
    fn piece(&self, diagram: &Diagram, cell: &Cell, parity: usize) -> String {
        let symbol = match cell.piece {
            Some(piece) => self.symbol(piece),
            // Neither a colour nor a name shows that this square is played on.
            None if cell.square.is_some() && !self.colours && !self.names => '·',
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
        if self.names { format!(" {symbol}  ") } else { format!(" {symbol} ") }
    }

    fn bracketed(&self, symbol: char) -> String {
        if self.names { format!("[{symbol}] ") } else { format!("[{symbol}]") }
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
            Some(_) if diagram.full && parity % 2 == 1 => DARK_TOO,
            Some(_) => DARK,
            None => LIGHT,
        };
        let style = Style::new().bg_color(Some(Color::Ansi256(ground))).fg_color(colour.map(Color::Ansi256));
        format!("{style}{text}{style:#}")
    }
}
