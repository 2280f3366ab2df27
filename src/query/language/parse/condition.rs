//! Parses a single condition of a query.

use std::ops::RangeInclusive;

use super::scanner::Scanner;
use super::{DEFAULT_WITHIN, parse_plies};
use crate::names::{NameMatch, NamePattern};
use crate::query::conditions::{
    DateRange, MoveCondition, MoveSequence, Pattern, PieceCountCondition, SUMS, Sacrifice, SquareRef,
};
use crate::query::error::QueryError;
use crate::query::language::display::OUTCOME_NAMES;
use crate::query::language::query::{Condition, Field, Query, RatedPlayer};
use crate::replay::GameStatus;
use crate::rules::Variant;
use crate::span::Span;
use crate::value::{Colour, Date, GameResult, Outcome};

/// The words that a condition may begin with, for messages.
const EXPECTED_CONDITION: &str = "a condition (white, black, player, winner, loser, event, site, date, rating, round, result, status, \
                     variant, plies, ply, last, fen, pattern, line, w-b>=2, move, sacrifice), `not`, `ever`, `never` or `(`";

/// Joins names with commas, for messages.
fn comma_list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// Parses a condition.
pub(super) fn parse_condition(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let start = scanner.offset();
    let word = scanner.peek_word().to_ascii_lowercase();
    if SUMS.iter().any(|(name, _)| *name == word) {
        return parse_piece_count(scanner);
    }
    scanner.next_word();
    Ok(match word.as_str() {
        "white" | "black" | "player" | "winner" | "loser" | "event" | "site" | "round" | "result" => {
            return parse_tag(scanner, &word);
        }
        "date" => Query::date(parse_dates(scanner)?),
        "rating" => {
            let whose = [
                ("white", RatedPlayer::White),
                ("black", RatedPlayer::Black),
                ("both", RatedPlayer::Both),
                ("either", RatedPlayer::Either),
            ];
            let whose = whose
                .into_iter()
                .find(|(name, _)| scanner.take_word(name))
                .map_or(RatedPlayer::Both, |(_, rated)| rated);
            Query::rating(whose, to_u16_range(&scanner.numbers("a rating", 0, u16::MAX.into())?))
        }
        "plies" => Query::plies(to_u32_range(&scanner.numbers("a number of plies", 0, u32::MAX.into())?)),
        "ply" => Query::ply(to_u32_range(&scanner.numbers("the number of a ply", 0, u32::MAX.into())?)),
        "last" => Query::last(),
        "all" => Query::all(),
        "nothing" => Query::Or(Vec::new()),
        "status" => {
            let (at, run) = scanner.next_run();
            let status = GameStatus::ALL.into_iter().find(|status| status.name().eq_ignore_ascii_case(run));
            let names = || comma_list(GameStatus::ALL.iter().map(|status| status.name()));
            Query::status(status.ok_or_else(|| unknown_word(scanner, at, &names()))?)
        }
        "variant" => {
            let (at, run) = scanner.next_run();
            let variant = Variant::from_name(run).or_else(|| run.parse().ok().and_then(Variant::from_number));
            let names = || comma_list(Variant::ALL.iter().map(|variant| variant.name()));
            Query::variant(variant.ok_or_else(|| unknown_word(scanner, at, &names()))?)
        }
        "fen" | "position" => {
            let (at, text, _) = scanner.value("a position, such as \"W:WK3:B18,24\"")?;
            parse_forms(scanner, Pattern::fen(&text).map_err(|error| error.shifted(at))?)
        }
        "pattern" => {
            let (at, text, _) = scanner.value("a pattern, such as \"w32,28 b19 .23\"")?;
            parse_forms(scanner, Pattern::parse(&text).map_err(|error| error.shifted(at))?)
        }
        "line" => {
            let (at, text, _) = scanner.value("moves, such as \"1. 32-28 19-23\"")?;
            Condition::Line(MoveSequence::parse(&text).map_err(|error| error.shifted(at))?).into()
        }
        "move" => Query::next_move(parse_move_condition(scanner)?),
        "sacrifice" => {
            let given = if scanner.peek_run().starts_with(|c: char| c.is_ascii_digit()) {
                scanner.number("pieces", 1, 40)?
            } else {
                1
            };
            let within = if scanner.take_word("within") { parse_plies(scanner)? } else { DEFAULT_WITHIN };
            let regained = if scanner.take_word("regained") {
                Some(true)
            } else {
                scanner.take_word("lost").then_some(false)
            };
            Query::sacrifice(Sacrifice { given: given as u8, within, regained })
        }
        _ => {
            scanner.rewind(start);
            return Err(scanner.expected(EXPECTED_CONDITION));
        }
    })
}

/// Creates the error that the word at `offset`, which has been taken, is none of those expected.
fn unknown_word(scanner: &mut Scanner<'_>, offset: usize, expected: &str) -> QueryError {
    scanner.rewind(offset);
    scanner.expected(&format!("one of {expected}"))
}

