//! The legal moves of a position, and a position with its board.

use pdn::movegen::MoveList;
use pdn::notation::{MoveStyle, move_text};
use pdn::position::{Move, Position};
use pdn::value::FenStyle;
use serde::Serialize;

use crate::ask::error::{AppError, Result};
use crate::ask::position::PlaceRequest;
use crate::ask::values::{NamedRules, colour_name, sorted_moves};
use crate::draw::board::DrawOptions;
use crate::draw::board::diagram::Diagram;

/// Asks for a position.
#[derive(Clone, Debug)]
pub struct PositionRequest {
    /// The rules.
    pub rules: NamedRules,
    /// The place.
    pub place: PlaceRequest,
}

impl PositionRequest {
    /// Returns the position. What is unusual about its FEN is added to `warnings`.
    ///
    /// # Errors
    ///
    /// If the FEN or the moves are wrong.
    pub fn position(&self, warnings: &mut Vec<AppError>) -> Result<Position> {
        self.place.position(self.rules.game, warnings)
    }
}

/// A legal move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LegalMove {
    /// The first square.
    pub from: String,
    /// The last square.
    pub to: String,
    /// All squares that the piece touches, with the first and the last; for programs that draw the move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
    /// The squares of the captured pieces.
    pub captured: Vec<String>,
    /// Whether a man becomes a king.
    pub promotes: bool,
    /// The move in the style that was asked for.
    pub text: String,
    /// The position after the move, as a FEN.
    pub after: String,
}

/// A position with its legal moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LegalMoves {
    /// The name of the variant, or the GameType value of the rules.
    pub variant: String,
    /// The position as a FEN.
    pub fen: String,
    /// The side to move.
    pub turn: &'static str,
    /// The moves, by the numbers of their squares.
    pub moves: Vec<LegalMove>,
}

/// Lists the legal moves of a position in a style, with the positions after them in another; with their paths if `with_paths`.
///
/// # Errors
///
/// If the captures need too many search nodes.
pub fn legal_moves(
    position: &Position,
    style: MoveStyle,
    fen: FenStyle,
    with_paths: bool,
) -> Result<Vec<LegalMove>> {
    let mut list = MoveList::new();
    position.legal_moves(&mut list)?;
    let names = position.names();
    let square = |square| names.name(square).to_string();
    let legal = |mv: Move| {
        let path = if with_paths { squares_passed(position, &mv)? } else { Vec::new() };
        Ok(LegalMove {
            from: square(mv.from),
            to: square(mv.to),
            path,
            captured: mv.captured_squares().map(square).collect(),
            promotes: mv.promotes,
            text: move_text(position, &mv, style)?,
            after: position.after_unchecked(&mv).fen_as(fen),
        })
    };
    sorted_moves(list.as_slice(), &names).into_iter().map(legal).collect()
}

/// Returns the squares of a move from the first to the last, with those between two jumps of a capture.
///
/// # Errors
///
/// If the position has too many captures to tell this one.
pub(crate) fn squares_passed(position: &Position, mv: &Move) -> Result<Vec<String>> {
    let chain = move_text(position, mv, MoveStyle::Chain)?;
    Ok(chain.split(['-', 'x']).map(str::to_owned).collect())
}

/// Answers which moves are legal in a position.
///
/// # Errors
///
/// If the position is wrong, or has too many captures to be listed.
pub fn moves(
    request: &PositionRequest,
    style: MoveStyle,
    fen: FenStyle,
    warnings: &mut Vec<AppError>,
) -> Result<LegalMoves> {
    let position = request.position(warnings)?;
    Ok(LegalMoves {
        variant: request.rules.name.clone(),
        fen: position.fen_as(fen),
        turn: colour_name(position.turn()),
        moves: legal_moves(&position, style, fen, false)?,
    })
}

/// Numbers of pieces of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PieceCounts {
    /// Pieces of White.
    pub white: u8,
    /// Pieces of Black.
    pub black: u8,
}

/// What is known of a position without its moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PositionSummary {
    /// The name of the variant, or the GameType value of the rules.
    pub variant: String,
    /// The position as a FEN.
    pub fen: String,
    /// The side to move.
    pub turn: &'static str,
    /// Numbers of men.
    pub men: PieceCounts,
    /// Numbers of kings.
    pub kings: PieceCounts,
    /// The key of the position, 16 hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The side that has won; null while the side to move can move.
    pub winner: Option<&'static str>,
}

impl PositionSummary {
    /// Describes a position.
    pub fn of(variant: &str, position: &Position) -> Self {
        let counts = position.counts();
        let both = |[white, black]: [u8; 2]| PieceCounts { white, black };
        Self {
            variant: variant.to_owned(),
            fen: position.fen(),
            turn: colour_name(position.turn()),
            men: both(counts.men),
            kings: both(counts.kings),
            key: Some(position.key().to_string()),
            winner: position.end().map(|end| colour_name(end.winner)),
        }
    }
}

/// The squares of a board in rows from the top left as White sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardLayout {
    /// The names of the squares; null for cells that are no squares.
    pub rows: Vec<Vec<Option<String>>>,
    /// Whether all cells are squares.
    pub full: bool,
    /// The letters of the files; null where squares have numbers.
    pub files: Option<Vec<String>>,
    /// The numbers of the ranks; null where squares have numbers.
    pub ranks: Option<Vec<u8>>,
}

impl BoardLayout {
    /// Lays out the board of a position.
    pub fn of(position: &Position) -> Self {
        let diagram = Diagram::of(position, &DrawOptions::default());
        let row =
            |row: Vec<crate::draw::board::diagram::Cell>| row.into_iter().map(|cell| cell.square).collect();
        let (files, ranks) = match diagram.edges {
            Some(edges) => (Some(edges.files.iter().map(char::to_string).collect()), Some(edges.ranks)),
            None => (None, None),
        };
        Self { rows: diagram.rows.into_iter().map(row).collect(), full: diagram.full, files, ranks }
    }
}

/// A position with its legal moves and its board, for a program that draws it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DrawnPosition {
    /// The position.
    #[serde(flatten)]
    pub summary: PositionSummary,
    /// The legal moves with their paths.
    pub moves: Vec<LegalMove>,
    /// The board.
    pub board: BoardLayout,
}

impl DrawnPosition {
    /// Describes a position.
    ///
    /// # Errors
    ///
    /// If it has too many captures to be listed.
    pub fn of(variant: &str, position: &Position) -> Result<Self> {
        Ok(Self {
            summary: PositionSummary { key: None, ..PositionSummary::of(variant, position) },
            moves: legal_moves(position, MoveStyle::Shortest, FenStyle::Pdn, true)?,
            board: BoardLayout::of(position),
        })
    }
}

#[cfg(test)]
mod tests {
    use pdn::rules::Variant;

    use super::*;

    #[test]
    fn men_and_kings_are_counted_apart() {
        let position = Position::parse_fen(Variant::International, "W:W31,32,33,K50:B1,2,K5,K6,K7").unwrap();
        let summary = PositionSummary::of("international", &position);
        assert_eq!((summary.men.white, summary.men.black), (3, 2));
        assert_eq!((summary.kings.white, summary.kings.black), (1, 3));
    }
}
