//! A condition of a question.

use std::ops::RangeInclusive;

use super::scan::Scan;
use super::{WITHIN, plies};
use crate::names::{NameMatch, NamePattern};
use crate::query::dates::DateRange;
use crate::query::error::QueryError;
use crate::query::expression::{Condition, Field, Query, RatedPlayer};
use crate::query::line::MoveSequence;
use crate::query::manoeuvre::{MoveCondition, Sacrifice};
use crate::query::material::{PieceCountCondition, TERMS};
use crate::query::pattern::Pattern;
use crate::query::spot::SquareRef;
use crate::query::text::OUTCOMES;
use crate::replay::GameStatus;
use crate::rules::Variant;
use crate::span::Span;
use crate::value::{Colour, Date, GameResult, Outcome};

/// Everything that a condition may begin with, as a message says it.
const WORDS: &str = "a condition (white, black, player, winner, loser, event, site, date, rating, round, result, status, \
                     variant, plies, ply, last, fen, pattern, line, w-b>=2, move, sacrifice), `not`, `ever`, `never` or `(`";

/// A list, as a message says it.
fn choice<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// Reads a condition.
pub(super) fn condition(scan: &mut Scan<'_>) -> Result<Query, QueryError> {
    let place = scan.place();
    let word = scan.peek_word().to_ascii_lowercase();
    if TERMS.iter().any(|(name, _)| *name == word) {
        return material(scan);
    }
    scan.word();
    Ok(match word.as_str() {
        "white" | "black" | "player" | "winner" | "loser" | "event" | "site" | "round" | "result" => {
            return tag(scan, &word);
        }
        "date" => Query::date(dates(scan)?),
        "rating" => {
            let whose = [
                ("white", RatedPlayer::White),
                ("black", RatedPlayer::Black),
                ("both", RatedPlayer::Both),
                ("either", RatedPlayer::Either),
            ];
            let whose = whose
                .into_iter()
                .find(|(name, _)| scan.eat(name))
                .map_or(RatedPlayer::Both, |(_, rated)| rated);
            Query::rating(whose, small(&scan.numbers("a rating", 0, u16::MAX.into())?))
        }
        "plies" => Query::plies(long(&scan.numbers("a number of plies", 0, u32::MAX.into())?)),
        "ply" => Query::ply(long(&scan.numbers("the number of a ply", 0, u32::MAX.into())?)),
        "last" => Query::last(),
        "all" => Query::all(),
        "nothing" => Query::Or(Vec::new()),
        "status" => {
            let (at, run) = scan.run();
            let status = GameStatus::ALL.into_iter().find(|status| status.name().eq_ignore_ascii_case(run));
            let names = || choice(GameStatus::ALL.iter().map(|status| status.name()));
            Query::status(status.ok_or_else(|| wrong(scan, at, &names()))?)
        }
        "variant" => {
            let (at, run) = scan.run();
            let variant = Variant::from_name(run).or_else(|| run.parse().ok().and_then(Variant::from_number));
            let names = || choice(Variant::ALL.iter().map(|variant| variant.name()));
            Query::variant(variant.ok_or_else(|| wrong(scan, at, &names()))?)
        }
        "fen" | "position" => {
            let (at, text, _) = scan.value("a position, such as \"W:WK3:B18,24\"")?;
            forms(scan, Pattern::fen(&text).map_err(|error| error.shifted(at))?)
        }
        "pattern" => {
            let (at, text, _) = scan.value("a pattern, such as \"w32,28 b19 .23\"")?;
            forms(scan, Pattern::parse(&text).map_err(|error| error.shifted(at))?)
        }
        "line" => {
            let (at, text, _) = scan.value("moves, such as \"1. 32-28 19-23\"")?;
            Condition::Line(MoveSequence::parse(&text).map_err(|error| error.shifted(at))?).into()
        }
        "move" => Query::next_move(manoeuvre(scan)?),
        "sacrifice" => {
            let given = if scan.peek_run().starts_with(|c: char| c.is_ascii_digit()) {
                scan.number("pieces", 1, 40)?
            } else {
                1
            };
            let within = if scan.eat("within") { plies(scan)? } else { WITHIN };
            let regained = if scan.eat("regained") { Some(true) } else { scan.eat("lost").then_some(false) };
            Query::sacrifice(Sacrifice { given: given as u8, within, regained })
        }
        _ => {
            scan.back(place);
            return Err(scan.expected(WORDS));
        }
    })
}

/// An error at a run that has been passed.
fn wrong(scan: &mut Scan<'_>, at: usize, expected: &str) -> QueryError {
    scan.back(at);
    scan.expected(&format!("one of {expected}"))
}