/// Converts a range that the scanner has bounded to `u16`.
fn to_u16_range(range: &RangeInclusive<i64>) -> RangeInclusive<u16> {
    *range.start() as u16..=*range.end() as u16
}

/// Converts a range that the scanner has bounded to `u32`.
fn to_u32_range(range: &RangeInclusive<i64>) -> RangeInclusive<u32> {
    *range.start() as u32..=*range.end() as u32
}

/// Parses the words `flipped` and `mirrored` after a pattern.
fn parse_forms(scanner: &mut Scanner<'_>, mut pattern: Pattern) -> Query {
    loop {
        if scanner.take_word("flipped") {
            pattern = pattern.or_flipped();
        } else if scanner.take_word("mirrored") {
            pattern = pattern.or_mirrored();
        } else {
            return Query::board(pattern);
        }
    }
}

/// Parses a condition that begins with the name of a tag, which has been taken, and the others that begin with such a
/// word: `white to move`, `winner nobody`, `result 2-0`, `round 3`.
fn parse_tag(scanner: &mut Scanner<'_>, word: &str) -> Result<Query, QueryError> {
    let Some(field) = Field::ALL.into_iter().find(|field| field.name() == word) else {
        return Err(scanner.expected(EXPECTED_CONDITION));
    };
    let name_match = |sign, star| match (sign, star) {
        ("=", true) => NameMatch::Prefix,
        ("=", false) => NameMatch::Exact,
        ("~", _) => NameMatch::Fuzzy,
        _ => NameMatch::Words,
    };
    let is_number = field == Field::Round && {
        let start = scanner.offset();
        let _ = ["<=", ">=", "<", ">", "=", ".."].into_iter().any(|sign| scanner.take_sign(sign));
        let digit = scanner.peek_run().starts_with(|c: char| c.is_ascii_digit());
        scanner.rewind(start);
        digit
    };
    if is_number {
        return Ok(Query::round(to_u16_range(&scanner.numbers(
            "the number of a round",
            0,
            u16::MAX.into(),
        )?)));
    }
    for sign in [":", "=", "~"] {
        if scanner.take_sign(sign) {
            let (_, mut value, star) = scanner.value("a name")?;
            let name_match = name_match(sign, star);
            if name_match == NameMatch::Prefix {
                value.pop();
            }
            return Ok(Query::tag(field, NamePattern::new(value, name_match)));
        }
    }
    match field {
        Field::White | Field::Black => {
            let colour = if field == Field::White { Colour::White } else { Colour::Black };
            if scanner.take_word("to") {
                return if scanner.take_word("move") {
                    Ok(Query::turn(colour))
                } else {
                    Err(scanner.expected("`move`"))
                };
            }
            Err(scanner.expected("`:`, `=`, `~` or `to move`"))
        }
        Field::Winner => {
            for (name, winner) in
                [("white", Some(Colour::White)), ("black", Some(Colour::Black)), ("nobody", None)]
            {
                if scanner.take_word(name) {
                    return Ok(Query::winner(winner));
                }
            }
            Err(scanner.expected("white, black, nobody, or `:` and a name"))
        }
        Field::Result => {
            let (at, run) = scanner.next_run();
            let named = OUTCOME_NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(run));
            let outcome = named.map(|(_, outcome)| *outcome).or_else(|| {
                let written = GameResult::parse(run.as_bytes()).outcome();
                (written != Outcome::Unknown || run == "*").then_some(written)
            });
            outcome.map(Query::result).ok_or_else(|| {
                scanner.rewind(at);
                scanner.expected("a result, such as 2-0 or 1/2-1/2, or one of win, loss (of the side that starts), draw, unknown")
            })
        }
        Field::Round => Err(scanner.expected("a number, or `:`, `=` or `~` and a name")),
        _ => Err(scanner.expected("`:`, `=` or `~`")),
    }
}

/// Parses a range of dates: `1990..1995`, `>= 1990.06`, `1999-12-31`.
fn parse_dates(scanner: &mut Scanner<'_>) -> Result<DateRange, QueryError> {
    const EXPECTED_DATE: &str = "a date, such as 1999, 1999.12 or 1999.12.31";
    let sign = [">=", "<=", "="].into_iter().find(|sign| scanner.take_sign(sign));
    let (at, run) = scanner.next_run();
    let parse_date = |text: &str, offset: usize| match Date::read(text.as_bytes()) {
        Ok(read) if read.date.year().is_some() => Ok(Some(read.date)),
        _ if text.is_empty() => Ok(None),
        _ => {
            let span = Span::new((at + offset) as u32, (at + offset + text.len()) as u32);
            Err(QueryError::new(span, format!("expected {EXPECTED_DATE}, found `{text}`")))
        }
    };
    if let (None, Some((first, last))) = (sign, run.split_once("..")) {
        let (from, to) = (parse_date(first, 0)?, parse_date(last, first.len() + 2)?);
        if from.zip(to).is_some_and(|(from, to)| !DateRange::new(Some(from), None).overlaps(to)) {
            let span = Span::new(at as u32, (at + run.len()) as u32);
            return Err(QueryError::new(span, "expected the earlier date first"));
        }
        return Ok(DateRange::new(from, to));
    }
    let date = parse_date(run, 0)?;
    if date.is_none() {
        scanner.rewind(at);
        return Err(scanner.expected(EXPECTED_DATE));
    }
    Ok(match sign {
        Some(">=") => DateRange::new(date, None),
        Some("<=") => DateRange::new(None, date),
        _ => DateRange::new(date, date),
    })
}

