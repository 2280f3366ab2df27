//! Suggests the legal moves whose texts are nearest to a written move ("did you mean").

use crate::movegen::{CaptureLimit, MoveList};
use crate::notation::{MoveText, SquareCode};
use crate::position::{Move, Position};
use crate::sort;

/// Maximum number of moves that [`suggest`] returns.
const MAX_SUGGESTIONS: usize = 5;

/// Returns the legal moves nearest to the written move `text`, at most 5, ordered by square names; empty if none is near.
///
/// A move is near if it differs by at most two slips: a digit or letter added, lost, changed or swapped, or the
/// squares in reverse order. Only the moves with the fewest slips are returned. Meant for messages: a call takes some
/// microseconds.
///
/// # Errors
/// If the position has too many captures to search.
///
/// ```
/// use pdn::notation::{MoveStyle, move_text};
/// use pdn::position::Position;
/// use pdn::rules::Variant;
///
/// let start = Position::start(Variant::International);
/// let moves = pdn::replay::suggest(&start, b"28-32")?;
/// assert_eq!(move_text(&start, &moves[0], MoveStyle::Shortest)?, "32-28");
/// # Ok::<(), pdn::movegen::CaptureLimit>(())
/// ```
pub fn suggest(position: &Position, text: &[u8]) -> Result<Vec<Move>, CaptureLimit> {
    let Some(written) = MoveText::read(text) else { return Ok(Vec::new()) };
    let codes = written.squares();
    let (Some(&from), Some(&to)) = (codes.first(), codes.last()) else { return Ok(Vec::new()) };
    let mut list = MoveList::new();
    position.legal_moves(&mut list)?;
    let names = position.names();
    let algebraic = from.is_algebraic();
    let code = |square| {
        let name = if algebraic {
            let (file, rank) = names.algebraic(square);
            SquareCode::of_cell(file, rank)
        } else {
            SquareCode::of_number(names.number(square).into())
        };
        name.unwrap_or(from)
    };
    let mut near: Vec<(u32, Move)> = Vec::new();
    for &mv in list.iter() {
        let (legal_from, legal_to) = (code(mv.from), code(mv.to));
        let straight = distance(from, legal_from) + distance(to, legal_to);
        // Squares in reverse order, `28-32` for `32-28`, are one slip.
        let reversed = 1 + distance(from, legal_to) + distance(to, legal_from);
        let slips = straight.min(reversed);
        if slips <= 2 && !near.iter().any(|(_, other)| (other.from, other.to) == (mv.from, mv.to)) {
            near.push((slips, mv));
        }
    }
    sort::by_key(&mut near, |&(slips, mv)| (slips, name_bytes(code(mv.from)), name_bytes(code(mv.to))));
    let fewest = near.first().map_or(0, |&(slips, _)| slips);
    Ok(near
        .into_iter()
        .take_while(|&(slips, _)| slips == fewest)
        .map(|(_, mv)| mv)
        .take(MAX_SUGGESTIONS)
        .collect())
}

/// Returns the number of slips between two square names, 0 to 2.
fn distance(one: SquareCode, other: SquareCode) -> u32 {
    if one == other {
        return 0;
    }
    let (one, other) = (name_bytes(one), name_bytes(other));
    match (one, other) {
        // Two swapped characters are one slip.
        ([a, b], [c, d]) if a == d && b == c => 1,
        ([a, b], [c, d]) => u32::from(a != c) + u32::from(b != d),
    }
}

/// Returns the two characters of a square name as numbers: tens and units, or file and rank.
fn name_bytes(code: SquareCode) -> [u8; 2] {
    match code.name() {
        crate::board::SquareName::Number(number) => [number / 10, number % 10],
        crate::board::SquareName::Algebraic { file, rank } => [file, rank],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{MoveStyle, move_text};
    use crate::rules::Variant;

    #[test]
    fn suggest_returns_moves_within_few_slips() {
        let check = |variant: Variant, text: &str, expected: &[&str]| {
            let position = Position::start(variant);
            let moves = suggest(&position, text.as_bytes()).expect("the start position has no captures");
            let texts: Vec<_> = moves
                .iter()
                .map(|mv| {
                    move_text(&position, mv, MoveStyle::Shortest).expect("the start position has no captures")
                })
                .collect();
            assert_eq!(texts, expected, "{variant} {text}");
        };
        check(Variant::International, "32-38", &["32-28"]);
        check(Variant::International, "28-32", &["32-28"]);
        check(Variant::International, "23-28", &["32-28", "33-28"]);
        check(Variant::International, "31-25", &["31-26", "31-27"]);
        check(Variant::Russian, "c3-d5", &["c3-d4"]);
        check(Variant::Russian, "c3-c4", &["c3-b4", "c3-d4"]);
        check(Variant::International, "1-50", &[]);
        check(Variant::International, "nonsense", &[]);
    }

    /// The second digit of 39-33 is one slip; squares in reverse order and another digit are two.
    #[test]
    fn reversed_squares_are_a_slip() {
        let position = Position::parse_fen(Variant::International, "W:W39,34:B1").expect("a position");
        let moves = suggest(&position, b"29-33").expect("no captures");
        let squares: Vec<_> = moves.iter().map(|mv| position.move_text(mv, MoveStyle::Chain)).collect();
        assert_eq!(squares, ["39-33"]);
    }
}