fn small(range: &RangeInclusive<i64>) -> RangeInclusive<u16> {
    *range.start() as u16..=*range.end() as u16
}

fn long(range: &RangeInclusive<i64>) -> RangeInclusive<u32> {
    *range.start() as u32..=*range.end() as u32
}

fn forms(scan: &mut Scan<'_>, mut pattern: Pattern) -> Query {
    loop {
        if scan.eat("flipped") {
            pattern = pattern.or_flipped();
        } else if scan.eat("mirrored") {
            pattern = pattern.or_mirrored();
        } else {
            return Query::board(pattern);
        }
    }
}

/// A tag after its name, and the other questions that begin with such a word.
fn tag(scan: &mut Scan<'_>, word: &str) -> Result<Query, QueryError> {
    let Some(field) = Field::ALL.into_iter().find(|field| field.name() == word) else {
        return Err(scan.expected(WORDS));
    };
    let spelling = |sign, star| match (sign, star) {
        ("=", true) => NameMatch::Prefix,
        ("=", false) => NameMatch::Exact,
        ("~", _) => NameMatch::Fuzzy,
        _ => NameMatch::Words,
    };
    let numeric = field == Field::Round && {
        let place = scan.place();
        let _ = ["<=", ">=", "<", ">", "=", ".."].into_iter().any(|sign| scan.eat_sign(sign));
        let digit = scan.peek_run().starts_with(|c: char| c.is_ascii_digit());
        scan.back(place);
        digit
    };
    if numeric {
        return Ok(Query::round(small(&scan.numbers("the number of a round", 0, u16::MAX.into())?)));
    }
    for sign in [":", "=", "~"] {
        if scan.eat_sign(sign) {
            let (_, mut value, star) = scan.value("a name")?;
            let spelling = spelling(sign, star);
            if spelling == NameMatch::Prefix {
                value.pop();
            }
            return Ok(Query::tag(field, NamePattern::new(value, spelling)));
        }
    }
    match field {
        Field::White | Field::Black => {
            let colour = if field == Field::White { Colour::White } else { Colour::Black };
            if scan.eat("to") {
                return if scan.eat("move") { Ok(Query::turn(colour)) } else { Err(scan.expected("`move`")) };
            }
            Err(scan.expected("`:`, `=`, `~` or `to move`"))
        }
        Field::Winner => {
            for (name, winner) in
                [("white", Some(Colour::White)), ("black", Some(Colour::Black)), ("nobody", None)]
            {
                if scan.eat(name) {
                    return Ok(Query::winner(winner));
                }
            }
            Err(scan.expected("white, black, nobody, or `:` and a name"))
        }
        Field::Result => {
            let (at, run) = scan.run();
            let named = OUTCOMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(run));
            let outcome = named.map(|(_, outcome)| *outcome).or_else(|| {
                let read = GameResult::parse(run.as_bytes()).outcome();
                (read != Outcome::Unknown || run == "*").then_some(read)
            });
            outcome.map(Query::result).ok_or_else(|| {
                scan.back(at);
                scan.expected("a result, such as 2-0 or 1/2-1/2, or one of win, loss (of the side that starts), draw, unknown")
            })
        }
        Field::Round => Err(scan.expected("a number, or `:`, `=` or `~` and a name")),
        _ => Err(scan.expected("`:`, `=` or `~`")),
    }
}

/// `1990..1995`, `>= 1990.06`, `1999-12-31`.
fn dates(scan: &mut Scan<'_>) -> Result<DateRange, QueryError> {
    const WHAT: &str = "a date, such as 1999, 1999.12 or 1999.12.31";
    let sign = [">=", "<=", "="].into_iter().find(|sign| scan.eat_sign(sign));
    let (at, run) = scan.run();
    let read = |text: &str, offset: usize| match Date::read(text.as_bytes()) {
        Ok(read) if read.date.year().is_some() => Ok(Some(read.date)),
        _ if text.is_empty() => Ok(None),
        _ => {
            let span = Span::new((at + offset) as u32, (at + offset + text.len()) as u32);
            Err(QueryError::new(span, format!("expected {WHAT}, found `{text}`")))
        }
    };
    if let (None, Some((first, last))) = (sign, run.split_once("..")) {
        let (from, to) = (read(first, 0)?, read(last, first.len() + 2)?);
        if from.zip(to).is_some_and(|(from, to)| !DateRange::new(Some(from), None).meets(to)) {
            let span = Span::new(at as u32, (at + run.len()) as u32);
            return Err(QueryError::new(span, "expected the earlier date first"));
        }
        return Ok(DateRange::new(from, to));
    }
    let date = read(run, 0)?;
    if date.is_none() {
        scan.back(at);
        return Err(scan.expected(WHAT));
    }
    Ok(match sign {
        Some(">=") => DateRange::new(date, None),
        Some("<=") => DateRange::new(None, date),
        _ => DateRange::new(date, date),
    })
}

