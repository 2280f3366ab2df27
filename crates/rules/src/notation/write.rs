//! Writes moves as text: PDN 3.0, restrictions 5 to 9, and the proposal of PDN 3.1.

use alloc::format;
use alloc::string::String;
use core::fmt::{self, Write};

use crate::board::{Square, SquareNames, SquareNaming};
use crate::movegen::{CaptureLimit, CapturePath, FindError};
use crate::position::{Move, Position};

/// The part of a capture that is written.
///
/// ```
/// use pdn_rules::notation::MoveStyle;
/// use pdn_rules::{Position, Variant};
///
/// let position = Position::parse_fen(Variant::Italian, "B:W6,7,14,15:B3")?;
/// let mv = position.parse_move("3x10x19")?;
/// assert_eq!(position.move_text(&mv, MoveStyle::Captured), "3x19 <6,14>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[non_exhaustive]
pub enum MoveStyle {
    /// The first and last square; all squares if another capture has the same first and last square. Restriction 8.
    #[default]
    Shortest,
    /// All squares of every capture. Restriction 9.
    Chain,
    /// The first and last square. If another capture has the same, the captured squares follow in angle brackets:
    /// `47x36 <42,29,14,31>`. The proposal of PDN 3.1.
    Captured,
    /// Numbers in every game. All captured squares of every capture follow its last one: `47x36x14x29x31x42`. The Hub protocol,
    /// which engines speak.
    Hub,
}

impl Position {
    /// Writes a legal move with the square names and the separator of the game.
    ///
    /// Where a capture has several paths, the first one found is written; each of them names the move. A capture in a
    /// position whose captures exceed the default search limits is written with its first and last square only; use
    /// [`move_text`] to learn of that.
    ///
    /// ```
    /// use pdn_rules::notation::MoveStyle;
    /// use pdn_rules::position::Position;
    /// use pdn_rules::rules::Variant;
    ///
    /// let position = Position::parse_fen(Variant::International, "W:W26:B21,12,22")?;
    /// let mv = position.parse_move("26x8")?;
    /// assert_eq!(position.move_text(&mv, MoveStyle::Shortest), "26x8");
    /// assert_eq!(position.move_text(&mv, MoveStyle::Chain), "26x17x8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_text(&self, mv: &Move, style: MoveStyle) -> String {
        move_text(self, mv, style).unwrap_or_else(|CaptureLimit| {
            let names = self.names();
            format!("{}{}{}", names.name(mv.from), separator(self, mv), names.name(mv.to))
        })
    }
}

/// Returns the text of a legal move in its position, with the square names and the separator of the game.
///
/// If a capture has several paths, the first one found is written; each of them names the move.
///
/// ```
/// use pdn_rules::notation::{MoveStyle, move_text};
/// use pdn_rules::{Position, Variant};
///
/// let start = Position::start(Variant::Russian);
/// let mv = start.parse_move("22-18")?;
/// assert_eq!(move_text(&start, &mv, MoveStyle::Shortest)?, "c3-d4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`CaptureLimit`] if the captures of the position need more search nodes than the default limits allow.
pub fn move_text(position: &Position, mv: &Move, style: MoveStyle) -> Result<String, CaptureLimit> {
    let mut text = String::with_capacity(16);
    write_move(position, &position.names(), mv, style, &mut text)?;
    Ok(text)
}

/// Appends the text of a legal move to `out`; see [`move_text`]. The caller provides the square names, which may be
/// those of another numbering.
///
/// ```
/// use pdn_rules::notation::MoveStyle;
/// use pdn_rules::internal::notation::write_move;
/// use pdn_rules::{Position, Variant};
///
/// let start = Position::start(Variant::International);
/// let (mv, mut text) = (start.parse_move("32-28")?, String::from("1. "));
/// write_move(&start, Variant::International.names(), &mv, MoveStyle::Shortest, &mut text)?;
/// assert_eq!(text, "1. 32-28");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The same as [`move_text`]; `out` is then unchanged.
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
        MoveStyle::Hub => false,
        MoveStyle::Shortest | MoveStyle::Captured => match position.find(mv.from, mv.to, &[]) {
            Err(FindError::Ambiguous) => true,
            Err(FindError::Limit) => return Err(CaptureLimit),
            _ => false,
        },
    };
    let path = if full { position.paths(mv)?.into_iter().next() } else { None };
    // Writing to a `String` never fails.
    let _ = match style {
        MoveStyle::Hub => write_hub(names, mv, out),
        _ => write_squares(names, mv, style, separator(position, mv), path.as_ref(), out),
    };
    Ok(())
}

/// Writes a move as the Hub protocol does: the captured squares may follow in any order.
fn write_hub(names: &SquareNames, mv: &Move, out: &mut String) -> fmt::Result {
    let number = |square| names.name_in(square, SquareNaming::Numeric);
    let separator = if mv.is_capture() { 'x' } else { '-' };
    write!(out, "{}{separator}{}", number(mv.from), number(mv.to))?;
    mv.captured_squares().try_for_each(|square| write!(out, "x{}", number(square)))
}

fn separator(position: &Position, mv: &Move) -> char {
    if mv.is_capture() { position.rules().capture_separator } else { '-' }
}

fn write_squares(
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
    use alloc::vec::Vec;

    /// Returns the texts of all moves of a position, sorted.
    fn texts(variant: Variant, fen: &str, style: MoveStyle) -> Vec<String> {
        let fen = Fen::parse(fen.as_bytes()).expect("FEN syntax");
        let position = Position::from_fen(variant, &fen).expect("a position");
        let mut list = MoveList::new();
        position.legal_moves(&mut list).expect("few captures");
        let mut texts: Vec<_> =
            list.iter().map(|mv| move_text(&position, mv, style).expect("few captures")).collect();
        texts.sort();
        texts
    }

    #[test]
    fn ambiguous_captures_get_different_texts() {
        let fen = "B:W6,7,14,15:B3";
        assert_eq!(texts(Variant::Italian, fen, MoveStyle::Shortest), ["3x10x19", "3x12x19"]);
        assert_eq!(texts(Variant::Italian, fen, MoveStyle::Captured), ["3x19 <6,14>", "3x19 <7,15>"]);
        assert_eq!(texts(Variant::Russian, "W:Wc3:Bd4", MoveStyle::Shortest), ["c3:e5"]);
        assert_eq!(texts(Variant::Russian, "W:Wa1:Bh8", MoveStyle::Shortest), ["a1-b2"]);
        assert_eq!(texts(Variant::Italian, fen, MoveStyle::Hub), ["3x19x6x14", "3x19x7x15"]);
        assert_eq!(texts(Variant::Russian, "W:Wc3:Bd4", MoveStyle::Hub), ["22x15x18"]);
        assert_eq!(texts(Variant::Thai, "B:W1,10:B14", MoveStyle::Shortest), ["14-7"]);
        // Thai captures have the same separator as quiet moves; numbers follow the numbering of the game.
        assert_eq!(texts(Variant::Spanish, "W:W1:B5,32", MoveStyle::Chain), ["1x10"]);
    }
}
