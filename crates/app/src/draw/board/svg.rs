//! Draws a diagram as a self-contained SVG picture, without style sheet, font file or script.

use std::fmt::Write;

use pdn::position::Piece;
use pdn::value::Colour;

use super::DrawOptions;
use super::diagram::{Cell, Diagram};

/// Side of a square in user units.
const SQUARE_SIDE: usize = 60;
/// Width of the frame around the squares in user units.
const FRAME_WIDTH: usize = 28;

/// Radius of a piece in user units. It leaves a corner of the square free for the number.
const PIECE_RADIUS: usize = 24;

// The page of the explorer draws with the same measures and colours: tools/explorer/page/picture.js.
/// Colour of the squares of the game.
pub const DARK: &str = "#b58863";
/// Colour of the other squares.
pub const LIGHT: &str = "#f0d9b5";
/// Colour of the squares of the last move.
pub const MARKED: &str = "#d9bd55";
/// Colour of the frame.
pub const FRAME_COLOUR: &str = "#5c4033";
const LABEL_COLOUR: &str = "#f0d9b5";
/// Colour of the numbers of squares, dark enough for every ground.
const NUMBER_COLOUR: &str = "#3b2412";

/// Path of a crown with five points, 30 by 21 user units around the origin.
const CROWN: &str = "M-12 9.6L-15 -7.2L-7.2 0.6L0 -11.4L7.2 0.6L15 -7.2L12 9.6Z";

/// The gradients that pieces are filled with; a picture needs them once.
pub(super) const GRADIENTS: &str = r##"<defs>
<radialGradient id="white" cx="0.4" cy="0.35" r="0.75"><stop offset="0" stop-color="#ffffff"/><stop offset="1" stop-color="#ddd3bd"/></radialGradient>
<radialGradient id="black" cx="0.4" cy="0.35" r="0.75"><stop offset="0" stop-color="#565250"/><stop offset="1" stop-color="#1b1918"/></radialGradient>
</defs>
"##;

/// Returns width and height of a board with its frame, in user units.
pub(super) fn size(diagram: &Diagram) -> (usize, usize) {
    let side = |squares: usize| squares * SQUARE_SIDE + 2 * FRAME_WIDTH;
    (side(diagram.rows.first().map_or(0, Vec::len)), side(diagram.rows.len()))
}

/// Draws the picture; the text ends with a newline.
pub(super) fn draw(diagram: &Diagram, options: &DrawOptions) -> String {
    let (width, height) = size(diagram);
    let wide = options.width.map_or(width, |pixels| pixels as usize);
    let high = wide * height / width;
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {width} {height}" role="img" font-family="Helvetica, Arial, sans-serif">"#
    );
    svg.push('\n');
    svg.push_str(&format!("<title>{}</title>\n{GRADIENTS}", diagram.description()));
    draw_board(diagram, options, &mut svg);
    svg.push_str("</svg>\n");
    svg
}

