//! Parses what follows the word of a condition or of a number.

use std::ops::RangeInclusive;

use super::parse_within;
use super::scanner::{Scanner, What};
use crate::query::conditions::{
    Area, Count, DateRange, FileCondition, GameNumber, GamePositions, MoveSequence, NoteCondition,
    PIECE_NAMES, Pattern, Sacrifice, TagCondition,
};
use crate::query::error::QueryError;
use crate::query::language::display::OUTCOME_NAMES;
use crate::query::language::query::{Condition, Field, GameCondition, Query, RatedPlayer};
use pdn::internal::value::DateForm;
use pdn::replay::GameStatus;
use pdn::rules::Variant;
use pdn::span::Span;
use pdn::value::{Colour, Date, GameResult, MoveStrength, Outcome, ReadDate};
use pdn_names::{NameMatch, NamePattern};

/// Parses whose rating it is, both if that is not said, and its range.
pub(super) fn parse_player_rating(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let whose = [
        ("white", RatedPlayer::White),
        ("black", RatedPlayer::Black),
        ("both", RatedPlayer::Both),
        ("either", RatedPlayer::Either),
    ];
    let named = whose.into_iter().find(|(name, _)| scanner.take_word(name));
    parse_rating(scanner, named.map_or(RatedPlayer::Both, |(_, whose)| whose))
}

/// Parses the name of a status.
pub(super) fn parse_status(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let names: Vec<&str> = GameStatus::ALL.iter().map(|status| status.name()).collect();
    let find =
        |word: &str| GameStatus::ALL.into_iter().find(|status| status.name().eq_ignore_ascii_case(word));
    Ok(Query::status(parse_word(scanner, "a status", &names, find)?))
}

/// Parses the name or the number of a variant.
pub(super) fn parse_variant(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let names: Vec<&str> = Variant::ALL.iter().map(|variant| variant.name()).collect();
    parse_word(scanner, "a variant", &names, |word| {
        Variant::from_name(word).map(Query::variant).or_else(|| of_game_type(word.parse().ok()?))
    })
}

/// Parses a sign and the name of an opening.
pub(super) fn parse_opening_played(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    match parse_name(scanner)? {
        Some(names) => Ok(GameCondition::OpeningPlayed(names).into()),
        None => Err(scanner.expected(What::Words(&[":", "=", "~"]))),
    }
}

/// Parses the name of a tag, and the value that is asked for, if one is.
pub(super) fn parse_text_tag(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let name = scanner.name(What::Such("the name of a tag", &["TimeControl"]))?;
    Ok(Query::text_tag(TagCondition::new(name, parse_name(scanner)?)))
}

/// Parses the name of a file, with or without a sign before it.
pub(super) fn parse_file(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    if let Some(name) = parse_name(scanner)? {
        return Ok(Query::file(FileCondition::new(name)));
    }
    let (at, value, star) = scanner.value("the name of a file, or `:`, `=` or `~` before one")?;
    Ok(Query::file(FileCondition::new(name_pattern("=", at, value, star)?)))
}

/// Parses a position: a FEN, or the one of a game at a ply.
pub(super) fn parse_position(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    if scanner.take_word("of") {
        let [game, ply] = parse_game_and_ply(scanner, "at")?;
        return Ok(Query::in_game(GamePositions::at(game, ply as u32)));
    }
    let (at, text, _) = scanner.value(What::Such("a position", &["\"W:WK3:B18,24\""]))?;
    Ok(Query::board(Pattern::fen(&text).map_err(|error| error.shifted(at))?))
}

/// Parses the number of a game, a word, and the number of a ply.
pub(super) fn parse_game_and_ply(scanner: &mut Scanner<'_>, between: &str) -> Result<[u64; 2], QueryError> {
    let game = scanner.number("the number of a game", 1, u32::MAX.into())?;
    if !scanner.take_word(between) {
        return Err(scanner.expected(What::Words(&[between])));
    }
    Ok([game as u64, scanner.number("the number of a ply", 0, u32::MAX.into())? as u64])
}

/// Parses a pattern.
pub(super) fn parse_pattern(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let (at, text, _) = scanner.value(What::Such("a pattern", &["\"w32,28 b19 .23\""]))?;
    Ok(Query::board(Pattern::parse(&text).map_err(|error| error.shifted(at))?))
}

