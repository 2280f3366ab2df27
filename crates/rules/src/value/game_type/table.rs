//! The table of game types of PDN 3.0.

use super::attributes::{Corner, GameTypeAttributes, Notation, NotationStyle};
use crate::value::Colour;
use crate::value::result_format::ResultFormat;

/// The kind of game that a game type number denotes.
///
/// ```
/// use pdn_rules::value::GameType;
/// use pdn_rules::internal::value::GameTypeStatus;
///
/// assert_eq!(GameType::of_number(25).status(), GameTypeStatus::Draughts);
/// assert_eq!(GameType::of_number(0).status(), GameTypeStatus::OtherGame("Chess"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum GameTypeStatus {
    /// A draughts game: one of the standard's table, or one of the numbers 96 to 99 of lidraughts.
    Draughts,
    /// Another game of the table, with its name.
    OtherGame(&'static str),
    /// A number that the standard reserves for future games.
    Reserved,
    /// A number without a meaning.
    Unknown,
}

/// A row of the table of game types: of the standard, or a number used by lidraughts.
///
/// ```
/// use pdn_rules::internal::value::GAME_TYPES;
///
/// let row = GAME_TYPES.iter().find(|row| row.number == 25).expect("a row of the table");
/// assert_eq!((row.name, row.capture), ("Russian draughts", Some(':')));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct GameTypeRow {
    /// The game type number.
    pub number: u16,
    /// The name of the game.
    pub name: &'static str,
    /// The attributes that the number implies; `None` if the table gives none.
    pub attributes: Option<GameTypeAttributes>,
    /// The result format of the game type; `None` if the table gives none.
    pub results: Option<ResultFormat>,
    /// The separator between the squares of a capture; `None` if the table gives none.
    pub capture: Option<char>,
}

/// The table of game types: the rows of the standard in its order, then the numbers that lidraughts uses.
///
/// A number without attributes denotes its first row: `23` is American pool checkers.
pub const GAME_TYPES: &[GameTypeRow] = {
    use Colour::{Black, White};
    use Corner::{BottomLeft as C0, BottomRight as C1, TopLeft as C2};
    use NotationStyle::{Algebraic as A, Numeric as N};
    use ResultFormat::{Default as Dft, International as Int};
    &[
        other(0, "Chess"),
        other(1, "Chinese chess"),
        row(20, "International draughts", White, (10, 10), (N, C2), false, Int, 'x'),
        row(21, "English draughts", Black, (8, 8), (N, C1), false, Dft, 'x'),
        row(22, "Italian draughts", White, (8, 8), (N, C2), true, Dft, 'x'),
        row(23, "American pool checkers", Black, (8, 8), (N, C1), false, Dft, 'x'),
        row(23, "Pool checkers (unified)", White, (8, 8), (A, C0), false, Dft, 'x'),
        row(23, "Zimbabwean pool checkers", White, (8, 8), (A, C0), false, Dft, 'x'),
        row(23, "Jamaican draughts", White, (8, 8), (A, C1), true, Dft, 'x'),
        row(24, "Spanish draughts", White, (8, 8), (N, C1), true, Dft, 'x'),
        row(25, "Russian draughts", White, (8, 8), (A, C0), false, Dft, ':'),
        row(26, "Brazilian draughts", White, (8, 8), (A, C0), false, Dft, 'x'),
        row(27, "Canadian draughts", White, (12, 12), (N, C2), false, Int, 'x'),
        row(28, "Portuguese draughts", White, (8, 8), (N, C1), true, Dft, 'x'),
        row(29, "Czech draughts", White, (8, 8), (A, C0), false, Dft, 'x'),
        row(30, "Turkish draughts", White, (8, 8), (A, C0), false, Dft, 'x'),
        row(31, "Thai draughts", Black, (8, 8), (N, C2), false, Dft, '-'),
        row(40, "Frisian draughts", White, (10, 10), (N, C2), false, Dft, 'x'),
        row(41, "Spantsiretti draughts", White, (10, 8), (A, C0), false, Dft, ':'),
        other(50, "Othello"),
        other(96, "Breakthrough draughts"),
        other(97, "Frysk!"),
        other(98, "Antidraughts"),
        other(99, "draughts from a position"),
    ]
};

/// Creates the row of a draughts game with all columns of the standard's table.
#[expect(clippy::too_many_arguments, reason = "the columns of the standard's table")]
const fn row(
    number: u16,
    name: &'static str,
    start: Colour,
    (width, height): (u8, u8),
    (style, corner): (NotationStyle, Corner),
    inverted: bool,
    results: ResultFormat,
    capture: char,
) -> GameTypeRow {
    let notation = Notation { style, corner: Some(corner) };
    let attributes = Some(GameTypeAttributes { start, width, height, notation, inverted: Some(inverted) });
    GameTypeRow { number, name, attributes, results: Some(results), capture: Some(capture) }
}

/// Creates a row with a number and a name only.
const fn other(number: u16, name: &'static str) -> GameTypeRow {
    GameTypeRow { number, name, attributes: None, results: None, capture: None }
}
