//! "Did you mean": the legal moves whose texts are nearest to what is written.

use crate::movegen::{CaptureLimit, MoveList};
use crate::notation::{MoveText, SquareCode};
use crate::position::{Move, Position};

/// The legal moves nearest to a written one, the nearest first; none where nothing is near.
///
/// Near is what takes a slip of the pen: a digit or letter more, less, other or swapped, squares in the wrong order, or
/// one square of the two. For messages; it costs some microseconds.
///
/// # Errors
/// When the captures of the position are too many to be searched.
pub fn suggest(position: &Position, text: &[u8]) -> Result<Vec<Move>, CaptureLimit> {
    let Some(written) = MoveText::read(text) else { return Ok(Vec::new()) };
    let codes = written.squares();
    let (Some(&from), Some(&to)) = (codes.first(), codes.last()) else { return Ok(Vec::new()) };
    let mut list = MoveList::new();
    position.legal_moves(&mut list)?;
    let names = position.names();
    let letters = from.is_algebraic();
    let code = |square| {
        let name = if letters {
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
        // `28-32` for `32-28` is one slip.
        let swapped = 1 + distance(from, legal_to) + distance(to, legal_from);
        let slips = straight.min(swapped);
        if slips <= 2 && !near.iter().any(|(_, other)| (other.from, other.to) == (mv.from, mv.to)) {
            near.push((slips, mv));
        }
    }
    near.sort_by_key(|&(slips, mv)| (slips, code(mv.from).name_bytes(), code(mv.to).name_bytes()));
    let nearest = near.first().map_or(0, |&(slips, _)| slips);
    Ok(near.into_iter().take_while(|&(slips, _)| slips == nearest).map(|(_, mv)| mv).take(5).collect())
}

/// Slips between two names.
fn distance(one: SquareCode, other: SquareCode) -> u32 {
    if one == other {
        return 0;
    }
    let (one, other) = (one.name_bytes(), other.name_bytes());
    match (one, other) {
        // Two digits swapped, or one digit lost or added.
        ([a, b], [c, d]) if a == d && b == c => 1,
        ([a, b], [c, d]) => u32::from(a != c) + u32::from(b != d),
    }
}

impl SquareCode {
    /// Tens and units, or file and rank.
    fn name_bytes(self) -> [u8; 2] {
        match self.name() {
            crate::board::SquareName::Number(number) => [number / 10, number % 10],
            crate::board::SquareName::Algebraic { file, rank } => [file, rank],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{MoveStyle, move_text};
    use crate::rules::Variant;

    #[test]
    fn slips_of_the_pen_are_recognised() {
        let check = |variant: Variant, text: &str, expected: &[&str]| {
            let position = Position::start(variant);
            let moves = suggest(&position, text.as_bytes()).expect("no captures");
            let texts: Vec<_> = moves
                .iter()
                .map(|mv| move_text(&position, mv, MoveStyle::Shortest).expect("no captures"))
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
}
