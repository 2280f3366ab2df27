//! The squares of a board that patterns and areas name.

use crate::query::conditions::{Area, Pattern, SquareContents, SquareRef};
use pdn::board::{Bits, SquareNames};
use pdn::value::Colour;
use pdn_rules::internal::board::{BitLayout, Geometry};

/// Returns the bits of the squares that a pattern names, with what they may hold; `None` if the board lacks one of them, or is not
/// that of its diagram. A square that has two names occurs twice.
pub(super) fn pattern_squares<G: Geometry>(
    pattern: &Pattern,
    names: &SquareNames,
) -> Option<Vec<(u8, SquareContents)>> {
    let from_black = seen_from_black::<G>(pattern, names)?;
    let turned = turned::<G>();
    let squares = pattern.squares.iter().map(|(square, contents)| {
        let bit = square.bit(names)? & 127;
        Some((if from_black { turned[usize::from(bit)] } else { bit }, *contents))
    });
    squares.collect()
}

/// Returns the squares of an area for the pieces of a side; `None` if the board lacks one.
pub(super) fn area_squares<G: Geometry>(area: &Area, side: Colour, names: &SquareNames) -> Option<G::Bits> {
    let bit = |square: SquareRef| Some(G::Bits::one(square.bit(names)?));
    let listed = area.squares().try_fold(G::Bits::NONE, |all, square| Some(all | bit(square)?))?;
    // The bit layout is that of a board whose lower left cell is a playing square. Other boards are its mirror image.
    let is_mirrored = names.numbering().inverted && !G::LAYOUT.full;
    let is_named = |at: &u8| {
        let Some((row, column)) = G::LAYOUT.cell(*at) else { return false };
        let column = if is_mirrored { G::LAYOUT.width as i8 - 1 - column } else { column };
        area.names().any(|name| name.has(G::LAYOUT, (row as u8, column as u8), side))
    };
    Some(G::VALID.squares().filter(is_named).fold(listed, |all, at| all | G::Bits::one(at)))
}

/// Returns whether the diagram of a pattern was drawn from Black's side; `None` if it shows another board, or its squares
/// have other numbers in games with these names.
fn seen_from_black<G: Geometry>(pattern: &Pattern, names: &SquareNames) -> Option<bool> {
    let Some(frame) = pattern.diagram else { return Some(false) };
    if frame.board != G::BOARD {
        return None;
    }
    let Some(number) = frame.first_number else { return Some(false) };
    let top_left = SquareRef::InRow { row: 0, place: 0 }.bit(names)?;
    let first = names.of_number(number.into())?.bit();
    let seen_from_white = first == top_left;
    (seen_from_white || first == turned::<G>()[usize::from(top_left) & 127]).then_some(!seen_from_white)
}

/// Returns the bit of each square after a turn of the board by 180 degrees.
fn turned<G: Geometry>() -> &'static [u8; BitLayout::MAX] {
    const { &G::LAYOUT.turned() }
}