/// Parses moves from the start position.
pub(super) fn parse_line(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let (at, text, _) = scanner.value(What::Such("moves", &["\"1. 32-28 19-23\""]))?;
    Ok(Condition::Line(MoveSequence::parse(&text).map_err(|error| error.shifted(at))?).into())
}

/// Parses moves that were played one after the other.
pub(super) fn parse_played(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let (at, text, _) = scanner.value(What::Such("moves", &["\"27-22 18x27 .. 38,40x16\""]))?;
    Ok(Query::played(text.parse().map_err(|error: QueryError| error.shifted(at))?))
}

/// Parses how many pieces are given, one if that is not said, and what becomes of them.
pub(super) fn parse_sacrifice(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let is_number = scanner.peek_run().starts_with(|c: char| c.is_ascii_digit());
    let given = if is_number { scanner.number("pieces", 1, 40)? } else { 1 };
    let within = parse_within(scanner)?;
    let regained = match scanner.take_word("regained") {
        true => Some(true),
        false => scanner.take_word("lost").then_some(false),
    };
    Ok(Query::sacrifice(Sacrifice { given: given as u8, within, regained }))
}

/// Returns the condition that the GameType number is this one; `None` if no variant has it. Variants that differ only in the
/// names of their squares may share a number.
fn of_game_type(number: u16) -> Option<Query> {
    let variants = Variant::ALL.iter().filter(|variant| variant.number() == number);
    variants.map(|&variant| Query::variant(variant)).reduce(|one, other| one | other)
}

/// Parses the range of a rating.
pub(super) fn parse_rating(scanner: &mut Scanner<'_>, whose: RatedPlayer) -> Result<Query, QueryError> {
    Ok(Query::rating(whose, to_u16_range(&scanner.numbers("a rating", 0, u16::MAX.into())?)))
}

/// Parses one of several words, with or without `=` and quotes. `names` are all of them, for messages.
fn parse_word<T>(
    scanner: &mut Scanner<'_>,
    what: &str,
    names: &[&str],
    find: impl Fn(&str) -> Option<T>,
) -> Result<T, QueryError> {
    let expected = What::Words(names);
    let _ = scanner.take_sign("=");
    let at = scanner.offset();
    let (_, word, _) = scanner.value(expected)?;
    find(&word).ok_or_else(|| {
        scanner.rewind(at);
        scanner.expected_among(what, names.iter().copied(), |found| expected.message(found))
    })
}

/// Converts a range that the scanner has bounded to `u16`.
fn to_u16_range(range: &RangeInclusive<i64>) -> RangeInclusive<u16> {
    *range.start() as u16..=*range.end() as u16
}

/// Parses a range of numbers from `min` on.
pub(super) fn parse_u32_range(
    scanner: &mut Scanner<'_>,
    what: &str,
    min: i64,
) -> Result<RangeInclusive<u32>, QueryError> {
    let range = scanner.numbers(what, min, u32::MAX.into())?;
    Ok(*range.start() as u32..=*range.end() as u32)
}

/// Parses a condition that begins with the name of a tag, which has been taken, and the others that begin with such a
/// word: `white to move`, `winner nobody`, `result 2-0`, `round 3`.
pub(super) fn parse_tag(scanner: &mut Scanner<'_>, name: &str) -> Result<Query, QueryError> {
    let Some(&field) = Field::ALL.iter().find(|field| field.name() == name) else {
        return Err(scanner.expected("the name of a field"));
    };
    let is_number = field == Field::Round && {
        let start = scanner.offset();
        let _ = ["<=", ">=", "<", ">", "=", ".."].into_iter().any(|sign| scanner.take_sign(sign));
        let is_equal = scanner.text_since(start).trim_start().starts_with('=');
        let run = scanner.peek_run();
        // After `=`, a text such as `3.2` or `10*` is compared as a whole.
        let is_range = || run.split("..").flat_map(|part| part.split('-')).all(is_number);
        let is_numbers = run.starts_with(|c: char| c.is_ascii_digit()) && (!is_equal || is_range());
        scanner.rewind(start);
        is_numbers
    };
    if is_number {
        return Ok(Query::round(to_u16_range(&scanner.numbers(
            "the number of a round",
            0,
            u16::MAX.into(),
        )?)));
    }
    if let Some(name) = parse_name(scanner)? {
        return Ok(Query::tag(field, name));
    }
    match field {
        Field::White | Field::Black => {
            let colour = if field == Field::White { Colour::White } else { Colour::Black };
            if scanner.take_word("to") {
                return if scanner.take_word("move") {
                    Ok(Query::turn(colour))
                } else {
                    Err(scanner.expected(What::Words(&["move"])))
                };
            }
            Err(scanner.expected(What::Words(&[":", "=", "~", "to move"])))
        }
        Field::Winner => {
            for (name, winner) in
                [("white", Some(Colour::White)), ("black", Some(Colour::Black)), ("nobody", None)]
            {
                if scanner.take_word(name) {
                    return Ok(Query::winner(winner));
                }
            }
            Err(scanner.expected(What::Words(&["white", "black", "nobody", ":"])))
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
                scanner
                    .expected(What::Such("a result", &["2-0", "1/2-1/2", "win", "loss", "draw", "unknown"]))
            })
        }
        Field::Round => {
            Err(scanner.expected(What::Such("a number, or a name after a sign", &["3", ":", "=", "~"])))
        }
        _ => Err(scanner.expected(What::Words(&[":", "=", "~"]))),
    }
}

