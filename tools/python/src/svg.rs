//! Draws positions as self-contained SVG pictures for notebooks.

use std::fmt::Write;

use pdn::board::Square;
use pdn::position::{Piece, Position};
use pdn::value::Colour;

/// Side of a square in user units.
const SIDE: u32 = 50;

/// How a position is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Picture {
    /// Width in pixels.
    pub(crate) size: u32,
    /// Black is at the bottom.
    pub(crate) flip: bool,
    /// Squares have their numbers or names.
    pub(crate) numbers: bool,
    /// First and last square of a move, to be marked.
    pub(crate) marked: Option<(Square, Square)>,
}

/// Draws a position.
pub(crate) fn draw(position: &Position, picture: &Picture) -> String {
    let board = position.board();
    let (width, height) = (u32::from(board.width()) * SIDE, u32::from(board.height()) * SIDE);
    let names = position.names();
    let full = board.layout().full;
    // A board whose lower left corner is not played on is stored as its mirror image.
    let mirrored = position.game().numbering.inverted && !full;
    let pixels_high = u64::from(picture.size) * u64::from(height) / u64::from(width);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{pixels_high}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" font-family=\"Helvetica, Arial, sans-serif\"><title>{}</title>\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#f0d9b5\"/>",
        picture.size,
        position.fen()
    );
    for row in 0..board.height() {
        for column in 0..board.width() {
            let Some(square) = board.square(row, column) else { continue };
            let column = if mirrored != picture.flip { board.width() - 1 - column } else { column };
            let row = if picture.flip { board.height() - 1 - row } else { row };
            let (x, y) = (u32::from(column) * SIDE, u32::from(row) * SIDE);
            let marked = picture.marked.is_some_and(|(from, to)| square == from || square == to);
            let fill = if marked {
                "#9aa545"
            } else if full {
                "#f0d9b5"
            } else {
                "#b58863"
            };
            let line = if full { " stroke=\"#5c4033\"" } else { "" };
            let _ = write!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{fill}\"{line}/>"
            );
            if let Some(piece) = position.piece(square) {
                draw_piece(piece, x + SIDE / 2, y + SIDE / 2, &mut svg);
            }
            if picture.numbers {
                let (name, ink) = (names.name(square), if full { "#5c4033" } else { "#fff8ea" });
                let _ = write!(
                    svg,
                    "<text x=\"{}\" y=\"{}\" font-size=\"11\" fill=\"{ink}\">{name}</text>",
                    x + 2,
                    y + 11
                );
            }
        }
    }
    svg.push_str("</svg>");
    svg
}

/// Draws a piece: a disc with a groove, and a crown for a king.
fn draw_piece(piece: Piece, x: u32, y: u32, svg: &mut String) {
    let (fill, groove) = match piece.colour {
        Colour::White => ("#fbf7ec", "#a89c84"),
        Colour::Black => ("#2b2826", "#8a837c"),
    };
    let _ = write!(
        svg,
        "<g transform=\"translate({x} {y})\"><circle r=\"19\" fill=\"{fill}\" stroke=\"#1d1a17\" stroke-width=\"1.5\"/>\
         <circle r=\"14\" fill=\"none\" stroke=\"{groove}\" stroke-width=\"1.5\"/>"
    );
    if piece.king {
        svg.push_str(
            "<path d=\"M-9 7 L-11 -6 L-5 0 L0 -9 L5 0 L11 -6 L9 7 Z\" fill=\"#d9a431\" stroke=\"#5b3e08\"/>",
        );
    }
    svg.push_str("</g>");
}
