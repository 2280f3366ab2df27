//! Positions as text: a plain diagram of the board, and `Display`.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::{Piece, Position};
use crate::board::Square;
use crate::rules::Variant;
use crate::value::Colour;

impl Position {
    /// Draws the board as White sees it, without colours: `w` and `b` are men, `W` and `B` kings, `.` is an empty
    /// playing square. Cells that are not played on are blank.
    ///
    /// There is one line per row, Black's edge first, without a line end after the last. Spaces separate the cells;
    /// no line ends with a space. The side to move is not shown.
    ///
    /// ```
    /// use pdn_rules::position::Position;
    /// use pdn_rules::rules::Variant;
    ///
    /// let position = Position::start(Variant::Thai);
    /// assert_eq!(position.diagram().lines().next(), Some("  b   b   b   b"));
    /// assert_eq!(position.diagram().lines().last(), Some("w   w   w   w"));
    /// ```
    pub fn diagram(&self) -> String {
        let board = self.board();
        // A board whose lower left corner is not played on is stored as its mirror image.
        let mirrored = self.game().numbering.inverted && !board.layout().full;
        let mut text = String::new();
        for row in 0..board.height() {
            let cells: Vec<&str> = (0..board.width())
                .map(|column| if mirrored { board.width() - 1 - column } else { column })
                .map(|column| board.square(row, column).map_or(" ", |square| letter(self.piece(square))))
                .collect();
            text.push_str(if row == 0 { "" } else { "\n" });
            text.push_str(cells.join(" ").trim_end());
        }
        text
    }
}

/// Returns the letter of what stands on a playing square.
fn letter(piece: Option<Piece>) -> &'static str {
    match piece {
        None => ".",
        Some(Piece { colour: Colour::White, king: false }) => "w",
        Some(Piece { colour: Colour::White, king: true }) => "W",
        Some(Piece { colour: Colour::Black, king: false }) => "b",
        Some(Piece { colour: Colour::Black, king: true }) => "B",
    }
}

/// Writes the name of the variant and the FEN, such as `Position(international W:W31-50:B1-20)`.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Variant::of_game(self.game()).map_or("custom rules", Variant::name);
        write!(f, "Position({name} {}", self.fen_with_ranges())?;
        for streak in self.state().streaks.iter().filter(|streak| streak.moves != 0) {
            write!(
                f,
                ", {} moves of the king on {}",
                streak.moves,
                self.names().name(Square(streak.square))
            )?;
        }
        f.write_str(")")
    }
}

/// Writes the [FEN](Position::fen); with `{:#}`, the [diagram](Position::diagram).
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { f.write_str(&self.diagram()) } else { f.pad(&self.fen()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::ToString;

    fn check(variant: Variant, fen: &str, rows: &[(usize, &str)]) {
        let position = Position::parse_fen(variant, fen).expect("a position");
        assert_eq!(position.to_string(), fen);
        let diagram = format!("{position:#}");
        let lines: Vec<_> = diagram.lines().collect();
        assert_eq!(lines.len(), usize::from(variant.board().height()));
        for &(row, expected) in rows {
            assert_eq!(lines[row], expected, "{variant}, row {row}");
        }
    }

    #[test]
    fn debug_output_is_the_variant_and_the_fen() {
        let mut position = Position::start(Variant::Frisian);
        assert_eq!(format!("{position:?}"), "Position(frisian W:W31-50:B1-20)");
        position = position.with_streak(Colour::Black, crate::position::Streak { square: 0, moves: 2 });
        assert_eq!(format!("{position:?}"), "Position(frisian W:W31-50:B1-20, 2 moves of the king on 1)");
        position = position.with_streak(Colour::Black, crate::position::Streak { square: 0, moves: 1 });
        assert_eq!(format!("{position:?}"), "Position(frisian W:W31-50:B1-20, 1 moves of the king on 1)");
        let mut game = Variant::International.game();
        game.rules.movement.flying = false;
        assert_eq!(format!("{:?}", Position::start(game)), "Position(custom rules W:W31-50:B1-20)");
    }

    #[test]
    fn diagrams_show_the_board_as_white_sees_it() {
        check(
            Variant::International,
            "W:W46,K50:B1,K5",
            &[(0, "  b   .   .   .   B"), (1, ".   .   .   .   ."), (9, "w   .   .   .   W")],
        );
        // In Italy and Spain, White's lower left corner is not a playing square.
        check(Variant::Italian, "W:W29:B1", &[(0, "b   .   .   ."), (7, "  w   .   .   .")]);
        check(Variant::Spanish, "W:W1:B32", &[(0, "b   .   .   ."), (7, "  .   .   .   w")]);
        check(Variant::Turkish, "W:Wa1,b1:BKa8", &[(0, "B . . . . . . ."), (7, "w w . . . . . .")]);
    }
}
