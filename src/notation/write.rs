//! The text of a move: PDN 3.0, restrictions 5 to 9, and the proposal of PDN 3.1.

use std::fmt::{self, Write};

use crate::board::{Square, SquareNames};
use crate::movegen::{CaptureLimit, CapturePath, FindError};
use crate::position::{Move, Position};

/// How much of a capture is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum MoveStyle {
    /// First and last square; the full chain where another capture has the same ones. Restriction 8.
    #[default]
    Shortest,
    /// The full chain of every capture. Restriction 9.
    Chain,
    /// First and last square, and the captured ones in angle brackets where another capture has the same first
    /// and last: `47x36 <42,29,14,31>`. The proposal of PDN 3.1.
    Captured,
}

/// The text of a legal move in its position, with the square names and the separator of the game.
///
/// Where a capture has several paths the first one found is written; each of them names the move.
///
/// # Errors
/// When the captures of the position are too many to be searched.
pub fn move_text(position: &Position, mv: &Move, style: MoveStyle) -> Result<String, CaptureLimit> {
    let mut text = String::with_capacity(16);
    write_move(position, &position.names(), mv, style, &mut text)?;
    Ok(text)
}

/// [`move_text`] appended to `out`, with the names of the squares at hand; they may be those of another
/// numbering.
///
/// # Errors
/// As [`move_text`].
pub fn write_move(
    position: &Position,
    names: &SquareNames,
    mv: &Move,
    style: MoveStyle,
    out: &mut String,
) -> Result<(), CaptureLimit> {
    let full = match style {
        _ if !mv.is_capture() => false,
        MoveStyle::Chain => true,
        MoveStyle::Shortest | MoveStyle::Captured => match position.find(mv.from, mv.to, &[]) {
            Err(FindError::Ambiguous) => true,
            Err(FindError::Limit) => return Err(CaptureLimit),
            _ => false,
        },
    };
    let path = if full { position.paths(mv)?.into_iter().next() } else { None };
    let separator = if mv.is_capture() { position.rules().capture_separator } else { '-' };
    // Writing to a String does not fail.
    let _ = format(names, mv, style, separator, path.as_ref(), out);
    Ok(())
}

fn format(
    names: &SquareNames,
    mv: &Move,
    style: MoveStyle,
    separator: char,
    path: Option<&CapturePath>,
    out: &mut String,
) -> fmt::Result {
    let ends = [mv.from, mv.to];
    let squares: &[Square] = match path {
        Some(path) if style != MoveStyle::Captured => &path.squares,
        _ => &ends,
    };
    for (place, &square) in squares.iter().enumerate() {
        if place > 0 {
            out.push(separator);
        }
        write!(out, "{}", names.name(square))?;
    }
    if let (MoveStyle::Captured, Some(path)) = (style, path) {
        for (place, &square) in path.captured.iter().enumerate() {
            write!(out, "{}{}", if place == 0 { " <" } else { "," }, names.name(square))?;
        }
        out.push('>');
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::MoveList;
    use crate::rules::Variant;
    use crate::value::Fen;

    /// The texts of all moves of a position, sorted.
    fn texts(variant: Variant, fen: &str, style: MoveStyle) -> Vec<String> {
        let fen = Fen::parse(fen.as_bytes()).expect("the syntax is right");
        let position = Position::from_fen(variant, &fen).expect("a position");
        let mut list = MoveList::new();
        position.legal_moves(&mut list).expect("few captures");
        let mut texts: Vec<_> =
            list.iter().map(|mv| move_text(&position, mv, style).expect("few captures")).collect();
        texts.sort();
        texts
    }

    #[test]
    fn ambiguous_captures_are_told_apart() {
        let fen = "B:W6,7,14,15:B3";
        assert_eq!(texts(Variant::Italian, fen, MoveStyle::Shortest), ["3x10x19", "3x12x19"]);
        assert_eq!(texts(Variant::Italian, fen, MoveStyle::Captured), ["3x19 <6,14>", "3x19 <7,15>"]);
        assert_eq!(texts(Variant::Russian, "W:Wc3:Bd4", MoveStyle::Shortest), ["c3:e5"]);
        assert_eq!(texts(Variant::Russian, "W:Wa1:Bh8", MoveStyle::Shortest), ["a1-b2"]);
        assert_eq!(texts(Variant::Thai, "B:W1,10:B14", MoveStyle::Shortest), ["14-7"]);
        // The separator of Thai captures is that of quiet moves; numbers follow the numbering of the game.
        assert_eq!(texts(Variant::Spanish, "W:W1:B5,32", MoveStyle::Chain), ["1x10"]);
    }
}