/// Parses a range of dates: `1990..1995`, `>= 1990.06`, `1999-12-31`.
pub(super) fn parse_dates(scanner: &mut Scanner<'_>) -> Result<DateRange, QueryError> {
    const EXAMPLES: &[&str] = &["1999", "1999.12", "1999.12.31"];
    scanner.check_sign_order()?;
    let sign = [">=", "<=", ">", "<", "="].into_iter().find(|sign| scanner.take_sign(sign));
    let (at, run) = scanner.next_run();
    let parse_date = |text: &str, offset: usize| {
        let message = match Date::read(text.as_bytes()) {
            Ok(ReadDate { form: DateForm::EitherOrder { day_first, month_first }, .. }) => {
                message!(
                    "year_first",
                    "{found} is {day_first} or {month_first}: write the year first",
                    found = text,
                    day_first = day_first.to_string(),
                    month_first = month_first.to_string(),
                )
            }
            Ok(read) if read.date.year().is_some() => return Ok(Some(read.date)),
            _ if text.is_empty() => return Ok(None),
            _ => message!(
                "expected_such",
                "expected a date, such as {examples}, found {found}",
                examples = EXAMPLES,
                found = text
            ),
        };
        let span = Span::new((at + offset) as u32, (at + offset + text.len()) as u32);
        Err(QueryError::new(span, message))
    };
    let years = || run.split_once('-').filter(|(first, last)| is_year(first) && is_year(last));
    if let (None | Some("="), Some((first, last))) = (sign, run.split_once("..").or_else(years)) {
        let (from, to) = (parse_date(first, 0)?, parse_date(last, run.len() - last.len())?);
        if from.zip(to).is_some_and(|(from, to)| !DateRange::new(Some(from), None).overlaps(to)) {
            let span = Span::new(at as u32, (at + run.len()) as u32);
            return Err(QueryError::new(span, message!("earlier_first", "expected the earlier date first")));
        }
        return Ok(DateRange::new(from, to));
    }
    let Some(date) = parse_date(run, 0)? else {
        scanner.rewind(at);
        return Err(scanner.expected(What::Such("a date", EXAMPLES)));
    };
    let range = match sign {
        Some(">=") => Some(DateRange::new(Some(date), None)),
        Some("<=") => Some(DateRange::new(None, Some(date))),
        Some(">") => DateRange::after(date),
        Some("<") => DateRange::before(date),
        _ => Some(DateRange::of(date)),
    };
    let span = Span::new(at as u32, (at + run.len()) as u32);
    range.ok_or_else(|| QueryError::new(span, message!("empty_range", "no date lies in this range")))
}