/// Parses a condition on piece counts, such as `w-b>=2`.
fn parse_piece_count(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let mut weights = [0i8; 4];
    let mut sign = 1;
    for count in 0.. {
        let name = scanner.peek_word().to_ascii_lowercase();
        // At most 20 terms, so that no weight overflows an `i8`.
        let Some((_, term)) = SUMS.iter().find(|(known, _)| *known == name).filter(|_| count < 20) else {
            return Err(scanner.expected("w, b, wm, wk, bm, bk, m, k or p: pieces, men and kings of White and Black, men, kings, pieces"));
        };
        scanner.next_word();
        weights = [0, 1, 2, 3].map(|i| weights[i] + sign * term[i]);
        sign = if scanner.take_sign("+") {
            1
        } else if scanner.take_sign("-") {
            -1
        } else {
            break;
        };
    }
    if scanner.take_sign("!=") {
        let number = scanner.number("a number of pieces", -999, 999)? as i32;
        return Ok(!Query::material(PieceCountCondition::new(weights, number, number)));
    }
    if !["<", ">", "="].iter().any(|sign| scanner.peek_run().starts_with(sign)) {
        return Err(scanner.expected("`=`, `!=`, `<`, `<=`, `>`, `>=`, `+` or `-`"));
    }
    // The bounds of the scanner stand for open ends.
    let range = scanner.numbers("a number of pieces", -999, 999)?;
    let min = if *range.start() == -999 { i32::MIN } else { *range.start() as i32 };
    let max = if *range.end() == 999 { i32::MAX } else { *range.end() as i32 };
    Ok(Query::material(PieceCountCondition::new(weights, min, max)))
}

/// Parses squares, separated by commas.
fn parse_squares(scanner: &mut Scanner<'_>) -> Result<Vec<SquareRef>, QueryError> {
    let (mut offset, run) = scanner.next_run();
    let mut squares = Vec::new();
    for part in run.split(',') {
        let Some(square) = SquareRef::parse(part) else {
            let span = Span::new(offset as u32, (offset + part.len()) as u32);
            return Err(QueryError::new(span, "expected a square, such as 32 or c3"));
        };
        squares.push(square);
        offset += part.len() + 1;
    }
    Ok(squares)
}

/// Parses the parts of a condition on the next move, at least one.
fn parse_move_condition(scanner: &mut Scanner<'_>) -> Result<MoveCondition, QueryError> {
    let mut condition = MoveCondition::any();
    let mut parts = 0;
    loop {
        parts += 1;
        if scanner.take_word("from") {
            condition.from = parse_squares(scanner)?;
        } else if scanner.take_word("to") {
            condition.to = parse_squares(scanner)?;
        } else if scanner.take_word("over") {
            condition.over = parse_squares(scanner)?;
        } else if scanner.take_word("by") {
            match scanner.peek_word().to_ascii_lowercase().as_str() {
                "man" => condition.king = Some(false),
                "king" => condition.king = Some(true),
                "white" => condition.side = Some(Colour::White),
                "black" => condition.side = Some(Colour::Black),
                _ => return Err(scanner.expected("man, king, white or black")),
            }
            scanner.next_word();
        } else if scanner.take_word("promotes") {
            condition.promotes = Some(true);
        } else if scanner.take_word("stays") {
            condition.promotes = Some(false);
        } else if scanner.take_word("takes") {
            let range = scanner.numbers("a number of pieces", 0, 255)?;
            condition.takes = Some(*range.start() as u8..=*range.end() as u8);
        } else if let Some((from, to, capture)) = parse_from_to(scanner.peek_run()) {
            scanner.next_run();
            condition.from.extend(from);
            condition.to.extend(to);
            if capture {
                condition.takes = Some(1..=255);
            }
        } else if parts > 1 {
            return Ok(condition);
        } else {
            return Err(scanner.expected("32-28, 32x19, from, to, by, promotes, takes or over"));
        }
    }
}

/// Parses `32-28`, `32x19`, `32-` or `x19`: the squares that are given, and whether the move is a capture.
fn parse_from_to(run: &str) -> Option<(Option<SquareRef>, Option<SquareRef>, bool)> {
    let (from, to) = run.split_once(['-', 'x'])?;
    let capture = run.as_bytes()[from.len()] == b'x';
    let square = |text: &str| if text.is_empty() { Some(None) } else { SquareRef::parse(text).map(Some) };
    let (from, to) = (square(from)?, square(to)?);
    (from.is_some() || to.is_some()).then_some((from, to, capture))
}
