//! Compares a written move with a legal one: which single mistake of a writer turns one into the other?

use super::repair::RepairKind;
use crate::board::SquareNames;
use crate::movegen::FindError;
use crate::notation::MoveStyle;
use crate::position::{Move, Position};

/// The longest text that is compared. Longer texts name ten squares and more.
const MAX_LEN: usize = 32;

/// A written move in the form in which it is compared: squares with `-` between them, or without separators.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct PlainMove {
    len: usize,
    text: [u8; MAX_LEN],
}

impl PlainMove {
    /// Returns the form of a text; `None` if it is longer than any capture that people write.
    pub(super) fn new(text: &[u8]) -> Option<Self> {
        let mut plain = Self { len: 0, text: [0; MAX_LEN] };
        let mut separated = false;
        for &byte in text {
            // `x` and `:` separate squares, and so does a dash in any encoding.
            let is_square =
                byte.is_ascii_digit() || byte.is_ascii_alphabetic() && !matches!(byte, b'x' | b'X');
            if is_square {
                if separated && plain.len > 0 {
                    plain.push(b'-')?;
                }
                plain.push(byte.to_ascii_lowercase())?;
            }
            separated = !is_square;
        }
        (plain.len > 0).then_some(plain)
    }

    fn push(&mut self, byte: u8) -> Option<()> {
        *self.text.get_mut(self.len)? = byte;
        self.len += 1;
        Some(())
    }

    fn bytes(&self) -> &[u8] {
        &self.text[..self.len]
    }

    fn has_separator(&self) -> bool {
        self.bytes().contains(&b'-')
    }

    fn is_algebraic(&self) -> bool {
        self.bytes().iter().any(u8::is_ascii_alphabetic)
    }

    /// Returns the squares in reverse order.
    fn reversed(&self) -> Option<Self> {
        let mut reversed = Self { len: 0, text: [0; MAX_LEN] };
        for square in self.bytes().rsplit(|&byte| byte == b'-') {
            if reversed.len > 0 {
                reversed.push(b'-')?;
            }
            square.iter().try_for_each(|&byte| reversed.push(byte))?;
        }
        Some(reversed)
    }

    fn without_separators(&self) -> Self {
        let mut joined = Self { len: 0, text: [0; MAX_LEN] };
        for &byte in self.bytes().iter().filter(|&&byte| byte != b'-') {
            let _ = joined.push(byte);
        }
        joined
    }
}

/// Returns the mistake that turns the legal move `mv` into the written move, if it is a single one.
pub(super) fn slip(
    written: &PlainMove,
    position: &Position,
    names: &SquareNames,
    mv: &Move,
) -> Option<RepairKind> {
    let name = |square| {
        if written.is_algebraic() {
            let (file, rank) = names.algebraic(square);
            format!("{}{rank}", char::from(b'a' + file))
        } else {
            names.number(square).to_string()
        }
    };
    let (from, to) = (name(mv.from), name(mv.to));
    let ends = PlainMove::new(format!("{from}-{to}").as_bytes())?;
    let compared = |legal: &PlainMove| {
        if written.has_separator() {
            edit_distance(written.bytes(), legal.bytes())
        } else {
            edit_distance(written.bytes(), legal.without_separators().bytes())
        }
    };
    let written_squares = written.bytes().split(|&byte| byte == b'-').count();
    // A capture written with all its squares is compared with all squares of the legal one.
    if mv.is_capture() && written_squares > 2 {
        let paths = position.paths(mv).ok()?;
        let is_near = paths.iter().any(|path| {
            let squares: Vec<String> = path.squares.iter().map(|&square| name(square)).collect();
            PlainMove::new(squares.join("-").as_bytes()).is_some_and(|legal| compared(&legal) == 1)
        });
        if is_near {
            return Some(RepairKind::WrongSquare);
        }
    }
    match compared(&ends) {
        1 => return Some(RepairKind::WrongSquare),
        // The text names this move among others: it is ambiguous, or belongs to the other side.
        0 => return None,
        _ => {}
    }
    if written.reversed().is_some_and(|reversed| reversed == ends) {
        return Some(RepairKind::ReversedSquares);
    }
    let first = written.bytes().split(|&byte| byte == b'-').next()?;
    if mv.is_capture() && written.has_separator() && first == from.as_bytes() {
        return Some(RepairKind::CaptureEnd);
    }
    None
}

/// Returns the separator of a written capture; `None` if the text has neither `x` nor `:`.
pub(super) fn capture_separator(written: &[u8]) -> Option<&'static str> {
    let mark = written.iter().find(|byte| matches!(byte, b'x' | b'X' | b':'))?;
    Some(if *mark == b':' { ":" } else { "x" })
}