/// Returns `true` for digits only, or nothing.
fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns `true` for four digits.
fn is_year(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Parses `:`, `=` or `~` and a name; `None` if no such sign comes next.
pub(super) fn parse_name(scanner: &mut Scanner<'_>) -> Result<Option<NamePattern>, QueryError> {
    let Some(sign) = [":", "=", "~"].into_iter().find(|sign| scanner.take_sign(sign)) else {
        return Ok(None);
    };
    let (at, value, star) = scanner.value("a name")?;
    name_pattern(sign, at, value, star).map(Some)
}

/// Creates the pattern of a name after a sign. `at` is the place of its first character, and `star` says whether it ends
/// with a `*` that is not escaped.
///
/// # Errors
/// If nothing of the name is compared: it has no letter and no digit. Only `= ""` is allowed, for names without either.
pub(super) fn name_pattern(
    sign: &str,
    at: usize,
    mut value: String,
    star: bool,
) -> Result<NamePattern, QueryError> {
    let span = Span::new(at as u32, (at + value.len()) as u32);
    let kind = match (sign, star) {
        ("=", true) => NameMatch::Prefix,
        ("=", false) => NameMatch::Exact,
        ("~", _) => NameMatch::Fuzzy,
        _ => NameMatch::Words,
    };
    if kind == NameMatch::Prefix {
        value.pop();
    }
    let pattern = NamePattern::new(value, kind);
    let stands_for_unknown = kind == NameMatch::Exact && pattern.text().is_empty();
    if pattern.folded().is_empty() && !stands_for_unknown {
        let message = message!(
            "empty_name",
            "expected a name with a letter or a digit; `= \"\"` stands for names without either, such as `?`"
        );
        return Err(QueryError::new(span, message));
    }
    Ok(pattern)
}

/// Parses a move strength, with or without quotes.
pub(super) fn parse_strength(scanner: &mut Scanner<'_>) -> Result<MoveStrength, QueryError> {
    let marks = MoveStrength::ALL.map(|strength| format!("\"{}\"", NoteCondition::written(strength)));
    let marks: Vec<&str> = marks.iter().map(String::as_str).collect();
    let expected = What::Such("a move strength", &marks);
    let at = scanner.offset();
    let (_, text, _) = scanner.value(expected)?;
    MoveStrength::parse(text.as_bytes()).ok_or_else(|| {
        scanner.rewind(at);
        scanner.expected(expected)
    })
}

/// Parses the area on which the pieces of this name are counted, if one is said.
pub(super) fn parse_pieces(scanner: &mut Scanner<'_>, name: &str) -> Result<Option<Count>, QueryError> {
    let pieces = PIECE_NAMES.iter().find(|(piece, _)| *piece == name);
    let area = if scanner.take_word("on") { Some(parse_area(scanner)?) } else { None };
    Ok(pieces.map(|(_, contents)| Count::Pieces(*contents, area)))
}

/// Parses the side whose tempo is meant.
pub(super) fn parse_tempo(scanner: &mut Scanner<'_>, _: &str) -> Result<Option<Count>, QueryError> {
    match take_side(scanner) {
        Some(side) => Ok(Some(Count::Tempo(side))),
        None => Err(scanner.expected(What::Words(&["white", "black"]))),
    }
}

/// Parses the position to which the distance is meant.
pub(super) fn parse_distance(scanner: &mut Scanner<'_>, _: &str) -> Result<Option<Count>, QueryError> {
    let (at, text, _) = scanner.value(What::Such("a position", &["\"W:WK3:B18,24\""]))?;
    Ok(Some(Count::Distance(Pattern::fen(&text).map_err(|error| error.shifted(at))?)))
}

/// Parses the side whose rating is meant; `None` for `rating both 2000`, which is no number.
pub(super) fn parse_rating_number(scanner: &mut Scanner<'_>, _: &str) -> Result<Option<Count>, QueryError> {
    Ok(take_side(scanner).map(|side| Count::OfGame(GameNumber::Rating(side))))
}

/// Takes `white` or `black`.
fn take_side(scanner: &mut Scanner<'_>) -> Option<Colour> {
    [("white", Colour::White), ("black", Colour::Black)]
        .into_iter()
        .find(|(word, _)| scanner.take_word(word))
        .map(|(_, side)| side)
}

/// Parses an area: squares, ranges and names, separated by commas. A `-` belongs to it only between digits.
fn parse_area(scanner: &mut Scanner<'_>) -> Result<Area, QueryError> {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let mut before = None;
    let (at, text) = scanner.take_while(|rest| {
        let mut chars = rest.chars();
        let is_part = match chars.next() {
            Some('-') => is_digit(before) && is_digit(chars.next()),
            Some(c) => c.is_ascii_alphanumeric() || c == ',',
            None => false,
        };
        before = rest.chars().next();
        is_part
    });
    if text.is_empty() {
        return Err(scanner.expected(What::Such(
            "an area",
            &["1-5,c3", "centre", "left", "right", "edge", "back", "long"],
        )));
    }
    Area::parse_with(text, scanner.definitions.areas()).map_err(|error| error.shifted(at))
}