/// `w-b>=2`.
fn material(scan: &mut Scan<'_>) -> Result<Query, QueryError> {
    let mut weights = [0i8; 4];
    let mut sign = 1;
    for count in 0.. {
        let term = scan.peek_word().to_ascii_lowercase();
        let Some((_, term)) = TERMS.iter().find(|(name, _)| *name == term).filter(|_| count < 20) else {
            return Err(scan.expected("w, b, wm, wk, bm, bk, m, k or p: pieces, men and kings of White and Black, men, kings, pieces"));
        };
        scan.word();
        weights = [0, 1, 2, 3].map(|i| weights[i] + sign * term[i]);
        sign = if scan.eat_sign("+") {
            1
        } else if scan.eat_sign("-") {
            -1
        } else {
            break;
        };
    }
    if scan.eat_sign("!=") {
        let number = scan.number("a number of pieces", -999, 999)? as i32;
        return Ok(!Query::material(PieceCountCondition::new(weights, number, number)));
    }
    if !["<", ">", "="].iter().any(|sign| scan.peek_run().starts_with(sign)) {
        return Err(scan.expected("`=`, `!=`, `<`, `<=`, `>`, `>=`, `+` or `-`"));
    }
    let range = scan.numbers("a number of pieces", -999, 999)?;
    let least = if *range.start() == -999 { i32::MIN } else { *range.start() as i32 };
    let most = if *range.end() == 999 { i32::MAX } else { *range.end() as i32 };
    Ok(Query::material(PieceCountCondition::new(weights, least, most)))
}

/// Squares, separated by commas.
fn squares(scan: &mut Scan<'_>) -> Result<Vec<SquareRef>, QueryError> {
    let (at, run) = scan.run();
    let mut place = at;
    let mut spots = Vec::new();
    for part in run.split(',') {
        let Some(spot) = SquareRef::parse(part) else {
            let span = Span::new(place as u32, (place + part.len()) as u32);
            return Err(QueryError::new(span, "expected a square, such as 32 or c3"));
        };
        spots.push(spot);
        place += part.len() + 1;
    }
    Ok(spots)
}

fn manoeuvre(scan: &mut Scan<'_>) -> Result<MoveCondition, QueryError> {
    let mut manoeuvre = MoveCondition::any();
    let mut parts = 0;
    loop {
        parts += 1;
        if scan.eat("from") {
            manoeuvre.from = squares(scan)?;
        } else if scan.eat("to") {
            manoeuvre.to = squares(scan)?;
        } else if scan.eat("over") {
            manoeuvre.over = squares(scan)?;
        } else if scan.eat("by") {
            match scan.peek_word().to_ascii_lowercase().as_str() {
                "man" => manoeuvre.king = Some(false),
                "king" => manoeuvre.king = Some(true),
                "white" => manoeuvre.side = Some(Colour::White),
                "black" => manoeuvre.side = Some(Colour::Black),
                _ => return Err(scan.expected("man, king, white or black")),
            }
            scan.word();
        } else if scan.eat("promotes") {
            manoeuvre.promotes = Some(true);
        } else if scan.eat("stays") {
            manoeuvre.promotes = Some(false);
        } else if scan.eat("takes") {
            let range = scan.numbers("a number of pieces", 0, 255)?;
            manoeuvre.takes = Some(*range.start() as u8..=*range.end() as u8);
        } else if let Some((from, to, capture)) = ends(scan.peek_run()) {
            scan.run();
            manoeuvre.from.extend(from);
            manoeuvre.to.extend(to);
            if capture {
                manoeuvre.takes = Some(1..=255);
            }
        } else if parts > 1 {
            return Ok(manoeuvre);
        } else {
            return Err(scan.expected("32-28, 32x19, from, to, by, promotes, takes or over"));
        }
    }
}

/// `32-28`, `32x19`, `32-` and `x19`.
fn ends(run: &str) -> Option<(Option<SquareRef>, Option<SquareRef>, bool)> {
    let (from, to) = run.split_once(['-', 'x'])?;
    let capture = run.as_bytes()[from.len()] == b'x';
    let spot = |text: &str| if text.is_empty() { Some(None) } else { SquareRef::parse(text).map(Some) };
    let (from, to) = (spot(from)?, spot(to)?);
    (from.is_some() || to.is_some()).then_some((from, to, capture))
}
