//! Lays out positions as diagrams, and draws them as SVG.
//!
//! White is at the bottom unless the board is flipped. Nothing here prints: the functions return text, some kilobytes for each
//! diagram, within some microseconds.

pub mod diagram;
mod svg;
pub mod sheet;
mod animation;

pub use animation::animated_svg;
use pdn::board::Square;
use pdn::position::Position;

use diagram::Diagram;
pub use svg::{DARK, FRAME_COLOUR, LIGHT, MARKED};

/// How a position is drawn. By default a board without square names and colours, with White at the bottom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DrawOptions {
    /// Prints the name of every square.
    pub square_names: bool,
    /// Draws Black at the bottom.
    pub flip: bool,
    /// Terminal only: uses ANSI colours. Without them, brackets mark the last move.
    pub colours: bool,
    /// Terminal only: `w`, `W`, `b` and `B` instead of the symbols for pieces, which some fonts lack.
    pub letters: bool,
    /// First and last square of the last move, to be marked.
    pub last_move: Option<(Square, Square)>,
    /// Width of a picture in pixels; `None` for 60 pixels a square and a frame of 28.
    pub width: Option<u32>,
}

/// Draws a position as a self-contained SVG picture.
pub fn svg(position: &Position, options: &DrawOptions) -> String {
    svg::draw(&Diagram::of(position, options), options)
}
