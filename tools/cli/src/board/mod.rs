//! Draws positions on a terminal.

mod terminal;

use pdn::position::Position;
pub(crate) use pdn_app::draw::board::DrawOptions;
use pdn_app::draw::board::diagram::Diagram;

/// Draws a position as lines of text, each with a newline; the side to move is below the board.
pub(crate) fn terminal(position: &Position, options: &DrawOptions) -> String {
    terminal::draw(&Diagram::of(position, options), options)
}

#[cfg(test)]
mod tests;
