//! A diagram as a self-contained SVG picture: no style sheet, no font file, no script.

use std::fmt::Write;

use pdn::position::Piece;
use pdn::value::Colour;

use super::Options;
use super::diagram::{Cell, Diagram};

/// Side of a square in user units.
const SIDE: usize = 60;
/// Frame around the squares.
const FRAME: usize = 28;

const DARK: &str = "#b58863";
const LIGHT: &str = "#f0d9b5";
const MARKED: &str = "#9aa545";
const WOOD: &str = "#5c4033";
const LETTERING: &str = "#f0d9b5";

/// A crown of five points in a box of 20 x 14 around the origin.
const CROWN: &str = "M-8.5 7 L-10.5 -5 L-5 0.5 L0 -8 L5 0.5 L10.5 -5 L8.5 7 Z";

/// The picture, ended by a newline.
pub(crate) fn draw(diagram: &Diagram, options: &Options) -> String {
    let columns = diagram.rows.first().map_or(0, Vec::len);
    let (board_width, board_height) = (columns * SIDE, diagram.rows.len() * SIDE);
    let (width, height) = (board_width + 2 * FRAME, board_height + 2 * FRAME);
    let mut svg = String::new();
    let mut element = |text: std::fmt::Arguments<'_>| {
        svg.write_fmt(text).expect("writing to a string cannot fail");
        svg.push('\n');
    };
    element(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" font-family="Helvetica, Arial, sans-serif">"#
    ));
    element(format_args!("<title>{}</title>", diagram.in_words()));
    element(format_args!(
        r##"<defs>
<radialGradient id="white" cx="0.4" cy="0.35" r="0.75"><stop offset="0" stop-color="#ffffff"/><stop offset="1" stop-color="#ddd3bd"/></radialGradient>
<radialGradient id="black" cx="0.4" cy="0.35" r="0.75"><stop offset="0" stop-color="#565250"/><stop offset="1" stop-color="#1b1918"/></radialGradient>
</defs>"##
    ));
    element(format_args!(r#"<rect width="{width}" height="{height}" rx="6" fill="{WOOD}"/>"#));
    // The ground is drawn once, so that no seams show between light cells.
    element(format_args!(
        r#"<rect x="{FRAME}" y="{FRAME}" width="{board_width}" height="{board_height}" fill="{LIGHT}"/>"#
    ));
    for (y, row) in diagram.rows.iter().enumerate() {
        for (x, cell) in row.iter().enumerate() {
            let corner = (FRAME + x * SIDE, FRAME + y * SIDE);
            if let Some(text) = square(diagram, cell, corner) {
                element(format_args!("{text}"));
            }
            if let Some(name) = cell.square.as_deref().filter(|_| options.numbers) {
                let (x, y) = (corner.0 + 3, corner.1 + 12);
                let ink = if diagram.full { WOOD } else { "#fff8ea" };
                element(format_args!(
                    r#"<text x="{x}" y="{y}" font-size="12.5" font-weight="bold" fill="{ink}">{name}</text>"#
                ));
            }
            if let Some(piece) = cell.piece {
                // Names stand in the upper left corner; the piece makes room.
                let shift = if options.numbers { 4 } else { 0 };
                let centre = (corner.0 + SIDE / 2 + shift, corner.1 + SIDE / 2 + shift);
                element(format_args!("{}", draw_piece(piece, centre, if options.numbers { 22 } else { 26 })));
            }
        }
    }
    if let Some(edges) = &diagram.edges {
        for (x, file) in edges.files.iter().enumerate() {
            let (x, y) = (FRAME + x * SIDE + SIDE / 2, FRAME + board_height + 20);
            element(format_args!("{}", lettering(x, y, file)));
        }
        for (y, rank) in edges.ranks.iter().enumerate() {
            let (x, y) = (FRAME / 2, FRAME + y * SIDE + SIDE / 2 + 6);
            element(format_args!("{}", lettering(x, y, rank)));
        }
    }
    element(format_args!("{}", turn_mark(diagram, board_width, board_height)));
    element(format_args!("</svg>"));
    svg
}

/// A playing square; a cell that is not played on shows the ground.
fn square(diagram: &Diagram, cell: &Cell, (x, y): (usize, usize)) -> Option<String> {
    cell.square.as_ref()?;
    // A board without light squares is a grid of lines instead.
    let (ground, line) = match (cell.marked, diagram.full) {
        (true, true) => (MARKED, format!(r#" stroke="{WOOD}" stroke-width="1.5""#)),
        (false, true) => (LIGHT, format!(r#" stroke="{WOOD}" stroke-width="1.5""#)),
        (true, false) => (MARKED, String::new()),
        (false, false) => (DARK, String::new()),
    };
    Some(format!(r#"<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" fill="{ground}"{line}/>"#))
}

/// A disc with a groove; a king wears a crown.
fn draw_piece(piece: Piece, (x, y): (usize, usize), radius: usize) -> String {
    let (name, rim, groove, crown, crown_rim) = match piece.colour {
        Colour::White => ("white", "#3a332c", "#b3a88f", "#c8932b", "#5b3e08"),
        Colour::Black => ("black", "#000000", "#7a746f", "#f2c14e", "#2a1d03"),
    };
    let mut text = format!(
        r#"<g transform="translate({x} {y})"><circle r="{radius}" fill="url(#{name})" stroke="{rim}" stroke-width="1.6"/>"#
    );
    let inner = radius - 6;
    text.push_str(&format!(r#"<circle r="{inner}" fill="none" stroke="{groove}" stroke-width="1.6"/>"#));
    if piece.king {
        text.push_str(&format!(
            r#"<path d="{CROWN}" transform="scale(1.35)" fill="{crown}" stroke="{crown_rim}" stroke-width="1.2" stroke-linejoin="round"/>"#
        ));
    } else {
        let inmost = radius - 12;
        text.push_str(&format!(r#"<circle r="{inmost}" fill="none" stroke="{groove}" stroke-width="1.2"/>"#));
    }
    text.push_str("</g>");
    text
}

fn lettering(x: usize, y: usize, text: &impl std::fmt::Display) -> String {
    format!(r#"<text x="{x}" y="{y}" font-size="16" text-anchor="middle" fill="{LETTERING}">{text}</text>"#)
}

/// A small disc on the frame, on the side of the player to move.
fn turn_mark(diagram: &Diagram, board_width: usize, board_height: usize) -> String {
    let at_the_bottom = (diagram.turn == Colour::White) != diagram.flipped;
    let x = board_width + FRAME + FRAME / 2;
    let y = if at_the_bottom { board_height + FRAME - SIDE / 2 } else { FRAME + SIDE / 2 };
    let name = if diagram.turn == Colour::White { "white" } else { "black" };
    format!(r##"<circle cx="{x}" cy="{y}" r="8" fill="url(#{name})" stroke="#f0d9b5" stroke-width="1.6"/>"##)
}