/// Appends the board with its frame, in a square of [`size`] from the origin on.
pub(super) fn draw_board(diagram: &Diagram, options: &DrawOptions, svg: &mut String) {
    let (width, height) = size(diagram);
    let (board_width, board_height) = (width - 2 * FRAME_WIDTH, height - 2 * FRAME_WIDTH);
    let mut element = |text: std::fmt::Arguments<'_>| {
        svg.write_fmt(text).expect("writing to a string cannot fail");
        svg.push('\n');
    };
    element(format_args!(r#"<rect width="{width}" height="{height}" rx="6" fill="{FRAME_COLOUR}"/>"#));
    // The light ground is one rectangle, so that no seams show between light cells.
    element(format_args!(
        r#"<rect x="{FRAME_WIDTH}" y="{FRAME_WIDTH}" width="{board_width}" height="{board_height}" fill="{LIGHT}"/>"#
    ));
    for (y, row) in diagram.rows.iter().enumerate() {
        for (x, cell) in row.iter().enumerate() {
            let corner = (FRAME_WIDTH + x * SQUARE_SIDE, FRAME_WIDTH + y * SQUARE_SIDE);
            if let Some(text) = square(diagram, cell, corner) {
                element(format_args!("{text}"));
            }
            if let Some(name) = cell.square.as_deref().filter(|_| options.square_names) {
                let (x, y) = (corner.0 + 2, corner.1 + 9);
                element(format_args!(
                    r#"<text x="{x}" y="{y}" font-size="10" font-weight="bold" fill="{NUMBER_COLOUR}">{name}</text>"#
                ));
            }
            if let Some(piece) = cell.piece {
                element(format_args!("{}", draw_piece(piece, centre(x, y))));
            }
        }
    }
    if let Some(edges) = &diagram.edges {
        for (x, file) in edges.files.iter().enumerate() {
            let (x, y) = (FRAME_WIDTH + x * SQUARE_SIDE + SQUARE_SIDE / 2, FRAME_WIDTH + board_height + 20);
            element(format_args!("{}", label(x, y, file)));
        }
        for (y, rank) in edges.ranks.iter().enumerate() {
            let (x, y) = (FRAME_WIDTH / 2, FRAME_WIDTH + y * SQUARE_SIDE + SQUARE_SIDE / 2 + 6);
            element(format_args!("{}", label(x, y, rank)));
        }
    }
    element(format_args!("{}", turn_mark(diagram, board_width, board_height)));
}

/// Draws a square; `None` for a cell that is not a square of the game, which shows the ground.
fn square(diagram: &Diagram, cell: &Cell, (x, y): (usize, usize)) -> Option<String> {
    cell.square.as_ref()?;
    // If all cells are squares, lines separate them instead of two colours.
    let (ground, line) = match (cell.marked, diagram.full) {
        (true, true) => (MARKED, format!(r#" stroke="{FRAME_COLOUR}" stroke-width="1.5""#)),
        (false, true) => (LIGHT, format!(r#" stroke="{FRAME_COLOUR}" stroke-width="1.5""#)),
        (true, false) => (MARKED, String::new()),
        (false, false) => (DARK, String::new()),
    };
    Some(format!(
        r#"<rect x="{x}" y="{y}" width="{SQUARE_SIDE}" height="{SQUARE_SIDE}" fill="{ground}"{line}/>"#
    ))
}

/// Returns the centre of a cell, in user units.
pub(super) const fn centre(x: usize, y: usize) -> (usize, usize) {
    (FRAME_WIDTH + x * SQUARE_SIDE + SQUARE_SIDE / 2, FRAME_WIDTH + y * SQUARE_SIDE + SQUARE_SIDE / 2)
}

/// Draws a piece: a disc with a groove, and a crown for a king.
pub(super) fn draw_piece(piece: Piece, (x, y): (usize, usize)) -> String {
    let (name, rim, groove, crown, crown_rim) = match piece.colour {
        Colour::White => ("white", "#3a332c", "#b3a88f", "#c8932b", "#5b3e08"),
        Colour::Black => ("black", "#000000", "#7a746f", "#f2c14e", "#2a1d03"),
    };
    let mut text = format!(
        r#"<g transform="translate({x} {y})"><circle r="{PIECE_RADIUS}" fill="url(#{name})" stroke="{rim}" stroke-width="1.6"/>"#
    );
    let inner = PIECE_RADIUS * 3 / 4;
    text.push_str(&format!(r#"<circle r="{inner}" fill="none" stroke="{groove}" stroke-width="1.6"/>"#));
    if piece.king {
        text.push_str(&format!(
            r#"<path d="{CROWN}" fill="{crown}" stroke="{crown_rim}" stroke-width="1.6" stroke-linejoin="round"/>"#
        ));
    } else {
        let inmost = PIECE_RADIUS / 2;
        text.push_str(&format!(r#"<circle r="{inmost}" fill="none" stroke="{groove}" stroke-width="1.2"/>"#));
    }
    text.push_str("</g>");
    text
}

/// Draws the label of a file or rank, centred at `x`.
fn label(x: usize, y: usize, text: &impl std::fmt::Display) -> String {
    format!(
        r#"<text x="{x}" y="{y}" font-size="16" text-anchor="middle" fill="{LABEL_COLOUR}">{text}</text>"#
    )
}

/// Draws a small disc on the frame, next to the side to move.
fn turn_mark(diagram: &Diagram, board_width: usize, board_height: usize) -> String {
    let at_the_bottom = (diagram.turn == Colour::White) != diagram.flipped;
    let x = board_width + FRAME_WIDTH + FRAME_WIDTH / 2;
    let y = if at_the_bottom {
        board_height + FRAME_WIDTH - SQUARE_SIDE / 2
    } else {
        FRAME_WIDTH + SQUARE_SIDE / 2
    };
    let name = if diagram.turn == Colour::White { "white" } else { "black" };
    format!(r##"<circle cx="{x}" cy="{y}" r="8" fill="url(#{name})" stroke="#f0d9b5" stroke-width="1.6"/>"##)
}
