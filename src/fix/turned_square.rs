//! Squares counted from the other side of the board.

use crate::board::{SquareName, SquareNames};

/// Returns the square that the player on the other side of the board counts by the same name.
pub(super) fn turned(name: SquareName, names: &SquareNames) -> Option<SquareName> {
    match name {
        SquareName::Number(number) => {
            names.of_number(number.into())?;
            Some(SquareName::Number(square_count(names) + 1 - number))
        }
        SquareName::Algebraic { file, rank } => {
            // Any cell is accepted: variants that share a GameType number name different squares, and a wrong position does not
            // show which variant it is.
            let (width, height) = (names.board().width(), names.board().height());
            (file < width && (1..=height).contains(&rank))
                .then(|| SquareName::Algebraic { file: width - 1 - file, rank: height + 1 - rank })
        }
    }
}

/// Returns the number of squares that the numbers name.
pub(super) fn square_count(names: &SquareNames) -> u8 {
    let count = (1..=u8::MAX).take_while(|&number| names.of_number(number.into()).is_some()).count();
    count as u8
}
