//! Texts of moves, written from tables.

use super::plies::{PlyRow, PlyTable};
use super::squares::SquareTable;
use pdn::notation::MoveStyle;
use pdn::position::Position;
use pdn_rules::internal::notation::write_move;

/// Appends the text of a move, as [`MoveStyle::Shortest`] writes it.
// Twin: `Position::move_text`; test: `moves_equal_those_of_an_annotated_replay`.
#[inline]
pub(super) fn write_text(ply: &PlyRow, squares: &SquareTable, text: &mut Vec<u8>) {
    if ply.is_ambiguous {
        write_path(ply, squares, text);
    } else {
        squares.write_ends(&ply.mv, text);
    }
}

/// Appends all squares of a capture.
#[cold]
fn write_path(ply: &PlyRow, squares: &SquareTable, text: &mut Vec<u8>) {
    let position = Position::from_state(squares.candidate().game(), ply.before);
    let names = squares.candidate().names();
    let mut path = String::new();
    if write_move(&position, &names, &ply.mv, MoveStyle::Shortest, &mut path).is_err() {
        path = position.move_text(&ply.mv, MoveStyle::Shortest);
    }
    text.extend_from_slice(path.as_bytes());
}

/// Appends the texts of all moves, separated by spaces. Returns `false` if there is none.
pub(super) fn write_moves(plies: &PlyTable, squares: Option<&SquareTable>, text: &mut String) -> bool {
    let Some(squares) = squares.filter(|_| !plies.plies.is_empty()) else { return false };
    let mut moves = Vec::with_capacity(8 * plies.plies.len());
    for ply in &plies.plies {
        write_text(ply, squares, &mut moves);
        moves.push(b' ');
    }
    text.push_str(String::from_utf8_lossy(&moves).trim_end());
    true
}

/// Returns the numbers of the squares that the piece of a move touches. Of several paths with one effect it is the first
/// found; the two ends if the captures are too many to be searched.
pub(super) fn path_numbers(ply: &PlyRow, squares: &SquareTable) -> Vec<u8> {
    let position = Position::from_state(squares.candidate().game(), ply.before);
    let path = position.paths(&ply.mv).ok().and_then(|paths| paths.into_iter().next());
    match path {
        Some(path) => path.squares.iter().map(|&square| squares.number(square)).collect(),
        None => vec![squares.number(ply.mv.from), squares.number(ply.mv.to)],
    }
}
