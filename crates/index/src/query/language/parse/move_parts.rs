//! Parses conditions on the next move.

use std::ops::RangeInclusive;

use super::scanner::{Scanner, What};
use crate::query::conditions::{MoveCondition, SquareRef, square_expected};
use crate::query::error::QueryError;
use pdn::span::Span;
use pdn::value::Colour;

/// The parts of a condition on a move, for messages.
const EXPECTED_PART: What<'_> =
    What::Words(&["32-28", "32x19", "from", "to", "by", "promotes", "takes", "over", "retakes"]);

/// Parses the parts of a condition on the next move, one at least.
///
/// # Errors
/// At a part that cannot be read, and at one that says again, or contradicts, what an earlier part says.
pub(super) fn parse_move_condition(scanner: &mut Scanner<'_>) -> Result<MoveCondition, QueryError> {
    let mut condition = MoveCondition::any();
    let mut parts = 0;
    loop {
        let start = scanner.offset();
        if scanner.take_word("from") {
            let squares = parse_squares(scanner)?;
            replace_empty(&mut condition.from, squares, scanner, start)?;
        } else if scanner.take_word("to") {
            let squares = parse_squares(scanner)?;
            replace_empty(&mut condition.to, squares, scanner, start)?;
        } else if scanner.take_word("over") {
            let squares = parse_squares(scanner)?;
            replace_empty(&mut condition.over, squares, scanner, start)?;
        } else if scanner.take_word("by") {
            let word = scanner.peek_word().to_ascii_lowercase();
            if !["man", "king", "white", "black"].contains(&word.as_str()) {
                return Err(scanner.expected(What::Words(&["man", "king", "white", "black"])));
            }
            scanner.take_name(word.len());
            match word.as_str() {
                "man" => set(&mut condition.king, false, scanner, start)?,
                "king" => set(&mut condition.king, true, scanner, start)?,
                "white" => set(&mut condition.side, Colour::White, scanner, start)?,
                _ => set(&mut condition.side, Colour::Black, scanner, start)?,
            }
        } else if scanner.take_word("promotes") {
            set(&mut condition.promotes, true, scanner, start)?;
        } else if scanner.take_word("stays") {
            set(&mut condition.promotes, false, scanner, start)?;
        } else if scanner.take_word("takes") {
            let range = scanner.numbers("a number of pieces", 0, 255)?;
            narrow_takes(&mut condition, *range.start() as u8..=*range.end() as u8, scanner, start)?;
        } else if scanner.take_word("retakes") {
            condition.retakes = true;
        } else if let Some((from, to, capture)) = parse_from_to(scanner.peek_run()) {
            scanner.next_run();
            if let Some(from) = from {
                replace_empty(&mut condition.from, vec![from], scanner, start)?;
            }
            if let Some(to) = to {
                replace_empty(&mut condition.to, vec![to], scanner, start)?;
            }
            if capture {
                narrow_takes(&mut condition, 1..=255, scanner, start)?;
            }
        } else if parts > 0 {
            return Ok(condition);
        } else {
            return Err(scanner.expected(EXPECTED_PART));
        }
        parts += 1;
        let takes_none = condition.takes.as_ref().is_some_and(|takes| *takes.end() == 0);
        if (condition.retakes || !condition.over.is_empty()) && takes_none {
            return Err(contradiction(scanner, start));
        }
        if condition.promotes == Some(true) && condition.king == Some(true) {
            let message = message!("contradicts_earlier", "contradicts an earlier part: only men promote");
            return Err(QueryError::new(scanner.span_since(start), message));
        }
    }
}

/// Creates the error that the part since `start` contradicts an earlier one.
fn contradiction(scanner: &Scanner<'_>, start: usize) -> QueryError {
    QueryError::new(
        scanner.span_since(start),
        message!("contradicts_earlier", "contradicts an earlier part: no move matches both"),
    )
}

/// Creates the error that the part since `start` gives other squares than an earlier one.
fn said_twice(scanner: &Scanner<'_>, start: usize) -> QueryError {
    QueryError::new(
        scanner.span_since(start),
        message!("squares_twice", "an earlier part already gives the squares"),
    )
}

/// Sets a property that no earlier part sets otherwise.
fn set<T: PartialEq>(
    slot: &mut Option<T>,
    value: T,
    scanner: &Scanner<'_>,
    start: usize,
) -> Result<(), QueryError> {
    let before = slot.replace(value);
    if before.is_some() && before != *slot { Err(contradiction(scanner, start)) } else { Ok(()) }
}

/// Sets squares that no earlier part gives.
fn replace_empty(
    slot: &mut Vec<SquareRef>,
    squares: Vec<SquareRef>,
    scanner: &Scanner<'_>,
    start: usize,
) -> Result<(), QueryError> {
    if !slot.is_empty() && *slot != squares {
        return Err(said_twice(scanner, start));
    }
    *slot = squares;
    Ok(())
}

/// Limits the number of captured pieces to a range.
fn narrow_takes(
    condition: &mut MoveCondition,
    range: RangeInclusive<u8>,
    scanner: &Scanner<'_>,
    start: usize,
) -> Result<(), QueryError> {
    let own = condition.takes.clone().unwrap_or(0..=255);
    let both = *own.start().max(range.start())..=*own.end().min(range.end());
    if both.is_empty() {
        return Err(contradiction(scanner, start));
    }
    condition.takes = Some(both);
    Ok(())
}

/// Parses squares, separated by commas.
fn parse_squares(scanner: &mut Scanner<'_>) -> Result<Vec<SquareRef>, QueryError> {
    let (mut offset, run) = scanner.next_run();
    let mut squares = Vec::new();
    for part in run.split(',') {
        let Some(square) = SquareRef::parse(part) else {
            let span = Span::new(offset as u32, (offset + part.len()) as u32);
            return Err(QueryError::new(span, square_expected()));
        };
        squares.push(square);
        offset += part.len() + 1;
    }
    Ok(squares)
}

/// Parses `32-28`, `32x19`, `d6:f4`, `32-` or `x19`: the squares that are given, and whether the move is a capture.
fn parse_from_to(run: &str) -> Option<(Option<SquareRef>, Option<SquareRef>, bool)> {
    let is_separator = |c: char| matches!(c, '-' | '–' | '−' | 'x' | 'X' | '×' | ':');
    // A capture may name squares in between, which are not compared.
    let (at, separator) = run.char_indices().find(|&(_, c)| is_separator(c))?;
    let last = run.rfind(is_separator)?;
    let width = run[last..].chars().next().map_or(0, char::len_utf8);
    let (from, to) = (&run[..at], &run[last + width..]);
    let capture = matches!(separator, 'x' | 'X' | '×' | ':');
    let square = |text: &str| if text.is_empty() { Some(None) } else { SquareRef::parse(text).map(Some) };
    let (from, to) = (square(from)?, square(to)?);
    (from.is_some() || to.is_some()).then_some((from, to, capture))
}
