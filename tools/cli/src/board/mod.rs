//! Pictures of a position: for the terminal and as SVG.
//!
//! White sits at the bottom unless flipped. Nothing here prints; the functions return text, of a few kilobytes at
//! most, and take some microseconds.

mod diagram;
mod svg;
mod terminal;

use pdn::board::Square;
use pdn::position::Position;

use diagram::Diagram;

/// How a position is drawn. The default is a plain board with White at the bottom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Options {
    /// The name of every square.
    pub(crate) numbers: bool,
    /// Black at the bottom.
    pub(crate) flip: bool,
    /// Terminal: ANSI colours. Without them, brackets mark the last move.
    pub(crate) colours: bool,
    /// Terminal: `w`, `W`, `b` and `B` instead of the symbols for draughts pieces, which some fonts lack.
    pub(crate) letters: bool,
    /// Where the last move began and ended.
    pub(crate) last_move: Option<(Square, Square)>,
}

/// The position as lines of text, each ended by a newline; below the board stands who is to move.
pub(crate) fn terminal(position: &Position, options: &Options) -> String {
    terminal::draw(&Diagram::of(position, options), options)
}

/// The position as a self-contained SVG picture.
pub(crate) fn svg(position: &Position, options: &Options) -> String {
    svg::draw(&Diagram::of(position, options), options)
}

#[cfg(test)]
mod tests;