/// Returns the text of `mv` in the manner of `written`: numbers or letters, and its separator where that says the same.
/// `None` if the move cannot be written without doubt in that manner.
pub(super) fn text_like(
    written: &[u8],
    position: &Position,
    names: &SquareNames,
    mv: &Move,
) -> Option<String> {
    let plain = PlainMove::new(written)?;
    let name = |square| {
        if plain.is_algebraic() {
            let (file, rank) = names.algebraic(square);
            format!("{}{rank}", char::from(b'a' + file))
        } else {
            names.number(square).to_string()
        }
    };
    let separator = match capture_separator(written) {
        _ if !mv.is_capture() => "-",
        Some(separator) => separator,
        None if position.rules().capture_separator == ':' => ":",
        None => "x",
    };
    let ends = [mv.from, mv.to].map(name).join(separator);
    match position.find(mv.from, mv.to, &[]) {
        Ok(_) => Some(ends),
        Err(FindError::Ambiguous) => {
            let path = position.paths(mv).ok()?.into_iter().next()?;
            Some(path.squares.iter().map(|&square| name(square)).collect::<Vec<_>>().join(separator))
        }
        Err(_) => None,
    }
}

/// Returns the text of a move: in the manner of `model` if it can be written so, else with the names of the game.
pub(super) fn text_of(position: &Position, mv: &Move, model: Option<&[u8]>, names: &SquareNames) -> String {
    model
        .and_then(|written| text_like(written, position, names, mv))
        .unwrap_or_else(|| position.move_text(mv, MoveStyle::Shortest))
}

/// Returns the number of characters that were added, lost, changed, or swapped with their neighbour; 2 stands for two and
/// more.
fn edit_distance(one: &[u8], other: &[u8]) -> u32 {
    if one == other {
        return 0;
    }
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    if long.len() - short.len() > 1 {
        return 2;
    }
    let start = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let (short, long) = (&short[start..], &long[start..]);
    let one_slip = if short.len() < long.len() {
        short == &long[1..]
    } else {
        short[1..] == long[1..]
            || short.len() >= 2 && short[0] == long[1] && short[1] == long[0] && short[2..] == long[2..]
    };
    if one_slip { 1 } else { 2 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rules::Variant;

    /// Returns the same by the table of all prefixes.
    fn naive_distance(one: &[u8], other: &[u8]) -> u32 {
        let mut table = vec![vec![0usize; other.len() + 1]; one.len() + 1];
        for i in 0..=one.len() {
            for j in 0..=other.len() {
                table[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let mut best = (table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                    best = best.min(table[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]));
                    if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                        best = best.min(table[i - 2][j - 2] + 1);
                    }
                    best
                };
            }
        }
        table[one.len()][other.len()].min(2) as u32
    }

    proptest! {
        #[test]
        fn edit_distance_equals_that_of_the_table(one in "[1-3-]{0,6}", other in "[1-3-]{0,6}") {
            let (one, other) = (one.as_bytes(), other.as_bytes());
            prop_assert_eq!(edit_distance(one, other), naive_distance(one, other));
        }
    }

    #[test]
    fn slips_are_single_mistakes() {
        let check = |fen: &str, written: &str, legal: &str| {
            let position = Position::parse_fen(Variant::International, fen).unwrap();
            let mv = position.parse_move(legal).unwrap();
            slip(&PlainMove::new(written.as_bytes()).unwrap(), &position, &position.names(), &mv)
        };
        let start = "W:W31-50:B1-20";
        assert_eq!(check(start, "32-27", "32-28"), Some(RepairKind::WrongSquare));
        assert_eq!(check(start, "23-28", "32-28"), Some(RepairKind::WrongSquare));
        assert_eq!(check(start, "2-28", "32-28"), Some(RepairKind::WrongSquare));
        assert_eq!(check(start, "322-28", "32-28"), Some(RepairKind::WrongSquare));
        assert_eq!(check(start, "3238", "32-28"), Some(RepairKind::WrongSquare));
        assert_eq!(check(start, "28-32", "32-28"), Some(RepairKind::ReversedSquares));
        assert_eq!(check(start, "33-29", "32-28"), None);
        assert_eq!(check(start, "32-28", "32-28"), None);
        let capture = "W:W26:B21,12,22";
        assert_eq!(check(capture, "26x17", "26x8"), Some(RepairKind::CaptureEnd));
        assert_eq!(check(capture, "26x17x9", "26x8"), Some(RepairKind::WrongSquare));
    }
}
