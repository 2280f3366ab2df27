//! What the names of squares reveal about the board and its numbering.

use crate::board::SquareNaming;
use crate::notation::SquareCode;
use crate::replay::line::{LineTokenKind, MainLine};
use crate::rules::Variant;
use crate::value::{Fen, FenSquare};

/// The kinds of square names in a record, and the smallest board that its FEN needs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SquareClues {
    /// `true` if moves are written with letters.
    has_algebraic: bool,
    /// `true` if moves are written with numbers.
    has_numeric: bool,
    /// The highest square number in the FEN; 0 without any.
    max_fen_number: u16,
    /// The highest file (from 0) and the highest rank (from 1) in the FEN; rank 0 without any.
    max_fen_cell: (u8, u8),
}

impl SquareClues {
    /// Collects the clues of a line and its FEN.
    pub(super) fn of(line: &MainLine, fen: Option<&Fen<'_>>) -> Self {
        let mut clues = Self::default();
        for token in line.tokens.iter().filter(|token| token.kind == LineTokenKind::Pair) {
            let algebraic = SquareCode::is_algebraic(token.from);
            clues.has_algebraic |= algebraic;
            clues.has_numeric |= !algebraic;
        }
        for piece in fen.into_iter().flat_map(Fen::pieces) {
            match piece.square {
                FenSquare::Number(number) => clues.max_fen_number = clues.max_fen_number.max(number),
                FenSquare::Algebraic { file, rank } => {
                    let (max_file, max_rank) = clues.max_fen_cell;
                    clues.max_fen_cell = (max_file.max(file), max_rank.max(rank));
                }
            }
        }
        clues
    }

    /// Returns `true` if games of the variant are usually written like this: with its kind of names, on the smallest
    /// board that the FEN needs.
    ///
    /// A problem whose squares all exist on 8x8 is unlikely to be one on 10x10.
    pub(super) fn suit(&self, variant: Variant) -> bool {
        let game = variant.game();
        let algebraic = game.numbering.letters == SquareNaming::Algebraic;
        let names_suit = if algebraic { !self.has_numeric } else { !self.has_algebraic };
        let board = game.rules.board;
        let board_suits = match (self.max_fen_number, self.max_fen_cell) {
            (0, (_, 0)) => true,
            (0, (file, rank)) => {
                board.width().max(board.height()) == smallest_of([8, 10, 12], (file + 1).max(rank))
            }
            (number, _) => u16::from(board.squares()) == smallest_of([32, 50, 72], number),
        };
        names_suit && board_suits
    }
}

/// Returns the first of three ascending sizes that is at least `needed`, or the last.
fn smallest_of<T: PartialOrd>([small, medium, large]: [T; 3], needed: T) -> T {
    if needed <= small {
        small
    } else if needed <= medium {
        medium
    } else {
        large
    }
}
