//! Parses conditions on sums: `w-b>=2`, `w on left >= 4`, `rating white - rating black >= 200`.

use super::scanner::{Scanner, What};
use super::words::{self, Role, expected_number};
use crate::query::conditions::{Count, GREATEST_SUM, PieceCountCondition, SumCondition, SumTerm, weights_of};
use crate::query::error::QueryError;
use crate::query::language::query::Query;

/// What a sum is compared with, for messages.
const EXPECTED_SUM: &str = "a number of pieces, or a sum such as b+2";
/// The greatest number of terms on a side of a sign, so that no factor overflows an `i8`.
const MAX_TERMS: usize = 20;
/// The signs that compare a sum, a longer one before its beginning.
const SIGNS: [&str; 6] = ["!=", "<=", ">=", "<", ">", "="];

/// Parses a condition on a sum.
pub(super) fn parse_sum_condition(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let start = scanner.offset();
    let (mut terms, _) = parse_sum(scanner, false)?;
    let at = scanner.offset();
    scanner.check_sign_order()?;
    let Some(sign) = SIGNS.into_iter().find(|sign| scanner.take_sign(sign)) else {
        return Err(scanner.expected(What::Words(&["=", "!=", "<", "<=", ">", ">=", "+", "-"])));
    };
    let range = |number: i32| match sign {
        "=" | "!=" => (number, number),
        "<" => (i32::MIN, number - 1),
        "<=" => (i32::MIN, number),
        ">" => (number + 1, i32::MAX),
        _ => (number, i32::MAX),
    };
    let names = if let [(1, count)] = terms.as_slice() { count.value_names() } else { &[] };
    let value = names.iter().find(|(name, _)| scanner.take_word(name));
    let (min, max) = if let Some((_, value)) = value {
        range(*value)
    } else if begins_count(scanner) {
        let (other, number) = parse_sum(scanner, true)?;
        terms.extend(other.into_iter().map(|(factor, count)| (-factor, count)));
        range(number)
    } else if !names.is_empty() && !scanner.peek_word().is_empty() {
        let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
        return Err(scanner
            .expected_among("a value", names.iter().copied(), |found| What::Words(&names).message(found)));
    } else if sign == "!=" {
        let number = scanner.number(EXPECTED_SUM, -GREATEST_SUM, GREATEST_SUM)? as i32;
        (number, number)
    } else {
        scanner.rewind(at);
        let range = scanner.numbers(EXPECTED_SUM, -GREATEST_SUM, GREATEST_SUM)?;
        let min = if *range.start() == -GREATEST_SUM { i32::MIN } else { *range.start() as i32 };
        let max = if *range.end() == GREATEST_SUM { i32::MAX } else { *range.end() as i32 };
        (min, max)
    };
    let span = scanner.span_since(start);
    let sum = SumCondition::new(terms, min, max);
    let weights = piece_weights(&sum);
    if weights == Some([0; 4]) || sum.terms.iter().all(|(factor, _)| *factor == 0) {
        return Err(QueryError::new(
            span,
            message!("cancelled", "this asks for a sum whose numbers cancel each other"),
        ));
    }
    let of_game = sum.terms.iter().find(|(_, count)| count.is_of_game());
    let of_position = sum.terms.iter().find(|(_, count)| !count.is_of_game());
    if let (Some((_, of_game)), Some((_, of_position))) = (of_game, of_position) {
        let message = message!(
            "mixed_numbers",
            "expected one kind of numbers: {of_game} is of the game, {of_position} of a position",
            of_game = of_game.to_string(),
            of_position = of_position.to_string(),
        );
        return Err(QueryError::new(span, message));
    }
    let condition = match weights {
        Some(weights) => Query::material(PieceCountCondition::new(weights, min, max)),
        None => Query::sum(sum),
    };
    Ok(if sign == "!=" { !condition } else { condition })
}

/// Returns the weights of a sum of pieces on the whole board; `None` for other sums.
fn piece_weights(sum: &SumCondition) -> Option<[i8; 4]> {
    sum.terms.iter().try_fold([0i8; 4], |weights, (factor, count)| match count {
        Count::Pieces(contents, None) => {
            let term = weights_of(*contents);
            Some([0, 1, 2, 3].map(|i| weights[i].saturating_add(factor * term[i])))
        }
        _ => None,
    })
}

/// Returns `true` if what follows a number makes it a part of a sum.
pub(super) fn is_compared_as_sum(scanner: &mut Scanner<'_>) -> bool {
    let start = scanner.offset();
    let sign = ["+", "-"].into_iter().chain(SIGNS).find(|sign| scanner.take_sign(sign));
    let is_sum = match sign {
        Some("+" | "-" | "!=") => true,
        Some(_) => begins_count(scanner),
        None => false,
    };
    scanner.rewind(start);
    is_sum
}

/// Returns `true` if a number of a position or a game comes next.
pub(super) fn begins_count(scanner: &mut Scanner<'_>) -> bool {
    let start = scanner.offset();
    // A word that begins a number, even if the rest of it cannot be read.
    let begins = !matches!(parse_count(scanner), Ok(None));
    scanner.rewind(start);
    begins
}

/// Parses a sum, with numbers after the first count if `with_numbers`. Returns the terms and the sum of the numbers,
/// to be compared with the terms on the other side of a sign.
fn parse_sum(scanner: &mut Scanner<'_>, with_numbers: bool) -> Result<(Vec<(i8, Count)>, i32), QueryError> {
    let (mut terms, mut number) = (Vec::new(), 0);
    let mut sign = if scanner.take_sign("-") { -1 } else { 1 };
    for place in 0.. {
        let is_number = with_numbers && scanner.peek_run().starts_with(|c: char| c.is_ascii_digit());
        if is_number && place < MAX_TERMS {
            number += i32::from(sign) * scanner.number("a number", 0, GREATEST_SUM)? as i32;
        } else {
            let count = if place < MAX_TERMS { parse_count(scanner)? } else { None };
            let Some(count) = count else { return Err(expected_number(scanner)) };
            terms.push((sign, count));
        }
        sign = if scanner.take_sign("+") {
            1
        } else if scanner.take_sign("-") {
            -1
        } else {
            break;
        };
    }
    Ok((terms, number))
}

/// Parses a number of a position or a game; `None` if none comes next.
///
/// # Errors
/// If its word is followed by something else than belongs to it.
fn parse_count(scanner: &mut Scanner<'_>) -> Result<Option<Count>, QueryError> {
    let start = scanner.offset();
    let count = match words::take(scanner).map(|(word, name)| (word.role, name)) {
        Some((Role::Number(parse) | Role::NumberOrRange(parse, _), name)) => parse(scanner, name)?,
        _ => None,
    };
    if count.is_none() {
        scanner.rewind(start);
    }
    Ok(count)
}
