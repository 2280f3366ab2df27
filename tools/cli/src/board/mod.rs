//! Draws positions, for the terminal and as SVG.
//!
//! White is at the bottom unless the board is flipped. Nothing here prints: the functions return text of at most a few
//! kilobytes, within some microseconds.

pub(crate) mod words;
pub(crate) mod diagram;
mod svg;
mod terminal;

use pdn::board::Square;
use pdn::position::Position;

use diagram::Diagram;

/// How a position is drawn. By default a board without square names and colours, with White at the bottom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct DrawOptions {
    /// Prints the name of every square.
    pub(crate) square_names: bool,
    /// Draws Black at the bottom.
    pub(crate) flip: bool,
    /// Terminal only: uses ANSI colours. Without them, brackets mark the last move.
    pub(crate) colours: bool,
    /// Terminal only: `w`, `W`, `b` and `B` instead of the symbols for pieces, which some fonts lack.
    pub(crate) letters: bool,
    /// First and last square of the last move, to be marked.
    pub(crate) last_move: Option<(Square, Square)>,
}

/// Draws a position as lines of text, each with a newline; the side to move is below the board.
pub(crate) fn terminal(position: &Position, options: &DrawOptions) -> String {
    terminal::draw(&Diagram::of(position, options), options)
}

/// Draws a position as a self-contained SVG picture.
pub(crate) fn svg(position: &Position, options: &DrawOptions) -> String {
    svg::draw(&Diagram::of(position, options), options)
}

#[cfg(test)]
mod tests;
